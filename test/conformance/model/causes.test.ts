import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Due } from '../../../conformance/http/due.ts';
import type { Exchange, RequestSpec } from '../../../conformance/http/exchange.ts';
import { explain, rootOf, RULES } from '../../../conformance/model/causes.ts';
import type { Change, Deviation, Kind } from '../../../conformance/model/facts.ts';
import { VALID } from '../../support/exchanges.ts';
import { deviation, put, refusalDue } from '../../support/model.ts';
import { examples } from '../../support/sample.ts';

const at = (startedAt: number, exchange: Exchange): Exchange => ({ ...exchange, startedAt });
const due = (changes: Partial<Due>): { due: Due } => ({ due: { ...VALID, ...changes } });

const NO_KEY: Partial<RequestSpec> = { credential: { label: 'no key', bad: 'no-header' } };
const keyed = (bad: string): Partial<RequestSpec> => ({ credential: { label: 'a key', bad } });
const BODY: Partial<RequestSpec> = { meant: { body: 'invalid', id: 'valid' } };
const ID: Partial<RequestSpec> = { meant: { body: 'valid', id: 'invalid' } };
const MISSING: Partial<RequestSpec> = { subject: 'missing-user' };

interface Refused extends Partial<Deviation> {
  readonly of?: Partial<RequestSpec>;
  readonly body?: unknown;
  readonly due?: Partial<Due>;
}

/** The outcome of a request that must be refused: by default, it was accepted. */
function refused(requirement: string, { of = {}, body = { name: 5 }, due: own = {}, ...given }: Refused): Deviation {
  const x = put(body, { due: refusalDue(requirement, own), ...of });
  return deviation('outcome', x, { actual: 'accepted', ...given });
}

/** The outcome of a request that may be accepted. */
function outcome(actual: unknown, own: Partial<Due> = {}, startedAt = 0): Deviation {
  return deviation('outcome', at(startedAt, put({ name: 'Ada' }, due(own))), { actual });
}

const either = (actual: unknown): Deviation => outcome(actual, { class: 'either', statuses: [200, 400] });

const NOTHING = put({});
const CONCURRENT: Partial<Due> = { class: 'either', statuses: [200, 409], role: 'concurrent' };
/** A request that failed, and was accepted when it was sent again. */
const sporadic = (given: Partial<Deviation>): Deviation => deviation('sporadic', NOTHING, { actual: 500, ...given });
const reading401 = put({}, { operation: 'listBanners', method: 'GET' }, 401);
/** A concurrent update that failed beside others. */
const besideOthers = (requirement: string): Deviation =>
  deviation('outcome', put({}, due(CONCURRENT)), { actual: 500, isBeside: true, requirements: [requirement] });
const suspect = (how: string, exchange = NOTHING): Change['between'][number] => ({ exchange, class: how });
const changeBy = (classes: readonly string[], blamed = classes[0], between = classes.map((each) => suspect(each))) => ({
  change: { between, suspects: between, classes, blamed: blamed ?? 'none', possible: [], isLost: false },
});

/** What is wrong with a member of the user. */
const of = (kind: Kind, own: Partial<Deviation> = {}, x = at(5, put({ email: 'a@x' }))): Deviation =>
  deviation(kind, x, { member: 'name', subject: 'user', requirements: ['update.unsent-fields-keep'], ...own });
const changed = (own: Partial<Deviation> = {}): Deviation => of('changed', { ...changeBy(['update']), ...own });
const requiring = (requirement: string): Partial<Deviation> => ({ requirements: [requirement] });
const kept = (member: string): Deviation => changed({ ...requiring('update.other-members-keep'), member });
const unusual = (kind: Kind, checks: readonly string[], own: Partial<Deviation> = {}, startedAt = 10): Deviation =>
  of(
    kind,
    { requirements: ['odd'], level: 'should', checks, ...own },
    at(startedAt, put({}, due({ role: 'unusual', checks }))),
  );

const failedFor = (name: string, requirement: string): Deviation =>
  deviation('outcome', put({ name }, due({ class: 'either', statuses: [200, 400], role: 'unusual' })), {
    ...{ actual: 500, requirements: [requirement] },
  });

