import { statSync, writeFileSync } from 'node:fs';
import { LEVELS } from '../contract/document.ts';
import { createReferenceServer } from '../reference-server/server.ts';
import { ExplorerMissing, type ExploreOptions } from '../conformance/traffic/explore.ts';
import { DEFAULT_EMAIL_DOMAIN, type Inputs } from '../conformance/target/inputs.ts';
import { REPORT_FORMATS, REPORTS, type ReportFormat } from '../conformance/report/formats.ts';
import { withoutCommands } from '../conformance/report/github.ts';
import { jsonReport } from '../conformance/report/json.ts';
import { paintFor } from '../conformance/report/paint.ts';
import { prettyReport } from '../conformance/report/terminal/pretty.ts';
import { quietReport } from '../conformance/report/terminal/quiet.ts';
import type { Result } from '../conformance/result/result.ts';
import { run as judge } from '../conformance/run/run.ts';
import { InvalidSelection } from '../conformance/checks/selection.ts';
import { EXIT_CODES, type BaselineEntry } from '../conformance/result/verdict.ts';
import { readBaseline } from './input/baseline-file.ts';
import {
  CONFIG_HELP,
  CONFIG_OPTION,
  givenBaseUrl,
  MOST_SEQUENCES,
  STDOUT_FORMATS,
  withConfiguration,
} from './input/configuration.ts';
import { columnsOf, type Command, type CommandIo } from './output/io.ts';
import { onGitHubActions, reportToGitHub } from './output/github-actions.ts';
import { checkOutputPath } from './output/output-file.ts';
import { makeProgress, type Verbosity } from './output/progress.ts';
import {
  LIMIT_HELP,
  LIMIT_OPTIONS,
  parseLimits,
  parseTarget,
  TARGET_HELP,
  TARGET_OPTIONS,
} from './input/target-options.ts';
import { nameOf, oneOf, parseArguments, UsageError, wholeNumber, type ParsedArguments } from '../common/args.ts';

const DEFAULT_SEQUENCES = 30;

const RUN_HELP = `Usage: admin-api-conformance run BASE_URL [options]
       admin-api-conformance run --reference [options]

Judges a target against the contract. BASE_URL (or CONFORMANCE_BASE_URL) is what
{base_url} of the contract stands for; it may have a path. There is no default.
--reference judges the embedded reference server, started on a free port.

${TARGET_HELP}

Selection and verdict:
  --only A,B  --skip A,B      ids or globs of checks, requirements, areas; or
                              users, banners. Repeatable
  --fail-on must|should       the least level whose failure fails the run (must)
  --baseline FILE             checks that are known not to pass, with reasons

Beyond the checks:
  --explore[=N]               tries N random sequences of updates on the users
                              (${DEFAULT_SEQUENCES}), and shortens the first that goes wrong
  --seed S                    repeats the sequences of an earlier exploration

Output:
  --format pretty|json        on stdout (pretty)
  --report FORMAT=PATH        a report as a file: json, junit, ctrf, html,
                              markdown, badge. Repeatable
  --journal FILE              where the values of the users are kept until they
                              are put back
  --quiet, -q                 on stdout a line for the verdict and one for each
                              failure; on stderr only what must not be missed
  --verbose, -v               every exchange on stderr as it happens, without
                              the keys

${LIMIT_HELP}

On GitHub Actions the markdown report is added to the job summary, and failures
become annotations (on stderr).

${CONFIG_HELP}

Examples:
  admin-api-conformance run --reference
  admin-api-conformance run http://localhost:4242 --report json=result.json
  admin-api-conformance run --only 'update-name-*' --verbose

Exit codes: 0 passed, 1 failed, 2 usage, 3 inconclusive, 4 error of the suite,
130 interrupted.
`;

