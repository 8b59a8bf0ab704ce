import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Matrix } from '../../conformance/result/several/matrix.ts';
import { withRawServer } from '../../proof/wire/raw-server.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import type { ReferenceServer } from '../../reference-server/server.ts';
import { cli, cliProcess, expectUsageError, startCli, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { hold } from '../support/held.ts';
import { withServer } from '../support/target.ts';

const folder = temporaryFolder();

const matrixIn = (name: string): Matrix => JSON.parse(readFileSync(folder.at(name, 'matrix.json'), 'utf8')) as Matrix;

/** Writes the key files and the file of targets; each target has the name and the settings that are given. */
function writeFleet(file: string, servers: readonly ReferenceServer[], own: readonly object[] = []): string {
  const targets = servers.map(({ url, seed }, place) => {
    const [adminKeyFile, restrictedKeyFile] = [`${file}-${place}.admin`, `${file}-${place}.restricted`];
    folder.write(adminKeyFile, seed.keys.admin);
    folder.write(restrictedKeyFile, seed.keys.restricted);
    return { name: `t${place}`, baseUrl: url, adminKeyFile, restrictedKeyFile, ...own[place] };
  });
  const defaults = { userId: 1, otherUserId: 2, missingUserId: 404404, roleIds: [1, 2], bannerIds: [1, 2, 3] };
  return folder.write(file, JSON.stringify({ defaults, targets }));
}

/** Two targets with keys of their own. */
const KEYS = [0, 1].map((place) => ({
  admin: `*:*.admin-key-of-${place}`,
  restricted: `*:*.restricted-key-of-${place}`,
}));
const [FIRST = defaultSeed, SECOND = defaultSeed] = KEYS.map((keys) => ({ ...defaultSeed, keys }));

describe('a fleet', () => {
  it('has a result for each target, and a matrix; no key goes to another target or into a file', async () => {
    // The second target has learnt a key of the first.
    const leaks = () => ({
      refuse: (status: number, message: string) => ({
        status,
        body: { id: 'x', name: 'Wrong', message: `${message} ${FIRST.keys.admin}` },
      }),
    });
    await withServer({ seed: FIRST }, (first) =>
      withServer({ seed: SECOND, replace: leaks }, (second, received) =>
        withRawServer({}, async (silent) => {
          const hanging = { ...second, url: silent.url };
          const limits = { timeout: 200, deadline: 1_000 };
          const file = writeFleet('fleet.json', [hanging, first, second], [limits]);
          const { code, stdout, stderr } = await cliProcess(['run', '--targets', file, '--output', folder.at('out')]);
          expect(code, stderr).toBe(1);
          const matrix = matrixIn('out');
          expect(matrix.targets.map(({ name, verdict }) => [name, verdict])).toEqual([
            ['t0', 'inconclusive'],
            ['t1', 'passed'],
            ['t2', 'failed'],
          ]);
          expect(matrix).toMatchObject({ verdict: 'failed', counts: { passed: 1, failed: 1, inconclusive: 1 } });
          expect(stdout).toMatch(/^ FAILED /);
          expect(stderr).toMatch(/^\[3\/3\] t\d {2}/m);
          const written = [
            'matrix.json',
            'matrix.html',
            'matrix.md',
            ...['t1', 't2'].flatMap((name) => [`targets/${name}/result.json`, `targets/${name}/report.html`]),
          ];
          const texts = [stdout, stderr, ...written.map((name) => readFileSync(folder.at('out', name), 'utf8'))];
          for (const text of texts)
            for (const key of KEYS.flatMap((each) => Object.values(each))) expect(text).not.toContain(key);
          expect(texts.join()).toContain('[withheld: contains a key]');
          expect(received.length).toBeGreaterThan(100);
          expect(JSON.stringify(received)).not.toContain('-key-of-0');
        }),
      ),
    );
  });

  it('is judged in shards, whose matrices merge into that of the fleet', async () => {
    await withServer({}, async (server) => {
      const own = [1, 2].map((userId) => {
        return { userId, otherUserId: 5 + userId, missingUserId: 400 + userId, only: ['banners'] };
      });
      const file = writeFleet('shards.json', [server, server], own);
      for (const index of [1, 2]) {
        await succeeds(
          cliProcess(['run', '--targets', file, '--shard', `${index}/2`, '--output', folder.at(`s${index}`)]),
        );
        expect(matrixIn(`s${index}`)).toMatchObject({ shards: [`${index}/2`], targets: [{ name: `t${index - 1}` }] });
      }
      /** Merges what is in these places into a folder. */
      const merge = (to: string, ...from: string[]) =>
        cli(['merge', ...from.map((each) => folder.at(each)), '--output', folder.at(to), '--format', 'json']);
      const one = await merge('one', 's2');
      expect([one.code, matrixIn('one').missingShards]).toEqual([3, ['1/2']]);
      const all = await succeeds(merge('all', 's2', 's1'));
      expect(JSON.parse(all.stdout)).toEqual(matrixIn('all'));
      expect(matrixIn('all').targets.map(({ name, folder: place }) => [name, place])).toEqual([
        ['t0', '../s1/targets/t0'],
        ['t1', '../s2/targets/t1'],
      ]);
      expectUsageError(await merge('x', 's1', 'all'), /t0 is in .*s1, too/);
      await succeeds(merge('single', 's1/targets/t0/result.json'));
      expect(matrixIn('single').targets).toMatchObject([{ name: 't0', folder: '../s1/targets/t0' }]);
    });
  });
});

describe('a fleet that is interrupted', () => {
  /** Servers that stop in the middle of a run, until they are released. */
  async function interrupted(
    how: (running: ReturnType<typeof startCli>) => Promise<void>,
    name: string,
  ): Promise<void> {
    const holds = [hold(), hold()] as const;
    const release = (): void => {
      for (const each of holds) each.release();
    };
    await withServer(holds[0], (first) =>
      withServer(holds[1], async (second) => {
        try {
          const before = [first, second].map(({ store }) => structuredClone([...store.users]));
          const file = writeFleet(`${name}.json`, [first, second, first], [{}, {}, { userId: 3, otherUserId: 4 }]);
          const args = ['run', '--targets', file, '--output', folder.at(name), '--parallel', '2'];
          const running = startCli(args);
          await Promise.all(holds.map(({ changed }) => changed));
          const ended = how(running);
          release();
          await ended;
          await expect
            .poll(() => [first, second].map(({ store }) => [...store.users]), { timeout: 900_000 })
            .toEqual(before);
        } finally {
          release();
        }
      }),
    );
  }

  it('restores the users of every target, and begins no other', async () => {
    await interrupted(async (running) => {
      running.process.kill('SIGINT');
      await running.line(/^stopping/);
      expect((await running.ended).code).toBe(130);
      expect(matrixIn('stopped').targets.map(({ verdict, problem }) => [verdict, problem])).toEqual([
        ['interrupted', undefined],
        ['interrupted', undefined],
        ['interrupted', 'Not begun.'],
      ]);
    }, 'stopped');
  });

  it('restores the users of every target even if the fleet itself is killed', async () => {
    await interrupted(async (running) => {
      running.process.kill('SIGKILL');
      await running.ended;
    }, 'killed');
  });
});