const accepted = refused('request-body.name-type', { of: BODY });
const carriedOut = deviation('carried-out', put({}, { due: refusalDue('a', { statuses: [401] }) }, 401));
const unstored = of('not-stored', requiring('update.sent-fields-change'));
/** An update that is not stored, though it was accepted. */
const lost = (body: unknown): Deviation => ({ ...unstored, by: put(body) });
const ofOther = put({ name: 'Eve' }, { subject: 'other-user' });
const across = (actual: string): Deviation =>
  changed({ ...requiring('update.addressed-user-only'), subject: 'other-user', by: ofOther, actual });
const failed = outcome(500);
const damaged = (by: Exchange): Deviation => deviation('damaged', put({}, {}, 500), { by, ...requiring('odd') });
const typed = (member: string, old: string): Deviation => of('member', { member, mode: 'wrong-type', old });

/** An update of an id that nothing has, which was accepted. */
const withId = (requirement: string, id: number, actual?: number): Deviation =>
  refused(requirement, {
    of: { ...ID, path: `/api/admin/user-admin/${id}` },
    level: 'should',
    ...(actual && { actual }),
  });

type Pair = readonly [a: Deviation, b: Deviation];

/** For each rule a pair that it explains, and a near pair that it must not. */
const PAIRS: Readonly<Record<string, { readonly explains: readonly Pair[]; readonly spares: readonly Pair[] }>> = {
  'fewer-defects': {
    explains: [
      [refused('a', { of: NO_KEY }), refused('b', { of: { ...NO_KEY, ...BODY } })],
      [refused('a', { of: NO_KEY }), refused('b', { of: { ...NO_KEY, ...BODY }, actual: 422 })],
      [refused('a', { of: MISSING }), refused('b', { of: ID })],
    ],
    spares: [
      [refused('a', { of: NO_KEY }), refused('b', { of: { ...BODY, ...MISSING } })],
      [refused('a', { of: NO_KEY, actual: 500 }), refused('b', { of: { ...NO_KEY, ...BODY } })],
      [refused('a', { of: { ...MISSING, ...NO_KEY } }), refused('b', { of: ID })],
      [refused('a', { of: NO_KEY }), refused('b', { of: { ...NO_KEY, ...BODY }, actual: 500 })],
      [accepted, refused('b', { of: { ...BODY, ...NO_KEY } })],
    ],
  },
  'weaker-key': {
    explains: [[refused('a', { of: NO_KEY }), refused('b', { of: keyed('unknown-key') })]],
    spares: [[refused('a', { of: keyed('unknown-key') }), refused('b', { of: NO_KEY })]],
  },
  'any-key': {
    explains: [[refused('a', { of: keyed('unknown-key') }), refused('b', { of: keyed('key-in-body') })]],
    spares: [[refused('auth.key-valid', { of: keyed('shortened-key') }), refused('b', { of: keyed('key-in-body') })]],
  },
  'must-first': {
    explains: [
      [refused('a', { of: BODY }), refused('b', { of: BODY, level: 'should' })],
      [withId('path-id.exact', 4 + 2 ** 32), withId('path-id.no-server-error', 4 + 2 ** 52)],
    ],
    spares: [
      [withId('path-id.exact', 4 + 2 ** 32), withId('path-id.no-server-error', -4)],
      [withId('path-id.exact', 4 + 2 ** 32, 500), withId('path-id.no-server-error', 4 + 2 ** 52, 500)],
      [withId('path-id.no-server-error', 4 + 2 ** 52), withId('path-id.exact', 4 + 2 ** 32)],
      [refused('a', { of: BODY, actual: 500 }), refused('b', { of: BODY, level: 'should' })],
      [accepted, refused('b', { of: { ...BODY, body: '{"name":"x",}' }, level: 'should' })],
      [accepted, refused('request-body.root-role-type', { of: BODY, body: { rootRole: true }, level: 'should' })],
    ],
  },
  'same-type': {
    explains: [
      [accepted, refused('request-body.email-type', { of: BODY, body: { email: 5 } })],
      [refused('a', { of: { ...BODY, body: '{"name"' } }), refused('b', { of: BODY, body: [] })],
    ],
    spares: [
      [accepted, refused('request-body.email-type', { of: BODY, body: { email: null } })],
      [refused('a', { of: { ...BODY, body: '{"name"' } }), refused('b', { of: BODY, body: { name: 5 } })],
    ],
  },
  'once-missing': {
    explains: [500].map((actual): Pair => {
      const once = { due: { onceMissing: { requirements: ['gone'], checks: [] } } };
      return [refused('a', { of: MISSING, actual, ...once }), refused('gone', { of: MISSING, actual })];
    }),
    spares: [[refused('a', { of: MISSING, actual: 500 }), refused('gone', { of: MISSING, actual: 500 })]],
  },
  combined: {
    explains: [[unusual('altered', ['x']), unusual('outcome', ['x', 'y'])]],
    spares: [[unusual('altered', ['x']), unusual('outcome', ['y', 'z'])]],
  },
  'other-status': {
    explains: [
      [refused('a', {}), refused('a', { actual: 500 })],
      [refused('a', { actual: 422 }), either(422)],
    ],
    spares: [
      [refused('a', {}), refused('b', { actual: 500 })],
      [refused('a', { actual: 422, due: { statuses: [401] } }), either(422)],
      [refused('a', { actual: 500 }), either(500)],
    ],
  },
  treatment: {
    explains: [
      [failed, deviation('response', failed.x)],
      [failed, changed(changeBy(['refused-valid'], 'refused-valid', [suspect('refused-valid', failed.x)]))],
      [
        accepted,
        changed(changeBy(['wrongly-accepted'], 'wrongly-accepted', [suspect('wrongly-accepted', accepted.x)])),
      ],
      [accepted, of('member', { actual: 5 })],
      [failed, damaged(failed.x)],
      [refused('a', { of: MISSING }), refused('b', { of: { ...MISSING, operation: 'listBanners' } })],
    ],
    spares: [
      [
        refused('a', { of: { ...MISSING, method: 'GET' } }),
        refused('b', { of: { ...MISSING, operation: 'listBanners' } }),
      ],
      [refused('a', { of: MISSING }), refused('b', { of: { operation: 'listBanners' } })],
      [refused('a', { of: MISSING }), refused('b', { of: { ...MISSING, operation: 'listBanners' }, actual: 500 })],
      [failed, deviation('response', NOTHING)],
      [failed, changed()],
      [accepted, changed()],
      [accepted, of('member', { actual: 5, member: 'email' })],
      [failed, damaged(NOTHING)],
    ],
  },
  'carried-out': {
    explains: [
      [carriedOut, changed(changeBy(['refused']))],
      [carriedOut, refused('b', { actual: 401 })],
      [carriedOut, deviation('response', put({}, {}, 401))],
    ],
    spares: [
      [carriedOut, changed()],
      [carriedOut, refused('b', { actual: 403 })],
      [carriedOut, deviation('response', put({}, {}, 403))],
    ],
  },
  'refused-alike': {
    explains: [
      [outcome(404), refused('b', { actual: 404 })],
      [outcome('no response'), refused('b', { actual: 'no response' })],
      [outcome(422), either(422)],
      [failed, damaged(at(5, NOTHING))],
      [sporadic({ isBeside: false }), deviation('outcome', put({}, due(CONCURRENT), 500), { actual: 500 })],
      [deviation('outcome', put({}, due(CONCURRENT)), { actual: 500, isBeside: true }), sporadic({ isBeside: true })],
      [sporadic({ actual: 401 }), deviation('outcome', put({}, { operation: 'listBanners' }, 401), { actual: 401 })],
      [sporadic({ actual: 401 }), deviation('sporadic', reading401, { actual: 401 })],
      [besideOthers('update.concurrent-fields'), besideOthers('update.concurrent-users')],
    ],
    spares: [
      [sporadic({}), deviation('outcome', put({}, { operation: 'listBanners' }, 500), { actual: 500 })],
      [deviation('sporadic', reading401, { actual: 401 }), sporadic({ actual: 401 })],
      [besideOthers('update.concurrent-fields'), { ...besideOthers('update.concurrent-users'), actual: 400 }],
      [sporadic({ isBeside: true }), deviation('outcome', put({}, due(CONCURRENT), 500), { actual: 500 })],
      [deviation('outcome', put({}, due(CONCURRENT)), { actual: 500, isBeside: true }), sporadic({ isBeside: false })],
      [outcome(404), refused('b', { actual: 500 })],
      [outcome('no response', {}, 5), refused('b', { actual: 'no response' })],
      [outcome(422), either(500)],
      [outcome(500, {}, 10), damaged(at(5, NOTHING))],
    ],
  },
  lost: {
    explains: [[changed({ actual: null }), of('member', { actual: null })]],
    spares: [[changed({ actual: null }), of('member', { actual: null }, put({ name: 'Ada' }))]],
  },
  type: {
    explains: [
      [of('member', { actual: 5 }), changed()],
      [of('other-resource', { member: 'id' }), changed()],
      [of('member', { member: 'id' }), of('other-resource', { member: 'id' })],
      [deviation('member', NOTHING, { member: 'id' }), deviation('absent', NOTHING, { member: 'id' })],
    ],
    spares: [
      [of('member', { actual: 5 }), changed({ member: 'email' })],
      [of('other-resource', { member: 'id' }), changed(changeBy(['refused']))],
      [of('other-resource', { member: 'id' }), failed],
      [of('other-resource', { member: 'id' }), of('member', { actual: 5 })],
      [of('member'), of('other-resource', { member: 'id' })],
      [of('member', { member: 'id' }), deviation('absent', NOTHING, { member: 'id' })],
    ],
  },
  'fewer-suspects': {
    explains: [
      [changed(), changed(changeBy(['read', 'update']))],
      [changed(changeBy(['empty'])), changed(changeBy(['update', 'empty']))],
      [changed({ ...changeBy(['unanswered']), requirements: [] }), changed(changeBy(['unanswered', 'update']))],
    ],
    spares: [
      [changed(changeBy(['empty', 'update'])), changed(changeBy(['update', 'empty']))],
      [
        changed({ ...changeBy(['unanswered']), requirements: [] }),
        changed({ ...changeBy(['unanswered', 'update']), subject: 'other-user' }),
      ],
    ],
  },
  'back-again': {
    explains: [[changed({ expected: 'Ada', actual: 'Eve' }), changed({ expected: 'Eve', actual: 'Ada' })]],
    spares: [
      [changed({ expected: 'Ada', actual: 'Eve' }), changed({ expected: 'Eve', actual: 'Bob' })],
      [
        changed({ expected: 'Ada', actual: 'Eve' }),
        changed({
          expected: 'Eve',
          actual: 'Ada',
          ...changeBy(['update'], 'update', [suspect('update', put({ name: 'Ada' }))]),
        }),
      ],
    ],
  },
  'not-stored': {
    explains: [
      [unstored, unusual('altered', ['x'])],
      [lost({ name: 'Ada' }), accepted],
    ],
    spares: [
      [unstored, unusual('altered', ['x'], { member: 'email' })],
      [lost({ name: 'Ada', email: 'a@x' }), accepted],
      [{ ...lost({ name: 'Ada' }), subject: 'other-user' }, accepted],
      [unstored, refused('auth.key-required', { of: NO_KEY })],
    ],
  },
  'lost-as-well': {
    explains: [
      [sporadic({ member: 'name', actual: 'Eve' }), of('altered', { member: 'email', old: 'e@x', actual: 'e@x' })],
      [{ ...unstored, by: NOTHING }, changed({ ...changeBy(['sender']), member: 'email', old: 'e@x', actual: 'e@x' })],
    ],
    spares: [
      [sporadic({ member: 'name', actual: 'Eve' }), of('altered', { member: 'email', old: 'e@x', actual: 'E@x' })],
      [sporadic({}), of('altered', { member: 'email', old: 'e@x', actual: 'e@x' })],
      [lost({ name: 'Ada' }), changed({ ...changeBy(['sender']), member: 'email', old: 'e@x', actual: 'e@x' })],
      [{ ...unstored, by: NOTHING }, changed({ ...changeBy(['sender']), member: 'email', old: 'e@x', actual: null })],
    ],
  },
  'stored-elsewhere': { explains: [[across('Eve'), unstored]], spares: [[across('Bob'), unstored]] },
  misplaced: {
    explains: [[unstored, changed({ member: 'username', by: put({ name: 'Ada' }), actual: 'Ada' })]],
    spares: [[unstored, changed({ member: 'username', by: put({ name: 'Ada' }), actual: 'Eve' })]],
  },
  'plain-first': {
    explains: [[unstored, unusual('altered', ['x'])]],
    spares: [
      [unstored, unusual('altered', ['x'], {}, 0)],
      [unstored, unusual('altered', ['x'], { member: 'email' })],
      [unstored, changed({ ...changeBy(['unusual']), member: 'email', level: 'should' })],
      [deviation('outcome', put({}, { operation: 'listBanners' }, 404), { actual: 404 }), unusual('altered', ['x'])],
    ],
  },
  'simpler-request': {
    explains: [
      [across('Eve'), changed(requiring('update.concurrent-users'))],
      [changed(requiring('update.refused-changes-nothing')), changed(requiring('update.concurrent-refusals'))],
      [
        changed({ ...changeBy(['refused']), level: 'must' }),
        changed({ ...changeBy(['unusual']), mode: 'refused-yet-changed' }),
      ],
      [changed(), changed(requiring('update.earlier-updates-keep'))],
      [changed(), changed(requiring('update.empty-body-changes-nothing'))],
      [kept('createdAt'), changed({ ...requiring('update.refused-changes-nothing'), member: 'createdAt' })],
      [kept('createdAt'), changed({ ...requiring('update.addressed-user-only'), member: 'createdAt' })],
      [kept('createdAt'), changed({ ...requiring('side-effects.of-reading'), member: 'createdAt' })],
    ],
    spares: [
      [
        changed({ ...changeBy(['refused']), level: 'must' }),
        changed({ ...changeBy(['unusual']), mode: 'refused-yet-changed', member: 'email' }),
      ],
      [kept('loginAttempts'), changed({ ...requiring('update.addressed-user-only'), member: 'loginAttempts' })],
      [kept('createdAt'), changed({ ...requiring('update.refused-changes-nothing'), member: 'name' })],
      [changed(requiring('update.concurrent-users')), across('Eve')],
      [changed(requiring('update.earlier-updates-keep')), changed()],
      [changed(), across('Eve')],
      [changed(), changed({ ...requiring('update.earlier-updates-keep'), member: 'email' })],
    ],
  },
  undecided: {
    explains: [[of('stale-response'), of('sent-not-shown')]],
    spares: [[of('altered'), of('sent-not-shown')]],
  },
  'plain-text': {
    explains: [
      [
        unusual('altered', ['x'], requiring('update.values-faithful')),
        unusual('altered', ['y'], requiring('update.json-faithful')),
      ],
      [failedFor('a 😀', 'update.values-faithful'), failedFor('b 😀', 'update.json-faithful')],
    ],
    spares: [
      [failedFor('a 😀', 'update.values-faithful'), failedFor('b é', 'update.json-faithful')],
      [
        unusual('altered', ['x'], requiring('update.values-faithful')),
        unusual('altered', ['y'], requiring('update.values-faithful')),
      ],
      [
        unusual('altered', ['x'], requiring('update.values-faithful')),
        unusual('outcome', ['y'], { ...requiring('update.json-faithful'), actual: 500 }),
      ],
    ],
  },
  'unstable-list': {
    explains: [[of('unstable'), of('absent')]],
    spares: [[of('absent'), of('unstable')]],
  },
  'wrong-alike': {
    explains: [[typed('name', 'null'), typed('email', 'null')]],
    spares: [[typed('name', 'null'), typed('email', 'number string')]],
  },
};

