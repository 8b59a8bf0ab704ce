import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultSeed } from '../../reference-server/seed.ts';
import type { ReferenceServer } from '../../reference-server/server.ts';
import { cli, judged, startCli, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { hold, withServer } from '../support/target.ts';

const folder = temporaryFolder();
const written = (...names: string[]): string => readFileSync(folder.at(...names), 'utf8');

interface MatrixFile {
  readonly verdict: string;
  readonly targets: readonly { name: string; verdict: string; words: string }[];
}
const matrixIn = (name: string): MatrixFile => JSON.parse(written(name, 'matrix.json')) as MatrixFile;

/** Writes the key files and the file of targets; each target has the name and the settings that are given. */
function writeTargets(
  file: string,
  servers: readonly Pick<ReferenceServer, 'url' | 'seed'>[],
  own: readonly object[] = [],
): string {
  const targets = servers.map(({ url, seed }, place) => {
    const [adminKeyFile, restrictedKeyFile] = [`${file}-${place}.admin`, `${file}-${place}.restricted`];
    folder.write(adminKeyFile, seed.keys.admin);
    folder.write(restrictedKeyFile, seed.keys.restricted);
    return { name: `t${place}`, baseUrl: url, adminKeyFile, restrictedKeyFile, ...own[place] };
  });
  const ids = { userId: 1, otherUserId: 2, missingUserId: 404404, roleIds: [1, 2] };
  return folder.write(file, JSON.stringify({ defaults: { ...ids, only: ['update-name', 'auth*'] }, targets }));
}

/** Two targets with keys of their own. */
const [FIRST, SECOND] = ['first', 'second'].map((name) => {
  const keys = { admin: `*:*.admin-key-of-${name}`, restricted: `*:*.restricted-key-of-${name}` };
  return { ...defaultSeed, keys };
}) as [typeof defaultSeed, typeof defaultSeed];

describe('run --targets', () => {
  it('has a result for each target, and a matrix; no key goes to another target or into a file', async () => {
    // The second target has learnt a key of the first.
    const leaks = () => ({
      refuse: (status: number, message: string) => ({
        status,
        body: { id: 'x', name: 'Wrong', message: `${message} ${FIRST.keys.admin}` },
      }),
    });
    await withServer({ seed: FIRST }, async (first) => {
      await withServer({ seed: SECOND, replace: leaks }, async (second, received) => {
        const nobody = { url: 'http://127.0.0.1:1', seed: SECOND };
        const file = writeTargets('t.json', [nobody, first, second], [{ deadline: 1_000 }]);
        const args = ['run', '--targets', file, '--output', folder.at('out')];
        // Nothing of the environment goes to a target.
        const { code, stdout, stderr } = await cli(args, { CONFORMANCE_ADMIN_KEY: 'key-of-the-environment' });
        expect(code, stderr).toBe(1);
        const { verdict, targets } = matrixIn('out');
        expect(verdict).toBe('failed');
        expect(targets.map((each) => each.verdict)).toEqual(['inconclusive', 'passed', 'failed']);
        expect(stdout).toContain('3 targets: 1 passed, 1 failed, 1 inconclusive');
        const files = ['t1', 't2'].flatMap((name) => [`${name}/result.json`, `${name}/report.html`]);
        const texts = [...files, 'matrix.json', 'matrix.html', 'matrix.md'].map((name) => written('out', name));
        const everything = [stdout, stderr, ...texts].join('\n');
        for (const key of [FIRST, SECOND].flatMap(({ keys }) => Object.values(keys)))
          expect(everything).not.toContain(key);
        expect(everything).toContain('[withheld: contains a key]');
        expect(JSON.stringify(received)).not.toMatch(/key-of-first|key-of-the-environment/);
        const rendered = ['t1', 't2'].map((name) => folder.at('out', name, 'result.json'));
        expect((await succeeds(cli(['render', ...rendered]))).stdout).toContain('2 targets: 1 passed, 1 failed');
      });
    });
  });

  it('judges only what a flag selects, for all targets', async () => {
    await withServer({}, async (server) => {
      const file = writeTargets('only.json', [server], [{ timeout: 5_000 }]);
      const args = ['run', '--targets', file, '--output', folder.at('only'), '--only', 'banners-*', '--format', 'json'];
      expect(JSON.parse((await succeeds(cli(args))).stdout)).toEqual(matrixIn('only'));
      const { checks } = JSON.parse(written('only', 't0', 'result.json')) as { checks: { id: string }[] };
      const ids = checks.map(({ id }) => id);
      expect([ids.includes('banners-stable'), ids.includes('update-name')]).toEqual([true, false]);
    });
  });

  it('restores the users of every target that it has begun with, and begins no other', async () => {
    const held = hold();
    await withServer(held, async (server) => {
      const before = structuredClone([...server.store.users]);
      const others = { userId: 3, otherUserId: 4 };
      // Four are judged at once.
      const file = writeTargets('stopped.json', Array<ReferenceServer>(5).fill(server), [{}, others, others, others]);
      const running = startCli(['run', '--targets', file, '--output', folder.at('stopped')]);
      await held.changed;
      running.process.kill('SIGINT');
      await running.says(/^stopping/m);
      held.release();
      expect((await running.ended).code).toBe(130);
      expect([...server.store.users]).toEqual(before);
      const { targets } = matrixIn('stopped');
      expect(targets.map(({ verdict }) => verdict)).toEqual(Array<string>(5).fill('interrupted'));
      const stopped = Array<string>(4).fill('The run was interrupted.');
      expect(targets.map(({ words }) => words)).toEqual([...stopped, 'Not begun.']);
    });
  });
});

describe('serve', () => {
  it('starts a server that the suite judges with the printed lines, and says what it breaks', async () => {
    const running = startCli(['serve', '--defect', 'update-open-without-key']);
    await running.says(/^defect \S+ on http:/m);
    const lines = running.stdout().trimEnd().split('\n');
    const settings = lines.map((line) => /^export (CONFORMANCE_\w+)=(.*)$/.exec(line)?.slice(1) as [string, string]);
    const { code, stdout } = await cli(['run', '--only', 'update-name,auth*'], Object.fromEntries(settings));
    expect([code, stdout.includes('auth.key-required')]).toEqual([1, true]);
    running.process.kill('SIGTERM');
    expect((await succeeds(running.ended)).stderr.split('\n')[1]).toBe('breaks: auth.key-required');
  });

  it('says if the port is in use, and who can reach it', async () => {
    await withServer({}, async ({ url }) => {
      const { code, stderr } = await cli(['serve', '--port', new URL(url).port]);
      expect([code, stderr.includes('the port is in use')]).toEqual([2, true]);
    });
    const running = startCli(['serve', '--host', '0.0.0.0']);
    await running.says(/ on http:/);
    running.process.kill('SIGTERM');
    expect((await succeeds(running.ended)).stderr).toContain('whoever reaches this machine can use the keys');
  });
});

describe('explain', () => {
  it('knows each id that an output prints', async () => {
    const { result } = await succeeds(judged({}, '--reference'));
    const { checks, requirements: judgedOnes, observations } = result;
    const all = [checks, judgedOnes, observations].flat().map(({ id }) => id);
    const areas = new Set(checks.map(({ area }) => area));
    for (const id of [...all, ...areas, 'status.400-is-422']) {
      const { stdout } = await succeeds(cli(['explain', id]));
      expect(stdout).toMatch(new RegExp(`^${id.replaceAll('.', '\\.')} {2}a`));
    }
  });

  it('and list say where a requirement without a check of its own is judged', async () => {
    const { stdout } = await succeeds(cli(['explain', 'errors.body']));
    expect(stdout).toContain('It is judged\n  in every response\n');
    const listed = (await succeeds(cli(['list']))).stdout;
    expect(listed).toMatch(/^errors\.body {2}must\n(?: {2}\S.*\n)+ {4}judged in every response$/m);
    expect(listed).toMatch(/^update\.sent-fields-change {2}must\n(?: {2}\S.*\n)+ {4}judged with every update$/m);
  });
});
