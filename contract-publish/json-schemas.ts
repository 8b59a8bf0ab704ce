import { isRecord } from '../common/json.ts';
import { mapObjects } from '../common/openapi.ts';
import { capitalized } from '../common/text.ts';
import { contractDocument, schema, type JsonSchema, type SchemaName } from '../contract/document.ts';
import { RFC_3339 } from '../contract/date-time.ts';

const REFERENCE = '#/components/schemas/';

/** Keywords that OpenAPI adds to JSON Schema. */
const OPENAPI_ONLY = new Set(['discriminator', 'example', 'externalDocs', 'xml']);

/** The names of all schemas of the contract. */
export const schemaNames = Object.keys(contractDocument.components.schemas) as readonly SchemaName[];

/** What a schema describes, as in its file name: `update-user`; `user` for the response that shows one. */
export function publishedName(name: SchemaName): string {
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
 * @throws Error for a reference to anything but a schema
 */
function plainSchema(value: unknown): unknown {
  return mapObjects(value, (node) => {
    const entries = Object.entries(node).flatMap(([keyword, given]): [string, unknown][] => {
      if (keyword.startsWith('x-') || OPENAPI_ONLY.has(keyword)) return [];
      if (keyword === '$ref') return [[keyword, `#/$defs/${publishedName(nameOfReference(given))}`]];
      if (keyword !== 'format' || given !== 'date-time') return [[keyword, given]];
      // Some validators only note "format"; all of them apply "pattern".
      return [
        [keyword, given],
        ['pattern', RFC_3339.source],
      ];
    });
    return Object.fromEntries(entries);
  });
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
