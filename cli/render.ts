import { UsageError } from '../common/process/args.ts';
import { writeOutput } from '../common/process/files.ts';
import { legibleJson } from '../common/text.ts';
import { htmlMatrix } from '../conformance/report/html.ts';
import { judgedTarget, makeMatrix, type Matrix } from '../conformance/report/matrix.ts';
import { markdownMatrix } from '../conformance/report/markdown.ts';
import { terminalMatrix, terminalReport } from '../conformance/report/terminal.ts';
import { readResult } from '../conformance/result/read.ts';
import type { Command } from './command.ts';
import { fileToWrite, flagsOf, option, word } from './option.ts';
import { REPORTS } from './reports.ts';
import { REPORT_FORMATS } from './settings.ts';

const FORMATS = ['pretty', ...REPORT_FORMATS] as const;
const OPTIONS = {
  format: option(`--format ${FORMATS.slice(0, 3).join('|')}|…`, word(FORMATS), `one of ${FORMATS.join(', ')}`, {
    default: 'pretty',
  }),
  output: option('--output FILE', fileToWrite, 'a file, which is overwritten', { default: 'stdout' }),
};
const ONE = { ...REPORTS, pretty: terminalReport };
const SEVERAL = { json: legibleJson, html: htmlMatrix, markdown: markdownMatrix, pretty: terminalMatrix };

/** The results of several targets as one matrix, each under the name of its file or of the folder that it is in. */
function matrixOf(paths: readonly string[]): Matrix {
  return makeMatrix(
    paths.map((path) => judgedTarget(path.replace(/[/\\]result\.json$|\.json$/, ''), readResult(path))),
  );
}

/** `render`: any report, from the results of earlier runs. */
export const command: Command = {
  usage: 'render RESULT.json…',
  about: `Writes a report from the result of an earlier run ("run --report json=PATH" or
"run --format json > PATH"); from several results, the matrix of their targets,
as pretty, json, html or markdown. Sends no requests.`,
  options: { '': OPTIONS },
  exitCodes: '0 written, whatever the verdict; 2 usage.',
  positionals: [1, 10_000, 'render: give the result of a run; "run --report json=PATH" writes one.'],
  run: (parsed, { out }) => {
    const { format = 'pretty', output } = flagsOf(OPTIONS, parsed);
    const [path = '', ...others] = parsed.positionals;
    const isOne = others.length === 0;
    if (!isOne && (format === 'junit' || format === 'har'))
      throw new UsageError(`render --format ${format}: this report is of one result; give one.`);
    const layout = output ? {} : out;
    const text = isOne
      ? ONE[format](readResult(path), layout)
      : SEVERAL[format as keyof typeof SEVERAL](matrixOf([path, ...others]), layout);
    if (output) writeOutput(output, text);
    else out.write(text);
    return 0;
  },
};
