import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../../conformance/judging/check.ts';
import type { Evidence } from '../../../conformance/judging/evidence.ts';
import type { Control, Probe } from '../../../conformance/judging/traffic.ts';
import { CONTROL as BANNERS } from '../../../conformance/operations/list-banners/requests.ts';
import { CONTROLS } from '../../../conformance/operations/update-user/scenarios.ts';
import {
  blockedOrUnsent,
  controlAccepted,
  documentedErrors,
  eitherFailure,
  failed,
  judgeNoResponse,
  judgeRefusal,
  notApplicable,
  notObservable,
  passed,
  preconditionFailed,
  refusalFailure,
  REFUSAL_FAILURE_MODES,
  successes,
  unlessWriteWasLost,
} from '../../../conformance/judging/outcomes.ts';
import type { Credential, Exchange, RequestSpec, TransportError } from '../../../conformance/http/exchange.ts';
import { answered, bannersRequest, evidenceOf, faulted, updateRequest } from '../../support/exchanges.ts';

const probe = (id: string): Probe => ({ id, operation: 'updateUser', needs: [], build: () => undefined });

const UPDATE = updateRequest();
const LIST = bannersRequest();
const bad = updateRequest({ body: '{"name":5}', meant: { body: 'invalid', id: 'valid' }, purpose: 'A bad update' });
/** Source: Errors, table. */
const BAD_REQUEST = 'ValidationError';
const control = answered(updateRequest({ body: '{"name":"Ada"}' }), 200, { id: 4 });
const REFUSALS = [400];

interface Circumstances {
  readonly controls?: readonly [Control, ...Control[]];
  readonly others?: readonly Exchange[];
  readonly refusals?: readonly number[];
}

function judge(
  exchanges: readonly Exchange[],
  { controls = [CONTROLS.name], others = [control], refusals = REFUSALS }: Circumstances = {},
): Judgement {
  return judgeRefusal(evidenceOf({ bad: exchanges }, others), [probe('bad')], refusals, controls);
}

const modeOf = (judgement: Judgement): string | undefined =>
  judgement.outcome === 'failed' ? judgement.failure.mode : undefined;
const reasonOf = (judgement: Judgement): string | undefined =>
  judgement.outcome === 'inconclusive' ? judgement.reason : undefined;

const RESTRICTED: Credential = { label: 'r', header: 'r', role: 'restricted' };
const good = answered(bad, 400, { id: '1', name: BAD_REQUEST, message: 'no' });

describe('the judgements', () => {
  const failure = { mode: 'accepted', expected: 400, actual: 200, message: 'It was accepted.' };
  const inconclusive = { outcome: 'inconclusive', detail: 'not shown' };

  it('hold their outcome, their reason and what they rest on', () => {
    expect(passed([good])).toEqual({ outcome: 'passed', exchanges: [good] });
    expect(failed(failure, good, control)).toEqual({ outcome: 'failed', failure, exchanges: [good, control] });
    expect(notApplicable('no such key')).toEqual({ outcome: 'not-applicable', detail: 'no such key', exchanges: [] });
    for (const exchanges of [[], [good]]) {
      expect(notObservable('not shown', exchanges)).toEqual({ ...inconclusive, reason: 'not-observable', exchanges });
      expect(preconditionFailed('not shown', exchanges)).toEqual({
        ...inconclusive,
        reason: 'precondition-failed',
        exchanges,
      });
    }
    expect([notObservable('').exchanges, preconditionFailed('').exchanges]).toEqual([[], []]);
  });
});

