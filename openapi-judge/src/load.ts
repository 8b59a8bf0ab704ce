import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { relative, resolve } from 'node:path';
import { requireModule } from '../../common/process/commonjs.ts';
import { UsageError } from '../../common/process/args.ts';
import { atPointer, below, isRecord, type JsonObject, member, objectOf } from '../../common/json.ts';
import { namedBy, type Named } from './documents/files.ts';
import { describe, METHODS, type Description } from './documents/description.ts';
import { withLocalReferences } from './documents/references.ts';

/**
 * Reads an OpenAPI document from a file.
 *
 * @param argument a file in YAML or JSON, one in a revision of git (`REV:path`), or `-` for the standard input; references to other
 *   files are resolved from its folder, and read from the same revision
 * @throws UsageError in one line: no such file, no YAML, several documents, no OpenAPI 3.x document, a reference that leads nowhere
 */
export function loadDescription(side: 'base' | 'head', argument: string): Promise<Description> {
  return new Promise((done) => {
    done(
      argument === '-'
        ? describeText(side, readFileSync(0, 'utf8'), 'standard input')
        : loadNamed(side, namedBy(argument)),
    );
  });
}

/** The same of a document that is named already. */
export function loadNamed(side: 'base' | 'head', named: Named): Description {
  const name = named.source.nameOf(named.path);
  return described(side, named.source.read(named.path, name), name, named);
}

/** The same from a text; references to other files are resolved from the current folder. */
export function describeText(side: 'base' | 'head', text: string, name: string): Description {
  return described(side, text, name, namedBy(resolve('openapi.yaml')));
}

function described(side: 'base' | 'head', text: string, name: string, { source, path }: Named): Description {
  const root = parseDescription(text, name);
  const read = (url: string): JsonObject => {
    const file = fileURLToPath(url);
    const asNamed = source.nameOf(relative('.', file));
    const part = parsed(
      source.read(file, `${name}: a reference to another file cannot be resolved: ${asNamed}`),
      asNamed,
    );
    if (!isRecord(part)) throw new UsageError(`${asNamed}: ${name} refers to it, and it is not an object.`);
    return part;
  };
  return describe(side, withLocalReferences(root, name, resolve(path), read));
}

/** The value of a file in YAML or JSON, such as a configuration. Throws UsageError in one line. */
export function readYaml(path: string): unknown {
  const { source } = namedBy(path);
  return parsed(source.read(path, path), path);
}

function parsed(text: string, name: string): unknown {
  const value = asJson(text) ?? asYaml(text, name);
  checkDepth(value, name);
  return value;
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
    const said =
      version === undefined ? 'it has no member `openapi`' : `\`openapi\` is ${JSON.stringify(version).slice(0, 100)}`;
    throw new UsageError(`${name}: this is not an OpenAPI 3.x document: ${said}.`);
  }
  checkForm(root, name);
  return root;
}

/** The value of a JSON text, which a reader of YAML would take many times as long for; undefined if it is none. */
function asJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Levels of objects and lists in each other, beyond which a document is not read. */
const MOST_LEVELS = 400;

/** Throws UsageError for a value whose objects are nested too deeply. */
function checkDepth(value: unknown, name: string, level = 0): void {
  if (level > MOST_LEVELS) throw new UsageError(`${name}: it is nested too deeply (more than ${MOST_LEVELS} levels).`);
  if (typeof value !== 'object' || value === null) return;
  for (const each of Object.values(value)) if (typeof each === 'object') checkDepth(each, name, level + 1);
}

/** The value of a YAML text. Throws UsageError with the place of a mistake. */
function asYaml(text: string, name: string): unknown {
  const { CORE_SCHEMA, loadAll, YAMLException } = requireModule('js-yaml') as typeof import('js-yaml');
  try {
    const [value, ...others] = loadAll(text, undefined, { schema: CORE_SCHEMA });
    if (others.length > 0)
      throw new UsageError(`${name}: the file contains several YAML documents; put each into its own file.`);
    if (value === undefined) throw new UsageError(`${name}: the file is empty.`);
    return copied(value, text.length, name);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`${name}: it is nested too deeply to be read as YAML.`);
    if (!(error instanceof YAMLException)) throw error;
    const { line, column } = error.mark;
    throw new UsageError(`${name}:${line + 1}:${column + 1}: this cannot be read as YAML or JSON: ${error.reason}.`);
  }
}

/**
 * A value in which every object stands at one place: aliases become copies of what they stand for. Throws UsageError if it has what
 * JSON does not have, or more objects than that, as with aliases in each other.
 */
function copied(value: unknown, most: number, name: string): unknown {
  const holder = { value };
  const seen = new Set<object>();
  const left: [around: object, key: string][] = [[holder, 'value']];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [around, key] = next;
    const each = (around as JsonObject)[key];
    if (typeof each === 'number' && !Number.isFinite(each))
      throw new UsageError(`${name}: ${key} is ${each}, which JSON does not have.`);
    if (typeof each !== 'object' || each === null) continue;
    const isAlias = seen.has(each);
    const own = isAlias ? (Array.isArray(each) ? [...(each as unknown[])] : { ...each }) : each;
    if (isAlias) Object.assign(around, { [key]: own });
    if (seen.add(own).size > most) throw new UsageError(`${name}: its aliases stand for too much.`);
    for (const inner of Object.keys(own)) left.push([own, inner]);
  }
  return holder.value;
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
