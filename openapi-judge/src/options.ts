/** The command line of the judge: its options, what they may say, and what `--help` prints. */
import { existsSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from '../../common/process/args.ts';
import { FORMATS, type Format } from './report/output.ts';

const FAIL_ON = ['none', 'error', 'warning', 'info', 'clients', 'implementers', 'any'] as const;
/** What makes the command fail. */
export type FailOn = (typeof FAIL_ON)[number];

const OPTIONS = {
  format: { type: 'string', short: 'f' },
  'fail-on': { type: 'string', short: 'o' },
  config: { type: 'string' },
  accepted: { type: 'string' },
  'write-accepted': { type: 'boolean' },
  reason: { type: 'string' },
  clients: { type: 'boolean' },
  paths: { type: 'string', multiple: true },
  'not-paths': { type: 'string', multiple: true },
  'strip-prefix-old': { type: 'string' },
  'strip-prefix-new': { type: 'string' },
  'allow-url': { type: 'boolean' },
  'allow-outside': { type: 'boolean' },
  color: { type: 'string' },
  verbose: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

/** What the command line says. */
export type Arguments = ReturnType<typeof argumentsIn>;

/** What is written on the command line. Throws UsageError for an option that is not known. */
export function argumentsIn(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (error) {
    const [said = ''] = (error as Error).message.split(/\n|\. To specify/);
    throw new UsageError(`${said}; see --help, and the README for options of oasdiff.`);
  }
}

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

/** What makes the command fail. */
export function failOnOf(text: string): FailOn {
  return oneOf('--fail-on', text, FAIL_ON);
}

/** The format of the report. */
export function formatOf(text: string): Format {
  return oneOf('--format', text, FORMATS);
}

/** Whether a report for a terminal is coloured. */
export function isColored({ values }: Arguments): boolean {
  const said = oneOf('--color', values.color ?? 'auto', ['auto', 'always', 'never'] as const);
  if (said !== 'auto') return said === 'always';
  return process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '' && process.env.TERM !== 'dumb';
}

/** The two documents that are asked about, and by which word. */
export function documentsIn({ positionals }: Arguments, usage: string) {
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

/** What `--help` prints. */
export function helpOf(usage: string, format: Format): string {
  return `Usage: ${usage} [breaking|changelog] OLD NEW [options]

Judges the change from one OpenAPI 3.x document to another: whether it breaks
clients, whether it breaks implementers, and which version bump it requires.

  OLD, NEW           a file, YAML or JSON; one in a git revision (main:api.yaml
                     from the root of the repository, main:./api.yaml from here),
                     with all that it refers to; a pattern in quotes
                     ('main:apis/**/*.yaml'), which is judged document by
                     document; "-" is the standard input
  breaking           only what breaks clients
  changelog          everything that clients can see

  --clients          nothing about implementers
  --format F         ${FORMATS.join(', ')}
                     (default: ${format})
  --fail-on W        exit 1 on an error, a warning or any change (info), or if
                     clients, implementers or any of them break (default: none)
  --config FILE      levels of rules, accepted changes
                     (default: openapi-judge.yaml, if it is there)
  --accepted FILE    changes that do not count, each with its reason
  --write-accepted   writes what fails to that file; --reason TEXT says why
  --paths GLOB       only these paths; --not-paths GLOB: not these
                     (both as often as you like; * stands for any text)
  --strip-prefix-old P, --strip-prefix-new P
                     what is taken from the start of paths first
  --allow-url        OLD or NEW may be an https address
  --allow-outside    documents may refer to files outside of their repository
  --color WHEN       auto, always, never
  --verbose          every change, and where it stands (pretty)
  --version          the version of this tool

Exit codes: 0 a judgement was reached, 1 it is what --fail-on names, or an
accepted change is stale or has expired, 2 usage, or a document that cannot be
read.
`;
}