describe('judgeRefusal', () => {
  it('passes a refusal with the right status, if the request without the defect was accepted', () => {
    const judgement = judge([good, good]);
    expect(judgement.outcome).toBe('passed');
    expect(judgement.exchanges).toEqual([good, good]);
  });

  it.each([200, 201, 204, 299])('fails an acceptance with %i, with the control and without', (status) => {
    const accepted = answered(bad, status, { id: 4 });
    for (const others of [[control], []]) {
      const judgement = judge([good, accepted], { others });
      expect(modeOf(judgement)).toBe('accepted');
      expect(judgement.exchanges).toEqual([accepted]);
    }
  });

  it.each<[what: string, mode: string, exchanges: readonly Exchange[]]>([
    ['an acceptance before all else', 'accepted', [answered(bad, 500), faulted(bad, 'timeout'), answered(bad, 200)]],
    ['a wrong response though another request got none', 'wrong-status', [faulted(bad, 'timeout'), answered(bad, 500)]],
    ['a closed connection where the target responds to others', 'no-answer', [good, faulted(bad, 'closed')]],
  ])('fails %s', (_what, mode, exchanges) => {
    expect(modeOf(judge(exchanges))).toBe(mode);
  });

  it.each([500, 422, 404, 401, 302, 415])('fails the status %i in place of 400', (status) => {
    const judgement = judge([good, answered(bad, status)]);
    expect(modeOf(judgement)).toBe('wrong-status');
    expect(judgement.outcome === 'failed' && judgement.failure.actual).toBe(status);
  });

  it.each([{ id: '1', name: 'NotFoundError', message: 'no' }, {}, [], 'ValidationError', null])(
    'leaves the error body to other checks: %j',
    (body) => {
      expect(judge([answered(bad, 400, body)]).outcome).toBe('passed');
    },
  );

  it('takes each status of a refusal', () => {
    const refusals = [400, 404];
    expect(judge([good, answered(bad, 404)], { refusals }).outcome).toBe('passed');
    expect(modeOf(judge([good, answered(bad, 403)], { refusals }))).toBe('wrong-status');
  });

  it('says which requests show the failure, and which requirement they contradict', () => {
    const probes = [
      probe('first'),
      { ...probe('second'), requirements: ['b'] },
      { ...probe('third'), requirements: ['c'] },
    ];
    const exchanges = { first: [good], second: [answered(bad, 422)], third: [answered(bad, 422)] };
    const judgement = judgeRefusal(evidenceOf(exchanges, [control]), probes, REFUSALS, [CONTROLS.name]);
    expect(judgement).toMatchObject({
      failure: { mode: 'wrong-status', requirements: ['b'], deviation: 'status.400-is-422' },
      exchanges: exchanges.second,
      alsoShownBy: exchanges.third,
    });
  });

  it.each([
    ['a right refusal', good],
    ['a wrong status', answered(bad, 500)],
    ['a closed connection', faulted(bad, 'closed')],
  ])('is inconclusive without the control: %s', (_what, exchange) => {
    const judgement = judge([exchange], { others: [] });
    expect(judgement.outcome).toBe('inconclusive');
    expect(reasonOf(judgement)).toBe('control-refused');
  });

  it('needs every control that it names', () => {
    const controls = [CONTROLS.name, CONTROLS.email] as const;
    expect(reasonOf(judge([good], { controls }))).toBe('control-refused');
    const email = answered(updateRequest({ body: '{"email":"a@x"}' }), 200);
    expect(judge([good], { controls, others: [control, email] }).outcome).toBe('passed');
  });

  it.each<[TransportError, string]>([
    ['timeout', 'target-unreachable'],
    ['unreachable', 'target-unreachable'],
    ['limit', 'limit-exceeded'],
    ['protocol', 'limit-exceeded'],
    ['throttled', 'throttled'],
    ['aborted', 'deadline'],
  ])('is inconclusive where one request got no response: %s', (kind, reason) => {
    expect(reasonOf(judge([good, faulted(bad, kind)]))).toBe(reason);
  });

  const judgeUnsent = (rest: Partial<Evidence> = {}, others: readonly Exchange[] = []): Judgement =>
    judgeRefusal(evidenceOf({}, others, rest), [probe('bad')], REFUSALS, [CONTROLS.name]);

  it('is inconclusive where nothing was sent, with the reason of the operation', () => {
    const exchange = faulted(UPDATE, 'unreachable');
    const blocked = { updateUser: { reason: 'target-unreachable', detail: 'nobody there', exchange } } as const;
    const obstacle = { outcome: 'inconclusive', reason: 'target-unreachable', detail: 'nobody there' };
    expect(judgeUnsent({ blocked })).toEqual({ ...obstacle, exchanges: [exchange] });
    expect(judgeUnsent()).toMatchObject({
      reason: 'deadline',
      detail: expect.stringContaining('before the request was sent') as string,
    });
  });

  it('does not apply where the request does not exist for these inputs', () => {
    expect(judgeUnsent({ notBuildable: new Set(['bad']) }, [control])).toMatchObject({
      outcome: 'not-applicable',
      detail: expect.stringMatching(/not exist/) as string,
    });
  });

  it('is inconclusive where the operation was given up, with its reason, though the request was sent', () => {
    const blocked: Evidence['blocked'] = { updateUser: { reason: 'control-refused', detail: 'the key is not valid' } };
    const judgeBlocked = (exchange: Exchange): Judgement =>
      judgeRefusal(evidenceOf({ bad: [exchange] }, [], { blocked }), [probe('bad')], REFUSALS, [CONTROLS.name]);
    for (const exchange of [good, answered(bad, 500), faulted(bad, 'closed')]) {
      expect(judgeBlocked(exchange)).toMatchObject({ outcome: 'inconclusive', ...blocked.updateUser });
    }
    expect(modeOf(judgeBlocked(answered(bad, 200)))).toBe('accepted');
  });

  it('says which control is missing', () => {
    const detailOf = (...controls: [Control, ...Control[]]) => judge([good], { controls, others: [] });
    expect(detailOf(CONTROLS.name, CONTROLS.email)).toMatchObject({
      detail: expect.stringContaining('did not accept an update with a name, or an update with an e-mail') as string,
    });
    expect(detailOf(BANNERS)).toMatchObject({
      detail: expect.stringContaining('did not accept a request for the banners') as string,
    });
  });

  it('judges the requests that exist next to one that does not', () => {
    const evidence = evidenceOf({ bad: [answered(bad, 500)] }, [control], { notBuildable: new Set(['other']) });
    const judgement = judgeRefusal(evidence, [probe('other'), probe('bad')], REFUSALS, [CONTROLS.name]);
    expect(modeOf(judgement)).toBe('wrong-status');
  });

  it('judges its own requests only', () => {
    const evidence = evidenceOf({ bad: [good], other: [answered(bad, 200)] }, [control]);
    expect(judgeRefusal(evidence, [probe('bad')], REFUSALS, [CONTROLS.name]).outcome).toBe('passed');
  });

  it('names each way to fail among those that are explained', () => {
    const failures = [[answered(bad, 200)], [answered(bad, 500)], [faulted(bad, 'closed')]];
    const modes = failures.map((exchanges) => modeOf(judge(exchanges)));
    expect(modes.toSorted()).toEqual(Object.keys(REFUSAL_FAILURE_MODES).sort());
  });
});

