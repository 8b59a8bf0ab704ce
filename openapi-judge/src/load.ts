import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { UsageError } from '../../common/args.ts';
import { describe, METHODS, pointerOf, type Description } from './description.ts';
import { atPointer, below, isRecord, type JsonObject, member, objectOf } from '../../common/json.ts';
import { DATA } from '../../common/openapi.ts';
import { runRedocly } from './redocly.ts';

/**
 * Reads an OpenAPI document from a file.
 *
 * @param path YAML or JSON; references to other files are resolved from its folder
 * @throws UsageError in one line: no such file, no YAML, several documents, no OpenAPI 3.x document, a reference that leads nowhere
 */
export async function loadDescription(side: 'base' | 'head', path: string): Promise<Description> {
  const root = parseDescription(await readText(path), path);
  const outside = references(root).filter(({ reference }) => !reference.startsWith('#'));
  if (outside.length === 0) return checked(side, root, path);
  const remote = outside.find(({ reference }) => /^[a-z][a-z0-9+.-]*:/i.test(reference));
  if (remote !== undefined) {
    const { reference, pointer } = remote;
    throw new UsageError(
      `${path}: the reference ${JSON.stringify(reference)} at ${pointer} is not followed; only files are.`,
    );
  }
  return checked(side, parseDescription(await bundle(path), path), path);
}

/** The same from a text; references to other files cannot be resolved. */
export function describeText(side: 'base' | 'head', text: string, name: string): Description {
  return checked(side, parseDescription(text, name), name);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'that is a folder' : String(code);
    throw new UsageError(`${path}: ${why}.`);
  }
}

function parseDescription(text: string, name: string): JsonObject {
  const root = asJson(text) ?? asYaml(text, name);
  if (!isRecord(root)) throw new UsageError(`${name}: this is not an OpenAPI document: it is not an object.`);
  if (root.swagger !== undefined)
    throw new UsageError(`${name}: this is Swagger ${JSON.stringify(root.swagger)}; convert it to OpenAPI 3 first.`);
  const version = root.openapi;
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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  let written = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon !== undefined) written += 1;
  const members = (each: unknown): number => {
    if (typeof each !== 'object' || each === null) return 0;
    const own = Object.values(each);
    return own.reduce<number>((sum, inner) => sum + members(inner), Array.isArray(each) ? 0 : own.length);
  };
  return members(value) === written ? value : undefined;
}

function asYaml(text: string, name: string): unknown {
  const documents = parseAllDocuments(text.replace(/^\uFEFF/, ''), { prettyErrors: true, uniqueKeys: true });
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

function references(root: JsonObject) {
  const found: { pointer: string; reference: string }[] = [];
  const visit = (value: unknown, pointer: string, names: boolean): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isRecord(value) && !names && typeof value.$ref === 'string') found.push({ pointer, reference: value.$ref });
    for (const [key, each] of Object.entries(value)) {
      const data = !names && !Array.isArray(value) && (DATA.has(key) || key.startsWith('x-'));
      if (!data)
        visit(each as unknown, below(pointer, key), !names && ['properties', 'patternProperties'].includes(key));
    }
  };
  visit(root, '', false);
  return found;
}

function checked(side: 'base' | 'head', root: JsonObject, name: string): Description {
  for (const { pointer, reference } of references(root)) {
    const target = pointerOf(reference);
    if (target === undefined || atPointer(root, target) === undefined)
      throw new UsageError(`${name}: the reference ${JSON.stringify(reference)} at ${pointer} leads nowhere.`);
    const loop = loopFrom(root, target);
    if (loop !== undefined)
      throw new UsageError(`${name}: the reference at ${pointer} leads in a circle: ${loop.join(' → ')}.`);
  }
  return describe(side, root);
}

/** The pointers of a chain of references that leads back to itself; undefined if it ends somewhere. */
function loopFrom(root: JsonObject, start: string): readonly string[] | undefined {
  const way = [start];
  for (;;) {
    const here = atPointer(root, way.at(-1) ?? '');
    if (!isRecord(here) || typeof here.$ref !== 'string' || Object.keys(here).some((key) => COMPOSING.has(key))) return;
    const next = pointerOf(here.$ref);
    if (next === undefined) return;
    way.push(next);
    if (way.indexOf(next) < way.length - 1) return way;
  }
}

/** Keywords that give a schema beside a reference something of its own. */
const COMPOSING = new Set(['type', 'properties', 'allOf', 'anyOf', 'oneOf', 'enum', 'const', 'items']);

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

/** The document with the parts that it refers to in other files. */
async function bundle(path: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-gate-'));
  try {
    const output = join(folder, 'bundled.json');
    const { error, stderr } = await runRedocly(['bundle', path, '--output', output, '--lint-config', 'off']);
    if (error) {
      const line = stderr.split('\n').find((each) => /resolve|ENOENT|no such file/i.test(each));
      throw new UsageError(
        `${path}: a reference to another file cannot be resolved: ${(line ?? stderr).trim().slice(0, 300)}`,
      );
    }
    return await readFile(output, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
