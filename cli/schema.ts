import { readFileSync } from 'node:fs';
import { oneOf } from '../common/args.ts';
import { parseOptions } from './input/options.ts';
import { configurationSchema } from './input/settings.ts';
import type { Command } from './output/io.ts';

const HELP = `Usage: admin-api-conformance schema [result|config]

Prints the JSON Schema of the result that "run --format json" and
"run --report json=PATH" write, or of the configuration file.

Examples:
  admin-api-conformance schema > result.schema.json
  admin-api-conformance schema config > conformance.schema.json

Exit codes: 0, 2 usage.
`;

function resultSchema(): string {
  return readFileSync(new URL('../conformance/result/result.schema.json', import.meta.url), 'utf8');
}

/** `schema`: the JSON Schema of the result, or of the configuration file. */
export const command: Command = {
  usage: 'schema [config]',
  summary: 'print the JSON Schema of the result or the configuration',
  help: HELP,
  run: (args, { out }) => {
    const [which = 'result'] = parseOptions(args, [], 1).positionals;
    const isConfig = oneOf('schema', which, ['result', 'config']) === 'config';
    out.write(isConfig ? `${JSON.stringify(configurationSchema(), null, 2)}\n` : resultSchema());
    return 0;
  },
};
