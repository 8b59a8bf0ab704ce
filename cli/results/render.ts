import { resultDocument } from '../../conformance/report/documents/result.ts';
import { REPORT_FORMATS, REPORTS } from '../../conformance/report/formats.ts';
import { terminalText } from '../../conformance/report/terminal/terminal.ts';
import { readResult } from '../../conformance/result/read-result.ts';
import { commandOf } from '../input/command-table.ts';
import { formatOf } from '../input/options.ts';
import { layoutOf } from '../output/io.ts';
import { checkOutputPath, writeOutput } from '../output/output-file.ts';

const FORMATS = ['pretty', ...REPORT_FORMATS] as const;
const OPTIONS = [
  { flag: '--format FORMAT', meaning: 'the report, see below', default: FORMATS[0] },
  { flag: '--output FILE', meaning: 'a file, which is overwritten', default: 'stdout' },
];

/** `render`: any report, from the result of an earlier run. */
export const command = commandOf({
  usage: 'render RESULT',
  summary: 'write a report from the result of an earlier run',
  calls: ['render RESULT.json [options]'],
  about: `Writes a report from the result of an earlier run ("run --report json=PATH" or
"run --format json > PATH"). Sends no requests.`,
  options: OPTIONS,
  more: `Formats:
  pretty            for a terminal, as run prints it
  html              a page for people; needs no network and no script
  markdown          a comment on a pull request, a job summary
  junit             JUnit XML for Jenkins, GitLab, Azure DevOps, …
  ctrf              Common Test Report Format
  badge             an endpoint for shields.io
  har               HTTP Archive 1.2, for a browser's developer tools
  json              the result itself`,
  exitCodes: '0 written, whatever the verdict; 2 usage.',
  positionals: [1, 1],
  missing: 'render: give the result of a run; "run --report json=PATH" writes one.',
  run: async (parsed, { out, environment }) => {
    const format = formatOf(parsed, FORMATS);
    const output = parsed.values.output as string | undefined;
    const [path = ''] = parsed.positionals;
    if (output !== undefined) checkOutputPath(`--output ${output}`, output);
    const result = readResult(path);
    const text =
      format === 'pretty'
        ? terminalText(resultDocument(result), layoutOf(output === undefined ? out : {}, environment))
        : await REPORTS[format](result);
    if (output === undefined) (format === 'pretty' ? out.write : out.writeDocument)(text);
    else writeOutput(`--output ${output}`, output, text);
    return 0;
  },
});
