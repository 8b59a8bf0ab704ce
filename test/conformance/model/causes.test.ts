import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Due } from '../../../conformance/http/due.ts';
import type { Exchange, RequestSpec } from '../../../conformance/http/exchange.ts';
import { explain, rootOf, RULES } from '../../../conformance/model/causes.ts';
import type { Change, Deviation, Kind, Suspect } from '../../../conformance/model/facts.ts';
import { answered, faulted, updateRequest, VALID, without } from '../../support/exchanges.ts';
import { deviation, put, refusalDue } from '../../support/model.ts';
import { examples } from '../../support/sample.ts';

const at = (startedAt: number, exchange: Exchange): Exchange => ({ ...exchange, startedAt });
const due = (changes: Partial<Due>): { due: Due } => ({ due: { ...VALID, ...changes } });

const RESTRICTED: Partial<RequestSpec> = { credential: { label: 'restricted', role: 'restricted' } };
const NO_KEY: Partial<RequestSpec> = { credential: { label: 'no key', bad: 'no-header' } };
const keyed = (bad: string): Partial<RequestSpec> => ({ credential: { label: 'a key', bad } });
const BODY: Partial<RequestSpec> = { meant: { body: 'invalid', id: 'valid' } };
const UNREADABLE: Partial<RequestSpec> = { ...BODY, body: '{"name"' };
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
  change: { between, suspects: between, classes, blamed: blamed ?? 'none' },
});

/** What is wrong with a member of the user. */
const of = (kind: Kind, own: Partial<Deviation> = {}, x = at(5, put({ email: 'a@x' }))): Deviation =>
  deviation(kind, x, { member: 'name', subject: 'user', requirements: ['update.unsent-fields-keep'], ...own });
const changed = (own: Partial<Deviation> = {}): Deviation => of('changed', { ...changeBy(['update']), ...own });
const requiring = (requirement: string): Partial<Deviation> => ({ requirements: [requirement] });
const suspectsOf = (...items: readonly string[]): Suspect[] =>
  items.map((item) => suspect('refused', put({}, { item })));
/** A change that some refused requests may have made. */
const refusedBy = (...items: readonly string[]): Deviation =>
  changed(changeBy(['refused'], 'refused', suspectsOf(...items)));
const refusedOrUpdate = (blamed: string, ...items: readonly string[]): Deviation =>
  changed(changeBy(['refused', 'update'], blamed, suspectsOf(...items)));
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

const wrongStatus = refused('a', { actual: 500 });
const accepted = refused('request-body.name-type', { of: BODY });
const carriedOut = deviation('carried-out', put({}, { due: refusalDue('a', { statuses: [401] }) }, 401));
const unstored = of('not-stored', requiring('update.sent-fields-change'));
/** An update that is not stored, though it was accepted. */
const lost = (body: unknown): Deviation => ({ ...unstored, by: put(body) });
/** Nothing is stored of an update of two members, as its response shows. */
const shownLost: Deviation = {
  ...unstored,
  by: put({ name: 'Ada', email: 'b@x' }),
  x: answered(updateRequest(), 200, { id: 4, name: 'Eve', email: 'a@x' }),
};
const ofOther = put({ name: 'Eve' }, { subject: 'other-user' });
const across = (actual: string): Deviation =>
  changed({ ...requiring('update.addressed-user-only'), subject: 'other-user', by: ofOther, actual });
const failed = outcome(500);
const damaged = (by: Exchange): Deviation => deviation('damaged', put({}, {}, 500), { by, ...requiring('odd') });
const typed = (member: string, old: string): Deviation => of('member', { member, mode: 'wrong-type', old });

/** An update of an id that nothing has, which was accepted. */
const withId = (requirement: string, id: number | string, actual?: number): Deviation =>
  refused(requirement, {
    of: { ...ID, path: `/api/admin/user-admin/${id}` },
    level: 'should',
    ...(actual && { actual }),
  });

const ofRequest = (d: Deviation, changes: Partial<RequestSpec>): Deviation => ({
  ...d,
  x: { ...d.x, request: { ...d.x.request, ...changes } },
});
const ofClass = (d: Deviation, changes: Partial<Due>): Deviation =>
  ofRequest(d, { due: { ...d.x.request.due, ...changes } });

