import { basename } from 'node:path';
import { tabulateObservations, type NamedResult } from '../conformance/result/observation-table.ts';
import { csvObservations, markdownObservations, prettyObservations } from '../conformance/report/observation-table.ts';
import { legibleValue } from '../common/text.ts';
import { paintFor } from '../conformance/report/paint.ts';
import { columnsOf, type Command } from './output/io.ts';
import { readResult } from '../conformance/result/read-result.ts';
import { oneOf, parseArguments, UsageError } from '../common/args.ts';

const OBSERVATIONS_HELP = `Usage: admin-api-conformance observations [NAME=]FILE.json … [options]

Tables what several targets do where the contract is silent, from their results:
one row for each open point of the contract, one column for each result. None of
it is judged. Rows in which targets differ are marked. A column is called by its
NAME, or by its file. "run --report json=PATH" writes a result; "explain ID"
tells about an open point.

  --differing                         only the rows in which targets differ
  --format pretty|markdown|csv|json   (pretty)

Example:
  admin-api-conformance observations reference=a.json ours=b.json --differing

Exit codes: 0, 2 usage.
`;

const MOST_RESULTS = 100;

/** Splits `NAME=FILE`. What has a slash before its first equals sign is a path. */
function named(argument: string): { name: string; path: string } {
  const [, name, path] = /^([^=/\\]+)=(.+)$/su.exec(argument) ?? [];
  return name === undefined || path === undefined
    ? { name: basename(argument).replace(/\.json$/i, ''), path: argument }
    : { name, path };
}

function readAll(argumentsGiven: readonly string[]): NamedResult[] {
  const given = argumentsGiven.map(named);
  const twin = given.find(({ name }, index) => given.findIndex((each) => each.name === name) < index);
  if (twin) {
    throw new UsageError(`observations: two results are called ${twin.name}; name them: NAME=${twin.path}.`);
  }
  return given.map(({ name, path }) => ({ name, result: readResult('', path) }));
}

/** `observations`: what several targets do where the contract is silent, side by side. */
export const observations: Command = (args, { out, environment }) => {
  const options = {
    differing: { type: 'boolean' },
    format: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values, positionals } = parseArguments(args, options, MOST_RESULTS);
  if (values.help === true) {
    out.write(OBSERVATIONS_HELP);
    return Promise.resolve(0);
  }
  const formats = ['pretty', 'markdown', 'csv', 'json'] as const;
  const format = oneOf('--format', (values.format as string | undefined) ?? 'pretty', formats);
  if (positionals.length === 0) {
    throw new UsageError('observations: give the results to table, such as: observations ours=a.json theirs=b.json.');
  }
  const table = tabulateObservations(readAll(positionals));
  const differing = values.differing === true;
  const texts = {
    pretty: () =>
      prettyObservations(legibleValue(table), {
        paint: paintFor(out, environment),
        width: columnsOf(out),
        differing,
      }),
    markdown: () => markdownObservations(table, differing),
    csv: () => csvObservations(table, differing),
    json: () => {
      const rows = differing ? table.rows.filter((row) => row.differs) : table.rows;
      // Undefined members would make cells of an array null without a word.
      const cells = rows.map((row) => ({ ...row, cells: row.cells.map((cell) => cell ?? null) }));
      return `${JSON.stringify({ ...table, rows: cells }, null, 2)}\n`;
    },
  };
  out.write(texts[format]());
  return Promise.resolve(0);
};
