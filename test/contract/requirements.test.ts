import { describe, expect, it } from 'vitest';
import { groupedBy } from '../../common/text.ts';
import { openPoints, requirements } from '../../contract/document.ts';
import { checks, checksOf, requirementsOf } from '../../conformance/checks/catalogue.ts';
import { observe } from '../../conformance/checks/observations.ts';
import { recordingOf } from '../support/exchanges.ts';
import { judged } from '../support/model.ts';

describe('ids', () => {
  it('of checks are in kebab case', () => {
    const odd = checks.map(({ id }) => id).filter((id) => !/^[a-z]+(-[a-z0-9]+)*$/.test(id));
    expect(odd, 'The ids of many are made of "slug" and "shown" of an operation.').toEqual([]);
  });

  it('of traffic name one request or scenario each', () => {
    const traffic = new Map<string, unknown>();
    for (const each of checks.flatMap(({ uses }) => uses)) {
      expect(traffic.get(each.id) ?? each).toBe(each);
      traffic.set(each.id, each);
    }
  });
});

const nothingSeen = recordingOf([], {
  inputs: { baseUrl: new URL('http://localhost'), emailDomain: 'example.com' },
});

describe('the catalogue', () => {
  it.each(requirements)('$id has a check', (requirement) => expect(checksOf(requirement)).not.toEqual([]));

  it.each(checks)('$id judges requirements of its own level', (check) => {
    const own = requirementsOf(check);
    expect(own.map(({ id }) => id).sort()).toEqual([...check.requirements].sort());
    expect(new Set(own.map(({ level }) => level))).toEqual(new Set([check.level]));
  });

  it.each(checks)('$id describes each of its failure modes in a sentence', ({ failureModes }) => {
    expect(Object.keys(failureModes)).not.toEqual([]);
    for (const advice of Object.values(failureModes)) expect(advice).toMatch(/^[A-Z`].{15,}\.$/);
  });

  it('has unique titles that state what holds', () => {
    const repeated = groupedBy(checks, ({ title }) => title).filter(([, same]) => same.length > 1);
    expect(repeated.map(([title, same]) => [title, ...same.map(({ id }) => id)])).toEqual([]);
    for (const { title } of checks) expect(title).not.toMatch(/\b(should|test|check|verify)\b|\.$/i);
  });

  it('passes nothing if nothing was observed', () => {
    for (const { check, said } of judged(nothingSeen).checks) expect(said.outcome, check.id).toBe('inconclusive');
    for (const { observed } of observe(nothingSeen)) expect(observed).toBeUndefined();
  });

  it('observes every open point that can be observed', () => {
    const observable = openPoints.filter(({ observations }) => observations.length > 0).map(({ id }) => id);
    const observed = observe(nothingSeen);
    expect(observed.map(({ id }) => id)).toEqual(observable);
  });
});
