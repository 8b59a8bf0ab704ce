import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Change } from './change.ts';
import { judge, type Extensions } from './classify.ts';
import { isPattern, matching } from './documents/files.ts';
import { loadDescription, loadNamed, readYaml } from './load.ts';
import { acceptedOf, applied, NO_POLICY, readAccepted, readConfiguration, staleEntries } from './policy.ts';
import type { Configuration, Outcome, Policy } from './policy.ts';
import { annotationsOf } from './report/github.ts';
import { toJUnit } from './report/junit.ts';
import { table, toMarkdown } from './report/markdown.ts';
import { toText, type View } from './report/text.ts';
import { counted, inOneLine, UsageError } from './tools/text.ts';

const FORMATS = ['pretty', 'json', 'markdown', 'github', 'junit'] as const;
type Format = (typeof FORMATS)[number];
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

/** What to use for an option of oasdiff. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'err-ignore': 'use --accepted FILE; --write-accepted makes the file',
  'warn-ignore': 'use --accepted FILE; --write-accepted makes the file',
  'severity-levels': 'use --config FILE with levels',
  composed: 'put the patterns in quotes: each document is judged by itself',
  'flatten-allof': 'leave it out: what schemas allow is compared, however they are composed',
  'flatten-params': 'leave it out: parameters of a path are compared as those of its operations',
  'case-insensitive-headers': 'leave it out: headers are compared so',
  'exclude-elements': 'set the rules to off with --config FILE',
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
    const [, option = ''] = /'--?([^' =]+)/.exec(said) ?? [];
    const instead = ELSEWHERE[option];
    throw new UsageError(instead === undefined ? `${said}; see --help.` : `--${option}: ${instead}.`);
  }
}

/** The two documents that are compared, and what one pair of several is called. */
interface Pair {
  readonly name: string;
  readonly outcome: Outcome;
  /** The newer document on disk, for the lines of annotations. */
  readonly file: string;
}

/** What is judged, and documents that one side alone has. */
interface Judged {
  readonly pairs: readonly Pair[];
  readonly gone: readonly string[];
  readonly come: readonly string[];
}

