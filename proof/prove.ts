import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mapBounded } from '../common/pool.ts';
import { defects, variants } from './catalogue.ts';
import { chosenBy } from './chosen.ts';
import { checkGate, defectGates, type Gate, isOpen, type Proved, variantGate } from './gates.ts';
import { proveIndependent } from './independent.ts';
import { judgeServer } from './judge.ts';
import { resists } from './resists.ts';
import type { Defect, Variant } from './server.ts';
import { stubGate, stubs } from './servers/stubs.ts';

const HELP = `Usage: npm run prove -- [--only GLOB]... [--independent]

Judges every defect, conforming variant and stub server of the proof with the
whole suite, and lists what does not hold. The exit code is 1 if a gate fails.

  --only GLOB    only the servers whose id matches
  --independent  the faults and variants of proof/independent/server.py instead
`;

/** Servers judged at once: some of them take their time. */
const AT_ONCE = 8;

function judgeAll<Server extends Defect | Variant>(servers: readonly Server[]): Promise<Proved<Server>[]> {
  return mapBounded(servers, AT_ONCE, async (server) => ({ server, ...(await judgeServer(server)) }));
}

/** The gates over the servers that are chosen; that over the checks needs every defect. */
export async function prove(isChosen: (id: string) => boolean, isWhole: boolean): Promise<Gate[]> {
  const chosen = <Server extends { readonly id: string }>(servers: readonly Server[]): Server[] =>
    servers.filter(({ id }) => isChosen(id));
  const provedVariants = await judgeAll(chosen(variants));
  const proved = await judgeAll(chosen(defects));
  const known = proved.filter(({ server }) => !Object.hasOwn(resists, server.id));
  return [
    ...defectGates(known),
    variantGate(provedVariants),
    await stubGate(chosen(stubs)),
    resistingGate(proved.filter(({ server }) => Object.hasOwn(resists, server.id))),
    ...(isWhole ? [checkGate(proved)] : []),
  ];
}

/** What resists, shown and counted. Some of it is judged right at times, depending on which request meets the fault. */
function resistingGate(proved: readonly Proved<Defect>[]): Gate {
  const isCured = (each: Proved<Defect>): boolean => defectGates([each]).every(({ broken }) => broken.length === 0);
  const cured = proved.filter(isCured).map(({ server }) => `${server.id}: it is judged right this time`);
  return {
    title: 'defects that resist',
    held: proved.length - cured.length,
    of: proved.length,
    least: 0,
    broken: cured,
  };
}

/** Prints the gates, with what does not hold. @returns whether all are open */
export function print(gates: readonly Gate[]): boolean {
  for (const { title, held, of, least, broken } of gates) {
    const isGood = isOpen({ title, held, of, least, broken });
    process.stdout.write(`${isGood ? '✓' : '✗'} ${title.padEnd(46)} ${held} of ${of}\n`);
    for (const each of broken) process.stdout.write(`    ${each}\n`);
  }
  return gates.every(isOpen);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      independent: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const started = performance.now();
  const globs = values.only ?? [];
  const isChosen = chosenBy(globs);
  const gates = values.independent ? await proveIndependent(isChosen) : await prove(isChosen, globs.length === 0);
  if (gates.every(({ of }) => of === 0)) {
    process.stderr.write(`--only ${globs.join(', ')}: no server has such an id; * stands for any text.\n`);
    return 2;
  }
  const isGood = print(gates);
  if (!values.independent) printResisting(isChosen);
  process.stdout.write(`${Math.round((performance.now() - started) / 1000)} s\n`);
  return isGood ? 0 : 1;
}

function printResisting(isChosen: (id: string) => boolean): void {
  for (const [id, why] of Object.entries(resists)) if (isChosen(id)) process.stdout.write(`  ${id} resists: ${why}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main();
