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
const control = answered(updateRequest({ body: '{"name":"Ada"}' }), 200, { id: 4 });
const listed = answered(LIST, 200);
const RESTRICTED: Credential = { label: 'r', header: 'r', role: 'restricted' };
const KEYLESS: Credential = { label: 'none' };
const REFUSALS = [400];
const NOTHING_SEEN = evidenceOf({});

/** The mode of a failure, the reason of what is inconclusive, or the outcome. */
function inOneWord(judgement: Judgement): string {
  if (judgement.outcome === 'failed') return judgement.failure.mode;
  return judgement.outcome === 'inconclusive' ? judgement.reason : judgement.outcome;
}

const withWords = (words: RegExp): object => ({ detail: expect.stringMatching(words) as string });

it('the judgements hold their outcome, their reason and what they rest on', () => {
  const failure = { mode: 'accepted', expected: 400, actual: 200, message: 'It was accepted.' };
  expect(passed([control])).toEqual({ outcome: 'passed', exchanges: [control] });
  expect(failed(failure, listed, control)).toEqual({ outcome: 'failed', failure, exchanges: [listed, control] });
  expect(notApplicable('no key')).toEqual({ outcome: 'not-applicable', detail: 'no key', exchanges: [] });
  const inconclusive = { outcome: 'inconclusive', detail: 'not shown' };
  for (const [reason, judge] of [
    ['not-observable', notObservable],
    ['precondition-failed', preconditionFailed],
  ] as const) {
    expect(judge('not shown', [control])).toEqual({ ...inconclusive, reason, exchanges: [control] });
    expect(judge('not shown')).toEqual({ ...inconclusive, reason, exchanges: [] });
  }
});

