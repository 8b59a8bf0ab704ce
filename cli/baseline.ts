import { existsSync } from 'node:fs';
import { z } from 'zod';
import { UsageError } from '../common/process/args.ts';
import { readGivenFile, writeOutput } from '../common/process/files.ts';
import { legibleJson } from '../common/text.ts';
import { requirements } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { parseBaseline, updateBaseline } from '../conformance/result/baseline.ts';
import { type Command, wrapped } from './command.ts';
import { argument, fileToWrite, option, resultFile, word } from './option.ts';

const DAY = 'give a date such as 2027-01-31.';
const today = new Date().toISOString().slice(0, 10);
const expiry = z.iso.date(DAY).refine((day) => day >= today, { error: ({ input }) => `${String(input)} has passed.` });
const jsonFile = fileToWrite.refine(({ path }) => !/\.ya?ml$/i.test(path), {
  error: 'a baseline is written as JSON, which would lose comments; name a .json file.',
});
const KEEPS = 'update FILE: entries that still hold keep their reason and date, all others are removed';
const AS_IN = 'as in: baseline write RESULT.json --reason TEXT';
const OPTIONS = {
  verb: argument('write', word(['write']), AS_IN),
  from: argument('RESULT', resultFile, `the result of a run, ${AS_IN}`),
  reason: option('--reason TEXT', z.string(), 'why the new entries are known; edit the file where reasons differ'),
  expires: option('--expires DATE', expiry, 'the last day on which the new entries hold, such as 2027-01-31'),
  output: option('--output FILE', jsonFile, KEEPS, { default: 'stdout' }),
};

/** `baseline write`: a baseline from a result. */
export const command: Command<typeof OPTIONS> = {
  about: `Writes a baseline: an entry for every check that kept the run of this result
(run --report json=RESULT.json) from passing. "run --baseline FILE" then passes
until one of them changes.`,
  options: OPTIONS,
  exitCodes: '0 written, 2 usage.',
  run: ({ from: { path, result }, reason = '', expires, output }, { out, err }) => {
    if (result.verdict === 'interrupted' || result.verdict === 'error')
      throw new UsageError(`${path}: a result with the verdict ${result.verdict} cannot give a baseline; run again.`);
    const isUpdate = output !== undefined && existsSync(output.path);
    const old = isUpdate ? parseBaseline(output.path, readGivenFile(output.path)) : [];
    const ids = new Set([...checks, ...requirements].map(({ id }) => id));
    const entries = updateBaseline(result, { entries: old, today, ids }, { reason, expires });
    const added = entries.filter((entry) => !old.includes(entry));
    if (reason.trim() === '' && added.length > 0)
      throw new UsageError(`New: ${added.map(({ check }) => check).join(', ')}; give --reason TEXT.`);
    const text = legibleJson({ entries });
    if (output === undefined) {
      out.write(text);
      return 0;
    }
    writeOutput(output, text);
    const removed = old.filter((entry) => !entries.includes(entry));
    const lines = Object.entries({ added, removed })
      .filter(([, each]) => each.length > 0)
      .map(([word, each]) => `${word} ${each.length}: ${each.map(({ check }) => check).join(', ')}`);
    for (const line of [`wrote ${output.path}`, ...lines, `kept ${entries.length - added.length}`])
      err.write(`${wrapped(line, err.width, '  ', '')}\n`);
    return 0;
  },
};
