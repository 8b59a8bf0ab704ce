import { statSync } from 'node:fs';
import { using } from '../common/using.ts';
import { nameOf, UsageError, type Environment, type ParsedArguments } from '../common/process/args.ts';
import { baseAddress, type Inputs } from '../conformance/resources/inputs.ts';
import { draftOf } from '../conformance/traffic/keeping/journal.ts';
import { RunRefused } from '../conformance/traffic/run-refused.ts';
import { readResult } from '../conformance/result/read-result.ts';
import type { Result } from '../conformance/result/result.ts';
import { EXIT_CODES, USAGE_ERROR } from '../conformance/result/verdict.ts';
import type { RunOptions } from '../conformance/run/events.ts';
import { judgeTarget } from '../conformance/run/run.ts';
import { paintFor } from '../conformance/report/terminal/paint.ts';
import { shellWord } from '../conformance/http/curl.ts';
import { withConfiguration } from './input/configuration.ts';
import { commandOf } from './input/command-table.ts';
import { optionName } from './input/options.ts';
import { readRunOptions } from './input/run-options.ts';
import {
  DEFAULT_SEQUENCES,
  givenBaseUrl,
  INSECURE_WARNING,
  OWN_SETTINGS,
  parseTarget,
  RUN_ONLY,
  SETTINGS,
  settingsHelp,
  TARGET_SETTINGS,
  valueOf,
} from './input/settings.ts';
import { programName } from './input/program-name.ts';
import { refusalWithin } from './input/wait.ts';
import { reportToGitHub } from './output/github-actions.ts';
import { listenForInterruption } from './output/interruption.ts';
import type { CommandIo } from './output/io.ts';
import { checkOutputPath } from './output/output-file.ts';
import { makeProgress } from './output/progress.ts';
import { parseReports, parseVerbosity, showResult, writeReports } from './output/result-output.ts';
import { startServer } from './servers/server-process.ts';

/** The options of `run`. */
export const RUN_OPTIONS = [...Object.values(SETTINGS), ...Object.values(RUN_ONLY)];

/** The options that say something of one run alone, and not of the target. */
const OF_ONE_RUN = new Set(['selection', 'output', 'fleet']);

/** The command that judges the same target again, without what selects checks and writes reports. */
function rerunCommand({ positionals, values }: ParsedArguments, environment: Environment): string {
  const options = RUN_OPTIONS.filter(({ group }) => !OF_ONE_RUN.has(group)).flatMap((option) => {
    const name = optionName(option);
    const given = [values[name] ?? []].flat();
    return given.flatMap((value) => (value === true ? [`--${name}`] : [`--${name}`, shellWord(String(value))]));
  });
  return [programName(environment), 'run', ...positionals.map(shellWord), ...options].join(' ');
}

/** What an earlier result is about: its address, and what its operator said of the target there; of the keys, only whether they were given. */
function earlierTarget({ values: { again } }: ParsedArguments): Earlier | undefined {
  if (typeof again !== 'string') return undefined;
  const { baseUrl, ...said } = readResult(again).target;
  return URL.canParse(baseUrl) ? { baseUrl: new URL(baseUrl), said } : undefined;
}

interface Earlier {
  readonly baseUrl: URL;
  readonly said: Readonly<Record<string, unknown>>;
}

/** The base URL that was given, with `--again` else that of the earlier result; never a default. */
function requireBaseUrl(parsed: ParsedArguments, { environment }: CommandIo, earlier: Earlier | undefined): URL {
  const baseUrl = givenBaseUrl(parsed, environment) ?? earlier?.baseUrl;
  if (baseUrl) return baseUrl;
  throw new UsageError(
    'No target: give BASE_URL, set CONFORMANCE_BASE_URL, or use --reference for the embedded server; "init" writes a configuration file.',
  );
}

/** The settings of `--again` that nothing else gives, from the earlier result: only at its address, where its ids were named. */
function takenFrom(earlier: Earlier | undefined, parsed: ParsedArguments, { environment }: CommandIo, baseUrl: URL) {
  if (!earlier || baseAddress(earlier.baseUrl) !== baseAddress(baseUrl)) return [];
  return TARGET_SETTINGS.flatMap((setting) => {
    const { input = '', variable = '' } = setting;
    const value = earlier.said[input];
    const isGiven = parsed.values[optionName(setting)] !== undefined || (environment[variable] ?? '') !== '';
    const text = Array.isArray(value) ? value.map((each) => JSON.stringify(each)).join() : value;
    return typeof text !== 'string' || text === setting.default || isGiven ? [] : [{ setting, text }];
  });
}

/** @throws UsageError if the arguments name another target too */
function refuseOtherTarget({ positionals, values }: ParsedArguments): void {
  const own = [...TARGET_SETTINGS, RUN_ONLY.server].map(optionName).find((option) => values[option] !== undefined);
  if (positionals.length === 0 && own === undefined) return;
  const what = own === undefined ? 'BASE_URL' : `--${own}`;
  throw new UsageError(
    `--reference and ${what} exclude each other: the embedded server has its own address, keys and users.`,
  );
}

