import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { z } from 'zod';
import { isRecord } from '../common/json.ts';
import { hint, nearest } from '../common/nearest.ts';
import { type Environment, type ParsedArguments, readGivenFile, UsageError } from '../common/process/args.ts';
import { placeOf } from '../common/process/output-file.ts';
import { escapeInvisible } from '../common/text.ts';
import { parseYaml, type YamlFile } from '../common/yaml.ts';
import type { CommandIo } from './command.ts';
import { DEFAULT_EMAIL_DOMAIN, type Inputs, inputShape, inputsProblem, variableOf } from '../conformance/inputs.ts';
import {
  DEFAULT_CONFIGURATION,
  FILE_SETTINGS,
  optionName,
  REPORT_FORMATS,
  schemaOf,
  SETTING_NAMES,
  type SettingName,
  TARGET_SETTINGS,
  type Values,
  wayOf,
} from './settings.ts';

/** The keys, by the settings that name a file with one. */
const KEYS = new Map<string, keyof Inputs>([
  ['adminKeyFile', 'adminKey'],
  ['restrictedKeyFile', 'restrictedKey'],
]);

/** What a setting gives: the key, if it names a file with one. */
const gives = (name: string): string => KEYS.get(name) ?? name;

/** What one place says: the command line, the environment, or an object of a file. */
export interface Layer {
  /** By the names of the settings, as a file has them. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Where a setting was given, for messages: the flag, the variable, or the place in the file. */
  readonly at: (path: readonly PropertyKey[]) => string;
  /** What relative paths are relative to. */
  readonly folder?: string;
  /** Whether it has keys in place of the files that hold them. */
  readonly hasKeys?: true;
}

const wayIn = ([name]: readonly PropertyKey[]) => wayOf(String(name) as SettingName);
const includes = (names: readonly string[], name: string): boolean => names.includes(name);

/** The members whose names satisfy a condition. */
function picked(data: Layer['data'], isWanted: (name: string) => boolean): Layer['data'] {
  return Object.fromEntries(Object.entries(data).filter(([name]) => isWanted(name)));
}

