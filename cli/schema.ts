import { oneOf } from '../common/process/args.ts';
import { matrixSchema, resultSchema } from '../conformance/result/read-result.ts';
import { parseOptions } from './input/options.ts';
import { configurationSchema } from './input/settings.ts';
import { targetsSchema } from './input/targets-file.ts';
import type { Command } from './output/io.ts';

const HELP = `Usage: admin-api-conformance schema [result|config|targets|matrix]

Prints the JSON Schema of the result that "run --format json" and
"run --report json=PATH" write, of the configuration file, of the file of "run
--targets", or of the matrix that it writes.

Examples:
  admin-api-conformance schema > result.schema.json
  admin-api-conformance schema config > conformance.schema.json

Exit codes: 0, 2 usage.
`;

const jsonText = (schema: object): string => `${JSON.stringify(schema, null, 2)}\n`;

const SCHEMAS = {
  result: () => jsonText(resultSchema()),
  config: () => jsonText(configurationSchema()),
  targets: () => jsonText(targetsSchema()),
  matrix: () => jsonText(matrixSchema()),
} as const;
const NAMES = Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[];

/** `schema`: the JSON Schema of a file that the tool reads or writes. */
export const command: Command = {
  usage: 'schema [NAME]',
  summary: 'print the JSON Schema of the result, the configuration, …',
  help: HELP,
  run: (args, { out }) => {
    const [which = 'result'] = parseOptions(args, [], 1).positionals;
    out.writeDocument(SCHEMAS[oneOf('schema', which, NAMES)]());
    return 0;
  },
};
