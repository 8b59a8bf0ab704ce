import type { Limits } from '../conformance/http/client.ts';
import type { RunEvent, RunOptions } from '../conformance/run/run.ts';

/** ms. The servers of the proof are near, and nearly all respond at once: on a free machine no limit decides anything. */
const LIMITS = { timeout: 10_000, deadline: 600_000 };
/** How many times these limits each try gets; the second happens only if time decided the first. */
const PATIENCE = [1, 6, 36];

/** Whether a limit of time ended a request or the run. */
function isOutOfTime(event: RunEvent): boolean {
  if (event.type === 'judging') return event.evidence.stopped;
  return event.type === 'exchange' && ['timeout', 'aborted'].includes(event.exchange.fault?.kind ?? '');
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
  for (let turn = 0; ; turn += 1) {
    const times = PATIENCE[turn] ?? 1;
    let outOfTime = false;
    const judged = await attempt({
      limits: { ...others, timeout: timeout * times, deadline: deadline * times },
      onEvent: (event) => {
        outOfTime ||= isOutOfTime(event);
      },
    });
    if (!outOfTime || !isOpen(judged) || turn === PATIENCE.length - 1) return judged;
  }
}