/** What the command line says. */
export function flagLayer({ values }: ParsedArguments, names: readonly SettingName[], address?: string): Layer {
  const given = names.flatMap((name) => {
    const { flag, fromTexts } = wayOf(name);
    const value = name === 'baseUrl' ? address : values[optionName(flag)];
    if (value === undefined) return [];
    return [[name, fromTexts ? fromTexts([value].flat().map(String), `--${optionName(flag)}`) : value] as const];
  });
  return { data: Object.fromEntries(given), at: (path) => wayIn(path).flag.replace(/[ ,=[].*/, '') };
}

const withoutNewline = (text: string): string => text.replace(/\r?\n$/, '');

/** What the environment says; an empty variable says nothing. A variable of a key has the key itself. */
export function environmentLayer(environment: Environment, names: readonly SettingName[]): Layer {
  const given = names.flatMap((name) => {
    const { variable = '', fromTexts } = wayOf(name);
    const text = environment[variable] ?? '';
    if (text === '') return [];
    const key = KEYS.get(name);
    return [key === undefined ? [name, fromTexts?.([text], variable) ?? text] : [key, withoutNewline(text)]];
  });
  const at: Layer['at'] = ([name]) => variableOf(String(name) as keyof Inputs);
  return { data: Object.fromEntries(given) as Layer['data'], at, hasKeys: true };
}

/**
 * What an object of a file says.
 *
 * @param path to the object
 * @throws UsageError if it is something else
 */
export function fileLayer(file: string, { at }: YamlFile, value: unknown, path: readonly PropertyKey[] = []): Layer {
  if (!isRecord(value))
    throw new UsageError(
      `${at(path)}: here must be an object of settings, such as "userId: 4"; this is ${JSON.stringify(value)}.`,
    );
  return { data: value, at: (own) => `${at([...path, ...own])}: ${own.join('/')}`, folder: dirname(file) };
}

/** A line for each mistake in a layer. */
function mistakesIn({ issues }: z.ZodError, { at }: Layer): string[] {
  return issues.flatMap((issue) => {
    const { path, message } = issue;
    if (issue.code !== 'unrecognized_keys') return [`${at(path)}: ${message}`];
    const [what, known] = path.length === 0 ? (['setting', FILE_SETTINGS] as const) : ['report', REPORT_FORMATS];
    return issue.keys.map((key) => `${at([...path, key])}: there is no such ${what}.${hint(key, known)}`);
  });
}

/** A value with its paths relative to the working directory. */
function moved(value: unknown, folder: string): unknown {
  if (typeof value === 'string') return isAbsolute(value) ? value : join(folder, value);
  return (value as [string, string][]).map(([format, path]) => [format, moved(path, folder)]);
}

/** The values that a layer gives of these settings, and what is wrong in it. */
function readLayer(layer: Layer, names: readonly SettingName[]) {
  const { data, folder, hasKeys } = layer;
  const schema = schemaOf(folder === undefined ? names : names.filter((name) => !wayOf(name).flagOnly));
  const { adminKey, restrictedKey } = inputShape;
  const read = (hasKeys ? schema.extend({ adminKey, restrictedKey }).partial() : schema).safeParse(data);
  if (read.error) return { values: {}, mistakes: mistakesIn(read.error, layer) };
  const values = Object.entries(read.data).map(([name, value]) => {
    const isPath = folder !== undefined && name !== '$schema' && wayIn([name]).isPath;
    return [name, isPath ? moved(value, folder) : value] as const;
  });
  return { values: Object.fromEntries(values), mistakes: [] };
}

/** The key in a file. @throws UsageError if it cannot be read, or cannot be sent */
function readKey(where: string, path: string): string {
  const key = withoutNewline(readGivenFile(where, path));
  const { error } = inputShape.adminKey.safeParse(key);
  if (error) throw new UsageError(`${where} ${path}: ${error.issues[0]?.message ?? ''}`);
  return key;
}

/** The settings of a command, and where each was given. */
export interface Settings {
  readonly values: Values;
  /** Where a setting was given, for messages. */
  readonly at: (name: SettingName) => string;
}

/**
 * The values of settings from several layers; the first layer that gives a setting counts.
 *
 * @throws UsageError with a line for each mistake
 */
export function mergeLayers(layers: readonly Layer[], names: readonly SettingName[]): Settings {
  const givenBy = new Map<string, Layer>();
  let values: Readonly<Record<string, unknown>> = {};
  const mistakes: string[] = [];
  for (const layer of layers) {
    const data = picked(layer.data, (name) => !givenBy.has(gives(name)));
    const read = readLayer({ ...layer, data }, names);
    values = { ...read.values, ...values };
    mistakes.push(...read.mistakes);
    for (const name of Object.keys(data)) givenBy.set(gives(name), layer);
  }
  const at = (name: SettingName): string => givenBy.get(gives(name))?.at([name]) ?? '';
  for (const [file, key] of KEYS) {
    const path = values[file];
    if (typeof path !== 'string') continue;
    try {
      values = { ...values, [key]: readKey(at(file as SettingName), path) };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      mistakes.push(...error.lines);
    }
  }
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return { values, at };
}

/** The files that a layer names outside the working directory, also through links. */
function filesOutside({ data, folder = '' }: Layer): string[] {
  const home = placeOf('.');
  return Object.entries(data).flatMap(([name, value]) => {
    if (!includes(SETTING_NAMES, name) || wayIn([name]).isPath !== true) return [];
    const paths = (isRecord(value) ? Object.values(value) : [value]).filter((path) => typeof path === 'string');
    const outside = paths.filter((path) => {
      const way = relative(home, placeOf(join(isAbsolute(path) ? '' : folder, path)));
      return isAbsolute(way) || way.split(/[/\\]/)[0] === '..';
    });
    return outside.map((path) => `${name} ${escapeInvisible(path)}`);
  });
}

const PREFIX = 'CONFORMANCE_';

/** A line for each variable whose name is almost one that the suite reads. No value is shown: it may be a key. */
function misspeltVariables(environment: Environment): string[] {
  const own = [...TARGET_SETTINGS, 'config' as const].map((name) => wayOf(name).variable?.slice(PREFIX.length) ?? '');
  const given = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && environment[name] !== '');
  return given.flatMap((name) => {
    const rest = name.slice(PREFIX.length);
    const meant = own.includes(rest) ? undefined : nearest(rest, own);
    return meant === undefined
      ? []
      : [`${escapeInvisible(name)} is set, but not read. Did you mean ${PREFIX}${meant}?`];
  });
}

