import { createHash } from 'node:crypto';

export const CHECKSUMS = 'checksums.txt';

/**
 * One version's chapter of the changelog.
 *
 * @param {string} changelog headings are like "## 0.2.0, contract 1.1.0"
 * @param {string} version "Unreleased", or a version of the package
 * @returns {{ contract: string, body: string, first: boolean } | undefined} undefined if there is no such chapter
 */
export function changelogChapter(changelog, version) {
  const [, ...chapters] = changelog.split(/^## /m);
  const found = chapters.findIndex((chapter) => chapter.split(', contract ')[0] === version);
  if (found === -1) return undefined;
  const [heading = '', ...lines] = chapters[found].split('\n');
  return { contract: heading.split(', contract ')[1]?.trim() ?? '', body: lines.join('\n').trim(), first: found === 0 };
}

/** `owner/name` of a repository on GitHub, as package.json may say it. */
function repositoryName(repository) {
  const url = typeof repository === 'string' ? repository : (repository?.url ?? '');
  return /^(?:github:|(?:git\+)?https:\/\/github\.com\/)([^/]+\/[^/]+?)(?:\.git)?$/.exec(url)?.[1];
}

/**
 * What keeps a version from being released, each in one line.
 *
 * @param {{ tag?: string, manifest: object, lock: object, changelog: string, contractVersion: string, repository?: string }} given
 *   the tag and the repository only where they are known
 * @returns {string[]}
 */
export function releaseProblems({ tag, manifest, lock, changelog, contractVersion, repository }) {
  const { version } = manifest;
  const problems = [];
  if (tag !== undefined && tag !== `v${version}`) {
    problems.push(`The tag is ${tag}, and package.json says ${version}: the tag has to be v${version}.`);
  }
  if (lock.version !== version || lock.packages?.['']?.version !== version) {
    problems.push(`package-lock.json says another version than package.json (${version}): run npm install.`);
  }
  const chapter = changelogChapter(changelog, version);
  if (chapter === undefined) {
    problems.push(`CHANGELOG.md has no chapter "## ${version}, contract ${contractVersion}".`);
  } else {
    if (!chapter.first) problems.push(`CHANGELOG.md: the chapter of ${version} has to be the first one.`);
    if (chapter.body === '') problems.push(`CHANGELOG.md: the chapter of ${version} says nothing.`);
    if (chapter.contract !== contractVersion) {
      problems.push(
        `CHANGELOG.md says contract ${chapter.contract || '(none)'} for ${version}, and openapi.yaml is ${contractVersion}.`,
      );
    }
  }
  const own = repositoryName(manifest.repository);
  if (own === undefined) {
    problems.push(
      'package.json has no "repository" on GitHub: npm publishes with provenance only where it is the right one.',
    );
  } else if (repository !== undefined && repository !== own) {
    problems.push(`package.json says that the repository is ${own}, and this is ${repository}.`);
  }
  if (manifest.private === true) problems.push('package.json says "private": npm would not publish it.');
  return problems;
}

/** The tag under which npm lists a version: one before a release is not what people get unasked. */
export function distributionTag(version) {
  return version.includes('-') ? 'next' : 'latest';
}

/** Names and contents in the format that `sha256sum -c` reads, sorted by name. */
export function checksumsOf(files) {
  const sorted = Object.entries(files).sort(([left], [right]) => (left < right ? -1 : 1));
  return sorted.map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`).join('');
}

/**
 * Compares files with their checksums.
 *
 * @param {Readonly<Record<string, Uint8Array>>} files all of them, the checksums too
 * @returns {string | undefined} what is wrong, if anything
 */
export function checksumProblem({ [CHECKSUMS]: listed, ...files }) {
  if (listed === undefined) return `${CHECKSUMS} is missing.`;
  const expected = new Set(listed.toString().trimEnd().split('\n'));
  const found = new Set(checksumsOf(files).trimEnd().split('\n'));
  const wrong = [...expected].find((line) => !found.has(line)) ?? [...found].find((line) => !expected.has(line));
  return wrong === undefined ? undefined : `${wrong.split('  ')[1]} is not what ${CHECKSUMS} says.`;
}

/** Whether one version comes after another; versions of the contract have three numbers and nothing else. */
export function isLater(one, other) {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number));
  const at = left.findIndex((part, index) => part !== right[index]);
  return at !== -1 && left[at] > right[at];
}
