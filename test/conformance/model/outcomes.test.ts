import { describe, expect, it } from 'vitest';
import { type ControlShape, type Due, UNSPECIFIED } from '../../../conformance/http/due.ts';
import type { Credential, Exchange, RequestSpec } from '../../../conformance/http/exchange.ts';
import type { Recording } from '../../../conformance/model/recording/recording.ts';
import { makeNotes } from '../../../conformance/model/facts.ts';
import { controlsOf, damageIn, isCarriedOut, judgeOutcomes } from '../../../conformance/model/outcomes.ts';
import { answered, bannersRequest, faulted, inOrder, inputs, updateRequest, VALID } from '../../support/exchanges.ts';
import { put, refusalDue, viewOf } from '../../support/model.ts';

const RESTRICTED: Credential = { label: 'the restricted key', header: 'r', role: 'restricted' };
const CHECK = 'name-number-refused';
const NAME: ControlShape = { operation: 'updateUser', members: ['name'] };
const USER = { id: 4, name: 'Ada' };
const ERROR = { id: '1', name: 'ValidationError', message: 'no' };
const control = put({ name: 'Ada' });
const obstacle = { reason: 'missing-input', detail: 'no key' } as const;

const REFUSED = refusalDue(CHECK, { controls: [NAME] });
const bad = (due: Due = REFUSED, changes: Partial<RequestSpec> = {}): RequestSpec =>
  updateRequest({ body: '{"name":5}', meant: { body: 'invalid', id: 'valid' }, due, purpose: 'It', ...changes });
const due = (changes: Partial<Due>): Due => ({ ...VALID, checks: [CHECK], ...changes });
const valid = (changes: Partial<Due> = {}, request: Partial<RequestSpec> = {}): RequestSpec =>
  updateRequest({ due: due(changes), ...request });
const read = bannersRequest({ due: due({}) });
const later = bannersRequest({ due: due({}), purpose: 'later' });
const respelled = bannersRequest({ due: due({ role: 'respelled' }) });
const EITHER: Partial<Due> = { class: 'either', statuses: [200, 400] };

/** What a pass says of a check: each deviation by mode and requirements, what holds, and what is doubtful. */
function saidOf(exchanges: readonly Exchange[], rest: Partial<Recording> = {}, check = CHECK): readonly string[] {
  const view = viewOf(inOrder(...exchanges), rest);
  const notes = makeNotes();
  judgeOutcomes(view, notes, damageIn(view.exchanges));
  const { reason, isWeak } = notes.doubts.get(check) ?? {};
  return [
    ...notes.deviations
      .filter(({ checks }) => checks.includes(check))
      .map(({ mode, requirements }) => [mode, ...requirements].join(' ')),
    ...(notes.witnesses.has(check) ? ['holds'] : []),
    ...(notes.absences.has(check) ? ['absent'] : []),
    ...(reason ? [isWeak ? `perhaps ${reason}` : reason] : []),
  ];
}

