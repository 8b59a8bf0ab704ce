import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { counted, escapeInvisible } from '../../common/text.ts';
import { UsageError } from '../../common/process/args.ts';
import type { Change } from './change.ts';
import type { Extensions } from './classify.ts';
import { readYaml } from './load.ts';
import { judgeAll, type Decide, type Judged } from './pairs.ts';
import { acceptedOf, applied, readAccepted, readConfiguration, staleEntries, type Configuration } from './policy.ts';
import { FORMATS, shown, type Format } from './report/output.ts';
import type { View } from './report/text.ts';

const FAIL_ON = ['none', 'error', 'warning', 'info', 'clients', 'implementers', 'any'] as const;
type FailOn = (typeof FAIL_ON)[number];

/** How the command is called, and what it knows beside OpenAPI. */
interface Command {
  readonly name: string;
  /** How it is written on a command line. */
  readonly usage: string;
  readonly format: Format;
  readonly extensions?: Extensions;
  /** Rules of the extensions. */
  readonly rules?: readonly string[];
  /** What `--version` prints. */
  readonly version?: string;
}

function helpOf({ usage, format }: Command): string {
  return `Usage: ${usage} [breaking|changelog] OLD NEW [options]

Judges the change from one OpenAPI 3.x document to another: whether it breaks
clients, whether it breaks implementers, and which version bump it requires.

  OLD, NEW           a file, YAML or JSON; one in a git revision (main:api.yaml),
                     with all that it refers to; a pattern in quotes
                     ('main:apis/**/*.yaml'), which is judged document by
                     document; "-" is the standard input
  breaking           only what breaks clients
  changelog          everything that clients see

  --clients          nothing about implementers
  --format F         ${FORMATS.join(', ')} (default: ${format})
  --fail-on W        exit 1 on an error, a warning or any change (info), or if
                     clients, implementers or any of them break (default: none)
  --config FILE      levels of rules, accepted changes
                     (default: openapi-judge.yaml, if it is there)
  --accepted FILE    changes that do not count, each with its reason
  --write-accepted   writes what fails to that file; --reason TEXT says why
  --verbose          every change, and where it stands (pretty)
  --version          the version of this tool

Exit codes: 0 a judgement was reached, 1 it is what --fail-on names, or an
accepted change is stale or has expired, 2 usage, or a document that cannot be
read.
`;
}

const OPTIONS = {
  format: { type: 'string', short: 'f' },
  'fail-on': { type: 'string', short: 'o' },
  config: { type: 'string' },
  accepted: { type: 'string' },
  'write-accepted': { type: 'boolean' },
  reason: { type: 'string' },
  clients: { type: 'boolean' },
  verbose: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

/** What oasdiff calls what is called something else here. */
const SYNONYMS: Readonly<Record<string, string>> = {
  ...{ err: 'error', warn: 'warning', text: 'pretty', singleline: 'pretty', markup: 'markdown' },
  githubactions: 'github',
};

function oneOf<T extends string>(option: string, text: string, words: readonly T[]): T {
  const named = SYNONYMS[text.toLowerCase()] ?? text.toLowerCase();
  const found = words.find((word) => word === named);
  if (found === undefined)
    throw new UsageError(`${option}: ${JSON.stringify(text)} is not one of ${words.join(', ')}.`);
  return found;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    const [said = ''] = (error as Error).message.split(/\n|\. To specify/);
    throw new UsageError(`${said}; see --help, and the README for options of oasdiff.`);
  }
}

const RANKS: Readonly<Record<string, number>> = { error: 3, warning: 2, info: 1 };

/** Whether a change is what `--fail-on` names. */
function failing(on: FailOn): (each: Change) => boolean {
  const least = RANKS[on];
  if (least !== undefined) return ({ level = 'off' }) => (RANKS[level] ?? 0) >= least;
  return ({ clients, implementers }) =>
    ((on === 'clients' || on === 'any') && clients === 'breaking') ||
    ((on === 'implementers' || on === 'any') && implementers === 'breaking');
}

function configured(file: string | undefined, rules: readonly string[] = []): Configuration {
  const path = file ?? (existsSync('openapi-judge.yaml') ? 'openapi-judge.yaml' : undefined);
  return path === undefined ? { levels: {} } : readConfiguration(readYaml(path), path, rules);
}

type Arguments = ReturnType<typeof parsed>;

