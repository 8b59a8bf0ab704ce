import { statSync } from 'node:fs';
import { using } from '../common/using.ts';
import { type Environment, type ParsedArguments, UsageError } from '../common/process/args.ts';
import { draftOf } from '../conformance/engine/journal.ts';
import { shellWord } from '../conformance/http/curl.ts';
import type { Inputs } from '../conformance/inputs.ts';
import { quietReport, terminalReport } from '../conformance/report/terminal.ts';
import { readResult } from '../conformance/result/read.ts';
import { EXIT_CODES, type Result } from '../conformance/result/result.ts';
import type { RunOptions } from '../conformance/run.ts';
import { type Command, programName } from './command.ts';
import { inputsOf, readSettings, type Settings } from './configuration.ts';
import { type CommandIo, listenForInterruption } from './io.ts';
import { judge, redactFor, runOptionsOf, waitForTarget } from './judge.ts';
import { checkDistinct, checkOutputPath } from './output-file.ts';
import { makeProgress, type Verbosity } from './progress.ts';
import { layoutOf, type Report, REPORTS, reportToGitHub, writeReports } from './reports.ts';
import { optionName, SETTING_NAMES, TARGET_SETTINGS, wayOf } from './settings.ts';

const USAGE_ERROR = 2;

/** The settings that say something of one run alone, and not of the target. */
const OF_ONE_RUN = ['only', 'skip', 'again', 'baseline', 'format', 'reports', 'journal', 'quiet', 'verbose', 'wait'];

/** The command that judges the same target again, without what selects checks and writes reports. */
function rerunCommand({ positionals, values }: ParsedArguments, environment: Environment): string {
  const flags = SETTING_NAMES.filter((name) => !OF_ONE_RUN.includes(name)).flatMap((name) => {
    const option = optionName(wayOf(name).flag);
    const given = [values[option] ?? []].flat();
    return given.flatMap((value) => (value === true ? [`--${option}`] : [`--${option}`, shellWord(String(value))]));
  });
  return [programName(environment), 'run', ...positionals.map(shellWord), ...flags].join(' ');
}

/** @throws UsageError if two options do not go together */
function refuseContradictions({ positionals, values }: ParsedArguments): void {
  const given = (option: string): boolean => values[option] !== undefined && values[option] !== false;
  const pairs = [
    ['again', 'only'],
    ['again', 'targets'],
    ['quiet', 'verbose'],
    ['reference', 'targets'],
    ...TARGET_SETTINGS.map((name) => ['reference', optionName(wayOf(name).flag)]),
  ] as const;
  const pair = pairs.find(([one = '', other = '']) => given(one) && given(other));
  if (pair) throw new UsageError(`--${pair.join(' and --')} exclude each other.`);
  if (given('reference') && positionals.length > 0)
    throw new UsageError('--reference and BASE_URL exclude each other: the embedded server has its own address.');
  const alone = given('targets') ? undefined : ['output', 'parallel'].find(given);
  if (alone !== undefined) throw new UsageError(`--${alone} is for several targets; name them with --targets FILE.`);
}