describe('the rules', () => {
  it('have a pair each, and an id of their own', () => {
    expect(RULES.map(({ id }) => id).sort()).toEqual(Object.keys(PAIRS).sort());
  });

  it.each(RULES)('$id: $why', ({ id, explains }) => {
    const found = (pairs: readonly Pair[] = []): readonly boolean[] => pairs.map(([a, b]) => explains(a, b));
    expect(new Set(found(PAIRS[id]?.explains))).toEqual(new Set([true]));
    expect(new Set(found(PAIRS[id]?.spares))).toEqual(new Set([false]));
  });
});

describe('explain', () => {
  const all = Object.values(PAIRS).flatMap(({ explains }) => explains.flat());

  it('leads each deviation to a root, whatever occurs together', () => {
    fc.assert(
      fc.property(fc.subarray(all), (some) => {
        const why = explain(some);
        for (const each of some) {
          const root = rootOf(each, why);
          expect(why.has(root)).toBe(false);
          expect(some).toContain(root);
        }
      }),
      examples(50),
    );
  });

  it('gives the rule, and the way through what is explained itself', () => {
    const [first, second, third] = [
      refused('a', { of: NO_KEY }),
      refused('b', { of: keyed('unknown-key') }),
      refused('c', { of: { ...keyed('unknown-key'), ...BODY } }),
    ];
    const why = explain([third, second, first]);
    expect([...why.values()].map(({ rule }) => rule.id).sort()).toEqual(['fewer-defects', 'weaker-key']);
    expect(rootOf(third, why)).toBe(first);
  });
});
