/** The gate: whether a change of the contract may be published as it is. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { addToJobSummary, onGitHubActions, withoutCommands } from '../../common/github.ts';
import { member, textOf } from '../../common/json.ts';
import { parseArguments, UsageError } from '../../common/process/args.ts';
import { npmCommand } from '../../common/process/npm.ts';
import { parseYaml } from '../../common/yaml.ts';
import { type Description, judge, loadDescription } from '../../openapi-judge/src/index.ts';
import {
  CHANGES,
  changelogProblems,
  CONTRACT,
  idProblems,
  versionProblems,
  type Changes,
  type Problems,
} from './policy.ts';
import { failedSteps, gateAnnotations, gateMarkdown, gateText, type GateVerdict, type Step } from './report.ts';
import { entriesOf, OUR_EXTENSIONS } from './requirements-diff.ts';

const HELP = `Usage: npm run --silent gate -- [--base REV|FILE] [--released REV|FILE]

Judges the change of openapi.yaml: whom it breaks, and whether it may be published
as it is: the document is clean, its version rose far enough since the last release,
the changelog names it, and ids of requirements are not used again.

  --base REV|FILE      what the change starts from: a git revision (HEAD), or a file
  --released REV|FILE  the last released contract (the last tag of a release)

Before the first release the version may stay. On GitHub Actions it also annotates
the lines, and fills the summary of the job.
Exit codes: 0 passed, 1 a step failed, 2 usage, or a document that cannot be read.
`;

/** The last tag of a release in the history of this commit, release candidates aside; undefined if there is none. */
function lastRelease(): string | undefined {
  const releases = ['--match', 'v[0-9]*', '--exclude', '*-*'];
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0', ...releases], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** The contract in a file, or in a revision of git. */
function contractIn(name: string): Promise<Description> {
  const isFile = statSync(name, { throwIfNoEntry: false })?.isFile() === true;
  return loadDescription('base', isFile ? name : `${name}:${CONTRACT}`);
}

function versionOf({ root }: Description): string {
  return textOf(member(root.info, 'version')) ?? '';
}

/** The requirements of a contract, each with the version in which it says that it came. */
function idsOf(description: Description): ReadonlyMap<string, string> {
  const entries = [...entriesOf(description, 'x-requirements')];
  return new Map(entries.map(([id, { value }]) => [id, textOf(member(value, 'since')) ?? '']));
}

/** The text of a file; empty if there is none. */
function textIn(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function lintProblems(): Problems {
  const [npm, ...first] = npmCommand(process.env);
  const args = [...first, 'run', '--silent', 'lint:contract'];
  const { status, stdout, stderr } = spawnSync(npm, args, { encoding: 'utf8' });
  return status === 0 ? [] : `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
}

/** What a lint finds of the contract in this folder. */
type Lint = () => Problems;

/** The contracts that a change lies between. */
interface Change {
  readonly base: Description;
  readonly head: Description;
  /** The last one that was released. */
  readonly released: Description | undefined;
}

/** What has to hold of a contract before it is published: of all that changed since the last release. */
function stepsOf({ base, head, released }: Change, lint: Lint): readonly Step[] {
  const last = released ?? base;
  const { bump, changes } = judge(last, head, OUR_EXTENSIONS);
  const [before, after] = [versionOf(last), versionOf(head)];
  const { data } = parseYaml(CHANGES, textIn(CHANGES));
  const reused = changes.filter(({ rule }) => rule === 'requirement-changed');
  return [
    { name: 'lint', title: 'The contract is clean and its examples are valid', problems: lint() },
    {
      name: 'version',
      title: '`info.version` rose far enough since the last release',
      // A version that nobody has used may still mean something else.
      problems: versionProblems(before, after, released ? bump : 'none'),
    },
    {
      name: 'changelog',
      title: 'The changelog names the version',
      problems: changelogProblems(textIn('CHANGELOG.md'), after, bump),
    },
    {
      name: 'ids',
      title: 'Ids of requirements keep their meaning, and are not used again',
      problems: [
        ...idProblems(idsOf(last), idsOf(head), (data ?? {}) as Changes, after),
        ...reused.map(({ message }) => `The meaning of an id must not change: ${message}.`),
      ],
    },
  ];
}

async function judgeChange(name: string, release: string | undefined, lint: Lint): Promise<GateVerdict> {
  const base = await contractIn(name);
  const head = await loadDescription('head', CONTRACT);
  const released = release === undefined ? undefined : await contractIn(release);
  const since = released
    ? `Versions count from ${release} (contract ${versionOf(released)}).`
    : 'Nothing is released yet, so the version may stay.';
  return {
    judgement: judge(base, head, OUR_EXTENSIONS),
    compared: `Contract ${versionOf(base)} → ${versionOf(head)}, compared with ${name}. ${since}`,
    steps: stepsOf({ base, head, released }, lint),
  };
}

function show(verdict: GateVerdict): void {
  if (onGitHubActions(process.env)) process.stdout.write(gateAnnotations(verdict, readFileSync(CONTRACT, 'utf8')));
  process.stdout.write(withoutCommands(gateText(verdict), process.env));
  addToJobSummary(gateMarkdown(verdict), process.env);
}

/**
 * Judges the contract in the folder of this process, and prints what it finds.
 *
 * @returns the exit code; what is wrong with the arguments is one line on stderr
 */
export async function runGate(args: readonly string[], lint: Lint = lintProblems): Promise<number> {
  const revision = { type: 'string' } as const;
  const options = { base: revision, released: revision, help: { type: 'boolean', short: 'h' } } as const;
  try {
    const { values } = parseArguments(args, options, 0);
    if (values.help === true) {
      process.stdout.write(HELP);
      return 0;
    }
    const { base = 'HEAD', released = lastRelease() } = values as Readonly<Record<string, string | undefined>>;
    const verdict = await judgeChange(base, released, lint);
    show(verdict);
    return failedSteps(verdict).length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(error.message.replaceAll(/^/gm, 'gate: ') + '\n');
    return 2;
  }
}
