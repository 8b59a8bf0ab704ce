import { readFileSync } from 'node:fs';
import type { Command } from './output/io.ts';
import { oneOf, parseArguments } from '../common/args.ts';

const SCHEMA_HELP = `Usage: admin-api-conformance schema [result|config]

Prints the JSON Schema of the result that "run --format json" and
"run --report json=PATH" give, or of the configuration file.

Examples:
  admin-api-conformance schema > result.schema.json
  admin-api-conformance schema config > conformance.schema.json

Exit codes: 0, 2 usage.
`;

const FILES = { result: '../conformance/result/result.schema.json', config: './config.schema.json' } as const;

/** `schema`: the JSON Schema of the result, or of the configuration file. */
export const schema: Command = (args, { out }) => {
  const { values, positionals } = parseArguments(args, { help: { type: 'boolean', short: 'h' } }, 1);
  const which = oneOf('schema', positionals[0] ?? 'result', ['result', 'config'] as const);
  const text = (): string => readFileSync(new URL(FILES[which], import.meta.url), 'utf8');
  out.write(values.help === true ? SCHEMA_HELP : text());
  return Promise.resolve(0);
};