describe('a request that must be refused', () => {
  const judge = (x: Exchange, others: readonly Exchange[] = [control], rest: Partial<Recording> = {}) =>
    saidOf([...others, x], rest);

  it.each<[what: string, said: string, x: Exchange]>([
    ['the right status, whatever the body', 'holds', answered(bad(), 400, null)],
    ...[500, 422, 404, 401, 302].map((status): [string, string, Exchange] => [
      `${status}`,
      `wrong-status ${CHECK}`,
      answered(bad(), status),
    ]),
    ['each 2xx status', `accepted ${CHECK}`, answered(bad(), 204)],
    ['an error as body of a 200', `wrong-status ${CHECK}`, answered(bad(), 200, ERROR)],
    ['a closed connection', `no-response ${CHECK}`, faulted(bad(), 'closed')],
    ...(
      [
        ['timeout', 'target-unreachable'],
        ['unreachable', 'target-unreachable'],
        ['limit', 'limit-exceeded'],
        ['protocol', 'limit-exceeded'],
        ['throttled', 'throttled'],
        ['aborted', 'deadline'],
      ] as const
    ).map(([kind, said]): [string, string, Exchange] => [kind, said, faulted(bad(), kind)]),
    ['what is unspecified', '', answered(bad({ ...REFUSED, class: 'unspecified' }), 200)],
  ])('and got %s: %s', (_what, said, x) => expect(judge(x).join()).toBe(said));

  it('proves nothing by a refusal where the control was not accepted, or the operation was given up', () => {
    for (const x of [answered(bad(), 400), answered(bad(), 500)]) {
      expect(judge(x, [])).toEqual(['control-refused']);
      expect(judge(x, [control], { blocked: { updateUser: obstacle } })).toEqual(['missing-input']);
    }
    expect(judge(answered(bad(), 200), [])).toEqual([`accepted ${CHECK}`]);
  });

  it('says nothing if the target does not know the restricted key anywhere', () => {
    const forbidden = refusalDue(CHECK, { statuses: [403] });
    const x = answered(bad(forbidden, { credential: RESTRICTED }), 401);
    const known = answered(bannersRequest({ credential: RESTRICTED }), 403);
    expect(judge(x)).toEqual(['control-refused']);
    expect(judge(x, [control, known])).toEqual([`wrong-status ${CHECK}`]);
    expect(judge(answered(x.request, 404))).toEqual([`wrong-status ${CHECK}`]);
  });

  it('says nothing if its path is taken for a user that an earlier request broke', () => {
    const path = (id: string, due: Due) =>
      bad(due, { path: `/api/admin/user-admin/${id}`, subject: 'invalid-id', meant: { body: 'valid', id: 'invalid' } });
    const breaks = answered(valid({ role: 'unusual', checks: [] }), 500);
    const others = [control, answered(path('4abc', UNSPECIFIED), 200), breaks];
    expect(judge(answered(path('4%00', REFUSED), 500), others)).toEqual(['precondition-failed']);
  });

  it('contradicts another requirement once the user was reported missing', () => {
    const onceMissing = { requirements: ['missing-user.not-created'], checks: [CHECK] };
    const own = refusalDue(CHECK, { statuses: [404], onceMissing });
    const x = (status: number) => answered(bad(own, { subject: 'missing-user' }), status);
    expect(judge(x(200), [x(404)])).toEqual(['accepted missing-user.not-created', 'holds']);
    expect(judge(x(404), [x(200)])).toEqual([`accepted ${CHECK}`, 'holds']);
    expect(judge(x(200), [x(400)])).toEqual([`wrong-status ${CHECK}`, `accepted ${CHECK}`]);
  });
});

