import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ReferenceServer, ReferenceServerOptions } from '../../reference-server/server.ts';
import {
  type RunningCli,
  cli,
  expectUsageError,
  hasTerminal,
  inBash,
  onTerminal,
  startCli,
  succeeds,
} from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { hold } from '../support/held.ts';
import { environmentFor, withServer } from '../support/target.ts';

const folder = temporaryFolder();

interface Interrupted {
  readonly server: ReferenceServer;
  readonly running: RunningCli;
  readonly journal: string;
  /** Lets the responses that are held back go. */
  readonly release: () => void;
  /** Expects that the users are as before, and that no journal is left. */
  readonly expectRestored: () => void;
}

/** Lets something be done with a run that has just changed a user; the response to that update is held back. */
async function inTheMiddle(args: readonly string[], use: (interrupted: Interrupted) => Promise<void>): Promise<void> {
  const { changed, release, around } = hold();
  await withServer({ around }, async (server) => {
    const before = structuredClone([...server.store.users]);
    const journal = folder.fresh().at('journal.json');
    const running = startCli(['run', ...args, '--journal', journal], environmentFor(server));
    const expectRestored = (): void => {
      expect([...server.store.users]).toEqual(before);
      expect(existsSync(journal)).toBe(false);
    };
    try {
      await changed;
      expect(existsSync(journal)).toBe(true);
      expect([...server.store.users]).not.toEqual(before);
      await use({ server, running, journal, release, expectRestored });
    } finally {
      release();
    }
  });
}

// Several come together from npx, or where a terminal is closed.
it.each<NodeJS.Signals[][]>([[['SIGINT']], [['SIGTERM']], [['SIGHUP']], [['SIGINT', 'SIGINT', 'SIGHUP', 'SIGHUP']]])(
  '%j in the middle of a run restores the users, says so, exits with 130, and leaves no journal',
  async (signals) => {
    await inTheMiddle(['--format', 'json'], async ({ running, release, expectRestored }) => {
      for (const signal of signals) running.process.kill(signal);
      await running.line(/^stopping/);
      release();
      const { code, stdout } = await running.ended;
      expect(code).toBe(130);
      expect(JSON.parse(stdout)).toMatchObject({ verdict: 'interrupted', restoration: { outcome: 'complete' } });
      expectRestored();
    });
  },
);

describe('a stream that is lost in the middle of a run', () => {
  it.each(['stdout', 'stderr'] as const)('(%s) keeps no interruption from restoring the users', async (name) => {
    await inTheMiddle(['--verbose'], async ({ running, release, expectRestored }) => {
      running.process[name]?.destroy();
      running.process.kill('SIGINT');
      release();
      expect((await running.ended).code).toBe(130);
      expectRestored();
    });
  });

  it.each(['2>&1 | head -3', '| true', '2>&1 >/dev/null | true'])(
    'changes neither the verdict nor the exit code (%s)',
    async (redirection) => {
      await withServer({}, async (server) => {
        const before = structuredClone([...server.store.users]);
        await succeeds(inBash(`set -o pipefail; "$@" run --verbose ${redirection}`, [], environmentFor(server)));
        expect([...server.store.users]).toEqual(before);
      });
    },
  );

  it('writes the reports all the same where the result cannot be written', async () => {
    await withServer({}, async (server) => {
      const report = folder.at('full.json');
      const line = '"$@" >/dev/full';
      const { code, stderr } = await inBash(line, ['run', '--report', `json=${report}`], environmentFor(server));
      expect([code, existsSync(report)]).toEqual([2, true]);
      expect(stderr).toMatch(/cannot write the result: .*ENOSPC/);
    });
  });
});

