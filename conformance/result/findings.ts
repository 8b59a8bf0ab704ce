import type { Check, Judgement } from '../judging/check.ts';
import type { JudgedCheck } from './judge-all.ts';

type Failed = Extract<Judgement, { outcome: 'failed' }>;

/** A failed check. */
export interface FailedCheck {
  readonly check: Check;
  readonly said: Failed;
}

/**
 * One deviation of the target from the contract: the failed checks that show it, of which the first represents them and the others
 * are in the order of the catalogue; the requirements that it contradicts, the one that describes it best first; what follows from it.
 */
export type FailureGroup = ReturnType<typeof groupOf>;

/** At least one. */
type Failures = readonly [FailedCheck, ...FailedCheck[]];

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

/** With a check that decides the level of the finding as the first one; of these, with one that leads. */
function represented(failures: Failures): Failures {
  const binding = failures.filter(({ check }) => check.level === 'must');
  const first = binding.find(({ said }) => said.failure.leads) ?? binding[0] ?? failures[0];
  return [first, ...failures.filter((each) => each !== first)];
}

function groupOf(key: string, all: Failures, judged: readonly JudgedCheck[]) {
  const failures = represented(all);
  const ids = new Set(failures.map(({ check }) => check.id));
  const shownBy = failures.flatMap(({ said }) => [...said.exchanges.slice(-1), ...(said.alsoShownBy ?? [])]);
  return {
    // Made from the requirement, and from what tells several deviations from one requirement apart.
    id: key,
    level: failures[0].check.level,
    requirements: [...new Set(failures.flatMap(blamed))],
    failures,
    shownBy: [...new Set(shownBy)],
    // Ids of the checks that are inconclusive because of it.
    consequences: judged
      .filter(({ said, causes }) => said.outcome === 'inconclusive' && causes.some((cause) => ids.has(cause)))
      .map(({ check }) => check.id),
  };
}

type Groups = Map<string, [FailedCheck, ...FailedCheck[]]>;

/** A deviation from requirements that another finding says are broken, such as a wrong status for some of their requests, joins it. */
function joinDeviations(groups: Groups): void {
  const isDeviation = (key: string, [{ said }]: Failures): boolean => said.failure.deviation === key;
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
  const isLed = ({ failed, by }: (typeof led)[number]): number => Number(failed !== by);
  for (const { failed, by } of led.toSorted((left, right) => isLed(left) - isLed(right))) {
    const group = groups.get(keyOf(by));
    if (group) group.push(failed);
    else groups.set(keyOf(by), [failed]);
  }
  joinDeviations(groups);
  return [...groups]
    .map(([key, failures]) => groupOf(key, failures, judged))
    .sort((left, right) => left.level.localeCompare(right.level) || weight(right) - weight(left));
}
