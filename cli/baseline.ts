import { existsSync, writeFileSync } from 'node:fs';
import { updateBaseline, type BaselineUpdate } from '../conformance/result/baseline.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { explorationCheck } from '../conformance/operations/update-user/exploration.ts';
import { wrap } from '../conformance/report/paint.ts';
import { hint } from '../common/nearest.ts';
import { isDate, readBaseline } from './input/baseline-file.ts';
import { columnsOf, type Command } from './output/io.ts';
import { readResult } from '../conformance/result/read-result.ts';
import { parseArguments, UsageError } from '../common/args.ts';

const BASELINE_HELP = `Usage: admin-api-conformance baseline write RESULT.json --reason TEXT [options]

Writes a baseline: an entry for each check on account of which the run of this
result (run --report json=RESULT.json) is not passed. "run --baseline FILE" then
passes until one of them changes.

  --reason TEXT       why they are excused; of the new entries. Edit the file
                      where they differ
  --expires DATE      the last day on which the new entries hold (2027-01-31)
  --output FILE       writes into FILE. Entries there that still hold keep their
                      reason and date; those that do not are taken out. Without
                      it the baseline goes to stdout
`;

function changes({ added, renewed, kept, dropped }: BaselineUpdate, width: number): string[] {
  const named: readonly (readonly [word: string, ids: readonly string[]])[] = [
    ['added', added],
    ['renewed', renewed],
    ['taken out', dropped],
  ];
  const lines = named.flatMap(([word, ids]) =>
    ids.length === 0 ? [] : [wrap(`${word} ${ids.length}: ${ids.join(', ')}`, width, '  ', '')],
  );
  return [...lines, ...(kept.length > 0 ? [`kept ${kept.length}`] : [])];
}

/** `baseline write`: a baseline from a result. */
export const baseline: Command = async (args, { out, err }) => {
  const options = {
    reason: { type: 'string' },
    expires: { type: 'string' },
    output: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values, positionals } = parseArguments(args, options, 2);
  if (values.help === true) {
    out.write(BASELINE_HELP);
    return 0;
  }
  const [verb, path] = positionals;
  if (verb !== 'write') {
    const what = verb === undefined ? '' : `${verb}: there is no such command.${hint(verb, ['write'])} `;
    throw new UsageError(`baseline: ${what}Write: baseline write RESULT.json --reason TEXT.`);
  }
  if (path === undefined)
    throw new UsageError('baseline write: give the result, as "run --report json=PATH" wrote it.');
  const { reason = '', expires, output } = values as { reason?: string; expires?: string; output?: string };
  if (expires !== undefined && !isDate(expires)) {
    throw new UsageError(`--expires: ${JSON.stringify(expires)} is no date such as 2027-01-31.`);
  }
  const today = new Date().toISOString().slice(0, 10);
  if (expires !== undefined && expires < today) throw new UsageError(`--expires: ${expires} has passed.`);
  if (output !== undefined && /\.ya?ml$/i.test(output)) {
    throw new UsageError(
      `--output ${output}: a baseline is written as JSON, and comments would be lost; name a .json file.`,
    );
  }
  const result = readResult('', path);
  if (result.verdict === 'interrupted' || result.verdict === 'error') {
    throw new UsageError(`${path}: the verdict is ${result.verdict}, so nothing can be excused by it; run again.`);
  }
  const old = output !== undefined && existsSync(output) ? await readBaseline('--output', output) : [];
  const known = new Set([...checks, explorationCheck].map(({ id }) => id));
  const given = expires === undefined ? { reason } : { reason, expires };
  const update = updateBaseline(result, old, known, given, today);
  const asked = update.added.length + update.renewed.length;
  if (reason.trim() === '' && asked > 0) {
    const entries = asked === 1 ? 'There is 1 new entry' : `There are ${asked} new entries`;
    throw new UsageError(`${entries}; say with --reason why these checks are excused.`);
  }
  const text = `${JSON.stringify({ entries: update.entries }, null, 2)}\n`;
  if (output === undefined) {
    out.write(text);
    return 0;
  }
  try {
    writeFileSync(output, text);
  } catch (error) {
    throw new UsageError(`--output ${output}: it cannot be written: ${(error as Error).message}.`);
  }
  err.write([`wrote ${output}`, ...changes(update, columnsOf(err)), ''].join('\n'));
  return 0;
};
