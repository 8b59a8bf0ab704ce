import type { CoverageRow } from './coverage.ts';
import { KINDS } from './obligations.ts';

/** The coverage of a contract: every part of it, and whether runs exercise it. */
export interface Coverage {
  readonly contract: { readonly title: string; readonly version: string };
  /** The servers that the suite was run on. */
  readonly servers: readonly string[];
  readonly rows: readonly CoverageRow[];
}

/** The coverage in words: how many of each kind, and every hole with its place in the document. */
export function coverageText({ contract, servers, rows }: Coverage): string {
  const of = Object.entries(KINDS).map(([kind, what]) => ({ what, own: rows.filter((row) => row.kind === kind) }));
  // Kinds that the contract does not have are left out.
  const kinds = of.filter(({ own }) => own.length > 0);
  const width = Math.max(...kinds.map(({ what }) => what.length));
  const open = rows.filter(({ holes }) => holes.length > 0);
  const lines = [
    `Coverage of ${contract.title}, contract ${contract.version}`,
    `Runs: ${servers.join(', ')}`,
    '',
    ...kinds.map(({ what, own }) => {
      const exercised = own.filter(({ holes }) => holes.length === 0).length;
      return `  ${what.padEnd(width)}  ${String(exercised).padStart(3)} of ${own.length}`;
    }),
    '',
    ...open.flatMap(({ kind, place, name, pointer, holes }) => {
      const subject = [kind, place, name].filter((part) => part !== '').join(' ');
      return holes.flatMap((hole) => [`✗ ${subject}: ${hole}`, `    ${pointer === '' ? '(the document)' : pointer}`]);
    }),
    open.length === 0 ? `All ${rows.length} are exercised.` : `${open.length} of ${rows.length} are not exercised.`,
  ];
  return `${lines.join('\n')}\n`;
}
