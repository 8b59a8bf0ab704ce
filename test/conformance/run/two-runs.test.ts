import { expect, it } from 'vitest';
import { run, RunRefused, type RunOptions } from '../../../conformance/index.ts';
import type { User } from '../../../contract/document.ts';
import type { RunningBehaviour } from '../../../proof/servers/behaviour.ts';
import type { ServiceOptions } from '../../../reference-server/service.ts';
import { plain } from '../../../conformance/report/terminal/paint.ts';
import { REPORTS } from '../../../conformance/report/formats.ts';
import { resultDocument } from '../../../conformance/report/documents/result.ts';
import { terminalText } from '../../../conformance/report/terminal/terminal.ts';
import { quietReport } from '../../../conformance/report/terminal/quiet.ts';
import { judgeTarget } from '../../../conformance/run/run.ts';
import { inVirtualTime } from '../../../proof/disturbed/virtual-time.ts';
import { inputsFor } from '../../../proof/servers/behaviour.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { targetOf, withTarget } from '../../support/target.ts';

const folder = temporaryFolder();

const OTHER = { name: 'Conformance 0a1b2c3d 7', email: 'conformance-0a1b2c3d-8@example.com' };

function usersOf({ store }: RunningBehaviour): unknown {
  return structuredClone([...store.users]);
}

const judge = (server: RunningBehaviour, options: RunOptions = {}) =>
  run({ ...targetOf(server), bannerIds: [1, 2, 3] }, { ...server.reach, ...options });

function change(server: RunningBehaviour, id: number, own: Partial<User>): void {
  const user = server.store.users.get(id);
  if (user) server.store.users.set(id, { ...user, ...own });
}

it.each(['name', 'email'] as const)(
  'a user that shows a value of another run is left alone, and the run does not begin (%s)',
  async (member) => {
    await withTarget({}, async (server) => {
      change(server, 2, { [member]: OTHER[member] });
      const before = usersOf(server);
      const refused = judge(server);
      await expect(refused).rejects.toThrow(RunRefused);
      await expect(refused).rejects.toThrow(/^User 2 has values of run 0a1b2c3d: .*restore JOURNAL.*--take-over/);
      expect(usersOf(server)).toEqual(before);
      const { verdict, restoration } = await judge(server, { takeOver: true });
      expect([verdict, restoration.outcome]).toEqual(['passed', 'complete']);
      expect(usersOf(server)).toEqual(before);
    });
  },
);

/** Another machine changes the name of the user again and again. */
const disturbed: NonNullable<ServiceOptions['around']> = (handle, { users }) => {
  let count = 0;
  return (request) => {
    const user = users.get(1);
    count += 1;
    if (user && count > 20 && count < 200 && count % 7 === 0)
      users.set(1, { ...user, name: `Conformance 0a1b2c3d ${count}` });
    return handle(request);
  };
};

it('another run that begins on another machine makes the run inconclusive, never failed, with that reason', async () => {
  const result = await withTarget({ around: disturbed }, (server) => judge(server));
  expect(result.verdict).toBe('inconclusive');
  expect(result.findings).toEqual([]);
  const reasons = result.checks.filter(({ reason }) => reason === 'disturbed');
  expect(reasons.length).toBeGreaterThan(0);
  expect(reasons[0]?.detail).toBe('run 0a1b2c3d changed the user at the same time');
  expect(result.hints?.[0]).toMatchObject({ id: 'another-run' });
});

it('another client that changes a user again and again makes the run inconclusive, never failed, with that reason', async () => {
  const changing: NonNullable<ServiceOptions['around']> = (handle, { users }) => {
    let count = 0;
    return (request) => {
      const user = users.get(1);
      count += 1;
      if (user && count > 20 && count % 7 === 0) users.set(1, { ...user, name: `Else 0.${count}0` });
      return handle(request);
    };
  };
  const result = await withTarget({ around: changing }, (server) => judge(server));
  expect([result.verdict, result.findings]).toEqual(['inconclusive', []]);
  expect(result.hints?.[0]?.text).toMatch(/values that this run did not send, such as "Else 0\.\d+"/);
});

