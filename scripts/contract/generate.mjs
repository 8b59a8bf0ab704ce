// Writes what is generated from openapi.yaml and committed: the document as JSON, its TypeScript types, and the validators of its
// schemas. The same document gives the same bytes. With --check it writes nothing, and fails if a file is out of date.
import { readFile, writeFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { _ } from 'ajv/dist/compile/codegen/index.js';
import standalone from 'ajv/dist/standalone/index.js';
import openapiTS from 'openapi-typescript';
import ts from 'typescript';
import { parse } from 'yaml';

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

/** What says nothing of whether a value conforms. */
const ANNOTATION = /^(x-.*|description|title|examples?|default|deprecated)$/;

/** A schema of the contract without annotations, whose references are the names of the schemas. */
function bare(node) {
  if (Array.isArray(node)) return node.map(bare);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([keyword]) => !ANNOTATION.test(keyword))
      .map(([keyword, value]) => {
        if (keyword === '$ref') return [keyword, value.replace('#/components/schemas/', '')];
        if (keyword !== 'properties') return [keyword, bare(value)];
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, bare(member)]))];
      }),
  );
}

/** The schema that a member is held to: with `x-sample-type`, that type and null. */
function memberSchema(member) {
  const sample = member['x-sample-type'];
  return sample === undefined ? member : { ...sample, type: [sample.type, 'null'] };
}

/**
 * The module with a function for each component schema of a document, and for each member of one (`schema_member`): strict,
 * without type conversion, naming every violation. To compile the schemas at each start would take longer than to load it.
 */
function schemaValidators({ components: { schemas } }) {
  const code = { source: true, esm: true, formats: _`formats` };
  const ajv = new Ajv2020({ strict: true, allErrors: true, code });
  // The code refers to the functions of contract/date-time.ts by name.
  for (const format of ['date-time', 'offset-date-time']) ajv.addFormat(format, () => true);
  const named = Object.entries(schemas).flatMap(([name, schema]) => [
    [name, schema],
    ...Object.entries(schema.properties).map(([member, each]) => [`${name}_${member}`, memberSchema(each)]),
  ]);
  for (const [name, schema] of named) ajv.addSchema(bare(schema), name);
  const text = standalone
    .default(ajv, Object.fromEntries(named.map(([name]) => [name, name])))
    .replaceAll(
      /const (\w+) = require\("([^"]+)"\)(\.\w+)?;/g,
      "import $1Module from '$2.js';\nconst $1 = $1Module$3;",
    );
  return `// Generated from openapi.yaml by "npm run generate".\n// @ts-nocheck\nimport { formats } from './date-time.ts';\n${text}\n`;
}

/** A part of the contract without its responses: this project reads their schemas by name. */
function withoutResponses(node) {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return node;
  const entries = Object.entries(node).map(([name, value]) => [
    name,
    name === 'responses' ? {} : withoutResponses(value),
  ]);
  return Object.fromEntries(entries);
}

/** The types that this project uses, without the descriptions, which openapi.yaml has. All types are published, with them. */
async function typesOf(document) {
  const all = await openapiTS(withoutResponses(document), { alphabetize: false });
  const nodes = all.filter(({ name }) => ['components', 'operations'].includes(name.text));
  const file = ts.createSourceFile('openapi-types.ts', '', ts.ScriptTarget.Latest);
  const printer = ts.createPrinter({ removeComments: true });
  return printer.printList(ts.ListFormat.MultiLine, ts.factory.createNodeArray(nodes), file);
}

const document = parse(await readFile(new URL('openapi.yaml', root), 'utf8'));
await put('contract/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
await put(
  'contract/openapi-types.ts',
  `// Generated from openapi.yaml by "npm run generate".\n\n${await typesOf(document)}`,
);
await put('contract/schema-validators.ts', schemaValidators(document));
