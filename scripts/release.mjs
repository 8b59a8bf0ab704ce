// The steps of a release that npm and gh do not do; .github/workflows/release.yml does the rest.
//   check TAG   whether TAG, package.json, CHANGELOG.md and the contract agree
//   notes       the section of CHANGELOG.md on this version, as release notes
import { readFileSync } from 'node:fs';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const { version, repository } = readJson('package.json');
const contract = readJson('contract/openapi.json').info.version;
const heading = `${version}, contract ${contract}`;
const [, first = ''] = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
const text = first.startsWith(`${heading}\n`) ? first.slice(heading.length).trim() : '';

/** What keeps npm from publishing with provenance: the package must name the repository that builds it. */
function repositoryProblems({ GITHUB_REPOSITORY: building }) {
  const named = repository?.url ?? repository;
  if (building === undefined || named?.replace(/\.git$/, '').endsWith(`/${building}`)) return [];
  return [`"repository" in package.json must name github.com/${building}, or npm refuses the provenance.`];
}

function check(tag) {
  const problems = repositoryProblems(process.env);
  if (tag !== `v${version}`) problems.push(`The tag must be v${version}, the version in package.json, not ${tag}.`);
  if (text === '') problems.push(`CHANGELOG.md must begin with a section "## ${heading}" with text in it.`);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

const [step, tag] = process.argv.slice(2);
if (step === 'check') check(tag);
else console.log(`Contract ${contract}.\n\n${text}`);
