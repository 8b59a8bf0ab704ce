import { markdownCode, markdownTable } from '../../common/markdown.ts';
import type { CoverageRow } from './coverage.ts';
import { KINDS } from './obligations.ts';

/** The coverage of a contract: every part of it, and whether runs exercise it. */
export interface Coverage {
  readonly contract: { readonly title: string; readonly version: string };
  /** The servers that the suite was run on. */
  readonly servers: readonly string[];
  readonly rows: readonly CoverageRow[];
}

interface Count {
  readonly what: string;
  readonly total: number;
  readonly exercised: number;
}

/** How many of each kind there are and are exercised; kinds that the contract does not have are left out. */
export function counts({ rows }: Coverage): Count[] {
  return Object.entries(KINDS).flatMap(([kind, what]) => {
    const own = rows.filter((row) => row.kind === kind);
    const exercised = own.filter(({ holes }) => holes.length === 0).length;
    return own.length === 0 ? [] : [{ what, total: own.length, exercised }];
  });
}

function subject({ kind, place, name }: CoverageRow): string {
  return [kind, place, name].filter((part) => part !== '').join(' ');
}

function holesOf({ rows }: Coverage): { readonly row: CoverageRow; readonly hole: string }[] {
  return rows.flatMap((row) => row.holes.map((hole) => ({ row, hole })));
}

function pointerText(pointer: string): string {
  return pointer === '' ? '(the document)' : pointer;
}

/** The coverage for a terminal: how many of each kind, and every hole with its place in the document. */
export function toPretty(coverage: Coverage): string {
  const { contract, servers, rows } = coverage;
  const holes = holesOf(coverage);
  const width = Math.max(...counts(coverage).map(({ what }) => what.length));
  const lines = [
    `Coverage of ${contract.title}, contract ${contract.version}`,
    `Runs: ${servers.join(', ')}`,
    '',
    ...counts(coverage).map(
      ({ what, exercised, total }) => `  ${what.padEnd(width)}  ${String(exercised).padStart(3)} of ${total}`,
    ),
    '',
    ...holes.flatMap(({ row, hole }) => [`✗ ${subject(row)}: ${hole}`, `    ${pointerText(row.pointer)}`]),
    holes.length === 0
      ? `All ${rows.length} are exercised.`
      : `${new Set(holes.map(({ row }) => row)).size} of ${rows.length} are not exercised.`,
  ];
  return `${lines.join('\n')}\n`;
}

function seenText(seen: CoverageRow['seen']): string {
  const facets = Object.entries(seen).map(([facet, server]) => (facet === 'seen' ? server : `${facet}: ${server}`));
  return facets.join(', ');
}

/** The coverage as a Markdown document, with a row for each part of the contract. */
export function toMarkdown(coverage: Coverage): string {
  const { contract, rows } = coverage;
  const holes = holesOf(coverage);
  const cells = rows.map(({ kind, place, name, seen, noticedBy, holes: own }) => [
    kind,
    place,
    markdownCode(name),
    seenText(seen),
    noticedBy ? markdownCode(noticedBy) : '',
    own.join('; '),
  ]);
  const lines = [
    `# Coverage of ${contract.title}, contract ${contract.version}`,
    '',
    markdownTable(
      ['what', 'exercised', 'of'],
      counts(coverage).map(({ what, exercised, total }) => [what, String(exercised), String(total)]),
      ['---', '--:', '--:'],
    ),
    '',
    '## Holes',
    '',
    ...(holes.length === 0
      ? ['None.']
      : holes.map(({ row, hole }) => `- ${markdownCode(pointerText(row.pointer))} (${subject(row)}): ${hole}`)),
    '',
    '## Everything',
    '',
    markdownTable(['kind', 'where', 'what', 'seen on', 'noticed by', 'holes'], cells),
  ];
  return `${lines.join('\n')}\n`;
}

/** The coverage as data. */
export function toJson(coverage: Coverage): string {
  const { contract, servers, rows } = coverage;
  const data = {
    contract,
    servers,
    counts: counts(coverage),
    holes: rows.filter(({ holes }) => holes.length > 0),
    rows,
  };
  return `${JSON.stringify(data, null, 2)}\n`;
}
