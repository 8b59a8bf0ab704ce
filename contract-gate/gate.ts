import { appendFileSync, readFileSync } from 'node:fs';
import { entriesOf, oneOf, UsageError, type OptionDefinitions, type ParsedArguments } from '../common/process/args.ts';
import { runEntry } from '../common/process/entry.ts';
import { hint } from '../common/nearest.ts';
import { onGitHubActions, withoutCommands } from '../common/github.ts';
import { CONTRACT, readBase, readContract } from './base.ts';
import { judge } from '../openapi-judge/src/index.ts';
import { toAnnotations, toGateMarkdown, toGateText, type GateVerdict, type StepResult } from './gate-report.ts';
import { OUR_EXTENSIONS } from './requirements-diff.ts';
import { STEPS, versionOf, type Situation, type Step } from './steps.ts';

const HELP = `Usage: npm run --silent gate -- --base REV|FILE [options]

Judges the change of openapi.yaml against what was published, and whether it may
be published as it is.

  --base REV|FILE  the last published contract: a git revision, or a file
  --only STEPS     only these steps, separated by commas
  --skip STEPS     all but these
  --format F       pretty (default), markdown, github (pretty, with annotations)

Steps: diff, version, changelog, ids, scored-set, lint, generated, reference,
proof, coverage.

Exit codes: 0 every selected step passed, 1 a step failed, 2 usage, or a document
that cannot be read.
`;

const FORMATS = ['pretty', 'markdown', 'github'] as const;
const NAMES = STEPS.map(({ name }) => name);

function stepsNamed(option: string, given: ParsedArguments['values'][string]): readonly string[] {
  const names = entriesOf(given);
  const unknown = names.find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`${option}: there is no step ${JSON.stringify(unknown)}.${hint(unknown, NAMES)}`);
  return names;
}

function readOptions({ values }: ParsedArguments) {
  const format = oneOf('--format', String(values.format), FORMATS);
  const only = stepsNamed('--only', values.only);
  const skip = stepsNamed('--skip', values.skip);
  if (typeof values.base !== 'string' || values.base === '')
    throw new UsageError('--base is missing: the last published contract, as a git revision or a file.');
  const selected = new Set((only.length > 0 ? only : NAMES).filter((name) => !skip.includes(name)));
  if (selected.size === 0) throw new UsageError('--only and --skip leave no step.');
  return { base: values.base, selected, format };
}

type Options = ReturnType<typeof readOptions>;

async function runStep({ name, title, run }: Step, selected: boolean, situation: Situation): Promise<StepResult> {
  const step = { step: name, title };
  if (!selected) return { ...step, outcome: 'not-selected', problems: [] };
  process.stderr.write(`gate: ${name} …\n`);
  const outcome = await run(situation);
  if ('notThere' in outcome) return { ...step, outcome: 'not-there', problems: [outcome.notThere] };
  return { ...step, outcome: outcome.length === 0 ? 'passed' : 'failed', problems: outcome };
}

async function judgeSteps({ base: name, selected }: Options): Promise<GateVerdict> {
  const base = await readBase(name);
  const head = await readContract('head', CONTRACT);
  const judgement = judge(base.description, head, OUR_EXTENSIONS);
  const steps: StepResult[] = [];
  for (const step of STEPS) steps.push(await runStep(step, selected.has(step.name), { base, head, judgement }));
  return { base: name, versions: { base: versionOf(base.description), head: versionOf(head) }, judgement, steps };
}

function show(verdict: GateVerdict, format: Options['format']): void {
  if (format === 'github' || onGitHubActions(process.env))
    process.stdout.write(toAnnotations(verdict, CONTRACT, readFileSync(CONTRACT, 'utf8')));
  const text = format === 'markdown' ? toGateMarkdown(verdict) : toGateText(verdict);
  process.stdout.write(withoutCommands(text, process.env));
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary !== undefined && summary !== '') appendFileSync(summary, toGateMarkdown(verdict));
}

const OPTIONS: OptionDefinitions = {
  base: { type: 'string' },
  only: { type: 'string', multiple: true },
  skip: { type: 'string', multiple: true },
  format: { type: 'string', default: 'pretty' },
};

await runEntry({ name: 'gate', help: HELP, options: OPTIONS }, async (parsed) => {
  const options = readOptions(parsed);
  const verdict = await judgeSteps(options);
  show(verdict, options.format);
  return verdict.steps.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
});
