import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parsedJson } from '../../common/json.ts';
import { JournalFile, journalSchema, MOST_JOURNAL } from '../../conformance/users/journal.ts';
import { isUpdatable, READ_ONLY_MEMBERS } from '../../conformance/users/differences.ts';
import { restoreUsers, roleToSend } from '../../conformance/users/restore.ts';
import { MAX_BODY } from '../../conformance/http/lost.ts';
import type { TransportRequest, TransportResponse } from '../../conformance/http/transport.ts';
import { makeRecorder } from '../../conformance/http/record.ts';
import { WITHHELD } from '../../conformance/http/redact.ts';
import type { Result } from '../../conformance/facts/result.ts';
import { runTarget } from '../../conformance/run.ts';
import { restorationNotes } from '../../conformance/report/notes.ts';
import { headlineOf } from '../../conformance/report/words.ts';
import { temporaryFolder } from '../support/folder.ts';
import {
  anError,
  idIn,
  INPUTS,
  json,
  onAccepted,
  runOver,
  type Script,
  scripted,
  sentIn,
  sessionOver,
} from '../support/engine.ts';

const folder = temporaryFolder();
const journalPath = (): string => folder.fresh().at('journal.json');
const NAME = { only: ['update-name'] };
const nameIn = (request: TransportRequest): unknown => sentIn(request).name;
/** Whether a request should change nothing. */
const isNeutral = ({ body = '{}' }: TransportRequest): boolean =>
  ['{}', '{"conformanceProbe":true}'].includes(String(body));
const never = (): Promise<TransportResponse> => new Promise(() => undefined);

/** Responds in another way to the update that restores the name of the first user. */
const toOldName =
  (instead: Script): Script =>
  (request, respond, store) =>
    nameIn(request) === 'Grace Example' ? instead(request, respond, store) : respond();

