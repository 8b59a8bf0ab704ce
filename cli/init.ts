import { existsSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { DEFAULT_LIMITS } from '../conformance/http/limits.ts';
import { baseAddress, DEFAULT_EMAIL_DOMAIN, INPUT_HELP } from '../conformance/target/inputs.ts';
import { EXIT_CODES } from '../conformance/result/verdict.ts';
import { REPORT_FORMATS } from '../conformance/report/formats.ts';
import { DEFAULT_CONFIGURATION } from './input/configuration.ts';
import type { Command } from './output/io.ts';
import { parseBaseUrl, parseId, parseJsonList, parseTarget, TARGET_OPTIONS } from './input/target-options.ts';
import { parseArguments, UsageError, type ParsedArguments } from '../common/args.ts';

const INIT_HELP = `Usage: admin-api-conformance init [BASE_URL] [FILE] [options]

Writes a commented configuration file (${DEFAULT_CONFIGURATION}), which run, plan and
restore then read. BASE_URL and the options of "run" that describe the target
are written into it; on a terminal what is missing is asked for. Keys are never
written.

  --user-id, --role-ids, …    as for run
  --force                     replaces a file that is there
`;

/** The settings that `init` fills in, as YAML values. */
export interface Answers {
  readonly baseUrl?: string;
  readonly userId?: string;
  readonly otherUserId?: string;
  readonly missingUserId?: string;
  readonly roleIds?: string;
  readonly bannerIds?: string;
  readonly emailDomain?: string;
  readonly adminKeyFile?: string;
  readonly restrictedKeyFile?: string;
}

/** A setting, and where nothing was given the same as a comment, with an example. */
function line(name: string, value: string | undefined, example: string): string {
  return value === undefined ? `# ${name}: ${example}` : `${name}: ${value}`;
}

/** A setting without which some checks cannot run. */
function needed(name: string, value: string | undefined, example: string): string {
  return line(name, value, `${example}   # FILL IN`);
}

/**
 * The text of a configuration file: every setting with a line that says what it is. What was not given stands there as a
 * comment, so that the file is valid as it is.
 */
export function configurationText(given: Answers): string {
  const missing = (['baseUrl', 'userId', 'otherUserId', 'missingUserId', 'roleIds'] as const).some(
    (name) => given[name] === undefined,
  );
  return `# Configuration of admin-api-conformance. A flag goes before an environment variable, and both go before this file.
# Completion in an editor ("schema config" prints the schema):
# yaml-language-server: $schema=./node_modules/admin-api-conformance/dist/conformance/config.schema.json

# --- The target
${missing ? '# Where it says FILL IN: take the # in front away, and write your value. Until then some checks cannot run.\n' : ''}
# What comes before /api/admin. There is no default.
${needed('baseUrl', given.baseUrl, 'http://localhost:4242')}

# Two users that the suite may change (they are put back), and an id that no user has.
${needed('userId', given.userId, '4')}
${needed('otherUserId', given.otherUserId, '5')}
${needed('missingUserId', given.missingUserId, '404404')}

# At least two JSON values that the target takes as rootRole.
${needed('roleIds', given.roleIds, '[1, 2]')}

# The keys: one that may do everything, and a valid one that may not update users. They do not belong in this file. Set
# CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY, or name files that hold them.
${line('adminKeyFile', given.adminKeyFile, 'admin.key')}
${line('restrictedKeyFile', given.restrictedKeyFile, 'restricted.key')}

# --- What more can be said of the target

# The ids of all banners that are configured: only then can a missing one be noticed.
${line('bannerIds', given.bannerIds, '[1, 2, 3]')}

# The domain of the e-mail addresses that are sent.
${line('emailDomain', given.emailDomain, DEFAULT_EMAIL_DOMAIN)}

# --- Selection and verdict

# Ids or globs of checks, requirements, areas; or users, banners, for one of the two operations.
# only: [users]
# skip: ["permission-*"]

# The least level whose failure fails the run: must or should.
# failOn: must

# Checks that are known not to pass ("baseline write" makes the file).
# baseline: baseline.json

# Tries so many random sequences of updates beside the checks.
# explore: 30

# --- Output

# On stdout: pretty or json.
# format: pretty

# Files with the result (${REPORT_FORMATS.join(', ')}), in folders that are there.
# reports: { json: result.json }

# Where the values of the users are kept until they are put back, instead of the system's folder for temporary files.
# journal: journal.json

# --- Limits

# Milliseconds for one request and for the whole run; bytes of one answer; requests under way at once.
# timeout: ${DEFAULT_LIMITS.timeout}
# deadline: ${DEFAULT_LIMITS.deadline}
# maxBody: ${DEFAULT_LIMITS.maxBody}
# concurrency: ${DEFAULT_LIMITS.concurrency}
`;
}

/** Asks one question. Undefined: there is no more input. */
export type Ask = (question: string) => Promise<string | undefined>;

interface Question {
  readonly name: 'baseUrl' | 'userId' | 'otherUserId' | 'missingUserId' | 'roleIds';
  readonly text: string;
  /** @throws UsageError if the answer cannot be right */
  readonly read: (text: string) => string;
}

function readAddress(text: string): string {
  return baseAddress(parseBaseUrl('This', text));
}

function readId(text: string): string {
  return parseId({ name: 'This', text });
}

function yamlList(list: readonly unknown[]): string {
  return `[${list.map((value) => JSON.stringify(value)).join(', ')}]`;
}

const QUESTIONS: readonly Question[] = [
  { name: 'baseUrl', text: 'Address of the target, what comes before /api/admin', read: readAddress },
  { name: 'userId', text: `Id of ${INPUT_HELP.userId.meaning}`, read: readId },
  { name: 'otherUserId', text: `Id of ${INPUT_HELP.otherUserId.meaning}`, read: readId },
  { name: 'missingUserId', text: `An id that no user has, such as 404404`, read: readId },
  {
    name: 'roleIds',
    text: 'Values that it takes as rootRole, at least two, such as 1,2',
    read: (text) => yamlList(parseJsonList({ name: 'This', text }, 2)),
  },
];

/**
 * Asks for what is not given. An empty answer leaves it out; one that cannot be right is asked for again.
 *
 * @param say tells why an answer is not taken
 * @returns undefined if the input ended before the last answer
 */
export async function askForAnswers(
  given: Answers,
  ask: Ask,
  say: (text: string) => void,
): Promise<Answers | undefined> {
  const answers: Record<string, string> = { ...given };
  for (const { name, text, read } of QUESTIONS) {
    while (answers[name] === undefined) {
      const answer = await ask(`${text}: `);
      if (answer === undefined) return undefined;
      if (answer.trim() === '') break;
      try {
        answers[name] = read(answer.trim());
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        say(error.message.replace(/^This: /, ''));
      }
    }
  }
  return answers;
}

/** Asks on the terminal. Ctrl-C and Ctrl-D end the input. */
async function askOnTerminal(given: Answers, err: NodeJS.WriteStream): Promise<Answers | undefined> {
  const terminal = createInterface({ input: process.stdin, output: err });
  const ended = new Promise<undefined>((done) => {
    terminal.once('close', () => {
      done(undefined);
    });
  });
  err.write('Enter alone leaves a question open; Ctrl-C writes nothing.\n');
  try {
    return await askForAnswers(
      given,
      (question) => Promise.race([terminal.question(question), ended]),
      (text) => err.write(`${text}\n`),
    );
  } finally {
    terminal.close();
  }
}

function sortPositionals(positionals: readonly string[]): { address?: string; file: string } {
  const isAddress = (text: string): boolean => /^https?:/i.test(text);
  const addresses = positionals.filter(isAddress);
  const files = positionals.filter((text) => !isAddress(text));
  const [address, anotherAddress] = addresses;
  const [file = DEFAULT_CONFIGURATION, anotherFile] = files;
  const superfluous = anotherAddress ?? anotherFile;
  if (superfluous !== undefined) throw new UsageError(`${JSON.stringify(superfluous)} is one argument too many.`);
  if (!/\.(ya?ml|json)$/i.test(file)) {
    throw new UsageError(
      `init: ${JSON.stringify(file)} is neither an address, such as http://localhost:4242, nor a file that ends in .yaml.`,
    );
  }
  if (/\.json$/i.test(file))
    throw new UsageError(`init ${file}: the file is commented, so it is YAML; name a .yaml file.`);
  return address === undefined ? { file } : { address, file };
}

/** What the arguments and the environment say, without keys. */
function givenAnswers(
  parsed: ParsedArguments,
  environment: Readonly<Record<string, string | undefined>>,
  address: string | undefined,
  file: string,
): Answers {
  const withoutKeys = Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => name !== INPUT_HELP.adminKey.variable && name !== INPUT_HELP.restrictedKey.variable,
    ),
  );
  const keyFile = (option: string): string | undefined => {
    const path = parsed.values[option];
    if (typeof path !== 'string') return undefined;
    return JSON.stringify(isAbsolute(path) ? path : relative(dirname(file), path));
  };
  const values = Object.fromEntries(Object.entries(parsed.values).filter(([name]) => !name.endsWith('-key-file')));
  const target = parseTarget({ ...parsed, values }, withoutKeys);
  const variable = environment.CONFORMANCE_BASE_URL;
  const base = address ?? (variable === '' ? undefined : variable);
  const answers = {
    baseUrl: base && baseAddress(parseBaseUrl(address === undefined ? 'CONFORMANCE_BASE_URL' : 'BASE_URL', base)),
    userId: target.userId,
    otherUserId: target.otherUserId,
    missingUserId: target.missingUserId,
    roleIds: target.roleIds && yamlList(target.roleIds),
    bannerIds: target.bannerIds && yamlList(target.bannerIds),
    emailDomain: target.emailDomain === DEFAULT_EMAIL_DOMAIN ? undefined : JSON.stringify(target.emailDomain),
    adminKeyFile: keyFile('admin-key-file'),
    restrictedKeyFile: keyFile('restricted-key-file'),
  };
  return Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined));
}

