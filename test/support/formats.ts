import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
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

/** Whether xmllint (Debian's libxml2-utils) is there. */
export const hasXmllint = spawnSync('xmllint', ['--version']).status === 0;

/** What is wrong with a JUnit report; empty if nothing is. */
export function junitProblems(xml: string): string {
  const xsd = fileURLToPath(new URL('junit.xsd', import.meta.url));
  const args = ['--nonet', '--noout', '--huge', '--schema', xsd, '-'];
  const { status, stderr } = spawnSync('xmllint', args, { input: xml, encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}
