import { describe, expect, it } from 'vitest';
import type { Check, Failure, Judgement } from '../../../conformance/judging/check.ts';
import { groupFailures } from '../../../conformance/result/findings.ts';
import { judgeAll } from '../../../conformance/result/judge-all.ts';
import { presentFindings } from '../../../conformance/result/scoring.ts';
import { checkOf } from '../../support/checks.ts';
import { evidenceOf, update } from '../../support/exchanges.ts';

const seen = update({ name: 'Ada' }, { id: 4, name: 'Ada' });
const another = update({ name: 'Eve' }, { id: 4, name: 'Eve' });

type Given = Partial<Omit<Check, 'judge'>> & { readonly id: string; readonly fails?: Partial<Failure> | false };

function check(
  { fails = false, ...given }: Given,
  more: Partial<Extract<Judgement, { outcome: 'failed' }>> = {},
): Check {
  const failure = { mode: 'not-stored', expected: 'Ada', actual: 'Eve', message: 'It is another.', ...fails };
  const judgement: Judgement = fails
    ? { outcome: 'failed', failure, exchanges: [seen], ...more }
    : { outcome: 'passed', exchanges: [seen] };
  return checkOf({ requirements: ['a'], judge: () => judgement, ...given });
}

const judged = (...checks: readonly Check[]) => judgeAll(checks, evidenceOf({}), undefined);

describe('groupFailures', () => {
  const ids = (...checks: readonly Check[]) => groupFailures(judged(...checks)).map(({ id }) => id);

  it('makes one finding of failures that contradict one requirement', () => {
    const [group] = groupFailures(judged(check({ id: 'x', fails: {} }), check({ id: 'y', fails: { actual: 'Bob' } })));
    expect(group).toMatchObject({ id: 'a', level: 'must', requirements: ['a'] });
    expect(group?.failures.map((each) => each.check.id)).toEqual(['x', 'y']);
  });

  it('makes one finding of one deviation from several requirements, and several of several', () => {
    const of = (id: string, requirement: string, deviation: string): Check =>
      check({ id, requirements: [requirement], fails: { deviation } });
    const [first, ...others] = groupFailures(judged(of('x', 'a', 'one'), of('y', 'b', 'one'), of('z', 'a', 'two')));
    expect(first).toMatchObject({ id: 'one', requirements: ['a', 'b'] });
    expect(others).toMatchObject([{ id: 'two', requirements: ['a'] }]);
  });

  it('makes no finding of a deviation from requirements that another finding says are broken', () => {
    const accepted = check({ id: 'x', requirements: ['a'], fails: {} });
    const crashed = (id: string, requirement: string): Check =>
      check({ id, requirements: [requirement], fails: { deviation: 'status.400-is-500' } });
    expect(ids(crashed('y', 'a'), accepted)).toEqual(['a']);
    expect(ids(crashed('y', 'a'), accepted, crashed('z', 'b')).sort()).toEqual(['a', 'status.400-is-500']);
    expect(ids(crashed('y', 'b'), accepted).sort()).toEqual(['a', 'status.400-is-500']);
    const alike = check({ id: 'w', requirements: ['b'], fails: {}, sameFaultAs: ['x'] });
    expect(ids(crashed('y', 'a'), accepted, crashed('z', 'b'), alike)).toEqual(['a']);
  });

  it('represents a finding of both levels by what is binding', () => {
    const of = (id: string, level: 'must' | 'should'): Check =>
      check({ id, level, requirements: [id], fails: { deviation: 'status.400-is-500' } });
    const [group] = groupFailures(judged(of('x', 'should'), of('y', 'must')));
    expect(group).toMatchObject({ level: 'must', requirements: ['y', 'x'] });
    expect(group?.failures.map((each) => each.check.id)).toEqual(['y', 'x']);
  });

  it('represents a deviation by the binding failure that leads', () => {
    const of = (id: string, level: 'must' | 'should', leads: boolean): Check =>
      check({ id, level, requirements: [id], fails: { deviation: 'status.401-goes-on', leads } });
    const [group] = groupFailures(judged(of('x', 'should', true), of('y', 'must', false), of('z', 'must', true)));
    expect(group).toMatchObject({ level: 'must', requirements: ['z', 'x', 'y'] });
  });

  it('makes one finding of one fault that several requirements see, named after the check that the others name', () => {
    const first = check({ id: 'x', level: 'should', requirements: ['a'], fails: {} }, { sameFaultAs: ['z', 'y'] });
    const all = [
      first,
      check({ id: 'y', requirements: ['b'], fails: {} }),
      check({ id: 'w', requirements: ['c'], fails: {}, sameFaultAs: ['x'] }),
    ];
    const groups = groupFailures(judged(...all));
    expect(groups).toMatchObject([{ id: 'b', level: 'must', requirements: ['b', 'a', 'c'] }]);
    expect(groups[0]?.failures.map((each) => each.check.id)).toEqual(['y', 'x', 'w']);
  });

  it('leaves apart what is another fault: where the other check passed, or either failure has a deviation of its own', () => {
    const failing = check({ id: 'y', requirements: ['b'], fails: {} });
    const deviating = check({ id: 'y', requirements: ['b'], fails: { deviation: 'b.422' } });
    const same = (fails: Partial<Failure>) => check({ id: 'x', requirements: ['a'], fails, sameFaultAs: ['y'] });
    expect(ids(same({}), check({ id: 'y', requirements: ['b'] }))).toEqual(['a']);
    expect(ids(same({}), deviating).sort()).toEqual(['a', 'b.422']);
    expect(ids(same({ deviation: 'a.422' }), failing).sort()).toEqual(['a.422', 'b']);
  });

  it('blames the requirements that a failure names', () => {
    expect(ids(check({ id: 'x', requirements: ['a', 'b'], fails: { requirements: ['b'] } }))).toEqual(['b']);
  });

  it('counts each exchange that shows it once', () => {
    const all = [check({ id: 'x', fails: {} }, { alsoShownBy: [another] }), check({ id: 'y', fails: {} })];
    expect(groupFailures(judged(...all))[0]?.shownBy).toEqual([seen, another]);
  });

  it('puts must first, then what explains most', () => {
    const found = ids(
      check({ id: 'x', level: 'should', requirements: ['should'], fails: {} }),
      check({ id: 'y', requirements: ['little'], fails: {} }),
      check({ id: 'z', requirements: ['much'], fails: {} }),
      check({ id: 'rests', requirements: ['other'], fails: {}, restsOn: ['z'] }),
    );
    expect(found).toEqual(['much', 'little', 'should']);
  });
});

describe('the id of a finding', () => {
  const idsOf = (...deviations: readonly string[]): string[] => {
    const all = deviations.map((deviation, index) => check({ id: `x${index}`, fails: { deviation } }));
    const presentation = {
      baseUrl: 'http://127.0.0.1:4242',
      redact: (text: string) => text,
      unscored: new Set<string>(),
    };
    return presentFindings(groupFailures(judged(...all)), [], presentation).map(({ id }) => id);
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
