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
  /** The failed checks, in the order of the catalogue; the first one represents them. */
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

function groupOf(key: string, failures: FailureGroup['failures'], judged: readonly JudgedCheck[]): FailureGroup {
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

function weight({ failures, consequences }: FailureGroup): number {
  return failures.length + consequences.length;
}

/**
 * The deviations of the target: failed checks that contradict the same requirement, or show the same deviation from several, are
 * one. `must` comes first, then what explains most.
 *
 * @param judged in the order of the catalogue
 */
export function groupFailures(judged: readonly JudgedCheck[]): FailureGroup[] {
  const groups = new Map<string, [FailedCheck, ...FailedCheck[]]>();
  for (const { check, said } of judged) {
    if (said.outcome !== 'failed') continue;
    const failed = { check, said };
    const group = groups.get(keyOf(failed));
    if (group) group.push(failed);
    else groups.set(keyOf(failed), [failed]);
  }
  return [...groups]
    .map(([key, failures]) => groupOf(key, failures, judged))
    .sort((left, right) => left.level.localeCompare(right.level) || weight(right) - weight(left));
}
