import { existsSync } from 'node:fs';
import { z } from 'zod';
import { hint } from '../common/nearest.ts';
import { UsageError } from '../common/process/args.ts';
import { readGivenFile, writeOutput } from '../common/process/files.ts';
import { legibleJson } from '../common/text.ts';
import { requirements } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { wanted } from '../conformance/inputs.ts';
import { parseBaseline, updateBaseline } from '../conformance/result/baseline.ts';
import { readResult } from '../conformance/result/read.ts';
import { type Command, wrapped } from './command.ts';
import { fileToWrite, flagsOf, option } from './option.ts';

const DAY = wanted('a date such as 2027-01-31');
const REASON = 'why the new entries are known; edit the file where reasons differ';
const OUTPUT = fileToWrite.refine(({ path }) => !/\.ya?ml$/i.test(path), {
  error: 'a baseline is written as JSON, which would lose comments; name a .json file.',
});
const KEEPS = 'update FILE: entries that still hold keep their reason and date, all others are removed';

const today = new Date().toISOString().slice(0, 10);
const OPTIONS = {
  reason: option('--reason TEXT', z.string(), REASON),
  expires: option(
    '--expires DATE',
    z.iso.date(DAY).refine((day) => day >= today, { error: ({ input }) => `${String(input)} has passed.` }),
    'the last day on which the new entries hold, such as 2027-01-31',
  ),
  output: option('--output FILE', OUTPUT, KEEPS, { default: 'stdout' }),
};

/** `baseline write`: a baseline from a result. */
export const command: Command = {
  usage: 'baseline write RESULT.json --reason TEXT',
  about: `Writes a baseline: an entry for every check that kept the run of this result
(run --report json=RESULT.json) from passing. "run --baseline FILE" then passes
until one of them changes.`,
  options: { '': OPTIONS },
  exitCodes: '0 written, 2 usage.',
  positionals: [0, 2],
  run: async (parsed, { out, err }) => {
    const [verb, path] = parsed.positionals;
    if (verb !== 'write') {
      const what = verb === undefined ? '' : `${verb}: unknown command.${hint(verb, ['write'])} `;
      throw new UsageError(`baseline: ${what}The command is: baseline write RESULT.json --reason TEXT.`);
    }
    if (path === undefined)
      throw new UsageError('baseline write: give the result of a run; "run --report json=PATH" writes one.');
    const { reason = '', expires, output } = flagsOf(OPTIONS, parsed);
    const result = readResult(path);
    if (result.verdict === 'interrupted' || result.verdict === 'error')
      throw new UsageError(`${path}: a result with the verdict ${result.verdict} cannot give a baseline; run again.`);
    const isUpdate = output !== undefined && existsSync(output.path);
    const old = isUpdate ? await parseBaseline(output.path, readGivenFile(output.path)) : [];
    const given = { reason, ...(expires !== undefined && { expires }) };
    const ids = new Set([...checks, ...requirements].map(({ id }) => id));
    const entries = updateBaseline(result, old, given, today, ids);
    const added = entries.filter((entry) => !old.includes(entry));
    if (reason.trim() === '' && added.length > 0) {
      const many = added.length === 1 ? 'is 1 new entry' : `are ${added.length} new entries`;
      throw new UsageError(`There ${many}; give --reason TEXT.`);
    }
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