describe('kill -9 in the middle of a run', () => {
  it('leaves a journal without keys, readable only by its owner, from which restore restores the users', async () => {
    await inTheMiddle([], async ({ server, running, journal, release, expectRestored }) => {
      const environment = environmentFor(server);
      running.process.kill('SIGKILL');
      await running.ended;
      release();

      const text = readFileSync(journal, 'utf8');
      expect(text).not.toContain(server.seed.keys.admin);
      expect(text).not.toContain(server.seed.keys.restricted);
      expect(statSync(journal).mode & 0o077).toBe(0);

      const withoutKey = await cli(['restore', journal]);
      expect(withoutKey).toMatchObject({ code: 2, stdout: '' });
      expect(withoutKey.stderr).toMatch(/set CONFORMANCE_ADMIN_KEY/);
      expect(existsSync(journal)).toBe(true);

      const again = await cli(['run', '--journal', journal], environment);
      expect(again).toMatchObject({ code: 2, stdout: '' });
      expect(again.stderr).toContain(`restore its users: admin-api-conformance restore ${journal}`);
      expect(readFileSync(journal, 'utf8')).toBe(text);

      const refused = await cli(['restore', journal], { ...environment, CONFORMANCE_ADMIN_KEY: 'nobody-issued-this' });
      expect(refused.code).toBe(1);
      expect(refused.stdout).toMatch(/The target refuses the\s+key/);

      const draft = `${journal}.new`;
      writeFileSync(draft, '{');
      const { stdout } = await succeeds(cli(['restore', journal], environment));
      expect(stdout).toContain('All users are restored');
      expect(existsSync(draft)).toBe(false);
      expectRestored();
    });
  });

  it('keeps the journal where the target can no longer be reached', async () => {
    let journal = '';
    await inTheMiddle([], async ({ running, journal: left }) => {
      journal = left;
      running.process.kill('SIGKILL');
      await running.ended;
    });
    const { code, stdout, stderr } = await cli(['restore', journal, '--yes', '--insecure'], {
      CONFORMANCE_ADMIN_KEY: 'reference-admin-Key-1',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('--insecure: no certificate is verified');
    expect(stdout).toContain('could not be restored');
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /Nothing listens at http:\S+: start the target, and run this again\./,
    );
    expect(existsSync(journal)).toBe(true);
  });
});

interface Journalled {
  readonly url: string;
  readonly path: string;
  readonly key: Readonly<Record<string, string>>;
  readonly requests: readonly unknown[];
}

/** Lets something be done with a journal that names a server; every request is remembered, and shows other members of the user. */
async function withJournal(
  use: (given: Journalled) => Promise<void>,
  originals: object = { name: 'Ada', email: 'ada@example.com', rootRole: 1 },
  shown: object = {},
): Promise<void> {
  const around: NonNullable<ReferenceServerOptions['around']> = (handle) => (request) => {
    const response = handle(request);
    return response.status === 200 ? { ...response, body: { ...(response.body as object), ...shown } } : response;
  };
  await withServer({ around }, async ({ url, seed }, requests) => {
    const users = [{ subject: 'user', id: '1', originals }];
    const journal = { journalVersion: 1, baseUrl: url, startedAt: new Date(0).toISOString(), users };
    const path = folder.write('elsewhere.json', JSON.stringify(journal));
    const key = { CONFORMANCE_ADMIN_KEY: seed.keys.admin, CONFORMANCE_USER_ID: '1', GITHUB_ACTIONS: 'true' };
    await use({ url, path, key, requests });
  });
}

const HOSTILE = '\n::error::x\u009b8m\u202e\u001b[2J##[add-path]/tmp';

it.each<[what: string, originals: object, shown: object, says: readonly string[]]>([
  [
    'without the value of a member restores what it has, and says what it lacks',
    { name: 'Ada' },
    {},
    ['User 1, name: it was restored', 'User 1, email, rootRole: no value in the journal', 'All that an update can'],
  ],
  [
    'names a member that an update cannot remove',
    { id: 1, name: 'Ada', username: 'grace' },
    { NAME: 'left' },
    ['User 1, NAME: the user did not have it before the run', 'by hand, then delete the journal'],
  ],
  ['prints no command, and nothing that hides what follows', { name: 'Ada' }, { name: HOSTILE }, ['User 1, name']],
])('a journal %s, and is kept', async (_what, originals, shown, says) => {
  await withJournal(
    async ({ path, url, key }) => {
      const { code, stdout } = await cli(['restore', path, url], key);
      for (const text of says) expect(stdout).toContain(text);
      expect(stdout).not.toMatch(/^\s*::|##\[|[^\n -~]/m);
      expect([code, existsSync(path)]).toEqual([1, true]);
    },
    originals,
    shown,
  );
});

it('restore leaves the users alone while a run goes on with them', async () => {
  await inTheMiddle([], async ({ server, journal, release, running }) => {
    const refused = await cli(['restore', journal], environmentFor(server));
    expectUsageError(refused, /restore: Another run is changing user 1 of .*; wait for its end\./);
    expect(existsSync(journal)).toBe(true);
    release();
    expect((await running.ended).code).toBe(0);
  });
});

describe('a journal that says what the operator did not say', () => {
  it.each<[string, says: string, readonly string[], Record<string, string>]>([
    ['its address', 'the admin key is to be sent to http://', [], {}],
    ['another variable', 'the admin key is to be sent to http://', [], { CONFORMANCE_BASE_URL: 'http://127.0.0.1:1' }],
    ['another argument', 'the admin key is to be sent to http://', ['http://127.0.0.1:1'], {}],
    ['another user', 'and that user 1 is to be written, which you did not name', [], { CONFORMANCE_USER_ID: '2' }],
  ])('gets no key without --yes (%s)', async (_how, says, args, environment) => {
    await withJournal(async ({ path, key, requests }) => {
      const given = { ...key, ...environment };
      expectUsageError(await cli(['restore', path, ...args], given), says);
      expect(requests).toEqual([]);
      expect((await cli(['restore', path, ...args, '--yes'], given)).code).toBe(0);
      expect(requests.length).toBeGreaterThan(0);
    });
  });

  describe.skipIf(!hasTerminal)('on a terminal (skipped: there is no python3 to make one)', () => {
    it.each([
      ...['\u0004', '\r', 'yesterday\r'].map((answer) => [answer, false] as const),
      ...['Y\r', ' yes \r'].map((answer) => [answer, true] as const),
    ])('gets the key after %j: %s', async (answer, isSent) => {
      await withJournal(async ({ url, path, key, requests }) => {
        const { code, stdout } = await onTerminal([answer], ['restore', path], key);
        expect(stdout).toContain(`The journal says that the admin key is to be sent to ${url}. Send it? [y/N] `);
        expect(stdout).toContain(isSent ? 'All users are restored' : 'restore: nothing was sent.');
        expect(stdout).not.toContain('Warning');
        const [sent, isLeft] = [requests.length > 0, existsSync(path)];
        expect([code, sent, isLeft]).toEqual(isSent ? [0, true, false] : [2, false, true]);
      });
    });
  });
});

it('two runs on the same users are kept apart: the second sends nothing and exits with 2', async () => {
  await inTheMiddle([], async ({ server, running: first, journal, release }) => {
    const environment = environmentFor(server);
    const second = await cli(['run', '--journal', folder.at('second.json')], environment);
    expectUsageError(second, /Another run is changing user 1 of .* \(process \d+\)/);
    expect(existsSync(folder.at('second.json'))).toBe(false);
    first.process.kill('SIGKILL');
    await first.ended;
    release();
    const third = await cli(['run'], environment);
    expect(third).toMatchObject({ code: 2, stdout: '' });
    expect(third.stderr).toContain(`restore the user (admin-api-conformance restore ${journal})`);
    expect((await cli(['restore', journal], environment)).code).toBe(0);
    expect((await cli(['run', '--quiet'], environment)).code).toBe(0);
  });
});
