import { dirname } from 'node:path';
import { baseAddress, namedAs, namedId, type Inputs, WRITABLE } from '../../conformance/resources/inputs.ts';
import type { RunOptions } from '../../conformance/run/events.ts';
import { UsageError, type Environment, type ParsedArguments } from '../../common/process/args.ts';
import { readSettings, type Configuration } from './configuration.ts';
import { parseData, shown, type Located, type LocatedMember } from './data-file.ts';
import { readRunOptions } from './run-options.ts';
import { configurationSchema, givenBaseUrl, OWN_SETTINGS, parseTarget, SETTINGS, valueOf } from './settings.ts';

/** A target as the file has it: its settings are read, what they name is not. */
export interface FleetEntry {
  readonly name: string;
  /** Where it stands in the file. */
  readonly at: string;
  readonly settings: Configuration;
}

/** A target of a fleet, ready to be judged. */
export interface FleetTarget {
  readonly name: string;
  readonly inputs: Inputs;
  readonly options: RunOptions;
  /** Seconds to wait until the target accepts connections. */
  readonly wait?: number;
}

/** The settings that a target cannot have: a fleet writes a fixed set of files for each. */
const NOT_OF_TARGETS = Object.entries(SETTINGS)
  .filter(([, { group }]) => group === 'output')
  .map(([name]) => name);

/** What is a file name on every system, and needs no escape in a shell, a URL or Markdown. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)|\.$/i;

function readName({ at, value }: LocatedMember): string {
  const text = value.kind === 'scalar' ? value.text : '';
  if (NAME.test(text) && !RESERVED.test(text)) return text;
  throw new UsageError(
    `${at}: name: ${shown(value)} is no name; give 1 to 64 letters, digits, dots, dashes and underscores that name a file on every system (CON and NUL do not), such as eu-1.`,
  );
}

function settingsOf(value: Located, folder: string, mistakes: string[]): Configuration {
  const members = value.kind === 'object' ? value.members.filter(({ name }) => name !== 'name') : [];
  const misplaced = members.filter(({ name }) => NOT_OF_TARGETS.includes(name));
  for (const { at, name } of misplaced)
    mistakes.push(`${at}: ${name}: not of a target: a fleet writes its results to the folder of --output.`);
  const read = readSettings(
    members.filter((member) => !misplaced.includes(member)),
    folder,
  );
  mistakes.push(...read.mistakes);
  return read.settings;
}

function readEntry(item: Located, folder: string, defaults: Configuration, mistakes: string[]): FleetEntry[] {
  if (item.kind !== 'object') {
    mistakes.push(`${item.at}: a target is an object with name and baseUrl; this is ${shown(item)}.`);
    return [];
  }
  const settings = new Map([...defaults, ...settingsOf(item, folder, mistakes)]);
  const named = item.members.find(({ name }) => name === 'name');
  if (!named) {
    mistakes.push(`${item.at}: the target has no name.`);
    return [];
  }
  try {
    return [{ name: readName(named), at: named.at, settings }];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    mistakes.push(...error.lines);
    return [];
  }
}

/** File systems may take two names for the same that differ in their case only. */
function duplicates(entries: readonly FleetEntry[]): string[] {
  const first = new Map<string, FleetEntry>();
  return entries.flatMap((entry) => {
    const other = first.get(entry.name.toLowerCase());
    if (other) return [`${entry.at}: name: ${entry.name} is the name of the target at ${other.at}, too.`];
    first.set(entry.name.toLowerCase(), entry);
    return [];
  });
}

/**
 * Reads a file of targets, YAML or JSON: `targets`, a list of objects with a name and settings, and `defaults`, the settings
 * of every target that has no value of its own. No other file is opened.
 *
 * @param file its path; relative paths in it are relative to its folder
 * @throws UsageError with a line for each mistake
 */
