import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { isRecord } from '../common/json.ts';
import { hint, nearest } from '../common/nearest.ts';
import { type Environment, UsageError } from '../common/process/args.ts';
import { placeOf, readGivenFile } from '../common/process/files.ts';
import { escapeInvisible } from '../common/text.ts';
import { parseYaml, type YamlFile } from '../common/yaml.ts';
import { DEFAULT_EMAIL_DOMAIN, type Inputs, inputShape, inputsProblem } from '../conformance/inputs.ts';
import type { CommandIo } from './command.ts';
import { type Given, MOST_TOLD, type Option, valuesOf } from './option.ts';
import {
  DEFAULT_CONFIGURATION,
  FILE_SETTINGS,
  SETTING_NAMES,
  type SettingName,
  settings,
  TARGET_SETTINGS,
  type Values,
} from './settings.ts';

/** Settings by their names, as they were given. */
export type GivenSettings = Readonly<Record<string, Given>>;

/** What the environment says; an empty variable says nothing. */
export function givenByVariables(environment: Environment, names: readonly SettingName[]): GivenSettings {
  const given = names.flatMap((name) => {
    const { variable = '', fromTexts, schema, variableSchema = schema }: Option = settings[name];
    const text = environment[variable] ?? '';
    if (text === '') return [];
    const value = fromTexts ? fromTexts([text], variable) : text;
    return [[name, { value, schema: variableSchema, at: () => variable }] as const];
  });
  return Object.fromEntries(given);
}

/** A value with its paths, which are relative to a folder, relative to the working directory. */
function moved(value: unknown, folder: string): unknown {
  if (typeof value === 'string') return isAbsolute(value) ? value : join(folder, value);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, path]) => [name, moved(path, folder)]));
}

/**
 * What an object of a file says.
 *
 * @param known the settings that it may have
 * @param path to the object
 * @throws UsageError if it is no object, or has other settings
 */
export function givenByFile(
  file: string,
  { at }: YamlFile,
  object: unknown,
  known: readonly SettingName[],
  path: readonly PropertyKey[] = [],
): GivenSettings {
  if (!isRecord(object))
    throw new UsageError(
      `${at(path)}: here must be an object of settings, such as "userId: 4"; this is ${JSON.stringify(object)}.`,
    );
  const placeOfPart = (part: readonly PropertyKey[]): string => `${at([...path, ...part])}: ${part.join('/')}`;
  const unknown = Object.keys(object).filter((name) => name !== '$schema' && !known.some((each) => each === name));
  if (unknown.length > 0)
    throw new UsageError(
      ...unknown
        .slice(0, MOST_TOLD)
        .map((name) => `${placeOfPart([name])}: there is no such setting.${hint(name, known)}`),
    );
  const given = known
    .filter((name) => Object.hasOwn(object, name))
    .map((name) => {
      const { schema, isPath }: Option = settings[name];
      const value = isPath ? moved(object[name], dirname(file)) : object[name];
      return [name, { value, schema, at: (part: readonly PropertyKey[]) => placeOfPart([name, ...part]) }] as const;
    });
  return Object.fromEntries(given);
}

/** The settings of a command. */
export interface Settings {
  readonly values: Values;
  /** Where a setting was given, for messages. */
  readonly at: (name: SettingName) => string;
}

/** The values of settings. @throws UsageError with a line for each mistake */
export function settingsFrom(given: GivenSettings): Settings {
  return { values: valuesOf(given), at: (name) => given[name]?.at([]) ?? '' };
}

/** The files outside the working directory, also through links, that are named by settings. */
function filesOutside(given: GivenSettings): string[] {
  const home = placeOf('.');
  return Object.entries(given).flatMap(([name, { value }]) => {
    if (settings[name as SettingName].isPath !== true) return [];
    const paths = (isRecord(value) ? Object.values(value) : [value]).filter((path) => typeof path === 'string');
    const outside = paths.filter((path) => {
      const way = relative(home, placeOf(path));
      return isAbsolute(way) || way.split(/[/\\]/)[0] === '..';
    });
    return outside.map((path) => `${name} ${escapeInvisible(path)}`);
  });
}

const PREFIX = 'CONFORMANCE_';

/** A line for each variable whose name is almost one that the suite reads. No value is shown: it may be a key. */
function misspeltVariables(environment: Environment): string[] {
  const read = SETTING_NAMES.flatMap((name) => settings[name].variable?.slice(PREFIX.length) ?? []);
  const given = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && environment[name] !== '');
  return given.flatMap((name) => {
    const rest = name.slice(PREFIX.length);
    const meant = read.includes(rest) ? undefined : nearest(rest, read);
    if (meant === undefined) return [];
    return [`${escapeInvisible(name)} is set, but not read. Did you mean ${PREFIX}${meant}?`];
  });
}

/**
 * The settings of a command: from its flags, else from the environment, else from the configuration file. That is the file of
 * `--config`, else of `CONFORMANCE_CONFIG`, else `conformance.yaml` in the working directory, if it exists; with `--reference`
 * it has to be named, and what it says of the target is ignored.
 *
 * @throws UsageError if a file cannot be read, or with a line for each mistake
 */
export async function readSettings(
  names: readonly SettingName[],
  flags: GivenSettings,
  { environment, err }: CommandIo,
): Promise<Settings> {
  for (const line of misspeltVariables(environment)) err.write(`${line}\n`);
  const isReference = flags.reference !== undefined;
  const wanted = isReference ? names.filter((name) => !TARGET_SETTINGS.includes(name)) : names;
  const given = { ...givenByVariables(environment, wanted), ...flags };
  const where = given.config?.at([]);
  const file = typeof given.config?.value === 'string' ? given.config.value : DEFAULT_CONFIGURATION;
  if (where === undefined && (isReference || !existsSync(file))) return settingsFrom(given);
  const yaml = await parseYaml(file, readGivenFile(where ?? '', file));
  const whole = givenByFile(file, yaml, yaml.data ?? {}, FILE_SETTINGS);
  const inFile = Object.fromEntries(
    Object.entries(whole).filter(([name]) => !given[name] && wanted.some((each) => each === name)),
  );
  // Somebody else may have put the file there, so it must not make the suite read or write files elsewhere.
  const outside = where === undefined ? filesOutside(inFile) : [];
  if (outside.length > 0)
    throw new UsageError(
      `${file} names files outside its folder: ${outside.join(', ')}. If that is right, add --config ${file}.`,
    );
  const found = settingsFrom({ ...inFile, ...given });
  const { baseUrl, quiet } = found.values;
  if (where === undefined && !quiet)
    err.write(`using settings from ${file}${baseUrl ? `; target ${baseUrl.origin}` : ''}\n`);
  return found;
}

/**
 * What the operator says of the target.
 *
 * @param where the values were given, for messages; may be empty
 * @throws UsageError if the values do not fit each other
 */
export function inputsOf(values: Values, where = ''): Partial<Inputs> & Pick<Inputs, 'emailDomain'> {
  const { adminKeyFile: adminKey, restrictedKeyFile: restrictedKey, ...others } = values;
  const all = { emailDomain: DEFAULT_EMAIL_DOMAIN, adminKey, restrictedKey, ...others };
  const names = Object.keys(inputShape) as (keyof Inputs)[];
  const given = names.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]);
  const inputs = Object.fromEntries(given) as ReturnType<typeof inputsOf>;
  const problem = inputsProblem(inputs);
  if (problem !== undefined) throw new UsageError(where + problem);
  return inputs;
}