describe('a request that may be accepted', () => {
  const OK = 'update.success-is-200';
  const OPTIONAL = 'update.fields-optional';
  const both = valid({}, { body: '{"name":"a","email":"b"}' });
  const role = valid({}, { body: '{"rootRole":1}' });
  const other = valid({}, { subject: 'other-user' });
  const restoring = valid({}, { phase: 'restore' });
  const noRole = answered(bad(REFUSED, { body: '{"rootRole":null}' }), 200);

  it.each<[what: string, said: string, ...exchanges: readonly Exchange[]]>([
    ['200', 'holds', answered(valid(), 200, USER)],
    ['an error as body of a 200', `wrong-success-status ${OK}`, answered(valid(), 200, ERROR)],
    ['201', `wrong-success-status ${OK}`, answered(valid(), 201)],
    ['a redirect', `redirected ${OK}`, answered(valid(), 300)],
    ['500', `server-error ${OK}`, answered(valid(), 500)],
    ['404', `refused ${OK}`, answered(valid(), 404)],
    ['400, of its members', `refused ${OK} ${OPTIONAL}`, answered(valid(), 400)],
    ['400, where more are accepted', `refused ${OPTIONAL} ${OK},holds`, answered(both, 200), answered(valid(), 400)],
    ['400, where others are', `refused ${OK} ${OPTIONAL}`, put({ name: 'a', rootRole: 1 }), answered(both, 400)],
    ['a closed connection, and else responses', `no-response ${OK}`, control, faulted(valid(), 'closed')],
    ['a closed connection of one that never does', 'target-unreachable', faulted(valid(), 'closed')],
    ['a refusal of the only roles', 'control-refused', answered(role, 400)],
    ['a refusal of the only roles but null', `accepted ${CHECK},control-refused`, noRole, answered(role, 400)],
    ['a refusal of the other user, each time', '', control, answered(other, 404)],
    ['a refusal of the other user, once', `refused ${OK},holds`, answered(other, 200), answered(other, 404)],
    ['none, and 200 when sent again', 'holds,target-unreachable', faulted(valid(), 'timeout'), answered(valid(), 200)],
    ['a closed connection at the end', 'target-unreachable', control, faulted(restoring, 'closed')],
    ['503 at the end', 'throttled', control, answered(restoring, 503)],
    ['500 at the end', `server-error ${OK}`, control, answered(restoring, 500)],
    ['503 before that', `server-error ${OK}`, control, answered(valid(), 503)],
    ['400 for what may be refused', 'holds', answered(valid(EITHER), 400)],
    ['422 for what may be refused', `wrong-status ${OK}`, answered(valid(EITHER), 422)],
    ['200 for an unusual one: what is stored tells', '', answered(valid({ ...EITHER, role: 'unusual' }), 200, USER)],
    ['a refused repetition', `refused ${OK}`, answered(valid({ role: 'repetition' }), 400)],
    ['a repetition that breaks', `refused ${OK}`, answered(valid({ role: 'repetition' }), 500)],
    ['404 for another spelling of the header', 'precondition-failed', answered(valid({ role: 'respelled' }), 404)],
    ['401 for it', `not-found ${OK}`, answered(valid({ role: 'respelled' }), 401)],
  ])('and got %s: %s', (_what, said, ...exchanges) => expect(saidOf(exchanges).join()).toBe(said));

  it('says nothing for sure where an unusual one before it failed as well', () => {
    const unusual = valid({ ...EITHER, role: 'unusual' });
    const exchanges = [answered(unusual, 500), answered(unusual, 500)];
    expect(saidOf(exchanges)).toEqual([`wrong-status ${OK}`, 'perhaps precondition-failed']);
    expect(saidOf([...exchanges, faulted(unusual, 'timeout')])).toEqual([`wrong-status ${OK}`, 'target-unreachable']);
  });

  it('is one that is accepted now and then, whatever it is about, where the same is accepted when it is sent again', () => {
    const again = valid({ role: 'repetition', requirements: ['update.repeatable'] });
    const others = [answered(bannersRequest(), 200), put({}, { due: UNSPECIFIED }), control];
    const all = [...others, answered(again, 400), answered(again, 200, USER)];
    expect(saidOf(all, {}, 'update-always-200')).toEqual([`refused ${OK}`, 'holds']);
  });

  it.each<[what: string, isSporadic: boolean, exchanges: readonly Exchange[]]>([
    ['a reading that is accepted later', true, [answered(read, 401), answered(later, 200)]],
    ['one that is refused for something else', false, [answered(read, 403), answered(later, 200)]],
    ['one of another path', false, [answered(read, 401), answered(bannersRequest({ path: '/other' }), 200)]],
    ['one that never is accepted', false, [answered(read, 401), answered(read, 401)]],
    ['one that is accepted without a key', false, [answered(read, 401), answered({ ...later, due: UNSPECIFIED }, 200)]],
    ['one with another spelling of the header', false, [answered(respelled, 401), answered(read, 200)]],
    ['an update', false, [answered(valid(), 401), control]],
  ])('is refused now and then: %s: %s', (_what, isSporadic, exchanges) => {
    const notes = makeNotes();
    const view = viewOf(inOrder(...exchanges));
    judgeOutcomes(view, notes, damageIn(view.exchanges));
    expect(notes.deviations[0]?.kind).toBe(isSporadic ? 'sporadic' : 'outcome');
  });

  it('says nothing of itself where the operation was given up', () =>
    expect(saidOf([answered(valid(), 401)], { blocked: { updateUser: obstacle } })).toEqual([]));
});