/** An existing journal may be the only record of the users before a run that was killed. */
function checkJournalPath(given: string, path: string): void {
  checkOutputPath(given, path);
  checkOutputPath(`${given}, its draft ${draftOf(path)}`, draftOf(path));
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new UsageError(
      `${given}: the file already exists. If an earlier run left it, restore its users: admin-api-conformance restore ${path}; if not, choose another path.`,
    );
  }
}

/** @throws UsageError if the file has no result, or the result no findings */
function findingsIn(path: string): Result['findings'] {
  const { findings } = readResult(path);
  if (findings.length === 0) throw new UsageError(`--again ${path}: the result has no findings to look for.`);
  return findings;
}

/** What the options say of a run and of its output. */
async function readSettings(parsed: ParsedArguments, { environment }: CommandIo) {
  const format = valueOf(OWN_SETTINGS.format, parsed);
  const reports = parseReports(parsed);
  const own = await readRunOptions(parsed, environment);
  const journal = valueOf(OWN_SETTINGS.journal, parsed);
  if (journal !== undefined) checkJournalPath(`${nameOf(parsed, 'journal')} ${journal}`, journal);
  const takeOver = own.takeOver === true || parsed.values.reference === true;
  const { again: earlier } = parsed.values;
  const again = typeof earlier === 'string' ? findingsIn(earlier) : undefined;
  const options: RunOptions = { ...own, takeOver, again, ...(journal !== undefined && { journal }) };
  return { options, verbosity: parseVerbosity(parsed), format, reports };
}

/** Judges until the end, or until the first SIGINT, SIGTERM or SIGHUP; a second SIGINT or SIGTERM leaves at once. */
async function judgeUntilInterrupted(
  inputs: Inputs,
  options: RunOptions,
  progress: ReturnType<typeof makeProgress>,
  io: CommandIo,
): Promise<{ readonly result: Result; readonly recording: () => string }> {
  const interruption = new AbortController();
  let journalPath = 'JOURNAL';
  let recording = (): string => '';
  const stopListening = listenForInterruption(io, {
    first: () => {
      progress.note('stopping; restoring the users first (press again to leave at once)');
      interruption.abort();
    },
    again: () => {
      progress.note(`stopped without restoring the users; use: admin-api-conformance restore ${journalPath}`);
      io.exit(EXIT_CODES.interrupted);
    },
  });
  try {
    const result = await judgeTarget(inputs, {
      ...options,
      signal: interruption.signal,
      onEvent: (event) => {
        if (event.type === 'journal') journalPath = event.path;
        if (event.type === 'recorded') recording = event.text;
        progress.onEvent(event);
      },
    });
    return { result, recording };
  } catch (error) {
    if (error instanceof RunRefused) throw new UsageError(error.message);
    if ((error as { syscall?: string }).syscall !== undefined)
      throw new UsageError(`Cannot write the journal: ${(error as Error).message}. Name another file with --journal.`);
    throw error;
  } finally {
    stopListening();
    progress.end();
  }
}

async function judgeAndShow(inputs: Inputs, parsed: ParsedArguments, rerun: string, io: CommandIo): Promise<number> {
  const settings = await readSettings(parsed, io);
  const { options, verbosity, reports } = settings;
  const progress = makeProgress(io.err, paintFor(io.err, io.environment), io.environment, verbosity);
  if (options.route?.insecure) progress.note(INSECURE_WARNING);
  const { result: judged, recording } = await judgeUntilInterrupted(inputs, options, progress, io);
  const result: Result = { ...judged, tool: { ...judged.tool, command: rerun } };
  await showResult(result, settings, io);
  const { journal } = result.restoration;
  if (verbosity === 'quiet' && journal !== undefined)
    progress.note(`not every user was restored; try: admin-api-conformance restore ${journal}`);
  const written = await writeReports(reports, result, io, recording);
  await reportToGitHub(result, io);
  return written ? EXIT_CODES[result.verdict] : USAGE_ERROR;
}

/** Judges the embedded server. It is loaded for this alone. */
async function judgeReference(parsed: ParsedArguments, rerun: string, io: CommandIo): Promise<number> {
  const { createReferenceServer } = await import('../reference-server/server.ts');
  const { inputsFor } = await import('../proof/servers/behaviour.ts');
  return using(createReferenceServer(), ({ url, seed }) => judgeAndShow(inputsFor(url, seed), parsed, rerun, io));
}

/** Seconds that a server which `--server` started has, unless `--wait` says more. */
const TIME_TO_START = 60;

/**
 * Waits for the target, if that is wanted. One that is not ready in time is judged all the same, so that every report is written.
 *
 * @returns an exit code if the waiting was interrupted
 */
