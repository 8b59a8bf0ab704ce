/** Reads JSON and YAML. */
import { CORE_SCHEMA, load, loadAll, YAMLException } from 'js-yaml';
import { isRecord, parsedJson, type JsonObject } from '../../../common/json.ts';
import { UsageError } from '../../../common/process/args.ts';

/** The value of a text in JSON or YAML. Throws UsageError with the place of a mistake. */
export function valueOf(text: string, name: string): unknown {
  const isJson = /^\s*[[{]/.test(text);
  const value = (isJson ? parsedJson(text) : membersOf(text)) ?? wholeOf(text, name);
  return eachInOnePlace(value, name, isJson ? undefined : { seen: new Set(), most: text.length });
}

/** The value of a YAML text that is read as a whole. */
function wholeOf(text: string, name: string): unknown {
  try {
    const [value, ...others] = loadAll(text, undefined, { schema: CORE_SCHEMA });
    if (others.length > 0)
      throw new UsageError(`${name}: the file contains several YAML documents; put each into its own file.`);
    if (value === undefined) throw new UsageError(`${name}: the file is empty.`);
    return value;
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${name}: it is nested too deeply to be read as YAML.`);
    if (!(error instanceof YAMLException)) throw error;
    const { line, column } = error.mark;
    throw new UsageError(`${name}:${line + 1}:${column + 1}: this cannot be read as YAML or JSON: ${error.reason}.`);
  }
}

/** The members of the document that was read last, by their texts: most of them stand in the newer one, too. */
let readBefore = new Map<string, unknown>();

/** The object in a YAML text, of which only those members are read that the document before did not have. */
function membersOf(text: string): JsonObject | undefined {
  const known = readBefore;
  readBefore = new Map();
  try {
    return membersIn(text.replace(/\n$/, '').replace(/^---\s*\n/, ''), known);
  } catch {
    return undefined;
  }
}

/** The members in some lines, each read by itself; undefined if the lines are no object, or its members cannot be told apart so. */
function membersIn(lines: string, known: Map<string, unknown>, outer = -1): JsonObject | undefined {
  const [start = '', indent = ''] = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*( *)/.exec(lines) ?? [];
  if (indent.length <= outer) return undefined;
  const parts = lines.slice(start.length - indent.length).split(new RegExp(`\\n(?=${indent}[^\\s#}\\]-])`));
  const members: [string, unknown][] = [];
  for (const part of parts) {
    const value = known.get(part) ?? insideOf(part, known) ?? load(`${part}\n`, { schema: CORE_SCHEMA });
    if (!isRecord(value)) return undefined;
    readBefore.set(part, value);
    members.push(...Object.entries(value));
  }
  const whole = Object.fromEntries(members);
  return Object.keys(whole).length < members.length ? undefined : whole;
}

/** A member that holds most of a document, read member by member. */
function insideOf(part: string, known: Map<string, unknown>): JsonObject | undefined {
  const end = part.indexOf('\n');
  const [, indent = '', key] = /^( *)(paths|webhooks|components|schemas): *$/.exec(part.slice(0, end)) ?? [];
  if (key === undefined) return undefined;
  const inside = membersIn(part.slice(end + 1), known, indent.length);
  return inside && { [key]: inside };
}

/** Levels of objects and lists in each other, beyond which a document is not read. */
const MOST_LEVELS = 400;

/** Objects of a text that were seen, where aliases may stand for others; beyond so many the text stands for too much. */
interface Aliases {
  readonly seen: Set<object>;
  readonly most: number;
}

/**
 * A value in which every object stands at one place: aliases become copies of what they stand for. Throws UsageError if it has what
 * JSON does not have, is nested too deeply, or has more objects than its text has characters, as with aliases in each other.
 *
 * @param aliases what was seen, where the same object may stand at several places
 */
function eachInOnePlace(value: unknown, name: string, aliases: Aliases | undefined, level = 0): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new UsageError(`${name}: it has the number ${value}, which JSON does not have.`);
  if (typeof value !== 'object' || value === null) return value;
  if (level > MOST_LEVELS) throw new UsageError(`${name}: it is nested too deeply (more than ${MOST_LEVELS} levels).`);
  const own = (aliases?.seen.has(value) === true ? copied(value) : value) as JsonObject;
  noteObject(own, name, aliases);
  for (const key of Object.keys(own)) {
    const each = own[key];
    const inside = eachInOnePlace(each, name, aliases, level + 1);
    if (inside !== each) Object.assign(own, { [key]: inside });
  }
  return own;
}

function noteObject(object: object, name: string, aliases: Aliases | undefined): void {
  if (aliases && aliases.seen.add(object).size > aliases.most)
    throw new UsageError(`${name}: its aliases stand for too much.`);
}

function copied(value: object): object {
  return Array.isArray(value) ? [...(value as unknown[])] : { ...value };
}