describe('judgeRefusal', () => {
  interface Circumstances {
    readonly controls?: readonly [Control, ...Control[]];
    readonly others?: readonly Exchange[];
    readonly refusals?: readonly number[];
    readonly rest?: Partial<Evidence>;
  }

  function judge(
    exchanges: readonly Exchange[],
    { controls = [CONTROLS.name], others = [control], refusals = REFUSALS, rest = {} }: Circumstances = {},
  ): Judgement {
    const probes = exchanges.length > 0 ? { bad: exchanges } : {};
    return judgeRefusal(evidenceOf(probes, others, rest), [probe('bad')], refusals, controls);
  }

  const refused = (status: number, body: unknown = {}): Exchange => answered(bad, status, body);
  const good = refused(400, { id: '1', name: 'ValidationError', message: 'no' });
  const accepted = refused(200, { id: 4 });
  const without = (kind: TransportError): Exchange => faulted(bad, kind);
  const both = [CONTROLS.name, CONTROLS.email] as const;
  const email = answered(updateRequest({ body: '{"email":"a@x"}' }), 200);
  const uncontrolled = { others: [] };
  const blocked: Evidence['blocked'] = { updateUser: { reason: 'missing-input', detail: 'no key' } };

  type Case = [what: string, expected: string, exchanges: readonly Exchange[], circumstances?: Circumstances];

  it.each<Case>([
    ['the right status, where the request without the defect was accepted', 'passed', [good, good]],
    ...[{ id: '1', name: 'NotFoundError', message: 'no' }, {}, [], 'ValidationError', null].map((body): Case => [
      'the right status, whatever the body',
      'passed',
      [refused(400, body)],
    ]),
    ['each status of a refusal', 'passed', [good, refused(404)], { refusals: [400, 404] }],
    ['no status but these', 'wrong-status', [good, refused(403)], { refusals: [400, 404] }],
    ...[500, 422, 404, 401, 302, 415].map((status): Case => [`${status}`, 'wrong-status', [good, refused(status)]]),
    ...[200, 201, 204, 299].flatMap((status): Case[] => [
      [`${status}`, 'accepted', [good, refused(status)]],
      [`${status} without the control`, 'accepted', [good, refused(status)], uncontrolled],
    ]),
    ['an acceptance before all else', 'accepted', [refused(500), without('timeout'), accepted]],
    ['a wrong status beside a request without a response', 'wrong-status', [without('timeout'), refused(500)]],
    ['a closed connection of a target that responds to others', 'no-answer', [good, without('closed')]],
    ['a time-out', 'target-unreachable', [good, without('timeout')]],
    ['a target that is not there', 'target-unreachable', [good, without('unreachable')]],
    ['a body that is too large', 'limit-exceeded', [good, without('limit')]],
    ['what is not HTTP', 'limit-exceeded', [good, without('protocol')]],
    ['a request for pauses', 'throttled', [good, without('throttled')]],
    ['the end of the run', 'deadline', [good, without('aborted')]],
    ['a right refusal without the control', 'control-refused', [good], uncontrolled],
    ['a wrong status without the control', 'control-refused', [refused(500)], uncontrolled],
    ['a closed connection without the control', 'control-refused', [without('closed')], uncontrolled],
    ['a right refusal without one of two controls', 'control-refused', [good], { controls: both }],
    ['a right refusal with both', 'passed', [good], { controls: both, others: [control, email] }],
    ['a right refusal where the operation was given up', 'missing-input', [good], { rest: { blocked } }],
    ['a wrong status there', 'missing-input', [refused(500)], { rest: { blocked } }],
    ['a closed connection there', 'missing-input', [without('closed')], { rest: { blocked } }],
    ['an acceptance there', 'accepted', [accepted], { rest: { blocked } }],
    ['no request where the operation was given up', 'missing-input', [], { rest: { blocked } }],
    ['no request', 'deadline', []],
    [
      'no request, as it does not exist for the inputs',
      'not-applicable',
      [],
      { rest: { notBuildable: new Set(['bad']) } },
    ],
    [
      'no request, as nothing was seen that it is made of',
      'missing-input',
      [],
      { rest: { blocked, notBuildable: new Set(['bad']) } },
    ],
  ])('judges %s: %s', (_what, expected, exchanges, circumstances) => {
    expect(inOneWord(judge(exchanges, circumstances))).toBe(expected);
  });

  it('shows the requests that it judged, or those that show the failure and the requirement that they contradict', () => {
    const judged = [good, refused(400)];
    expect(judge(judged).exchanges).toEqual(judged);
    const probes = [
      probe('first'),
      { ...probe('second'), requirements: ['b'] },
      { ...probe('third'), requirements: ['c'] },
    ];
    const exchanges = { first: [good], second: [refused(422)], third: [refused(422)] };
    const judgement = judgeRefusal(evidenceOf(exchanges, [control]), probes, REFUSALS, [CONTROLS.name]);
    expect(judgement).toMatchObject({
      failure: { mode: 'wrong-status', requirements: ['b'], deviation: 'status.400-is-422' },
      exchanges: exchanges.second,
      alsoShownBy: exchanges.third,
    });
  });

  it('rests on the check of the control where that was refused, or a valid request got the same status', () => {
    const restsOn = ['update-always-200'];
    const valid = (status: number, own = UPDATE): Exchange => answered(own, status);
    expect(judge([good], { controls: both, ...uncontrolled })).toMatchObject({ restsOn: [...restsOn, ...restsOn] });
    expect(judge([refused(403)], { others: [control, valid(403)] })).toMatchObject({ restsOn });
    for (const other of [valid(409), valid(403, bad), valid(403, LIST)])
      expect(judge([refused(403)], { others: [control, other] })).toMatchObject({ restsOn: [] });
  });

  it('says why it is inconclusive, or does not apply', () => {
    expect(judge([], uncontrolled)).toMatchObject(withWords(/before the request was sent/));
    expect(judge([], { rest: { notBuildable: new Set(['bad']) } })).toMatchObject(withWords(/not exist/));
    const refusedBoth = withWords(/did not accept an update with a name, or an update with an e-mail/);
    expect(judge([good], { controls: both, ...uncontrolled })).toMatchObject(refusedBoth);
    const refusedList = withWords(/did not accept a request for the banners/);
    expect(judge([good], { controls: [BANNERS], ...uncontrolled })).toMatchObject(refusedList);
  });

  it('judges its own requests only, and those that exist beside one that does not', () => {
    const evidence = evidenceOf({ bad: [refused(500)], other: [accepted] }, [control], {
      notBuildable: new Set(['no']),
    });
    const judgement = judgeRefusal(evidence, [probe('no'), probe('bad')], REFUSALS, [CONTROLS.name]);
    expect(inOneWord(judgement)).toBe('wrong-status');
  });

  it('names each way to fail among those that are explained', () => {
    const modes = [accepted, refused(500), without('closed')].map((each) => inOneWord(judge([each])));
    expect(modes.toSorted()).toEqual(Object.keys(REFUSAL_FAILURE_MODES).sort());
  });
});

