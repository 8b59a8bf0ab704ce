import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import type { parseAllDocuments } from 'yaml';
import { UsageError } from '../../common/process/args.ts';
import { requireModule } from '../../common/process/commonjs.ts';
import { readBounded, Unreadable } from '../../common/process/bounded-file.ts';
import {
  atPointer,
  below,
  isBeforeColon,
  isRecord,
  type JsonObject,
  member,
  objectOf,
  parsedJson,
} from '../../common/json.ts';
import { describe, METHODS, NOT_COMPARED, type Description } from './documents/description.ts';
import { withLocalReferences } from './documents/references.ts';

const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Reads an OpenAPI document from a file.
 *
 * @param path YAML or JSON, or `-` for the standard input; references to other files are resolved from its folder
 * @throws UsageError in one line: no such file, no YAML, several documents, no OpenAPI 3.x document, a reference that leads nowhere
 */
// eslint-disable-next-line @typescript-eslint/require-await -- what is thrown is for who awaits it
export async function loadDescription(side: 'base' | 'head', path: string): Promise<Description> {
  if (path === '-') return describeText(side, readFileSync(0, 'utf8'), 'standard input');
  if (/^https?:/.test(path)) throw new UsageError(`${path}: only files are read, and no addresses.`);
  return described(side, textOfFile(path, path), path, path);
}

/** The same from a text; references to other files are resolved from the current folder. */
export function describeText(side: 'base' | 'head', text: string, name: string): Description {
  return described(side, text, name, resolve('openapi.yaml'));
}

function textOfFile(path: string, name: string): string {
  try {
    return readBounded(path, MOST_BYTES);
  } catch (error) {
    if (error instanceof Unreadable) throw new UsageError(`${name}: ${error.message}.`);
    throw error;
  }
}

function described(side: 'base' | 'head', text: string, name: string, path: string): Description {
  const root = parseDescription(text, name);
  const read = (url: string): JsonObject => {
    const file = fileURLToPath(url);
    const part = parsed(textOfFile(file, `${name}: a reference to another file cannot be resolved: ${file}`), file);
    if (!isRecord(part)) throw new UsageError(`${file}: ${name} refers to it, and it is not an object.`);
    return part;
  };
  return describe(side, withLocalReferences(root, name, resolve(path), read));
}

/** The value of a text, in which what is nested too deeply is not compared. */
function parsed(text: string, name: string): unknown {
  const json = asJson(text);
  if (json !== undefined) return json;
  const holder = { value: asPlainYaml(text) ?? asYaml(text, name) };
  cutDeep(holder);
  return holder.value;
}

function parseDescription(text: string, name: string): JsonObject {
  const root = parsed(text, name);
  if (!isRecord(root)) throw new UsageError(`${name}: this is not an OpenAPI document: it is not an object.`);
  if (root.swagger !== undefined)
    throw new UsageError(`${name}: this is Swagger ${JSON.stringify(root.swagger)}; convert it to OpenAPI 3 first.`);
  const version = root.openapi;
  if (typeof version === 'string' && /^3\.([3-9]|\d\d)/.test(version))
    throw new UsageError(`${name}: OpenAPI ${version} is not known; 3.0, 3.1 and 3.2 are.`);
  if (typeof version !== 'string' || !/^3\.\d+(\.\d+)?(-|$)/.test(version)) {
    const said = version === undefined ? 'it has no member `openapi`' : `\`openapi\` is ${JSON.stringify(version)}`;
    throw new UsageError(`${name}: this is not an OpenAPI 3.x document: ${said}.`);
  }
  checkForm(root, name);
  return root;
}

/**
 * The value of a JSON text, which a reader of YAML would take many times as long for. Undefined if it is none, or if an object in it has
 * a member twice: the reader of YAML says where.
 */
function asJson(text: string): unknown {
  const holder = { value: parsedJson(text) };
  return holder.value !== undefined && cutDeep(holder) - 1 === namesIn(text) ? holder.value : undefined;
}

/** How many names of members a JSON text has: strings before a colon. */
function namesIn(text: string): number {
  let names = 0;
  for (let start = text.indexOf('"'); start >= 0;) {
    let end = text.indexOf('"', start + 1);
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
    if (isBeforeColon(text, end + 1)) names += 1;
    start = text.indexOf('"', end + 1);
  }
  return names;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === 0x5c) before -= 1;
  return (at - before) % 2 === 0;
}

/** Levels of objects and lists in each other, beyond which they are not compared. */
const MOST_LEVELS = 400;

/** Replaces what is nested too deeply by a digest of it. Returns how many members all objects had. */
function cutDeep(node: object, level = 0): number {
  const keys = Object.keys(node);
  let members = Array.isArray(node) ? 0 : keys.length;
  for (const key of keys) {
    const each = (node as JsonObject)[key];
    if (typeof each !== 'object' || each === null) continue;
    if (level < MOST_LEVELS) {
      members += cutDeep(each, level + 1);
      continue;
    }
    const deep = digestOf(each);
    members += deep.members;
    Object.assign(node, { [key]: { [NOT_COMPARED]: deep.digest } });
  }
  return members;
}