/** An existing journal may be the only record of the users before a run that was killed. */
function checkJournal(given: string, path: string, environment: Environment): void {
  const place = checkOutputPath(given, path);
  checkOutputPath(`${given}, its draft ${draftOf(path)}`, draftOf(path));
  if ((statSync(place, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const restore = `${programName(environment)} restore ${shellWord(path)}`;
  throw new UsageError(
    `${given}: the file already exists. If an earlier run left it, restore its users: ${restore}; if not, name another file.`,
  );
}

/** What is written where. @throws UsageError if a file cannot be written, or is that of another output */
function outputsOf({ values, at }: Settings, environment: Environment): { reports: Report[]; journal?: string } {
  const { reports = [], journal } = values;
  const files = reports.map(([format, path]) => ({ format, path, given: `${at('reports')} ${format}=${path}` }));
  for (const { given, path } of files) checkOutputPath(given, path);
  if (journal === undefined) return { reports: files };
  const given = `${at('journal')} ${journal}`;
  checkJournal(given, journal, environment);
  checkDistinct([{ given, path: journal }, { given, path: draftOf(journal) }, ...files]);
  return { reports: files, journal };
}

/** An earlier result with something to judge again. */
function earlierResult(path: string): Result {
  const earlier = readResult(path);
  const isOpen = earlier.checks.some(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive');
  if (isOpen || earlier.findings.length > 0) return earlier;
  throw new UsageError(`--again ${path}: nothing failed or was inconclusive in this result.`);
}

const verbosityOf = ({ quiet, verbose }: Settings['values']): Verbosity =>
  quiet ? 'quiet' : verbose ? 'verbose' : 'normal';

/** Waits and judges until the end, or until the first SIGINT, SIGTERM or SIGHUP; a second one leaves at once. */
async function judgeUntilInterrupted(inputs: Inputs, options: RunOptions, settings: Settings, io: CommandIo) {
  const { environment, err } = io;
  const progress = makeProgress(err, environment, verbosityOf(settings.values));
  const interruption = new AbortController();
  const { signal } = interruption;
  let journal: string | undefined;
  const stopListening = listenForInterruption(io, {
    first: () => {
      progress.note('stopping; restoring the users first (press again to leave at once)');
      interruption.abort();
    },
    again: () => {
      const restore = journal === undefined ? '' : `; use: ${programName(environment)} restore ${shellWord(journal)}`;
      progress.note(`stopped without restoring the users${restore}`);
      io.exit(EXIT_CODES.interrupted);
    },
  });
  const onEvent: RunOptions['onEvent'] = (event) => {
    if (event.type === 'journal') journal = event.path;
    progress.onEvent(event);
  };
  try {
    const { wait } = settings.values;
    const late = wait === undefined ? undefined : await waitForTarget(inputs.baseUrl, wait, options.route, signal);
    if (late !== undefined) progress.note(late);
    return await judge(inputs, { ...options, signal, onEvent });
  } finally {
    stopListening();
    progress.end();
  }
}

/** Judges a target, shows the result, and writes the reports. @returns the exit code */
async function judgeAndShow(inputs: Inputs, settings: Settings, command: string, io: CommandIo): Promise<number> {
  const { out, environment } = io;
  const { values } = settings;
  io.protect(redactFor(inputs));
  const { reports, journal } = outputsOf(settings, environment);
  const again = values.again === undefined ? undefined : earlierResult(values.again);
  const options = { ...(await runOptionsOf(settings, io)), again, command, journal };
  const result = await judgeUntilInterrupted(inputs, options, settings, io);
  const isWritten = await writeReports(reports, result, io);
  const layout = { ...layoutOf(out, io), verbose: values.verbose === true };
  if (values.format === 'json') out.writeDocument(await REPORTS.json(result));
  else out.write(values.quiet ? quietReport(result) : terminalReport(result, layout));
  await reportToGitHub(result, io);
  return isWritten || result.verdict !== 'passed' ? EXIT_CODES[result.verdict] : USAGE_ERROR;
}

/** Judges the embedded reference server. */
async function judgeReference(settings: Settings, command: string, io: CommandIo): Promise<number> {
  const { createReferenceServer } = await import('../reference-server/server.ts');
  const { inputsFor } = await import('../proof/servers/behaviour.ts');
  return using(createReferenceServer(), ({ url, seed }) => judgeAndShow(inputsFor(url, seed), settings, command, io));
}

/** `run`: judges a target. */
export const command: Command = {
  usage: 'run [BASE_URL]',
  summary: 'judge a target; run --reference judges the embedded server',
  calls: ['BASE_URL', '--reference', '--targets FILE', '--again RESULT [BASE_URL]'].map(
    (each) => `run ${each} [options]`,
  ),
  about: `Judges a target against the contract. BASE_URL (or CONFORMANCE_BASE_URL) is what
comes before /api/admin; it may have a path. There is no default.`,
  settings: SETTING_NAMES,
  more: `On GitHub Actions the Markdown report is added to the job summary, and failures
become annotations (on stderr).`,
  examples: [
    'run --reference',
    'run http://localhost:4242 --report json=result.json',
    "run --only 'update-name*' --verbose",
    'run --again result.json http://localhost:4242',
  ],
  exitCodes: `0 passed, 1 failed, 2 usage, 3 inconclusive, 4 error of the suite,
130 interrupted.`,
  positionals: [0, 1],
  run: async (parsed, io) => {
    const { environment } = io;
    refuseContradictions(parsed);
    if (parsed.values.targets !== undefined) return (await import('./targets.ts')).judgeTargets(parsed, io);
    const rerun = rerunCommand(parsed, environment);
    const settings = await readSettings(SETTING_NAMES, { ...io, parsed, address: parsed.positionals[0] });
    if (settings.values.reference) return judgeReference(settings, rerun, io);
    const { baseUrl, ...target } = inputsOf(settings.values);
    if (baseUrl) return judgeAndShow({ ...target, baseUrl }, settings, rerun, io);
    throw new UsageError(
      'No target: give BASE_URL, set CONFORMANCE_BASE_URL, or use --reference for the embedded server; "init" writes a configuration file.',
    );
  },
};
