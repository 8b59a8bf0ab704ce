import type { Bump } from '../../openapi-judge/src/index.ts';

/** What is wrong, each with what to do; empty if nothing is. */
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

function isOlder(one: Version, other: Version): boolean {
  return (one[0] - other[0] || one[1] - other[1] || one[2] - other[2]) < 0;
}

/** Whether `info.version` rose as far as the changes require; more is allowed, less and backwards is not. */
export function versionProblems(base: string, head: string, bump: Bump): Problems {
  const [before, after] = [versionOf(base), versionOf(head)];
  if (before === undefined) return [`The version of the base, ${JSON.stringify(base)}, is not of the form 1.2.3.`];
  const least = bumped(before, bump);
  const advice = `set it to ${least.join('.')} or more.`;
  if (after === undefined) return [`info.version is ${JSON.stringify(head)}, not of the form 1.2.3; ${advice}`];
  if (isOlder(after, before)) return [`info.version went down from ${base} to ${head}; ${advice}`];
  if (!isOlder(after, least)) return [];
  return [`info.version is ${head}, and the changes since ${base} require a ${bump} bump; ${advice}`];
}

/** Whether the changelog has a heading that names this version of the contract, with something under it. */
export function changelogProblems(changelog: string, version: string, bump: Bump): Problems {
  if (bump === 'none') return [];
  const heading = new RegExp(`\\bcontract ${version.replaceAll('.', '\\.')}(?![.\\w-])`);
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.map((each) => each.split(/\r?\n/)).find(([first = '']) => heading.test(first));
  if (section === undefined)
    return [
      `CHANGELOG.md has no heading for this contract; add "## Unreleased, contract ${version}" and say below it what changed.`,
    ];
  const [, ...lines] = section;
  if (lines.some((line) => line.trim() !== '')) return [];
  return [`CHANGELOG.md says nothing below its heading for contract ${version}; say what changed.`];
}

/** What changed for servers, by the version of the contract and the id of the requirement. */
export type Changes = Readonly<Record<string, Readonly<Record<string, string>> | null>>;

/** The contract of this repository. */
export const CONTRACT = 'openapi.yaml';

/** Where the changes are listed. */
export const CHANGES = 'contract/changes.yaml';

/**
 * Whether the ids of requirements that came and went are on record, and none is used again.
 *
 * @param head the requirements of the newer contract, each with the version in which it says that it came
 * @param version the version of the newer contract
 */
export function idProblems(
  base: ReadonlyMap<string, string>,
  head: ReadonlyMap<string, string>,
  changes: Changes,
  version: string,
): Problems {
  const wasUsed = (id: string): boolean =>
    Object.entries(changes).some(([other, ids]) => other !== version && Object.hasOwn(ids ?? {}, id));
  const come = [...head.keys()].filter((id) => !base.has(id));
  // What came with this version, and goes before it is released, nobody has met.
  const gone = [...base.keys()].filter((id) => !head.has(id) && base.get(id) !== version);
  return [
    ...come
      .filter(wasUsed)
      .map((id) => `${id} was the id of a requirement that is gone; give the new requirement another id.`),
    ...come.filter((id) => head.get(id) !== version).map((id) => `${id} is new; say so with \`since: ${version}\`.`),
    ...gone
      .filter((id) => !Object.hasOwn(changes[version] ?? {}, id))
      .map(
        (id) => `${id} is gone, and ${CHANGES} does not list it under ${version}; say there what changes for servers.`,
      ),
  ];
}
