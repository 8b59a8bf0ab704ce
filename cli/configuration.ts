import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { z } from 'zod';
import { isRecord } from '../common/json.ts';
import { hint, nearest } from '../common/nearest.ts';
import { type Environment, type ParsedArguments, readGivenFile, UsageError } from '../common/process/args.ts';
import { placeOf as placeOfFile } from '../common/process/output-file.ts';
import { escapeInvisible } from '../common/text.ts';
import { parseYaml, type YamlFile } from '../common/yaml.ts';
import { DEFAULT_EMAIL_DOMAIN, type Inputs, inputShape, inputsProblem, variableOf } from '../conformance/inputs.ts';
import type { CommandIo } from './command.ts';
import { type Options, optionName, type ValuesOf, wayOf, withoutNewline } from './option.ts';
import {
  DEFAULT_CONFIGURATION,
  FILE_SETTINGS,
  REPORT_FORMATS,
  type SettingName,
  settings,
  settingsOf,
  TARGET_SETTINGS,
  type Values,
} from './settings.ts';

/** The keys, by the settings that name a file with one. */
const KEYS = new Map<string, 'adminKey' | 'restrictedKey'>([
  ['adminKeyFile', 'adminKey'],
  ['restrictedKeyFile', 'restrictedKey'],
]);

/** What an option gives: the key, if it names a file with one. */
const gives = (name: string): string => KEYS.get(name) ?? name;

/** A place where options are given: the command line, the environment, or an object of a file. */
export interface Source {
  /** What it gives, by the names of the options: for flags and variables, too, as a file would have it. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Where a setting was given, for messages: the flag, the variable, or the place in the file. */
  readonly at: (path: readonly PropertyKey[]) => string;
  /** What relative paths are relative to. */
  readonly folder?: string;
  /** What is wrong with it, whatever the options say. */
  readonly mistakes?: readonly string[];
}

/** What the command line says. */
export function flagSource({ values }: ParsedArguments, options: Options, address?: string): Source {
  const given = Object.keys(options).flatMap((name) => {
    const { flag, fromTexts } = wayOf(options, name);
    const value = name === 'baseUrl' ? address : values[optionName(flag)];
    if (value === undefined) return [];
    return [[name, fromTexts ? fromTexts([value].flat().map(String), `--${optionName(flag)}`) : value] as const];
  });
  const at: Source['at'] = ([name]) => wayOf(options, String(name)).flag.replace(/[ ,=[].*/, '');
  return { data: Object.fromEntries(given), at };
}

/** What the environment says; an empty variable says nothing. A variable of a key has the key itself. */
export function environmentSource(environment: Environment, names: readonly SettingName[]): Source {
  const given = names.flatMap((name) => {
    const { variable = '', fromTexts } = wayOf(settings, name);
    const text = environment[variable] ?? '';
    if (text === '') return [];
    return [KEYS.has(name) ? [gives(name), withoutNewline(text)] : [name, fromTexts?.([text], variable) ?? text]];
  });
  return {
    data: Object.fromEntries(given) as Source['data'],
    at: ([name]) => variableOf(String(name) as keyof Inputs),
  };
}

/**
 * What an object of a file says.
 *
 * @param path to the object
 * @param known the settings that it may have
 * @throws UsageError if it is no object
 */
export function fileSource(
  file: string,
  { at }: YamlFile,
  object: unknown,
  known: readonly string[],
  path: readonly PropertyKey[] = [],
): Source {
  if (!isRecord(object))
    throw new UsageError(
      `${at(path)}: here must be an object of settings, such as "userId: 4"; this is ${JSON.stringify(object)}.`,
    );
  const atOwn: Source['at'] = (own) => `${at([...path, ...own])}: ${own.join('/')}`;
  const isKnown = (name: string): boolean => known.includes(name);
  const unknown = Object.keys(object).filter((name) => name !== '$schema' && !isKnown(name));
  return {
    data: picked(object, isKnown),
    at: atOwn,
    folder: dirname(file),
    mistakes: unknown.map((name) => `${atOwn([name])}: there is no such setting.${hint(name, known)}`),
  };
}

function picked(data: Source['data'], isWanted: (name: string) => boolean): Source['data'] {
  return Object.fromEntries(Object.entries(data).filter(([name]) => isWanted(name)));
}

/** A value with its paths relative to the working directory. What is no path is left to the schema. */
function moved(value: unknown, folder: string): unknown {
  if (typeof value === 'string') return isAbsolute(value) ? value : join(folder, value);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, path]) => [name, moved(path, folder)]));
}

/** What options say, and where each was given. */
export interface Collected {
  readonly values: Readonly<Record<string, unknown>>;
  /** Where an option was given, for messages. */
  readonly at: (name: string) => string;
}

/** The settings of a command. */
export interface Settings extends Collected {
  readonly values: Values;
}

/**
 * The values of options from several sources; the first source that gives an option counts.
 *
 * @throws UsageError with a line for each mistake
 */
