import { runEntry } from '../../common/process/entry.ts';
import { member } from '../../common/json.ts';
import { loadDescription } from '../../openapi-judge/src/index.ts';
import { CONTRACT } from '../base.ts';
import { allRuns, cover, falseFailures, type CoverageRow } from './coverage.ts';
import { KINDS, partsOf } from './parts.ts';

const HELP = `Usage: npm run coverage:contract

Runs the suite on the reference server and on some conforming variants, and says
of every operation, parameter, security scheme, media type, status, header,
property and requirement of the contract whether it is exercised: it occurs in an
exchange, each type of a union somewhere, and a check fails if it is corrupted
there (an operation and a media type of a request need only occur). A requirement
is exercised by a check that judges it and passes.

Exit codes: 0 everything is exercised, 1 there are holes, 2 usage.
`;

/** The coverage in words: how many of each kind, and every hole with its place in the document. */
function coverageText(info: unknown, servers: readonly string[], rows: readonly CoverageRow[]): string {
  const width = Math.max(...Object.values(KINDS).map((what) => what.length));
  const open = rows.filter(({ holes }) => holes.length > 0);
  const lines = [
    `Coverage of ${String(member(info, 'title'))}, contract ${String(member(info, 'version'))}`,
    `Runs: ${servers.join(', ')}`,
    '',
    ...Object.entries(KINDS).flatMap(([kind, what]) => {
      const own = rows.filter((row) => row.kind === kind);
      const exercised = own.filter(({ holes }) => holes.length === 0).length;
      // Kinds that the contract does not have are left out.
      return own.length === 0 ? [] : [`  ${what.padEnd(width)}  ${String(exercised).padStart(3)} of ${own.length}`];
    }),
    '',
    ...open.flatMap(({ kind, place, name, pointer, holes }) => {
      const subject = [kind, place, name].filter((part) => part !== '').join(' ');
      return holes.flatMap((hole) => [`✗ ${subject}: ${hole}`, `    ${pointer}`]);
    }),
    open.length === 0 ? `All ${rows.length} are exercised.` : `${open.length} of ${rows.length} are not exercised.`,
  ];
  return `${lines.join('\n')}\n`;
}

await runEntry({ name: 'coverage:contract', help: HELP, options: {} }, async () => {
  const contract = await loadDescription('head', CONTRACT);
  const runs = await allRuns();
  const wrong = falseFailures(runs);
  for (const each of wrong) process.stderr.write(`✗ ${each}; the coverage says nothing until it passes.\n`);
  const rows = cover(partsOf(contract), runs);
  const servers = runs.map(({ server }) => server);
  process.stdout.write(coverageText(contract.root.info, servers, rows));
  return wrong.length > 0 || rows.some(({ holes }) => holes.length > 0) ? 1 : 0;
});
