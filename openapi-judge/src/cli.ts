/** The command: judges the documents that it is given, and says what a team wants to know of that. */
import { existsSync } from 'node:fs';
import { counted, escapeInvisible } from '../../common/text.ts';
import { UsageError } from '../../common/process/args.ts';
import { outputFile, writeOutput } from '../../common/process/files.ts';
import { outliveReaders } from '../../common/process/readers.ts';
import { entryFor, readAccepted, staleEntries } from './accepted.ts';
import { forClients, judgementOf, type Change } from './change.ts';
import type { Extensions } from './classify.ts';
import { readYaml } from './load.ts';
import {
  argumentsIn,
  documentsIn,
  failOnOf,
  formatOf,
  helpOf,
  isColored,
  type Arguments,
  type FailOn,
} from './options.ts';
import { judgeAll, type Decide, type Judged } from './pairs.ts';
import { applied, readConfiguration, type Configuration, type Policy } from './policy.ts';
import { shown, type Format } from './report/output.ts';

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

/** What a team has decided, by options and files. */
function decidedBy({ values }: Arguments, rules: readonly string[] = []) {
  const { levels, ...configuration } = configured(values.config, rules);
  const failOn = failOnOf(values['fail-on'] ?? configuration.failOn ?? 'none');
  const acceptedFile = values.accepted ?? configuration.accepted;
  const isWritten = values['write-accepted'] === true;
  if (isWritten && acceptedFile === undefined)
    throw new UsageError('--write-accepted needs --accepted FILE, which it writes.');
  const isThere = acceptedFile !== undefined && (existsSync(acceptedFile) || !isWritten);
  const accepted = isThere ? readAccepted(readYaml(acceptedFile), acceptedFile) : [];
  const policy: Policy = { levels, accepted, ...(acceptedFile === undefined ? {} : { acceptedFile }) };
  return { failOn, policy };
}

/** Writes the accepted changes, after those of before that still hold, and gives what to say of that. */
function writeAccepted(
  file: string,
  { pairs, several }: Judged,
  fails: (each: Change) => boolean,
  reason?: string,
): string {
  const kept = [...new Set(pairs.flatMap(({ outcome }) => outcome.used))];
  const added = pairs.flatMap(({ outcome: { judgement }, name }) =>
    judgement.changes.filter(fails).map((each) => entryFor(each, reason ?? '', several ? name : undefined)),
  );
  writeOutput(outputFile(file), `${JSON.stringify([...kept, ...added], null, 2)}\n`);
  const left = reason === undefined ? '; write the reason of each' : '';
  return `${counted(kept.length + added.length, 'accepted change')} in ${file}${left}.`;
}

/** What is judged, and how it is read. */
async function judged(given: Arguments, command: Command, decide: Decide): Promise<Judged> {
  const { values } = given;
  const { old, now } = documentsIn(given, command.usage);
  return judgeAll(old, now, {
    decide,
    allowed: { outside: values['allow-outside'] === true, url: values['allow-url'] === true },
    scope: {
      only: values.paths ?? [],
      except: values['not-paths'] ?? [],
      oldPrefix: values['strip-prefix-old'],
      newPrefix: values['strip-prefix-new'],
    },
    extensions: command.extensions,
  });
}

/** What the command prints on both outputs, and its exit code. */
interface Answer {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

/** What is said on the standard error, a line each. */
function said({ name }: Command, lines: readonly string[]): string {
  return lines.map((text) => `${name}: ${escapeInvisible(text).replaceAll('\n', ' ')}\n`).join('');
}

async function answered(command: Command, args: readonly string[]): Promise<Answer> {
  const given = argumentsIn(args);
  const { values } = given;
  if (values.help === true) return { status: 0, output: helpOf(command.usage, command.format), errors: '' };
  if (values.version === true) return { status: 0, output: `${command.version ?? ''}\n`, errors: '' };
  const { word } = documentsIn(given, command.usage);
  const format = formatOf(values.format ?? command.format);
  const { failOn, policy } = decidedBy(given, command.rules);
  const clientsOnly = values.clients === true || word !== undefined;
  const today = new Date().toISOString().slice(0, 10);
  const decide: Decide = (judgement, document) => {
    const whole = applied(judgement, policy, today, document);
    if (!clientsOnly) return whole;
    const seen = applied(judgementOf(forClients(judgement.changes)), policy, today, document);
    return { ...seen, whole: whole.judgement };
  };
  const all = await judged(given, command, decide);
  const fails = failing(failOn);
  if (values['write-accepted'] === true && policy.acceptedFile !== undefined) {
    const taken = failOn === 'none' ? failing('error') : fails;
    const written = writeAccepted(policy.acceptedFile, all, taken, values.reason);
    return { status: 0, output: '', errors: said(command, [written]) };
  }
  const used = all.pairs.flatMap(({ outcome }) => outcome.used);
  const problems = staleEntries(policy, used, today);
  const view = { clientsOnly, breakingOnly: word === 'breaking', verbose: values.verbose === true };
  const skipped = all.parts.map((part) => `${part} is no OpenAPI document by itself; skipped.`);
  return {
    status: problems.length > 0 || isFailing(all, fails) ? 1 : 0,
    output: shown(all, format, { ...view, colored: isColored(given), fails, problems }),
    errors: said(command, [...skipped, ...problems]),
  };
}

function isFailing({ pairs }: Judged, fails: (each: Change) => boolean): boolean {
  return pairs.some(({ outcome }) => outcome.judgement.changes.some(fails));
}

/**
 * What the command says to some arguments. What is wrong with them is one line of `errors`, and exit code 2.
 *
 * @param args as on a command line; files are those of the working folder
 */
export async function answerTo(command: Command, args: readonly string[]): Promise<Answer> {
  try {
    return await answered(command, args);
  } catch (error) {
    const why = error instanceof UsageError ? error.message : `this is an error of the judge: ${String(error)}`;
    return { status: 2, output: '', errors: said(command, [why]) };
  }
}

/** Runs the judge with the arguments of this process. */
export async function runJudge(command: Command): Promise<void> {
  const { status, output, errors } = await answerTo(command, process.argv.slice(2));
  process.exitCode = status;
  outliveReaders(command.name);
  process.stdout.write(output);
  process.stderr.write(errors);
}