it('refusalFailure says what was sent, what came and what was expected; no response is no refusal', () => {
  expect(refusalFailure(answered(bad, 500), [400, 404], NOTHING_SEEN)).toEqual({
    mode: 'wrong-status',
    expected: '400 or 404',
    actual: 500,
    message: 'A bad update: the response is 500, expected 400 or 404.',
    deviation: 'status.400-is-500',
  });
  const accepted = { mode: 'accepted', expected: 400, actual: 204 };
  expect(refusalFailure(answered(bad, 204), REFUSALS, NOTHING_SEEN)).toMatchObject(accepted);
  const unseen = { mode: 'wrong-status', actual: 0 };
  expect(refusalFailure(faulted(bad, 'timeout'), REFUSALS, NOTHING_SEEN)).toMatchObject(unseen);
});

describe('controlAccepted', () => {
  const accepts = (exchange: Exchange, shape: Control): boolean => controlAccepted(evidenceOf({}, [exchange]), shape);
  const sending = (body: string, status = 200): Exchange => answered(updateRequest({ body }), status);

  it('finds an accepted update of the same members, in any order, and an accepted list', () => {
    expect(accepts(control, CONTROLS.name)).toBe(true);
    expect(accepts(sending('{"name":"Ada","email":"a@x"}'), CONTROLS.nameAndEmail)).toBe(true);
    expect(accepts(sending('{"rootRole":1}', 204), CONTROLS.rootRole)).toBe(true);
    expect(accepts(listed, BANNERS)).toBe(true);
  });

  const withChange = (changes: Partial<RequestSpec>): Exchange => answered(updateRequest(changes), 200);
  it.each<[why: string, exchange: Exchange, shape?: Control]>([
    ['had more members', sending('{"name":"Ada","email":"a@x"}')],
    ['was sent by the restricted key', withChange({ credential: RESTRICTED })],
    ['was sent without a valid key', withChange({ credential: KEYLESS })],
    ['was for the missing user', withChange({ subject: 'missing-user' })],
    ['was for the other user', withChange({ subject: 'other-user' })],
    ['had a defect in its body', withChange({ meant: { body: 'invalid', id: 'valid' } })],
    ['had another path id', withChange({ meant: { body: 'valid', id: 'unspecified' } })],
    ['had an unspecified body', withChange({ meant: { body: 'unspecified', id: 'valid' } })],
    ['was refused', answered(UPDATE, 400)],
    ['got no response', faulted(UPDATE, 'timeout')],
    ['was another operation', listed],
    ['was another operation, and no list', control, BANNERS],
    ['was a list without a valid key', answered(bannersRequest({ credential: KEYLESS }), 200), BANNERS],
  ])('takes no request for a control that %s', (_why, exchange, shape = CONTROLS.name) => {
    expect(accepts(exchange, shape)).toBe(false);
  });
});