/** The two documents that are asked about, and by which word. */
function asked({ positionals }: Arguments, usage: string) {
  const [first = ''] = positionals;
  const word = (first === 'breaking' || first === 'changelog') && !existsSync(first) ? first : undefined;
  const [old, now, ...others] = word === undefined ? positionals : positionals.slice(1);
  if (/^(diff|summary|checks|flatten|delta)$/.test(first) && !existsSync(first))
    throw new UsageError(
      `${first}: this is no command here; breaking and changelog are, and RULES.md lists the rules.`,
    );
  if (old === undefined || now === undefined) throw new UsageError(`Two documents are needed: ${usage} OLD NEW`);
  if (others[0] !== undefined)
    throw new UsageError(`${JSON.stringify(others[0])} is one argument too many; put patterns in quotes.`);
  return { word, old, now };
}

/** What a team has decided, by options and files. */
function decidedBy({ values }: Arguments, rules: readonly string[] = []) {
  const { levels, ...configuration } = configured(values.config, rules);
  const failOn = oneOf('--fail-on', values['fail-on'] ?? configuration.failOn ?? 'none', FAIL_ON);
  const acceptedFile = values.accepted ?? configuration.accepted;
  const isWritten = values['write-accepted'] === true;
  if (isWritten && acceptedFile === undefined)
    throw new UsageError('--write-accepted needs --accepted FILE, which it writes.');
  const isThere = acceptedFile !== undefined && (existsSync(acceptedFile) || !isWritten);
  const accepted = isThere ? readAccepted(readYaml(acceptedFile), acceptedFile) : [];
  return { failOn, policy: { levels, accepted, ...(acceptedFile === undefined ? {} : { acceptedFile }) } };
}

/** Writes the accepted changes, and gives what to say of that. */
function writeAccepted(
  file: string,
  { pairs, several }: Judged,
  fails: (each: Change) => boolean,
  reason?: string,
): string {
  const outcomes = pairs.map(({ outcome, file: document }) => ({ ...outcome, ...(several ? { document } : {}) }));
  const entries = acceptedOf(outcomes, reason ?? '', fails);
  writeFileSync(file, `${JSON.stringify(entries, null, 2)}\n`);
  const left = reason === undefined ? '; write the reason of each' : '';
  return `${counted(entries.length, 'accepted change')} in ${file}${left}.`;
}

async function main(command: Command, args: readonly string[]): Promise<number> {
  const given = parsed(args);
  const { values } = given;
  if (values.help === true || values.version === true) {
    process.stdout.write(values.help === true ? helpOf(command) : `${command.version ?? ''}\n`);
    return 0;
  }
  const { word, old, now } = asked(given, command.usage);
  const format = oneOf('--format', values.format ?? command.format, FORMATS);
  const { failOn, policy } = decidedBy(given, command.rules);
  const today = new Date().toISOString().slice(0, 10);
  const decide: Decide = (judgement, document) => applied(judgement, policy, today, document);
  const all = await judgeAll(old, now, decide, command.extensions);

  const clientsOnly = values.clients === true || word !== undefined;
  const view: View = { clientsOnly, breakingOnly: word === 'breaking', verbose: values.verbose === true };
  const fails = (each: Change): boolean =>
    (!clientsOnly || each.clients === 'breaking' || each.implementers === 'compatible') && failing(failOn)(each);
  if (values['write-accepted'] === true && policy.acceptedFile !== undefined) {
    const taken = failOn === 'none' ? failing('error') : fails;
    const said = writeAccepted(policy.acceptedFile, all, taken, values.reason);
    process.stderr.write(`${command.name}: ${said}\n`);
    return 0;
  }
  const outcomes = all.pairs.map(({ outcome }) => outcome);
  const stale = staleEntries(policy, outcomes, today);
  const problems = [...stale, ...(failOn === 'none' ? [] : all.gone.map((name) => `${name} is gone.`))];
  process.stdout.write(shown(all, format, view, fails, problems));
  for (const problem of stale) process.stderr.write(`${command.name}: ${problem}\n`);
  return problems.length > 0 || outcomes.some(({ judgement }) => judgement.changes.some(fails)) ? 1 : 0;
}

/** Runs the judge with the arguments of this process. What is wrong with them is one line on stderr, and exit code 2. */
export async function runJudge(command: Command): Promise<void> {
  try {
    process.exitCode = await main(command, process.argv.slice(2));
  } catch (error) {
    const mistake =
      error instanceof UsageError ? error : new UsageError(`this is an error of the judge: ${String(error)}`);
    process.stderr.write(`${command.name}: ${escapeInvisible(mistake.message)}\n`);
    process.exitCode = 2;
  }
}
