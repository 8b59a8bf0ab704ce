import type { Limits } from '../conformance/http/policy/limits.ts';
import { overlap } from '../conformance/http/exchange.ts';
import type { RunEvent, RunOptions } from '../conformance/run/events.ts';

/** ms. The servers of the proof are near, and nearly all respond at once: on a free machine no limit decides anything. */
const LIMITS = { timeout: 10_000, deadline: 600_000 };
/** How many times these limits each further try gets. */
const MORE_PATIENCE = [6, 36, 36, 36];

/** Whether no concurrent updates were under way at the same time: a busy machine may send them one at a time. */
function sawNoOverlap({ recording }: Extract<RunEvent, { type: 'judging' }>): boolean {
  const concurrent = recording.exchanges.filter(({ request }) => request.due.role === 'concurrent');
  return (
    concurrent.length > 0 &&
    concurrent.every((one, at) => !concurrent.slice(at + 1).some((other) => overlap(one, other)))
  );
}

/** Whether the speed of the machine kept the run from seeing something. */
function isOutOfTime(event: RunEvent): boolean {
  if (event.type === 'judging')
    return event.recording.stopped || event.recording.givenUp !== undefined || sawNoOverlap(event);
  return event.type === 'exchange' && ['timeout', 'aborted'].includes(event.exchange.transportError?.kind ?? '');
}

/**
 * Judges a target, and judges it again with more patience while a limit of time left the judgement open: a busy machine says
 * nothing about the target.
 *
 * @param attempt judges the target from its start, with these options of a run
 * @param own limits that the target needs
 * @param isOpen whether more time can settle a judgement; never for a false failure
 * @returns the last judgement
 */
export async function judgePatiently<T>(
  attempt: (options: Pick<RunOptions, 'limits' | 'onEvent'>) => Promise<T>,
  own: Partial<Limits>,
  isOpen: (judged: T) => boolean,
): Promise<T> {
  const { timeout, deadline, ...others } = { ...LIMITS, ...own };
  const judge = async (times: number) => {
    const ended: RunEvent[] = [];
    const judged = await attempt({
      limits: { ...others, timeout: timeout * times, deadline: deadline * times },
      onEvent: (event) => {
        if (isOutOfTime(event)) ended.push(event);
      },
    });
    return { judged, again: ended.length > 0 && isOpen(judged) };
  };
  let { judged, again } = await judge(1);
  for (const times of MORE_PATIENCE) if (again) ({ judged, again } = await judge(times));
  return judged;
}
