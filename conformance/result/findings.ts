import type { Level } from '../../contract/document.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Check, Judgement } from '../judging/check.ts';
import type { JudgedCheck } from './judge-all.ts';

type Failed = Extract<Judgement, { outcome: 'failed' }>;

/** A failed check. */
export interface FailedCheck {
  readonly check: Check;
  readonly said: Failed;
}

/** One deviation of the target from the contract: the failed checks that show it, and what follows from it. */
export interface FailureGroup {
  /** Made from the requirement, and from what tells several deviations from one requirement apart. */
  readonly id: string;
  /** `must` if one of its checks is. */
  readonly level: Level;
  /** Ids of the requirements that it contradicts; the first one describes it best. */
  readonly requirements: readonly string[];
  /** The failed checks, in the order of the catalogue. The first one represents them: it decides the level of the finding. */
  readonly failures: readonly [FailedCheck, ...FailedCheck[]];
  /** The exchanges that show it. */
  readonly shownBy: readonly Exchange[];
  /** Ids of the checks that are inconclusive because of it. */
  readonly consequences: readonly string[];
}

/** The requirements that a failure contradicts. */
function blamed({ check, said }: FailedCheck): readonly string[] {
  return said.failure.requirements ?? check.requirements;
}

function keyOf(failed: FailedCheck): string {
  return failed.said.failure.deviation ?? blamed(failed)[0] ?? failed.check.id;
}

/** The check whose failure has the same fault, or the failed check itself. */
function leading(failed: FailedCheck, all: ReadonlyMap<string, FailedCheck>): FailedCheck {
  const { check, said } = failed;
  if (said.failure.deviation !== undefined) return failed;
  const others = [...(check.sameFaultAs ?? []), ...(said.sameFaultAs ?? [])].flatMap((id) => all.get(id) ?? []);
  const other = others.find((each) => each.said.failure.deviation === undefined);
  return other ? leading(other, all) : failed;
}

/** With a check that decides the level of the finding as the first one. */
function represented(failures: FailureGroup['failures']): FailureGroup['failures'] {
  const first = failures.find(({ check }) => check.level === 'must') ?? failures[0];
  return [first, ...failures.filter((each) => each !== first)];
}

function groupOf(key: string, all: FailureGroup['failures'], judged: readonly JudgedCheck[]): FailureGroup {
  const failures = represented(all);
  const ids = new Set(failures.map(({ check }) => check.id));
  const shownBy = failures.flatMap(({ said }) => [...said.exchanges.slice(-1), ...(said.alsoShownBy ?? [])]);
  return {
    id: key,
    level: failures.some(({ check }) => check.level === 'must') ? 'must' : 'should',
    requirements: [...new Set(failures.flatMap(blamed))],
    failures,
    shownBy: [...new Set(shownBy)],
    consequences: judged
      .filter(({ said, causes }) => said.outcome === 'inconclusive' && causes.some((cause) => ids.has(cause)))
      .map(({ check }) => check.id),
  };
}

type Groups = Map<string, [FailedCheck, ...FailedCheck[]]>;

/** A deviation from requirements that another finding says are broken, such as a wrong status for some of their requests, joins it. */
function joinDeviations(groups: Groups): void {
  const isDeviation = (key: string, [{ said }]: readonly [FailedCheck, ...FailedCheck[]]): boolean =>
    said.failure.deviation === key;
  for (const [key, failures] of groups) {
    if (!isDeviation(key, failures)) continue;
    const own = failures.flatMap(blamed);
    const wider = [...groups].find(([other, all]) => {
      const broken = all.flatMap(blamed);
      return !isDeviation(other, all) && own.every((requirement) => broken.includes(requirement));
    });
    if (!wider) continue;
    wider[1].push(...failures);
    groups.delete(key);
  }
}

function weight({ failures, consequences }: FailureGroup): number {
  return failures.length + consequences.length;
}

/**
 * The deviations of the target: failed checks that contradict the same requirement, or show the same deviation or the same fault
 * from several, are one. `must` comes first, then what explains most.
 *
 * @param judged in the order of the catalogue
 */
export function groupFailures(judged: readonly JudgedCheck[]): FailureGroup[] {
  const all = new Map<string, FailedCheck>();
  for (const { check, said } of judged) if (said.outcome === 'failed') all.set(check.id, { check, said });
  const led = [...all.values()].map((failed) => ({ failed, by: leading(failed, all) }));
  const groups: Groups = new Map();
  // What a finding is named after comes before what only has the same fault.
  for (const { failed, by } of [
    ...led.filter((each) => each.failed === each.by),
    ...led.filter((each) => each.failed !== each.by),
  ]) {
    const group = groups.get(keyOf(by));
    if (group) group.push(failed);
    else groups.set(keyOf(by), [failed]);
  }
  joinDeviations(groups);
  return [...groups]
    .map(([key, failures]) => groupOf(key, failures, judged))
    .sort((left, right) => left.level.localeCompare(right.level) || weight(right) - weight(left));
}
