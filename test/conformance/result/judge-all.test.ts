import { describe, expect, it } from 'vitest';
import { checks } from '../../../conformance/checks/catalogue.ts';
import type { Check, Failure, Judgement } from '../../../conformance/judging/check.ts';
import type { Evidence } from '../../../conformance/judging/evidence.ts';
import type { InconclusiveReason } from '../../../conformance/judging/reasons.ts';
import type { Probe } from '../../../conformance/judging/traffic.ts';
import { judgeAll, type Said } from '../../../conformance/result/judge-all.ts';
import { SuiteError } from '../../../conformance/target/request-guard.ts';
import { makeProbeSender } from '../../../conformance/traffic/probes.ts';
import { checkOf } from '../../support/checks.ts';
import { answered, evidenceOf, inputs, update, updateRequest, without } from '../../support/exchanges.ts';

const seen = update({ name: 'Ada' }, { id: 4, name: 'Ada' });
const failure: Failure = { mode: 'not-stored', expected: 'Ada', actual: 'Eve', message: 'The name is another.' };
const failed: Judgement = { outcome: 'failed', failure, exchanges: [seen] };
const inconclusive = (reason: InconclusiveReason): Judgement => {
  return { outcome: 'inconclusive', reason, detail: 'the words of the check', exchanges: [seen] };
};

const running = evidenceOf({}, [], { stopped: false });
const stopped = evidenceOf({}, [], { stopped: true });

function saidOf(own: Partial<Check>, evidence: Evidence, error?: SuiteError): Said | undefined {
  return judgeAll([checkOf(own)], evidence, error)[0]?.said;
}

describe('judgeAll', () => {
  it('gives each check the evidence, and keeps what it says', () => {
    const looks: Evidence[] = [];
    const judge = (evidence: Evidence): Judgement => {
      looks.push(evidence);
      return failed;
    };
    const all = [checkOf({ judge }), checkOf({ id: 'other' })];
    const passed = { outcome: 'passed', exchanges: [] };
    const judged = judgeAll(all, running, undefined).map(({ check, said }) => [check, said]);
    expect(judged).toEqual([
      [all[0], failed],
      [all[1], passed],
    ]);
    expect(looks).toEqual([running]);
  });

  it('calls a check inconclusive whose inputs are missing, and names each of them', () => {
    const needs = ['adminKey', 'otherUserId', 'restrictedKey'] as const;
    const given = without(without(inputs, 'otherUserId'), 'restrictedKey');
    expect(saidOf({ needs }, { ...running, inputs: given })).toEqual({
      outcome: 'inconclusive',
      reason: 'missing-input',
      detail:
        'not given: CONFORMANCE_OTHER_USER_ID (a second disposable user), ' +
        'CONFORMANCE_RESTRICTED_KEY (a valid key that may not update users)',
      exchanges: [],
    });
    expect(saidOf({ needs }, running)?.outcome).toBe('passed');
  });

  it.each<[Judgement, Judgement]>([
    ...(['not-observable', 'precondition-failed'] as const).map((reason): [Judgement, Judgement] => [
      inconclusive(reason),
      { ...inconclusive('deadline'), detail: 'the run ended before this could be seen' } as Judgement,
    ]),
    ...[
      ...(['control-refused', 'target-unreachable', 'limit-exceeded', 'throttled'] as const).map(inconclusive),
      ...[failed, { outcome: 'passed', exchanges: [seen] } as const],
      { outcome: 'not-applicable', detail: 'there is no such key', exchanges: [] } as const,
    ].map((judgement): [Judgement, Judgement] => [judgement, judgement]),
  ])('keeps $reason $outcome, and after a stop what was seen', (judgement, afterStop) => {
    expect(saidOf({ judge: () => judgement }, running)).toEqual(judgement);
    expect(saidOf({ judge: () => judgement }, stopped)).toEqual(afterStop);
  });
});

