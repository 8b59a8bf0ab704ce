import { createRequire } from 'node:module';
import { Ajv, type AnySchemaObject } from 'ajv';
import addFormats from 'ajv-formats';
import draft6 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };

// The package has no types.
const schemas = createRequire(import.meta.url)('har-schema') as Readonly<Record<string, AnySchemaObject>>;
// The schemas have keywords of their own, such as "optional".
const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
addFormats.default(ajv);
ajv.addMetaSchema(draft6);
for (const schema of Object.values(schemas)) ajv.addSchema(schema);

/** What is wrong with an HTTP Archive; none if it is valid. */
export function harProblems(archive: unknown): string[] {
  ajv.validate('har.json#', archive);
  return (ajv.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}