/** `init`: writes a commented configuration file. */
export const init: Command = async (args, { out, err, environment }) => {
  const options = {
    ...TARGET_OPTIONS,
    force: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const parsed = parseArguments(args, options, 2);
  if (parsed.values.help === true) {
    out.write(INIT_HELP);
    return 0;
  }
  const { address, file } = sortPositionals(parsed.positionals);
  if (existsSync(file) && parsed.values.force !== true) {
    throw new UsageError(`init: ${file} is there already; --force replaces it.`);
  }
  const given = givenAnswers(parsed, environment, address, file);
  const answers = process.stdin.isTTY && err.isTTY ? await askOnTerminal(given, err) : given;
  if (!answers) {
    err.write('\nstopped; nothing was written\n');
    return EXIT_CODES.interrupted;
  }
  try {
    writeFileSync(file, configurationText(answers));
  } catch (error) {
    throw new UsageError(`init ${file}: it cannot be written: ${(error as Error).message}.`);
  }
  const flag = file === DEFAULT_CONFIGURATION ? '' : ` --config ${file}`;
  out.write(`Wrote ${file}. Next:
  1. Fill in what is missing there, and set CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY.
  2. admin-api-conformance plan${flag}   shows every request, and sends none
  3. admin-api-conformance run${flag}
`);
  return 0;
};