describe('a check that rests on another', () => {
  const check = (id: string, said: Judgement | 'passes', ...restsOn: readonly string[]): Check =>
    checkOf({ id, restsOn, ...(said === 'passes' ? {} : { judge: () => said }) });
  const judged = (...all: readonly Check[]) => judgeAll(all, running, undefined);
  const outcomes = (...all: readonly Check[]) => judged(...all).map(({ said }) => said.outcome);
  const broken = check('broken', failed);

  it.each([
    ['failed', check('x', failed, 'broken')],
    ['passed', check('x', 'passes', 'broken')],
    ['failed, and says itself what it rests on', check('x', { ...failed, restsOn: ['broken'] })],
  ])('is inconclusive if the other one failed, though it %s', (_what, own) => {
    const said = { outcome: 'inconclusive', reason: 'precondition-failed' };
    expect(judged(own, broken)[0]).toMatchObject({ said, causes: ['broken'] });
  });

  it('keeps its outcome if the other one passed, or is not judged', () => {
    expect(outcomes(check('x', failed, 'y', 'z'), check('y', 'passes'))).toEqual(['failed', 'passed']);
  });

  it('has the cause of what it rests on as its own', () => {
    const [result] = judged(check('x', failed, 'middle'), check('middle', 'passes', 'broken'), broken);
    expect(result?.causes).toEqual(['broken']);
  });

  it('has the causes of what it rests on, if both are inconclusive by themselves; else those say nothing of it', () => {
    const unseen = inconclusive('not-observable');
    const middle = check('middle', unseen, 'broken');
    const own = [check('x', unseen, 'middle'), check('y', 'passes', 'middle'), check('z', failed, 'middle')];
    const found = judged(...own, middle, broken).map(({ said, causes }) => [said.outcome, ...causes]);
    expect(found.slice(0, 3)).toEqual([['inconclusive', 'broken'], ['passed'], ['failed']]);
    expect(judged(...own, middle, broken)[0]?.said).toMatchObject({
      reason: 'not-observable',
      detail: 'the words of the check; it rests on broken, which failed',
    });
  });

  it('of a circle is inconclusive with the rest of it, in whatever order they come', () => {
    const circle = [check('broken', failed, 'x'), check('x', 'passes', 'y'), check('y', failed, 'broken')];
    const outcomesOf = (order: readonly number[]) => outcomes(...order.flatMap((each) => circle[each] ?? [])).sort();
    const orders = [0, 1, 2].flatMap((first) =>
      [1, 2].map((step) => [0, step, 2 * step].map((each) => (first + each) % 3)),
    );
    for (const order of orders) expect(outcomesOf(order)).toEqual(['failed', 'inconclusive', 'inconclusive']);
  });

  it.each<[what: string, own: Partial<Check>, causes: readonly string[]]>([
    ['the failure of what it rests on, and no other', { restsOn: ['broken'] }, ['broken']],
    ['that of an update that its operation should accept', {}, ['update-always-200']],
    [
      'that of what had to work first',
      { judge: () => inconclusive('precondition-failed') },
      ['update-always-200', 'x'],
    ],
    ['none of another operation', { operations: ['listBanners'] }, []],
    ['none if it got no response', { judge: () => inconclusive('target-unreachable') }, []],
  ])('belongs, if it is inconclusive by itself, to %s', (_what, own, causes) => {
    const elsewhere: Judgement = { ...failed, exchanges: [] };
    const failures = [check('x', failed), check('broken', elsewhere), check('update-always-200', elsewhere)];
    const unseen = checkOf({ id: 'unseen', judge: () => inconclusive('not-observable'), ...own });
    expect(judged(unseen, ...failures)[0]?.causes).toEqual(causes);
  });

  it('leaves one failure of two that rest on each other', () => {
    expect(outcomes(check('x', failed, 'y'), check('y', failed, 'x')).sort()).toEqual(['failed', 'inconclusive']);
  });
});

describe('an error of the suite', () => {
  const probe = (id: string, build: Probe['build']): Probe => ({ id, operation: 'updateUser', needs: [], build });
  const malformed = new URIError('URI malformed');
  const broken = probe('broken', () => {
    throw malformed;
  });
  const sound = probe('sound', () => updateRequest());
  const senderOf = (send: Parameters<typeof makeProbeSender>[0]['send']) =>
    makeProbeSender({ requests: undefined as never, send, running: () => true });

  it('in one probe spares the others', async () => {
    const sender = senderOf((request) => Promise.resolve(answered(request, 200)));
    await Promise.all([broken, sound].map(sender.sendProbe));
    expect([...sender.errors]).toEqual([['broken', malformed]]);
    expect(sender.collected.get('sound')).toHaveLength(1);
  });

  it('of the file system is thrown on', async () => {
    const full = Object.assign(new Error('no space left on device'), { syscall: 'write' });
    await expect(senderOf(() => Promise.reject(full)).sendProbe(sound)).rejects.toBe(full);
  });

  it('is reported with the checks that use what failed, and with no other', () => {
    const [used] = checks.find(({ needs }) => needs.length === 0 || needs.includes('adminKey'))?.uses ?? [];
    const evidence = evidenceOf({}, [], { errors: new Map([[used?.id ?? '', malformed]]) });
    const erroneous = judgeAll(checks, evidence, undefined).filter(({ said }) => said.outcome === 'error');
    expect(erroneous.map(({ check }) => check)).toEqual(
      checks.filter(({ uses }) => uses.some(({ id }) => id === used?.id)),
    );
    expect(erroneous[0]?.said).toEqual({ outcome: 'error', detail: 'URI malformed' });
  });

  it('of the run is reported for every check that could have run', () => {
    const error = new SuiteError('An update: the body is invalid');
    expect(saidOf({ judge: () => failed }, running, error)).toEqual({ outcome: 'error', detail: error.message });
    const given = { ...running, inputs: without(inputs, 'userId') };
    expect(saidOf({ needs: ['userId'] }, given, error)?.outcome).toBe('inconclusive');
  });

  it('is a check that throws; the others are judged', () => {
    const judge = () => {
      throw malformed;
    };
    const [first, second] = judgeAll([checkOf({ judge }), checkOf({ id: 'other' })], running, undefined);
    expect(first?.said).toEqual({ outcome: 'error', detail: 'URI malformed' });
    expect(second?.said.outcome).toBe('passed');
  });

  it('is not what a check says that was not judged in time', () => {
    const judged = judgeAll(checks, evidenceOf({}, []), undefined, () => false);
    const reasons = judged.map(({ said }) => (said.outcome === 'inconclusive' ? said.reason : said.outcome));
    expect(new Set(reasons)).toEqual(new Set(['deadline', 'missing-input']));
  });
});
