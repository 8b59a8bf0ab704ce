import { existsSync } from 'node:fs';
import { dirname, join, isAbsolute } from 'node:path';
import { LEVELS } from '../../contract/document.ts';
import { REPORT_FORMATS } from '../../conformance/report/formats.ts';
import { hint } from '../../common/nearest.ts';
import { parseData, plainValue, type Located, type LocatedMember } from './data-file.ts';
import {
  MOST,
  parseBaseUrl,
  parseDomain,
  parseId,
  parseJsonList,
  readGivenFile,
  type Environment,
  type Given,
} from './target-options.ts';
import {
  nameOf,
  oneOf,
  UsageError,
  wholeNumber,
  type OptionDefinitions,
  type ParsedArguments,
} from '../../common/args.ts';

/** The file that is used without being named. */
export const DEFAULT_CONFIGURATION = 'conformance.yaml';

/** Shared by the commands that read a configuration file. */
export const CONFIG_OPTION = { config: { type: 'string' } } as const satisfies OptionDefinitions;

/** The part of `--help` on the configuration file. */
export const CONFIG_HELP = `Configuration file:
  --config FILE               CONFORMANCE_CONFIG
                              YAML or JSON, with the settings above. Without it
                              ${DEFAULT_CONFIGURATION} is read where there is one.
                              Flags go before the environment, both before it`;

/** The formats of `--format`. */
export const STDOUT_FORMATS = ['pretty', 'json'] as const;

/** The most random sequences that a run explores. */
export const MOST_SEQUENCES = 10_000;

/** The value of a member as the texts that its option would have been given. */
type Reader = (value: Located, name: string) => string | string[];

interface Setting {
  /** The option of the command line that says the same; `base-url` stands for the argument. */
  readonly option: string;
  /** The environment variable that goes before it. */
  readonly variable?: string;
  /** @throws UsageError that begins with the name */
  readonly read: Reader;
  /** Whether relative paths in it are relative to the file. */
  readonly isPath?: true;
}

function shown(value: Located): string {
  if (value.kind !== 'scalar') return value.kind === 'list' ? 'a list' : 'an object';
  return typeof value.value === 'string' ? `the text ${JSON.stringify(value.value)}` : value.text;
}

function refuse(value: Located, name: string, wanted: string): never {
  const nothing = value.kind === 'scalar' && value.value === null;
  throw new UsageError(
    nothing
      ? `${name}: nothing is given here. Give ${wanted}, or take the line out.`
      : `${name}: this must be ${wanted}; it is ${shown(value)}.`,
  );
}

function textOf(value: Located, name: string, wanted: string): string {
  return value.kind === 'scalar' && typeof value.value === 'string' && value.value.trim() !== ''
    ? value.value
    : refuse(value, name, wanted);
}

const address: Reader = (value, name) => {
  const text = textOf(value, name, 'an address such as http://localhost:4242');
  parseBaseUrl(name, text);
  return text;
};

const id: Reader = (value, name) => {
  const isId = value.kind === 'scalar' && (typeof value.value === 'number' || typeof value.value === 'string');
  return isId ? parseId({ name, text: value.text }) : refuse(value, name, 'an integer such as 4');
};

function values(least: number, example: string): Reader {
  return (value, name) => {
    if (value.kind !== 'list') return refuse(value, name, `a list such as ${example}`);
    const text = value.items.map((item) => JSON.stringify(plainValue(item))).join(',');
    parseJsonList({ name, text }, least);
    return text;
  };
}

const domain: Reader = (value, name) =>
  parseDomain({ name, text: textOf(value, name, 'a domain such as example.com') });

const path: Reader = (value, name) => textOf(value, name, 'the path of a file');

const names: Reader = (value, name) => {
  if (value.kind !== 'list') return refuse(value, name, 'a list such as [users]');
  return value.items.map((item, index) => {
    const entry = textOf(item, `${name}/${index}`, 'an id or glob of a check, requirement or area');
    return entry.includes(',') ? refuse(item, `${name}/${index}`, 'one id or glob, without a comma') : entry;
  });
};

function word(words: readonly string[]): Reader {
  return (value, name) => oneOf(name, textOf(value, name, `one of ${words.join(', ')}`), words);
}