describe('a run', () => {
  test.each<[what: string, journal: string, file: string, text: string]>([
    ['its folder does not exist', 'none/journal.json', 'another.json', ''],
    ['its journal would take the place of a file', 'journal.json', 'journal.json', 'of somebody'],
    ['the first draft of it would', 'journal.json', 'journal.json.new', ''],
  ])('ends with an error, and writes to no user and no file, where %s', async (_what, journal, file, text) => {
    const own = folder.fresh();
    own.write(file, text);
    const { transport, requests } = scripted();
    const running = runTarget(INPUTS, { ...NAME, transport, journal: own.at(journal) });
    await expect(running).rejects.toMatchObject({ syscall: 'open' });
    expect(requests.filter((each) => !isNeutral(each))).toEqual([]);
    expect(own.read(file)).toBe(text);
  });

  test('takes the place of an empty file, such as mktemp makes', async () => {
    const path = folder.fresh().write('journal.json', '');
    expect((await runOver(undefined, { ...NAME, journal: path })).result.verdict).toBe('passed');
    expect(existsSync(path)).toBe(false);
  });

  test('writes to no user whose old values are too large for a journal, and says so', async () => {
    // Each reading shows another member, as large as a body may be.
    let readings = 0;
    const { result, requests, before, after } = await runOver(
      ({ method }, respond) => {
        const member = READ_ONLY_MEMBERS[(readings += 1) % READ_ONLY_MEMBERS.length] ?? '';
        return method === 'PUT' ? json(200, { [member]: 'x'.repeat(MAX_BODY - 100) }) : respond();
      },
      { journal: journalPath() },
    );
    expect(result).toMatchObject({
      verdict: 'inconclusive',
      message: `The old values of the users take more than ${MOST_JOURNAL} MiB. Name users with shorter values.`,
    });
    expect(requests.filter((each) => !isNeutral(each))).toEqual([]);
    expect(after).toEqual(before);
  });

  test('ends at its deadline, and restores the users', async () => {
    let isOver = false;
    const hangs: Script = (request, respond) => {
      if (isOver || !String(request.body).includes('rootRole')) return respond();
      isOver = true;
      return never();
    };
    const { result, before, after } = await runOver(hangs, { deadline: 400 });
    expect(result.message).toMatch(/^The run reached its deadline/);
    expect(result.verdict).toBe('inconclusive');
    expect(after).toEqual(before);
  });

  test('that stops while an update of the other user is under way sends no more updates', async () => {
    let restore = (): void => undefined;
    const isRestoring = new Promise<void>((resolve) => (restore = resolve));
    let isAway = false;
    const script: Script = async (request, respond) => {
      const name = nameIn(request);
      if (name === 'Grace Example') restore();
      isAway ||= name === '0012.50';
      if (name === '0012.50' || (isAway && request.method === 'GET')) return anError(503, 'Away');
      const response = await respond();
      if (name === '4711') await isRestoring;
      return response;
    };
    const { result, requests } = await runOver(script, { only: ['name-like-number'], patience: 20 });
    expect(result.message).toMatch(/^The target was away/);
    const names = requests.map(nameIn).filter((each) => each !== undefined);
    expect(names.slice(names.indexOf('Grace Example'))).toEqual(['Grace Example', 'Edsger Example']);
  });

  test('ends ten seconds after its deadline where the target hangs while its users are restored', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const path = journalPath();
    const started = performance.now();
    let result: Result | undefined;
    void runOver(toOldName(never), { ...NAME, journal: path, deadline: 5_000, timeout: 60_000 }).then(
      (ended) => ({ result } = ended),
    );
    while (!result) await vi.advanceTimersByTimeAsync(100);
    expect(performance.now() - started).toBeLessThanOrEqual(15_100);
    expect(result).toMatchObject({ verdict: 'inconclusive', restoration: { outcome: 'partial', journal: path } });
    expect(existsSync(path)).toBe(true);
  });

  test('restores the users before it ends with an error of its own', async () => {
    const { transport, store } = scripted();
    const before = structuredClone(store.users);
    let stages = 0;
    const onEvent = ({ type }: { readonly type: string }): void => {
      if (type === 'stage' && (stages += 1) === 4) throw new Error('of the suite');
    };
    await expect(runTarget(INPUTS, { transport, journal: false, onEvent })).rejects.toThrow('of the suite');
    expect(store.users).toEqual(before);
  });

  test('is inconclusive where the target refuses an old value with 400', async () => {
    const path = journalPath();
    const refuses = toOldName(() => anError(400, 'ValidationError'));
    const { verdict, restoration, findings } = (await runOver(refuses, { ...NAME, journal: path })).result;
    expect({ verdict, findings }).toEqual({ verdict: 'inconclusive', findings: [] });
    expect(restoration.users[0]?.members[0]).toMatchObject({ member: 'name', outcome: 'refused' });
    expect(restoration.journal).toBe(path);
    expect(existsSync(path)).toBe(true);
  });

  test('restores the users of a target that never takes a role from the last one with it', async () => {
    const script: Script = (request, respond, { users }) => {
      const [{ rootRole }, id] = [sentIn(request), idIn(request)];
      const withIt = [...users.values()].filter((user) => user.rootRole === 2).map((user) => user.id);
      const isTakenAway = rootRole !== undefined && rootRole !== 2;
      return isTakenAway && withIt.length === 1 && withIt[0] === id ? anError(400, 'ValidationError') : respond();
    };
    const { result, before, after } = await runOver(script);
    expect(after).toEqual(before);
    expect(result.restoration.outcome).toBe('complete');
  });

  test('fails where the target ignores an old value', async () => {
    const ignores = toOldName((_request, _respond, { users }) => json(200, users.get(1)));
    const { findings } = (await runOver(ignores, { ...NAME, patience: 0 })).result;
    expect(findings).toMatchObject([{ kind: 'member', expected: '"Grace Example"' }]);
  });

  test('reads what nothing else shows from the response to an update of `name` alone', async () => {
    const script: Script = (request, respond) => (isNeutral(request) ? anError(400, 'ValidationError') : respond());
    const { result, before, after } = await runOver(script, NAME);
    expect(after[0]).toEqual({ ...before[0], name: expect.any(String) as string });
    const [user] = result.restoration.users;
    const detail = 'the target shows a user only in the response to an update, and the first one overwrote it';
    expect(user?.members).toContainEqual({ member: 'name', outcome: 'never-shown', detail });
  });
});

