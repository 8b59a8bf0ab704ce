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
  switch (bump) {
    case 'major':
      return [major + 1, 0, 0];
    case 'minor':
      return [major, minor + 1, 0];
    case 'patch':
      return [major, minor, patch + 1];
    case 'none':
      return [major, minor, patch];
  }
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

/** The checks that count in a verdict, for one version of the contract. */
export interface ScoredSet {
  readonly contractVersion: string;
  readonly checks: readonly { readonly id: string; readonly level: string }[];
}

/** Reads a scored set; undefined if the value is none. */
export function scoredSet(value: unknown): ScoredSet | undefined {
  const { contractVersion, checks } = objectOf(value);
  if (typeof contractVersion !== 'string' || !isRecord(checks)) return undefined;
  const levels = Object.entries(checks);
  return { contractVersion, checks: levels.map(([id, level]) => ({ id, level: textOf(level) ?? '' })) };
}

/** Whether the scored set stayed as it was within a version, and lost no check without an entry. */
export function scoredSetProblems(
  base: ScoredSet,
  head: ScoredSet,
  versions: { readonly base: string; readonly head: string },
  retired: readonly RetiredId[],
): Problems {
  const keys = ({ checks }: ScoredSet): readonly string[] => checks.map(({ id, level }) => `${id} (${level})`).sort();
  const [before, after] = [keys(base), keys(head)];
  const problems: string[] = [];
  if (head.contractVersion !== versions.head) {
    problems.push(
      `The scored set is for contract ${head.contractVersion}, and the contract is ${versions.head}; generate it again.`,
    );
  }
  if (base.contractVersion === head.contractVersion && before.join() !== after.join()) {
    const changed = [
      ...before.filter((each) => !after.includes(each)),
      ...after.filter((each) => !before.includes(each)),
    ];
    problems.push(
      `The scored set of contract ${head.contractVersion} is frozen, and differs in ${changed.join(', ')}; leave it until the next version.`,
    );
  }
  const major = (version: string): number => versionOf(version)?.[0] ?? 0;
  if (major(versions.head) === major(versions.base)) {
    const present = new Set(head.checks.map(({ id }) => id));
    const gone = new Set(retired.map(({ id }) => id));
    for (const { id } of base.checks) {
      if (present.has(id) || gone.has(id)) continue;
      problems.push(`The check ${id} left the scored set; that takes a major version, or an entry in ${RETIRED_IDS}.`);
    }
  }
  return problems;
}