/** A deviation that is otherwise in one aspect. */
const OTHERWISE: Readonly<Record<string, (d: Deviation) => Deviation>> = {
  kind: (d) => ({ ...without(d, 'change'), kind: 'explored' }),
  member: (d) => ({ ...d, member: 'other' }),
  subject: (d) => ({ ...d, subject: 'other' }),
  actual: (d) => ({ ...d, actual: typeof d.actual === 'number' ? d.actual + 1 : 'other' }),
  old: (d) => ({ ...d, old: 'other' }),
  mode: (d) => ({ ...d, mode: 'other' }),
  level: (d) => ({ ...d, level: d.level === 'must' ? 'should' : 'must' }),
  requirement: (d) => ({ ...d, ...requiring('other') }),
  earlier: (d) => ({ ...d, x: at(-1, d.x) }),
  later: (d) => ({ ...d, x: at(1_000, d.x) }),
  operation: (d) => ofRequest(d, { operation: 'listBanners' }),
  of: (d) => ofRequest(d, { subject: 'other-user' }),
  valid: (d) => ofClass(d, { class: 'accept' }),
  plain: (d) => ofClass(without(d, 'by'), { role: 'unlisted' }),
  by: (d) => without(d, 'by'),
  alone: (d) => ({ ...d, isBeside: false }),
};

/** What one explains of another one, and the aspects of which it does not if they are otherwise: `a.kind b.actual`. */
type Pair = readonly [a: Deviation, b: Deviation, aspects?: string];

/** The pairs of which each is otherwise in one aspect. */
const nearTo = ([a, b, aspects = '']: Pair): Pair[] =>
  aspects.split(' ').flatMap((each): Pair[] => {
    const [side, aspect = ''] = each.split('.');
    const other = OTHERWISE[aspect];
    if (!other) return [];
    return [side === 'a' ? [other(a), b] : [a, other(b)]];
  });

const KINDS_OF_UNUSUAL = ['outcome', 'altered', 'damaged', 'changed'] as const;
const COMPARED = ['changed', 'not-stored', 'stale-response', 'sent-not-shown', 'altered', 'other-resource'] as const;
const once = { onceMissing: { requirements: ['gone'], checks: [] } };
const ALL_CHANGED = 'a.kind b.kind a.member';

