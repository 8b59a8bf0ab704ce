import { isInFront, type TransportError } from '../exchange.ts';

/** How often a request is sent at most. */
export const MOST_TRIES = 8;

/** ms. The pauses before a request is sent again: together longer than a burst of two seconds. */
const PAUSES = [50, 100, 200, 400, 800, 1_600];

/** ms. The pause before a target is tried again that accepts no connection. */
const AWAY_PAUSE = 250;

/** How many connections may be closed on a request before it counts as more than an accident: the second one was fresh. */
const ACCIDENTS = 2;

/** What came of sending a request once. */
export type Outcome =
  | { readonly kind: 'response' }
  /** A status that asks for another try. `pause` is what Retry-After asks for, in ms; undefined if it does not say. */
  | { readonly kind: 'busy'; readonly status: number; readonly pause?: number | undefined }
  | TransportError;

/** What the requests so far have shown of how a target treats requests that are sent again. */
export interface Experience {
  /** How many requests stayed without another response, however often they were sent. */
  readonly stayed: number;
  /** Whether some request got another response later: so others may, too, if they are sent often enough. */
  readonly recovered: boolean;
}

export const NO_EXPERIENCE: Experience = { stayed: 0, recovered: false };

/** The same of a status that asks for another try. */
export interface BusyExperience extends Experience {
  /** How often requests were sent that stayed so, one after the other, without another response in between. */
  readonly inARow: number;
}

export const NEVER_BUSY: BusyExperience = { ...NO_EXPERIENCE, inARow: 0 };

/** After how many that stayed the others are no longer tried that often: one may be an accident. */
const ENOUGH_STAYED = 2;

/** What is known of a target that got so many tries in a row, and only responded so: then it is asked with pauses whether it is back. */
export const STAYS_BUSY: BusyExperience = { ...NEVER_BUSY, stayed: ENOUGH_STAYED };
export const BACK: BusyExperience = { ...NEVER_BUSY, recovered: true };
const MOST_BUSY_IN_A_ROW = 3 * MOST_TRIES;

/**
 * After how many tries in a row that got only such a status the target is asked whether it is back: after those of one request, until some
 * were seen that stay so.
 *
 * @param canBeAsked whether there is a request that it responded to before
 */
export function mostBusy({ stayed, recovered }: Experience, canBeAsked: boolean): number {
  return canBeAsked && !isUsual({ stayed: stayed - 1, recovered }) ? MOST_TRIES : MOST_BUSY_IN_A_ROW;
}

/** ms. How long something in front must respond in place of a target that counts as away: less may be accidents in a row. */
export const AWAY_IN_FRONT = 500;

/** ms. The pause before each of these questions. */
export const BUSY_PAUSE = 4_000;

/** What is known at the end of an attempt. */
export interface Event {
  readonly outcome: Outcome;
  /** Whether it may come from the requests that are sent concurrently. */
  readonly contended: boolean;
  readonly busy: BusyExperience;
  /** Of closed connections. */
  readonly closed: Experience;
  /** Whether the target has responded in this run, and may be waited for if it accepts no connection. */
  readonly mayReturn: boolean;
}

/** Where a request stands. */
export interface State {
  /** How often the target asked for a pause. */
  readonly pauses: number;
  /** How often something in front got no response from the target, which may have carried it out. */
  readonly inFront: number;
  /** How often it ended without a response, and may have been carried out. */
  readonly lost: number;
  /** ms to wait before it is sent again. */
  readonly wait: number;
}

export const START: State = { pauses: 0, inFront: 0, lost: 0, wait: 0 };

/**
 * What to do next. `record`: what came is the outcome. `retryFresh`: send it again, over a fresh connection. `retryAlone`: send it
 * again when nothing else is under way. `pause`: wait, and send it again; nothing else is sent meanwhile. `giveUp`: what came says
 * nothing about the request, since the target asked for a pause each time.
 */
export type Action = 'record' | 'retryFresh' | 'retryAlone' | 'pause' | 'giveUp';

const pauseAfter = (times: number): number => PAUSES[Math.min(times, PAUSES.length - 1)] ?? 0;

/** How often a request has been sent, with the attempt that just ended. */
export const triesOf = ({ pauses, inFront, lost }: State): number => pauses + inFront + lost + 1;

/** Whether it is not worth trying further: requests stayed like this, and none ever recovered. */
const isUsual = ({ stayed, recovered }: Experience): boolean => stayed >= ENOUGH_STAYED && !recovered;

/** The policy of the client: what it does after an attempt to send a request. */
export function step(state: State, { outcome, contended, busy, closed, mayReturn }: Event): [State, Action] {
  const tries = triesOf(state);
  const last = tries >= MOST_TRIES;
  if (outcome === 'closed') {
    const now: State = { ...state, lost: state.lost + 1, wait: pauseAfter(state.lost - 1) };
    if (state.lost === 0) return [{ ...now, wait: 0 }, 'retryFresh'];
    if (last || (state.lost >= ACCIDENTS && isUsual(closed))) return [now, 'record'];
    return [now, 'pause'];
  }
  if (outcome === 'timeout') {
    const again = contended && state.lost === 0;
    return [{ ...state, lost: state.lost + 1, wait: pauseAfter(0) }, again ? 'retryAlone' : 'record'];
  }
  if (outcome === 'unreachable') return [{ ...state, wait: AWAY_PAUSE }, mayReturn ? 'pause' : 'record'];
  if (typeof outcome === 'string' || outcome.kind === 'response') return [state, 'record'];
  const { status, pause } = outcome;
  const isAsked = status === 429 || pause !== undefined;
  // Tried once all the same: only what gets through later shows that others may.
  if (!isAsked && isUsual(busy) && tries > 1) return [state, 'record'];
  const wait = Math.max(pause ?? 0, pauseAfter(state.pauses + state.inFront));
  const count = isInFront(status) ? 'inFront' : 'pauses';
  const now: State = { ...state, [count]: state[count] + 1, wait };
  if (last) return [now, isAsked ? 'giveUp' : 'record'];
  return [now, 'pause'];
}

/** What an attempt adds to the experience, by what it came after. */
export function learn(before: State, action: Action, { outcome, busy, closed }: Event): Pick<Event, 'busy' | 'closed'> {
  const responded = typeof outcome !== 'string' && outcome.kind === 'response';
  const stayedBusy = action === 'record' && typeof outcome !== 'string' && outcome.kind === 'busy';
  const stayedClosed = action === 'record' && outcome === 'closed';
  return {
    busy: {
      stayed: busy.stayed + (stayedBusy ? 1 : 0),
      recovered: busy.recovered || (responded && before.pauses + before.inFront > 0),
      inARow: stayedBusy ? busy.inARow + before.pauses + before.inFront + 1 : responded ? 0 : busy.inARow,
    },
    closed: {
      stayed: closed.stayed + (stayedClosed ? 1 : 0),
      recovered: closed.recovered || (responded && before.lost >= ACCIDENTS),
    },
  };
}
