import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { parseRetiredIds } from '../contract/retired-ids.ts';
import { hint } from '../common/nearest.ts';
import { withoutCommands } from '../conformance/report/github.ts';
import { oneOf, parseArguments, UsageError } from '../common/args.ts';
import type { Judgement } from './diff/change.ts';
import type { Description } from './diff/description.ts';
import { toAnnotations, toGateMarkdown, toGateText, type GateVerdict, type StepResult } from './gate-report.ts';
import { classify } from './diff/classify.ts';
import { arrayOf, member, objectOf, textOf } from '../common/json.ts';
import { describeText, loadDescription } from './diff/load.ts';
import {
  changelogProblems,
  frozenIds,
  idProblems,
  RETIRED_IDS,
  scoredSet,
  scoredSetProblems,
  versionProblems,
  type IdsByKind,
  type Problems,
} from './policy.ts';

const HELP = `Usage: npm run --silent gate -- --base REV|FILE [options]

Judges the change of openapi.yaml against what was published, and whether it may
be published as it is.

  --base REV|FILE  the last published contract: a git revision, or a file
  --only STEPS     only these steps, separated by commas
  --skip STEPS     all but these
  --format F       pretty (default), markdown, github (pretty, with annotations)

Steps: diff, version, changelog, ids, scored-set, lint, generated, reference,
proof, coverage. Each can be run alone with --only.

Exit code 0 when every step that was asked for passed, 1 when one failed, 2 when
the gate was called wrongly or a document cannot be read.
`;

const FORMATS = ['pretty', 'markdown', 'github'] as const;
const CONTRACT = 'openapi.yaml';
const FROZEN_IDS = 'test/contract/frozen-ids.json';
const SCORED_SET = 'conformance/checks/scored-set.json';

const STEPS: readonly string[] = [
  ...['diff', 'version', 'changelog', 'ids', 'scored-set', 'lint', 'generated', 'reference', 'proof', 'coverage'],
];

/** The published state that the change is compared with. */
interface Base {
  readonly name: string;
  readonly description: Description;
  /** The text of a file of the repository in that state; undefined if there was none, or only the contract was given. */
  readonly file: (path: string) => Promise<string | undefined>;
}

function git(args: readonly string[]): Promise<string | undefined> {
  return new Promise((done) => {
    execFile('git', [...args], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
      done(error ? undefined : stdout);
    });
  });
}

async function readBase(name: string): Promise<Base> {
  if (existsSync(name) && statSync(name).isFile()) {
    return { name, description: await loadDescription('base', name), file: () => Promise.resolve(undefined) };
  }
  if (name.startsWith('-'))
    throw new UsageError(`--base: ${JSON.stringify(name)} is neither a file nor a git revision.`);
  const revision = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
  if (revision === undefined) {
    throw new UsageError(`--base: ${JSON.stringify(name)} is neither a file nor a revision of this git repository.`);
  }
  const commit = revision.trim();
  const file = (path: string): Promise<string | undefined> => git(['show', `${commit}:./${path}`]);
  const text = await file(CONTRACT);
  if (text === undefined) throw new UsageError(`--base: the revision ${name} has no ${CONTRACT}.`);
  return { name, description: describeText('base', text, `${name}:${CONTRACT}`), file };
}

function versionOf({ root }: Description): string {
  return textOf(member(root.info, 'version')) ?? '';
}

