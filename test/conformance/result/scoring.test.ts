import { describe, expect, it } from 'vitest';
import { requirements } from '../../../contract/document.ts';
import type { Check } from '../../../conformance/model/check.ts';
import type { Exchange } from '../../../conformance/http/exchange.ts';
import type { Deviation } from '../../../conformance/model/facts.ts';
import type { Judgement } from '../../../conformance/model/verdicts.ts';
import { presentChecks, presentRequirements, type Presentation } from '../../../conformance/result/scoring.ts';
import { checkOf } from '../../support/checks.ts';
import { answered, bannersRequest, update, updateRequest } from '../../support/exchanges.ts';
import { deviation } from '../../support/model.ts';

const KEY = 'Admin-key-1';
const seen = update({ name: 'Ada' }, { id: 4, name: 'Ada' });
const PASSED: Judgement = { outcome: 'passed', exchanges: [] };

const presentation: Presentation = {
  baseUrl: 'http://target.example:4242/base',
  redact: (text) => text.replaceAll(KEY, '[key]'),
  unscored: new Set(['new-check']),
};

function present(said: Judgement, changes: Partial<Check> = {}) {
  const [result] = presentChecks([{ check: checkOf(changes), said }], presentation);
  if (!result) throw new Error('One check gives one result.');
  return result;
}

describe('presentChecks', () => {
  it('says why a check was inconclusive, does not apply, or is an error of the suite, without keys', () => {
    const said = { outcome: 'inconclusive', reason: 'throttled', exchanges: [] } as const;
    const given = { ...said, detail: `not with ${KEY}`, causes: [] };
    expect(present(given)).toMatchObject({ ...said, detail: 'not with [key]' });
    const result = present({ outcome: 'not-applicable', detail: 'no such key' });
    expect(result).toMatchObject({ outcome: 'not-applicable', detail: 'no such key' });
    expect(result).not.toHaveProperty('reason');
    const passed = present({ ...PASSED, detail: 'seen once', exchanges: [seen] });
    expect(passed).toMatchObject({ detail: 'seen once', exchanges: [{ response: { status: 200 } }], durationMs: 1 });
    for (const name of ['failure', 'reason', 'curl']) expect(passed).not.toHaveProperty(name);
    const error = { outcome: 'error', detail: 'it broke' } as const;
    expect(present(error)).toMatchObject({ ...error, exchanges: [], durationMs: 0 });
  });

  const failed = (changes: Partial<Deviation>) => {
    const own = { mode: 'not-stored', expected: 'Ada', actual: 'Eve', message: 'The name is another.', ...changes };
    const found = deviation('not-stored', seen, own);
    return present({ outcome: 'failed', deviation: found, all: [found] });
  };

  it('shows a failure with its advice, without keys wherever they stand', () => {
    const own = { expected: { name: KEY }, actual: [KEY], pointer: `/${KEY}`, message: `${KEY} is stored.` };
    const result = failed(own);
    const failure = { mode: 'not-stored', pointer: '/[key]', advice: 'Store the name.' };
    expect(result.failure).toMatchObject({ ...failure, expected: { name: '[key]' }, actual: ['[key]'] });
    expect(failed({ expected: 400, actual: 'accepted' }).failure).toMatchObject({ expected: 400, actual: 200 });
    expect(JSON.stringify(result)).not.toContain(KEY);
  });

  it('shows a failure without a pointer as one, a mode that nobody explained without advice, and all within bounds', () => {
    const shown = failed({ mode: 'unheard-of' }).failure;
    expect(shown).not.toHaveProperty('pointer');
    expect(shown?.advice).toBe('');
    const long = 'x'.repeat(100_000);
    expect(JSON.stringify(failed({ message: long, expected: long, actual: long }).failure).length).toBeLessThan(15_000);
    const detail = 'x'.repeat(100_000);
    expect(present({ outcome: 'error', detail }).detail).toHaveLength(4_001);
  });

  it('gives for a failed check the lines that send what shows it again, without keys', () => {
    const list = answered(bannersRequest(), 200, { banners: [] });
    const put = answered(updateRequest(), 200, { id: 4 });
    const withKey = answered(updateRequest({ body: JSON.stringify({ name: KEY }) }), 200);
    const linesOf = (...shows: readonly Exchange[]) => failed({ shows }).curl?.split('\n');
    const ofList = expect.stringMatching(/^curl .*\/api\/admin\/banners/) as string;
    const ofPut = expect.stringContaining('/api/admin/user-admin/4') as string;
    expect(linesOf(put, list)).toEqual([ofPut, ofList]);
    expect(linesOf(withKey)).toEqual([expect.stringContaining('{"name":"[key]"}')]);
    expect(linesOf(seen)).toEqual([ofPut]);
    expect(linesOf()).toBeUndefined();
    const long = answered(updateRequest({ body: JSON.stringify({ name: 'x'.repeat(200_000) }) }), 200);
    expect(linesOf(long, put)).toEqual([expect.stringMatching(/^# .{1,100}$/), ofPut]);
  });

  it('shows the first four exchanges, and adds the time of all up to tenths of a millisecond', () => {
    const exchanges = [0.11, 0.12, 0.12, 1, 2, 3].map((duration) => ({ ...seen, duration }));
    const result = present({ outcome: 'passed', exchanges });
    expect(result.exchanges).toHaveLength(4);
    expect(result.durationMs).toBe(6.4);
  });
});

describe('presentRequirements', () => {
  const [one, two] = requirements.map(({ id }) => id).sort();
  const result = (id: string, outcome: 'passed' | 'failed', ...own: (string | undefined)[]) => ({
    ...present(PASSED, { id, requirements: own.map(String) }),
    outcome,
  });
  const passed = () => result('a', 'passed', one);

  it('gives each requirement the worst outcome of its checks, and names them and what the contract says', () => {
    const { id, level, text, source } = requirements.find((each) => each.id === one) ?? {};
    const results = [passed(), result('b', 'failed', two, one), result('c', 'passed', one)];
    expect(presentRequirements(results)).toMatchObject([
      { id: one, outcome: 'failed', checks: ['a', 'b', 'c'] },
      { id: two, outcome: 'failed', checks: ['b'] },
    ]);
    expect(presentRequirements([passed()])).toEqual([{ id, level, text, source, outcome: 'passed', checks: ['a'] }]);
  });

  it('leaves out the outcomes of checks that do not count, and requirements that have no others', () => {
    const newer = result('new-check', 'failed', one, two);
    expect(newer.scored).toBe(false);
    expect(presentRequirements([passed(), newer])).toMatchObject([{ id: one, outcome: 'passed', checks: ['a'] }]);
    expect(presentRequirements([newer])).toEqual([]);
    expect(presentRequirements([])).toEqual([]);
  });
});
