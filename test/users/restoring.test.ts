import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { TransportRequest, TransportResponse } from '../../conformance/http/transport.ts';
import { headlineOf } from '../../conformance/report/words.ts';
import { restoreUsers } from '../../conformance/users/restore.ts';
import { temporaryFolder } from '../support/folder.ts';
import { idIn, json, onAccepted, runOver, type Script, scripted, sentIn, sessionOver } from '../support/engine.ts';

const folder = temporaryFolder();

type Store = ReturnType<typeof scripted>['store'];

/** Whether an update restores the name or the address of a user. */
const isRestoring = ({ body }: TransportRequest): boolean => String(body).includes('Example');

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
  'another id': (request, { users }) => json(200, { ...users.get(idIn(request)), id: 77 }),
  'another user': (request, { users }) => json(200, users.get(3 - idIn(request))),
  'what was sent': (request) => json(200, { id: idIn(request), ...sentIn(request) }),
};

/** At which of the updates that restore the users it begins. */
const MOMENTS = { 'from the first one on': 1, 'from the second one on': 2 };

/** Judges a target that responds in this form, and stores nothing, from one of the restoring updates on; or to that one alone. */
async function judgeWith(form: keyof typeof FORMS, from: number, isOnce = false) {
  let restoring = 0;
  const script: Script = (request, respond, store) => {
    if (isRestoring(request)) restoring += 1;
    const isNow = isOnce ? isRestoring(request) && restoring === from : restoring >= from;
    return isNow && request.method === 'PUT' ? (FORMS[form]?.(request, store) ?? respond()) : respond();
  };
  const journal = folder.fresh().at('journal.json');
  return { ...(await runOver(script, { only: ['update-name'], journal, patience: 0 })), journal };
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
  const script: Script = (request, respond) =>
    isRestoring(request) && (pages -= 1) >= 0 ? page(200, '<html>maintenance</html>') : respond();
  const { result, before, after } = await runOver(script, { only: ['update-name'] });
  expect(result).toMatchObject({ verdict: 'passed', restoration: { outcome: 'complete' } });
  expect(after).toEqual(before);
});

describe('a target that keeps roles in its own way', () => {
  /** Shows the role that it was sent beside an address, and does not store it. */
  const forgets: Script = async (request, respond, { users }) => {
    const { rootRole } = users.get(idIn(request)) ?? {};
    const response = await respond();
    if ('email' in sentIn(request)) Object.assign(users.get(idIn(request)) ?? {}, { rootRole });
    return response;
  };
  /** Sets a role that it is not sent to another one. */
  const resets: Script = (request, respond, { users }) => {
    if (!('rootRole' in sentIn(request))) Object.assign(users.get(idIn(request)) ?? {}, { rootRole: 9 });
    return respond();
  };
  /** Stores no role. */
  const keeps: Script = async (_request, respond, { users }) => {
    const before = structuredClone([...users.values()]);
    const response = await respond();
    for (const { id, rootRole } of before) Object.assign(users.get(id) ?? {}, { rootRole });
    return response;
  };

  it.each<[string, Script, outcome: string | undefined, isAsBefore: boolean]>([
    ['has it restored by an update of its own, where it forgets one beside an address', forgets, 'complete', true],
    ['has no user left worse, where it resets one that is not sent', resets, undefined, true],
    ['is not said to have it restored, where no update sets one', keeps, 'partial', false],
  ])('%s', async (_what, script, expected, isAsBefore) => {
    const { transport, store } = scripted(script);
    const before = structuredClone(store.users);
    const { users } = sessionOver(transport);
    for (const [id, user] of before) {
      users.originals.set(String(id), { ...user });
      const rootRole = 3 - Number(user.rootRole);
      store.users.set(id, { ...user, name: 'Left', email: `left${id}@example.com`, rootRole });
    }
    const { outcome } = await restoreUsers(users, performance.now());
    expect(outcome).toBe(expected ?? outcome);
    expect(isDeepStrictEqual(store.users, before)).toBe(isAsBefore);
  });
});

it('a target that asks for a longer pause than restoring may take has its users restored after that', async () => {
  let until = 0;
  // Where plain updates fail, restoring may take three seconds.
  const failing = onAccepted((_user, response) => ({ ...response, status: 201 }));
  const script: Script = (request, respond, store) => {
    if (until === 0 && isRestoring(request)) until = Date.now() + 5_000;
    const left = Math.ceil((until - Date.now()) / 1_000);
    if (left > 0) return { ...json(429, {}), headers: { 'retry-after': String(Math.max(3, left)) } };
    return failing(request, respond, store);
  };
  const { result, before, after } = await runOver(script, { only: ['update-name'] });
  expect(result.restoration.outcome).toBe('complete');
  expect(after).toEqual(before);
});

it('a user that the operator did not name is told if a request that should have been refused changed it', async () => {
  const script: Script = (request, respond) =>
    request.path.endsWith('/abc') && request.method === 'PUT' ? json(200, { ...sentIn(request), id: 77 }) : respond();
  const { result } = await runOver(script, { only: ['path-id-no-integer'], patience: 0 });
  const why = 'a request that should have been refused changed it, or created the user';
  expect(result.restoration.users.at(-1)).toEqual({
    id: '77',
    members: [{ member: 'name', outcome: 'never-shown', detail: why }],
  });
  expect(headlineOf(result).words).toContain(`Not restored: \`name\` of user 77, because ${why}.`);
});