describe('refusalFailure', () => {
  it('does not take a request without a response for a refused one', () => {
    expect(refusalFailure(faulted(bad, 'timeout'), REFUSALS, evidenceOf({}))).toMatchObject({
      mode: 'wrong-status',
      actual: 0,
    });
  });

  it('says what was sent, what came and what was expected', () => {
    expect(refusalFailure(answered(bad, 500), [400, 404], evidenceOf({}))).toEqual({
      mode: 'wrong-status',
      expected: '400 or 404',
      actual: 500,
      message: 'A bad update: the response is 500, expected 400 or 404.',
      deviation: 'status.400-is-500',
    });
    expect(refusalFailure(answered(bad, 204), REFUSALS, evidenceOf({}))).toMatchObject({
      mode: 'accepted',
      expected: 400,
      actual: 204,
    });
  });
});

describe('controlAccepted', () => {
  const accepts = (exchange: Exchange, shape: Control): boolean => controlAccepted(evidenceOf({}, [exchange]), shape);

  it('finds an accepted update of the same members, in any order', () => {
    expect(accepts(control, CONTROLS.name)).toBe(true);
    const both = answered(updateRequest({ body: '{"name":"Ada","email":"a@x"}' }), 200);
    expect(accepts(both, CONTROLS.nameAndEmail)).toBe(true);
    expect(accepts(answered(updateRequest({ body: '{"rootRole":1}' }), 204), CONTROLS.rootRole)).toBe(true);
  });

  it.each<[string, Partial<RequestSpec>]>([
    ['had more members', { body: '{"name":"Ada","email":"a@x"}' }],
    ['was sent by the restricted key', { credential: RESTRICTED }],
    ['was sent without a valid key', { credential: { label: 'none' } }],
    ['was for the missing user', { subject: 'missing-user' }],
    ['was for the other user', { subject: 'other-user' }],
    ['had a defect in its body', { body: '{"name":5}', meant: { body: 'invalid', id: 'valid' } }],
    ['had another path id', { meant: { body: 'valid', id: 'unspecified' } }],
    ['had an unspecified body', { meant: { body: 'unspecified', id: 'valid' } }],
  ])('takes no request for a control that %s', (_why, changes) => {
    expect(accepts(answered(updateRequest({ body: '{"name":"Ada"}', ...changes }), 200), CONTROLS.name)).toBe(false);
  });

  it('takes no request for a control that was refused, got no response, or was another operation', () => {
    const list = answered(LIST, 200);
    for (const exchange of [answered(UPDATE, 400), faulted(UPDATE, 'timeout'), list])
      expect(accepts(exchange, CONTROLS.name)).toBe(false);
  });

  it('takes an accepted list by the admin key for the control of lists, and no update', () => {
    expect(accepts(answered(LIST, 200), BANNERS)).toBe(true);
    expect(accepts(answered(bannersRequest({ credential: { label: 'none' } }), 200), BANNERS)).toBe(false);
    expect(accepts(control, BANNERS)).toBe(false);
  });
});

