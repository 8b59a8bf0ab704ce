import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { whereJudged } from '../conformance/checks/selection.ts';
import { checks, contractDocument, openPoints, requirements, type Result } from '../conformance/index.ts';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');

const changed = parse(read('../contract/changes.yaml')) as Record<string, Record<string, string>>;
const versions = new Set([...Object.keys(changed), ...requirements.flatMap(({ since }) => since ?? [])]);

/** What each version of the contract newly asks of a server, the newest first: what is new, and what changed. */
const changes = [...versions]
  .sort(new Intl.Collator('en', { numeric: true }).compare)
  .reverse()
  .map((version) => {
    const added = requirements.filter(({ since }) => since === version).map(({ id }) => [id, 'new'] as const);
    const all = [...added, ...Object.entries(changed[version] ?? {})];
    return { version, changes: all.map(([requirement, change]) => ({ requirement, change })) };
  });

/** The requirements with their checks. */
const requirementsWithChecks = requirements.map(({ id, level, text, description, source, since }) => ({
  ...{ id, level, text, description, source, since, judged: whereJudged(id) },
  checks: checks.filter(({ requirement }) => requirement === id).map((check) => check.id),
}));

/** The recorded results, those with the fewest findings first. */
const implementations = readdirSync(new URL('implementations', import.meta.url))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => {
    const about = parse(read(`implementations/${name}`)) as Record<
      'title' | 'language' | 'version' | 'summary',
      string
    >;
    const result = JSON.parse(read(`implementations/${name.replace('.yaml', '.json')}`)) as Result;
    return { id: name.replace('.yaml', ''), ...about, result };
  })
  .sort((left, right) => left.result.findings.length - right.result.findings.length);

/**
 * What the pages show of the suite and of the contract, by the name of its file. This is the only place of the site that knows
 * the suite.
 */
export const siteData = {
  requirements: requirementsWithChecks,
  'open-points': openPoints,
  checks,
  changes,
  implementations,
  contract: contractDocument,
} as const;

/** Writes the data of the site as JSON files into a folder. */
export function writeSiteData(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, data] of Object.entries(siteData)) writeFileSync(`${folder}/${name}.json`, JSON.stringify(data));
}