function parsed(text: string | undefined, path: string): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${path}: this is no JSON.`);
  }
}

function local(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** The ids that a contract itself gives: of its requirements and its open points. */
function idsOf({ root }: Description): IdsByKind {
  const ids = { requirements: new Set<string>(), openPoints: new Set<string>() };
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, each] of Object.entries(node)) {
      const kind = { 'x-requirements': ids.requirements, 'x-open-points': ids.openPoints }[key];
      for (const statement of kind === undefined ? [] : arrayOf(each)) kind?.add(textOf(member(statement, 'id')) ?? '');
      visit(each);
    }
  };
  visit(root);
  return ids;
}

interface Situation {
  readonly base: Base;
  readonly head: Description;
  readonly judgement: Judgement;
}

type Outcome = Problems | { readonly notThere: string };

async function frozenStep({ base, head, judgement }: Situation): Promise<Outcome> {
  const before = {
    ...frozenIds(parsed(await base.file(FROZEN_IDS), FROZEN_IDS)),
    ...idsOf(base.description),
  };
  const after = { ...frozenIds(parsed(local(FROZEN_IDS), FROZEN_IDS)), ...idsOf(head) };
  const retiredBefore = parseRetiredIds(parsed(await base.file(RETIRED_IDS), RETIRED_IDS)) ?? [];
  const reused = judgement.changes.filter(({ rule }) => rule === 'requirement-changed');
  return [
    ...idProblems(before, after, retiredBefore, parseRetiredIds(parsed(local(RETIRED_IDS), RETIRED_IDS) ?? [])),
    ...reused.map(({ message }) => `The meaning of an id may not change: ${message}.`),
  ];
}

async function scoredStep({ base, head }: Situation): Promise<Outcome> {
  const before = scoredSet(parsed(await base.file(SCORED_SET), SCORED_SET));
  const after = scoredSet(parsed(local(SCORED_SET), SCORED_SET));
  if (after === undefined) {
    return before === undefined
      ? { notThere: `there is no ${SCORED_SET}` }
      : [`${SCORED_SET} is gone, or is no scored set; restore it.`];
  }
  const versions = { base: versionOf(base.description), head: versionOf(head) };
  const retired = parseRetiredIds(parsed(local(RETIRED_IDS), RETIRED_IDS) ?? []) ?? [];
  return scoredSetProblems(before ?? { contractVersion: '', checks: [] }, after, versions, retired);
}

/** The last lines that a script said, since there it says what is wrong. */
const LINES_SHOWN = 12;

/** Runs a script of package.json, if there is one of this name. */
function script(name: string, ...args: string[]): () => Promise<Outcome> {
  return () => {
    const scripts = objectOf(objectOf(parsed(local('package.json'), 'package.json')).scripts);
    if (!Object.hasOwn(scripts, name)) return Promise.resolve({ notThere: `package.json has no script ${name}` });
    const command = ['run', '--silent', name, ...(args.length > 0 ? ['--', ...args] : [])];
    return new Promise((done) => {
      execFile('npm', command, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
        if (error === null) {
          done([]);
          return;
        }
        const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
        done([`npm ${command.join(' ')} failed; mend what it says:`, ...lines.slice(-LINES_SHOWN)]);
      });
    });
  };
}

const JUDGES: Readonly<Record<string, (situation: Situation) => Promise<Outcome>>> = {
  diff: () => Promise.resolve([]),
  version: ({ base, head, judgement }) =>
    Promise.resolve(versionProblems(versionOf(base.description), versionOf(head), judgement.bump)),
  changelog: ({ head, judgement }) =>
    Promise.resolve(changelogProblems(local('CHANGELOG.md'), versionOf(head), judgement.bump)),
  ids: frozenStep,
  'scored-set': scoredStep,
  lint: script('lint:contract'),
  generated: script('generate', '--check'),
  reference: script('conformance'),
  proof: script('prove'),
  coverage: script('coverage:contract'),
};

function stepsNamed(option: string, said: unknown): readonly string[] | undefined {
  if (typeof said !== 'string') return undefined;
  const names = said.split(',').map((each) => each.trim());
  const wrong = names.find((name) => !STEPS.includes(name));
  if (wrong !== undefined) {
    throw new UsageError(`${option}: there is no step ${JSON.stringify(wrong)}.${hint(wrong, STEPS)}`);
  }
  return names;
}

async function runStep(step: string, asked: boolean, situation: Situation): Promise<StepResult> {
  if (!asked) return { step, outcome: 'not-asked', problems: [] };
  const outcome = (await JUDGES[step]?.(situation)) ?? [];
  if ('notThere' in outcome) return { step, outcome: 'not-there', problems: [outcome.notThere] };
  return { step, outcome: outcome.length === 0 ? 'passed' : 'failed', problems: outcome };
}

async function gate(args: readonly string[]): Promise<number> {
  const { values } = parseArguments(
    args,
    {
      base: { type: 'string' },
      only: { type: 'string' },
      skip: { type: 'string' },
      format: { type: 'string', default: 'pretty' },
      help: { type: 'boolean', short: 'h' },
    },
    0,
  );
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  const format = oneOf('--format', String(values.format), FORMATS);
  const only = stepsNamed('--only', values.only);
  const skip = stepsNamed('--skip', values.skip) ?? [];
  const name = values.base;
  if (typeof name !== 'string' || name === '') {
    throw new UsageError('--base is missing: the last published contract, as a git revision or a file.');
  }
  const asked = (step: string): boolean => (only ?? STEPS).includes(step) && !skip.includes(step);
  if (!STEPS.some(asked)) throw new UsageError('--only and --skip leave no step.');
  const base = await readBase(name);
  const head = await loadDescription('head', CONTRACT);
  const judgement = await classify(base.description, head);
  const situation: Situation = { base, head, judgement };

  const steps: StepResult[] = [];
  for (const step of STEPS) {
    if (asked(step)) process.stderr.write(`gate: ${step} …\n`);
    steps.push(await runStep(step, asked(step), situation));
  }
  const verdict: GateVerdict = {
    base: name,
    versions: { base: versionOf(base.description), head: versionOf(head) },
    judgement,
    steps,
  };
  const onActions = process.env.GITHUB_ACTIONS === 'true';
  if (format === 'github' || onActions) {
    process.stdout.write(toAnnotations(verdict, CONTRACT, readFileSync(CONTRACT, 'utf8')));
  }
  const text = format === 'markdown' ? toGateMarkdown(verdict) : toGateText(verdict);
  process.stdout.write(onActions ? withoutCommands(text) : text);
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary !== undefined && summary !== '') appendFileSync(summary, toGateMarkdown(verdict));
  return steps.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}

try {
  process.exitCode = await gate(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`gate: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
