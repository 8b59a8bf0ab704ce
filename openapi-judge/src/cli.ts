import { oneOf, UsageError, type OptionDefinitions } from '../../common/process/args.ts';
import { readFileSync } from 'node:fs';
import { runEntry } from '../../common/process/entry.ts';
import { withoutCommands } from '../../common/github.ts';
import { annotationsOf } from './annotations.ts';
import { classify, type Extensions } from './classify.ts';
import type { Judgement } from './change.ts';
import { loadDescription } from './load.ts';
import { toMarkdown, toText } from './report.ts';

const FORMATS = ['pretty', 'json', 'markdown', 'github'] as const;
const FAIL_ON = ['none', 'clients', 'implementers', 'any'] as const;
type FailOn = (typeof FAIL_ON)[number];

/** How the command is called, and what it knows beside OpenAPI. */
interface Command {
  readonly name: string;
  /** How it is written on a command line. */
  readonly usage: string;
  readonly format: (typeof FORMATS)[number];
  readonly extensions?: Extensions;
  /** What `--version` prints. */
  readonly version?: string;
}

function helpOf({ usage, format, version }: Command): string {
  return `Usage: ${usage} BASE HEAD [options]

Judges the change from one OpenAPI 3.x document to another: whether it breaks
clients, whether it breaks implementers, and which version bump it requires.

  BASE, HEAD     files, YAML or JSON; "-" is the standard input
  --format F     ${FORMATS.join(', ')} (default: ${format})
  --fail-on W    exit 1 if it breaks ${FAIL_ON.slice(1).join(', ')} (default: none)
  --verbose      every change, and where it stands (pretty)
  --redocly      asks "redocly diff" too, and shows where it judges differently
                 (several times as slow; needs @redocly/cli)
${version === undefined ? '' : '  --version      the version of this tool\n'}
Exit codes: 0 a judgement was reached, 1 it is what --fail-on names, 2 usage, or
a document that cannot be read.
`;
}

function fails({ clients, implementers }: Judgement, on: FailOn): boolean {
  const broken = { none: false, clients: clients === 'breaking', implementers: implementers === 'breaking' };
  return on === 'any' ? broken.clients || broken.implementers : broken[on];
}

/** Runs the judge with the arguments of this process. */
export async function runJudge(command: Command): Promise<void> {
  const { name, usage, extensions, version } = command;
  const options: OptionDefinitions = {
    format: { type: 'string', default: command.format },
    'fail-on': { type: 'string', default: 'none' },
    redocly: { type: 'boolean' },
    verbose: { type: 'boolean' },
    ...(version === undefined ? {} : { version: { type: 'boolean' } }),
  };
  await runEntry({ name, help: helpOf(command), options, positionals: 2 }, async ({ values, positionals }) => {
    if (values.version === true) {
      process.stdout.write(`${version ?? ''}\n`);
      return 0;
    }
    const format = oneOf('--format', String(values.format), FORMATS);
    const failOn = oneOf('--fail-on', String(values['fail-on']), FAIL_ON);
    const [base, head] = positionals;
    if (base === undefined || head === undefined) throw new UsageError(`Two documents are needed: ${usage} BASE HEAD`);
    const documents = [await loadDescription('base', base), await loadDescription('head', head)] as const;
    const ask = values.redocly === true ? (await import('./redocly.ts')).redoclyBothWays : undefined;
    const judgement = await classify(...documents, { ask, ...(extensions && { extensions }) });
    const pretty = toText(judgement, values.verbose === true);
    const written = {
      json: () => `${JSON.stringify(judgement, null, 2)}\n`,
      pretty: () => pretty,
      markdown: () => toMarkdown(judgement),
      github: () =>
        `${annotationsOf(judgement, head, head === '-' ? '' : readFileSync(head, 'utf8'))}${withoutCommands(pretty, process.env)}`,
    };
    process.stdout.write(written[format]());
    return fails(judgement, failOn) ? 1 : 0;
  });
}
