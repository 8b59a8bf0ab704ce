import { writeFileSync } from 'node:fs';
import { paintFor } from '../conformance/report/paint.ts';
import { prettyReport } from '../conformance/report/terminal/pretty.ts';
import { REPORT_FORMATS, REPORTS } from '../conformance/report/formats.ts';
import { columnsOf, type Command } from './output/io.ts';
import { checkOutputPath } from './output/output-file.ts';
import { readResult } from '../conformance/result/read-result.ts';
import { oneOf, parseArguments, UsageError } from '../common/args.ts';

const RENDER_HELP = `Usage: admin-api-conformance render RESULT.json --format F [--output FILE]

Writes a report from the result of an earlier run ("run --report json=PATH", or
"run --format json > PATH"). The target is not asked again.

  --format F       pretty    for a terminal, as run prints it (the default)
                   html      one page for people; needs no network, no script
                   markdown  a comment on a pull request, a job summary
                   junit     JUnit XML for Jenkins, GitLab, Azure DevOps, …
                   ctrf      Common Test Report Format
                   badge     an endpoint for shields.io
                   json      the result itself
  --output FILE    a file, which is overwritten; by default stdout

Exit codes: 0 written, whatever the verdict; 2 usage.
`;

const FORMATS = ['pretty', ...REPORT_FORMATS] as const;

/** `render`: any report, from the result of an earlier run. */
export const render: Command = (args, { out, environment }) => {
  const options = {
    format: { type: 'string' },
    output: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values, positionals } = parseArguments(args, options, 1);
  if (values.help === true) {
    out.write(RENDER_HELP);
    return Promise.resolve(0);
  }
  const format = oneOf('--format', (values.format as string | undefined) ?? 'pretty', FORMATS);
  const output = values.output as string | undefined;
  const [path] = positionals;
  if (path === undefined)
    throw new UsageError('render: give the result of a run; "run --report json=PATH" writes one.');
  if (output !== undefined) checkOutputPath(`--output ${output}`, output);
  const result = readResult('', path);
  const stream = output === undefined ? out : {};
  const text =
    format === 'pretty'
      ? prettyReport(result, { paint: paintFor(stream, environment), width: columnsOf(stream) })
      : REPORTS[format](result);
  if (output === undefined) {
    out.write(text);
  } else {
    try {
      writeFileSync(output, text);
    } catch (error) {
      throw new UsageError(`--output ${output}: it cannot be written: ${(error as Error).message}.`);
    }
  }
  return Promise.resolve(0);
};