describe('a run restores the users', () => {
  test.each<[where: string, Script]>([
    [
      'responses become larger than the suite reads',
      onAccepted((user, _response, { body }) =>
        json(200, String(body).includes('Conformance') ? { ...user, extra: 'x'.repeat(MAX_BODY) } : user),
      ),
    ],
    [
      'responses are too large to read all of them',
      onAccepted((user) => json(200, { ...user, imageUrl: 'x'.repeat(MAX_BODY - 2_000) })),
    ],
  ])('where %s', async (_where, script) => {
    const { result, before, after } = await runOver(script);
    expect(result).toMatchObject({ verdict: 'inconclusive', restoration: { outcome: 'complete' } });
    expect(result.checks.filter(({ outcome }) => outcome === 'error')).toEqual([]);
    expect(after).toEqual(before);
  });

  test.each<[form: string, show: (role: unknown) => unknown, old: number]>([
    ['as one that no update sends', (role) => role, 3],
    ['by name', (role) => ({ name: ['none', 'Admin', 'Editor'][Number(role)] }), 1],
  ])('with their roles, which are shown %s, and in the response to an update as before', async (_form, show, old) => {
    const script: Script = async (request, respond, { users }) => {
      const before = users.get(idIn(request));
      const response = await respond();
      const isUpdate = response.status === 200 && request.method === 'PUT';
      return isUpdate ? json(200, { ...before, rootRole: show(before?.rootRole) }) : response;
    };
    const { before, after } = await runOver(script, {}, { rootRole: old });
    expect(after).toEqual(before);
  });
});

describe('a run tells of users that it changed', () => {
  test('where updates are stored, and no response shows them', async () => {
    const { result } = await runOver(onAccepted(() => ({ status: 204, headers: {}, bytes: Buffer.alloc(0) })));
    expect(result.restoration.outcome).toBe('partial');
    expect(headlineOf(result).words).toMatch(
      /Not restored: `name`.* of users 1 and 2, because the target never showed the old value/,
    );
  });

  test('and puts back what a response showed before it was sent, with what the target demands beside it', async () => {
    const { result, before, after } = await runOver(({ method, body }, respond) =>
      method === 'PUT' && !String(body).includes('"email"') ? anError(400, 'ValidationError') : respond(),
    );
    expect(headlineOf(result).words).toMatch(/Not restored: `email` of users 1 and 2/);
    expect(after.map(({ rootRole }) => rootRole)).toEqual(before.map(({ rootRole }) => rootRole));
  });

  test('and says which member it shows in another form than before', async () => {
    const lowers = onAccepted((user, response, request, { users }) => {
      if (!('email' in sentIn(request))) return response;
      const { email = '' } = user as { email?: string };
      return json(200, Object.assign(users.get(idIn(request)) ?? {}, { email: email.toLowerCase() }));
    });
    const { result } = await runOver(lowers, NAME, { email: 'Ada.L@example.com' });
    expect(restorationNotes(result.restoration).map(({ text }) => text)).toContain(
      'User 1: email restored (it was "Ada.L@example.com", and is "ada.l@example.com").',
    );
  });

  test('and says which members the run added', async () => {
    const added = new Map<string, object>();
    const takesAll = onAccepted((user, _response, request) => {
      const unknown = Object.entries(sentIn(request)).filter(([member]) => !isUpdatable(member));
      added.set(request.path, { ...added.get(request.path), ...Object.fromEntries(unknown) });
      return json(200, { ...user, ...added.get(request.path) });
    });
    const [user] = (await runOver(takesAll)).result.restoration.users;
    expect(user?.members).toContainEqual(
      expect.objectContaining({ member: 'conformanceProbe', outcome: 'never-shown' }),
    );
  });

  test('and does not call them restored where a later request changed them again', async () => {
    let kept: object = {};
    const script = onAccepted((_user, _response, request, { users }) => {
      const body = sentIn(request);
      if (Object.keys(body).length > 1) kept = body;
      return json(200, Object.assign(users.get(idIn(request)) ?? {}, kept));
    });
    const { result, before, after } = await runOver(script, { patience: 100 });
    expect(after).not.toEqual(before);
    expect(result.restoration.outcome).toBe('partial');
  });
});