describe('controlsOf', () => {
  const accepts = (x: Exchange, shape = NAME): boolean => controlsOf(viewOf([x]))(shape);
  const listed = answered(bannersRequest(), 200);
  const LIST: ControlShape = { operation: 'listBanners', members: [] };

  it('finds an accepted update of the same members, in any order, and an accepted list', () => {
    expect(accepts(control)).toBe(true);
    expect(accepts(put({ name: 'a', email: 'b' }), { ...NAME, members: ['name', 'email'] })).toBe(true);
    expect(accepts(listed, LIST)).toBe(true);
  });

  it.each<[why: string, x: Exchange, shape?: ControlShape]>([
    ['had more members', put({ name: 'a', email: 'b' })],
    ['was sent by the restricted key', put({ name: 'a' }, { credential: RESTRICTED })],
    ['was sent without a valid key', put({ name: 'a' }, { credential: { label: 'none' } })],
    ['was for another user', put({ name: 'a' }, { subject: 'other-user' })],
    ['had a defect in its body', put({ name: 'a' }, { meant: { body: 'invalid', id: 'valid' } })],
    ['had another path id', put({ name: 'a' }, { meant: { body: 'valid', id: 'unspecified' } })],
    ['was refused', put({ name: 'a' }, {}, 400)],
    ['got no response', faulted(updateRequest(), 'timeout')],
    ['was another operation', listed],
    ['was another operation, and no list', control, LIST],
  ])('takes no request for a control that %s', (_why, x, shape) => expect(accepts(x, shape)).toBe(false));
});

describe('isCarriedOut', () => {
  const text = (body: string): Exchange => {
    const x = answered(updateRequest(), 401);
    return { ...x, response: { status: 401, headers: {}, text: body, json: { ok: false, reason: 'no JSON' } } };
  };

  it.each<[what: string, expected: boolean, x: Exchange]>([
    ['the user in an error response', true, answered(updateRequest(), 400, USER)],
    ['the list in an error response', true, answered(bannersRequest(), 401, { banners: [] })],
    ['another error of the list', false, answered(bannersRequest(), 401, { error: 'no' })],
    ['another user', false, answered(updateRequest(), 401, { ...USER, id: 5 })],
    ['an error', false, answered(updateRequest(), 401, ERROR)],
    ['the user in a success', false, answered(updateRequest(), 200, USER)],
    ['two bodies, one after the other', true, text(`${JSON.stringify(ERROR)}\n${JSON.stringify(USER)}`)],
    ['a body that breaks off', false, text(`${JSON.stringify(ERROR)}{"id":`)],
    ['no response', false, faulted(updateRequest(), 'closed')],
  ])('of %s: %s', (_what, expected, x) => expect(isCarriedOut(x, viewOf([]))).toBe(expected));
});

describe('damageIn', () => {
  const odd = (status = 200) => answered(valid({ role: 'unusual' }, { purpose: 'odd' }), status, USER);
  const failed = put({ name: 'Ada' }, { purpose: 'next' }, 500);
  const path = (id: string, status = 500, meantId: RequestSpec['meant']['id'] = 'unspecified') =>
    put(
      {},
      { path: `/api/admin/user-admin/${id}`, subject: 'invalid-id', meant: { body: 'valid', id: meantId } },
      status,
    );
  const RESTORING = { ...valid({}), phase: 'restore', meant: { body: 'unspecified', id: 'valid' } } as const;
  const damagedIn = (...exchanges: readonly Exchange[]) => {
    const all = inOrder(...exchanges);
    return [...damageIn(all)].map(([each, by]) => [all.indexOf(each), all.indexOf(by)]);
  };

  it.each<[what: string, exchanges: readonly Exchange[], found: readonly (readonly number[])[]]>([
    ['a valid request that fails after an unusual one', [odd(), failed], [[1, 0]]],
    [
      'all that fail, until one comes through',
      [odd(), failed, failed, control, failed],
      [
        [1, 0],
        [2, 0],
      ],
    ],
    ['what fails after an invalid one that was accepted', [answered(bad(), 200), failed], [[1, 0]]],
    ['nothing after an invalid one that was refused', [answered(bad(), 400), failed], []],
    ['what fails after an unusual one by a closed connection', [odd(), faulted(updateRequest(), 'closed')], [[1, 0]]],
    ['what fails once only the body that shows the user came through', [odd(), put({}), failed], [[2, 0]]],
    ['a body that shows the user', [odd(), put({}, { due: { ...UNSPECIFIED, role: 'reading' } }, 500)], [[1, 0]]],
    ['nothing after one without permission', [answered(bad(REFUSED, { credential: RESTRICTED }), 500), failed], []],
    ['an unusual one that breaks where the one before it did', [odd(500), odd(500)], [[1, 0]]],
    ['an update that puts old values back', [odd(), put({ name: 'Ada' }, RESTORING, 500)], [[1, 0]]],
    ['nothing of the other user', [odd(), put({}, { subject: 'other-user' }, 500)], []],
    ['a path that begins with the id', [path('4abc', 200, 'invalid'), odd(500), path('4%00'), path('%ff')], [[2, 1]]],
    ['no such path where none was taken for the id', [path('4abc', 404, 'invalid'), odd(), path('4%00')], []],
    ['no such path where another spelling of the id was', [path('4.0', 200), odd(), path('4%00')], []],
  ])('finds %s', (_what, exchanges, found) => expect(damagedIn(...exchanges)).toEqual(found));
});

