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

let journals = 0;

/** Lets something be done with a run that has just changed a user; the response to that update is held back. */
async function inTheMiddle(args: readonly string[], use: (interrupted: Interrupted) => Promise<void>): Promise<void> {
  const { changed, release, around } = hold();
  await withServer({ around }, async (server) => {
    const before = structuredClone([...server.store.users]);
    const journal = folder.at(`journal-${(journals += 1)}.json`);
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

/** Lets something be done with a journal that names a server; every request is remembered. */
async function withJournal(
  use: (given: {
    readonly url: string;
    readonly path: string;
    readonly key: Readonly<Record<string, string>>;
    readonly requests: readonly string[];
  }) => Promise<void>,
  originals: object = { name: 'Ada', email: 'ada@example.com', rootRole: 1 },
): Promise<void> {
  const requests: string[] = [];
  const around: NonNullable<ReferenceServerOptions['around']> = (handle) => (request) => {
    requests.push(JSON.stringify(request.headers));
    return handle(request);
  };
  await withServer({ around }, async ({ url, seed }) => {
    const users = [{ subject: 'user', id: '1', originals }];
    const journal = { journalVersion: 1, baseUrl: url, startedAt: new Date(0).toISOString(), users };
    const path = folder.write('elsewhere.json', JSON.stringify(journal));
    const key = { CONFORMANCE_ADMIN_KEY: seed.keys.admin, CONFORMANCE_USER_ID: '1' };
    await use({ url, path, key, requests });
  });
}

it('a journal without the value of a member restores what it has, and says what it lacks', async () => {
  await withJournal(
    async ({ path, url, key }) => {
      const { code, stdout } = await cli(['restore', path, url], key);
      expect(stdout).toMatch(/^User 1, name: it was restored/);
      expect(stdout).toContain('User 1, email, rootRole: no value in the journal');
      expect(stdout).toContain('All that an update can restore is restored');
      expect([code, existsSync(path)]).toEqual([1, true]);
    },
    { name: 'Ada' },
  );
});

it('a member that an update cannot remove is named, and the journal is kept', async () => {
  const around: NonNullable<ReferenceServerOptions['around']> = (handle) => (request) => {
    const answer = handle(request);
    return answer.status === 200 ? { ...answer, body: { ...(answer.body as object), NAME: 'left' } } : answer;
  };
  await withServer({ around }, async ({ url, seed }) => {
    const users = [{ subject: 'user', id: '1', originals: { id: 1, name: 'Ada', username: 'grace' } }];
    const journal = { journalVersion: 1, baseUrl: url, startedAt: new Date(0).toISOString(), users };
    const path = folder.write('left.json', JSON.stringify(journal));
    const key = { CONFORMANCE_ADMIN_KEY: seed.keys.admin, CONFORMANCE_USER_ID: '1' };
    const { code, stdout } = await cli(['restore', path, url], key);
    expect(stdout).toContain('User 1, NAME: the user did not have it before the run');
    expect(stdout).toContain('See to the rest by hand, then delete the journal');
    expect([code, existsSync(path)]).toEqual([1, true]);
  });
});

it('a journal writes to no user that the operator did not name, unless it is confirmed', async () => {
  await withJournal(async ({ url, path, key, requests }) => {
    const refused = await cli(['restore', path, url], { ...key, CONFORMANCE_USER_ID: '2' });
    expectUsageError(refused, 'the journal says that user 1 is to be written, whom you did not name');
    expect(requests).toEqual([]);
    expect((await cli(['restore', path, url, '--yes'], { ...key, CONFORMANCE_USER_ID: '2' })).code).toBe(0);
  });
});

it('no text of a target that restore prints is a workflow command, or hides or turns what follows', async () => {
  const hostile = '\n::error::x\u009b8m\u202e\u001b[2J##[add-path]/tmp';
  const around: NonNullable<ReferenceServerOptions['around']> = (handle) => (request) => {
    const answer = handle(request);
    return answer.status === 200 ? { ...answer, body: { ...(answer.body as object), name: hostile } } : answer;
  };
  await withServer({ around }, async ({ url, seed }) => {
    const users = [{ subject: 'user', id: '1', originals: { name: 'Ada' } }];
    const path = folder.write(
      'hostile.json',
      JSON.stringify({ journalVersion: 1, baseUrl: url, startedAt: '', users }),
    );
    const environment = { CONFORMANCE_ADMIN_KEY: seed.keys.admin, CONFORMANCE_USER_ID: '1', GITHUB_ACTIONS: 'true' };
    const { code, stdout } = await cli(['restore', path, url], environment);
    expect(code).toBe(1);
    expect(stdout).toContain('User 1, name');
    expect(stdout).not.toMatch(/^\s*::|##\[|[^\n -~]/m);
  });
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

describe('a journal with another address than the operator expects', () => {
  it.each<[string, readonly string[], Record<string, string>]>([
    ['without an expected address', [], {}],
    ['with another variable', [], { CONFORMANCE_BASE_URL: 'http://127.0.0.1:1' }],
    ['with another argument', ['http://127.0.0.1:1'], {}],
  ])('gets no key without --yes (%s)', async (_how, args, environment) => {
    await withJournal(async ({ url, path, key, requests }) => {
      const given = { ...key, ...environment };
      const refused = await cli(['restore', path, ...args], given);
      expectUsageError(refused, `the journal says that the admin key is to be sent to ${url}`);
      expect(requests).toEqual([]);
      expect((await cli(['restore', path, ...args, '--yes'], given)).code).toBe(0);
      expect(requests.length).toBeGreaterThan(0);
    });
  });

  describe.skipIf(!hasTerminal)('on a terminal (skipped: there is no python3 to make one)', () => {
    it.each([
      ...['\u0003', '\u0004', '\r', 'n\r', 'yesterday\r'].map((answer) => [answer, false] as const),
      ...['y\r', 'Y\r', 'yes\r', ' yes \r'].map((answer) => [answer, true] as const),
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

    it('asks nothing where the operator names the address', async () => {
      await withJournal(async ({ url, path, key }) => {
        const { stdout } = await succeeds(onTerminal([], ['restore', path, url], key));
        expect(stdout).not.toContain('[y/N]');
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

it('serve takes its users, banners and keys from a file, and says what is wrong with it', async () => {
  const keys = { admin: 'a dmin', restricted: 'r' };
  const data = folder.write('data.json', JSON.stringify({ keys, users: [{ id: 7, name: 'Seven' }], banners: [] }));
  const running = startCli(['serve', '--data', data]);
  await running.line(/reference server on/);
  running.process.kill('SIGTERM');
  const { stdout } = await succeeds(running.ended);
  expect(stdout).toContain("CONFORMANCE_ADMIN_KEY='a dmin'");
  expect(stdout).toContain('CONFORMANCE_USER_ID=7');
  folder.write('data.json', JSON.stringify({ users: [{ id: '7' }] }));
  expectUsageError(await cli(['serve', '--data', data]), /users\/0\/id must be integer/);
});