async function waitFor(
  baseUrl: URL,
  seconds: number | undefined,
  ended: AbortSignal | undefined,
  io: CommandIo,
): Promise<number | undefined> {
  if (seconds === undefined) return undefined;
  const stop = new AbortController();
  let isInterrupted = false;
  const stopListening = io.onInterrupt(() => {
    isInterrupted = true;
    stop.abort();
  });
  ended?.addEventListener('abort', () => stop.abort());
  try {
    const refusal = await refusalWithin(seconds, baseUrl, stop.signal);
    if (isInterrupted as boolean) return EXIT_CODES.interrupted;
    const isOver = ended?.aborted === true;
    const advice = isOver ? 'The command of --server ended.' : 'Start the target, or give it more time with --wait.';
    if (refusal !== undefined) io.err.write(`admin-api-conformance: ${isOver ? '' : `${refusal} `}${advice}\n`);
    return undefined;
  } finally {
    stopListening();
  }
}

/** Judges the target at an address; with `--server`, starts it before and ends it afterwards. */
async function judgeAddress(parsed: ParsedArguments, rerun: string, io: CommandIo): Promise<number> {
  const earlier = earlierTarget(parsed);
  const baseUrl = requireBaseUrl(parsed, io, earlier);
  const taken = takenFrom(earlier, parsed, io, baseUrl);
  const options = taken.map(({ setting, text }) => `--${optionName(setting)} ${shellWord(text)}`).join(' ');
  if (options !== '') io.err.write(`taken from the earlier result: ${options}\n`);
  const values = Object.fromEntries(
    taken.map(({ setting, text }) => [optionName(setting), setting.multiple ? [text] : text]),
  );
  const whole = { ...parsed, values: { ...values, ...parsed.values } };
  const inputs = { baseUrl, ...parseTarget(whole, io.environment, baseUrl) };
  const { server: command } = parsed.values;
  const server = typeof command === 'string' ? startServer(command, (text) => io.err.write(text)) : undefined;
  try {
    const seconds = valueOf(OWN_SETTINGS.wait, parsed) ?? (server && TIME_TO_START);
    const address = givenBaseUrl(parsed, io.environment) ? [] : [shellWord(baseUrl.href)];
    const again = [rerun, ...address, ...(options === '' ? [] : [options])].join(' ');
    return (await waitFor(baseUrl, seconds, server?.ended, io)) ?? (await judgeAndShow(inputs, parsed, again, io));
  } finally {
    await server?.end();
  }
}

/** @throws UsageError for an option that says something of a fleet, where there is none */
function refuseFleetOptions({ values }: ParsedArguments): void {
  const names = Object.values(RUN_ONLY)
    .filter(({ group }) => group === 'fleet')
    .map(optionName);
  const own = names.find((option) => values[option] !== undefined);
  if (own !== undefined) throw new UsageError(`--${own} is for fleets; name their targets with --targets FILE.`);
}

/** `run`: judges a target. */
export const command = commandOf({
  usage: 'run [BASE_URL]',
  summary: 'judge a target; run --reference judges the embedded server',
  calls: ['BASE_URL', '--reference', '--targets FILE', '--again RESULT [BASE_URL]'].map(
    (each) => `run ${each} [options]`,
  ),
  about: `Judges a target against the contract. BASE_URL (or CONFORMANCE_BASE_URL) is what
{baseUrl} of the contract stands for; it may have a path. There is no default.`,
  options: RUN_OPTIONS,
  optionsHelp: settingsHelp(RUN_OPTIONS),
  more: `On GitHub Actions the markdown report is added to the job summary, and failures
become annotations (on stderr).`,
  examples: [
    'run --reference',
    'run http://localhost:4242 --report json=result.json',
    "run --only 'update-name-*' --verbose",
    'run --again result.json http://localhost:4242',
  ],
  exitCodes: `0 passed, 1 failed, 2 usage, 3 inconclusive, 4 error of the suite,
130 interrupted.`,
  positionals: [0, 1],
  // `--explore` may come without a number.
  before: (args) => args.map((arg) => (arg === '--explore' ? `--explore=${DEFAULT_SEQUENCES}` : arg)),
  run: async (flags, io) => {
    const { environment, err } = io;
    const other = ['only', 'targets'].find((option) => flags.values[option] !== undefined);
    if (flags.values.again !== undefined && other !== undefined)
      throw new UsageError(`--again and --${other} exclude each other.`);
    if (flags.values.targets !== undefined) {
      const { judgeFleet } = await import('./fleet/fleet.ts');
      return judgeFleet(flags, io);
    }
    refuseFleetOptions(flags);
    const rerun = rerunCommand(flags, environment);
    const configuring = { options: RUN_OPTIONS, environment, err };
    if (flags.values.reference !== true) {
      return judgeAddress(await withConfiguration(flags, configuring), rerun, io);
    }
    refuseOtherTarget(flags);
    return judgeReference(await withConfiguration(flags, { ...configuring, reference: true }), rerun, io);
  },
});
