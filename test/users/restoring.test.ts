import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parsedJson } from '../../common/json.ts';
import type { TransportRequest, TransportResponse } from '../../conformance/http/transport.ts';
import { headlineOf } from '../../conformance/report/words.ts';
import { runTarget } from '../../conformance/run.ts';
import { restoreUsers } from '../../conformance/users/restore.ts';
import { temporaryFolder } from '../support/folder.ts';
import { INPUTS, json, type Script, scripted, sessionOver } from '../support/engine.ts';

const folder = temporaryFolder();

type Store = ReturnType<typeof scripted>['store'];

const page = (status: number, text: string): TransportResponse => ({
  status,
  headers: { 'content-type': 'text/html' },
  bytes: Buffer.from(text),
});

/** What a target may respond that does not carry an update out. */
const FORMS: Readonly<Record<string, (request: TransportRequest, store: Store) => TransportResponse>> = {
  '200 with a page': () => page(200, '<html>maintenance</html>'),
  '200 without a body': () => page(200, ''),
  '200 with []': () => json(200, []),
  '200 with {}': () => json(200, {}),
  204: () => page(204, ''),
  '202 without the user': () => json(202, { queued: true }),
  'another id': ({ path }, { users }) => json(200, { ...users.get(Number(path.split('/').at(-1))), id: 77 }),
  'another user': ({ path }, { users }) => json(200, users.get(path.endsWith('/1') ? 2 : 1)),
  'what was sent': ({ path, body }) =>
    json(200, { id: Number(path.split('/').at(-1)), ...(parsedJson(String(body)) as object) }),
};

/** At which of the updates that restore the users it begins. */
const MOMENTS = { 'from the first one on': 1, 'from the second one on': 2 };

/** Judges a target that responds in this form, and stores nothing, from one of the restoring updates on; or to that one alone. */
async function judgeWith(form: keyof typeof FORMS, from: number, isOnce = false) {
  let restoring = 0;
  const { transport, store } = scripted((request, respond, kept) => {
    const isRestoring = String(request.body).includes('Example');
    if (isRestoring) restoring += 1;
    const isNow = isOnce ? isRestoring && restoring === from : restoring >= from;
    return isNow && request.method === 'PUT' ? (FORMS[form]?.(request, kept) ?? respond()) : respond();
  });
  const before = structuredClone(store.users);
  const journal = folder.fresh().at('journal.json');
  const result = await runTarget(INPUTS, { only: ['update-name'], transport, journal, patience: 0 });
  return { result, journal, before, after: store.users };
}

describe.each(Object.keys(FORMS))('a target that responds to restoring updates with %s', (form) => {
  it.each(Object.entries(MOMENTS))('%s has not passed, and its journal stays', async (_when, from) => {
    const { result, journal, before, after } = await judgeWith(form, from);
    expect(after).not.toEqual(before);
    expect(['inconclusive', 'failed']).toContain(result.verdict);
    expect([result.restoration.journal, existsSync(journal)]).toEqual([journal, true]);
    const { words } = headlineOf(result);
    expect(words).toMatch(/^Perhaps not as before: .*(name|email|rootRole).* of user \d/);
    expect(words).toContain(`restore ${journal})`);
  });

  it('to the last one alone has not passed, unless the users are as before', async () => {
    const { result, journal, before, after } = await judgeWith(form, 2, true);
    const isAsBefore = isDeepStrictEqual(after, before);
    expect({ hasPassed: result.verdict === 'passed', hasJournal: existsSync(journal) }).toEqual({
      hasPassed: isAsBefore,
      hasJournal: !isAsBefore,
    });
  });
});

it('a target that is away for a while, behind a page with 200, has its users restored', async () => {
  let pages = 3;
  const { transport, store } = scripted((request, respond) => {
    const isAway = String(request.body).includes('Example') && (pages -= 1) >= 0;
    return isAway ? page(200, '<html>maintenance</html>') : respond();
  });
  const before = structuredClone(store.users);
  const { verdict, restoration } = await runTarget(INPUTS, { only: ['update-name'], transport, journal: false });
  expect({ verdict, restored: restoration.outcome }).toEqual({ verdict: 'passed', restored: 'complete' });
  expect(store.users).toEqual(before);
});