describe('judgeNoResponse', () => {
  it.each([
    ['a closed connection of a target that never responds', 'closed', faulted(bad, 'timeout')],
    ['a time-out, even where the target responds to other requests', 'timeout', control],
  ] as const)('is inconclusive on %s', (_what, kind, other) => {
    const exchange = faulted(bad, kind);
    const judgement = judgeNoResponse([good, exchange], evidenceOf({ bad: [exchange] }, [other]));
    expect(judgement).toMatchObject({ outcome: 'inconclusive', exchanges: [exchange] });
  });

  it('fails a closed connection of a target that responds to other requests', () => {
    const closed = faulted(bad, 'closed');
    const message = expect.stringMatching(/^A bad update: .*detail of closed/) as string;
    const failure = { mode: 'no-answer', expected: 'a response', message };
    expect(judgeNoResponse([closed], evidenceOf({ bad: [closed] }, [control]))).toMatchObject({ failure });
  });

  it('has nothing to say where each request got a response', () => {
    expect(judgeNoResponse([good], evidenceOf({ bad: [good] }, [control]))).toBeUndefined();
  });
});

describe('unlessWriteWasLost', () => {
  const at = (startedAt: number, exchange: Exchange): Exchange => ({ ...exchange, startedAt });
  const reading = at(20, control);
  const failureOf = (mode: string): Judgement =>
    failed({ mode, expected: 'Ada', actual: 'Eve', message: 'The name is another.' }, at(5, control), reading);
  const changed = failureOf('changed');
  const lost = at(10, faulted(updateRequest({ purpose: 'An update of the name' }), 'timeout'));
  const judgeWith = (exchange: Exchange, judgement: Judgement = changed): Judgement =>
    unlessWriteWasLost(evidenceOf({}, [control, exchange]), judgement);

  it('is inconclusive on what is stored after an update that got no response, and names that update', () => {
    expect(judgeWith(lost)).toEqual({
      outcome: 'inconclusive',
      reason: 'target-unreachable',
      detail: 'An update of the name got no response, so it is not known what is stored',
      exchanges: [lost],
    });
  });

  it.each(['closed', 'timeout', 'limit', 'protocol', 'throttled', 'aborted'] as const)(
    'takes for lost an update that ended so: %s',
    (kind) => {
      expect(judgeWith(at(10, faulted(UPDATE, kind))).outcome).toBe('inconclusive');
    },
  );

  it('takes for lost an update up to the last request that was judged, and none after it', () => {
    expect(judgeWith({ ...lost, startedAt: 20 }).outcome).toBe('inconclusive');
    expect(judgeWith({ ...lost, startedAt: 21 })).toBe(changed);
  });

  it.each<[string, Exchange]>([
    ['got a response', at(10, answered(UPDATE, 500))],
    ['never reached the target', at(10, faulted(UPDATE, 'unreachable'))],
    ['was a list of banners', at(10, faulted(LIST, 'timeout'))],
    ['was sent without a key', at(10, faulted(updateRequest({ credential: { label: 'none' } }), 'timeout'))],
    ['was sent with the restricted key', at(10, faulted(updateRequest({ credential: RESTRICTED }), 'timeout'))],
  ])('leaves the judgement where the request %s', (_why, exchange) => {
    expect(judgeWith(exchange)).toBe(changed);
  });

  it.each([
    ...['refused', 'wrong-success-status', 'redirected', 'server-error', 'no-answer'],
    ...['wrong-status', 'other-id'],
  ])('leaves a failure that the response itself shows: %s', (mode) => {
    const judgement = failureOf(mode);
    expect(judgeWith(lost, judgement)).toBe(judgement);
  });

  it('leaves what did not fail', () => {
    for (const judgement of [passed([reading]), notApplicable('x'), notObservable('x', [reading])]) {
      expect(judgeWith(lost, judgement)).toBe(judgement);
    }
  });
});

