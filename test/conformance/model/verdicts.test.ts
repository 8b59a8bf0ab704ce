import { describe, expect, it } from 'vitest';
import { checks as catalogue } from '../../../conformance/checks/catalogue.ts';
import type { Check } from '../../../conformance/model/check.ts';
import type { Recording } from '../../../conformance/model/recording/recording.ts';
import type { Probe } from '../../../conformance/model/recording/items.ts';
import { explain } from '../../../conformance/model/causes.ts';
import type { Deviation, Doubt, Facts } from '../../../conformance/model/facts.ts';
import { judgeCheck } from '../../../conformance/model/verdicts.ts';
import { checkOf } from '../../support/checks.ts';
import { answered, inOrder, inputs, recordingOf, updateRequest, VALID, without } from '../../support/exchanges.ts';
import { deviation, judged, put, refusalDue, viewOf } from '../../support/model.ts';

const ID = checkOf().id;
const seen = put({ name: 'Ada' });
const held = (...keys: readonly string[]): Partial<Facts> => ({ witnesses: new Map(keys.map((key) => [key, [seen]])) });
const doubted = (own: Partial<Doubt> = {}): Partial<Facts> => ({
  doubts: new Map([[ID, { reason: 'throttled', detail: 'later', exchanges: [], ...own }]]),
});
const absent: Partial<Facts> = { absences: new Map([[ID, 'no name']]) };

function saidOf(given: Partial<Facts>, own: Partial<Check> = {}, rest: Partial<Recording> = {}, error?: Error) {
  const facts: Facts = { deviations: [], witnesses: new Map(), doubts: new Map(), absences: new Map(), ...given };
  return judgeCheck(checkOf(own), viewOf([], rest), facts, explain(facts.deviations), error);
}

