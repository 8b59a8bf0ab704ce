import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { escapeInvisible } from '../../common/text.ts';
import { hint, nearest } from '../../common/nearest.ts';
import { readGivenFile, UsageError, type Environment, type ParsedArguments } from '../../common/process/args.ts';
import { parseData, shown, type LocatedMember } from './data-file.ts';
import { keyFile } from './kinds.ts';
import { optionName, type Option } from './options.ts';
import { DEFAULT_CONFIGURATION, RUN_ONLY, SETTINGS, TARGET_SETTINGS, type Setting } from './settings.ts';

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

function unknownSetting({ at, name }: LocatedMember): UsageError {
  const named = Object.entries(SETTINGS);
  const isMeant = (text: string): boolean => spelling(text) === spelling(name);
  const key = named.find(([, { kind, input = '' }]) => kind === keyFile && isMeant(input));
  if (key !== undefined) {
    const [file, { variable = '' }] = key;
    const instead = `set ${variable}, or name a file with ${file}`;
    return new UsageError(`${at}: ${name}: keys do not belong in a configuration file; ${instead}.`);
  }
  const [same] = named.find(([each, setting]) => isMeant(each) || isMeant(optionName(setting))) ?? [];
  const near = same === undefined ? hint(name, Object.keys(SETTINGS)) : ` Did you mean ${same}?`;
  return new UsageError(`${at}: ${name}: unknown setting.${near}`);
}

function readSetting(setting: Setting, { at, name, value }: LocatedMember, folder: string): Said {
  const called = `${at}: ${name}`;
  const given = setting.kind.read(value, called);
  if (!setting.kind.isPath) return { name: called, given };
  const moved = (text: string): string => {
    const [, format = '', file = text] = setting.multiple ? (/^(\w+=)(.*)$/s.exec(text) ?? []) : [];
    return format + (isAbsolute(file) ? file : join(folder, file));
  };
  return { name: called, given: Array.isArray(given) ? given.map(moved) : moved(given) };
}

/**
 * Reads settings from the members of an object.
 *
 * @param folder relative paths are relative to it
 * @returns what they say, and a line for each mistake
 */
export function readSettings(
  members: readonly LocatedMember[],
  folder: string,
): { readonly settings: Configuration; readonly mistakes: readonly string[] } {
  const settings = new Map<string, Said>();
  const mistakes: string[] = [];
  for (const member of members) {
    const setting = Object.hasOwn(SETTINGS, member.name) ? SETTINGS[member.name] : undefined;
    try {
      if (!setting) throw unknownSetting(member);
      settings.set(optionName(setting), readSetting(setting, member, folder));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      mistakes.push(...error.lines);
    }
  }
  return { settings, mistakes };
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
  const members = root.members.filter(({ name }) => name !== '$schema');
  const { settings, mistakes } = readSettings(members, dirname(file));
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return settings;
}

/**
 * The files that a configuration in the working directory makes the command read or write elsewhere; somebody else may have put
 * it there.
 */
function filesOutside(names: Readonly<Record<string, string>>, values: ParsedArguments['values']): string[] {
  const settings = Object.entries(SETTINGS).filter(
    ([, setting]) => setting.kind.isPath && optionName(setting) in names,
  );
  return settings.flatMap(([name, setting]) => {
    const paths = [values[optionName(setting)] ?? []].flat().map(String);
    const files = setting.multiple ? paths.map((text) => text.replace(/^\w+=/, '')) : paths;
    const outside = files.filter((path) => relative('.', path).startsWith('..') || isAbsolute(relative('.', path)));
    return outside.map((path) => `${name} ${escapeInvisible(path)}`);
  });
}

const PREFIX = 'CONFORMANCE_';

/** A line for each variable that is named almost as one that the suite reads; a value is never shown, it may be a key. */
function misspeltVariables(environment: Environment): string[] {
  const own = [...TARGET_SETTINGS, RUN_ONLY.config].flatMap(({ variable = '' }) => variable.slice(PREFIX.length) || []);
  const given = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && environment[name] !== '');
  return given.flatMap((name) => {
    const rest = name.slice(PREFIX.length);
    const meant = own.includes(rest) ? undefined : nearest(rest, own);
    return meant === undefined
      ? []
      : [`${escapeInvisible(name)} is set, but not read. Did you mean ${PREFIX}${meant}?`];
  });
}

/** How a command uses the configuration file. */
export interface ConfigurationUse {
  /** The options that the command knows. */
  readonly options: readonly Option[];
  readonly environment: Environment;
  /** Takes a line if a file is used that nobody named, or if a variable seems misspelt. */
  readonly err: { readonly write: (text: string) => unknown };
  /** Whether the target is the embedded server: the file must then be named, and its settings of the target are ignored. */
  readonly reference?: boolean;
}

/**
 * The arguments of a command, completed from the configuration file where neither a flag nor the environment has a value. The
 * file is that of `--config`, else of `CONFORMANCE_CONFIG`, else `conformance.yaml` in the working directory, if it exists.
 *
 * @throws UsageError if it cannot be read, or with a line for each mistake in it
 */
export async function withConfiguration(
  parsed: ParsedArguments,
  { options, environment, err, reference = false }: ConfigurationUse,
): Promise<ParsedArguments> {
  for (const line of misspeltVariables(environment)) err.write(`${line}\n`);
  const { variable } = RUN_ONLY.config;
  const flag = parsed.values.config;
  const fromVariable = environment[variable] ?? '';
  const isFlag = typeof flag === 'string';
  const isNamed = isFlag || fromVariable !== '';
  if (!isNamed && (reference || !existsSync(DEFAULT_CONFIGURATION))) return parsed;
  const name = isFlag ? '--config' : isNamed ? variable : '';
  const file = isFlag ? flag : fromVariable || DEFAULT_CONFIGURATION;
  const configuration = await parseConfiguration(file, readGivenFile(name, file));

  const known = options.map(optionName);
  const values: Record<string, ParsedArguments['values'][string]> = { ...parsed.values };
  const names: Record<string, string> = {};
  for (const setting of Object.values(SETTINGS)) {
    const option = optionName(setting);
    const said = configuration.get(option);
    const isKnown = option === 'base-url' ? parsed.positionals.length === 0 : known.includes(option);
    const inEnvironment = setting.variable !== undefined && (environment[setting.variable] ?? '') !== '';
    const isLeftOut = reference && TARGET_SETTINGS.includes(setting);
    if (!said || !isKnown || inEnvironment || isLeftOut || values[option] !== undefined) continue;
    values[option] = said.given;
    names[option] = said.name;
  }
  if (!isNamed) {
    const target = values['base-url'];
    const where = typeof target === 'string' ? `; the target is ${new URL(target).origin}` : '';
    if (values.quiet !== true) err.write(`settings from ${file}${where}\n`);
    const outside = filesOutside(names, values);
    if (outside.length > 0) err.write(`${file} names files outside its folder: ${outside.join(', ')}\n`);
  }
  return { ...parsed, values, names };
}
