import { z } from 'zod';
import { UsageError } from '../common/process/args.ts';
import { writeOutput } from '../common/process/files.ts';
import { legibleJson } from '../common/text.ts';
import { htmlMatrix } from '../conformance/report/html.ts';
import { judgedTarget, makeMatrix, type MatrixTarget } from '../conformance/report/matrix.ts';
import { markdownMatrix } from '../conformance/report/markdown.ts';
import { terminalMatrix, terminalReport } from '../conformance/report/terminal.ts';
import type { Command } from './command.ts';
import { argument, fileToWrite, isSet, option, resultFile, word } from './option.ts';
import { REPORTS } from './reports.ts';
import { REPORT_FORMATS } from './settings.ts';

const FORMATS = ['pretty', ...REPORT_FORMATS] as const;
const OPTIONS = {
  files: argument('RESULT…', z.array(resultFile), 'the result of one run, or of several', { repeatable: true }),
  format: option(`--format ${FORMATS.slice(0, 3).join('|')}|…`, word(FORMATS), `one of ${FORMATS.join(', ')}`, {
    default: 'pretty',
  }),
  verbose: option('--verbose, -v', isSet, 'all of it, where the format is pretty'),
  output: option('--output FILE', fileToWrite, 'a file, which is overwritten', { default: 'stdout' }),
};
const ONE = { ...REPORTS, pretty: terminalReport };
const SEVERAL = { json: legibleJson, html: htmlMatrix, markdown: markdownMatrix, pretty: terminalMatrix };

/** A result in a matrix: under the name of its file or of the folder that it is in. */
function rowOf({ path, result }: z.output<typeof resultFile>): MatrixTarget {
  return judgedTarget(path.replace(/[/\\]result\.json$|\.json$/, ''), result);
}

/** `render`: any report, from the results of earlier runs. */
export const command: Command<typeof OPTIONS> = {
  about: `Writes a report from the result of an earlier run ("run --report json=PATH" or
"run --format json > PATH"); from several results, the matrix of their targets,
as pretty, json, html or markdown. Sends no requests.`,
  options: OPTIONS,
  exitCodes: '0 written, whatever the verdict; 2 usage.',
  run: ({ files, format = 'pretty', verbose = false, output }, { out }) => {
    const [first, ...others] = files;
    if (others.length > 0 && format === 'junit')
      throw new UsageError(`render --format ${format}: this report is of one result; give one.`);
    const layout = { ...(!output && out), verbose };
    const text =
      first && others.length === 0
        ? ONE[format](first.result, layout)
        : SEVERAL[format as keyof typeof SEVERAL](makeMatrix(files.map(rowOf)), layout);
    if (output) writeOutput(output, text);
    else out.writeStyled(text);
    return 0;
  },
};