describe('judgeCheck', () => {
  const root = deviation('response', seen, { checks: [ID] });
  const other = deviation('outcome', put({ name: 'Ada' }, {}, 500), { checks: ['update-always-200'], actual: 500 });
  const hidden = deviation('response', other.x, { checks: [ID] });
  const nobodys = deviation('changed', seen, { checks: [ID], requirements: [] });
  const probe: Probe = {
    ...{ id: 'odd', operation: 'updateUser', needs: [], build: () => undefined },
    due: refusalDue('a', { checks: [ID] }),
  };
  const obstacle = { reason: 'target-unreachable', detail: 'it is not there' } as const;
  type Given = [facts: Partial<Facts>, own?: Partial<Check>, rest?: Partial<Recording>];

  it.each<[what: string, said: string, ...Given]>([
    ['nothing', 'not-observable', {}],
    ['nothing, since the run ended', 'deadline', {}, {}, { stopped: true }],
    ['nothing, since the operation was given up', 'target-unreachable', {}, {}, { blocked: { updateUser: obstacle } }],
    ['nothing, since no request exists', 'not-applicable', {}, { uses: [probe] }, { notBuildable: new Set(['odd']) }],
    [
      'nothing, although a request exists',
      'not-observable',
      {},
      { uses: [probe, { ...probe, id: 'even' }] },
      { notBuildable: new Set(['odd']) },
    ],
    [
      'nothing, since a target that was given up shows not what a request is made of',
      'target-unreachable',
      {},
      { uses: [probe] },
      { notBuildable: new Set(['odd']), givenUp: obstacle },
    ],
    ['a witness', 'passed', held(ID)],
    ['a witness, before the run ended', 'passed', held(ID), {}, { stopped: true }],
    ['a witness of another check', 'not-observable', held('other')],
    ['witnesses of all its parts', 'passed', held(`${ID}/a`, `${ID}/b`), { parts: ['a', 'b'] }],
    ['a witness of one part', 'not-observable', held(`${ID}/a`), { parts: ['a', 'b'] }],
    ['a doubt beside a witness', 'throttled', { ...held(ID), ...doubted() }],
    ['a weak doubt beside a witness', 'passed', { ...held(ID), ...doubted({ isWeak: true }) }],
    ['a weak doubt', 'throttled', doubted({ isWeak: true })],
    ['a doubt when the run ended', 'deadline', doubted(), {}, { stopped: true }],
    ['that what it judges is absent', 'not-applicable', absent],
    ['a witness beside', 'passed', { ...absent, ...held(ID) }],
    ['a root beside a witness', 'failed', { deviations: [root], ...held(ID) }],
    ['what follows from another root', 'precondition-failed', { deviations: [hidden, other], ...held(ID) }],
    ['a root beside what follows', 'failed', { deviations: [hidden, other, root] }],
    ['what nobody can be blamed for', 'precondition-failed', { deviations: [nobodys] }],
    ['an error of its traffic', 'error', held(ID), { uses: [probe] }, { errors: new Map([['odd', new Error('x')]]) }],
  ])('of %s: %s', (_what, expected, ...given) => {
    const said = saidOf(...given);
    expect(said.outcome === 'inconclusive' ? said.reason : said.outcome).toBe(expected);
  });

  it('names the root as the deviation, and as the cause of what it hides', () => {
    expect(saidOf({ deviations: [hidden, other, root] })).toMatchObject({ deviation: root, all: [root] });
    expect(saidOf({ deviations: [hidden, other] })).toMatchObject({ causes: [other], exchanges: [hidden.x] });
  });

  it('fails with what shows the same as the root', () => {
    const of = (member: string, checks: readonly string[]): Deviation =>
      deviation('member', seen, { member, checks, mode: 'wrong-type', old: 'null' });
    const [name, email] = [of('name', ['other']), of('email', [ID])];
    expect(saidOf({ deviations: [name, email] })).toMatchObject({ outcome: 'failed', deviation: email });
    expect(saidOf({ deviations: [name, email, root] })).toMatchObject({ deviation: root, all: [email, root] });
  });

  it('names each input that is missing, before an error of the suite', () => {
    const needs = ['adminKey', 'otherUserId', 'restrictedKey'] as const;
    const given = without(without(inputs, 'otherUserId'), 'restrictedKey');
    expect(saidOf(held(ID), { needs }, { inputs: given }, new Error('x'))).toEqual({
      outcome: 'inconclusive',
      reason: 'missing-input',
      detail:
        'not given: CONFORMANCE_OTHER_USER_ID (a second disposable user), ' +
        'CONFORMANCE_RESTRICTED_KEY (a valid key that may not update users)',
      exchanges: [],
      causes: [],
    });
    expect(saidOf(held(ID), { needs }, {}, new Error('it broke'))).toEqual({ outcome: 'error', detail: 'it broke' });
  });
});

describe('judgeRecording', () => {
  it('reports what the suite threw in one item with the checks that use it, and with no other', () => {
    const [used] = catalogue.find(({ needs }) => needs.includes('adminKey'))?.uses ?? [];
    const errors = new Map([[used?.id ?? '', new URIError('URI malformed')]]);
    const erroneous = judged(recordingOf([], { errors })).checks.filter(({ said }) => said.outcome === 'error');
    const using = catalogue.filter(({ uses }) => uses.some(({ id }) => id === used?.id));
    expect(erroneous.map(({ check }) => check)).toEqual(using);
  });

  it('takes several values that nobody in the run sent, and that are not made of one, for those of another client', () => {
    const due = { ...VALID, class: 'either', role: 'reading' } as const;
    const reading = (name: string) => answered(updateRequest({ body: '{}', due }), 200, { id: 4, name });
    const disturbedBy = (...names: readonly string[]) => judged(recordingOf(inOrder(...names.map(reading)))).disturbed;
    expect(disturbedBy('Bob', 'Cleo', 'Dan')).toMatch(/: 3 values .*"Dan"$/);
    expect(disturbedBy('Bob', 'Cleo')).toBeUndefined();
    // The suite sends short texts, too.
    const besideShort = inOrder(put({ name: '0' }), ...['Bob 10', 'Cleo 20', 'Dan 30'].map(reading));
    expect(judged(recordingOf(besideShort)).disturbed).toMatch(/"Dan 30"$/);
    const sent = inOrder(put({ name: 'Ada' }), ...['Ada 1', 'ADA', 'Ada 3', 'A.da@x.example'].map(reading));
    expect(judged(recordingOf(sent)).disturbed).toBeUndefined();
  });
});
