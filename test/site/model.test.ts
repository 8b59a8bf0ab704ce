import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPoints, requirements } from '../../contract/document.ts';
import { checks } from '../../conformance/checks/catalogue.ts';
import { contributing, guides, siteTarget } from '../../site/documents.ts';
import { areaOf, areaTitle, at, staleness } from '../../site/model.ts';
import { layout, rootFrom } from '../../site/layout.ts';
import type { KillMatrix } from '../../site/model.ts';
import { sitePages } from '../../site/pages.ts';
import { declaredMatrix } from '../../site/read.ts';
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
    expect(at.item('open.limits')).toBe('open-points.html#open.limits');
    expect(at.item('auth.key-valid')).toBe('requirements.html#auth.key-valid');
  });

  it('have a title for every area', () => {
    expect(['auth', 'request-body', areaOf('banners.all')].map(areaTitle)).toEqual([
      'Authentication',
      'Request body',
      'Banners',
    ]);
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

describe('the documents', () => {
  it('are all files of docs/', () => {
    const places = [...guides, ...contributing].map(({ source }) => source);
    const files = readdirSync(join(import.meta.dirname, '../../docs')).map((name) => `docs/${name}`);
    expect(places.filter((source) => source.startsWith('docs/')).sort()).toEqual(files.sort());
  });

  it('link to pages of the site, also from a folder, and to nothing else', () => {
    expect(siteTarget('README.md', 'docs/cli.md#explore')).toBe('docs/cli.html#explore');
    expect(siteTarget('docs/cli.md', '../README.md')).toBe('docs/index.html');
    expect(siteTarget('docs/cli.md', 'LICENSE')).toBeUndefined();
  });

  it('of this repository link only to files that exist', () => {
    const root = join(import.meta.dirname, '../..');
    const broken = [...guides, ...contributing, { source: 'examples/README.md' }].flatMap(({ source }) =>
      [...readFileSync(join(root, source), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]*)/g)]
        .filter(([, link = '']) => !existsSync(join(root, dirname(source), link)))
        .map(([, link = '']) => `${source}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
});

const data = {
  tool: { name: 'n', version: '1' },
  contract,
  operations: [],
  requirements,
  openPoints,
  checks,
  matrix: expectedKillMatrix(),
  implementations: [],
  downloads: [],
  changelog: '',
  documents: new Map([
    ['README.md', '# R\n\nJudges.\n\n```text\nFAILED\n```\n'],
    ['docs/cli.md', '# C\n\n## One heading\n'],
  ]),
};

describe('a site without the result of the proof', () => {
  const textOf = (path: string, matrix: KillMatrix): string => {
    const page = sitePages({ ...data, matrix }).find((each) => each.path === path);
    return page ? layout(page, 'n', '1') : '';
  };

  it.each(['proof/index.html', 'proof/variants.html', 'proof/auth.html', 'checks/body-absent.html'])(
    'says so: %s',
    (path) => {
      const words = 'was built without the result of the proof';
      expect(textOf(path, declaredMatrix())).toContain(words);
      expect(textOf(path, data.matrix)).not.toContain(words);
    },
  );
});

describe('the search index', () => {
  it('has every requirement, open point, check and server once', () => {
    const { matrix } = data;
    const entries = searchEntries(data, []);
    for (const list of [requirements, openPoints, checks, matrix.defects, matrix.variants]) {
      for (const { id } of list) expect(entries.filter(([, name]) => name === id).length, id).toBe(1);
    }
    expect(entries).toContainEqual(['page', 'One heading', 'Command line', 'docs/cli.html#one-heading']);
    const script = searchScript(entries);
    expect(JSON.parse(script.slice('window.siteIndex = '.length, -2))).toEqual(entries);
  });
});