describe('a target that shows the role and does not store it beside an address', () => {
  const forgetsRole: Script = async (request, respond, store) => {
    const sent = parsedJson(String(request.body)) as { email?: unknown; rootRole?: unknown };
    const id = Number(request.path.split('/').at(-1));
    const { rootRole } = store.users.get(id) ?? {};
    const response = await respond();
    const user = store.users.get(id);
    if (user && sent.email !== undefined && rootRole !== undefined) store.users.set(id, { ...user, rootRole });
    return response;
  };

  /** What `restore` makes of users that a run left with other values. */
  async function restored(script: Script) {
    const { transport, store } = scripted(script);
    const before = structuredClone(store.users);
    const { users } = sessionOver(transport);
    for (const [id, user] of before) users.originals.set(String(id), { ...user });
    for (const [id, user] of before)
      store.users.set(id, {
        ...user,
        name: 'Left',
        email: `left${id}@example.com`,
        rootRole: 3 - Number(user.rootRole),
      });
    const { outcome } = await restoreUsers(users, performance.now());
    return { outcome, isAsBefore: isDeepStrictEqual(store.users, before) };
  }

  it('has it restored by an update of its own', async () => {
    expect(await restored(forgetsRole)).toEqual({ outcome: 'complete', isAsBefore: true });
  });

  it('leaves no user worse where an update sets the role that it does not send to another one', async () => {
    const resetsRole: Script = async (request, respond, store) => {
      const sent = parsedJson(String(request.body)) as { rootRole?: unknown };
      const id = Number(request.path.split('/').at(-1));
      const user = store.users.get(id);
      if (user && sent.rootRole === undefined) store.users.set(id, { ...user, rootRole: 9 });
      return respond();
    };
    expect(await restored(resetsRole)).toMatchObject({ isAsBefore: true });
  });

  it('is not said to have restored it where no update does', async () => {
    const keepsRole: Script = async (request, respond, store) => {
      const { users } = store;
      const roles = new Map([...users].map(([id, { rootRole = 1 }]) => [id, rootRole]));
      const response = await respond();
      for (const [id, user] of users) users.set(id, { ...user, rootRole: roles.get(id) ?? 1 });
      return response;
    };
    expect(await restored(keepsRole)).toEqual({ outcome: 'partial', isAsBefore: false });
  });
});

it('a target that asks for a longer pause than restoring may take has its users restored after that', async () => {
  let until = 0;
  const { transport, store } = scripted((request, respond) => {
    const isRestoring = until > 0 || String(request.body).includes('Example');
    if (isRestoring && until === 0) until = Date.now() + 5_000;
    const left = Math.ceil((until - Date.now()) / 1_000);
    if (left > 0) return { ...json(429, {}), headers: { 'retry-after': String(Math.max(3, left)) } };
    return respond();
  });
  const before = structuredClone(store.users);
  // Where plain updates fail, restoring may take three seconds.
  const failing: typeof transport = async (request) => {
    const response = await transport(request);
    return response.status === 200 && request.method === 'PUT' ? { ...response, status: 201 } : response;
  };
  const { restoration } = await runTarget(INPUTS, { only: ['update-name'], transport: failing, journal: false });
  expect(restoration.outcome).toBe('complete');
  expect(store.users).toEqual(before);
});

it('a user that the operator did not name is told if a request that should have been refused changed it', async () => {
  const { transport } = scripted((request, respond) => {
    const isOfNobody = request.path.endsWith('/abc') && request.method === 'PUT';
    return isOfNobody ? json(200, { ...(parsedJson(String(request.body)) as object), id: 77 }) : respond();
  });
  const result = await runTarget(INPUTS, { only: ['path-id-no-integer'], transport, patience: 0 });
  const why = 'a request that should have been refused changed it, or created the user';
  expect(result.restoration.users.at(-1)).toEqual({
    id: '77',
    members: [{ member: 'name', outcome: 'never-shown', detail: why }],
  });
  expect(headlineOf(result).words).toContain(`Not restored: \`name\` of user 77, because ${why}.`);
});
