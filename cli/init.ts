import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { baseAddress } from '../conformance/resources/inputs.ts';
import { EXIT_CODES } from '../conformance/result/verdict.ts';
import { wrap } from '../conformance/report/terminal/paint.ts';
import { UsageError, type Environment, type ParsedArguments } from '../common/process/args.ts';
import { capitalized } from '../common/text.ts';
import { askOnTerminal, canAsk } from './input/ask.ts';
import { commandOf } from './input/command-table.ts';
import { keyFile } from './input/kinds.ts';
import { optionHelp, optionName } from './input/options.ts';
import {
  DEFAULT_CONFIGURATION,
  descriptionOf,
  givenBaseUrl,
  parseTarget,
  SETTINGS,
  settingsByGroup,
  TARGET_SETTINGS,
  type Setting,
} from './input/settings.ts';
import type { Output } from './output/io.ts';
import { writeOutput } from './output/output-file.ts';

const FORCE = { flag: '--force', meaning: 'overwrite an existing file' };

/** Settings that `init` fills in, as YAML values by name. */
export type Answers = Readonly<Record<string, string>>;

/** A value as YAML; an address and an id need no quotes. */
function yamlText(value: unknown): string {
  if (value instanceof URL) return yamlText(baseAddress(value));
  if (Array.isArray(value)) return `[${value.map((each) => JSON.stringify(each)).join(', ')}]`;
  return typeof value === 'string' && /^(https?:[\w/.:-]+|-?\d+|[a-z][\w./-]*)$/i.test(value)
    ? value
    : JSON.stringify(value);
}

function settingText(name: string, setting: Setting, given: string | undefined): string {
  const { needed, example, default: fallback } = setting;
  const comment = wrap(descriptionOf(setting), 100, '# ');
  if (given !== undefined) return `${comment}\n${name}: ${given}`;
  return `${comment}\n# ${name}: ${yamlText(example ?? fallback)}${needed ? '   # FILL IN' : ''}`;
}

/**
 * The text of a configuration file: every setting with what it is. A setting without a value stands there as a comment, so
 * that the file is valid as it is.
 */
export function configurationText(given: Answers): string {
  const isMissing = Object.entries(SETTINGS).some(([name, { needed }]) => needed && given[name] === undefined);
  const fillIn = 'Some checks need the settings marked FILL IN: remove the leading # and write your value.';
  const groups = settingsByGroup().map(([title, settings]) => {
    const texts = settings.map(([name, setting]) => settingText(name, setting, given[name]));
    return [`# --- ${title}`, ...texts].join('\n\n');
  });
  return `# Configuration of admin-api-conformance. Flags override environment variables; both override this file.
# Completion in an editor ("schema config" prints the schema):
# yaml-language-server: $schema=./node_modules/admin-api-conformance/dist/cli/config.schema.json
${isMissing ? `#\n# ${fillIn}\n` : ''}
${groups.join('\n\n')}
`;
}

function questionOf({ meaning, example }: Setting): string {
  const such = Array.isArray(example) ? example.map((each) => JSON.stringify(each)).join(',') : String(example);
  return `${capitalized(meaning)}, such as ${such}: `;
}

/**
 * Asks on the terminal for what is needed and not given. An empty answer leaves it out; one that cannot be right is asked for again.
 *
 * @returns undefined if the input ended before the last answer
 */
async function askForAnswers(given: Answers, err: Output): Promise<Answers | undefined> {
  const answers: Record<string, string> = { ...given };
  const { ask, close } = askOnTerminal();
  err.write('An empty answer skips a question; Ctrl-C writes nothing.\n');
  try {
    for (const [name, setting] of Object.entries(SETTINGS).filter(([, { needed }]) => needed)) {
      while (answers[name] === undefined) {
        const answer = await ask(questionOf(setting));
        if (answer === undefined) return undefined;
        if (answer.trim() === '') break;
        try {
          answers[name] = yamlText(setting.kind.parse(answer.trim(), 'This'));
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          err.write(`${error.message.replace(/^This: /, '')}\n`);
        }
      }
    }
    return answers;
  } finally {
    close();
  }
}

function sortPositionals(positionals: readonly string[]): { address: readonly string[]; file: string } {
  const isAddress = (text: string): boolean => /^https?:/i.test(text);
  const address = positionals.filter(isAddress);
  const [file = DEFAULT_CONFIGURATION, anotherFile] = positionals.filter((text) => !isAddress(text));
  const superfluous = address[1] ?? anotherFile;
  if (superfluous !== undefined) throw new UsageError(`${JSON.stringify(superfluous)} is one argument too many.`);
  if (/\.json$/i.test(file))
    throw new UsageError(`init ${file}: the file has comments, so it is YAML; name a .yaml file.`);
  if (/\.ya?ml$/i.test(file)) return { address, file };
  throw new UsageError(
    `init: ${JSON.stringify(file)} is neither an address, such as http://localhost:4242, nor a file that ends in .yaml.`,
  );
}

/** The settings that the arguments and the environment give, without keys. */
function givenAnswers(parsed: ParsedArguments, environment: Environment, file: string): Answers {
  const withoutKeys = TARGET_SETTINGS.filter(({ kind }) => kind !== keyFile);
  const target: Readonly<Record<string, unknown>> = {
    ...parseTarget(parsed, environment, undefined, withoutKeys),
    baseUrl: givenBaseUrl(parsed, environment),
  };
  const answers = Object.entries(SETTINGS).flatMap(([name, setting]) => {
    const path = parsed.values[optionName(setting)];
    if (setting.kind === keyFile && typeof path === 'string')
      return [[name, yamlText(isAbsolute(path) ? path : relative(dirname(file), path))]];
    const value = target[setting.input ?? ''];
    return value === undefined || value === setting.default ? [] : [[name, yamlText(value)]];
  });
  return Object.fromEntries(answers) as Answers;
}

/** `init`: writes a commented configuration file. */
export const command = commandOf({
  usage: 'init',
  summary: 'write a commented configuration file',
  calls: ['init [BASE_URL] [FILE] [options]'],
  about: `Writes a commented configuration file (${DEFAULT_CONFIGURATION}) for run, plan and
restore. It contains BASE_URL and the options of "run" that describe the target;
on a terminal, init asks for what is missing. Keys are never written.`,
  options: [...TARGET_SETTINGS, FORCE],
  optionsHelp: optionHelp([{ flag: '--user-id, --role-ids, …', meaning: 'as for run' }, FORCE]),
  exitCodes: '0 written, 2 usage, 130 interrupted.',
  positionals: [0, 2],
  run: async (parsed, { out, err, environment }) => {
    const { address, file } = sortPositionals(parsed.positionals);
    if (existsSync(file) && parsed.values.force !== true)
      throw new UsageError(`init: ${file} already exists; --force overwrites it.`);
    const given = givenAnswers({ ...parsed, positionals: address }, environment, file);
    const answers = canAsk(err) ? await askForAnswers(given, err) : given;
    if (!answers) {
      err.write('\nstopped; nothing was written\n');
      return EXIT_CODES.interrupted;
    }
    writeOutput(`init ${file}`, file, configurationText(answers));
    const flag = file === DEFAULT_CONFIGURATION ? '' : ` --config ${file}`;
    out.write(`Wrote ${file}. Next:
  1. Fill in what is missing, and set CONFORMANCE_ADMIN_KEY and CONFORMANCE_RESTRICTED_KEY.
  2. admin-api-conformance plan${flag}   shows every request, without sending any
  3. admin-api-conformance run${flag}
`);
    return 0;
  },
});