/** For each rule pairs that it explains, and near pairs that it must not. */
const PAIRS: Readonly<Record<string, { readonly explains: readonly Pair[]; readonly spares?: readonly Pair[] }>> = {
  'fewer-defects': {
    explains: [
      [
        refused('a', { of: NO_KEY }),
        refused('b', { of: { ...NO_KEY, ...BODY } }),
        'a.kind b.kind a.actual b.operation a.valid b.valid',
      ],
      [
        refused('a', { of: NO_KEY }),
        refused('b', { of: { ...NO_KEY, ...BODY }, actual: 422 }),
        'a.kind b.kind a.actual b.operation b.valid',
      ],
      [refused('a', { of: MISSING }), refused('b', { of: ID })],
    ],
    spares: [
      [refused('a', { of: NO_KEY }), refused('b', { of: { ...BODY, ...MISSING } })],
      [refused('a', { of: NO_KEY, actual: 500 }), refused('b', { of: { ...NO_KEY, ...BODY } })],
      [refused('a', { of: { ...MISSING, ...NO_KEY } }), refused('b', { of: ID })],
      [refused('a', { of: NO_KEY }), refused('b', { of: { ...NO_KEY, ...BODY }, actual: 500 })],
      [refused('a', { of: { ...NO_KEY, ...ID } }), refused('b', { of: NO_KEY })],
      [accepted, refused('b', { of: { ...BODY, ...NO_KEY } })],
      [accepted, refused('b', { of: { ...BODY, ...RESTRICTED } })],
    ],
  },
  'weaker-key': {
    explains: [
      [refused('a', { of: NO_KEY }), refused('b', { of: keyed('unknown-key') }), 'a.kind b.operation a.actual'],
      [refused('a', { of: NO_KEY }), refused('b', { of: RESTRICTED })],
      [refused('a', { of: keyed('shortened-key') }), refused('b', { of: keyed('other-end-key') })],
    ],
    spares: [
      [refused('a', { of: keyed('unknown-key') }), refused('b', { of: NO_KEY })],
      [refused('a', { of: NO_KEY }), refused('b', { of: NO_KEY })],
      [refused('a', { of: NO_KEY }), refused('b', { of: { ...NO_KEY, ...BODY } })],
      [refused('a', { of: NO_KEY }), refused('b', { of: keyed('key-in-cookie') })],
      [refused('a', { of: BODY }), refused('b', { of: { ...BODY, ...keyed('other-end-key') } })],
    ],
  },
  'any-key': {
    explains: [
      [refused('a', { of: keyed('unknown-key') }), refused('b', { of: keyed('key-in-body') }), 'a.kind b.operation'],
      [refused('auth.key-required', { of: keyed('blank-header') }), refused('b', { of: keyed('key-in-cookie') })],
      [refused('auth.key-valid', { of: keyed('shortened-key') }), refused('b', { of: keyed('key-in-quotes') })],
    ],
    spares: [
      [refused('auth.key-valid', { of: keyed('shortened-key') }), refused('b', { of: keyed('key-in-body') })],
      [refused('auth.key-required', { of: keyed('blank-header') }), refused('b', { of: keyed('key-in-quotes') })],
      [refused('a', { of: { ...NO_KEY, ...BODY } }), refused('b', { of: { ...BODY, ...keyed('key-in-body') } })],
      [refused('a', { of: NO_KEY }), refused('b', { of: keyed('other-end-key') })],
    ],
  },
  'must-first': {
    explains: [
      [withId('path-id.exact', 4 + 2 ** 32), withId('path-id.no-server-error', 4 + 2 ** 52)],
      [
        refused('a', { of: BODY }),
        refused('b', { of: BODY, level: 'should' }),
        'a.kind a.level b.level a.actual b.operation',
      ],
      [refused('a', { of: NO_KEY }), refused('b', { of: NO_KEY, level: 'should' })],
      [refused('a', { of: UNREADABLE, actual: 500 }), refused('b', { of: BODY, actual: 500, level: 'should' })],
      [refused('a', { of: UNREADABLE }), refused('b', { of: UNREADABLE, level: 'should' })],
      [refused('a', { of: UNREADABLE }), refused('b', { of: { ...BODY, charset: 'latin1' }, level: 'should' })],
    ],
    spares: [
      ...[-4, '4x', 'x4'].map((id): Pair => [withId('path-id.exact', 4 + 2 ** 32), withId('path-id.any', id)]),
      [withId('path-id.exact', 4 + 2 ** 32), withId('path-id.exact', 4 + 2 ** 33)],
      [withId('path-id.exact', 4 + 2 ** 32, 500), withId('path-id.no-server-error', 4 + 2 ** 52, 500)],
      [withId('path-id.no-server-error', 4 + 2 ** 52), withId('path-id.exact', 4 + 2 ** 32)],
      [refused('a', { of: BODY, actual: 500 }), refused('b', { of: BODY, level: 'should' })],
      [refused('a', { of: BODY }), refused('b', { of: ID, level: 'should' })],
      [accepted, refused('b', { of: { ...BODY, body: '{"name":"x",}' }, level: 'should' })],
      [refused('a', { of: UNREADABLE }), refused('b', { of: BODY, level: 'should' })],
      [accepted, refused('request-body.root-role-type', { of: BODY, body: { rootRole: true }, level: 'should' })],
      [accepted, refused('request-body.email-type', { of: BODY, body: { email: 5 }, level: 'should' })],
    ],
  },
  'same-type': {
    explains: [
      [
        accepted,
        refused('request-body.email-type', { of: BODY, body: { email: 5 } }),
        'a.kind b.kind a.actual b.actual',
      ],
      [
        refused('request-body.email-type', { of: BODY, body: { email: 5 } }),
        refused('request-body.object', { of: BODY, body: 5 }),
      ],
      [
        refused('request-body.object', { of: BODY, body: true }),
        refused('request-body.root-role-type', { of: BODY, body: { rootRole: true } }),
      ],
      [refused('a', { of: UNREADABLE }), refused('b', { of: BODY, body: [] }), 'a.kind a.level b.level'],
      [refused('a', { of: { ...BODY, charset: 'latin1' } }), refused('b', { of: BODY, body: [] })],
      [
        refused('request-body.name-type', { of: BODY, body: { name: 5, email: null } }),
        refused('request-body.email-type', { of: BODY, body: { email: 5 } }),
      ],
    ],
    spares: [
      [accepted, refused('request-body.email-type', { of: BODY, body: { email: null } })],
      [accepted, refused('request-body.name-type', { of: BODY, body: { name: 6 } })],
      ...[5, {}].map((value): Pair => [
        refused('request-body.name-type', { of: BODY, body: { name: value } }),
        refused('request-body.root-role-type', { of: BODY, body: { rootRole: value } }),
      ]),
      [
        refused('request-body.object', { of: BODY, body: '' }),
        refused('request-body.root-role-type', { of: BODY, body: { rootRole: '' } }),
      ],
      [refused('a', { of: BODY }), refused('request-body.email-type', { of: BODY, body: { email: 5 } })],
      [refused('a', { of: UNREADABLE }), refused('b', { of: BODY, body: { name: 5 } })],
      [refused('a', { of: UNREADABLE }), refused('b', { of: UNREADABLE })],
      [refused('a', { of: BODY, body: [] }), refused('b', { of: BODY, body: [] })],
      [refused('a', { of: { ...UNREADABLE, ...NO_KEY } }), refused('b', { of: BODY, body: [] })],
    ],
  },
  'once-missing': {
    explains: [
      [
        refused('a', { of: MISSING, actual: 500, due: once }),
        refused('gone', { of: MISSING, actual: 500 }),
        'a.kind a.later b.actual b.requirement b.operation',
      ],
    ],
    spares: [
      [refused('a', { of: MISSING, actual: 500 }), refused('gone', { of: MISSING, actual: 500 })],
      [refused('gone', { of: MISSING, actual: 500, due: once }), refused('gone', { of: MISSING, actual: 500 })],
      [refused('a', { of: MISSING, due: once }), refused('gone', { of: MISSING })],
    ],
  },
  combined: {
    explains: KINDS_OF_UNUSUAL.flatMap((kind): Pair[] => [
      [unusual(kind, ['x']), unusual('outcome', ['x', 'y']), 'a.kind b.kind a.plain'],
      [unusual('altered', ['x']), unusual(kind, ['x', 'y'])],
    ]),
    spares: [
      [unusual('altered', ['x']), unusual('outcome', ['y', 'z'])],
      [unusual('altered', ['x']), unusual('outcome', ['x'])],
      [unusual('altered', ['x']), unusual('damaged', ['x', 'y'], { by: NOTHING })],
    ],
  },
  'other-status': {
    explains: [
      [refused('a', {}), refused('a', { actual: 500 }), 'a.kind b.kind b.valid b.requirement'],
      [refused('a', { actual: 422 }), either(422), 'a.kind b.kind b.actual b.valid a.valid'],
    ],
    spares: [
      [refused('a', {}), refused('a', { actual: 'no response' })],
      [refused('a', { actual: 500 }), refused('a', { actual: 422 })],
      [refused('a', { actual: 422, due: { statuses: [401] } }), either(422)],
      [refused('a', { actual: 500 }), either(500)],
      [refused('a', { actual: 422 }), refused('b', { actual: 422 })],
    ],
  },
  treatment: {
    explains: [
      ...(['response', 'shape', 'carried-out'] as const).map((kind): Pair => [
        failed,
        deviation(kind, failed.x),
        'b.kind',
      ]),
      [
        failed,
        changed(changeBy(['refused-valid'], 'refused-valid', [suspect('refused-valid', failed.x), suspect('read')])),
        'a.kind',
      ],
      [
        accepted,
        changed(changeBy(['wrongly-accepted'], 'wrongly-accepted', [suspect('wrongly-accepted', accepted.x)])),
        'a.actual',
      ],
      [accepted, of('member', { actual: 5 }), 'a.kind a.actual b.kind b.member b.earlier b.of'],
      [failed, damaged(failed.x), 'a.kind b.kind'],
      [
        refused('a', { of: MISSING }),
        refused('b', { of: { ...MISSING, operation: 'listBanners' } }),
        'a.kind a.actual b.kind b.actual b.of a.later a.operation',
      ],
    ],
    spares: [
      [
        refused('a', { of: { ...MISSING, method: 'GET' } }),
        refused('b', { of: { ...MISSING, operation: 'listBanners' } }),
      ],
      [refused('a', {}), refused('b', { of: { operation: 'listBanners' } })],
      [outcome('no response'), changed(changeBy(['unanswered'], 'unanswered', [suspect('unanswered', failed.x)]))],
      [accepted, deviation('response', accepted.x)],
      [wrongStatus, deviation('response', wrongStatus.x)],
      [failed, deviation('response', NOTHING)],
      [failed, changed()],
      [accepted, changed()],
      [failed, damaged(NOTHING)],
    ],
  },
  'carried-out': {
    explains: [
      [carriedOut, changed(changeBy(['refused'])), 'a.kind b.kind'],
      [carriedOut, refused('b', { actual: 401 }), 'b.kind b.valid b.actual'],
      [carriedOut, refused('b', { actual: 500, due: { statuses: [401] } })],
      [carriedOut, deviation('response', put({}, {}, 401)), 'a.kind b.kind'],
      [carriedOut, deviation('shape', put({}, {}, 401))],
      [carriedOut, deviation('carried-out', at(1, put({}, {}, 403))), 'a.kind b.kind b.earlier'],
    ],
    spares: [
      [carriedOut, changed()],
      [carriedOut, refused('b', { actual: 403 })],
      [carriedOut, deviation('response', put({}, {}, 403))],
    ],
  },
  'refused-alike': {
    explains: [
      [outcome(404), refused('b', { actual: 404 }), 'a.kind b.kind b.actual b.operation b.valid'],
      [outcome('no response'), refused('b', { actual: 'no response' }), 'a.later b.actual'],
      [outcome('no response', { class: 'either' }), either('no response'), 'a.kind'],
      [outcome(422), either(422)],
      [failed, damaged(at(5, NOTHING)), 'a.kind b.kind b.by a.actual'],
      [outcome('no response'), { ...damaged(at(5, NOTHING)), x: faulted(NOTHING.request, 'closed') }],
      [
        sporadic({ isBeside: false }),
        deviation('outcome', put({}, due(CONCURRENT), 500), { actual: 500 }),
        'a.kind b.kind a.actual',
      ],
      [sporadic({}), { ...damaged(NOTHING), actual: 500 }, 'a.kind'],
      [
        deviation('outcome', put({}, due(CONCURRENT)), { actual: 500, isBeside: true }),
        sporadic({ isBeside: true }),
        'b.actual a.kind',
      ],
      [
        sporadic({ actual: 401 }),
        deviation('outcome', put({}, { operation: 'listBanners' }, 401), { actual: 401 }),
        'a.kind b.kind',
      ],
      [sporadic({ actual: 401 }), deviation('sporadic', reading401, { actual: 401 }), 'a.kind b.kind b.actual'],
      [
        besideOthers('update.concurrent-fields'),
        besideOthers('update.concurrent-users'),
        'a.requirement b.requirement b.actual a.alone b.alone',
      ],
    ],
    spares: [
      [sporadic({}), deviation('outcome', put({}, { operation: 'listBanners' }, 500), { actual: 500 })],
      [deviation('sporadic', reading401, { actual: 401 }), sporadic({ actual: 401 })],
      [sporadic({ isBeside: true }), deviation('outcome', put({}, due(CONCURRENT), 500), { actual: 500 })],
      [deviation('outcome', put({}, due(CONCURRENT)), { actual: 500, isBeside: true }), sporadic({ isBeside: false })],
      [outcome('no response'), damaged(at(5, NOTHING))],
      [
        outcome('no response', { class: 'either' }),
        deviation('outcome', put({}, due({ class: 'either' })), { actual: 'no response' }),
      ],
      [outcome(404, { class: 'either' }), refused('b', { actual: 404 })],
      [outcome(500, {}, 10), damaged(at(5, NOTHING))],
      [outcome(500, {}, 5), damaged(at(5, NOTHING))],
    ],
  },
  lost: {
    explains: [
      [changed({ actual: null }), of('member', { actual: null }), `${ALL_CHANGED} a.actual b.actual`],
      [of('not-stored', { actual: null }), of('member', { actual: null }, put({ name: 'Ada' }, due(CONCURRENT)))],
    ],
    spares: [[changed({ actual: null }), of('member', { actual: null }, put({ name: 'Ada' }))]],
  },
  type: {
    explains: [
      ...COMPARED.map((kind): Pair => [of('member', { actual: 5 }), of(kind), 'a.kind b.kind b.member']),
      [of('member', { actual: null }, put({ name: 'Ada' })), changed()],
      [of('other-resource', { member: 'id' }), changed(), 'a.kind b.kind'],
      [of('other-resource', { member: 'id' }), unstored],
      [of('member', { member: 'id' }), of('other-resource', { member: 'id' })],
      ...(['absent', 'repeated'] as const).map((kind): Pair => [
        deviation('member', NOTHING, { member: 'id' }),
        deviation(kind, NOTHING, { member: 'id' }),
      ]),
    ],
    spares: [
      [of('member', { actual: null }), changed()],
      [of('member', { actual: null }, put({ name: 'Ada' }, due(CONCURRENT))), changed()],
      [of('other-resource', { member: 'id' }), changed(changeBy(['refused']))],
      [of('other-resource', { member: 'id' }), failed],
      [of('other-resource', { member: 'id' }), of('member', { actual: 5 })],
      [of('member', { member: 'id' }), deviation('absent', NOTHING, { member: 'id' })],
    ],
  },
  'fewer-suspects': {
    explains: [
      [changed(), changed(changeBy(['read', 'update'])), 'a.kind b.kind'],
      [changed({ member: 'username' }), changed({ ...changeBy(['read', 'update']), member: 'createdAt' })],
      [changed({ member: 'name' }), changed({ ...changeBy(['read', 'update']), member: 'email' })],
      [changed(), changed(changeBy(['update', 'read']))],
      [changed(), changed({ ...changeBy(['writer', 'update']), member: 'username' })],
      [changed(changeBy(['empty'])), changed(changeBy(['update', 'empty']))],
      [
        changed({ ...changeBy(['unanswered']), requirements: [] }),
        changed(changeBy(['unanswered', 'update'])),
        `${ALL_CHANGED} b.subject`,
      ],
      [changed(changeBy(['read', 'empty'])), changed(changeBy(['update', 'read']))],
      [refusedBy('1'), refusedBy('1', '2')],
    ],
    spares: [
      [refusedBy('1', '1'), refusedBy('1', '1')],
      [refusedBy('1'), refusedBy('2', '3')],
      [refusedOrUpdate('refused', '1'), refusedOrUpdate('update', '1', '2')],
      [refusedOrUpdate('update', '1'), refusedOrUpdate('refused', '1', '2')],
      [
        refusedBy('1'),
        changed(changeBy(['refused'], 'refused', [...suspectsOf('1'), suspect('update', put({}, { item: '2' }))])),
      ],
      [changed(changeBy(['read', 'update'])), changed(changeBy(['update', 'read'], 'update'))],
      [changed({ member: 'name' }), changed({ ...changeBy(['read', 'update']), member: 'username' })],
      [changed(changeBy(['empty', 'update'])), changed(changeBy(['update', 'empty']))],
      [changed(changeBy(['read'])), changed(changeBy(['update', 'empty']))],
      [
        changed({ ...changeBy(['unanswered']), requirements: [] }),
        changed({ ...changeBy(['unanswered']), requirements: [] }),
      ],
      [changed({ ...changeBy(['unanswered', 'read']), requirements: [] }), changed(changeBy(['unanswered', 'update']))],
    ],
  },
  'back-again': {
    explains: [
      [
        changed({ expected: 'Ada', actual: 'Eve' }),
        changed({ expected: 'Eve', actual: 'Ada' }),
        `${ALL_CHANGED} b.subject a.later a.actual b.actual`,
      ],
    ],
    spares: [
      [
        changed({ expected: 'Ada', actual: 'Eve' }),
        changed({
          expected: 'Eve',
          actual: 'Ada',
          ...changeBy(['update'], 'update', [suspect('update', put({ name: 'Ada' })), suspect('read')]),
        }),
      ],
    ],
  },
  'not-stored': {
    explains: [
      [unstored, unusual('altered', ['x']), 'a.kind b.kind b.member'],
      [changed(requiring('update.sent-fields-change')), of('stale-response'), 'a.kind a.requirement b.kind'],
      [unstored, changed(), 'b.kind b.subject'],
      [lost({ name: 'Ada' }), accepted, 'b.kind b.actual b.of a.old'],
      [shownLost, refused('a', { of: BODY, body: [] }), 'a.kind b.actual'],
    ],
    spares: [
      [unstored, changed(requiring('update.sent-fields-change'))],
      [unstored, across('Eve')],
      [lost({ name: 'Ada', email: 'a@x' }), accepted],
      [lost({ name: 'Ada' }), refused('b', { of: BODY, body: { name: 'Ada', email: 5 } })],
      [unstored, refused('auth.key-required', { of: NO_KEY })],
      [unstored, refused('a', { of: BODY, body: [] })],
      [{ ...shownLost, x: put({}, {}, 500) }, refused('a', { of: BODY, body: [] })],
      [{ ...shownLost, by: put({ name: 'Ada' }) }, refused('a', { of: BODY, body: [] })],
      [{ ...shownLost, by: put({ name: 'Ada', email: 'a@x' }) }, refused('a', { of: BODY, body: [] })],
    ],
  },
  'lost-as-well': {
    explains: [
      [
        sporadic({ member: 'name', actual: 'Eve' }),
        of('altered', { member: 'email', old: 'e@x', actual: 'e@x' }),
        'a.kind b.kind b.actual',
      ],
      [
        { ...unstored, by: NOTHING },
        changed({ ...changeBy(['read', 'sender']), member: 'email', old: 'e@x', actual: 'e@x' }),
        'a.kind b.kind b.actual a.by',
      ],
    ],
    spares: [
      [sporadic({}), of('altered', { member: 'email', old: 'e@x', actual: 'e@x' })],
      [sporadic({ member: 'name' }), of('altered', { member: 'email' })],
      [{ ...unstored, by: NOTHING }, changed({ ...changeBy(['sender']), old: 'e@x', actual: 'e@x' })],
      [{ ...unstored, by: NOTHING }, changed({ ...changeBy(['update']), member: 'email', old: 'e@x', actual: 'e@x' })],
      [lost({ name: 'Ada' }), changed({ ...changeBy(['sender']), member: 'email', old: 'e@x', actual: 'e@x' })],
    ],
  },
  'stored-elsewhere': {
    explains: [
      [across('Eve'), unstored, 'a.kind b.kind a.requirement a.by a.actual'],
      [{ ...across('Eve'), ...requiring('update.concurrent-users') }, unstored],
    ],
    spares: [
      [across('Eve'), { ...unstored, subject: 'other-user' }],
      [{ ...across('5'), actual: 5, by: put({ rootRole: 5 }) }, unstored],
    ],
  },
  misplaced: {
    explains: [
      [
        unstored,
        changed({ member: 'username', by: put({ name: 'Ada' }), actual: 'Ada' }),
        'a.kind b.kind b.member b.subject b.by b.actual',
      ],
    ],
  },
  'plain-first': {
    explains: [
      [unstored, unusual('altered', ['x']), 'a.kind a.level b.level b.kind b.earlier b.member b.operation'],
      [changed(), unusual('altered', ['x']), 'a.kind'],
      [of('stale-response'), unusual('altered', ['x']), 'a.kind'],
      [failed, unusual('altered', ['x']), 'a.kind'],
      [failed, unusual('outcome', ['x'], { actual: 422 }), 'a.kind b.kind b.earlier'],
      [outcome('no response'), unusual('outcome', ['x'], { actual: 'no response' })],
      [unstored, changed({ ...changeBy(['unlisted']), level: 'should' }), 'b.kind b.member'],
      [failed, changed({ ...changeBy(['unusual']), level: 'should' })],
      [unstored, changed({ ...changeBy(['concurrent']), member: 'email', level: 'should' }), 'b.kind'],
      [failed, changed({ ...changeBy(['concurrent']), level: 'should' })],
    ],
    spares: [
      ...['refused', 'wrongly-accepted', 'read'].map((how): Pair => [
        changed(changeBy([how])),
        unusual('altered', ['x']),
      ]),
      [changed({ requirements: [], level: 'must' }), unusual('altered', ['x'])],
      [either(500), unusual('altered', ['x'])],
      [unstored, unusual('outcome', ['x'], { actual: 422 })],
      [unstored, changed({ ...changeBy(['concurrent']), member: 'username', level: 'should' })],
    ],
  },
  'simpler-request': {
    explains: [
      [across('Eve'), changed(requiring('update.concurrent-users')), ALL_CHANGED],
      [changed(requiring('update.refused-changes-nothing')), changed(requiring('update.concurrent-refusals'))],
      [
        changed({ ...changeBy(['refused']), level: 'must' }),
        changed({ ...changeBy(['unusual']), mode: 'refused-yet-changed' }),
        `${ALL_CHANGED} a.level b.mode`,
      ],
      ...[
        'earlier-updates-keep',
        'empty-body-changes-nothing',
        'refused-changes-nothing',
        'concurrent-fields',
        'concurrent-refusals',
      ].map((each): Pair => [changed(), changed(requiring(`update.${each}`))]),
      [changed(), changed(requiring('side-effects.of-reading'))],
      [
        kept('createdAt'),
        changed({ ...requiring('update.addressed-user-only'), member: 'createdAt' }),
        `${ALL_CHANGED} a.requirement`,
      ],
    ],
    spares: [
      [kept('loginAttempts'), changed({ ...requiring('update.addressed-user-only'), member: 'loginAttempts' })],
      [kept('createdAt'), kept('createdAt')],
      [kept('createdAt'), { ...kept('createdAt'), requirements: [] }],
      [changed(), changed({ ...changeBy(['unusual']), ...requiring('odd'), mode: 'refused-yet-changed' })],
      [changed(requiring('update.concurrent-users')), across('Eve')],
      [changed(requiring('update.earlier-updates-keep')), changed()],
      [changed(), across('Eve')],
    ],
  },
  undecided: {
    explains: [
      ...(['stale-response', 'not-stored', 'member'] as const).map((kind): Pair => [
        of(kind),
        of('sent-not-shown'),
        'a.kind b.kind',
      ]),
      [changed(changeBy(['sender'])), of('sent-not-shown'), 'a.kind'],
    ],
    spares: [[of('altered'), of('sent-not-shown')]],
  },
  'plain-text': {
    explains: [
      ...(['altered', 'damaged', 'changed'] as const).map((kind): Pair => [
        unusual('altered', ['x'], requiring('update.values-faithful')),
        unusual(kind, ['y'], requiring('update.json-faithful')),
        'a.kind a.requirement b.kind b.requirement',
      ]),
      [
        unusual('damaged', ['x'], { ...requiring('update.values-faithful'), actual: 'no response' }),
        unusual('outcome', ['y'], { ...requiring('update.json-faithful'), actual: 'no response' }),
        'a.kind b.actual',
      ],
      [failedFor('a 😀', 'update.values-faithful'), failedFor('b 😀', 'update.json-faithful'), 'b.actual'],
      [
        refused('request-body.well-formed', {}),
        unusual('altered', ['y'], requiring('update.json-faithful')),
        'a.kind a.valid a.requirement',
      ],
    ],
    spares: [
      [failedFor('a 😀', 'update.values-faithful'), failedFor('b é', 'update.json-faithful')],
      [failedFor('a \u007f', 'update.values-faithful'), failedFor('b \u007f', 'update.json-faithful')],
      [
        unusual('altered', ['x'], requiring('update.values-faithful')),
        unusual('outcome', ['y'], { ...requiring('update.json-faithful'), actual: 500 }),
      ],
    ],
  },
  'unstable-list': {
    explains: [
      [of('unstable'), of('absent'), 'a.kind b.kind'],
      [of('unstable'), of('side-effect')],
      [of('side-effect'), of('repeated')],
      [of('repeated'), of('absent'), 'a.kind b.kind'],
    ],
    spares: [
      [of('absent'), of('unstable')],
      [of('side-effect'), of('side-effect')],
    ],
  },
  'wrong-alike': {
    explains: [[typed('name', 'null'), typed('email', 'null'), 'a.kind b.kind a.mode b.mode b.old b.operation']],
    spares: [[typed('name', 'null'), typed('name', 'null')]],
  },
};

