import { describe, expect, it } from 'vitest';
import { requirements } from '../../../contract/document.ts';
import type { Check } from '../../../conformance/model/check.ts';
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
  return result ?? expect.fail('One check gives one result.');
}

describe('presentChecks', () => {
  const failed = (changes: Partial<Deviation>): Judgement => {
    const own = { mode: 'not-stored', expected: 'Ada', actual: 'Eve', message: 'The name is another.', ...changes };
    const found = deviation('not-stored', seen, own);
    return { outcome: 'failed', deviation: found, all: [found] };
  };
  const list = answered(bannersRequest(), 200, { banners: [] });
  const put = answered(updateRequest(), 200, { id: 4 });
  const sendsKey = answered(updateRequest({ body: JSON.stringify({ name: KEY }) }), 200);
  const sendsMuch = answered(updateRequest({ body: JSON.stringify({ name: 'x'.repeat(200_000) }) }), 200);
  const everywhere = { expected: { name: KEY }, actual: [KEY], pointer: `/${KEY}`, message: `${KEY} is stored.` };

  it('shows judgements as it was reviewed, and no key', async () => {
    const judgements: Readonly<Record<string, Judgement>> = {
      passed: { ...PASSED, detail: 'seen once', exchanges: [seen] },
      inconclusive: {
        outcome: 'inconclusive',
        reason: 'throttled',
        exchanges: [],
        detail: `not with ${KEY}`,
        causes: [],
      },
      'not applicable': { outcome: 'not-applicable', detail: 'no such key' },
      'an error': { outcome: 'error', detail: 'it broke' },
      'a failure with a key': failed(everywhere),
      'what was accepted': failed({ expected: 400, actual: 'accepted' }),
      'a mode that nobody explained': failed({ mode: 'unheard-of' }),
      'two requests': failed({ shows: [put, list] }),
      'a key that was sent': failed({ shows: [sendsKey] }),
      'no request': failed({ shows: [] }),
    };
    const shown = Object.entries(judgements).map(([what, said]) => [what, present(said)]);
    const text = JSON.stringify(Object.fromEntries(shown), null, 2);
    expect(text).not.toContain(KEY);
    await expect(text).toMatchFileSnapshot('golden/judgements.txt');
  });

  it('shows all within bounds: texts, values, commands, and the first four exchanges with the time of all', () => {
    const long = 'x'.repeat(100_000);
    const { failure } = present(failed({ message: long, expected: long, actual: long }));
    expect(JSON.stringify(failure).length).toBeLessThan(15_000);
    expect(present({ outcome: 'error', detail: long }).detail).toHaveLength(4_001);
    expect(present(failed({ shows: [sendsMuch] })).curl).toMatch(/^# .{1,100}$/);
    const exchanges = [0.11, 0.12, 0.12, 1, 2, 3].map((duration) => ({ ...seen, duration }));
    const result = present({ outcome: 'passed', exchanges });
    expect([result.exchanges.length, result.durationMs]).toEqual([4, 6.4]);
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