/**
 * The settings of a command: from its flags, else from the environment, else from the configuration file. That is the file of
 * `--config`, else of `CONFORMANCE_CONFIG`, else `conformance.yaml` in the working directory, if it exists; with `--reference`
 * it has to be named, and what it says of the target is ignored.
 *
 * @param address the base URL, if it is an argument
 * @throws UsageError if a file cannot be read, or with a line for each mistake
 */
export async function readSettings(
  names: readonly SettingName[],
  parsed: ParsedArguments,
  { environment, err }: CommandIo,
  address?: string,
): Promise<Settings> {
  const { config, quiet, reference } = parsed.values;
  for (const line of misspeltVariables(environment)) err.write(`${line}\n`);
  const isWanted = (name: string): boolean => reference !== true || !includes(TARGET_SETTINGS, name);
  const layers = [flagLayer(parsed, names, address), environmentLayer(environment, names.filter(isWanted))];
  const isFlag = typeof config === 'string';
  const named = isFlag ? config : (environment[wayOf('config').variable ?? ''] ?? '');
  const isNamed = isFlag || named !== '';
  if (!isNamed && (reference === true || !existsSync(DEFAULT_CONFIGURATION))) return mergeLayers(layers, names);
  const file = isNamed ? named : DEFAULT_CONFIGURATION;
  const where = isNamed ? (isFlag ? '--config' : wayOf('config').variable) : '';
  const yaml = await parseYaml(file, readGivenFile(where ?? '', file));
  const whole = fileLayer(file, yaml, yaml.data ?? {});
  const given = layers.flatMap(({ data }) => Object.keys(data).map(gives));
  const isOverridden = (name: string): boolean => given.includes(gives(name));
  // Settings of other commands are not looked at.
  const isOfOther = (name: string): boolean => includes(FILE_SETTINGS, name) && !includes(names, name);
  const isLookedAt = (name: string): boolean => isWanted(name) && !isOverridden(name) && !isOfOther(name);
  const layer = { ...whole, data: picked(whole.data, isLookedAt) };
  // Somebody else may have put the file there, so it must not make the suite read or write files elsewhere.
  const outside = isNamed ? [] : filesOutside(layer);
  if (outside.length > 0)
    throw new UsageError(
      `${file} names files outside its folder: ${outside.join(', ')}. If that is right, add --config ${file}.`,
    );
  const settings = mergeLayers([...layers, layer], names);
  const { baseUrl } = settings.values;
  if (!isNamed && quiet !== true)
    err.write(`using settings from ${file}${baseUrl ? `; target ${baseUrl.origin}` : ''}\n`);
  return settings;
}

/**
 * What the operator says of the target.
 *
 * @throws UsageError if the values do not fit each other
 */
export function inputsOf(values: Values): Partial<Inputs> & Pick<Inputs, 'emailDomain'> {
  const given = Object.keys(inputShape)
    .map((name) => [name, values[name as keyof Inputs]] as const)
    .filter(([, value]) => value !== undefined);
  const inputs = { emailDomain: DEFAULT_EMAIL_DOMAIN, ...(Object.fromEntries(given) as Partial<Inputs>) };
  const problem = inputsProblem(inputs);
  if (problem !== undefined) throw new UsageError(problem);
  return inputs;
}