describe('the rules', () => {
  it('have a pair each, and an id of their own', () =>
    expect(RULES.map(({ id }) => id).sort()).toEqual(Object.keys(PAIRS).sort()));

  it.each(RULES)('$id: $why', ({ id, explains }) => {
    const { explains: pairs = [], spares = [] } = PAIRS[id] ?? {};
    expect(pairs.filter(([a, b]) => !explains(a, b))).toEqual([]);
    expect([...spares, ...pairs.flatMap(nearTo)].filter(([a, b]) => explains(a, b))).toEqual([]);
  });
});

describe('explain', () => {
  const all = Object.values(PAIRS).flatMap(({ explains }) => explains.flatMap(([a, b]) => [a, b]));

  it('leads each deviation to a root, whatever occurs together', () => {
    fc.assert(
      fc.property(fc.subarray(all, { maxLength: 10 }), (some) => {
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

  it('finds a root behind what it explains, in whatever order they are', () => {
    const change = changeBy(['refused-valid'], 'refused-valid', [suspect('refused-valid', failed.x)]);
    const [lostName, shownNull] = [changed({ ...change, actual: null }), of('member', { actual: null })];
    expect(rootOf(shownNull, explain([shownNull, lostName, failed]))).toBe(failed);
    expect(explain([deviation('response', put({}, {}, 401)), carriedOut]).size).toBe(1);
  });

  it('takes the first of those that explain only each other for the root', () => {
    const [first, second] = [typed('name', 'null'), typed('email', 'null')];
    expect([...explain([first, second])].map(([d, { by }]) => [d, by])).toEqual([[second, first]]);
  });

  it('prefers what may be due to another one alone to what shows the same', () => {
    const [first, second] = [refused('a', { of: NO_KEY }), refused('b', { of: keyed('unknown-key') })];
    const third = { ...second, level: 'should' } as const;
    expect(explain([first, second, third]).get(third)?.rule.id).toBe('must-first');
  });
});