it.each([
  [120, 1],
  [150, 2],
  [180, 1],
])('one change of another client beside what must be refused fails no run (request %i, user %i)', async (at, id) => {
  let count = 0;
  const changing: NonNullable<ServiceOptions['around']> = (handle, { users }) => {
    return (request) => {
      const user = users.get(id);
      count += 1;
      if (user && count === at) users.set(id, { ...user, name: 'Somebody Else' });
      return handle(request);
    };
  };
  const result = await withTarget({ around: changing }, (server) => judge(server));
  expect([result.verdict, result.findings]).toEqual(['inconclusive', []]);
  expect(result.hints?.[0]?.text).toContain('a value that this run did not send, such as "Somebody Else"');
});

it.each([30, 200])(
  'a run that takes the users over from a live one, after %i requests: both are inconclusive, and the users restored',
  async (number) => {
    let requests = 0;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const around: NonNullable<ServiceOptions['around']> = (handle) => async (request) => {
      requests += 1;
      if (requests === number) begin();
      await new Promise((done) => setTimeout(done, 1));
      return handle(request);
    };
    await withTarget({ around }, async (server) => {
      const before = usersOf(server);
      const journals = [folder.at(`first-${number}.json`), folder.at(`second-${number}.json`)] as const;
      const first = judge(server, { journal: journals[0] });
      await begun;
      const second = judge(server, { journal: journals[1], takeOver: true });
      for (const result of [await first, await second]) {
        expect(result.verdict).toBe('inconclusive');
        expect(result.findings).toEqual([]);
        const hint = result.hints?.find(({ id }) => id === 'another-run');
        expect(hint?.text).toMatch(/taken over|took/);
      }
      // Each puts back what the users had before both; what the one that ended first could not keep is in its journal.
      expect(usersOf(server)).toEqual(before);
    });
  },
);

it('a run that takes the users over from one that has not written yet restores what they had before both', async () => {
  await withTarget({}, async ({ url, store, reach: { transport } }) => {
    const before = structuredClone([...store.users]);
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const judgeWaiting = (journal: string, before: (requests: number) => unknown, takeOver = false) => {
      let requests = 0;
      const reach: RunOptions['transport'] = async (request) => {
        await before((requests += 1));
        return transport ? transport(request) : Promise.reject(new Error('There is no target.'));
      };
      return judgeTarget(inputsFor(url), { journal: folder.at(journal), transport: reach, takeOver });
    };
    const one = judgeWaiting('one.json', (requests) => {
      if (requests === 30) begin();
    });
    // It reads the users while the first one has changed them, and goes on when that has ended.
    const other = judgeWaiting('other.json', (requests) => (requests > 10 ? one : begun), true);
    for (const { verdict, findings } of await Promise.all([one, other])) {
      expect(verdict).toBe('inconclusive');
      expect(findings).toEqual([]);
    }
    expect([...store.users]).toEqual(before);
  });
});

it('a target that is gone when the users are to be restored makes the run inconclusive, and the report begins with what is left and how to restore it', async () => {
  let isGone = false;
  const around: NonNullable<ServiceOptions['around']> = (handle) => (request) =>
    isGone ? { status: 503, headers: {}, body: '' } : handle(request);
  const journal = folder.at('journal.json');
  const onEvent: RunOptions['onEvent'] = (event) => {
    if (event.type === 'stage' && event.operation === 'restore') isGone = true;
  };
  const result = await inVirtualTime(() => withTarget({ around }, (server) => judge(server, { journal, onEvent })));
  expect(result.verdict).toBe('inconclusive');
  const [, ...lines] = quietReport(result).split('\n');
  expect(lines[0]).toMatch(
    /^hint {2}Not restored: name, email, rootRole.* of user 1; name, email, rootRole.* of user 2/,
  );
  expect(lines[0]).toContain(`. To try again: admin-api-conformance restore ${journal}`);
  const text = terminalText(resultDocument(result), { paint: plain, width: 80, verbose: false });
  expect(text).toContain('Nothing failed, but the users could not be restored');
  for (const format of ['html', 'markdown'] as const) {
    const report = await REPORTS[format](result);
    const [left, rest] = ['Not restored', 'Observations'].map((words) => report.indexOf(words));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(rest ?? 0);
  }
});

it('a passed run that could not restore a member says so in its first lines', async () => {
  const result = await withTarget({}, (server) => {
    change(server, 1, { name: null });
    return judge(server, { journal: folder.at('null.json') });
  });
  expect(result.verdict).toBe('passed');
  const [first, second] = quietReport(result).split('\n');
  expect(first).toContain('passed');
  expect(second).toMatch(/^hint {2}Not restored: name of user 1\. To try again/);
});
