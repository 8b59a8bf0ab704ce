// Writes what is generated from openapi.yaml and committed: the document as JSON, its TypeScript types, and the validators of its
// schemas. The same document gives the same bytes. With --check it writes nothing and fails if a file is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';
import { schemaValidators } from './schema-validators.mjs';

const root = new URL('../', import.meta.url);
const document = parse(await readFile(new URL('openapi.yaml', root), 'utf8'));
const types = astToString(await openapiTS(document, { alphabetize: false }));
const files = {
  'contract/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'contract/openapi-types.ts': `// Generated from openapi.yaml by "npm run generate".\n\n${types}`,
  'contract/schema-validators.ts': schemaValidators(document),
};

for (const [file, content] of Object.entries(files)) {
  const place = new URL(file, root);
  if (!process.argv.includes('--check')) {
    await writeFile(place, content);
    console.log(`wrote ${file}`);
  } else if ((await readFile(place, 'utf8').catch(() => '')) !== content) {
    console.error(`${file} does not match openapi.yaml. Run npm run generate.`);
    process.exitCode = 1;
  }
}
