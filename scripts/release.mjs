// The steps of a release that npm and gh do not do; .github/workflows/release.yml does the rest.
//   check TAG   whether TAG, package.json, CHANGELOG.md and the contract agree
//   notes       the section of CHANGELOG.md on this version, as release notes
//   earlier     downloads the contracts of earlier releases from GitHub into build/site
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const SITE = 'build/site';
const CHECKSUMS = 'checksums.txt';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const { version, repository } = readJson('package.json');

/** Runs a command in a folder. Returns its stdout; throws if it fails. */
function command(name, args, cwd = '.') {
  return execFileSync(name, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The section "## VERSION, contract VERSION" of the changelog; undefined if there is none. */
function changelogSection() {
  const [, ...sections] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
  const index = sections.findIndex((section) => section.startsWith(`${version}, contract `));
  if (index === -1) return undefined;
  const [heading, ...lines] = sections[index].split('\n');
  return { contract: heading.split(', contract ')[1].trim(), body: lines.join('\n').trim(), first: index === 0 };
}

/** What keeps npm from publishing with provenance: the package must name the repository that builds it. */
function repositoryProblems({ GITHUB_REPOSITORY: building }) {
  const named = repository?.url ?? repository;
  if (building === undefined || named?.replace(/\.git$/, '').endsWith(`/${building}`)) return [];
  return [`"repository" in package.json must name github.com/${building}, or npm refuses the provenance.`];
}

function check(tag) {
  const contract = readJson('contract/openapi.json').info.version;
  const section = changelogSection();
  const complete = section?.first && section.body !== '' && section.contract === contract;
  const problems = [
    ...repositoryProblems(process.env),
    ...(tag === `v${version}` ? [] : [`The tag must be v${version}, the version in package.json, not ${tag}.`]),
    ...(complete
      ? []
      : [`CHANGELOG.md must begin with a section "## ${version}, contract ${contract}" with text in it.`]),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

function notes() {
  const { contract, body } = changelogSection();
  console.log(`Contract ${contract}.\n\n${body}`);
}

/** Copies the contract of a release into the site. Returns its version, or undefined if the release has no contract. */
function takeContract(tag) {
  const download = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    // Without the executables, which are large.
    const patterns = ['*.json', '*.yaml', '*.d.ts', '*.tgz', CHECKSUMS].flatMap((each) => ['--pattern', each]);
    command('gh', ['release', 'download', tag, '--dir', download, ...patterns]);
    if (!existsSync(join(download, 'openapi.json'))) return undefined;
    command('sha256sum', ['--check', '--quiet', CHECKSUMS], download);
    const { version: contract } = readJson(join(download, 'openapi.json')).info;
    const target = join(SITE, `v${contract}`);
    if (existsSync(target)) return contract;
    // A release has no folders; the site has one for the schemas.
    const names = readFileSync(join(download, CHECKSUMS), 'utf8').match(/\S+$/gm);
    const copies = names
      .filter((name) => !name.endsWith('.tgz'))
      .map((name) => [name, name.endsWith('.schema.json') ? `schemas/${name}` : name]);
    for (const [from, to] of copies) {
      mkdirSync(dirname(join(target, to)), { recursive: true });
      copyFileSync(join(download, from), join(target, to));
    }
    const checksums = command('sha256sum', ['--', ...copies.map(([, to]) => to)], target);
    writeFileSync(join(target, CHECKSUMS), checksums);
    return contract;
  } finally {
    rmSync(download, { recursive: true });
  }
}

/** GitHub replaces a site as a whole: what earlier releases published at vVERSION and vMAJOR must be in the new one. */
function earlier() {
  const releases = JSON.parse(command('gh', ['release', 'list', '--limit', '1000', '--json', 'tagName']));
  const tags = releases.map(({ tagName }) => tagName).filter((tag) => tag !== `v${version}`);
  const contracts = tags.map(takeContract).filter((contract) => contract !== undefined);
  const newestFirst = contracts.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  for (const contract of newestFirst) {
    const major = join(SITE, `v${contract.split('.')[0]}`);
    if (!existsSync(major)) cpSync(join(SITE, `v${contract}`), major, { recursive: true });
  }
}

const [step, tag] = process.argv.slice(2);
({ check, notes, earlier })[step](tag);
