import { checks } from '../conformance/checks/catalogue.ts';
import { defects, variants } from './catalogue.ts';
import { chosenBy, type Gate, gate, linesOf } from './gate.ts';
import { proveIndependent } from './independent.ts';
import { brokenIn, errorsIn, hasMust, type Judged, told } from './judge.ts';
import { provePairs } from './pairs.ts';
import { runProgram } from './program.ts';
import { resists } from './resists.ts';
import { proveRounds } from './rounds.ts';
import type { Defect, Variant } from './server.ts';
import { stubGate, stubs } from './servers/stubs.ts';
import { judgeInThreads } from './threads.ts';

const HELP = `Usage: npm run prove -- [--only GLOB]... [--independent | --pairs [--step N] |
                        --rounds N]

Judges every defect, conforming variant and stub server of the proof with the
whole suite, and lists what does not hold. The exit code is 1 if something does
not hold that proof/resists.ts does not name.

  --only GLOB    only the servers whose id matches
  --independent  the faults and variants of proof/independent/server.py instead
  --pairs        servers with two faults instead: each second one beside the
                 commonest first ones; --only chooses first ones
  --rounds N     the conforming variants in which chance or time has a part
                 instead, each N times
  --step N       takes each Nth defect as the second one; default 1
`;

/** One server of the proof, and what its run showed. */
export interface Proved<Server> extends Judged {
  readonly server: Server;
}

async function judgeAll<Server extends Defect | Variant>(servers: readonly Server[]): Promise<Proved<Server>[]> {
  const judged = await judgeInThreads(servers);
  return judged.map(({ job, ...shown }) => ({ server: job, ...shown }));
}

const shown = ({ server, result }: Proved<Defect | Variant>): string => `${server.id}: ${told(result)}`;

const resisting = ({ server: { id } }: Proved<Defect | Variant>): string | undefined =>
  Object.hasOwn(resists, id) ? `${id} resists: ${resists[id]}` : undefined;

/** What the defects show. Each should fail what it breaks, and nothing else; where one resists, that is shown and counted. */
export function defectGates(proved: readonly Proved<Defect>[]): Gate[] {
  const holds = (title: string, is: (broken: readonly string[], defect: Defect) => boolean, all = proved): Gate =>
    gate(title, all, (each) => (is(brokenIn(each.result), each.server) ? undefined : shown(each)), resisting);
  const ofMust = proved.filter(({ server }) => hasMust(server.breaks));
  return [
    holds('defects killed', (broken) => broken.length > 0),
    holds('defects of a must killed by a must', hasMust, ofMust),
    holds('defects killed by a requirement they break', (broken, { breaks }) =>
      broken.some((id) => breaks.includes(id)),
    ),
    holds('defects not blamed for another one', (broken, { breaks }) => broken.every((id) => breaks.includes(id))),
    gate('defects without an error of the suite', proved, (each) => errorsIn(each.result)[0] && shown(each)),
  ];
}

/** What the conforming variants show: none fails, their users are restored, and their runs pass; where one resists, that is shown. */
export function variantGates(proved: readonly Proved<Variant>[]): Gate[] {
  const fault = (each: Proved<Variant>): string | undefined => {
    const { server, result, isRestored } = each;
    if (brokenIn(result).length > 0 || errorsIn(result).length > 0) return shown(each);
    return isRestored || server.notRestored ? undefined : `${server.id}: its users are not restored`;
  };
  const doubt = (each: Proved<Variant>): string | undefined =>
    each.result.verdict === 'passed' ? undefined : shown(each);
  return [
    gate('variants that do not fail, and are restored', proved, fault),
    gate('variants that pass', proved, doubt, resisting),
  ];
}

/** Whether each check fails on a defect. */
export function checkGate(proved: readonly Proved<Defect>[]): Gate {
  const failed = new Set(
    proved.flatMap(({ result }) => result.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)),
  );
  return gate('checks that kill a defect', checks, ({ id }) => (failed.has(id) ? undefined : id));
}

/** The gates over the servers that are chosen; that over the checks needs every defect. */
export async function prove(globs: readonly string[]): Promise<Gate[]> {
  const isChosen = chosenBy(globs);
  const chosen = <Server extends { readonly id: string }>(servers: readonly Server[]): Server[] =>
    servers.filter(({ id }) => isChosen(id));
  // All in one go: no core waits for the slowest server of a kind.
  const [all, ofStubs] = await Promise.all([
    judgeAll([...chosen(variants), ...chosen(defects)]),
    stubGate(chosen(stubs)),
  ]);
  const proved = all.filter((each): each is Proved<Defect> => 'breaks' in each.server);
  const provedVariants = all.filter((each): each is Proved<Variant> => !('breaks' in each.server));
  const ofChecks = globs.length === 0 ? [checkGate(proved)] : [];
  return [...defectGates(proved), ...variantGates(provedVariants), ofStubs, ...ofChecks];
}

const OPTIONS = {
  independent: { type: 'boolean' },
  pairs: { type: 'boolean' },
  rounds: { type: 'string' },
  step: { type: 'string' },
} as const;

await runProgram(import.meta.url, HELP, OPTIONS, async (globs, { independent, pairs, rounds, step = '1' }) => {
  const started = performance.now();
  const isChosen = chosenBy(globs);
  const judged = (): Promise<Gate[]> => {
    if (pairs) return provePairs(isChosen, Number(step));
    if (independent) return proveIndependent(globs);
    if (rounds === undefined) return prove(globs);
    return proveRounds(
      variants.filter(({ id, byChance }) => byChance && isChosen(id)),
      Number(rounds),
    );
  };
  const gates = await judged();
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stdout.write([...gates.flatMap(linesOf), `${seconds} s`].map((line) => `${line}\n`).join(''));
  return {
    judged: gates.reduce((sum, { of }) => sum + of, 0),
    holds: gates.every(({ faults }) => faults.length === 0),
  };
});
