/** Reads OpenAPI documents, and refuses what is none. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import { UsageError } from '../../common/process/args.ts';
import { atPointer, below, isRecord, type JsonObject, member, objectOf } from '../../common/json.ts';
import { isAddress, textAt } from './documents/addresses.ts';
import { namedBy, type Named } from './documents/files.ts';
import { describe, METHODS, type Description } from './documents/description.ts';
import { withLocalReferences } from './documents/references.ts';
import { valueOf } from './documents/yaml.ts';

/** What may be read beside the files in the repository or folder of a document. */
export interface Allowed {
  /** Files elsewhere on the disk that a document refers to. */
  readonly outside?: boolean;
  /** A document at an address. */
  readonly url?: boolean;
}

type Side = Description['side'];

/**
 * Reads an OpenAPI document from a file.
 *
 * @param argument a file in YAML or JSON, one in a revision of git (`REV:path`), or `-` for the standard input; references to other
 *   files are resolved from its folder, and read from the same revision. With `url` allowed, also an address
 * @throws UsageError in one line: no such file, no YAML, several documents, no OpenAPI 3.x document, a reference that leads nowhere
 */
export async function loadDescription(side: Side, argument: string, allowed: Allowed = {}): Promise<Description> {
  if (argument === '-') return describeText(side, readFileSync(0, 'utf8'), 'standard input', allowed);
  if (allowed.url !== true || !isAddress(argument)) return loadNamed(side, namedBy(argument), allowed);
  const root = parseDescription(await textAt(argument), argument);
  const read = (): never => {
    throw new UsageError(`${argument}: it refers to other files, which are not read from an address.`);
  };
  return describe(side, withLocalReferences(root, { name: argument, path: resolve('openapi.yaml'), read }));
}

/** The same of a document that is named already. */
export function loadNamed(side: Side, named: Named, allowed: Allowed = {}): Description {
  const name = named.source.nameOf(named.path);
  return described(side, named.source.read(named.path, name), name, { named, allowed });
}

/** The same from a text; references to other files are resolved from the current folder. */
export function describeText(side: Side, text: string, name: string, allowed: Allowed = {}): Description {
  return described(side, text, name, { named: namedBy(resolve('openapi.yaml')), allowed });
}

function described(
  side: Side,
  text: string,
  name: string,
  { named: { source, path }, allowed }: { readonly named: Named; readonly allowed: Allowed },
): Description {
  const root = parseDescription(text, name);
  const read = (url: string): JsonObject => {
    const file = fileURLToPath(url);
    const asNamed = source.nameOf(file);
    if (allowed.outside !== true && !source.mayRefer(path, file))
      throw new UsageError(
        `${name}: it refers to ${asNamed}, outside of its repository or folder; see --allow-outside.`,
      );
    const part = valueOf(
      source.read(file, `${name}: a reference to another file cannot be resolved: ${asNamed}`),
      asNamed,
    );
    if (!isRecord(part)) throw new UsageError(`${asNamed}: ${name} refers to it, and it is not an object.`);
    return part;
  };
  return describe(side, withLocalReferences(root, { name, path, read }));
}

/** The value of a file in YAML or JSON, such as a configuration. Throws UsageError in one line. */
export function readYaml(path: string): unknown {
  const { source, path: file } = namedBy(path);
  return valueOf(source.read(file, path), path);
}

function parseDescription(text: string, name: string): JsonObject {
  const root = valueOf(text, name);
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
