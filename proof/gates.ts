import { checks } from '../conformance/checks/catalogue.ts';
import { requirements } from '../contract/document.ts';
import { brokenIn, errorsIn, type Judged } from './judge.ts';
import type { Defect, Variant } from './server.ts';

/** One server of the proof, and what its run showed. */
export interface Proved<Server> extends Judged {
  readonly server: Server;
}

/** A part of the proof: how many servers are judged right, how many must be, and what does not hold. */
export interface Gate {
  readonly title: string;
  readonly held: number;
  readonly of: number;
  /** The share that must be. */
  readonly least: number;
  readonly broken: readonly string[];
}

/** The requirements whose level is `must`. */
export const MUST: ReadonlySet<string> = new Set(
  requirements.filter(({ level }) => level === 'must').map(({ id }) => id),
);
const hasMust = (ids: readonly string[]): boolean => ids.some((id) => MUST.has(id));

/** A gate over servers. `fault` says what is wrong with one; undefined: nothing. */
export function gate<Each>(
  title: string,
  all: readonly Each[],
  least: number,
  fault: (each: Each) => string | undefined,
): Gate {
  const broken = all.flatMap((each) => fault(each) ?? []);
  return { title, held: all.length - broken.length, of: all.length, least, broken };
}

/** A run in one line. */
function told({ server, result }: Proved<Defect | Variant>): string {
  const titles = result.findings.map(({ requirement, title }) => `${requirement}: ${title}`);
  return `${server.id}: ${result.verdict}${titles.length > 0 ? ` (${titles.join('; ')})` : ''}`;
}

/** What the conforming variants show: none fails, and their users are restored. */
export function variantGate(proved: readonly Proved<Variant>[]): Gate {
  return gate('variants that do not fail, and are restored', proved, 1, (each) => {
    const { server, result, isRestored } = each;
    if (brokenIn(result).length > 0 || errorsIn(result).length > 0) return [told(each), ...errorsIn(result)].join('; ');
    return isRestored || server.notRestored ? undefined : `${server.id}: its users are not restored`;
  });
}

/** What the defects show: each fails what it breaks, and nothing else. */
export function defectGates(proved: readonly Proved<Defect>[]): Gate[] {
  const musts = proved.filter(({ server }) => hasMust(server.breaks));
  const right = ({ server, result }: Proved<Defect>): boolean =>
    brokenIn(result).some((id) => server.breaks.includes(id));
  const foreign = ({ server, result }: Proved<Defect>): boolean =>
    brokenIn(result).some((id) => !server.breaks.includes(id));
  return [
    gate('defects killed', proved, 1, (each) => (brokenIn(each.result).length > 0 ? undefined : told(each))),
    gate('defects of a must killed by a must', musts, 0.99, (each) =>
      hasMust(brokenIn(each.result)) ? undefined : told(each),
    ),
    gate('defects killed by a requirement they break', proved, 0.99, (each) => (right(each) ? undefined : told(each))),
    gate('defects not blamed for another one', proved, 0.98, (each) => (foreign(each) ? told(each) : undefined)),
    gate('defects without an error of the suite', proved, 1, ({ server, result }) =>
      errorsIn(result).length > 0 ? `${server.id}: ${errorsIn(result).join('; ')}` : undefined,
    ),
  ];
}

/** Whether each check fails on a defect. */
export function checkGate(proved: readonly Proved<Defect>[]): Gate {
  const failed = new Set(
    proved.flatMap(({ result }) => result.checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)),
  );
  return gate('checks that kill a defect', checks, 1, ({ id }) => (failed.has(id) ? undefined : id));
}

/** Whether enough of the servers are judged right. */
export function isOpen({ held, of, least }: Gate): boolean {
  return held >= least * of;
}