export function collect(options: Options, sources: readonly Source[]): Collected {
  const { adminKey, restrictedKey } = inputShape;
  const shape = { ...options, adminKey, restrictedKey };
  const data: Record<string, unknown> = {};
  const places = new Map<string, Source['at']>();
  for (const { at, folder, data: given } of sources)
    for (const [name, value] of Object.entries(given)) {
      if (!Object.hasOwn(shape, name) || places.has(gives(name))) continue;
      data[name] = folder !== undefined && wayOf(options, name).isPath ? moved(value, folder) : value;
      const file = KEYS.has(name) && typeof value === 'string' ? ` ${String(data[name])}` : '';
      places.set(gives(name), ([, ...path]) => at([name, ...path]) + file);
    }
  const placeOf = (path: readonly PropertyKey[]): string => places.get(gives(String(path[0])))?.(path) ?? '';
  const read = z.strictObject(shape).partial().safeParse(data);
  const mistakes = [
    ...sources.flatMap((source) => source.mistakes ?? []),
    ...(read.error?.issues ?? []).flatMap((issue) => {
      if (issue.code !== 'unrecognized_keys') return [`${placeOf(issue.path)}: ${issue.message}`];
      return issue.keys.map(
        (key) => `${placeOf([...issue.path, key])}: there is no such report.${hint(key, REPORT_FORMATS)}`,
      );
    }),
  ];
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return { values: read.data ?? {}, at: (name) => placeOf([name]) };
}

/** What the flags of a command say. @throws UsageError with a line for each mistake */
export function valuesOf<O extends Options>(options: O, parsed: ParsedArguments): ValuesOf<O> {
  return collect(options, [flagSource(parsed, options)]).values as ValuesOf<O>;
}

/** The same for settings. */
export function collectSettings(names: readonly SettingName[], sources: readonly Source[]): Settings {
  return collect(settingsOf(names), sources);
}

/** The files that a source names outside the working directory, also through links. */
function filesOutside({ data, folder = '' }: Source): string[] {
  const home = placeOfFile('.');
  return Object.entries(data).flatMap(([name, value]) => {
    if (!Object.hasOwn(settings, name) || wayOf(settings, name).isPath !== true) return [];
    const paths = (isRecord(value) ? Object.values(value) : [value]).filter((path) => typeof path === 'string');
    const outside = paths.filter((path) => {
      const way = relative(home, placeOfFile(join(isAbsolute(path) ? '' : folder, path)));
      return isAbsolute(way) || way.split(/[/\\]/)[0] === '..';
    });
    return outside.map((path) => `${name} ${escapeInvisible(path)}`);
  });
}

const PREFIX = 'CONFORMANCE_';

/** A line for each variable whose name is almost one that the suite reads. No value is shown: it may be a key. */
function misspeltVariables(environment: Environment): string[] {
  const read = [...TARGET_SETTINGS, 'config'].map((name) => wayOf(settings, name).variable?.slice(PREFIX.length) ?? '');
  const given = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && environment[name] !== '');
  return given.flatMap((name) => {
    const rest = name.slice(PREFIX.length);
    const meant = read.includes(rest) ? undefined : nearest(rest, read);
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
  const wanted = reference === true ? names.filter((name) => !TARGET_SETTINGS.includes(name)) : names;
  const sources = [flagSource(parsed, settingsOf(names), address), environmentSource(environment, wanted)];
  const variable = environment.CONFORMANCE_CONFIG ?? '';
  const where = typeof config === 'string' ? '--config' : variable === '' ? undefined : 'CONFORMANCE_CONFIG';
  const file = typeof config === 'string' ? config : variable || DEFAULT_CONFIGURATION;
  if (where === undefined && (reference === true || !existsSync(file))) return collectSettings(names, sources);
  const yaml = await parseYaml(file, readGivenFile(where ?? '', file));
  const whole = fileSource(file, yaml, yaml.data ?? {}, FILE_SETTINGS);
  const given = new Set(sources.flatMap(({ data }) => Object.keys(data).map(gives)));
  const isRead = (name: string): boolean => wanted.some((each) => each === name) && !given.has(gives(name));
  const source = { ...whole, data: picked(whole.data, isRead) };
  // Somebody else may have put the file there, so it must not make the suite read or write files elsewhere.
  const outside = where === undefined ? filesOutside(source) : [];
  if (outside.length > 0)
    throw new UsageError(
      `${file} names files outside its folder: ${outside.join(', ')}. If that is right, add --config ${file}.`,
    );
  const collected = collectSettings(names, [...sources, source]);
  const { baseUrl } = collected.values;
  if (where === undefined && quiet !== true)
    err.write(`using settings from ${file}${baseUrl ? `; target ${baseUrl.origin}` : ''}\n`);
  return collected;
}

/**
 * What the operator says of the target.
 *
 * @throws UsageError if the values do not fit each other
 */
export function inputsOf(values: Values): Partial<Inputs> & Pick<Inputs, 'emailDomain'> {
  const { adminKeyFile, restrictedKeyFile } = values;
  const all = {
    emailDomain: DEFAULT_EMAIL_DOMAIN,
    adminKey: adminKeyFile,
    restrictedKey: restrictedKeyFile,
    ...values,
  };
  const names = Object.keys(inputShape) as (keyof Inputs)[];
  const given = names.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]);
  const inputs = Object.fromEntries(given) as ReturnType<typeof inputsOf>;
  const problem = inputsProblem(inputs);
  if (problem !== undefined) throw new UsageError(problem);
  return inputs;
}
