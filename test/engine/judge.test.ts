import { describe, expect, test } from 'vitest';
import { banners } from '../../conformance/checks/banners.ts';
import type { Attempt } from '../../conformance/engine/attempt.ts';
import { check } from '../../conformance/engine/check.ts';
import { NotApplicable } from '../../conformance/facts/outcome.ts';
import type { Store } from '../../reference-server/seed.ts';
import {
  anError,
  brokenIn,
  INPUTS,
  json,
  judged,
  judgedBy,
  outcomesOf,
  type Script,
  scripted,
  sessionOver,
} from '../support/engine.ts';

/** A name that only the check of these tests sends. */
const MARK = 'Mark';
const marked = (body: string | Buffer = ''): boolean => body.toString().includes(MARK);

const MARKED = {
  title: 'A name is stored',
  requirement: 'update.success-is-200',
  run: ({ user, fresh }: Attempt) => user.accepts({ name: `${fresh.name()} ${MARK}` }),
};
const UPDATE = check('update-mark', MARKED);
const OTHER = check('update-mark-again', MARKED);
const DEPENDENT = check('dependent', {
  title: 'An update may be sent again',
  requirement: 'update.repeatable',
  requires: ['update.success-is-200'],
  run: (attempt) => attempt.user.accepts({ name: attempt.fresh.name() }),
});
/** Five names that are no text, which a server has to refuse. */
const NAMES = {
  title: 'A name that is no text is refused',
  requirement: 'request-body.name-type',
  refusedWith: [400],
  requests: ({ user }: Attempt) => [0, 1, 2, 3, 4].map((name) => user.update({ name })),
};
const REFUSALS = check('name-type', NAMES);

/** Responds in another way to the first marked requests. */
function first(count: number, instead: Script): Script {
  let seen = 0;
  return (request, respond, store) => {
    if (marked(request.body)) seen += 1;
    return marked(request.body) && seen <= count ? instead(request, respond, store) : respond();
  };
}

const fails: Script = () => json(500, {});
/** Loses the connection, for a reason that Node.js gives. */
const losing =
  (code: string): Script =>
  () =>
    Promise.reject(Object.assign(new Error('It is lost.'), { code }));

describe('a check that fails', () => {
  test('is inconclusive if it passes the second time, and nobody is blamed', async () => {
    const judgement = await judgedBy(first(1, fails), UPDATE);
    expect(outcomesOf(judgement)).toMatchObject({ 'update-mark': 'inconclusive: unsteady' });
    expect(brokenIn(judgement)).toEqual({});
  });

  test('is one finding with how often, if two checks were unsteady in the same way', async () => {
    let seen = 0;
    const script: Script = (request, respond) => {
      if (marked(request.body)) seen += 1;
      return marked(request.body) && seen % 2 === 1 ? json(500, {}) : respond();
    };
    const judgement = await judgedBy(script, UPDATE, OTHER);
    expect(judgement.broken).toMatchObject([{ requirement: 'update.success-is-200' }]);
    expect(judgement.broken[0]?.problems[0]?.seen).toMatchObject({ times: 2, what: 'requests' });
  });

  test('is one finding, too, if refusals of two requirements got another status now and then', async () => {
    const emails = check('email-type', {
      ...NAMES,
      requirement: 'request-body.email-type',
      requests: ({ user }: Attempt) => [user.update({ email: 5 })],
    });
    const seen = new Set<string>();
    const script: Script = ({ body = '' }, respond) => {
      const isFirst = /"(name|email)":\d\}$/.test(body.toString()) && seen.size < seen.add(body.toString()).size;
      return isFirst ? anError(401, 'AuthenticationRequired') : respond();
    };
    const judgement = await judgedBy(script, REFUSALS, emails);
    expect(Object.keys(brokenIn(judgement))).toEqual(['request-body.name-type']);
    expect(judgement.broken[0]?.problems[0]?.seen).toMatchObject({ times: 6, what: 'requests' });
  });
});

test.each<[string, Script]>([
  ...[429, 502, 503, 504].map((status): [string, Script] => [`A ${status} response`, () => json(status, {})]),
  ['A lost connection', losing('ECONNRESET')],
])('%s is tried again, and blames nobody', async (_what, instead) => {
  const judgement = await judgedBy(first(1, instead), UPDATE);
  expect(outcomesOf(judgement)).toMatchObject({ 'update-mark': 'passed' });
});

test('a target that is away for good stops the run, and is not blamed', async () => {
  let isAway = false;
  const script: Script = (request, respond, store) => {
    isAway ||= marked(request.body);
    return isAway ? losing('ECONNREFUSED')(request, respond, store) : respond();
  };
  const judgement = await judged(sessionOver(scripted(script).transport, { patience: 50 }), UPDATE, DEPENDENT);
  expect(outcomesOf(judgement)).toMatchObject({ dependent: 'inconclusive: disturbed' });
  expect(brokenIn(judgement)).toEqual({});
  const { detail } = judgement.checks.at(-1)?.outcome ?? {};
  expect(detail).toMatch(/ It went away at PUT \/api\/admin\/user-admin\/1 with \{.*\}\.$/);
});

test('a target that never responded is not waited for as long', async () => {
  const judgement = await judgedBy(losing('ECONNREFUSED'), UPDATE);
  expect(judgement.checks.at(-1)?.outcome.detail).toMatch(/^The target was away for 1 s: /);
});

