import { oneOf } from '../common/process/args.ts';
import { matrixSchema, resultSchema } from '../conformance/result/read-result.ts';
import { commandOf } from './input/command-table.ts';
import { configurationSchema } from './input/settings.ts';
import { targetsSchema } from './input/targets-file.ts';

const jsonText = (schema: object): string => `${JSON.stringify(schema, null, 2)}\n`;

const SCHEMAS = {
  result: () => jsonText(resultSchema()),
  config: () => jsonText(configurationSchema()),
  targets: () => jsonText(targetsSchema()),
  matrix: () => jsonText(matrixSchema()),
} as const;
const NAMES = Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[];

/** `schema`: the JSON Schema of a file that the tool reads or writes. */
export const command = commandOf({
  usage: 'schema [NAME]',
  summary: 'print the JSON Schema of the result, the configuration, …',
  calls: ['schema [result|config|targets|matrix]'],
  about: `Prints the JSON Schema of the result that "run --format json" and
"run --report json=PATH" write, of the configuration file, of the file of "run
--targets", or of the matrix that it writes.`,
  examples: ['schema > result.schema.json', 'schema config > conformance.schema.json'],
  exitCodes: '0, 2 usage.',
  positionals: [0, 1],
  run: ({ positionals: [which = 'result'] }, { out }) => {
    out.writeDocument(SCHEMAS[oneOf('schema', which, NAMES)]());
    return 0;
  },
});
