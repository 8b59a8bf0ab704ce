import { describe, expect, it } from 'vitest';
import { openPoints, requirements } from '../../contract/document.ts';
import { checks } from '../../conformance/checks/catalogue.ts';
import { areaOf, areaTitle, at, staleness } from '../../site/model.ts';
import { rootFrom } from '../../site/layout.ts';
import { searchEntries, searchScript } from '../../site/search-index.ts';
import { sampleRequests } from '../../site/traffic.ts';
import { expectedKillMatrix } from '../support/kill-matrix.ts';

const contract = { title: 'T', summary: 'S', version: '1.1.0', digest: 'd', scoredSetDigest: 's' };
const some = checks.slice(0, 3);
const result = { contract, checks: some };

describe('staleness', () => {
  it('finds nothing where contract and checks are those of now', () => {
    expect(staleness(result, { contract, checks: some })).toBeUndefined();
  });

  it('tells another version from another text of the same', () => {
    const now = { contract: { ...contract, version: '1.2.0', digest: 'e' }, checks: some };
    expect(staleness(result, now)).toMatchObject({ contractVersion: '1.1.0', otherText: false });
    const reworded = { contract: { ...contract, digest: 'e' }, checks: some };
    expect(staleness(result, reworded)).toMatchObject({ otherText: true });
    expect(staleness(result, reworded)).not.toHaveProperty('contractVersion');
  });

  it('names the checks that came and went, and those whose level changed', () => {
    const [first, second, third] = some.map(({ id, level }) => ({ id, level }));
    if (!first || !second || !third) throw new Error('There are fewer than three checks.');
    const then = { contract, checks: [first, { ...second, level: 'should' as const }] };
    const found = staleness(then, { contract, checks: some.slice(1) });
    expect(found).toMatchObject({ checksNow: [second.id, third.id], checksThen: [first.id, second.id] });
  });
});

describe('the places of the site', () => {
  it('are relative to the root from any depth', () => {
    expect(['index.html', 'checks/a.html', 'a/b/c.html'].map(rootFrom)).toEqual(['', '../', '../../']);
  });

  it('tell requirements from open points', () => {
    expect(at.statement('open.limits')).toBe('open-points.html#open.limits');
    expect(at.statement('auth.key-valid')).toBe('requirements.html#auth.key-valid');
  });

  it('have a title for every area of the contract and of the checks', () => {
    const areas = [...requirements.map(({ id }) => areaOf(id)), ...checks.map(({ area }) => area)];
    expect([...new Set(areas)].filter((area) => areaTitle(area) === area)).toEqual([]);
  });
});

describe('the requests of a check', () => {
  it('are those that it uses, without keys', () => {
    const check = checks.find(({ id }) => id === 'auth-update-key-in-query');
    if (!check) throw new Error('There is no such check.');
    const samples = sampleRequests(check);
    expect(samples.map(({ method }) => method)).toContain('PUT');
    expect(samples.some(({ purpose }) => purpose.includes('in the query'))).toBe(true);
    expect(JSON.stringify(samples)).not.toContain('example-Admin-key');
  });

  it('are shown of every check that sends some, the same each time', () => {
    const without = checks.filter((check) => check.uses.length > 0 && sampleRequests(check).length === 0);
    expect(without.map(({ id }) => id)).toEqual([]);
    expect(checks.map(sampleRequests)).toEqual(checks.map(sampleRequests));
  });

  it('carry what a step sends beside the members', () => {
    const bodies = checks.flatMap(sampleRequests).map(({ body }) => body ?? '');
    expect(bodies.some((body) => body.includes('"id"'))).toBe(true);
    expect(bodies.some((body) => body.includes('__proto__'))).toBe(true);
  });
});

describe('the search index', () => {
  it('has every requirement, open point, check and server once', () => {
    const matrix = expectedKillMatrix();
    const data = {
      tool: { name: 'n', version: '1' },
      contract,
      requirements,
      openPoints,
      checks,
      matrix,
      implementations: [],
      downloads: [],
      changelog: '',
      readme: '',
    };
    const entries = searchEntries(data, []);
    for (const list of [requirements, openPoints, checks, matrix.defects, matrix.variants]) {
      for (const { id } of list) expect(entries.filter(([, name]) => name === id).length, id).toBe(1);
    }
    const script = searchScript(entries);
    expect(JSON.parse(script.slice('window.siteIndex = '.length, -2))).toEqual(entries);
  });
});