describe('what is judged besides', () => {
  const QUERY: Credential = { label: 'a query', query: 'key=Admin-key-1' };

  it.each<[what: string, said: string, status: number, key?: 'carried' | 'shown', credential?: Credential]>([
    ['a response shows it', 'key-shown auth.key-not-shown', 200, 'shown'],
    ['a response to a query shows it', 'key-shown auth.key-not-shown', 200, 'shown', QUERY],
    ['a redirect shows it', 'key-shown auth.key-not-shown', 301, 'shown'],
    ['a redirect shows it in its query', '', 301, 'shown', QUERY],
    ['no response shows it', 'holds', 200, 'carried'],
    ['none was sent', '', 200],
  ])('is that no response repeats a valid key: %s', (_what, said, status, key, credential) => {
    const x = answered(updateRequest(credential && { credential }), status, USER);
    expect(saidOf([key ? { ...x, key } : x], {}, 'auth-key-not-shown').join()).toBe(said);
  });

  it('is no key that may occur by chance', () => {
    const short = { ...inputs, adminKey: 'k', restrictedKey: 'l' };
    expect(saidOf([control], { inputs: short }, 'auth-key-not-shown')).toEqual(['absent']);
  });

  const listed = answered(bannersRequest(), 200);
  const MISSED = { blocked: { listBanners: { ...obstacle, exchange: answered(bannersRequest(), 404) } } };
  it.each<[what: string, said: string, status: number, others: readonly Exchange[], rest?: Partial<Recording>]>([
    ['401', 'holds', 401, []],
    ['404 of an operation that works', 'holds', 404, [answered(bannersRequest(), 200)]],
    ['404 where another operation works', 'unknown-path auth.operations-exist', 404, [control]],
    ['404 where none does', '', 404, [put({}, {}, 404)]],
    ['404 where only itself was found, at times', 'missing-input', 404, [listed], MISSED],
    ['401 where it was not found with a key', 'missing-input', 401, [control], MISSED],
    ['404 where it was given up otherwise', 'missing-input', 404, [control], { blocked: { listBanners: obstacle } }],
    ['200', 'precondition-failed', 200, []],
  ])('is that the operation exists: %s without a key: %s', (_what, said, status, others, rest = {}) => {
    const own = { ...UNSPECIFIED, exists: CHECK };
    const x = answered(bannersRequest({ credential: { label: 'no key' }, due: own }), status);
    expect(saidOf([...others, x], rest).join()).toBe(said);
  });

  it.each([
    ['is not found with a key either', '', 404, 404],
    ['is refused with another status', 'server-error update.success-is-200', 404, 500],
    ['is found without a key', 'refused update.success-is-200', 401, 404],
  ])('is that the operation exists, and that alone, where it %s', (_what, said, keyless, status) => {
    const own = { ...UNSPECIFIED, exists: 'exists' };
    const x = answered(bannersRequest({ credential: { label: 'no key' }, due: own }), keyless);
    expect(saidOf([control, x, answered(read, status)]).join()).toBe(said);
  });

  it('is nothing of another operation', () => {
    const own = { ...UNSPECIFIED, exists: 'exists' };
    const x = answered(bannersRequest({ credential: { label: 'no key' }, due: own }), 404);
    expect(saidOf([control, x, answered(valid(), 404)])).toEqual(['refused update.success-is-200']);
  });
});
