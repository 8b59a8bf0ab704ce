import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../conformance/http/exchange.ts';
import type { Check } from '../../../conformance/model/check.ts';
import { explain } from '../../../conformance/model/causes.ts';
import type { Deviation, Facts } from '../../../conformance/model/facts.ts';
import type { Judged } from '../../../conformance/model/judge.ts';
import type { View } from '../../../conformance/model/recording/view.ts';
import { judgeCheck } from '../../../conformance/model/verdicts.ts';
import { type FailureGroup, groupFailures } from '../../../conformance/result/findings.ts';
import { presentFindings } from '../../../conformance/result/scoring.ts';
import { checkOf } from '../../support/checks.ts';
import { inOrder } from '../../support/exchanges.ts';
import { deviation, put, refusalDue, viewOf } from '../../support/model.ts';

/** What is judged of some deviations, and of checks that nothing decides. */
function judgedOf(
  deviations: readonly Deviation[],
  undecided: readonly Check[] = [],
  blocked: View['blocked'] = {},
): Judged {
  const named = [...new Set(deviations.flatMap((each) => each.checks))].map((id) => checkOf({ id }));
  const view = viewOf([...new Set(deviations.map(({ x }) => x))], { blocked });
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

const member = (name: string, own: Partial<Deviation> = {}): Deviation =>
  deviation('member', first, {
    ...{ member: name, mode: 'wrong-type', old: 'null', requirements: [name], checks: [name] },
    ...own,
  });
const changed = deviation('changed', second, { subject: 'user', member: 'name', requirements: ['b'], checks: ['b'] });
/** Checks that nothing decides, one of them of another operation. */
const undecided = [checkOf({ id: 'unseen' }), checkOf({ id: 'elsewhere', operations: ['listBanners'] })];
const should = { level: 'should' } as const;

const groups: Readonly<Record<string, readonly FailureGroup[]>> = {
  'roots that contradict one requirement: one finding, led by the first': group(
    ...[response(second, 'a', 'x'), response(first, 'a', 'y'), response(first, 'a', 'x')],
  ),
  'what shows the same: one finding': group(member('name'), member('email')),
  'what only follows: a consequence': group(member('name', { subject: 'user' }), changed),
  'what is binding leads, and gives the level': group(response(first, 'a', 'x', should), response(second, 'a', 'y')),
  'two wrong statuses: two findings': group(outcome(refused('a', 422)), outcome(refused('b', 500))),
  'nobody can be blamed: no finding': group(deviation('changed', first, { requirements: [], checks: [] })),
  'what hides the checks of its operation': groupFailures(judgedOf([deviation('shape', first)], undecided)),
  'what hides the checks of an operation that it blocks': groupFailures(
    judgedOf([deviation('shape', first)], undecided, {
      listBanners: { reason: 'not-observable', detail: 'nothing is shown', exchange: second },
    }),
  ),
  'what hides nothing': groupFailures(judgedOf([response(first, 'a', 'x')], undecided)),
  'must first, then what explains most': group(
    ...[response(first, 'should', 'x', should), response(second, 'little', 'y')],
    ...[response(third, 'much', 'z'), response(third, 'much', 'w')],
  ),
};

it('deviations make the findings that were reviewed', async () => {
  const texts = Object.entries(groups).map(([what, found]) => {
    const lines = found.map(({ id, level, requirements, lead, checks, seen, consequences }) =>
      [
        `  ${level} ${id}: contradicts ${requirements.join(', ')}, seen ${seen} times`,
        `    led by ${lead.checks.join(', ')} at ${lead.x.startedAt} ms; checks ${checks.join(', ')}`,
        ...consequences.map((check) => `    hides ${check}`),
      ].join('\n'),
    );
    return [what, ...lines].join('\n');
  });
  await expect(texts.join('\n')).toMatchFileSnapshot('golden/findings.txt');
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
