import { isRecord } from '../../common/json.ts';
import { DATA, MAPS } from '../../common/openapi.ts';
import { capitalized } from '../../common/text.ts';
import { contractDocument, schema, type JsonSchema, type SchemaName } from '../document.ts';
import { RFC_3339 } from '../date-time.ts';

const REFERENCE = '#/components/schemas/';

/** Keywords that OpenAPI adds to JSON Schema. */
const OPENAPI_ONLY = new Set(['discriminator', 'example', 'externalDocs', 'xml']);

/** The names of all schemas of the contract. */
export const schemaNames = Object.keys(contractDocument.components.schemas) as readonly SchemaName[];

/** What a schema describes, as in its file name: `update-user`; `user` for the response that shows one. */
function publishedName(name: SchemaName): string {
  const [, subject = name] = /^(?:create(?=\w+Response))?(\w+?)(?:Response)?Schema$/.exec(name) ?? [];
  return subject.replaceAll(/\B[A-Z]/g, '-$&').toLowerCase();
}

/** The `$id` of the published schema of a body; it changes with the version of the contract. */
export function schemaId(name: SchemaName): string {
  return `urn:admin-api-conformance:contract:${contractDocument.info.version}:${publishedName(name)}`;
}

/** The file that a schema of the contract is published in, below the folder of the contract. */
export function schemaFile(name: SchemaName): string {
  return `schemas/${publishedName(name)}.schema.json`;
}

function nameOfReference(reference: unknown): SchemaName {
  const name = schemaNames.find((each) => reference === REFERENCE + each);
  if (name === undefined)
    throw new Error(`The reference ${JSON.stringify(reference)} is not to a schema of the contract.`);
  return name;
}

/**
 * A schema of the contract as JSON Schema alone: without the keywords of OpenAPI and of this contract, and with its references
 * into `$defs`.
 *
 * @param names whether the keys are names that the author chose
 * @throws Error for a reference to anything but a schema
 */
function plainSchema(value: unknown, names = false): unknown {
  if (Array.isArray(value)) return value.map((each) => plainSchema(each));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).flatMap(([key, given]): [string, unknown][] => {
    if (names) return [[key, plainSchema(given)]];
    if (key.startsWith('x-') || OPENAPI_ONLY.has(key)) return [];
    if (key === '$ref') return [[key, `#/$defs/${publishedName(nameOfReference(given))}`]];
    const own: [string, unknown] = [key, DATA.has(key) ? given : plainSchema(given, MAPS.has(key))];
    // Some validators only note "format"; all of them apply "pattern".
    return key === 'format' && given === 'date-time' ? [own, ['pattern', RFC_3339.source]] : [own];
  });
  return Object.fromEntries(entries);
}

/** The schemas that a part of a schema refers to, directly or through another one. */
function referenced(node: unknown): SchemaName[] {
  if (Array.isArray(node)) return node.flatMap(referenced);
  if (!isRecord(node)) return [];
  if (node.$ref === undefined) return Object.values(node).flatMap(referenced);
  const name = nameOfReference(node.$ref);
  return [name, ...referenced(schema(name))];
}

/**
 * A schema of the contract as a JSON Schema 2020-12 that stands alone: what it refers to is in `$defs`.
 *
 * @throws Error if it refers to something that is no schema
 */
export function toJsonSchema(name: SchemaName): JsonSchema {
  const definitions = referenced(schema(name)).map((each) => [publishedName(each), plainSchema(schema(each))]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaId(name),
    title: capitalized(publishedName(name).replaceAll('-', ' ')),
    ...(plainSchema(schema(name)) as JsonSchema),
    ...(definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) }),
  };
}