describe('judgeNoResponse', () => {
  const judge = (exchange: Exchange, other: Exchange) =>
    judgeNoResponse([control, exchange], evidenceOf({ bad: [exchange] }, [other]));
  const closed = faulted(bad, 'closed');
  const silent = faulted(bad, 'timeout');

  it.each([
    ['a closed connection of a target that never responds', closed, silent],
    ['a time-out, even where the target responds to other requests', silent, control],
  ])('is inconclusive on %s', (_what, exchange, other) => {
    expect(judge(exchange, other)).toMatchObject({ outcome: 'inconclusive', exchanges: [exchange] });
  });

  it('fails a closed connection of a target that responds to other requests', () => {
    const message = expect.stringMatching(/^A bad update: .*detail of closed/) as string;
    expect(judge(closed, control)).toMatchObject({ failure: { mode: 'no-answer', expected: 'a response', message } });
  });

  it('has nothing to say where each request got a response', () => {
    expect(judge(answered(bad, 400), control)).toBeUndefined();
  });
});

describe('unlessWriteWasLost', () => {
  const at = (startedAt: number, exchange: Exchange): Exchange => ({ ...exchange, startedAt });
  const reading = at(20, control);
  const failureOf = (mode: string): Judgement =>
    failed({ mode, expected: 'Ada', actual: 'Eve', message: 'The name is another.' }, at(5, control), reading);
  const changed = failureOf('changed');
  const lost = faulted(updateRequest({ purpose: 'An update of the name' }), 'timeout');
  const judgeWith = (exchange: Exchange, judgement: Judgement = changed): Judgement =>
    unlessWriteWasLost(evidenceOf({}, [control, exchange]), judgement);

  it('is inconclusive on what is stored after an update that got no response, and names that update', () => {
    expect(judgeWith(at(10, lost))).toEqual({
      outcome: 'inconclusive',
      reason: 'target-unreachable',
      detail: 'An update of the name got no response, so it is not known what is stored',
      exchanges: [at(10, lost)],
    });
  });

  const sentBy = (credential: Credential): Exchange => faulted(updateRequest({ credential }), 'timeout');
  it.each<[what: string, isLost: boolean, exchange: Exchange, startedAt?: number]>([
    ...(['closed', 'timeout', 'limit', 'protocol', 'throttled', 'aborted'] as const).map(
      (kind): [string, boolean, Exchange] => [`an update that ended so: ${kind}`, true, faulted(UPDATE, kind)],
    ),
    ['an update that never reached the target', false, faulted(UPDATE, 'unreachable')],
    ['an update at the time of the last request that was judged', true, lost, 20],
    ['an update after it', false, lost, 21],
    ['an update that got a response', false, answered(UPDATE, 500)],
    ['a list of banners', false, faulted(LIST, 'timeout')],
    ['an update without a key', false, sentBy(KEYLESS)],
    ['an update with the restricted key', false, sentBy(RESTRICTED)],
  ])('takes %s for lost: %s', (_what, isLost, exchange, startedAt = 10) => {
    const judgement = judgeWith(at(startedAt, exchange));
    if (isLost) expect(judgement.outcome).toBe('inconclusive');
    else expect(judgement).toBe(changed);
  });

  it('leaves a failure that the response itself shows, and what did not fail', () => {
    const ofResponse = ['refused', 'wrong-success-status', 'redirected', 'server-error', 'no-answer', 'wrong-status'];
    const failures = [...ofResponse, 'other-id'].map(failureOf);
    for (const judgement of [...failures, passed([reading]), notApplicable('x'), notObservable('x', [reading])])
      expect(judgeWith(at(10, lost), judgement)).toBe(judgement);
  });
});

