import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { objectOf, parsedJson } from '../../common/json.ts';
import { journalSchema, JournalFile, MOST_JOURNAL } from '../../conformance/users/journal.ts';
import { isUpdatable, READ_ONLY_MEMBERS } from '../../conformance/users/differences.ts';
import { restoreUsers } from '../../conformance/users/restore.ts';
import { MAX_BODY } from '../../conformance/http/lost.ts';
import { makeRecorder } from '../../conformance/http/record.ts';
import { WITHHELD } from '../../conformance/http/redact.ts';
import type { Result } from '../../conformance/facts/result.ts';
import { type RunEvent, runTarget } from '../../conformance/run.ts';
import { restorationNotes } from '../../conformance/report/notes.ts';
import { headlineOf } from '../../conformance/report/words.ts';
import { temporaryFolder } from '../support/folder.ts';
import { anError, INPUTS, json, type Script, scripted, sessionOver } from '../support/engine.ts';

const folder = temporaryFolder();
const journalPath = (): string => folder.fresh().at('journal.json');
const NAME = { only: ['update-name'] };
const nameIn = (body: string | Buffer = ''): unknown =>
  (parsedJson(body.toString()) as { name?: unknown } | undefined)?.name;
/** Whether a body should change nothing. */
const isNeutral = (body: unknown): boolean => ['{}', '{"conformanceProbe":true}'].includes(String(body));

