import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ReferenceServer, ReferenceServerOptions } from '../../reference-server/server.ts';
import { WITHHELD } from '../../conformance/http/redact.ts';
import { cli, expectUsageError, inBash, type RunningCli, startCli, succeeds } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { hasFullDevice, isPosix } from '../support/platform.ts';
import { environmentFor, hold, withServer } from '../support/target.ts';

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
    await changed;
    expect(existsSync(journal)).toBe(true);
    await use({ server, running, journal, release, expectRestored }).finally(release);
  });
}

// Several come together from npx, or where a terminal is closed.
it.runIf(isPosix).each<NodeJS.Signals[][]>([[['SIGTERM']], [['SIGINT', 'SIGINT', 'SIGHUP', 'SIGHUP']]])(
  '%j in the middle of a run restores the users, says so, exits with 130, and leaves no journal',
  async (signals) => {
    await inTheMiddle(['--format', 'json'], async ({ running, release, expectRestored }) => {
      for (const signal of signals) running.process.kill(signal);
      await running.says(/^stopping/m);
      release();
      const { code, stdout } = await running.ended;
      expect(code).toBe(130);
      expect(JSON.parse(stdout)).toMatchObject({ verdict: 'interrupted', restoration: { outcome: 'complete' } });
      expectRestored();
    });
  },
);

describe.runIf(isPosix)('a stream that is lost in the middle of a run', () => {
  it('keeps no interruption from restoring the users', async () => {
    await inTheMiddle(['--trace'], async ({ running, release, expectRestored }) => {
      running.process.stdout?.destroy();
      running.process.stderr?.destroy();
      running.process.kill('SIGINT');
      release();
      expect((await running.ended).code).toBe(130);
      expectRestored();
    });
  });

  it('changes not the exit code', async () => {
    await withServer({}, async (server) => {
      const before = structuredClone([...server.store.users]);
      const line = 'set -o pipefail; "$@" run --only update* --trace 2>&1 | head -3';
      await succeeds(inBash(line, [], environmentFor(server)));
      expect([...server.store.users]).toEqual(before);
    });
  });

  it.runIf(hasFullDevice)('writes the reports all the same where the result cannot be written', async () => {
    const report = folder.at('full.json');
    const args = ['run', '--reference', '--only', 'banner*', '--report', `json=${report}`];
    const { code, stderr } = await inBash('"$@" >/dev/full', args);
    expect([code, existsSync(report)]).toEqual([2, true]);
    expect(stderr).toMatch(/cannot write the result: .*ENOSPC/);
  });
});

it('kill -9 leaves a journal without keys, readable only by its owner, from which restore restores the users', async () => {
  await inTheMiddle([], async ({ server, running, journal, release, expectRestored }) => {
    const environment = environmentFor(server);
    running.process.kill('SIGKILL');
    await running.ended;
    release();
    const text = readFileSync(journal, 'utf8');
    for (const key of Object.values(server.seed.keys)) expect(text).not.toContain(key);
    if (isPosix) expect(statSync(journal).mode & 0o077).toBe(0);

    expectUsageError(await cli(['restore', journal]), 'set CONFORMANCE_ADMIN_KEY');
    const again = await cli(['run', '--journal', journal], environment);
    expectUsageError(again, ` restore ${journal}; if not, name another file.`);
    expect(readFileSync(journal, 'utf8')).toBe(text);

    const refused = await cli(['restore', journal], { ...environment, CONFORMANCE_ADMIN_KEY: 'nobody-issued-this' });
    expect(refused.code).toBe(1);
    expect(refused.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'If the target refuses the key, set CONFORMANCE_ADMIN_KEY',
    );

    writeFileSync(`${journal}.new`, '{');
    const { stdout } = await succeeds(cli(['restore', journal], environment));
    expect(stdout).toContain('All users are restored');
    expect(existsSync(`${journal}.new`)).toBe(false);
    expectRestored();
  });
});

