import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import {
  contractDocument,
  contractText,
  type Level,
  openPoints,
  operationIds,
  requirements,
  route,
  summaryOf,
} from '../contract/document.ts';
import { isRecord, objectOf } from '../common/json.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { parseResult, resultSchema } from '../conformance/result/read-result.ts';
import { UsageError } from '../common/process/args.ts';
import { tool } from '../conformance/run/tool.ts';
import { commands } from '../cli/commands.ts';
import { publishedContract } from '../contract-publish/build-contract.ts';
import { defects, variants } from '../proof/catalogue.ts';
import { checkRows, requirementRows } from '../proof/kill-matrix.ts';
import { redundantChecks } from '../proof/reasons.ts';
import { stubs } from '../proof/servers/stubs.ts';
import { guideWith, type GuideFindings } from './guides.ts';
import type { Documents, KillMatrix } from './model.ts';
import { DOCUMENTS } from './places.ts';

/** Where the site's sources are. */
export interface Sources {
  /** The root of the repository. */
  readonly root: string;
  /** The kill matrix that `npm run prove` wrote; undefined: the proof was not run. */
  readonly proof: string | undefined;
  /** The folder with the results of implementations. */
  readonly implementations: string;
}

function sameIds(left: readonly { readonly id: string }[], right: readonly { readonly id: string }[]): boolean {
  const ids = new Set(left.map(({ id }) => id));
  return ids.size === right.length && right.every(({ id }) => ids.has(id));
}

/** What defects and variants expect, for a site without the result of the proof. */
export function declaredMatrix(): KillMatrix {
  const declared = defects.map(({ id, title, breaks, killedBy }) => ({
    ...{ id, title, breaks, killedBy, failed: killedBy },
    ...{ verdict: 'failed' as const, inconclusive: {}, problems: [] },
  }));
  return {
    proved: false,
    defects: declared,
    variants: variants.map(({ id, title, about }) => ({
      ...{ id, title, about, failed: {} },
      ...{ verdict: 'unknown', inconclusive: {}, problems: [] },
    })),
    stubs: [],
    checks: checkRows(declared, redundantChecks),
    requirements: requirementRows(defects, variants),
  };
}

/**
 * The kill matrix.
 *
 * @throws UsageError if it is missing, does not fit the current suite, or shows that the proof does not hold
 */
function readKillMatrix(path: string): KillMatrix {
  if (!existsSync(path)) throw new UsageError(`${path} is missing: run "npm run prove" first (about two minutes).`);
  const matrix = JSON.parse(readFileSync(path, 'utf8')) as KillMatrix;
  const fits =
    sameIds(matrix.defects, defects) &&
    sameIds(matrix.variants, variants) &&
    sameIds(matrix.checks, checks) &&
    sameIds(matrix.requirements, [...requirements, ...openPoints]);
  if (!fits)
    throw new UsageError(`${path} does not fit the current suite: run "npm run prove" again (about two minutes).`);
  const unproved = [...matrix.defects, ...matrix.variants, ...matrix.stubs].find(({ problems }) => problems.length > 0);
  if (unproved)
    throw new UsageError(`${path}: the proof does not hold: ${unproved.id}: ${unproved.problems[0] ?? ''}.`);
  const titles = new Map(stubs.map(({ id, title }) => [id, title]));
  return {
    ...matrix,
    proved: true,
    stubs: matrix.stubs.map((each) => ({ ...each, title: titles.get(each.id) ?? '' })),
  };
}

const ABOUT = ['title', 'language', 'version', 'summary'] as const;

/** What an implementation is, and how its result is made again: by a script, or by a server that is started in a folder. */
type About = Record<(typeof ABOUT)[number], string> &
  Partial<Record<'script' | 'server' | 'folder' | 'source' | 'series', string>>;

function readAbout(path: string): About {
  let about: unknown;
  try {
    about = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof YAMLParseError) throw new UsageError(`${path}: ${error.message.split('\n')[0] ?? ''}`);
    throw error;
  }
  const said = isRecord(about) ? about : {};
  const lacking = ABOUT.filter((name) => typeof said[name] !== 'string' || said[name] === '');
  if (lacking.length > 0) throw new UsageError(`${path}: ${lacking.join(', ')} must be given, as text.`);
  return said as About;
}

