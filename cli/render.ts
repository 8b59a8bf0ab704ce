import { basename } from 'node:path';
import { UsageError } from '../common/process/args.ts';
import { htmlMatrix } from '../conformance/report/html.ts';
import { markdownMatrix } from '../conformance/report/markdown.ts';
import { terminalMatrix, terminalReport } from '../conformance/report/terminal.ts';
import { judgedTarget, makeMatrix, type Matrix } from '../conformance/result/matrix.ts';
import { readResult } from '../conformance/result/read.ts';
import { type Command, formatOf } from './command.ts';
import { checkOutputPath, writeOutput } from './output-file.ts';
import { layoutOf, REPORTS } from './reports.ts';
import { REPORT_FORMATS } from './settings.ts';
import { matrixJson } from './targets.ts';

const FORMATS = ['pretty', ...REPORT_FORMATS] as const;

/** The results of several targets as one matrix, each under the name of its file or of the folder that it is in. */
function matrixOf(paths: readonly string[]): Matrix {
  const names = paths.map((path) => path.replace(/[/\\]result\.json$|\.json$/, '')).map((path) => basename(path));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw new UsageError(`render: two results have the name ${twice}; rename a file, or the folder that it is in.`);
  return makeMatrix(paths.map((path, index) => judgedTarget(names[index] ?? path, readResult(path))));
}

/** `render`: any report, from the results of earlier runs. */
export const command: Command = {
  usage: 'render RESULT…',
  summary: 'write a report from the results of earlier runs',
  calls: ['render RESULT.json… [options]'],
  about: `Writes a report from the result of an earlier run ("run --report json=PATH" or
"run --format json > PATH"); from several results, the matrix of their targets,
as pretty, json, html or markdown. Sends no requests.`,
  options: [
    { flag: '--format FORMAT', meaning: 'the report, see below', default: FORMATS[0] },
    { flag: '--output FILE', meaning: 'a file, which is overwritten', default: 'stdout' },
  ],
  more: `Formats:
  pretty            for a terminal, as run prints it
  html              a page for people; needs no network and no script
  markdown          a comment on a pull request, a job summary
  junit             JUnit XML for Jenkins, GitLab, Azure DevOps, …
  har               HTTP Archive 1.2, for a browser's developer tools
  json              the result itself`,
  exitCodes: '0 written, whatever the verdict; 2 usage.',
  positionals: [1, 10_000],
  missing: 'render: give the result of a run; "run --report json=PATH" writes one.',
  run: async (parsed, io) => {
    const { positionals: paths, values } = parsed;
    const format = formatOf(parsed, FORMATS);
    const output = values.output === undefined ? undefined : String(values.output);
    const given = `--output ${output ?? ''}`;
    if (output !== undefined) checkOutputPath(given, output);
    const layout = output === undefined ? layoutOf(io.out, io) : {};
    const ofMatrix = { pretty: terminalMatrix, json: matrixJson, html: htmlMatrix, markdown: markdownMatrix };
    const ofResult = { ...REPORTS, pretty: terminalReport };
    const [path = '', ...others] = paths;
    let text: string;
    if (others.length === 0) text = await ofResult[format](readResult(path), layout);
    else {
      if (format === 'junit' || format === 'har')
        throw new UsageError(`render --format ${format}: this report is of one result; give one.`);
      text = ofMatrix[format](matrixOf(paths), layout);
    }
    if (output !== undefined) writeOutput({ given, path: output }, text);
    else if (format === 'pretty') io.out.write(text);
    else io.out.writeDocument(text);
    return 0;
  },
};
