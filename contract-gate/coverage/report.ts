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
function counts({ rows }: Coverage): Count[] {
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

/** The coverage in words: how many of each kind, and every hole with its place in the document. */
export function coverageText(coverage: Coverage): string {
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
