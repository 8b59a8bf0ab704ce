import { Ajv2020 } from 'ajv/dist/2020.js';
import { _ } from 'ajv/dist/compile/codegen/index.js';
import standalone from 'ajv/dist/standalone/index.js';

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
 * The module with a function for each component schema of a document, and for each member of one (`schema_member`):
 * strict, without type conversion, naming every violation.
 *
 * @throws Error if a schema is not a valid JSON Schema
 */
export function schemaValidators({ components: { schemas } }) {
  const code = { source: true, esm: true, formats: _`formats` };
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, code });
  // The code refers to the functions of contract/date-time.ts by name.
  for (const format of ['date-time', 'offset-date-time']) ajv.addFormat(format, () => true);
  const names = {};
  const add = (name, schema) => {
    ajv.addSchema(bare(schema), name);
    names[name] = name;
  };
  for (const [name, schema] of Object.entries(schemas)) {
    add(name, schema);
    for (const [member, each] of Object.entries(schema.properties)) add(`${name}_${member}`, memberSchema(each));
  }
  const text = standalone
    .default(ajv, names)
    .replaceAll(
      /const (\w+) = require\("([^"]+)"\)(\.\w+)?;/g,
      "import $1Module from '$2.js';\nconst $1 = $1Module$3;",
    );
  return `// Generated from openapi.yaml by "npm run generate".\n// @ts-nocheck\nimport { formats } from './date-time.ts';\n${text}\n`;
}
