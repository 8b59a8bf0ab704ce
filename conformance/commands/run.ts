import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { LEVELS } from '../../contract/document.ts';
import { createReferenceServer } from '../../reference-server/server.ts';
import { ExplorerMissing, type ExploreOptions } from '../explore.ts';
import { DEFAULT_EMAIL_DOMAIN, type Inputs } from '../inputs.ts';
import { paintFor } from '../report/paint.ts';
import { prettyReport } from '../report/pretty.ts';
import { quietReport } from '../report/quiet.ts';
import type { Result } from '../result.ts';
import { run as judge } from '../runner.ts';
import { InvalidSelection } from '../selection.ts';
import { EXIT_CODES, type BaselineEntry } from '../verdict.ts';
import { parseBaseline } from './baseline.ts';
import { columnsOf, type Command, type CommandIo } from './io.ts';
import { makeProgress, type Talk } from './progress.ts';
import {
  LIMIT_HELP,
  LIMIT_OPTIONS,
  parseBaseUrl,
  parseLimits,
  parseTarget,
  readGivenFile,
  TARGET_HELP,
  TARGET_OPTIONS,
} from './target-options.ts';
import { oneOf, parseArguments, UsageError, wholeNumber, type ParsedArguments } from './usage.ts';

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
  --report json=PATH          the result as a file. Repeatable
  --journal FILE              where the values of the users are kept until they
                              are put back
  --quiet, -q                 on stdout a line for the verdict and one for each
                              failure; on stderr only what must not be missed
  --verbose, -v               every exchange on stderr as it happens, without
                              the keys

${LIMIT_HELP}

Examples:
  admin-api-conformance run --reference
  admin-api-conformance run http://localhost:4242 --report json=result.json
  admin-api-conformance run --only 'update-name-*' --verbose

Exit codes: 0 passed, 1 failed, 2 usage, 3 incomplete, 4 fault of the suite,
130 interrupted.
`;

const RUN_OPTIONS = {
  ...TARGET_OPTIONS,
  ...LIMIT_OPTIONS,
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
export function listOption({ values }: ParsedArguments, name: string): string[] {
  const given = values[name];
  const texts = Array.isArray(given) ? given.map(String) : [];
  const entries = texts.flatMap((text) => text.split(',').map((each) => each.trim()));
  if (entries.includes('')) throw new UsageError(`--${name}: an entry is empty.`);
  return entries;
}

function parseExplore({ values }: ParsedArguments): ExploreOptions | undefined {
  const { explore, seed } = values as { explore?: string; seed?: string };
  if (explore === undefined) {
    if (seed !== undefined) throw new UsageError('--seed repeats an exploration; add --explore.');
    return undefined;
  }
  return {
    sequences: wholeNumber('--explore', explore, 1, 10_000),
    ...(seed === undefined ? {} : { seed: wholeNumber('--seed', seed, 0, 2 ** 31 - 1) }),
  };
}

function parseTalk({ values }: ParsedArguments): Talk {
  if (values.quiet === true && values.verbose === true) {
    throw new UsageError('--quiet and --verbose exclude each other: the one tells less, the other more.');
  }
  if (values.quiet === true) return 'quiet';
  return values.verbose === true ? 'verbose' : 'normal';
}

const REPORT_FORMATS = ['json'] as const;

interface ReportFile {
  readonly format: (typeof REPORT_FORMATS)[number];
  readonly path: string;
}

function parseReports({ values }: ParsedArguments): ReportFile[] {
  const given = (values.report ?? []) as string[];
  return given.map((text) => {
    const [, format, path] = /^([^=]*)=(.+)$/.exec(text) ?? [];
    if (format === undefined || path === undefined) {
      throw new UsageError(`--report ${text}: write FORMAT=PATH, for example json=result.json.`);
    }
    try {
      accessSync(dirname(path), constants.W_OK);
    } catch {
      throw new UsageError(`--report ${text}: the folder ${dirname(path)} is not there or cannot be written to.`);
    }
    return { format: oneOf('--report', format, REPORT_FORMATS), path };
  });
}

function toJson(result: Result): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}

function writeReports(reports: readonly ReportFile[], result: Result, { err }: CommandIo): boolean {
  let complete = true;
  for (const { path } of reports) {
    try {
      writeFileSync(path, toJson(result));
    } catch (error) {
      err.write(`admin-api-conformance: the report ${path} could not be written: ${(error as Error).message}\n`);
      complete = false;
    }
  }
  return complete;
}

/** The base URL that was given, by argument or environment; never a default. */
function requireBaseUrl({ positionals }: ParsedArguments, { environment }: CommandIo): URL {
  const [argument] = positionals;
  if (argument !== undefined) return parseBaseUrl('BASE_URL', argument);
  const variable = environment.CONFORMANCE_BASE_URL;
  if (variable !== undefined && variable !== '') return parseBaseUrl('CONFORMANCE_BASE_URL', variable);
  throw new UsageError(
    'No target: give BASE_URL, set CONFORMANCE_BASE_URL, or use --reference for the embedded server.',
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

async function judgeAndShow(inputs: Inputs, parsed: ParsedArguments, io: CommandIo): Promise<number> {
  const { values } = parsed;
  const { out, err, environment } = io;
  const format = oneOf('--format', (values.format as string | undefined) ?? 'pretty', ['pretty', 'json']);
  const failOn = oneOf('--fail-on', (values['fail-on'] as string | undefined) ?? 'must', LEVELS);
  const reports = parseReports(parsed);
  const limits = parseLimits(parsed);
  const baselineFile = values.baseline as string | undefined;
  const baseline: readonly BaselineEntry[] =
    baselineFile === undefined ? [] : parseBaseline(baselineFile, readGivenFile('--baseline', baselineFile));
  const explore = parseExplore(parsed);
  const journal = values.journal as string | undefined;

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
    const pretty = (): string =>
      talk === 'quiet'
        ? quietReport(result)
        : prettyReport(result, { paint: paintFor(out, environment), width: columnsOf(out) });
    out.write(format === 'json' ? toJson(result) : pretty());
    const { journal: left } = result.restoration;
    if (talk === 'quiet' && left !== undefined) {
      progress.note(`not every user is as before; try: admin-api-conformance restore ${left}`);
    }
    const written = writeReports(reports, result, io);
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
  const parsed = parseArguments(args.map(withSequences), RUN_OPTIONS, 1);
  if (parsed.values.help === true) {
    io.out.write(RUN_HELP);
    return 0;
  }
  if (parsed.values.reference !== true) {
    const baseUrl = requireBaseUrl(parsed, io);
    return judgeAndShow({ baseUrl, ...parseTarget(parsed, io.environment) }, parsed, io);
  }
  const { inputs, close } = await startReference(parsed);
  try {
    return await judgeAndShow(inputs, parsed, io);
  } finally {
    await close();
  }
};
