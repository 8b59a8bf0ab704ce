import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import type { User } from '../../../contract/document.ts';
import type { Behaviour } from '../../../proof/servers/behaviour.ts';
import { called, defects } from '../../../proof/catalogue.ts';
import { answered, hasHeader, isTo, sentId, sentMembers, success, withKeyOf } from '../../../proof/defects/requests.ts';
import { inVirtualTime } from '../../../proof/disturbed/virtual-time.ts';
import { countsLogin, followedBy, showing } from '../../../proof/defects/responses.ts';
import { operations } from '../../../conformance/operations/index.ts';
import { LASTING_MEMBERS, NOT_SENDABLE, UPDATABLE } from '../../../conformance/resources/user/members.ts';
import { isRestored, judgeServer } from '../../../proof/servers/judge.ts';
import { judgeBehaviour } from '../../support/judging.ts';
import { temporaryFolder } from '../../support/folder.ts';

it('restores member by member where the target stores only the first one of a body', async () => {
  const { behaviour } = called(defects, 'update-applies-first-member-only');
  const { result, server } = await judgeBehaviour(behaviour);
  expect(result.restoration.outcome).toBe('complete');
  expect([...server.store.users.values()]).toEqual(server.seed.users);
});

it.each([404, 500])(
  'restores users whose first reading got %i, as of a target that cannot read them twice at once',
  async (status) => {
    let requests = 0;
    const around: Behaviour['around'] = (handle) => (request) => {
      requests += request.method === 'PUT' ? 1 : 0;
      return request.method === 'PUT' && requests <= 2 ? { status, body: {} } : handle(request);
    };
    const { result, server } = await judgeBehaviour({ around });
    expect(result.restoration.outcome).toBe('complete');
    expect([...server.store.users.values()]).toEqual(server.seed.users);
  },
);

/** Judges a target that lets so many of the first updates of a user fail, before it carries them out. */
function judgeFailingFirst(user: string, fails: number, how: 429 | 'closed') {
  let requests = 0;
  const sent: unknown[] = [];
  const around: Behaviour['around'] = (handle, store, rules) => (request) => {
    const isToIt = request.path.endsWith(`/${user}`);
    requests += isToIt ? 1 : 0;
    if (isToIt && withKeyOf('admin')({ request, store })) sent.push(...Object.values(sentMembers(request)));
    const isFailing = isToIt && requests <= fails;
    return isFailing && how === 429 ? rules.refuse(429, 'Later.') : handle(request);
  };
  const change: Behaviour['change'] = ({ request, answer }) =>
    how === 'closed' && request.path.endsWith(`/${user}`) && requests <= fails ? undefined : answer;
  return inVirtualTime(async () => ({ ...(await judgeBehaviour({ around, change })), sent }));
}

it.each([
  ['1', 10, 429],
  ['2', 10, 429],
  ['2', 40, 429],
  ['1', 10, 'closed'],
  ['2', 10, 'closed'],
] as const)('leaves no user %s changed whose first %i updates get %s', async (user, fails, how) => {
  const { result, server } = await judgeFailingFirst(user, fails, how);
  expect([...server.store.users.values()]).toEqual(server.seed.users);
  expect(result.restoration.outcome).not.toBe('partial');
  expect(result.findings).toEqual([]);
});

it('sends no value that can be stored to a user that only asks for pauses, so that it could never be read', async () => {
  const { sent } = await judgeFailingFirst('2', Infinity, 429);
  expect(sent).toContain(5);
  expect(sent.filter((value) => typeof value !== 'number')).toEqual([]);
});

it.each([400, 401, 403, 404, 500, 'pretends'] as const)(
  'passes no target that does not take the old values back: %s',
  async (how) => {
    let isRestoring = false;
    const around: Behaviour['around'] =
      (handle, { users }, rules) =>
      (request) => {
        const sent = sentMembers(request);
        if (!isRestoring || Object.keys(sent).length === 0) return handle(request);
        if (how !== 'pretends') return rules.refuse(how, 'Too late.');
        return { status: 200, body: { ...users.get(Number(sentId(request))), ...sent } };
      };
    const { result } = await judgeBehaviour(
      { around },
      { onEvent: (event) => (isRestoring ||= event.type === 'stage' && event.operation === 'restore') },
    );
    expect(result.verdict).not.toBe('passed');
    expect(result.restoration.outcome).toBe('partial');
  },
);

