// The steps of a release, each by itself; nothing but Node, npm and gh is needed, so that a job with rights installs nothing.
//   check [TAG]    whether tag, package.json, lock file, CHANGELOG.md and contract agree
//   notes          the chapter of CHANGELOG.md of this version
//   pack           the package, the files of the contract and their checksums in build/release
//   earlier        the contracts of earlier releases, from GitHub into build/site
//   npm [ARGS]     publishes what is in build/release; --dry-run only looks
//   github TAG     makes the GitHub release with what is in build/release
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import {
  changelogChapter,
  CHECKSUMS,
  checksumProblem,
  checksumsOf,
  distributionTag,
  isLater,
  releaseProblems,
} from './release-rules.mjs';

const RELEASE = 'build/release';
const CONTRACT = 'build/contract';
const SITE = 'build/site';

/** What the release cannot go on with; one line for whoever releases. */
class Stopped extends Error {}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const manifest = readJson('package.json');
const changelog = readFileSync('CHANGELOG.md', 'utf8');

/** Runs a command to its end, with no shell in between. */
function command(name, args, { input, capture = false } = {}) {
  const stdio = [input === undefined ? 'ignore' : 'pipe', capture ? 'pipe' : 'inherit', 'inherit'];
  const { status, error, stdout } = spawnSync(name, args, { input, stdio, encoding: 'utf8' });
  if (error) throw new Stopped(`${name} could not be run: ${error.message}`);
  if (status !== 0) throw new Stopped(`${name} ${args[0]} ended with ${status}.`);
  return stdout;
}

/** The files of a folder and those in folders below it, as paths below it. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

const contents = (folder) =>
  Object.fromEntries(filesIn(folder).map((file) => [file, readFileSync(join(folder, file))]));

function requirePacked() {
  if (!existsSync(RELEASE)) throw new Stopped(`There is no ${RELEASE}: run npm run release:pack.`);
  const problem = checksumProblem(contents(RELEASE));
  if (problem !== undefined) throw new Stopped(`${RELEASE}: ${problem}`);
  return filesIn(RELEASE).map((file) => join(RELEASE, file));
}

function check([tag]) {
  const problems = releaseProblems({
    ...(tag === undefined ? {} : { tag }),
    manifest,
    lock: readJson('package-lock.json'),
    changelog,
    contractVersion: readJson('contract/openapi.json').info.version,
    ...(process.env.GITHUB_REPOSITORY ? { repository: process.env.GITHUB_REPOSITORY } : {}),
  });
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) throw new Stopped(`${manifest.version} cannot be released.`);
  console.log(`${manifest.version} can be released.`);
}

function notesOf(version) {
  const chapter = changelogChapter(changelog, version);
  if (chapter === undefined) throw new Stopped(`CHANGELOG.md has no chapter of ${version}.`);
  return `Contract ${chapter.contract}.\n\n${chapter.body}\n`;
}

function pack() {
  rmSync(RELEASE, { recursive: true, force: true });
  mkdirSync(RELEASE, { recursive: true });
  command('npm', ['pack', '--pack-destination', RELEASE]);
  // A release has no folders.
  for (const file of filesIn(CONTRACT).filter((path) => path !== CHECKSUMS)) {
    copyFileSync(join(CONTRACT, file), join(RELEASE, basename(file)));
  }
  writeFileSync(join(RELEASE, CHECKSUMS), checksumsOf(contents(RELEASE)));
  console.log(filesIn(RELEASE).join('\n'));
}

/** Takes the contract out of the files of an earlier release. Gives its version, or undefined if the release has none. */
function takeContract(tag, folder) {
  const download = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    command('gh', ['release', 'download', tag, '--dir', download]);
    if (!existsSync(join(download, 'openapi.json'))) return undefined;
    const problem = checksumProblem(contents(download));
    if (problem !== undefined) throw new Stopped(`Release ${tag}: ${problem}`);
    const { version } = readJson(join(download, 'openapi.json')).info;
    const target = join(folder, `v${version}`);
    if (existsSync(target)) return version;
    for (const file of filesIn(download).filter((name) => name !== CHECKSUMS && !name.endsWith('.tgz'))) {
      const path = join(target, file.endsWith('.schema.json') ? 'schemas' : '', file);
      mkdirSync(dirname(path), { recursive: true });
      copyFileSync(join(download, file), path);
    }
    writeFileSync(join(target, CHECKSUMS), checksumsOf(contents(target)));
    return version;
  } finally {
    rmSync(download, { recursive: true });
  }
}

/** A site is replaced as a whole, so that it takes along what it published before; the newest of an earlier major has its short address. */
function earlier() {
  if (!existsSync(SITE)) throw new Stopped(`There is no ${SITE}: run npm run build:site.`);
  const releases = JSON.parse(
    command('gh', ['release', 'list', '--limit', '1000', '--json', 'tagName'], { capture: true }),
  );
  const tags = releases.map(({ tagName }) => tagName).filter((tag) => tag !== `v${manifest.version}`);
  const newest = new Map();
  for (const tag of tags) {
    const version = takeContract(tag, SITE);
    if (version === undefined) continue;
    console.log(`${tag}: contract ${version}`);
    const [major] = version.split('.');
    if (!newest.has(major) || isLater(version, newest.get(major))) newest.set(major, version);
  }
  for (const [major, version] of newest) {
    if (!existsSync(join(SITE, `v${major}`)))
      cpSync(join(SITE, `v${version}`), join(SITE, `v${major}`), { recursive: true });
  }
}

function publish(args) {
  const tarball = requirePacked().find((file) => file.endsWith('.tgz'));
  if (tarball === undefined) throw new Stopped(`${RELEASE} has no package.`);
  const tag = distributionTag(manifest.version);
  command('npm', [
    'publish',
    `./${tarball}`,
    '--provenance',
    '--access',
    'public',
    '--tag',
    tag,
    '--ignore-scripts',
    ...args,
  ]);
}

function github([tag, ...args]) {
  if (tag !== `v${manifest.version}`) throw new Stopped(`Name the tag of this version: v${manifest.version}.`);
  const kind = distributionTag(manifest.version) === 'next' ? ['--prerelease'] : [];
  const what = ['release', 'create', tag, '--verify-tag', '--title', tag, '--notes-file', '-', ...kind, ...args];
  command('gh', [...what, ...requirePacked()], { input: notesOf(manifest.version) });
}

const STEPS = {
  check,
  notes: () => process.stdout.write(notesOf(manifest.version)),
  pack,
  earlier,
  npm: publish,
  github,
};

const [step, ...args] = process.argv.slice(2);
try {
  if (!Object.hasOwn(STEPS, step)) throw new Stopped(`Name a step: ${Object.keys(STEPS).join(', ')}.`);
  STEPS[step](args);
} catch (error) {
  if (!(error instanceof Stopped)) throw error;
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}