/** Not recursive: a value may be nested as deeply as a text allows. */
function digestOf(value: object): { readonly digest: string; readonly members: number } {
  const { createHash } = requireModule('node:crypto') as typeof import('node:crypto');
  const hash = createHash('sha256');
  let members = 0;
  const left: unknown[] = [value];
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (typeof each !== 'object' || each === null) {
      hash.update(`${JSON.stringify(each)} `);
      continue;
    }
    hash.update(Array.isArray(each) ? '[' : '{');
    left.push(']');
    const entries = Object.entries(each).sort(([a], [b]) => (a < b ? 1 : -1));
    if (!Array.isArray(each)) members += entries.length;
    for (const [key, inner] of entries) left.push(inner, key);
  }
  return { digest: hash.digest('hex').slice(0, 16), members };
}

/**
 * The value of a YAML text, read in a fifth of the time that the reader takes that knows the place of every error. Undefined where
 * that one is needed: for an error, a directive, and what JSON does not have.
 */
function asPlainYaml(text: string): unknown {
  if (text.startsWith('%')) return undefined;
  const { CORE_SCHEMA, load } = requireModule('js-yaml') as typeof import('js-yaml');
  try {
    const value = load(text, { schema: CORE_SCHEMA });
    return value === null ? undefined : copied(value, text.length);
  } catch {
    return undefined;
  }
}

/**
 * A value in which every object stands at one place: aliases become copies of what they stand for. Undefined if it has what JSON does
 * not have, or more objects than that, as with aliases in each other.
 */
function copied(value: unknown, most: number): unknown {
  const holder = { value };
  const seen = new Set<object>();
  const left: [around: object, key: string][] = [[holder, 'value']];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [around, key] = next;
    const each = (around as JsonObject)[key];
    if (typeof each === 'number' && !Number.isFinite(each)) return undefined;
    if (typeof each !== 'object' || each === null) continue;
    const isAlias = seen.has(each);
    const own = isAlias ? (Array.isArray(each) ? [...(each as unknown[])] : { ...each }) : each;
    if (isAlias) Object.assign(around, { [key]: own });
    if (seen.add(own).size > most) return undefined;
    for (const inner of Object.keys(own)) left.push([own, inner]);
  }
  return holder.value;
}

function asYaml(text: string, name: string): unknown {
  const documents = parsedYaml(text.replace(/^\uFEFF/, ''), name);
  const [document, second] = Array.isArray(documents) ? documents : [];
  if (document === undefined) throw new UsageError(`${name}: the file is empty.`);
  if (second !== undefined)
    throw new UsageError(`${name}: the file contains several YAML documents; put each into its own file.`);
  const [error] = document.errors;
  if (error !== undefined) {
    const [line] = error.linePos ?? [];
    const [said = ''] = error.message.split(/ at line |\n/);
    throw new UsageError(
      `${name}${line ? `:${line.line}:${line.col}` : ''}: this cannot be read as YAML or JSON: ${said}.`,
    );
  }
  try {
    // Anchors become copies, so that every value stands at one place.
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 1000 }) ?? null));
  } catch (problem) {
    throw new UsageError(`${name}: the aliases cannot be resolved (${(problem as Error).message}).`);
  }
}

function parsedYaml(text: string, name: string): ReturnType<typeof parseAllDocuments> {
  const yaml = requireModule('yaml') as typeof import('yaml');
  try {
    return yaml.parseAllDocuments(text, { prettyErrors: true, uniqueKeys: true });
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${name}: it is nested too deeply to be read as YAML.`);
    throw error;
  }
}

const OBJECTS = ['info', 'paths', 'webhooks', 'components'];
const LISTS = ['servers', 'security', 'tags'];

/** Refuses documents that cannot be compared: objects and lists must be such, if present. */
function checkForm(root: JsonObject, name: string): void {
  const expect = (value: unknown, pointer: string, kind: 'an object' | 'a list'): void => {
    const fits = value === undefined || (kind === 'a list' ? Array.isArray(value) : isRecord(value));
    if (!fits) throw new UsageError(`${name}: this is not an OpenAPI document: ${pointer} must be ${kind}.`);
  };
  const named = (pointer: string): [string, unknown][] =>
    Object.entries(objectOf(atPointer(root, pointer))).filter(([key]) => !key.startsWith('x-'));
  for (const key of OBJECTS) expect(root[key], below('', key), 'an object');
  for (const key of LISTS) expect(root[key], below('', key), 'a list');
  for (const [key, each] of named('/components')) expect(each, below('/components', key), 'an object');
  for (const holder of ['/paths', '/webhooks']) {
    for (const [path, item] of named(holder)) {
      const at = below(holder, path);
      expect(item, at, 'an object');
      expect(member(item, 'parameters'), below(at, 'parameters'), 'a list');
      for (const method of METHODS) {
        const operation = member(item, method);
        expect(operation, below(at, method), 'an object');
        expect(member(operation, 'parameters'), below(at, method, 'parameters'), 'a list');
        expect(member(operation, 'responses'), below(at, method, 'responses'), 'an object');
      }
    }
  }
}
