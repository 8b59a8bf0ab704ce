/** Whether a check that a fault blocks finds another one where a client can live with the first. */
import { describe, expect, test } from 'vitest';
import { objectOf, parsedJson } from '../../common/json.ts';
import { updates } from '../../conformance/checks/updates.ts';
import { check, type Check } from '../../conformance/engine/check.ts';
import { claiming } from '../../conformance/engine/claims.ts';
import { completedBody, withoutLeftOut, type Workaround } from '../../conformance/engine/workarounds.ts';
import {
  anError,
  idIn,
  INPUTS,
  json,
  judged,
  onAccepted,
  outcomesOf,
  runOver,
  type Script,
  scripted,
  sentIn,
  sessionOver,
} from '../support/engine.ts';

const MARK = 'Mark';

/** A fault that no plain update shows: a marked name is stored without its mark. */
const losesMark = onAccepted((_user, response, request, { users }) => {
  if (!String(sentIn(request).name).includes(MARK)) return response;
  return json(200, Object.assign(users.get(idIn(request)) ?? {}, { name: 'Another' }));
});

/** What a server does to an update that it accepts. */
type Fault = (
  sent: Record<string, unknown>,
  respond: Parameters<Script>[1],
  store: Parameters<Script>[2],
  id: number,
) => ReturnType<Script>;

const FIRST: Readonly<Record<Workaround, readonly [requirement: string, fault: Fault]>> = {
  status: ['update.success-is-200', async (_sent, respond) => ({ ...(await respond()), status: 201 })],
  envelope: [
    'user.object',
    async (_sent, respond) => json(200, { user: parsedJson((await respond()).bytes.toString()) }),
  ],
  'all-members': [
    'update.unsent-fields-keep',
    async (sent, respond, { users }, id) => {
      const user = users.get(id);
      if (user && 'name' in sent && !('email' in sent)) users.set(id, { ...user, email: '' });
      return respond();
    },
  ],
  reading: [
    'update.answer-shows-user',
    async (sent, respond, { users }, id) => {
      const old = users.get(id);
      const response = await respond();
      return Object.keys(sent).length > 0 ? json(200, old) : response;
    },
  ],
  'own-user': [
    'update.addressed-user-only',
    (sent, respond, { users }, id) => {
      const other = users.get(3 - id);
      if (other && typeof sent.name === 'string') users.set(other.id, { ...other, name: sent.name });
      return respond();
    },
  ],
};

/** A server with the fault that a way lives with, and with another one if it is given. */
function faulty(way: Workaround, second: Script = (_request, respond) => respond()) {
  const [, fault] = FIRST[way];
  return scripted((request, respond, store) => {
    const own: typeof respond = async () => second(request, respond, store);
    if (request.headers.Authorization !== INPUTS.adminKey || request.method !== 'PUT') return own();
    return fault(sentIn(request), own, store, idIn(request));
  });
}

/** A check that the first fault blocks, and that the second one fails. */
const dependent = (way: Workaround, notAround: readonly Workaround[] = []): Check =>
  check('dependent', {
    title: 'A marked name is stored',
    requirement: 'update.repeatable',
    requires: [FIRST[way][0]],
    notAround,
    run: ({ user, fresh }) =>
      user.accepts({ name: `${fresh.name()} ${MARK}` }, { claims: claiming('update.repeatable') }),
  });

const ofName = updates.filter(({ id }) => id === 'update-name');
const ways = Object.keys(FIRST) as Workaround[];

