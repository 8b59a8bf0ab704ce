import { existsSync } from 'node:fs';
import { knownIds, updateBaseline, type BaselineUpdate } from '../../conformance/result/baseline.ts';
import { wrap } from '../../conformance/report/terminal/paint.ts';
import { hint } from '../../common/nearest.ts';
import { isDate, readBaseline } from '../input/baseline-file.ts';
import { columnsOf } from '../output/io.ts';
import { readResult } from '../../conformance/result/read-result.ts';
import { UsageError } from '../../common/process/args.ts';
import { commandOf } from '../input/command-table.ts';
import { writeOutput } from '../output/output-file.ts';

const OPTIONS = [
  { flag: '--reason TEXT', meaning: 'why the new entries are known; edit the file where reasons differ' },
  { flag: '--expires DATE', meaning: 'the last day on which the new entries hold, such as 2027-01-31' },
  {
    flag: '--output FILE',
    meaning: 'update FILE: entries that still hold keep their reason and date, all others are removed',
    default: 'stdout',
  },
];

function changes({ added, renewed, kept, dropped }: BaselineUpdate, width: number): string[] {
  const named = Object.entries({ added, renewed, removed: dropped }).filter(([, ids]) => ids.length > 0);
  const lines = named.map(([word, ids]) => wrap(`${word} ${ids.length}: ${ids.join(', ')}`, width, '  ', ''));
  return [...lines, ...(kept.length > 0 ? [`kept ${kept.length}`] : [])];
}

/** @throws UsageError if an option of `baseline write` is wrong */
function checkOptions({ expires, output }: Readonly<Record<string, string>>, today: string): void {
  if (expires !== undefined && !isDate(expires))
    throw new UsageError(`--expires: ${JSON.stringify(expires)} is not a date such as 2027-01-31.`);
  if (expires !== undefined && expires < today) throw new UsageError(`--expires: ${expires} has passed.`);
  if (output !== undefined && /\.ya?ml$/i.test(output)) {
    throw new UsageError(
      `--output ${output}: a baseline is written as JSON, which would lose comments; name a .json file.`,
    );
  }
}

/** `baseline write`: a baseline from a result. */
export const command = commandOf({
  usage: 'baseline write',
  summary: 'write the known failures of a result to a file',
  calls: ['baseline write RESULT.json --reason TEXT [options]'],
  about: `Writes a baseline: an entry for every finding, and for every other check, that
kept the run of this result (run --report json=RESULT.json) from passing.
"run --baseline FILE" then passes until one of them changes.`,
  options: OPTIONS,
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
    const old = output !== undefined && existsSync(output) ? await readBaseline('--output', output) : [];
    const given = expires === undefined ? { reason } : { reason, expires };
    const update = updateBaseline(result, old, knownIds(), given, today);
    const asked = update.added.length + update.renewed.length;
    if (reason.trim() === '' && asked > 0) {
      const entries = asked === 1 ? 'There is 1 new entry' : `There are ${asked} new entries`;
      throw new UsageError(`${entries}; give the reason with --reason.`);
    }
    const text = `${JSON.stringify({ entries: update.entries }, null, 2)}\n`;
    if (output === undefined) {
      out.writeDocument(text);
      return 0;
    }
    writeOutput(`--output ${output}`, output, text);
    err.write([`wrote ${output}`, ...changes(update, columnsOf(err)), ''].join('\n'));
    return 0;
  },
});