test('the role that the operator declared is sent where nothing that was seen tells which one to send', () => {
  const { users } = sessionOver(scripted().transport);
  const role = (id: number) => ({ id, name: `Role ${id}` });
  users.shown.learn('1', {}, { rootRole: 1 });
  // A copy that is behind shows another one.
  users.shown.learn('1', { rootRole: role(9) }, {});
  expect([role(2), role(3)].map((shown) => roleToSend(users, shown))).toEqual([2, undefined]);
});

test('logins that the updates of the target count are left of a run', async () => {
  const counts = onAccepted((user, response, request, { users }) => {
    const stored = users.get(idIn(request));
    if (stored && !isNeutral(request)) stored.loginAttempts = (stored.loginAttempts ?? 0) + 1;
    return json(response.status, { ...user, loginAttempts: stored?.loginAttempts });
  });
  const { restoration } = (await runOver(counts, { only: ['update-*'] })).result;
  const left = restoration.users.map(({ members }) => members.filter(({ outcome }) => outcome === 'not-restored'));
  expect(left.map((members) => members.map(({ member }) => member))).toEqual([['loginAttempts'], ['loginAttempts']]);
});

test('what shows late is told so once restoring has seen it', async () => {
  const first = new Map<string, TransportResponse>();
  const latest = new Map<string, TransportResponse>();
  // The old values of two users, and the first look at them.
  let stillCached = 4;
  let isRestoring = false;
  const cached = onAccepted((_user, response, request) => {
    const { path } = request;
    isRestoring ||= nameIn(request) === 'Grace Example';
    if (isRestoring) return (stillCached -= 1) < 0 ? response : (latest.get(path) ?? response);
    latest.set(path, response);
    if (!first.has(path)) first.set(path, response);
    return first.get(path);
  });
  const { findings } = (await runOver(cached, NAME)).result;
  expect(findings).toMatchObject([{ title: expect.stringMatching(/`name` of user 1 shows late/) as string }]);
});

test('what one user shows again makes nothing late that another one never shows', async () => {
  let first: unknown;
  const keepsFirstName = onAccepted((_user, response, request, { users }) => {
    const name = nameIn(request);
    if (idIn(request) !== 1 || name === undefined) return response;
    first ??= name;
    return json(200, Object.assign(users.get(1) ?? {}, { name: first }));
  });
  const { findings } = (await runOver(keepsFirstName, { ...NAME, patience: 0 })).result;
  expect(findings[0]?.title).toMatch(/^`name` is not stored/);
});

test('restoring is tried again while the target is not available', async () => {
  let fails = 1;
  const { transport, store } = scripted((request, respond) =>
    nameIn(request) === 'Old' && (fails -= 1) >= 0 ? json(500, {}) : respond(),
  );
  const { users } = sessionOver(transport);
  users.originals.set('1', { id: 1, name: 'Old' });
  const restoration = await restoreUsers(users, performance.now() + 30_000);
  expect(restoration.users[0]?.members).toContainEqual({ member: 'name', outcome: 'restored' });
  expect(store.users.get(1)?.name).toBe('Old');
});

test('a journal holds no value with a key, and nothing that restoring does not need', () => {
  const path = journalPath();
  const { text } = makeRecorder(INPUTS);
  const user = { name: `is ${INPUTS.adminKey}`, email: 'a@example.com', rootRole: 1, extra: INPUTS.restrictedKey };
  new JournalFile(path, { baseUrl: 'http://a.test', startedAt: '' }, text).keep(new Map([['1', user]]));
  const { users } = journalSchema.parse(parsedJson(readFileSync(path, 'utf8')));
  expect(users).toEqual([{ id: '1', originals: { name: WITHHELD, email: 'a@example.com', rootRole: 1 } }]);
});