/** What the files of an implementation say: what it is, how its result is made again, and the unmodified result. */
function readImplementation(folder: string, id: string) {
  const path = (extension: string): string => join(folder, `${id}.${extension}`);
  if (!existsSync(path('yaml'))) throw new UsageError(`${path('json')} needs a file ${id}.yaml beside it.`);
  const resultText = readFileSync(path('json'), 'utf8');
  return {
    id,
    ...readAbout(path('yaml')),
    result: parseResult(path('json'), resultText),
    resultText,
  };
}

/** An implementation that the site shows; `id` names its files and its page. */
export type Implementation = ReturnType<typeof readImplementation>;

/** How many findings of each level a result has. */
export function findingCounts({ findings }: Implementation['result']): Record<Level, number> {
  const count = (level: Level): number => findings.filter((each) => each.level === level).length;
  return { must: count('must'), should: count('should') };
}

/** What results of an implementation said before, the oldest first. */
export interface HistoryEntry extends Record<Level, number> {
  readonly judged: string;
  readonly suite: string;
  readonly contract: string;
}

type History = Readonly<Record<string, readonly HistoryEntry[]>>;

function readHistory(folder: string): History {
  const path = join(folder, 'history.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as History) : {};
}

/** Compares titles with versions in them: 5.6 comes before 5.12. */
export const byVersion = new Intl.Collator('en', { numeric: true }).compare;

/** Those with the fewest findings first. */
function readImplementations(folder: string): Implementation[] {
  const ids = readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name !== 'history.json')
    .map((name) => basename(name, '.json'));
  const rank = ({ result }: Implementation): number[] => [
    ...Object.values(findingCounts(result)),
    result.summary.must.inconclusive,
  ];
  const compare = (left: number[], right: number[]): number =>
    left.map((each, index) => each - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return ids
    .map((id) => readImplementation(folder, id))
    .sort((left, right) => compare(rank(left), rank(right)) || byVersion(left.title, right.title));
}

/** The texts of the documents; a guide to a framework has the findings of its defaults, and the server's code. */
function readDocuments(root: string, files: readonly string[], implementations: string): Documents {
  const text = (file: string): string => readFileSync(join(root, file), 'utf8');
  const findings = JSON.parse(text('examples/servers/findings.json')) as Readonly<Record<string, GuideFindings>>;
  const documentOf = (file: string): string => {
    const name = /^docs\/servers\/(.*)\.md$/.exec(file)?.[1];
    if (name === undefined) return text(file);
    const { folder = '', source = '' } = readAbout(join(implementations, `${name}.yaml`));
    return guideWith(
      text(file),
      { path: join(folder, source), text: text(join(folder, source)) },
      findings[name] ?? {},
    );
  };
  return new Map(files.map((file) => [file, documentOf(file)]));
}

/**
 * Reads everything that the site shows.
 *
 * @throws UsageError if a source is missing or invalid
 * @throws UsageError if the contract cannot be published as it is
 */
export async function readSite({ root, proof, implementations }: Sources) {
  const sources = Object.values(DOCUMENTS).flatMap((each) => each.sources);
  const images = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.svg'))
    .map((name) => `docs/${name}`);
  const files = [...new Set([...sources, ...images, 'CHANGELOG.md'].map((source) => source.replace(/#.*/, '')))];
  const { title, version, summary } = contractDocument.info as typeof contractDocument.info & { summary: string };
  return {
    tool,
    contract: { title, summary, version, digest: hash('sha256', contractText) },
    operations: operationIds.map((id) => ({ id, ...route(id), summary: summaryOf(id) })),
    requirements,
    openPoints,
    checks,
    matrix: proof === undefined ? declaredMatrix() : readKillMatrix(proof),
    implementations: readImplementations(implementations),
    history: readHistory(implementations),
    downloads: [...publishedContract()].map(([name, content]) => ({
      name,
      content,
      bytes: Buffer.byteLength(content),
      sha256: hash('sha256', content),
    })),
    documents: readDocuments(root, files, join(root, 'site/implementations')),
    commands: await Promise.all(
      Object.entries(commands).map(async ([name, load]) => ({ name, help: (await load()).command.help })),
    ),
    resultSchema: objectOf(resultSchema()),
  };
}

/** Everything that the site shows. */
export type SiteData = Awaited<ReturnType<typeof readSite>>;
