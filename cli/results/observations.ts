import { basename } from 'node:path';
import { tabulateObservations, type NamedResult } from '../../conformance/result/several/observation-table.ts';
import { csvObservations, observationsDocument } from '../../conformance/report/documents/observations.ts';
import { markdownOf } from '../../conformance/report/markdown.ts';
import { terminalText } from '../../conformance/report/terminal/terminal.ts';
import { readResult } from '../../conformance/result/read-result.ts';
import { UsageError } from '../../common/process/args.ts';
import { legibleJson } from '../../common/text.ts';
import { commandOf } from '../input/command-table.ts';
import { formatOf, formatOption } from '../input/options.ts';
import { layoutOf } from '../output/io.ts';

const FORMATS = ['pretty', 'markdown', 'csv', 'json'] as const;
const OPTIONS = [{ flag: '--differing', meaning: 'only the rows in which targets differ' }, formatOption(FORMATS)];

const MOST_RESULTS = 100;

/** Splits `NAME=FILE`. An argument with a slash before its first equals sign is a path. */
function named(argument: string): { name: string; path: string } {
  const [, name, path] = /^([^=/\\]+)=(.+)$/su.exec(argument) ?? [];
  return name === undefined || path === undefined
    ? { name: basename(argument).replace(/\.json$/i, ''), path: argument }
    : { name, path };
}

function readAll(argumentsGiven: readonly string[]): NamedResult[] {
  const given = argumentsGiven.map(named);
  const twin = given.find(({ name }, index) => given.findIndex((each) => each.name === name) < index);
  if (twin) throw new UsageError(`observations: two results have the name ${twin.name}; write NAME=${twin.path}.`);
  return given.map(({ name, path }) => ({ name, result: readResult(path) }));
}

/** `observations`: what several targets do where the contract is silent, in one table. */
export const command = commandOf({
  usage: 'observations FILE…',
  summary: 'tabulate what targets do where the contract is silent',
  calls: ['observations [NAME=]FILE.json … [options]'],
  about: `Tabulates what several targets do where the contract is silent: a row for each
open point, a column for each result. None of it is judged. Rows in which
targets differ are marked. The head of a column is NAME or the name of the file.
"run --report json=PATH" writes a result; "explain ID" explains an open point.`,
  options: OPTIONS,
  examples: ['observations reference=a.json ours=b.json --differing'],
  exitCodes: '0, 2 usage.',
  positionals: [1, MOST_RESULTS],
  missing: 'observations: give the results, for example observations ours=a.json theirs=b.json.',
  run: (parsed, { out, environment }) => {
    const format = formatOf(parsed, FORMATS);
    const table = tabulateObservations(readAll(parsed.positionals));
    const differing = parsed.values.differing === true;
    const texts = {
      pretty: () => terminalText(observationsDocument(table, differing), layoutOf(out, environment)),
      markdown: () => markdownOf(observationsDocument(table, differing)),
      csv: () => csvObservations(table, differing),
      json: () => {
        const rows = differing ? table.rows.filter((row) => row.differs) : table.rows;
        // Undefined members would make cells of an array null without a word.
        const cells = rows.map((row) => ({ ...row, cells: row.cells.map((cell) => cell ?? null) }));
        return legibleJson({ ...table, rows: cells });
      },
    };
    (format === 'pretty' ? out.write : out.writeDocument)(texts[format]());
    return 0;
  },
});
