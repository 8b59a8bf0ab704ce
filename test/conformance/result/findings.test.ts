import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../conformance/http/exchange.ts';
import type { Check } from '../../../conformance/model/check.ts';
import { explain } from '../../../conformance/model/causes.ts';
import type { Deviation, Facts } from '../../../conformance/model/facts.ts';
import type { Judged } from '../../../conformance/model/judge.ts';
import { judgeCheck } from '../../../conformance/model/verdicts.ts';
import { groupFailures } from '../../../conformance/result/findings.ts';
import { presentFindings } from '../../../conformance/result/scoring.ts';
import { checkOf } from '../../support/checks.ts';
import { inOrder } from '../../support/exchanges.ts';
import { deviation, put, refusalDue, viewOf } from '../../support/model.ts';

/** What is judged of some deviations, and of checks that nothing decides. */
function judgedOf(deviations: readonly Deviation[], undecided: readonly Check[] = []): Judged {
  const named = [...new Set(deviations.flatMap((each) => each.checks))].map((id) => checkOf({ id }));
  const view = viewOf([...new Set(deviations.map(({ x }) => x))]);
  const facts: Facts = { deviations, witnesses: new Map(), doubts: new Map(), absences: new Map() };
  const why = explain(deviations);
  const all = [...named, ...undecided];
  return { view, facts, why, checks: all.map((check) => ({ check, said: judgeCheck(check, view, facts, why) })) };
}

const group = (...deviations: readonly Deviation[]) => groupFailures(judgedOf(deviations));
const [first, second, third] = inOrder(put({ name: 'Ada' }), put({ name: 'Eve' }), put({ name: 'Bob' })) as [
  ...[Exchange, Exchange, Exchange],
];
const response = (x: Exchange, requirement: string, check: string, own: Partial<Deviation> = {}): Deviation =>
  deviation('response', x, { requirements: [requirement], checks: [check], ...own });
const outcome = (x: Exchange, actual: unknown = x.response?.status): Deviation => deviation('outcome', x, { actual });
const refused = (requirement: string, status: number): Exchange => {
  const due = refusalDue(requirement, { statuses: [400] });
  return put({ name: 5 }, { due, meant: { body: 'invalid', id: 'valid' } }, status);
};

describe('groupFailures', () => {
  it('makes one finding of the roots that contradict one requirement, led by the first, and counts what shows it', () => {
    const found = group(response(second, 'a', 'x'), response(first, 'a', 'y'), response(first, 'a', 'x'));
    expect(found).toMatchObject([{ id: 'a', level: 'must', requirements: ['a'], checks: ['y', 'x'], seen: 2 }]);
    expect(found[0]?.lead.x).toBe(first);
  });

  it('adds what shows the same, and keeps apart what only follows', () => {
    const [name, email] = ['name', 'email'].map((member) =>
      deviation('member', first, { member, mode: 'wrong-type', old: 'null', requirements: [member], checks: [member] }),
    ) as [Deviation, Deviation];
    expect(group(name, email)).toMatchObject([{ id: 'name', checks: ['name', 'email'], consequences: [] }]);
    const own = { subject: 'user', member: 'name', requirements: ['b'], checks: ['b'] } as const;
    const changed = deviation('changed', second, own);
    const typed = { ...name, subject: 'user' };
    expect(group(typed, changed)).toMatchObject([{ id: 'name', checks: ['name'], consequences: ['b'] }]);
  });

  it('is led by what is binding, and has its level', () => {
    const [found] = group(response(first, 'a', 'x', { level: 'should' }), response(second, 'a', 'y'));
    expect(found).toMatchObject({ level: 'must', lead: { checks: ['y'] } });
  });

  it('keeps apart two wrong statuses', () => {
    const ids = group(outcome(refused('a', 422)), outcome(refused('b', 500))).map(({ id }) => id);
    expect(ids).toEqual(['status.400-is-422', 'status.400-is-500']);
  });

  it('makes no finding of a deviation that nobody can be blamed for', () => {
    expect(group(deviation('changed', first, { requirements: [], checks: [] }))).toEqual([]);
  });

  it('gives what is inconclusive by itself to a finding that hides it: one of the same operation', () => {
    const undecided = [checkOf({ id: 'unseen' }), checkOf({ id: 'elsewhere', operations: ['listBanners'] })];
    const consequencesOf = (one: Deviation) => groupFailures(judgedOf([one], undecided))[0]?.consequences;
    expect(consequencesOf(deviation('shape', first))).toEqual(['unseen']);
    expect(consequencesOf(response(first, 'a', 'x'))).toEqual([]);
  });

  it('puts must first, then what explains most', () => {
    const all = [
      response(first, 'should', 'x', { level: 'should' }),
      response(second, 'little', 'y'),
      response(third, 'much', 'z'),
      response(third, 'much', 'w'),
    ];
    expect(group(...all).map(({ id }) => id)).toEqual(['much', 'little', 'should']);
  });
});

describe('the id of a finding', () => {
  const idsOf = (...requirements: readonly string[]): string[] => {
    const all = requirements.map((requirement, index) => response(first, requirement, `x${index}`));
    const presentation = { baseUrl: 'http://x', redact: (text: string) => text, unscored: new Set<string>() };
    return presentFindings(group(...all), [], [], presentation).map(({ id }) => id);
  };

  it('differs for names that differ in case, in what an id cannot hold, or late', () => {
    const long = 'x'.repeat(300);
    const ids = idsOf('name.Foo', 'name.foo', 'name.f o', 'name.f-o', 'name.é', 'name.è', `${long}1`, `${long}2`);
    expect(ids.slice(0, 2)).toEqual(['name.Foo', 'name.foo']);
    expect(new Set(ids).size).toBe(8);
  });

  it('is short, and has only characters that need no escape in a shell, a URL or YAML', () => {
    for (const id of idsOf('x'.repeat(300), 'a: b', '$(reboot)', '\u0000', 'ü')) expect(id).toMatch(/^[\w.-]{1,90}$/);
  });
});