describe('blockedOrUnsent', () => {
  it('tells an operation that was not sent because the run ended from one that was not sent for another reason', () => {
    const obstacle = (stopped: boolean) => blockedOrUnsent(evidenceOf({}, [], { stopped }), 'updateUser', 'x');
    expect(obstacle(true)).toEqual({ outcome: 'inconclusive', reason: 'deadline', detail: 'x', exchanges: [] });
    expect(obstacle(false)).toMatchObject({ outcome: 'inconclusive', reason: 'precondition-failed' });
  });

  it('shows no exchange where an operation was given up before any', () => {
    const blocked: Evidence['blocked'] = { updateUser: { reason: 'missing-input', detail: 'no key' } };
    expect(blockedOrUnsent(evidenceOf({}, [], { blocked }), 'updateUser', 'x').exchanges).toEqual([]);
  });

  it('tells the operations apart', () => {
    const blocked: Evidence['blocked'] = { listBanners: { reason: 'control-refused', detail: 'no list' } };
    const evidence = evidenceOf({}, [], { blocked });
    expect(blockedOrUnsent(evidence, 'listBanners', 'x')).toMatchObject({
      reason: 'control-refused',
      detail: 'no list',
    });
    expect(blockedOrUnsent(evidence, 'updateUser', 'x')).toMatchObject({ reason: 'deadline', detail: 'x' });
  });
});

describe('documentedErrors', () => {
  const meant = (body: 'valid' | 'invalid' | 'unspecified', id: 'valid' | 'invalid' | 'unspecified') =>
    updateRequest({ meant: { body, id } });
  const accepted = answered(meant('valid', 'valid'), 200);
  const counts = (exchange: Exchange): boolean => documentedErrors(evidenceOf({}, [accepted, exchange])).length === 1;

  it('holds an update with a status that the contract lists as an error, and no other', () => {
    const held = [400, 401, 403, 404, 200, 302, 415, 422, 500].filter((status) =>
      counts(answered(meant('invalid', 'valid'), status)),
    );
    expect(held).toEqual([400, 401, 403, 404]);
  });

  it('does not hold the 404 of a router: that of an operation which responds to nothing else', () => {
    const notFound = answered(meant('valid', 'valid'), 404);
    expect(documentedErrors(evidenceOf({}, [notFound, notFound]))).toEqual([]);
    expect(documentedErrors(evidenceOf({}, [notFound, answered(LIST, 200)]))).toEqual([]);
    expect(documentedErrors(evidenceOf({}, [notFound, answered(meant('valid', 'valid'), 401)]))).toHaveLength(2);
  });

  it('does not hold a status that the contract lists for the other operation only', () => {
    expect([401, 403, 404].map((status) => counts(answered(LIST, status)))).toEqual([true, false, false]);
  });

  it.each([
    ['unspecified', 'valid', 400, true],
    ['valid', 'unspecified', 400, false],
    ['valid', 'invalid', 404, false],
    ['valid', 'invalid', 400, true],
  ] as const)('where the body is %s and the id %s, a %i counts: %s', (body, id, status, expected) => {
    expect(counts(answered(meant(body, id), status))).toBe(expected);
  });

  it('does not hold a request without a response', () => {
    expect(counts(faulted(meant('valid', 'valid'), 'timeout'))).toBe(false);
  });
});

it('successes holds the 200 responses of the operation, and no other 2xx', () => {
  const list = answered(LIST, 200);
  const evidence = evidenceOf({}, [control, list, answered(UPDATE, 201), answered(UPDATE, 400)]);
  expect(successes(evidence, 'updateUser')).toEqual([control]);
  expect(successes(evidence, 'listBanners')).toEqual([list]);
  expect(successes(evidenceOf({}, [faulted(UPDATE, 'timeout')]), 'updateUser')).toEqual([]);
});

describe('eitherFailure', () => {
  const unusual = updateRequest({ purpose: 'An odd update' });

  it('finds nothing in a 400', () => {
    expect(eitherFailure(answered(unusual, 400), evidenceOf({}))).toBeUndefined();
  });

  it.each([201, 301, 500])('says of a %i that it is neither 200 nor 400', (status) => {
    expect(eitherFailure(answered(unusual, status), evidenceOf({}))).toEqual({
      mode: 'wrong-status',
      expected: '200 or 400',
      actual: status,
      message: `An odd update: the response is ${status}, expected 200 or 400.`,
    });
  });

  it('takes a refusal with another status for the deviation that other refusals show', () => {
    const { deviation } = eitherFailure(answered(unusual, 422), evidenceOf({})) ?? {};
    expect(deviation).toBe('status.400-is-422');
    expect(deviation).toBe(refusalFailure(answered(unusual, 422), [400], evidenceOf({}))?.deviation);
  });
});