describe.each(ways)('where a check is blocked, and lives with the fault (%s),', (way) => {
  const [requirement] = FIRST[way];
  const blocked = { outcome: 'inconclusive', reason: 'blocked', blockedBy: requirement };
  const outcomeOf = ({ checks }: Awaited<ReturnType<typeof judged>>) =>
    checks.find((each) => each.check.id === 'dependent')?.outcome;

  test('a second fault is found, and its evidence shows what was sent and what came', async () => {
    const { transport, requests } = faulty(way, losesMark);
    const judgement = await judged(sessionOver(transport), ...ofName, dependent(way));
    expect(outcomesOf(judgement)).toMatchObject({ dependent: 'failed' });
    const broken = new Map(judgement.broken.map((each) => [each.requirement, each.problems]));
    expect([...broken.keys()].sort()).toEqual([requirement, 'update.repeatable'].sort());
    const [problem] = broken.get('update.repeatable') ?? [];
    const [cause] = problem?.exchanges ?? [];
    expect(problem?.fault).toMatchObject({ kind: 'member', change: 'not-stored', member: 'name', came: 'Another' });
    expect(cause?.response.status).toBe(way === 'status' ? 201 : 200);
    expect(requests.map(({ body }) => body)).toContain(cause?.request.body);
    expect(Object.keys(sentIn(cause?.request ?? {}))).toHaveLength(way === 'all-members' ? 3 : 1);
  });

  test('it stays blocked if it finds nothing, and says how it was run', async () => {
    const judgement = await judged(sessionOver(faulty(way).transport), ...ofName, dependent(way));
    expect(outcomeOf(judgement)).toEqual({ ...blocked, around: [way] });
    expect(judgement.broken.map((each) => each.requirement)).toEqual([requirement]);
  });

  test('it is not run if that takes away what it judges', async () => {
    const { transport, requests } = faulty(way, losesMark);
    const judgement = await judged(sessionOver(transport), ...ofName, dependent(way, [way]));
    expect(outcomeOf(judgement)).toEqual(blocked);
    expect(requests.filter(({ body }) => String(body).includes(MARK))).toEqual([]);
  });
});

describe('a body is completed with all members', () => {
  const whole = { name: 'Ada', email: 'a@example.com', rootRole: 1 };

  test.each<[what: string, body: string, completed: string | undefined]>([
    ['those that it lacks come first', '{"name":"B"}', '{"email":"a@example.com","rootRole":1,"name":"B"}'],
    ['its spaces stay', '{ "name" : "B" }', '{"email":"a@example.com","rootRole":1, "name" : "B" }'],
    ['a member may be escaped', '{"\\u006eame":"B"}', '{"email":"a@example.com","rootRole":1,"\\u006eame":"B"}'],
    ['a member stays twice', '{"name":"B","name":"C"}', '{"email":"a@example.com","rootRole":1,"name":"B","name":"C"}'],
    ['malformed JSON stays malformed', '{"name":"B",}', '{"email":"a@example.com","rootRole":1,"name":"B",}'],
    ['a whole one stays', JSON.stringify(whole), JSON.stringify(whole)],
    ['not if it has none', '{}', undefined],
    ['not if it has none but spaces', '{ \n }', undefined],
    ['not if it is no object', '["name"]', undefined],
    ['not if it is empty', '', undefined],
  ])('%s', (_what, body, completed) => {
    expect(completedBody(body, whole)).toBe(completed);
    expect(completedBody(Buffer.from(body), whole)?.toString()).toBe(completed);
  });

  test('bytes that are not UTF-8 stay as they are', () => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(completedBody(body, { name: 'Ada', rootRole: 1 })).toEqual(
      Buffer.concat([Buffer.from('{"rootRole":1,'), body.subarray(1)]),
    );
  });

  test('without what is not stored; what an update cannot set stays', () => {
    expect(withoutLeftOut({ name: 'B', rootRole: 2, id: 5, extra: 1 }, ['name', 'email'])).toEqual({
      ...{ name: 'B', id: 5, extra: 1 },
    });
  });
});

test.each(['name', 'email', 'rootRole'])(
  'a target that refuses each update with a new `%s` breaks what speaks of accepted updates; its users are as before',
  async (member) => {
    const refuses: Script = (request, respond, { users }) => {
      const user = users.get(idIn(request));
      const { [member]: value } = sentIn(request);
      const isOld = member !== 'rootRole' && value === objectOf(user)[member];
      const isRefused = user && value !== undefined && !isOld && request.headers.Authorization === INPUTS.adminKey;
      return isRefused ? anError(400, 'ValidationError') : respond();
    };
    const { result, before, after } = await runOver(refuses);
    const broken = result.findings.map(({ requirement }) => requirement);
    expect(broken.toSorted()).toEqual(['update.fields-optional', 'update.success-is-200']);
    expect(result.restoration.outcome).toBe('complete');
    expect(after).toEqual(before);
  },
);
