import { isRecord } from '../common/json.ts';
import { mapObjects } from '../common/openapi.ts';
import { capitalized } from '../common/text.ts';
import { operations } from '../conformance/operations/index.ts';
import { contractDocument, schema, type JsonSchema, type SchemaName } from '../contract/document.ts';
import { RFC_3339 } from '../contract/date-time.ts';

/** What stands for a schema in its file name and at the end of its `$id`: what its objects are called, or its own name. */
export function publishedName(name: SchemaName): string {
  const object = operations.find(({ shows }) => shows.schema === name)?.shows.object;
  return object ?? name.replace(/Schema$/, '').replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}

function titleOf(name: SchemaName): string {
  return capitalized(publishedName(name).replaceAll('-', ' '));
}

/** The names of all schemas of the contract. */
export const schemaNames = Object.keys(contractDocument.components.schemas) as readonly SchemaName[];

const REFERENCE = '#/components/schemas/';

/** Keywords that OpenAPI adds to JSON Schema. */
const OPENAPI_ONLY = new Set(['discriminator', 'example', 'externalDocs', 'xml']);

function nameOfReference(reference: unknown): SchemaName {
  const name = String(reference).slice(REFERENCE.length);
  if (!String(reference).startsWith(REFERENCE) || !Object.hasOwn(contractDocument.components.schemas, name)) {
    throw new Error(`The reference ${JSON.stringify(reference)} is not to a schema of the contract.`);
  }
  return name as SchemaName;
}

/** A schema of the contract as JSON Schema alone: without the keywords of OpenAPI and of this contract, and with its references into `$defs`. */
export function plainSchema(value: unknown): unknown {
  return mapObjects(value, (schema) => {
    const entries = Object.entries(schema).flatMap(([keyword, given]): [string, unknown][] => {
      if (keyword.startsWith('x-') || OPENAPI_ONLY.has(keyword)) return [];
      if (keyword === '$ref') return [[keyword, `#/$defs/${publishedName(nameOfReference(given))}`]];
      // A reader of JSON Schema may take "format" as a mere note, and takes the pattern in any case.
      if (keyword === 'format' && given === 'date-time') return [[keyword, given], ...datePattern(schema)];
      return [[keyword, given]];
    });
    return Object.fromEntries(entries);
  });
}

function datePattern({ pattern }: JsonSchema): [string, unknown][] {
  if (pattern !== undefined) throw new Error('A date-time with a pattern of its own cannot be published yet.');
  return [['pattern', RFC_3339.source]];
}

/** The schemas that a schema refers to, and those that they refer to, in the order of the contract. */
function referenced(name: SchemaName): SchemaName[] {
  const found = new Set<SchemaName>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isRecord(node)) return;
    if (typeof node.$ref === 'string') {
      const target = nameOfReference(node.$ref);
      if (!found.has(target)) {
        found.add(target);
        visit(schema(target));
      }
    }
    Object.values(node).forEach(visit);
  };
  visit(schema(name));
  return schemaNames.filter((each) => found.has(each));
}

/** What the published schema of a body is known by; it changes with the version of the contract. */
export function schemaId(name: SchemaName): string {
  return `urn:admin-api-conformance:contract:${contractDocument.info.version}:${publishedName(name)}`;
}

/** The file that a schema of the contract is published in, below the folder of the contract. */
export function schemaFile(name: SchemaName): string {
  return `schemas/${publishedName(name)}.schema.json`;
}

/**
 * A schema of the contract as a JSON Schema 2020-12 that stands alone: what it refers to is in `$defs`.
 *
 * @throws Error if the contract uses something that cannot be said so (a reference to anything but a schema)
 */
export function toJsonSchema(name: SchemaName): JsonSchema {
  const definitions = referenced(name).map((each) => [publishedName(each), plainSchema(schema(each))]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaId(name),
    title: titleOf(name),
    ...(plainSchema(schema(name)) as JsonSchema),
    ...(definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) }),
  };
}
