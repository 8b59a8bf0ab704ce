import { readFileSync } from 'node:fs';
import type { Command } from './io.ts';
import { parseArguments } from './usage.ts';

const SCHEMA_HELP = `Usage: admin-api-conformance schema

Prints the JSON Schema of the result that "run --format json" and
"run --report json=PATH" give.

Example:
  admin-api-conformance schema > result.schema.json

Exit codes: 0, 2 usage.
`;

/** `schema`: the JSON Schema of the result. */
export const schema: Command = (args, { out }) => {
  const { values } = parseArguments(args, { help: { type: 'boolean', short: 'h' } }, 0);
  out.write(
    values.help === true ? SCHEMA_HELP : readFileSync(new URL('../result.schema.json', import.meta.url), 'utf8'),
  );
  return Promise.resolve(0);
};
