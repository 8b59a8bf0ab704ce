import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPoints, requirements } from '../../contract/document.ts';
import { checks } from '../../conformance/checks/catalogue.ts';
import { staleness } from '../../site/model.ts';
import { sitePages } from '../../site/pages.ts';
import { declaredMatrix, type SiteData } from '../../site/read.ts';
import { DOCUMENTS, NAVIGATION, siteTarget, WAYS, type DocumentPlace } from '../../site/places.ts';
import { sampleRequests } from '../../site/traffic.ts';
import { expectedKillMatrix } from '../support/kill-matrix.ts';
import { read, ROOT } from '../support/repository.ts';

const contract = { title: 'T', summary: 'S', version: '1.1.0', digest: 'd', scoredSetDigest: 's' };
const some = checks.slice(0, 3);
const result = { contract, checks: some };

describe('staleness', () => {
  it('says nothing where contract and checks are those of now', () =>
    expect(staleness(result, { contract, checks: some })).toBe(''));

  it('tells another version from another text of the same', () => {
    const now = { contract: { ...contract, version: '1.2.0', digest: 'e' }, checks: some };
    expect(staleness(result, now)).toBe('Judged by contract 1.1.0; this site describes 1.2.0.');
    const reworded = { contract: { ...contract, digest: 'e' }, checks: some };
    expect(staleness(result, reworded)).toBe('Judged by an earlier text of contract 1.1.0.');
  });

  it('counts the checks that came and went, and those whose level changed', () => {
    const [first, second, third] = some.map(({ id, level }) => ({ id, level }));
    if (!first || !second || !third) throw new Error('There are fewer than three checks.');
    const then = { contract, checks: [first, { ...second, level: 'should' as const }] };
    expect(staleness(then, { contract, checks: some.slice(1) })).toBe(
      'Without 2 current checks. With 2 checks that no longer exist.',
    );
  });
});

describe('the requests of a check', () => {
  it('are those that it uses, without keys', () => {
    const check = checks.find(({ id }) => id === 'auth-update-key-in-query') ?? expect.fail('There is no such check.');
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
});

const places: readonly DocumentPlace[] = Object.values(DOCUMENTS);
const sources = places.flatMap((place) => place.sources);

describe('the documents', () => {
  it('are all files of docs/', () => {
    const files = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`);
    expect(sources.filter((source) => source.startsWith('docs/')).sort()).toEqual(files.sort());
  });

  it('show every section of the README', () => {
    const sections = [...read('README.md').matchAll(/^## (.*)$/gm)].map(([, title = '']) => `README.md#${title}`);
    const shown = [...sources, ...WAYS.map(([, source]) => source)];
    // It only links to the other documents.
    expect(sections.filter((source) => !shown.includes(source))).toEqual(['README.md#More']);
  });

  it('link to pages of the site, also from a folder, and to nothing else', () => {
    expect(siteTarget('README.md', 'docs/cli.md#explore')).toBe('docs/cli.html#explore');
    expect(siteTarget('docs/cli.md', '../README.md')).toBe('index.html');
    expect(siteTarget('docs/cli.md', '../README.md#judge-your-own-server')).toBe('index.html#judge-your-own-server');
    expect(siteTarget('docs/cli.md', '../README.md#read-the-result')).toBe('docs/reports.html');
    expect(siteTarget('docs/cli.md', 'LICENSE')).toBeUndefined();
  });

  it('of this repository link only to files that exist', () => {
    const files = new Set([...sources, 'examples/README.md'].map((source) => source.replace(/#.*/, '')));
    const broken = [...files].flatMap((source) =>
      [...read(source).matchAll(/\]\((?!https?:|#)([^)#]*)/g)]
        .filter(([, link = '']) => !existsSync(join(ROOT, dirname(source), link)))
        .map(([, link = '']) => `${source}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
});

const data: SiteData = {
  tool: { name: 'n', version: '1' },
  contract,
  operations: [],
  requirements,
  openPoints,
  checks,
  matrix: expectedKillMatrix(),
  implementations: [],
  downloads: [],
  documents: new Map(
    [...sources, 'CHANGELOG.md', 'docs/fleet-growth.svg']
      .map((source) => source.replace(/#.*/, ''))
      .map((file) => [file, read(file)]),
  ),
  commands: [],
  resultSchema: {},
  history: {},
};

it('the navigation leads to pages of the site, and to every document', () => {
  const pages = [...sitePages(data).map(({ path }) => path), 'api/index.html'];
  const linked = NAVIGATION.flatMap(([, links]) => links.map(([, path]) => path));
  expect(linked.filter((path) => !pages.includes(path))).toEqual([]);
  expect(places.filter(({ path }) => !linked.includes(path))).toEqual([]);
});

const textOf = (path: string, own: Partial<SiteData>): string =>
  (sitePages({ ...data, ...own }).find((each) => each.path === path)?.parts ?? [])
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('\n');

const startOf = (documents: SiteData['documents']): string => textOf('index.html', { documents });

it('the start page has a tab for each way that is described, and for no other', () => {
  const described = 'docs/install.md';
  const before = startOf(data.documents);
  expect(before).toContain('>npx</label>');
  const more = new Map([...data.documents, [described, '# I\n\n## Container\n\n```sh\nrun it\n```\n']]);
  const without = new Map([...data.documents, [described, '# I\n\n## With Node\n\n```sh\nnpx it\n```\n']]);
  expect(startOf(more)).toMatch(/>Container<\/label>[^]*run it/);
  expect(startOf(without)).not.toContain('>Container</label>');
});

it.each(['proof.html', 'proof/variants.html', 'proof/auth.html', 'checks/body-absent.html'])(
  'a site without the result of the proof says so: %s',
  (path) => {
    const words = 'was built without the result of the proof';
    expect(textOf(path, { matrix: declaredMatrix() })).toContain(words);
    expect(textOf(path, {})).not.toContain(words);
  },
);
