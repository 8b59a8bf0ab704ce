import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { isRecord, member } from '../common/json.ts';
import { nearest } from '../common/nearest.ts';
import { type Environment, UsageError } from '../common/process/args.ts';
import { placeOf, readGivenFile } from '../common/process/files.ts';
import { read } from '../common/schema.ts';
import { parseYaml } from '../common/yaml.ts';
import { DEFAULT_EMAIL_DOMAIN, type Inputs, inputShape, inputsProblem } from '../conformance/inputs.ts';
import type { CommandIo } from './command.ts';
import { type Texts, valuesOf } from './option.ts';
import {
  DEFAULT_CONFIGURATION,
  FILE_SETTINGS,
  objectOf,
  SETTING_NAMES,
  type SettingName,
  settings,
  TARGET_SETTINGS,
  type Values,
} from './settings.ts';

/** What the environment says; an empty variable says nothing. */
export function valuesInVariables(environment: Environment, names: readonly SettingName[]): Values {
  const given = names.map((name) => [name, environment[settings[name].variable ?? '']]);
  return valuesOf(
    settings,
    Object.fromEntries(given.filter(([, text]) => text !== '')) as Texts,
    ({ variable = '' }) => variable,
    ({ schema, variableSchema = schema }) => variableSchema,
  );
}

/** The settings that are paths, or have paths: in a file they are relative to its folder. Only a file that was named may leave it. */
const PATHS = ['adminKeyFile', 'restrictedKeyFile', 'ca', 'baseline', 'reports', 'journal'];

/** A value with its paths, which are relative to a folder, relative to the working directory. */
function moved(value: unknown, folder: string): unknown {
  if (typeof value === 'string') return isAbsolute(value) ? value : join(folder, value);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, path]) => [name, moved(path, folder)]));
}

/** An object of a file, with its paths relative to the working directory, and without some of its members. */
function withPaths(file: string, object: unknown, ignored: readonly string[]): unknown {
  if (!isRecord(object)) return object;
  const members = Object.entries(object).filter(([name]) => !ignored.includes(name));
  return Object.fromEntries(
    members.map(([name, value]) => [name, PATHS.includes(name) ? moved(value, dirname(file)) : value]),
  );
}

/** Whether a path leads out of the working directory, also through links. */
function isOutside(path: string): boolean {
  const way = relative(placeOf('.'), placeOf(path));
  return isAbsolute(way) || way.split(/[/\\]/)[0] === '..';
}

/** The files outside the working directory that are named in an object of a file. */
function filesOutside(object: unknown): string[] {
  return PATHS.flatMap((name) => {
    const value = member(object, name);
    const paths = (isRecord(value) ? Object.values(value) : [value]).filter((path) => typeof path === 'string');
    return paths.filter(isOutside).map((path) => `${name} ${path}`);
  });
}

const PREFIX = 'CONFORMANCE_';

/** A line for each variable that looks like one of the suite, and is none. No value is shown: it may be a key. */
function unreadVariables(environment: Environment): string[] {
  const given = Object.keys(environment).filter((name) => name.startsWith(PREFIX));
  const known = SETTING_NAMES.flatMap((name) => settings[name].variable?.slice(PREFIX.length) ?? []);
  const unread = given.map((name) => name.slice(PREFIX.length)).filter((name) => !known.includes(name));
  return unread.map((name) => {
    const meant = nearest(name, known);
    return `${PREFIX}${name} is set, but not read.${meant === undefined ? '' : ` Did you mean ${PREFIX}${meant}?`}`;
  });
}

/** The file that nobody named, which somebody else may have put there. */
function defaultFile(): NonNullable<Values['config']> {
  const path = DEFAULT_CONFIGURATION;
  if (isOutside(path))
    throw new UsageError(`${path} is a link to a file outside its folder. If that is right, add --config ${path}.`);
  return { path, text: readGivenFile(path) };
}

/**
 * The settings of a configuration file.
 *
 * @param named the file that the operator named; by default `conformance.yaml`
 * @param ignored what the file may say in vain
 * @throws UsageError if the file cannot be read, or with a line for each mistake
 */
function readFile(named: Values['config'], ignored: readonly SettingName[]): Values {
  const { path, text } = named ?? defaultFile();
  const yaml = parseYaml(path, text);
  const own = withPaths(path, yaml.data ?? {}, ignored);
  // Somebody else may have put the file there, so it must not make the suite read or write files elsewhere.
  const outside = named ? [] : filesOutside(own);
  if (outside.length > 0)
    throw new UsageError(
      `${path} names files outside its folder: ${outside.join(', ')}. If that is right, add --config ${path}.`,
    );
  return read(objectOf(FILE_SETTINGS), own, yaml.at);
}

const targetOf = ({ baseUrl }: Values): string => (baseUrl ? `; target ${baseUrl.origin}` : '');

/**
 * The settings of a command: from its flags, else from the environment, else from the configuration file. That is the file of
 * `--config`, else of `CONFORMANCE_CONFIG`, else `conformance.yaml` in the working directory, if it exists; with `--reference`
 * it has to be named, and what it says of the target is ignored.
 *
 * @throws UsageError if a file cannot be read, or with a line for each mistake
 */
export function readSettings(names: readonly SettingName[], flags: Values, { environment, err }: CommandIo): Values {
  for (const line of unreadVariables(environment)) err.write(`${line}\n`);
  const wanted = flags.reference ? names.filter((name) => !TARGET_SETTINGS.includes(name)) : names;
  const others = wanted.filter((name) => flags[name] === undefined);
  const given: Values = { ...valuesInVariables(environment, others), ...flags };
  const isNamed = given.config !== undefined;
  if (!isNamed && (flags.reference || !existsSync(DEFAULT_CONFIGURATION))) return given;
  const ignored = FILE_SETTINGS.filter((name) => given[name] !== undefined || !wanted.includes(name));
  const found: Values = { ...readFile(given.config, ignored), ...given };
  if (!isNamed && !found.quiet) err.write(`using settings from ${DEFAULT_CONFIGURATION}${targetOf(found)}\n`);
  return found;
}

/**
 * What the operator says of the target.
 *
 * @throws UsageError if the values do not fit each other
 */
export function inputsOf(values: Values): Partial<Inputs> & Pick<Inputs, 'emailDomain'> {
  const { adminKeyFile: adminKey, restrictedKeyFile: restrictedKey, ...others } = values;
  const all = { emailDomain: DEFAULT_EMAIL_DOMAIN, adminKey, restrictedKey, ...others };
  const names = Object.keys(inputShape) as (keyof typeof inputShape)[];
  const given = names.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]);
  const inputs = Object.fromEntries(given) as ReturnType<typeof inputsOf>;
  const problem = inputsProblem(inputs);
  if (problem !== undefined) throw new UsageError(problem);
  return inputs;
}