function number(least: number, most: number): Reader {
  return (value, name) => {
    const isNumber = value.kind === 'scalar' && typeof value.value === 'number';
    if (!isNumber) return refuse(value, name, `a whole number from ${least} to ${most}`);
    return String(wholeNumber(name, value.text, least, most));
  };
}

const reports: Reader = (value, name) => {
  if (value.kind !== 'object')
    return refuse(value, name, 'an object of formats and paths, such as { json: result.json }');
  return value.members.map(({ name: format, value: file }) => {
    const member = `${name}/${format}`;
    return `${oneOf(member, format, REPORT_FORMATS)}=${textOf(file, member, 'the path of a file')}`;
  });
};

/** What a configuration file may say: every option of `run` but those that are meant for one run alone. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  baseUrl: { option: 'base-url', variable: 'CONFORMANCE_BASE_URL', read: address },
  adminKeyFile: { option: 'admin-key-file', variable: 'CONFORMANCE_ADMIN_KEY', read: path, isPath: true },
  restrictedKeyFile: {
    option: 'restricted-key-file',
    variable: 'CONFORMANCE_RESTRICTED_KEY',
    read: path,
    isPath: true,
  },
  userId: { option: 'user-id', variable: 'CONFORMANCE_USER_ID', read: id },
  otherUserId: { option: 'other-user-id', variable: 'CONFORMANCE_OTHER_USER_ID', read: id },
  missingUserId: { option: 'missing-user-id', variable: 'CONFORMANCE_MISSING_USER_ID', read: id },
  roleIds: { option: 'role-ids', variable: 'CONFORMANCE_ROLE_IDS', read: values(2, '[1, 2]') },
  bannerIds: { option: 'banner-ids', variable: 'CONFORMANCE_BANNER_IDS', read: values(1, '[1, 2, 3]') },
  emailDomain: { option: 'email-domain', variable: 'CONFORMANCE_EMAIL_DOMAIN', read: domain },
  only: { option: 'only', read: names },
  skip: { option: 'skip', read: names },
  failOn: { option: 'fail-on', read: word(LEVELS) },
  baseline: { option: 'baseline', read: path, isPath: true },
  explore: { option: 'explore', read: number(1, MOST_SEQUENCES) },
  format: { option: 'format', read: word(STDOUT_FORMATS) },
  reports: { option: 'report', read: reports, isPath: true },
  journal: { option: 'journal', read: path, isPath: true },
  timeout: { option: 'timeout', read: number(1, MOST.timeout) },
  deadline: { option: 'deadline', read: number(1, MOST.deadline) },
  maxBody: { option: 'max-body', read: number(1, MOST['max-body']) },
  concurrency: { option: 'concurrency', read: number(1, MOST.concurrency) },
};

/** The options that say what the target is; `--reference` brings its own. */
const OF_THE_TARGET = Object.values(SETTINGS).flatMap(({ option, variable }) =>
  variable === undefined ? [] : [option],
);

/** What a configuration file says under one name. */
interface Said {
  /** The place, for messages. */
  readonly name: string;
  readonly given: string | string[];
}

/** What a configuration file says, by option. */
export type Configuration = ReadonlyMap<string, Said>;

function spelling(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/^conformance/, '');
}

const KEYS: Readonly<Record<string, string>> = {
  adminkey: 'set CONFORMANCE_ADMIN_KEY, or name a file with adminKeyFile',
  restrictedkey: 'set CONFORMANCE_RESTRICTED_KEY, or name a file with restrictedKeyFile',
};

function unknownSetting({ at, name }: LocatedMember): UsageError {
  const key = KEYS[spelling(name)];
  if (key !== undefined) return new UsageError(`${at}: ${name}: a key has no place in a configuration file; ${key}.`);
  const known = Object.keys(SETTINGS);
  const same = known.find(
    (each) => spelling(each) === spelling(name) || spelling(SETTINGS[each]?.option ?? '') === spelling(name),
  );
  const near = same === undefined ? hint(name, known) : ` Did you mean ${same}?`;
  return new UsageError(`${at}: ${name}: there is no such setting.${near}`);
}

function fromFolder(folder: string, text: string): string {
  return isAbsolute(text) ? text : join(folder, text);
}

