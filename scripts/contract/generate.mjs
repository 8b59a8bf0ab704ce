// Writes what is generated from openapi.yaml and committed: the document as JSON, its TypeScript types, and the validators of its
// schemas; then the catalogue of the checks, one line each, to be searched. The same sources give the same bytes. With --check it
// writes nothing and fails if a file is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';
import { schemaValidators } from './schema-validators.mjs';

const root = new URL('../../', import.meta.url);

async function put(file, content) {
  const place = new URL(file, root);
  if (!process.argv.includes('--check')) {
    await writeFile(place, content);
    console.log(`wrote ${file}`);
  } else if ((await readFile(place, 'utf8').catch(() => '')) !== content) {
    console.error(`${file} is out of date. Run npm run generate.`);
    process.exitCode = 1;
  }
}

const document = parse(await readFile(new URL('openapi.yaml', root), 'utf8'));
const types = astToString(await openapiTS(document, { alphabetize: false }));
await put('contract/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
await put('contract/openapi-types.ts', `// Generated from openapi.yaml by "npm run generate".\n\n${types}`);
await put('contract/schema-validators.ts', schemaValidators(document));

// It reads the contract as it was written above.
const { checks, explorationChecks } = await import('../../conformance/checks/catalogue.ts');
const lines = [...checks, ...explorationChecks].map(
  ({ id, level, requirements, title }) => `${id} | ${level} | ${requirements.join(', ')} | ${title}`,
);
await put('conformance/checks/catalogue.txt', `${lines.sort().join('\n')}\n`);