describe('a run', () => {
  test('keeps the old values in a journal before the first write', async () => {
    const path = journalPath();
    let seen: unknown;
    const script: Script = (request, respond) => {
      if (request.body !== '{}') seen ??= parsedJson(readFileSync(path, 'utf8'));
      return respond();
    };
    const { transport } = scripted(script);
    await runTarget(INPUTS, { ...NAME, transport, journal: path });
    expect(journalSchema.parse(seen).users).toMatchObject([
      { id: '1', originals: { name: 'Grace Example' } },
      { id: '2', originals: { username: 'edsger' } },
    ]);
  });

  test('that cannot write its journal ends with the error, and writes to no user', async () => {
    const { transport, requests } = scripted();
    const running = runTarget(INPUTS, { ...NAME, transport, journal: folder.at('none', 'journal.json') });
    await expect(running).rejects.toMatchObject({ syscall: 'open' });
    expect(requests.filter(({ body }) => body !== '{}')).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['the file of its journal', 'journal.json', 'of somebody'],
    ['the file in which its journal is written first', 'journal.json.new', ''],
  ])('takes the place of no other file, and writes to no user: %s', async (_what, name, text) => {
    const own = folder.fresh();
    const path = own.write(name, text);
    const { transport, requests } = scripted();
    const running = runTarget(INPUTS, { ...NAME, transport, journal: own.at('journal.json') });
    await expect(running).rejects.toMatchObject({ code: 'EEXIST', syscall: 'open' });
    expect(requests.filter(({ body }) => body !== '{}')).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('takes the place of an empty file, such as mktemp makes', async () => {
    const path = folder.fresh().write('journal.json', '');
    const { transport } = scripted();
    expect(await runTarget(INPUTS, { ...NAME, transport, journal: path })).toMatchObject({ verdict: 'passed' });
    expect(existsSync(path)).toBe(false);
  });

  test('writes to no user whose old values are too large for a journal, and says so', async () => {
    // Each reading shows another member, as large as a body may be.
    let readings = 0;
    const { transport, requests, store } = scripted((request, respond) => {
      const member = READ_ONLY_MEMBERS[(readings += 1) % READ_ONLY_MEMBERS.length] ?? '';
      return request.method === 'PUT' ? json(200, { [member]: 'x'.repeat(MAX_BODY - 100) }) : respond();
    });
    const before = structuredClone(store.users);
    const { verdict, message } = await runTarget(INPUTS, { transport, journal: journalPath() });
    expect(verdict).toBe('inconclusive');
    expect(message).toBe(
      `The old values of the users take more than ${MOST_JOURNAL} MiB. Name users with shorter values.`,
    );
    expect(requests.filter(({ body = '{}' }) => !isNeutral(body))).toEqual([]);
    expect(store.users).toEqual(before);
  });

  test('ends at its deadline, and restores the users', async () => {
    let isOver = false;
    const { transport, store } = scripted((request, respond) => {
      if (isOver || !String(request.body).includes('rootRole')) return respond();
      isOver = true;
      return new Promise(() => undefined);
    });
    const before = structuredClone(store.users);
    const result = await runTarget(INPUTS, { transport, journal: false, deadline: 400 });
    expect(result.message).toMatch(/^The run reached its deadline/);
    expect(result.verdict).toBe('inconclusive');
    expect(store.users).toEqual(before);
  });

  test('that stops while an update of the other user is under way sends no more updates', async () => {
    let restore = (): void => undefined;
    const isRestoring = new Promise<void>((resolve) => (restore = resolve));
    let isAway = false;
    const { transport, requests } = scripted(async (request, respond) => {
      const name = nameIn(request.body);
      if (name === 'Grace Example') restore();
      isAway ||= name === '0012.50';
      if (name === '0012.50' || (isAway && request.method === 'GET')) return anError(503, 'Away');
      const response = await respond();
      if (name === '4711') await isRestoring;
      return response;
    });
    const options = { only: ['name-like-number'], transport, journal: false, patience: 20 } as const;
    const result = await runTarget(INPUTS, options);
    expect(result.message).toMatch(/^The target was away/);
    const names = requests.map(({ body }) => nameIn(body)).filter((each) => each !== undefined);
    expect(names.slice(names.indexOf('Grace Example'))).toEqual(['Grace Example', 'Edsger Example']);
  });

  test('ends ten seconds after its deadline where the target hangs while its users are restored', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const path = journalPath();
    const { transport } = scripted((request, respond) =>
      nameIn(request.body) === 'Grace Example' ? new Promise(() => undefined) : respond(),
    );
    const started = performance.now();
    const running = runTarget(INPUTS, { ...NAME, transport, journal: path, deadline: 5_000, timeout: 60_000 });
    let result: Result | undefined;
    void running.then((ended) => (result = ended));
    while (!result) await vi.advanceTimersByTimeAsync(100);
    expect(performance.now() - started).toBeLessThanOrEqual(15_100);
    expect(result).toMatchObject({ verdict: 'inconclusive', restoration: { outcome: 'partial', journal: path } });
    expect(existsSync(path)).toBe(true);
  });

  test('restores the users, and says why it is inconclusive, where responses become larger than the suite reads', async () => {
    const { transport, store } = scripted(async (request, respond) => {
      const response = await respond();
      if (!String(request.body).includes('Conformance')) return response;
      const user = parsedJson(response.bytes.toString()) as object;
      return json(response.status, { ...user, extra: 'x'.repeat(MAX_BODY) });
    });
    const before = structuredClone(store.users);
    const result = await runTarget(INPUTS, { transport, journal: false });
    expect(result).toMatchObject({ verdict: 'inconclusive', restoration: { outcome: 'complete' } });
    expect(result.checks.filter(({ outcome }) => outcome === 'error')).toEqual([]);
    expect(store.users).toEqual(before);
  });

  test('restores the users before it ends with an error of its own', async () => {
    const { transport, store } = scripted();
    const before = structuredClone(store.users);
    let stages = 0;
    const onEvent = (event: RunEvent): void => {
      if (event.type === 'stage' && (stages += 1) === 4) throw new Error('of the suite');
    };
    await expect(runTarget(INPUTS, { transport, journal: false, onEvent })).rejects.toThrow('of the suite');
    expect(store.users).toEqual(before);
  });

  test('is inconclusive where the target refuses an old value with 400', async () => {
    const path = journalPath();
    const { transport } = scripted((request, respond) =>
      nameIn(request.body) === 'Grace Example' ? anError(400, 'ValidationError') : respond(),
    );
    const { verdict, restoration, findings } = await runTarget(INPUTS, { ...NAME, transport, journal: path });
    expect({ verdict, findings }).toEqual({ verdict: 'inconclusive', findings: [] });
    expect(restoration.users[0]?.members[0]).toMatchObject({ member: 'name', outcome: 'refused' });
    expect(restoration.journal).toBe(path);
    expect(existsSync(path)).toBe(true);
  });

  test('fails where the target ignores an old value', async () => {
    const { transport, store } = scripted((request, respond) =>
      nameIn(request.body) === 'Grace Example' ? json(200, store.users.get(1)) : respond(),
    );
    const { findings } = await runTarget(INPUTS, { ...NAME, transport, journal: false });
    expect(findings).toMatchObject([{ kind: 'member', expected: '"Grace Example"' }]);
  });

  test('reads what nothing else shows from the response to an update of `name` alone', async () => {
    const { transport, store } = scripted((request, respond) =>
      isNeutral(request.body) ? anError(400, 'ValidationError') : respond(),
    );
    const before = structuredClone(store.users.get(1));
    const { restoration } = await runTarget(INPUTS, { ...NAME, transport, journal: false });
    expect(store.users.get(1)).toMatchObject({ email: before?.email, rootRole: before?.rootRole });
    const outcomes = restoration.users[0]?.members.map(({ member, outcome }) => [member, outcome]);
    expect(outcomes).toContainEqual(['name', 'never-shown']);
  });
});

const usersOf = (store: { readonly users: ReadonlyMap<number, object> }): object[] =>
  structuredClone([...store.users.values()]);

describe('a run tells of users that it changed', () => {
  test('and restores those whose responses are too large to read all of them', async () => {
    const { transport, store } = scripted(async (request, respond) => {
      const response = await respond();
      const user = parsedJson(response.bytes.toString()) as object;
      const isUser = response.status === 200 && request.method === 'PUT';
      return isUser ? json(200, { ...user, imageUrl: 'x'.repeat(MAX_BODY - 2_000) }) : response;
    });
    const before = structuredClone(store.users);
    const { verdict, restoration } = await runTarget(INPUTS, { transport, journal: false });
    expect({ verdict, restored: restoration.outcome }).toEqual({ verdict: 'inconclusive', restored: 'complete' });
    expect(store.users).toEqual(before);
  });

  test('where updates are stored, and no response shows them', async () => {
    const { transport } = scripted(async (request, respond) =>
      (await respond()).status === 200 ? { status: 204, headers: {}, bytes: Buffer.alloc(0) } : respond(),
    );
    const result = await runTarget(INPUTS, { transport, journal: false });
    const { restoration } = result;
    expect(restoration.outcome).toBe('partial');
    expect(headlineOf(result).words).toMatch(
      /Not restored: `name`.* of users 1 and 2, because the target never showed the old value/,
    );
  });

  test('and puts back what a response showed before it was sent, with what the target demands beside it', async () => {
    const { transport, store } = scripted((request, respond) =>
      request.method === 'PUT' && !String(request.body).includes('"email"')
        ? anError(400, 'ValidationError')
        : respond(),
    );
    const before = usersOf(store);
    const result = await runTarget(INPUTS, { transport, journal: false });
    expect(headlineOf(result).words).toMatch(/Not restored: `email` of users 1 and 2/);
    expect([...store.users.values()].map(({ rootRole }) => ({ rootRole }))).toEqual(
      before.map((user) => ({ rootRole: (user as { rootRole: unknown }).rootRole })),
    );
  });

  test('where every update gets 201, which shows them', async () => {
    const { transport, store } = scripted(async (request, respond) => {
      const response = await respond();
      return request.method === 'PUT' && response.status === 200 ? { ...response, status: 201 } : response;
    });
    const before = structuredClone(store.users);
    const { verdict, restoration } = await runTarget(INPUTS, { transport, journal: false });
    expect({ verdict, outcome: restoration.outcome }).toEqual({ verdict: 'failed', outcome: 'complete' });
    expect(store.users).toEqual(before);
  });

  test.each<[string, (role: unknown) => unknown]>([
    ['as texts', String],
    ['by name', (role) => ({ name: ['none', 'Admin', 'Editor'][Number(role)] })],
  ])('with their roles, which are shown %s, and in the response to an update as before', async (_form, show) => {
    const { transport, store } = scripted(async (request, respond, { users }) => {
      const id = Number(request.path.split('/').at(-1));
      const old = users.get(id);
      const response = await respond();
      return response.status === 200 && request.method === 'PUT'
        ? json(200, { ...old, rootRole: show(old?.rootRole) })
        : response;
    });
    const before = usersOf(store);
    await runTarget(INPUTS, { transport, journal: false });
    expect(usersOf(store)).toEqual(before);
  });

  test('and says which member it shows in another form than before', async () => {
    const { transport, store } = scripted(async (request, respond, { users }) => {
      const response = await respond();
      const user = users.get(Number(request.path.split('/').at(-1)));
      if (!user || response.status !== 200 || !Object.hasOwn(objectOf(parsedJson(String(request.body))), 'email'))
        return response;
      users.set(user.id, { ...user, email: String(user.email).toLowerCase() });
      return json(200, users.get(user.id));
    });
    const [user] = store.users.values();
    if (user) store.users.set(user.id, { ...user, email: 'Ada.L@example.com' });
    const result = await runTarget(INPUTS, { ...NAME, transport, journal: false });
    expect(restorationNotes(result.restoration).map(({ text }) => text)).toContain(
      'User 1: email restored (it was "Ada.L@example.com", and is "ada.l@example.com").',
    );
  });

  test('and says which members the run added', async () => {
    const added = new Map<string, object>();
    const { transport } = scripted(async (request, respond) => {
      const response = await respond();
      if (request.method !== 'PUT' || response.status !== 200) return response;
      const unknown = Object.entries(objectOf(parsedJson(String(request.body)))).filter(
        ([member]) => !isUpdatable(member),
      );
      added.set(request.path, { ...added.get(request.path), ...Object.fromEntries(unknown) });
      return json(200, { ...objectOf(parsedJson(response.bytes.toString())), ...added.get(request.path) });
    });
    const { restoration } = await runTarget(INPUTS, { transport, journal: false });
    expect(restoration.users[0]?.members).toContainEqual(
      expect.objectContaining({ member: 'conformanceProbe', outcome: 'never-shown' }),
    );
  });

  test('with their roles, although responses show the role before', async () => {
    const { transport, store } = scripted(async (request, respond, { users }) => {
      const old = users.get(Number(request.path.split('/').at(-1)));
      const response = await respond();
      return response.status === 200 && request.method === 'PUT' ? json(200, old) : response;
    });
    const [user] = store.users.values();
    if (user) store.users.set(user.id, { ...user, rootRole: 3 });
    const before = usersOf(store);
    await runTarget(INPUTS, { transport, journal: false });
    expect(usersOf(store)).toEqual(before);
  });

  test('and does not call them restored where a later request changed them again', async () => {
    let kept: object = {};
    const { transport, store } = scripted(async (request, respond, { users }) => {
      const response = await respond();
      if (response.status !== 200 || request.method !== 'PUT') return response;
      const body = parsedJson(String(request.body)) as object;
      kept = Object.keys(body).length > 1 ? body : kept;
      const id = Number(request.path.split('/').at(-1));
      const user = users.get(id);
      if (user) users.set(id, { ...user, ...kept });
      return json(200, users.get(id));
    });
    const before = usersOf(store);
    const { restoration } = await runTarget(INPUTS, { transport, journal: false, patience: 100 });
    expect(usersOf(store)).not.toEqual(before);
    expect(restoration.outcome).toBe('partial');
  });
});

test('what shows late is told so once restoring has seen it', async () => {
  const first = new Map<string, Awaited<ReturnType<Script>>>();
  const latest = new Map<string, Awaited<ReturnType<Script>>>();
  // The old values of two users, and the first look at them.
  let stillCached = 4;
  let isRestoring = false;
  const { transport } = scripted(async (request, respond) => {
    const response = await respond();
    if (request.method !== 'PUT' || response.status !== 200) return response;
    isRestoring ||= nameIn(request.body) === 'Grace Example';
    if (isRestoring) return (stillCached -= 1) < 0 ? response : (latest.get(request.path) ?? response);
    latest.set(request.path, response);
    if (!first.has(request.path)) first.set(request.path, response);
    return first.get(request.path) ?? response;
  });
  const { findings } = await runTarget(INPUTS, { ...NAME, transport, journal: false });
  expect(findings.map(({ title }) => title)).toEqual([expect.stringMatching(/`name` of user 1 shows late/)]);
});

test('restoring is tried again while the target is not available', async () => {
  let fails = 1;
  const { transport, store } = scripted((request, respond) =>
    nameIn(request.body) === 'Old' && (fails -= 1) >= 0 ? json(500, {}) : respond(),
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
