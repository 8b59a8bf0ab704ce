import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { addToJobSummary, onGitHubActions, withoutCommands } from '../../common/github.ts';
import { member, textOf } from '../../common/json.ts';
import { parseArguments, UsageError } from '../../common/process/args.ts';
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
import { failedSteps, gateAnnotations, gateMarkdown, gateText, type GateVerdict } from './report.ts';
import { entriesOf, OUR_EXTENSIONS } from './requirements-diff.ts';

const HELP = `Usage: npm run --silent gate -- [--base REV|FILE]

Judges the change of openapi.yaml against what was published: whom it breaks, and
whether it may be published as it is: the document is clean, its version rose far
enough, the changelog names it, and ids of requirements are not used again.

  --base REV|FILE  the last published contract: a git revision (HEAD), or a file

On GitHub Actions it also annotates the lines, and fills the summary of the job.
Exit codes: 0 passed, 1 a step failed, 2 usage, or a document that cannot be read.
`;

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
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'lint:contract'], { encoding: 'utf8' });
  return status === 0 ? [] : `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
}

async function judgeChange(name: string): Promise<GateVerdict> {
  const isFile = statSync(name, { throwIfNoEntry: false })?.isFile() === true;
  const base = await loadDescription('base', isFile ? name : `${name}:${CONTRACT}`);
  const head = await loadDescription('head', CONTRACT);
  const judgement = judge(base, head, OUR_EXTENSIONS);
  const { bump, changes } = judgement;
  const [before, after] = [versionOf(base), versionOf(head)];
  const { data } = parseYaml(CHANGES, textIn(CHANGES));
  const reused = changes.filter(({ rule }) => rule === 'requirement-changed');
  return {
    judgement,
    compared: `Contract ${before} → ${after}, compared with ${name}.`,
    steps: [
      { name: 'lint', title: 'The contract is clean and its examples are valid', problems: lintProblems() },
      { name: 'version', title: '`info.version` rose far enough', problems: versionProblems(before, after, bump) },
      {
        name: 'changelog',
        title: 'The changelog names the version',
        problems: changelogProblems(textIn('CHANGELOG.md'), after, bump),
      },
      {
        name: 'ids',
        title: 'Ids of requirements keep their meaning, and are not used again',
        problems: [
          ...idProblems(idsOf(base), idsOf(head), (data ?? {}) as Changes, after),
          ...reused.map(({ message }) => `The meaning of an id may not change: ${message}.`),
        ],
      },
    ],
  };
}

function show(verdict: GateVerdict): void {
  if (onGitHubActions(process.env)) process.stdout.write(gateAnnotations(verdict, readFileSync(CONTRACT, 'utf8')));
  process.stdout.write(withoutCommands(gateText(verdict), process.env));
  addToJobSummary(gateMarkdown(verdict), process.env);
}

try {
  const options = { base: { type: 'string', default: 'HEAD' }, help: { type: 'boolean', short: 'h' } } as const;
  const { values } = parseArguments(process.argv.slice(2), options, 0);
  if (values.help === true) process.stdout.write(HELP);
  else {
    const verdict = await judgeChange(String(values.base));
    show(verdict);
    process.exitCode = failedSteps(verdict).length > 0 ? 1 : 0;
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(error.message.replaceAll(/^/gm, 'gate: ') + '\n');
  process.exitCode = 2;
}