describe('refusals', () => {
  test('whose response is the only one to break a requirement are sent again', async () => {
    const script: Script = ({ body }, respond) => (body === '{"name":3}' ? json(400, {}) : respond());
    const { broken } = await judgedBy(script, REFUSALS);
    expect(broken.map(({ requirement, problems }) => [requirement, problems.length])).toEqual([['errors.body', 2]]);
  });

  test('that their check explains when it runs alone blame nobody', async () => {
    const unknownKey = check('restricted', {
      ...NAMES,
      requirement: 'permission.refused',
      unless: () => Promise.resolve('The key is unknown.'),
    });
    const script: Script = (request, respond) =>
      /"name":\d/.test(request.body?.toString() ?? '') ? anError(401, 'AuthenticationRequired') : respond();
    const judgement = await judgedBy(script, unknownKey);
    expect(outcomesOf(judgement)).toMatchObject({ restricted: 'inconclusive: not-shown' });
    expect(brokenIn(judgement)).toEqual({});
  });

  test('that get a wrong status only beside others are unsteady', async () => {
    let inFlight = 0;
    const script: Script = async (_request, respond) => {
      inFlight += 1;
      const response = await respond();
      await new Promise(setImmediate);
      const isBeside = inFlight > 1;
      inFlight -= 1;
      return isBeside && response.status === 400 ? json(500, {}) : response;
    };
    const judgement = await judgedBy(script, REFUSALS);
    expect(outcomesOf(judgement)).toMatchObject({ 'name-type': 'inconclusive: unsteady' });
  });
});

test.each([
  ['a mistake of the suite is an error', new Error('a mistake'), 'error'],
  ['what the target need not have does not apply', new NotApplicable('it shows none'), 'not-applicable'],
])('%s, and says nothing about the target', async (_what, error, outcome) => {
  const own = check('own', { title: 'Never', requirement: 'update.repeatable', run: () => Promise.reject(error) });
  const { checks } = await judgedBy(undefined, own);
  expect(checks.at(-1)?.outcome).toEqual({ outcome, detail: error.message });
});

describe('the run stops, and blames nobody,', () => {
  test('if another run changes the users', async () => {
    const script: Script = async (request, respond, store) => {
      const user = store.users.get(1);
      if (marked(request.body) && user) store.users.set(1, { ...user, name: 'Conformance zzzzzzz aaa' });
      return marked(request.body) ? json(200, store.users.get(1)) : respond();
    };
    const judgement = await judgedBy(script, UPDATE, DEPENDENT);
    expect(outcomesOf(judgement)).toMatchObject({ dependent: 'inconclusive: other-client' });
    expect(brokenIn(judgement)).toEqual({});
  });

  test('if the users have values of another run before it', async () => {
    const { transport, store, requests } = scripted();
    const user = store.users.get(1);
    if (user) store.users.set(1, { ...user, email: 'conformance.zzzzzzz.bc@example.com' });
    const judgement = await judged(sessionOver(transport), UPDATE);
    expect(outcomesOf(judgement)).toMatchObject({ 'update-mark': 'inconclusive: other-client' });
    expect(requests.filter(({ body }) => body !== '{}')).toEqual([]);
  });

  const isOfAdmin = ({ users }: Store): boolean => users.get(1)?.rootRole === 1;
  const noApi = Buffer.from('Client sent an HTTP request to an HTTPS server.');

  test.each<[string, RegExp, Script]>([
    [
      'the user owns the admin key',
      /^User 1 owns the admin key/,
      (_request, respond, store) => (isOfAdmin(store) ? respond() : anError(403, 'NoAccessError')),
    ],
    [
      'the user owns the restricted key',
      /^User 1 owns the restricted key/,
      ({ headers }, respond, store) =>
        headers.Authorization === INPUTS.restrictedKey && !isOfAdmin(store) ? json(200, store.users.get(1)) : respond(),
    ],
    [
      'plain HTTP comes to a port for HTTPS',
      /^There is no API at this address/,
      () => ({ status: 400, headers: {}, bytes: noApi }),
    ],
  ])('if %s', async (_what, detail, script) => {
    const judgement = await judgedBy(script, UPDATE);
    expect(judgement.checks.at(-1)?.outcome.detail).toMatch(detail);
    expect(brokenIn(judgement)).toEqual({});
  });
});

test('a role that is forbidden to everybody does not make a user the owner of the key', async () => {
  const { transport } = scripted((request, respond) =>
    String(request.body).includes('rootRole') ? anError(403, 'NoAccessError') : respond(),
  );
  const { 'update.success-is-200': fault, ...others } = brokenIn(await judged(sessionOver(transport)));
  expect(fault).toMatchObject({ kind: 'status', due: [200], came: 403 });
  expect(others).toEqual({});
});

test('a response that breaks a requirement once, and not again, leaves it inconclusive', async () => {
  let lists = 0;
  const emptyCache: Script = (request, respond) => {
    if (request.method === 'PUT') return respond();
    lists += 1;
    return lists === 1 ? json(200, { banners: null }) : respond();
  };
  const { requirements } = await judgedBy(emptyCache, ...banners);
  const [shape] = requirements.filter(({ id }) => id === 'banners.shape');
  expect(shape).toMatchObject({ outcome: 'inconclusive', once: { requirement: 'banners.shape' } });
});
