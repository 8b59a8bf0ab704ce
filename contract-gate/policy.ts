import { arrayOf, isRecord, objectOf, textOf } from '../common/json.ts';
import type { RetiredId } from '../contract/retired-ids.ts';
import type { Bump } from '../openapi-judge/src/index.ts';

/** What a step of the gate found. No problem: it passed. Each problem says what to do. */
export type Problems = readonly string[];

type Version = readonly [number, number, number];

function versionOf(text: string): Version | undefined {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

function bumped([major, minor, patch]: Version, bump: Bump): Version {
  const next: Readonly<Record<Bump, Version>> = {
    major: [major + 1, 0, 0],
    minor: [major, minor + 1, 0],
    patch: [major, minor, patch + 1],
    none: [major, minor, patch],
  };
  return next[bump];
}

function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** Whether `info.version` rose as far as the changes require; more is allowed, less and backwards is not. */
export function versionProblems(base: string, head: string, bump: Bump): Problems {
  const [before, after] = [versionOf(base), versionOf(head)];
  if (before === undefined) return [`The version of the base, ${JSON.stringify(base)}, is not of the form 1.2.3.`];
  if (after === undefined) {
    return [
      `info.version is ${JSON.stringify(head)}; write it as three numbers, such as ${bumped(before, bump).join('.')}.`,
    ];
  }
  const least = bumped(before, bump);
  if (compareVersions(after, before) < 0)
    return [`info.version went down from ${base} to ${head}; set it to ${least.join('.')} or more.`];
  if (compareVersions(after, least) < 0) {
    return [
      `info.version is ${head}, and the changes since ${base} require a ${bump} bump; set it to ${least.join('.')} or more.`,
    ];
  }
  return [];
}

/** Whether the changelog has a heading that names this version of the contract, with something under it. */
export function changelogProblems(changelog: string | undefined, version: string, bump: Bump): Problems {
  if (bump === 'none') return [];
  if (changelog === undefined) return ['There is no CHANGELOG.md; write one.'];
  const lines = changelog.split(/\r?\n/);
  const heading = new RegExp(`^## .*\\bcontract ${version.replaceAll('.', '\\.')}(?![.\\w-])`);
  const at = lines.findIndex((line) => heading.test(line));
  if (at < 0) {
    return [
      `CHANGELOG.md has no heading for this contract; add "## Unreleased, contract ${version}" and say below it what changed.`,
    ];
  }
  const end = lines.findIndex((line, index) => index > at && line.startsWith('## '));
  const said = lines.slice(at + 1, end < 0 ? undefined : end).some((line) => line.trim() !== '');
  return said ? [] : [`CHANGELOG.md says nothing below its heading for contract ${version}; say what changed.`];
}

/** Ids by kind: requirements, open points, checks and what else is frozen. */
export type IdsByKind = Readonly<Record<string, ReadonlySet<string>>>;

/** Checks in the list of frozen ids that are not frozen yet. */
const AHEAD = 'ahead';

/** The ids in the list of frozen ids: a list or an object with the ids as keys, for each kind. */
export function frozenIds(list: unknown): IdsByKind {
  return Object.fromEntries(
    Object.entries(objectOf(list))
      .filter(([kind]) => kind !== AHEAD)
      .map(([kind, ids]) => [
        kind,
        new Set(isRecord(ids) ? Object.keys(ids) : arrayOf(ids).map((each) => textOf(each) ?? '')),
      ]),
  );
}

/** Where retired ids are listed. */
export const RETIRED_IDS = 'contract/retired-ids.json';

/** Whether every id that is gone is retired with what replaced it, and none came back. */
export function idProblems(
  base: IdsByKind,
  head: IdsByKind,
  retiredBefore: readonly RetiredId[],
  retired: readonly RetiredId[] | undefined,
): Problems {
  if (retired === undefined)
    return [`${RETIRED_IDS} is not a list of entries with "id", "since" and "replacedBy" or "reason"; fix it.`];
  const present = new Set(Object.values(head).flatMap((ids) => [...ids]));
  const gone = new Set(retired.map(({ id }) => id));
  const problems: string[] = [];
  for (const [kind, ids] of Object.entries(base)) {
    for (const id of ids) {
      if (present.has(id) || gone.has(id)) continue;
      problems.push(
        `The id ${id} (${kind}) is frozen but was removed; keep it, or list it in ${RETIRED_IDS} with "since" and what replaced it.`,
      );
    }
  }
  for (const { id, replacedBy, reason } of retired) {
    if (present.has(id)) problems.push(`The id ${id} is retired and may not come back; give the requirement a new id.`);
    if (replacedBy.length === 0 && reason === undefined)
      problems.push(`${RETIRED_IDS}: ${id} needs "replacedBy" or a "reason".`);
    for (const other of replacedBy) {
      if (!present.has(other) && !gone.has(other))
        problems.push(`${RETIRED_IDS}: ${id} is replaced by ${other}, which does not exist.`);
    }
  }
  for (const { id } of retiredBefore) {
    if (!gone.has(id)) problems.push(`${RETIRED_IDS} no longer lists ${id}; a retired id stays retired.`);
  }
  return problems;
}

/** The checks that count in a verdict, with their levels, for one version of the contract. */
export interface ScoredSet {
  readonly contractVersion: string;
  readonly checks: readonly string[];
}

/** Reads a scored set; undefined if the value is none. */
export function scoredSet(value: unknown): ScoredSet | undefined {
  const { contractVersion, checks } = objectOf(value);
  if (typeof contractVersion !== 'string' || !isRecord(checks)) return undefined;
  return { contractVersion, checks: Object.entries(checks).map(([id, level]) => `${id} (${String(level)})`) };
}

/** Whether the scored set is that of the version of the contract, and stayed as it was within a version. */
export function scoredSetProblems(base: ScoredSet | undefined, head: ScoredSet, version: string): Problems {
  const problems: string[] = [];
  if (head.contractVersion !== version) {
    problems.push(
      `The scored set is for contract ${head.contractVersion}, and the contract is ${version}; generate it again.`,
    );
  }
  const lacks = (some: ScoredSet, others: ScoredSet): readonly string[] =>
    others.checks.filter((each) => !some.checks.includes(each));
  const changed = base?.contractVersion === head.contractVersion ? [...lacks(head, base), ...lacks(base, head)] : [];
  if (changed.length > 0) {
    problems.push(
      `The scored set of contract ${head.contractVersion} is frozen, and differs in ${changed.join(', ')}; leave it until the next version.`,
    );
  }
  return problems;
}