/** The options of `run`. */
export const RUN_OPTIONS = {
  ...TARGET_OPTIONS,
  ...LIMIT_OPTIONS,
  ...CONFIG_OPTION,
  reference: { type: 'boolean' },
  only: { type: 'string', multiple: true },
  skip: { type: 'string', multiple: true },
  'fail-on': { type: 'string' },
  explore: { type: 'string' },
  seed: { type: 'string' },
  baseline: { type: 'string' },
  format: { type: 'string' },
  report: { type: 'string', multiple: true },
  journal: { type: 'string' },
  quiet: { type: 'boolean', short: 'q' },
  verbose: { type: 'boolean', short: 'v' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The entries of a repeatable option whose values are lists with commas. */
export function listOption(parsed: ParsedArguments, name: string): string[] {
  const given = parsed.values[name];
  const texts = Array.isArray(given) ? given.map(String) : [];
  const entries = texts.flatMap((text) => text.split(',').map((each) => each.trim()));
  if (entries.includes('')) throw new UsageError(`${nameOf(parsed, name)}: an entry is empty.`);
  return entries;
}

function parseExplore(parsed: ParsedArguments): ExploreOptions | undefined {
  const { explore, seed } = parsed.values as { explore?: string; seed?: string };
  if (explore === undefined) {
    if (seed !== undefined) throw new UsageError('--seed repeats an exploration; add --explore.');
    return undefined;
  }
  return {
    sequences: wholeNumber(nameOf(parsed, 'explore'), explore, 1, MOST_SEQUENCES),
    ...(seed === undefined ? {} : { seed: wholeNumber('--seed', seed, 0, 2 ** 31 - 1) }),
  };
}

function parseTalk({ values }: ParsedArguments): Verbosity {
  if (values.quiet === true && values.verbose === true) {
    throw new UsageError('--quiet and --verbose exclude each other: the one tells less, the other more.');
  }
  if (values.quiet === true) return 'quiet';
  return values.verbose === true ? 'verbose' : 'normal';
}

interface ReportFile {
  readonly format: ReportFormat;
  readonly path: string;
}

function parseReports(parsed: ParsedArguments): ReportFile[] {
  const given = (parsed.values.report ?? []) as string[];
  const option = nameOf(parsed, 'report');
  const reports = given.map((text) => {
    const [, format, path] = /^([^=]*)=(.+)$/.exec(text) ?? [];
    if (format === undefined || path === undefined) {
      throw new UsageError(`${option} ${text}: write FORMAT=PATH, for example json=result.json.`);
    }
    checkOutputPath(`${option} ${text}`, path);
    return { format: oneOf(option, format, REPORT_FORMATS), path };
  });
  const twice = reports.find(({ path }, index) => reports.findIndex((each) => each.path === path) < index);
  if (twice) throw new UsageError(`--report: two reports go to ${twice.path}; give each its own file.`);
  return reports;
}

function writeReports(reports: readonly ReportFile[], result: Result, { err }: CommandIo): boolean {
  let complete = true;
  for (const { format, path } of reports) {
    try {
      writeFileSync(path, REPORTS[format](result));
    } catch (error) {
      err.write(`admin-api-conformance: the report ${path} could not be written: ${(error as Error).message}\n`);
      complete = false;
    }
  }
  return complete;
}

/** The base URL that was given; never a default. */
function requireBaseUrl(parsed: ParsedArguments, { environment }: CommandIo): URL {
  const baseUrl = givenBaseUrl(parsed, environment);
  if (baseUrl) return baseUrl;
  throw new UsageError(
    'No target: give BASE_URL, set CONFORMANCE_BASE_URL, or use --reference for the embedded server; "init" writes a configuration file.',
  );
}

async function startReference(parsed: ParsedArguments): Promise<{ inputs: Inputs; close: () => Promise<void> }> {
  const ownInputs = Object.keys(TARGET_OPTIONS).find((option) => parsed.values[option] !== undefined);
  if (parsed.positionals.length > 0 || ownInputs !== undefined) {
    const what = ownInputs === undefined ? 'BASE_URL' : `--${ownInputs}`;
    throw new UsageError(
      `--reference and ${what} exclude each other: the embedded server brings its own address, keys and users.`,
    );
  }
  const server = await createReferenceServer();
  const [user, other] = server.seed.users;
  const inputs: Inputs = {
    baseUrl: new URL(server.url),
    adminKey: server.seed.keys.admin,
    restrictedKey: server.seed.keys.restricted,
    userId: String(user?.id),
    otherUserId: String(other?.id),
    missingUserId: '404404',
    roleIds: [1, 2],
    bannerIds: server.seed.banners.map((banner) => banner.id),
    emailDomain: DEFAULT_EMAIL_DOMAIN,
  };
  return { inputs, close: server.close };
}

/** A journal that is there may be all that knows the users as they were before a run that was killed. */
function checkJournalPath(given: string, path: string): void {
  checkOutputPath(given, path);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new UsageError(
      `${given}: this file is there already. If an earlier run left it, put its users back: admin-api-conformance restore ${path}; else name another file.`,
    );
  }
}

async function judgeAndShow(inputs: Inputs, parsed: ParsedArguments, io: CommandIo): Promise<number> {
  const { values } = parsed;
  const { out, err, environment } = io;
  const format = oneOf(nameOf(parsed, 'format'), (values.format as string | undefined) ?? 'pretty', STDOUT_FORMATS);
  const failOn = oneOf(nameOf(parsed, 'fail-on'), (values['fail-on'] as string | undefined) ?? 'must', LEVELS);
  const reports = parseReports(parsed);
  const limits = parseLimits(parsed);
  const baselineFile = values.baseline as string | undefined;
  const baseline: readonly BaselineEntry[] =
    baselineFile === undefined ? [] : await readBaseline(nameOf(parsed, 'baseline'), baselineFile);
  const explore = parseExplore(parsed);
  const journal = values.journal as string | undefined;
  if (journal !== undefined) checkJournalPath(`${nameOf(parsed, 'journal')} ${journal}`, journal);

  const talk = parseTalk(parsed);
  const progress = makeProgress(err, paintFor(err, environment), environment, talk);
  const interruption = new AbortController();
  let journalPath = 'JOURNAL';
  const stopListening = io.onInterrupt(() => {
    if (interruption.signal.aborted) {
      progress.note(`stopped without putting the users back; use: admin-api-conformance restore ${journalPath}`);
      io.exit(EXIT_CODES.interrupted);
      return;
    }
    progress.note('stopping; the users are put back first (once more to leave at once)');
    interruption.abort();
  });
  try {
    const result = await judge(inputs, {
      only: listOption(parsed, 'only'),
      skip: listOption(parsed, 'skip'),
      failOn,
      baseline,
      limits,
      ...(explore === undefined ? {} : { explore }),
      ...(journal === undefined ? {} : { journal }),
      signal: interruption.signal,
      onEvent: (event) => {
        if (event.type === 'journal') journalPath = event.path;
        progress.onEvent(event);
      },
    });
    progress.end();
    if (format === 'json') {
      out.write(jsonReport(result));
    } else {
      const shown = { paint: paintFor(out, environment), width: columnsOf(out) };
      const text = talk === 'quiet' ? quietReport(result) : prettyReport(result, shown);
      out.write(onGitHubActions(environment) ? withoutCommands(text) : text);
    }
    const { journal: left } = result.restoration;
    if (talk === 'quiet' && left !== undefined) {
      progress.note(`not every user is as before; try: admin-api-conformance restore ${left}`);
    }
    const written = writeReports(reports, result, io);
    reportToGitHub(result, io);
    return written ? EXIT_CODES[result.verdict] : 2;
  } catch (error) {
    progress.end();
    if (error instanceof InvalidSelection || error instanceof ExplorerMissing) throw new UsageError(error.message);
    if ((error as { syscall?: string }).syscall !== undefined) {
      throw new UsageError(
        `The journal cannot be written: ${(error as Error).message}. Name another file with --journal.`,
      );
    }
    throw error;
  } finally {
    stopListening();
  }
}

/** `--explore` may come without a number. */
function withSequences(arg: string): string {
  return arg === '--explore' ? `--explore=${DEFAULT_SEQUENCES}` : arg;
}

/** `run`: judges a target. */
export const run: Command = async (args, io) => {
  const flags = parseArguments(args.map(withSequences), RUN_OPTIONS, 1);
  if (flags.values.help === true) {
    io.out.write(RUN_HELP);
    return 0;
  }
  const { environment, err } = io;
  const configuring = { options: RUN_OPTIONS, environment, err };
  if (flags.values.reference !== true) {
    const parsed = await withConfiguration(flags, configuring);
    const baseUrl = requireBaseUrl(parsed, io);
    return judgeAndShow({ baseUrl, ...parseTarget(parsed, environment) }, parsed, io);
  }
  const { inputs, close } = await startReference(flags);
  try {
    return await judgeAndShow(inputs, await withConfiguration(flags, { ...configuring, reference: true }), io);
  } finally {
    await close();
  }
};
