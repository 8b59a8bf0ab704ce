import { describe, expect, it } from 'vitest';
import { requirements } from '../../../contract/document.ts';
import type { Check, Failure, Judgement } from '../../../conformance/judging/check.ts';
import type { Evidence } from '../../../conformance/judging/evidence.ts';
import type { InconclusiveReason } from '../../../conformance/judging/reasons.ts';
import type { Exchange } from '../../../conformance/http/exchange.ts';
import { SuiteError } from '../../../conformance/target/request-guard.ts';
import { judgeAll, type JudgedCheck, type Said } from '../../../conformance/result/judge-all.ts';
import { presentChecks, presentRequirements, type Presentation } from '../../../conformance/result/scoring.ts';
import { checkOf } from '../../support/checks.ts';
import {
  answered,
  bannersRequest,
  evidenceOf,
  inputs,
  update,
  updateRequest,
  without,
} from '../../support/exchanges.ts';

const KEY = 'Admin-key-1';
const seen = update({ name: 'Ada' }, { id: 4, name: 'Ada' });

const failure: Failure = { mode: 'not-stored', expected: 'Ada', actual: 'Eve', message: 'The name is another.' };

function inconclusive(reason: InconclusiveReason): Judgement {
  return { outcome: 'inconclusive', reason, detail: 'the words of the check', exchanges: [seen] };
}

function saidOf(check: Check, evidence: Evidence, error?: SuiteError): Said | undefined {
  return judgeAll([check], evidence, error)[0]?.said;
}

const running = evidenceOf({}, [], { stopped: false });
const stopped = evidenceOf({}, [], { stopped: true });

describe('judgeAll', () => {
  it('gives each check the evidence, and keeps what it says', () => {
    const verdict: Judgement = { outcome: 'failed', failure, exchanges: [seen] };
    const looks: Evidence[] = [];
    const first = checkOf({
      judge: (evidence) => {
        looks.push(evidence);
        return verdict;
      },
    });
    const second = checkOf({ id: 'other' });
    const judged = judgeAll([first, second], running, undefined);
    expect(judged.map(({ check }) => check)).toEqual([first, second]);
    expect(judged[0]?.said).toEqual(verdict);
    expect(judged[1]?.said.outcome).toBe('passed');
    expect(looks).toEqual([running]);
  });

  it('calls a check inconclusive whose inputs are missing, and names each of them', () => {
    const check = checkOf({ needs: ['adminKey', 'otherUserId', 'restrictedKey'] });
    const given = without(without(inputs, 'otherUserId'), 'restrictedKey');
    expect(saidOf(check, { ...running, inputs: given })).toEqual({
      outcome: 'inconclusive',
      reason: 'missing-input',
      detail:
        'not given: CONFORMANCE_OTHER_USER_ID (a second disposable user), ' +
        'CONFORMANCE_RESTRICTED_KEY (a valid key that may not update users)',
      exchanges: [],
    });
    expect(saidOf(check, running)?.outcome).toBe('passed');
  });

  it('reports an error of the suite for every check that could have run', () => {
    const error = new SuiteError('An update: the body is invalid');
    const check = checkOf({ judge: () => ({ outcome: 'failed', failure, exchanges: [seen] }) });
    expect(saidOf(check, running, error)).toEqual({ outcome: 'error', detail: 'An update: the body is invalid' });
    const given = { ...running, inputs: without(inputs, 'userId') };
    expect(saidOf(checkOf({ needs: ['userId'] }), given, error)?.outcome).toBe('inconclusive');
  });

  it('takes a check that throws for an error of the suite, and judges the others', () => {
    const broken = checkOf({
      judge: () => {
        throw new Error('no such member');
      },
    });
    const judged = judgeAll([broken, checkOf({ id: 'other' })], running, undefined);
    expect(judged[0]?.said).toEqual({ outcome: 'error', detail: 'no such member' });
    expect(judged[1]?.said.outcome).toBe('passed');
  });

  it.each<InconclusiveReason>(['not-observable', 'precondition-failed'])(
    'gives what was %s after a stop the reason deadline',
    (reason) => {
      const check = checkOf({ judge: () => inconclusive(reason) });
      expect(saidOf(check, running)).toEqual(inconclusive(reason));
      expect(saidOf(check, stopped)).toEqual({
        outcome: 'inconclusive',
        reason: 'deadline',
        detail: 'the run ended before this could be seen',
        exchanges: [seen],
      });
    },
  );

  const SEEN = ['control-refused', 'target-unreachable', 'limit-exceeded', 'throttled', 'missing-input'] as const;
  it.each<InconclusiveReason>(SEEN)('leaves the reason %s after a stop: it was seen', (reason) => {
    expect(saidOf(checkOf({ judge: () => inconclusive(reason) }), stopped)).toEqual(inconclusive(reason));
  });

  it.each<Judgement>([
    { outcome: 'passed', exchanges: [seen] },
    { outcome: 'failed', failure, exchanges: [seen] },
    { outcome: 'not-applicable', detail: 'there is no such key', exchanges: [] },
  ])('leaves after a stop what was judged: $outcome', (judgement) => {
    expect(saidOf(checkOf({ judge: () => judgement }), stopped)).toEqual(judgement);
  });
});