interface Journalled {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly requests: readonly unknown[];
}

/** Lets something be done with a journal that has a user of a server, which shows it under a name. */
async function withJournal(originals: object, name: string, use: (given: Journalled) => Promise<void>): Promise<void> {
  const around: NonNullable<ReferenceServerOptions['around']> = (handle) => (request) => {
    const response = handle(request);
    return response.status === 200 ? { ...response, body: { ...(response.body as object), name } } : response;
  };
  await withServer({ around }, async ({ url, seed }, requests) => {
    const journal = { journalVersion: 2, baseUrl: url, startedAt: '', users: [{ id: '1', originals }] };
    const path = folder.write('elsewhere.json', JSON.stringify(journal));
    const own = { CONFORMANCE_ADMIN_KEY: seed.keys.admin, CONFORMANCE_USER_ID: '1', GITHUB_ACTIONS: 'true' };
    await use({ path, environment: { ...own, CONFORMANCE_BASE_URL: url }, requests });
  });
}

it.each<[originals: object, shown: string, says: string]>([
  [
    { name: 'Ada' },
    'Ada',
    'User 1: email not restored (the target showed no value at first, and an update cannot remove one).',
  ],
  [
    { name: 'Ada', email: WITHHELD, username: WITHHELD },
    'Ada',
    'User 1: email not restored (it contained a key, which no journal keeps).',
  ],
  [{ name: 'Ada' }, '\n::error::x\u009b8m\u202e\u001b[2J##[add-path]/tmp', 'User 1: name'],
])(
  'a journal with too little is kept; what a target shows is no command, and hides nothing: %j, %j',
  async (originals, name, says) => {
    await withJournal(originals, name, async ({ path, environment }) => {
      const { code, stdout } = await cli(['restore', path], environment);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(says);
      expect(stdout).not.toMatch(/^\s*::|##\[|[^\n -~\u200b]/m);
      expect([code, existsSync(path)]).toEqual([1, true]);
    });
  },
);

it.each<[string, says: string, readonly string[], Record<string, string>]>([
  ['its address', 'it would send the admin key to http://', [], { CONFORMANCE_BASE_URL: '' }],
  ['another variable', 'it would send the admin key to http://', [], { CONFORMANCE_BASE_URL: 'http://127.0.0.1:1' }],
  ['another argument', 'it would send the admin key to http://', ['http://127.0.0.1:1'], {}],
  ['another user', 'change user 1, which you did not name', [], { CONFORMANCE_USER_ID: '2' }],
])(
  'a journal that says what the operator did not say gets no key without --yes (%s)',
  async (_how, says, args, own) => {
    await withJournal({ name: 'Ada', email: 'a@example.com' }, 'Ada', async ({ path, environment, requests }) => {
      const given = { ...environment, ...own };
      expectUsageError(await cli(['restore', path, ...args], given), says);
      expect(requests).toEqual([]);
      await succeeds(cli(['restore', path, ...args, '--yes'], given));
      expect(requests.length).toBeGreaterThan(0);
    });
  },
);

it('a journal of users that the operator did not name says what restoring would do, in one sentence', async () => {
  await withJournal({ name: 'Ada' }, 'Ada', async ({ path, environment }) => {
    const journal = JSON.parse(readFileSync(path, 'utf8')) as { baseUrl: string; users: readonly object[] };
    const [user] = journal.users;
    const users = ['2', '3'].map((id) => ({ ...user, id }));
    const other = folder.write('others.json', JSON.stringify({ ...journal, users }));
    const run = await cli(['restore', other], { ...environment, CONFORMANCE_BASE_URL: '' });
    expectUsageError(
      run,
      `it would send the admin key to ${journal.baseUrl} and change users 2 and 3, which you did not`,
    );
    expect(run.stderr).toContain(
      'or set CONFORMANCE_BASE_URL, CONFORMANCE_USER_ID and CONFORMANCE_OTHER_USER_ID as for the run.',
    );
  });
});
