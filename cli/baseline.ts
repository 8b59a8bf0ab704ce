import { existsSync } from 'node:fs';
import { hint } from '../common/nearest.ts';
import { readGivenFile, UsageError } from '../common/process/args.ts';
import { legibleJson } from '../common/text.ts';
import { requirements } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { baselineSchema, parseBaseline, updateBaseline } from '../conformance/result/baseline.ts';
import { readResult } from '../conformance/result/read.ts';
import { type Command, wrapped } from './command.ts';
import { columnsOf } from './io.ts';
import { writeOutput } from './output-file.ts';

/** @throws UsageError if an option of `baseline write` is wrong */
function checkOptions({ expires, output }: Readonly<Record<string, string>>, today: string): void {
  const { expires: day } = baselineSchema.shape.entries.element.shape;
  if (!day.safeParse(expires).success)
    throw new UsageError(`--expires: ${JSON.stringify(expires)} is not a date such as 2027-01-31.`);
  if (expires !== undefined && expires < today) throw new UsageError(`--expires: ${expires} has passed.`);
  if (output !== undefined && /\.ya?ml$/i.test(output))
    throw new UsageError(
      `--output ${output}: a baseline is written as JSON, which would lose comments; name a .json file.`,
    );
}

/** `baseline write`: a baseline from a result. */
export const command: Command = {
  usage: 'baseline write',
  summary: 'write the known failures of a result to a file',
  calls: ['baseline write RESULT.json --reason TEXT [options]'],
  about: `Writes a baseline: an entry for every check that kept the run of this result
(run --report json=RESULT.json) from passing. "run --baseline FILE" then passes
until one of them changes.`,
  options: [
    { flag: '--reason TEXT', meaning: 'why the new entries are known; edit the file where reasons differ' },
    { flag: '--expires DATE', meaning: 'the last day on which the new entries hold, such as 2027-01-31' },
    {
      flag: '--output FILE',
      meaning: 'update FILE: entries that still hold keep their reason and date, all others are removed',
      default: 'stdout',
    },
  ],
  exitCodes: '0 written, 2 usage.',
  positionals: [0, 2],
  run: async ({ values, positionals: [verb, path] }, { out, err }) => {
    if (verb !== 'write') {
      const what = verb === undefined ? '' : `${verb}: unknown command.${hint(verb, ['write'])} `;
      throw new UsageError(`baseline: ${what}The command is: baseline write RESULT.json --reason TEXT.`);
    }
    if (path === undefined)
      throw new UsageError('baseline write: give the result of a run; "run --report json=PATH" writes one.');
    const today = new Date().toISOString().slice(0, 10);
    const options = values as Readonly<Record<string, string>>;
    checkOptions(options, today);
    const { reason = '', expires, output } = options;
    const result = readResult(path);
    if (result.verdict === 'interrupted' || result.verdict === 'error')
      throw new UsageError(`${path}: a result with the verdict ${result.verdict} cannot give a baseline; run again.`);
    const isUpdate = output !== undefined && existsSync(output);
    const old = isUpdate ? await parseBaseline(output, readGivenFile('--output', output)) : [];
    const given = { reason, ...(expires !== undefined && { expires }) };
    const ids = new Set([...checks, ...requirements].map(({ id }) => id));
    const { entries, added, renewed, kept, removed } = updateBaseline(result, old, given, today, ids);
    if (reason.trim() === '' && added.length + renewed.length > 0)
      throw new UsageError(`${added.length + renewed.length} entries are new; give the reason with --reason.`);
    const text = legibleJson({ entries });
    if (output === undefined) {
      out.writeDocument(text);
      return 0;
    }
    writeOutput({ given: `--output ${output}`, path: output }, text);
    const named = Object.entries({ added, renewed, removed }).filter(([, each]) => each.length > 0);
    const lines = named.map(([word, each]) => `${word} ${each.length}: ${each.join(', ')}`);
    err.write(`wrote ${output}\n`);
    for (const line of [...lines, `kept ${kept.length}`]) err.write(`${wrapped(line, columnsOf(err), '  ', '')}\n`);
    return 0;
  },
};