it.each([
  ['before, so that the run has given it up', 100, 'inconclusive'],
  ['from then on', Infinity, 'passed'],
])('waits 20 s for a target that is away when the users are to be restored: %s', async (_since, last, verdict) => {
  let [requests, end] = [0, Infinity];
  const said: string[] = [];
  const { result, server } = await inVirtualTime(() =>
    judgeServer({}, ({ reach: { transport } }) => ({
      transport: async (request) => {
        requests += 1;
        await sleep(5);
        const isAway = performance.now() < end && (requests > last || end < Infinity);
        if (transport && !isAway) return transport(request);
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      },
      onEvent: (event) => {
        if (event.type === 'away') said.push(event.why);
        if (event.type === 'stage' && event.operation === 'restore') end = performance.now() + 20_000;
      },
    })),
  );
  expect([isRestored(server), result.restoration.outcome, result.verdict]).toEqual([true, 'complete', verdict]);
  expect(result.findings).toEqual([]);
  expect(said.join()).toContain('ECONNREFUSED');
});

const folder = temporaryFolder();

/** The members of the first user that are not as they were, and what the restoration says of them. */
async function leftBy(behaviour: Behaviour) {
  const { result, server } = await judgeBehaviour(behaviour, { journal: folder.at('journal.json') });
  const { outcome, users, journal } = result.restoration;
  const [before] = server.seed.users;
  const now = server.store.users.get(before?.id ?? 0);
  const changed = Object.entries(now ?? {}).filter(
    ([member, value]) => !isDeepStrictEqual(value, before?.[member as keyof User]),
  );
  const said = users[0]?.members.filter((each) => each.outcome !== 'restored') ?? [];
  const told = said.map((each) => `${each.member} ${each.outcome}`);
  return { outcome, journal, left: changed.map(([member]) => member).sort(), told: told.sort() };
}

it('puts the id back, and says which members remain where the target merges the whole body', async () => {
  const left = await leftBy(called(defects, 'body-merged').behaviour);
  const own = ['__proto__', 'a\u0000', 'conformanceProbe', 'constructor', 'hasOwnProperty', 'toString'];
  expect(left.left).toEqual(['', '$set', 'NAME', 'Name', ...own]);
  expect(left).toMatchObject({ outcome: 'partial', told: left.left.map((member) => `${member} remains`) });
  expect(left.journal).toBeUndefined();
});

it('sends a member back that refused requests changed, where the target takes it', async () => {
  const taking = called(defects, 'username-applied').behaviour;
  const renaming: Behaviour['around'] = (handle, store) => (request) => {
    const answer = handle(request);
    const user = store.users.get(1);
    if (answer.status === 401 && user) store.users.set(1, { ...user, username: 'eve' });
    return answer;
  };
  expect(await leftBy({ ...taking, around: renaming })).toMatchObject({ outcome: 'complete', left: [], told: [] });
});

it('says which member is not as it was, and keeps the journal, where the target does not take it back', async () => {
  const { outcome, journal, left, told } = await leftBy(followedBy(answered(401), countsLogin(1)));
  expect([outcome, left, told]).toEqual(['partial', ['loginAttempts'], ['loginAttempts not-restored']]);
  expect(journal).toBeDefined();
});

it('counts neither members that a server derives nor those that only repeat what was sent', async () => {
  let readings = 0;
  const echoing: Behaviour = showing<User>(success('updateUser'), (user, { request }) => ({
    ...sentMembers(request),
    ...user,
    seenAt: new Date((readings += 1)).toISOString(),
    imageUrl: `https://example.com/${readings}.png`,
  }));
  expect(await leftBy(echoing)).toMatchObject({ outcome: 'complete', told: [] });
});

it('knows every member that no user of the contract has, in each body that users get with a key', async () => {
  const members = new Set<string>();
  const toUsers = operations.filter(({ effect }) => effect?.resource === 'user').map(({ id }) => isTo(id));
  await judgeBehaviour({
    around: (handle, store) => (request) => {
      const isSeen = hasHeader({ request, store }) && toUsers.some((isToIt) => isToIt({ request }));
      if (isSeen) for (const member of Object.keys(sentMembers(request))) members.add(member);
      return handle(request);
    },
  });
  const known = ['id', ...UPDATABLE, ...NOT_SENDABLE, ...LASTING_MEMBERS];
  expect([...members].filter((member) => !known.includes(member))).toEqual([]);
});