export async function parseTargets(file: string, text: string): Promise<FleetEntry[]> {
  const root = await parseData(file, text);
  const members = root.kind === 'object' ? root.members.filter(({ name }) => name !== '$schema') : [];
  const list = members.find(({ name }) => name === 'targets')?.value;
  if (list?.kind !== 'list')
    throw new UsageError(`${list?.at ?? root.at}: a file of targets must be an object with the list "targets".`);
  const other = members.find(({ name }) => name !== 'targets' && name !== 'defaults');
  if (other)
    throw new UsageError(`${other.at}: a file of targets has "defaults" and "targets"; here is "${other.name}".`);
  const given = members.find(({ name }) => name === 'defaults')?.value;
  if (given && given.kind !== 'object')
    throw new UsageError(`${given.at}: defaults must be an object of settings; this is ${shown(given)}.`);
  const mistakes: string[] = [];
  const folder = dirname(file);
  const defaults = given ? settingsOf(given, folder, mistakes) : new Map();
  const entries = list.items.flatMap((item) => readEntry(item, folder, defaults as Configuration, mistakes));
  const all = [...mistakes, ...duplicates(entries)];
  if (all.length > 0) throw new UsageError(all);
  if (entries.length === 0) throw new UsageError(`${list.at}: the list of targets is empty.`);
  return entries;
}

async function readTarget(
  { name, at, settings }: FleetEntry,
  flags: ParsedArguments,
  environment: Environment,
): Promise<FleetTarget> {
  const said = [...settings].filter(([option]) => flags.values[option] === undefined);
  const parsed: ParsedArguments = {
    positionals: [],
    values: { ...Object.fromEntries(said.map(([option, { given }]) => [option, given])), ...flags.values },
    names: Object.fromEntries(said.map(([option, each]) => [option, each.name])),
  };
  // The environment may hold the key of one target, which must not go to all.
  const baseUrl = givenBaseUrl(parsed, {});
  if (!baseUrl) throw new UsageError(`${at}: target ${name} has no baseUrl.`);
  try {
    const inputs = { baseUrl, ...parseTarget(parsed, {}, baseUrl) };
    const wait = valueOf(OWN_SETTINGS.wait, parsed);
    return {
      name,
      inputs,
      options: await readRunOptions(parsed, environment),
      ...(wait === undefined ? {} : { wait }),
    };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const file = at.replace(/:\d+:\d+$/, '');
    const placed = (line: string): string => (line.startsWith(file) ? line : `${at}: target ${name}: ${line}`);
    throw new UsageError(error.lines.map(placed));
  }
}

/** Two runs must not write to one user at the same time. */
function sharedUsers(targets: readonly FleetTarget[]): string[] {
  const holders = new Map<string, string>();
  return targets.flatMap(({ name, inputs }) =>
    WRITABLE.flatMap((subject) => {
      const id = namedId(inputs, subject);
      if (id === undefined) return [];
      const user = `${namedAs(subject)?.resource ?? ''} ${id} of ${baseAddress(inputs.baseUrl)}`;
      const holder = holders.get(user);
      holders.set(user, name);
      return holder === undefined ? [] : [`${user} belongs to ${holder} and to ${name}; give each users of its own.`];
    }),
  );
}

/**
 * Reads what the targets name: key files, baselines.
 *
 * @param flags the options that hold for every target; they override the file
 * @param environment names the proxies, and nothing else
 * @throws UsageError with a line for each mistake
 */
export async function readTargets(
  entries: readonly FleetEntry[],
  flags: ParsedArguments,
  environment: Environment,
): Promise<FleetTarget[]> {
  const targets: FleetTarget[] = [];
  const mistakes: string[] = [];
  for (const entry of entries) {
    try {
      targets.push(await readTarget(entry, flags, environment));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      mistakes.push(...error.lines);
    }
  }
  const all = new Set([...mistakes, ...sharedUsers(targets)]);
  if (all.size > 0) throw new UsageError(all);
  return targets;
}

/** The JSON Schema of a file of targets. */
export function targetsSchema(): object {
  const { properties: all, $schema } = configurationSchema() as { properties: Record<string, object>; $schema: string };
  const properties = Object.fromEntries(
    Object.entries(all).filter(([name]) => name !== '$schema' && !NOT_OF_TARGETS.includes(name)),
  );
  const name = { type: 'string', pattern: NAME.source, description: 'Unique in the file; also the name of a folder.' };
  return {
    $schema,
    title: 'Targets of admin-api-conformance',
    description: 'The targets of a fleet, as YAML or JSON. Relative paths are relative to the folder of the file.',
    type: 'object',
    properties: {
      $schema: { type: 'string', description: 'Where this schema is, for editors.' },
      defaults: { type: 'object', properties, additionalProperties: false },
      targets: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: { name, ...properties },
          required: ['name'],
          additionalProperties: false,
        },
      },
    },
    required: ['targets'],
    additionalProperties: false,
  };
}
