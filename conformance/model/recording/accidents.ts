import { asksForAnotherTry, type Exchange, isInFront, STILL_RESPONDS } from '../../http/exchange.ts';
import { endOf, statusOf } from './view.ts';

/** How likely it may be that anything in a run is judged that is an accident. */
const MOST_LIKELY = 0.001;

/** How often requests failed that were sent again and got through. */
interface Tries {
  readonly failed: number;
  readonly all: number;
}

function sumOf(tries: readonly Tries[]): Tries {
  return {
    failed: tries.reduce((sum, { failed }) => sum + failed, 0),
    all: tries.reduce((sum, { all }) => sum + all, 0),
  };
}

const isBusy = (x: Exchange): boolean => asksForAnotherTry(statusOf(x));

/** Tries over fresh connections: the first may have been over one that was idle for too long, and says nothing. */
function freshTries({ lost = 0 }: Exchange): Tries {
  return { failed: Math.max(0, lost - 1), all: lost };
}

/** Whether the target only asked for another try, or nothing was sent any more. */
const isUndecided = ({ transportError }: Exchange): boolean =>
  transportError?.kind === 'throttled' || transportError?.kind === 'unreachable';

/** Whether the target was asked in vain whether it responds with anything else. */
const isAskedInVain = (x: Exchange): boolean => x.request.purpose === STILL_RESPONDS && isUndecided(x);

/** What was asked to try again when everything was: until the target was given up for that, and before it responded with anything else. */
function busyWithAll(exchanges: readonly Exchange[], through: readonly Exchange[]): ReadonlySet<Exchange> {
  const first = Math.min(...through.map(endOf));
  let asked = false;
  const found = exchanges.toReversed().filter((x) => {
    asked = isAskedInVain(x) || (asked && (isBusy(x) || isUndecided(x)));
    return asked || (isBusy(x) && endOf(x) < first);
  });
  return new Set(found);
}

/**
 * The exchanges; but one that may have ended as it did by accident gets no response, so that it says nothing of its request. Others
 * ended so, too, and got through when they were sent again: often enough for one of the run to fail each time that it was sent. Nor does one
 * that was asked to try again when everything was.
 */
export function withoutAccidents(exchanges: readonly Exchange[]): readonly Exchange[] {
  const through = exchanges.filter((x) => x.response && !isBusy(x));
  const [closed, busy] = [
    sumOf(through.map(freshTries)),
    sumOf(through.map(({ pauses }) => ({ failed: pauses, all: pauses + 1 }))),
  ];
  const isLikely = ({ failed, all }: Tries, times: number): boolean =>
    failed > 0 && exchanges.length * (failed / all) ** times >= MOST_LIKELY;
  const withAll = busyWithAll(exchanges, through);
  const asked = exchanges.filter((x) => !isAskedInVain(x));
  return asked.map((x): Exchange => {
    const { lost = 0, pauses } = x;
    const times = `${lost + pauses + 1} times in a row`;
    const { response, ...unanswered } = x;
    if (x.transportError?.kind === 'closed' && isLikely(closed, lost)) {
      const detail = `no response ${times}, as other requests got none at first`;
      return { ...unanswered, transportError: { kind: 'timeout', detail } };
    }
    const inFront = isInFront(response?.status ?? 0);
    const isAccident = withAll.has(x) || (inFront ? isLikely(closed, lost) : isLikely(busy, pauses + 1));
    if (!response || !isBusy(x) || !isAccident) return x;
    const detail = `the target responded ${response.status} ${times}, as to other requests ${withAll.has(x) ? 'then' : 'at first'}`;
    return { ...unanswered, transportError: { kind: inFront ? 'timeout' : 'throttled', detail } };
  });
}
