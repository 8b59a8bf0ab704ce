import { readFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';

const root = new URL('../', import.meta.url);

/**
 * What is generated from openapi.yaml and committed: the same document as JSON, and its TypeScript types.
 *
 * @returns {Promise<Record<string, string>>} file (relative to the repository) → content; the same bytes for the same document
 */
export async function contractArtifacts() {
  const document = parse(await readFile(new URL('openapi.yaml', root), 'utf8'));
  const types = astToString(await openapiTS(document, { alphabetize: false }));
  return {
    'contract/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
    'contract/openapi-types.ts': `// Generated from openapi.yaml by "npm run generate".\n\n${types}`,
  };
}