const presentation: Presentation = {
  baseUrl: 'http://target.example:4242/base',
  redact: (text) => text.replaceAll(KEY, '[key]'),
  unscored: new Set(['new-check']),
};

function present(said: Said, changes: Partial<Check> = {}) {
  const [result] = presentChecks([{ check: checkOf(changes), said, causes: [] }], presentation);
  if (!result) throw new Error('One check gives one result.');
  return result;
}

const lasting = (duration: number, exchange: Exchange = seen): Exchange => ({ ...exchange, duration });

describe('presentChecks', () => {
  it('says of a passed check what it is, and shows what it saw, without failure, reason, detail and curl line', () => {
    const own = ['update.unsent-fields-keep', 'update.sent-fields-change'];
    const result = present({ outcome: 'passed', exchanges: [seen] }, { requirements: own });
    expect(own[0]).toBe('update.unsent-fields-keep');
    expect(without(result, 'exchanges')).toEqual({
      id: 'update-name',
      area: 'update',
      level: 'must',
      title: 'A name is stored',
      requirements: ['update.sent-fields-change', 'update.unsent-fields-keep'],
      outcome: 'passed',
      knownFailure: false,
      scored: true,
      durationMs: 1,
    });
    expect(result.exchanges).toMatchObject([{ purpose: 'An update', response: { status: 200 } }]);
  });

  it('says why a check was inconclusive, or does not apply, without keys', () => {
    const said = { outcome: 'inconclusive', reason: 'throttled', exchanges: [] } as const;
    expect(present({ ...said, detail: `not with ${KEY}` })).toMatchObject({ ...said, detail: 'not with [key]' });
    const result = present({ outcome: 'not-applicable', detail: 'no such key', exchanges: [] });
    expect(result).toMatchObject({ outcome: 'not-applicable', detail: 'no such key' });
    expect(result).not.toHaveProperty('reason');
    expect(present({ outcome: 'passed', detail: 'seen once', exchanges: [] }).detail).toBe('seen once');
  });

  it('shows of an error of the suite its words, and no exchange', () => {
    const said = { outcome: 'error', detail: 'it broke' } as const;
    expect(present(said)).toMatchObject({ ...said, exchanges: [], durationMs: 0 });
  });

  it('shows a failure with its advice, without keys wherever they stand', () => {
    const own = { name: KEY };
    const withKeys = { ...failure, expected: own, actual: [KEY], pointer: `/${KEY}`, message: `${KEY} is stored.` };
    const result = present({ outcome: 'failed', failure: withKeys, exchanges: [seen] });
    expect(result.failure).toEqual({
      mode: 'not-stored',
      message: '[key] is stored.',
      expected: { name: '[key]' },
      actual: ['[key]'],
      pointer: '/[key]',
      advice: 'Store the name.',
    });
    expect(JSON.stringify(result)).not.toContain(KEY);
  });

  const failed = (changes: Partial<Failure>) =>
    present({ outcome: 'failed', failure: { ...failure, ...changes }, exchanges: [seen] }).failure;

  it('shows a failure without a pointer as one, and a mode that nobody explained without advice', () => {
    const shown = failed({ mode: 'unheard-of' });
    expect(shown).not.toHaveProperty('pointer');
    expect(shown?.advice).toBe('');
  });

  it('bounds what it shows of a failure', () => {
    const long = 'x'.repeat(100_000);
    const shown = failed({ message: long, expected: long, actual: long });
    expect(JSON.stringify(shown).length).toBeLessThan(15_000);
  });

  const list = answered(bannersRequest(), 200, { banners: [] });
  const put = answered(updateRequest(), 200, { id: 4 });

  it('gives for a failed check the line that sends its first request again', () => {
    const { curl } = present({ outcome: 'failed', failure, exchanges: [list, put] });
    expect(curl).toMatch(/^curl .*\/api\/admin\/banners/);
    expect(curl).not.toContain('user-admin');
    expect(curl).not.toContain('\n');
  });

  it('gives for a failed check a line for each request that shows it again, where it says which', () => {
    const { curl } = present({ outcome: 'failed', failure, exchanges: [list], replay: [put, list] });
    const lines = curl?.split('\n') ?? [];
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('/api/admin/user-admin/4');
    expect(lines[1]).toContain('/api/admin/banners');
  });

  it('gives a line for the shell without keys, and none where no request was sent', () => {
    const withKey = answered(updateRequest({ body: JSON.stringify({ name: KEY }) }), 200);
    expect(present({ outcome: 'failed', failure, exchanges: [withKey] }).curl).toContain('{"name":"[key]"}');
    expect(present({ outcome: 'failed', failure, exchanges: [] })).not.toHaveProperty('curl');
  });

  it('shows the first four exchanges, and adds the time of all up to tenths of a millisecond', () => {
    const exchanges = [0.11, 0.12, 0.12, 1, 2, 3].map((duration) => lasting(duration));
    const result = present({ outcome: 'passed', exchanges });
    expect(result.exchanges).toHaveLength(4);
    expect(result.durationMs).toBe(6.4);
  });

  it('sorts by id, whatever the order of the catalogue', () => {
    const judged = ['b', 'd', 'a', 'c'].map((id): JudgedCheck => ({
      check: checkOf({ id }),
      said: { outcome: 'passed', exchanges: [] },
      causes: [],
    }));
    expect(presentChecks(judged, presentation).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('presentRequirements', () => {
  const [one, two] = requirements.map(({ id }) => id).sort();
  const result = (id: string, outcome: 'passed' | 'failed', ...own: (string | undefined)[]) => ({
    ...present({ outcome: 'passed', exchanges: [] }, { id, requirements: own.map(String) }),
    outcome,
  });

  it('gives each requirement the worst outcome of its checks, and names them', () => {
    const [first, second, ...more] = presentRequirements([
      result('a', 'passed', one),
      result('b', 'failed', two, one),
      result('c', 'passed', one),
    ]);
    expect(first).toMatchObject({ id: one, outcome: 'failed', checks: ['a', 'b', 'c'] });
    expect(second).toMatchObject({ id: two, outcome: 'failed', checks: ['b'] });
    expect(more).toEqual([]);
    expect(presentRequirements([result('a', 'passed', one)])).toMatchObject([{ id: one, outcome: 'passed' }]);
  });

  it('says of each what the contract says', () => {
    const known = requirements.find(({ id }) => id === one);
    const { id, level, text, source } = known ?? {};
    expect(presentRequirements([result('a', 'passed', one)])).toEqual([
      { id, level, text, source, outcome: 'passed', checks: ['a'] },
    ]);
  });

  it('leaves out the outcomes of checks that do not count, and requirements that have no others', () => {
    const newer = result('new-check', 'failed', one, two);
    expect(newer.scored).toBe(false);
    expect(presentRequirements([result('a', 'passed', one), newer])).toMatchObject([
      { id: one, outcome: 'passed', checks: ['a'] },
    ]);
    expect(presentRequirements([newer])).toEqual([]);
    expect(presentRequirements([])).toEqual([]);
  });

  it('sorts by id', () => {
    const all = presentRequirements([result('a', 'passed', ...requirements.map(({ id }) => id))]);
    expect(all.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id).sort());
  });
});