/** Judges the documents that two arguments name. Throws UsageError if one cannot be read. */
async function judged(
  old: string,
  now: string,
  decide: (judgement: ReturnType<typeof judge>, document?: string) => Outcome,
  extensions?: Extensions,
): Promise<Judged> {
  if (!isPattern(old) && !isPattern(now)) {
    const documents = [await loadDescription('base', old), await loadDescription('head', now)] as const;
    return { pairs: [{ name: now, outcome: decide(judge(...documents, extensions)), file: now }], gone: [], come: [] };
  }
  if (!isPattern(old) || !isPattern(now)) throw new UsageError(`${old}, ${now}: both must be patterns, or none.`);
  const [before, after] = [matching(old), matching(now)];
  const pairs = [...before].flatMap(([key, base]): Pair[] => {
    const head = after.get(key);
    if (head === undefined) return [];
    const name = head.source.nameOf(head.path);
    const judgement = judge(loadNamed('base', base), loadNamed('head', head), extensions);
    return [{ name, outcome: decide(judgement, head.path), file: head.path }];
  });
  const alone = (some: typeof before, others: typeof before): string[] =>
    [...some].flatMap(([key, { source, path }]) => (others.has(key) ? [] : [source.nameOf(path)]));
  return { pairs, gone: alone(before, after), come: alone(after, before) };
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

/** What is shown, in a format. */
function shown(
  { pairs, gone, come }: Judged,
  several: boolean,
  format: Format,
  view: View,
  fails: (each: Change) => boolean,
  problems: readonly string[],
): string {
  const missing = gone.map((name) => `${name} is gone: its clients break.`);
  const added = come.map((name) => `${name} is new.`);
  switch (format) {
    case 'json': {
      const results = pairs.map(({ name, outcome: { judgement, accepted } }) => ({
        ...(several ? { document: name } : {}),
        ...judgement,
        ...(accepted.length > 0
          ? { accepted: accepted.map(({ change, entry }) => ({ ...change, reason: entry.reason })) }
          : {}),
      }));
      return `${JSON.stringify(several ? { documents: results, gone, come } : results[0], null, 2)}\n`;
    }
    case 'junit': {
      const suites = pairs.map(({ name, outcome }) => ({
        name,
        failed: outcome.judgement.changes.filter(fails),
        problems: [],
      }));
      return toJUnit([...suites, ...(problems.length > 0 ? [{ name: 'documents', failed: [], problems }] : [])]);
    }
    case 'markdown':
      return [
        ...pairs.map(
          ({ name, outcome }) =>
            `${several ? `## ${name}\n\n` : ''}${toMarkdown(outcome.judgement, view, 60_000 / pairs.length)}`,
        ),
        ...missing,
        ...added,
        ...(several ? [summaryOf(pairs)] : []),
        '',
      ].join('\n');
    case 'github':
    case 'pretty':
      return [
        ...pairs.map(({ name, outcome }) => {
          const notes = outcome.accepted.map(
            ({ change, entry }) => `  ${change.message} (${change.rule}) — ${entry.reason}`,
          );
          const accepted = notes.length === 0 ? [] : [`Accepted (${notes.length})`, ...notes, ''];
          return [...(several ? [`== ${name}`] : []), toText(outcome.judgement, view), ...accepted].join('\n');
        }),
        ...missing,
        ...added,
        ...(several ? [`${counted(pairs.length, 'document')}: ${countsOf(pairs)}.`, ''] : []),
      ].join('\n');
  }
}

function broken(pairs: readonly Pair[], side: 'clients' | 'implementers'): number {
  return pairs.filter(({ outcome }) => outcome.judgement[side] === 'breaking').length;
}

function countsOf(pairs: readonly Pair[]): string {
  return `clients break in ${broken(pairs, 'clients')}, implementers in ${broken(pairs, 'implementers')}`;
}

function summaryOf(pairs: readonly Pair[]): string {
  const rows = pairs.map(({ name, outcome: { judgement } }) => [
    name,
    judgement.clients,
    judgement.implementers,
    judgement.bump,
  ]);
  return table(['document', 'clients', 'implementers', 'bump'], rows);
}

/** A text for a log in which no line may be taken for a command of GitHub Actions. */
function forLog(text: string): string {
  if (process.env.GITHUB_ACTIONS !== 'true') return text;
  const lines = text.split('\n').map((line) => (line.trimStart().startsWith('::') ? ` \\${line.trimStart()}` : line));
  return lines.join('\n').replaceAll('##[', '## [');
}

function configured(file: string | undefined, rules: readonly string[] = []): Configuration {
  const path = file ?? (existsSync('openapi-judge.yaml') ? 'openapi-judge.yaml' : undefined);
  return path === undefined ? { levels: {} } : readConfiguration(readYaml(path), path, rules);
}

async function main(command: Command, args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(args);
  if (values.help === true) process.stdout.write(helpOf(command));
  else if (values.version === true) process.stdout.write(`${command.version ?? ''}\n`);
  if (values.help === true || values.version === true) return 0;
  const [first = ''] = positionals;
  const word = (first === 'breaking' || first === 'changelog') && !existsSync(first) ? first : undefined;
  const [old, now, ...others] = word === undefined ? positionals : positionals.slice(1);
  if (/^(diff|summary|checks|flatten|delta)$/.test(first) && positionals.length > 2)
    throw new UsageError(
      `${first}: this is no command here; breaking and changelog are, and RULES.md lists the rules.`,
    );
  if (old === undefined || now === undefined)
    throw new UsageError(`Two documents are needed: ${command.usage} OLD NEW`);
  if (others[0] !== undefined)
    throw new UsageError(`${JSON.stringify(others[0])} is one argument too many; put patterns in quotes.`);

  const { levels, ...configuration } = configured(values.config, command.rules);
  const format = oneOf('--format', values.format ?? command.format, FORMATS);
  const failOn = oneOf('--fail-on', values['fail-on'] ?? configuration.failOn ?? 'none', FAIL_ON);
  const acceptedFile = values.accepted ?? configuration.accepted;
  if (values['write-accepted'] === true && acceptedFile === undefined)
    throw new UsageError('--write-accepted needs --accepted FILE, which it writes.');
  const isThere = acceptedFile !== undefined && (existsSync(acceptedFile) || values['write-accepted'] !== true);
  const accepted = isThere ? readAccepted(readYaml(acceptedFile), acceptedFile) : [];
  const policy: Policy = { ...NO_POLICY, levels, accepted, ...(acceptedFile === undefined ? {} : { acceptedFile }) };
  const today = new Date().toISOString().slice(0, 10);
  const several = isPattern(old) || isPattern(now);
  const all = await judged(
    old,
    now,
    (judgement, document) => applied(judgement, policy, today, document),
    command.extensions,
  );

  const view: View = {
    clientsOnly: values.clients === true || word !== undefined,
    breakingOnly: word === 'breaking',
    verbose: values.verbose === true,
  };
  const seen =
    view.clientsOnly === true
      ? (each: Change) => each.clients === 'breaking' || each.implementers === 'compatible'
      : () => true;
  const fails = (each: Change): boolean => seen(each) && failing(failOn)(each);
  if (values['write-accepted'] === true && acceptedFile !== undefined) {
    const taken = failOn === 'none' ? failing('error') : fails;
    const outcomes = all.pairs.map(({ outcome, name }) => ({ ...outcome, ...(several ? { document: name } : {}) }));
    const entries = acceptedOf(outcomes, values.reason ?? '', taken);
    writeFileSync(acceptedFile, `${JSON.stringify(entries, null, 2)}\n`);
    process.stderr.write(
      `${command.name}: ${counted(entries.length, 'accepted change')} in ${acceptedFile}${values.reason === undefined ? '; write the reason of each' : ''}.\n`,
    );
    return 0;
  }
  const stale = staleEntries(
    policy,
    all.pairs.map(({ outcome }) => outcome),
    today,
  );
  const lost = failOn === 'none' ? [] : all.gone.map((name) => `${name} is gone.`);
  const problems = [...stale, ...lost];
  if (format === 'github') {
    let room = 10;
    for (const { outcome, file } of all.pairs) {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      const lines = annotationsOf(outcome.judgement, text === '' ? '' : file, text, fails, room);
      room = Math.max(0, room - (lines.match(/^::/gm)?.length ?? 0));
      process.stdout.write(lines);
    }
    const summary = process.env.GITHUB_STEP_SUMMARY;
    if (summary !== undefined && summary !== '')
      appendFileSync(summary, shown(all, several, 'markdown', view, fails, problems));
  }
  const text = shown(all, several, format, view, fails, problems);
  process.stdout.write(format === 'json' || format === 'junit' ? text : forLog(text));
  for (const problem of stale) process.stderr.write(`${command.name}: ${problem}\n`);
  const isBroken = all.pairs.some(({ outcome }) => outcome.judgement.changes.some(fails));
  return isBroken || problems.length > 0 ? 1 : 0;
}

/** Runs the judge with the arguments of this process. What is wrong with them is one line on stderr, and exit code 2. */
export async function runJudge(command: Command): Promise<void> {
  try {
    process.exitCode = await main(command, process.argv.slice(2));
  } catch (error) {
    const said =
      error instanceof UsageError
        ? error.lines.join(' ')
        : `this is an error of the judge: ${inOneLine(String(error))}`;
    process.stderr.write(`${command.name}: ${said}\n`);
    process.exitCode = 2;
  }
}
