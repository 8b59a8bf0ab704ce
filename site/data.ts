/** What the pages show of the suite and of the contract. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { checks as catalogue } from '../conformance/checks/catalogue.ts';
import { whereJudged } from '../conformance/checks/selection.ts';
import { contractDocument, openPoints, requirements, type Requirement, type Result } from '../conformance/index.ts';
import { usualFix } from '../conformance/result/fixes.ts';
import { operationOf } from '../contract/document.ts';
import type { Breach } from './breaches.ts';

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

const breaches = JSON.parse(read('breaches.json')) as Readonly<Record<string, Breach>>;

/** Where the API reference explains what carries a requirement: its operation, or what all operations share. */
function placeOf(requirement: Requirement): string {
  const operation = operationOf(requirement);
  if (operation !== undefined) return operation;
  const [, kind = '', name = ''] = /^\/components\/(\w+)\/(\w+)/.exec(requirement.pointer) ?? [];
  if (kind === 'schemas') return name;
  return kind === 'securitySchemes' ? 'authentication' : 'about';
}

/** The checks, with what a failure looks like. */
const checks = catalogue.map(({ id, area, level, title, requirement, inputs, operation, fix }) => ({
  ...{ id, area, level, title, requirement, needs: inputs, operation, breach: breaches[id] },
  fix: fix ?? usualFix(requirement, id),
}));

/** The requirements with their checks. */
const requirementsWithChecks = requirements.map((requirement) => {
  const { id, level, text, description, source, since } = requirement;
  const own = checks.filter((check) => check.requirement === id);
  return {
    ...{ id, level, text, description, source, since, judged: whereJudged(id), place: placeOf(requirement) },
    ...{ checks: own.map((check) => check.id), fix: usualFix(id) },
    breach: breaches[id] ?? own.find(({ breach }) => breach)?.breach,
  };
});

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