function readSetting(setting: Setting, { at, name, value }: LocatedMember, folder: string): Said {
  const called = `${at}: ${name}`;
  const given = setting.read(value, called);
  if (!setting.isPath) return { name: called, given };
  const moved = (text: string): string => {
    const [, format = '', file = text] = setting.option === 'report' ? (/^(\w+=)(.*)$/s.exec(text) ?? []) : [];
    return format + fromFolder(folder, file);
  };
  return { name: called, given: Array.isArray(given) ? given.map(moved) : moved(given) };
}

/**
 * Reads a configuration file, YAML or JSON.
 *
 * @param file its path; relative paths in it are relative to its folder
 * @throws UsageError with a line for each mistake
 */
export async function parseConfiguration(file: string, text: string): Promise<Configuration> {
  const root = await parseData(file, text);
  if (root.kind === 'scalar' && root.value === null) return new Map();
  if (root.kind !== 'object') {
    throw new UsageError(
      `${root.at}: a configuration is an object of settings, such as "userId: 4"; this is ${shown(root)}.`,
    );
  }
  const settings = new Map<string, Said>();
  const mistakes: string[] = [];
  for (const member of root.members) {
    if (member.name === '$schema') continue;
    const setting = Object.hasOwn(SETTINGS, member.name) ? SETTINGS[member.name] : undefined;
    try {
      if (!setting) throw unknownSetting(member);
      settings.set(setting.option, readSetting(setting, member, dirname(file)));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      mistakes.push(...error.lines);
    }
  }
  if (mistakes.length > 0) throw new UsageError(...mistakes);
  return settings;
}

/** What a command has to do with the configuration file. */
export interface ConfigurationUse {
  /** The options that the command knows. */
  readonly options: OptionDefinitions;
  readonly environment: Environment;
  /** Where it is said that a file is used that nobody named. */
  readonly err: { readonly write: (text: string) => unknown };
  /** Judges the embedded server, so the file says nothing of the target, and is read only if it is named. */
  readonly reference?: boolean;
}

/**
 * The arguments of a command, with those of the configuration file for what neither a flag nor the environment says. The file
 * is that of `--config`, else of `CONFORMANCE_CONFIG`, else `conformance.yaml` in the working directory, if it is there.
 *
 * @throws UsageError if it cannot be read, or with a line for each mistake in it
 */
export async function withConfiguration(
  parsed: ParsedArguments,
  { options, environment, err, reference = false }: ConfigurationUse,
): Promise<ParsedArguments> {
  const flag = parsed.values.config;
  const variable = environment.CONFORMANCE_CONFIG;
  const named: Given | undefined =
    typeof flag === 'string'
      ? { name: '--config', text: flag }
      : variable === undefined || variable === ''
        ? undefined
        : { name: 'CONFORMANCE_CONFIG', text: variable };
  if (!named && (reference || !existsSync(DEFAULT_CONFIGURATION))) return parsed;
  const file = named?.text ?? DEFAULT_CONFIGURATION;
  const configuration = await parseConfiguration(file, readGivenFile(named?.name ?? '', file));

  const values: Record<string, ParsedArguments['values'][string]> = { ...parsed.values };
  const names: Record<string, string> = {};
  for (const { option, variable: before } of Object.values(SETTINGS)) {
    const setting = configuration.get(option);
    const isKnown = option === 'base-url' ? parsed.positionals.length === 0 : Object.hasOwn(options, option);
    const inEnvironment = before !== undefined && (environment[before] ?? '') !== '';
    const isLeftOut = reference && OF_THE_TARGET.includes(option);
    if (!setting || !isKnown || inEnvironment || isLeftOut || values[option] !== undefined) continue;
    values[option] = setting.given;
    names[option] = setting.name;
  }
  if (!named && values.quiet !== true) {
    const target = values['base-url'];
    err.write(`settings from ${file}${typeof target === 'string' ? `; the target is ${target}` : ''}\n`);
  }
  return { ...parsed, values, names };
}

/** The address that was given, by argument, environment or configuration file. */
export function givenBaseUrl(parsed: ParsedArguments, environment: Environment): URL | undefined {
  const [argument] = parsed.positionals;
  if (argument !== undefined) return parseBaseUrl('BASE_URL', argument);
  const variable = environment.CONFORMANCE_BASE_URL;
  if (variable !== undefined && variable !== '') return parseBaseUrl('CONFORMANCE_BASE_URL', variable);
  const setting = parsed.values['base-url'];
  return typeof setting === 'string' ? parseBaseUrl(nameOf(parsed, 'base-url'), setting) : undefined;
}
