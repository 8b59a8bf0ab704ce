import type { Again, Outcome, Result } from './result.ts';
import { type Item, itemsOf, type Judged } from './verdict.ts';

const isOpen = ({ outcome }: Item): boolean => outcome === 'failed' || outcome === 'inconclusive';

/**
 * The ids of the checks that `run --again` runs: those that failed or were inconclusive. If a finding rests on no check but on
 * responses to any request, they are all checks of the earlier run.
 */
export function checksAgain(earlier: Result): string[] {
  const ids = earlier.checks.map(({ id }) => id);
  const open = new Set(
    itemsOf(earlier)
      .filter(isOpen)
      .map(({ id }) => id),
  );
  const isOfResponses = [...open].some((id) => !ids.includes(id));
  return isOfResponses ? ids : ids.filter((id) => open.has(id));
}

const isGood = (outcome: Outcome | undefined): boolean => outcome === 'passed' || outcome === 'not-applicable';

/**
 * What became of each check that failed or was inconclusive in an earlier result. One pass fixes nothing that came now and then.
 *
 * @param earlier may be of another target; only its checks are looked at
 * @param now the run, with the outcomes of its requirements
 */
export function becameOf(earlier: Result, now: Judged & Pick<Result, 'requirements'>): Again[] {
  const items = itemsOf(now);
  const outcomes = new Map<string, Outcome>(
    [...now.requirements, ...items].map(({ id, outcome }) => [id, outcome] as const),
  );
  return itemsOf(earlier)
    .filter(isOpen)
    .map(({ id, title, nowAndThen, ...before }) => {
      const item = items.find((each) => each.id === id);
      const blockedBy = before.outcome === 'failed' ? undefined : (item?.blockedBy ?? before.blockedBy);
      return {
        id,
        title: item?.outcome === 'failed' ? item.title : title,
        outcome: !isGood(outcomes.get(id)) ? 'still-there' : nowAndThen ? 'not-seen-again' : 'fixed',
        ...(blockedBy !== undefined && { blockedBy }),
      };
    });
}