it('blockedOrUnsent says why an operation was given up, or whether the run ended before it was sent', () => {
  const judge = (rest: Partial<Evidence>) => blockedOrUnsent(evidenceOf({}, [], rest), 'updateUser', 'x');
  const unsent = { outcome: 'inconclusive', reason: 'deadline', detail: 'x', exchanges: [] };
  const obstacle = { reason: 'missing-input', detail: 'no key' } as const;
  const exchange = faulted(UPDATE, 'unreachable');
  expect(judge({ stopped: true })).toEqual(unsent);
  expect(judge({ stopped: false })).toEqual({ ...unsent, reason: 'precondition-failed' });
  expect(judge({ blocked: { listBanners: obstacle } })).toEqual(unsent);
  expect(judge({ blocked: { updateUser: obstacle } })).toEqual({ ...unsent, ...obstacle });
  const shown = { ...unsent, ...obstacle, exchanges: [exchange] };
  expect(judge({ blocked: { updateUser: { ...obstacle, exchange } } })).toEqual(shown);
});

describe('documentedErrors', () => {
  type Meant = RequestSpec['meant']['body'];
  const meant = (body: Meant, id: Meant) => updateRequest({ meant: { body, id } });
  const VALID = meant('valid', 'valid');
  const counts = (exchange: Exchange): boolean =>
    documentedErrors(evidenceOf({}, [answered(VALID, 200), exchange])).length === 1;

  it('hold a response with a status that the contract lists as an error of the operation, and no other', () => {
    const held = (request: RequestSpec): number[] =>
      [400, 401, 403, 404, 200, 302, 415, 422, 500].filter((status) => counts(answered(request, status)));
    expect(held(meant('invalid', 'valid'))).toEqual([400, 401, 403, 404]);
    expect(held(LIST)).toEqual([401]);
    expect(counts(faulted(VALID, 'timeout'))).toBe(false);
  });

  it('do not hold the 404 of a router: that of an operation which responds to nothing else', () => {
    const notFound = answered(VALID, 404);
    expect(documentedErrors(evidenceOf({}, [notFound, notFound]))).toEqual([]);
    expect(documentedErrors(evidenceOf({}, [notFound, listed]))).toEqual([]);
    expect(documentedErrors(evidenceOf({}, [notFound, answered(VALID, 401)]))).toHaveLength(2);
  });

  it.each([
    ['unspecified', 'valid', 400, true],
    ['valid', 'unspecified', 400, false],
    ['valid', 'invalid', 404, false],
    ['valid', 'invalid', 400, true],
  ] as const)('where the body is %s and the id %s, a %i counts: %s', (body, id, status, expected) => {
    expect(counts(answered(meant(body, id), status))).toBe(expected);
  });
});

it('successes holds the 200 responses of the operation, and no other 2xx', () => {
  const evidence = evidenceOf({}, [control, listed, answered(UPDATE, 201), answered(UPDATE, 400)]);
  expect(successes(evidence, 'updateUser')).toEqual([control]);
  expect(successes(evidence, 'listBanners')).toEqual([listed]);
  expect(successes(evidenceOf({}, [faulted(UPDATE, 'timeout')]), 'updateUser')).toEqual([]);
});

describe('eitherFailure', () => {
  const unusual = (status: number): Exchange => answered(updateRequest({ purpose: 'An odd update' }), status);

  it('finds nothing in a 400', () => {
    expect(eitherFailure(unusual(400), NOTHING_SEEN)).toBeUndefined();
  });

  it.each([201, 301, 500])('says of a %i that it is neither 200 nor 400', (status) => {
    expect(eitherFailure(unusual(status), NOTHING_SEEN)).toEqual({
      mode: 'wrong-status',
      expected: '200 or 400',
      actual: status,
      message: `An odd update: the response is ${status}, expected 200 or 400.`,
    });
  });

  it('takes a refusal with another status for the deviation that other refusals show', () => {
    const { deviation } = eitherFailure(unusual(422), NOTHING_SEEN) ?? {};
    expect(deviation).toBe('status.400-is-422');
    expect(deviation).toBe(refusalFailure(unusual(422), [400], NOTHING_SEEN)?.deviation);
  });
});
