import { statSync } from 'node:fs';
import { type Environment, UsageError } from '../common/process/args.ts';
import { counted, present } from '../common/text.ts';
import { using } from '../common/using.ts';
import { shellWord } from '../conformance/http/curl.ts';
import type { Inputs } from '../conformance/inputs.ts';
import { quietReport, terminalReport } from '../conformance/report/terminal.ts';
import { EXIT_CODES, type Result } from '../conformance/facts/result.ts';
import { checksAgain } from '../conformance/result/compare.ts';
import { type Command, type CommandIo, programName, USAGE_ERROR } from './command.ts';
import { inputsOf, readSettings } from './configuration.ts';
import { judge, runOptionsOf, untilInterrupted } from './judge.ts';
import { flagOf, isFlag, type Texts } from './option.ts';
import { makeProgress, type Verbosity } from './progress.ts';
import { REPORTS, reportToGitHub, writeReports } from './reports.ts';
import { SETTING_GROUPS, SETTING_NAMES, type SettingName, settings, TARGET_SETTINGS, type Values } from './settings.ts';

/** The settings that say something of one run alone, and not of the target. */
const OF_ONE_RUN = [
  'only',
  'skip',
  'again',
  'baseline',
  'format',
  'reports',
  'journal',
  'quiet',
  'verbose',
  'trace',
  'wait',
];

/** The command that judges the same target again, without what selects checks and writes reports. */
function rerunCommand(texts: Texts, environment: Environment): string {
  const repeated = SETTING_NAMES.filter((name) => texts[name] !== undefined && !OF_ONE_RUN.includes(name));
  const words = repeated.map((name) => {
    const value = shellWord(String(texts[name]));
    if (!isFlag(settings[name])) return value;
    return texts[name] === true ? flagOf(settings[name]) : `${flagOf(settings[name])}=${value}`;
  });
  return [programName(environment), 'run', ...words].join(' ');
}

/** Settings that do not go together with others. */
const EXCLUSIVE: Partial<Record<SettingName, readonly SettingName[]>> = {
  again: ['only'],
  quiet: ['verbose', 'trace'],
  insecure: ['ca'],
  reference: TARGET_SETTINGS,
};

/** @throws UsageError if two flags do not go together */
function refuseContradictions(flags: Values): void {
  for (const [name, others] of Object.entries(EXCLUSIVE) as [SettingName, readonly SettingName[]][]) {
    const other = others.find((each) => flags[name] && flags[each]);
    if (other) throw new UsageError(`--${name} and ${flagOf(settings[other])} exclude each other.`);
  }
}

/**
 * An existing journal may be the only record of the users before a run that was killed.
 *
 * @throws UsageError if the journal is there already, or two outputs are one file
 */
function refuseToOverwrite({ reports = {}, journal }: Values, environment: Environment): void {
  const outputs = present([journal, ...Object.values(reports)]);
  const places = outputs.map(({ place }) => place);
  const second = outputs.find(({ place }, index) => places.indexOf(place) < index);
  if (second) throw new UsageError(`${second.path}: another output has this file, too; give each a file of its own.`);
  if (!journal || !statSync(journal.place, { throwIfNoEntry: false })?.size) return;
  const restore = `${programName(environment)} restore ${shellWord(journal.path)}`;
  throw new UsageError(
    `--journal ${journal.path}: the file already exists. If an earlier run left it, restore its users: ${restore}; if not, name another file.`,
  );
}

function verbosityOf({ quiet, trace }: Values): Verbosity {
  if (quiet) return 'quiet';
  return trace ? 'trace' : 'normal';
}

/** More ids than these are counted. */
const MOST_IDS = 8;

/** Which checks of an earlier result are run again, and why. */
function againWords(earlier: Result): string {
  const { ids, requirements } = checksAgain(earlier);
  const all = `again: ${counted(ids.length, 'check')}`;
  const names = requirements.slice(0, MOST_IDS).join(', ');
  if (requirements.length > 0) return `${all}, since any request may show whether ${names} still fails`;
  const rest = ids.length > MOST_IDS ? `, and ${ids.length - MOST_IDS} more` : '';
  const which = ids.length === 1 ? 'that failed or was inconclusive' : 'that failed or were inconclusive';
  return `${all} ${which}: ${ids.slice(0, MOST_IDS).join(', ')}${rest}`;
}

/** Judges a target, shows the result, and writes the reports. @returns the exit code */
async function judgeAndShow(inputs: Inputs, values: Values, command: string, io: CommandIo): Promise<number> {
  const { out, err, environment } = io;
  const { again, journal, format, quiet = false, verbose = false, wait, reports = {} } = values;
  io.protect(inputs.adminKey, inputs.restrictedKey);
  refuseToOverwrite(values, environment);
  const { note, onEvent, end } = makeProgress(err, verbosityOf(values));
  if (again && !quiet) note(againWords(again.result));
  const options = { ...runOptionsOf(values, io), again: again?.result, command, journal: journal?.path };
  const judging = untilInterrupted(io, note, (signal) => judge(inputs, { ...options, onEvent, signal }, wait, note));
  const result = await judging.finally(end);
  const isWritten = writeReports(reports, result, io);
  if (format === 'json') out.write(REPORTS.json(result));
  else if (quiet) out.write(quietReport(result));
  else out.writeStyled(terminalReport(result, { ...out, verbose }));
  reportToGitHub(result, io);
  return isWritten || result.verdict !== 'passed' ? EXIT_CODES[result.verdict] : USAGE_ERROR;
}

/** `run`: judges a target. */
export const command: Command<typeof settings> = {
  about: `Judges a target against the contract. BASE_URL (or CONFORMANCE_BASE_URL) is what
comes before /api/admin; it may have a path. There is no default. --reference
takes its place.`,
  options: settings,
  groups: SETTING_GROUPS,
  more: `On GitHub Actions the Markdown report is added to the job summary, and failures
become annotations (on stderr).

Examples:
  admin-api-conformance run --reference
  admin-api-conformance run http://localhost:4242 --report json=result.json
  admin-api-conformance run --only 'update-name*' --verbose
  admin-api-conformance run --again result.json http://localhost:4242`,
  exitCodes: `0 passed, 1 failed, 2 usage, 3 inconclusive, 4 error of the suite,
130 interrupted.`,
  run: async (flags, io, texts) => {
    refuseContradictions(flags);
    const rerun = rerunCommand(texts, io.environment);
    const given = readSettings(SETTING_NAMES, flags, io);
    if (given.reference) {
      const { inputsFor, startBehaviour } = await import('../proof/servers/behaviour.ts');
      return using(startBehaviour({}), ({ url, seed }) => judgeAndShow(inputsFor(url, seed), given, rerun, io));
    }
    const { baseUrl, ...target } = inputsOf(given);
    if (baseUrl) return judgeAndShow({ ...target, baseUrl }, given, rerun, io);
    throw new UsageError(
      'No target: give BASE_URL, set CONFORMANCE_BASE_URL, or use --reference for the embedded server; "init" writes a configuration file.',
    );
  },
};
