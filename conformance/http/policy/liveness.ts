import type { TransportError } from '../exchange.ts';
import { TransportFailure } from '../transport/transport-errors.ts';

/** After so many attempts without a response, one after the other, a target is given up. */
export const DEFAULT_PATIENCE = 3;

/** ms. The shortest time-out at a target that hangs at some requests. */
const SHORTEST_TIMEOUT = 500;

/** How many times such a target gets the whole time-out, if requests can wait concurrently; those count once. */
const WHOLE_WAITS = 2;

const WITHOUT_RESPONSE: readonly TransportError[] = ['timeout', 'unreachable'];

/** After so many whole time-outs one after the other, at a target that responds in between, requests get less. */
const ENOUGH_WAITS = 5;

/** ms. How long a target is waited for that accepts no connection any more, as while it restarts; at most twice the time-out. */
export const LONGEST_AWAY = 20_000;

/** ms. A target that asks for more pauses in all than this, and at more than every fourth attempt, is given up. */
const MOST_PAUSED = 30_000;
const ATTEMPTS_PER_PAUSE = 4;
/** Fewer pauses may be the end of the matter. */
const LEAST_PAUSES = 3;

/** ms. In each slice of this length the fastest response counts; a target is given up if it becomes slower in each of some slices. */
const SLICE = 2_000;
const SLOWER_SLICES = 5;
/** The part of the time-out that a slow response takes. */
const SLOW = 0.05;

/** A request that is sent once. */
interface Attempt {
  readonly begun: number;
  /** How many were under way with it at most: at many a target they wait for each other. */
  among: number;
}

interface LivenessOptions {
  /** ms for one request. */
  readonly timeout: number;
  /** Attempts without a response before the target is given up. */
  readonly patience: number;
  /** ms. How long a target is waited for that accepts no connection. */
  readonly away?: number;
  /** Whether the target has responded before, so that it is waited for from the first request on. */
  readonly wasThere?: boolean;
}

/**
 * Decides whether a target still responds. A silent one is given up after some attempts, one that only asks for pauses after
 * two time-outs; nothing more is sent to it then. Concurrent attempts count once: a conforming target may serve few connections.
 * With less patience than usual, it is a last chance: half a time-out.
 */
export class Liveness {
  readonly #options: LivenessOptions;
  #failures = 0;
  #hangs = false;
  #servesOthers = false;
  #wholeWaits = 0;
  #lastWholeWait = -Infinity;
  #lastFailure = -Infinity;
  #lastResponse: number | undefined;
  #slowest = 0;
  #firstAttempt: number | undefined;
  #attempts = 0;
  readonly #underWay = new Set<Attempt>();
  #pauses = 0;
  #paused = 0;
  #pausedUntil = -Infinity;
  #awaySince: number | undefined;
  #awayFor = 0;
  #lastServed: number | undefined;
  /** By how many requests were under way with one. */
  readonly #fastest = new Map<number, { readonly slice: number; readonly ms: number }[]>();
  #givenUp: TransportFailure | undefined;

  constructor(options: LivenessOptions) {
    this.#options = options;
  }

  /** Why nothing more is sent; undefined while the target is worth a request. */
  get givenUp(): TransportFailure | undefined {
    return this.#givenUp;
  }

  /** Whether a target that accepts no connection is worth waiting for. */
  get mayReturn(): boolean {
    return (this.#options.wasThere === true || this.#lastResponse !== undefined) && this.#givenUp === undefined;
  }

  /** Whether the target accepts no connection at the moment, and is waited for. */
  get isAway(): boolean {
    return this.#awaySince !== undefined;
  }

  /** ms. How long the target accepted no connection, or was not reached by what is in front of it, before it responded again; 0 if it was always there. */
  get awayFor(): number {
    return this.#awayFor;
  }

  /** When the target itself responded last, by `performance.now()`; undefined if it never did. */
  get lastServed(): number | undefined {
    return this.#lastServed;
  }

  /** Whether the target gives no response to some requests, but responds to others. */
  get hangs(): boolean {
    return this.#hangs;
  }

  /** ms. Longer than any response took; and what a request that got none may keep others from being sent. */
  get usual(): number {
    return Math.max(this.#shortest / 2, this.#slowest);
  }

  get #shortest(): number {
    return Math.min(SHORTEST_TIMEOUT, this.#options.timeout / 4);
  }

  /**
   * ms for the next attempt: less after some without a response, but twice what the slowest response took; at a target that
   * hangs, or loses some requests, four times. If it serves other requests meanwhile, it gets the whole time-out first, so that a response that takes
   * longer than the others is not missed.
   *
   * @param again whether the same request has got no response before
   */
  timeoutFor(again: boolean): number {
    const { timeout } = this.#options;
    const wait = (least: number, times: number): number =>
      Math.round(Math.min(timeout, Math.max(least, times * this.#slowest)));
    const isWhole = this.#servesOthers && this.#wholeWaits < WHOLE_WAITS && !again;
    if (this.#hangs) return isWhole ? timeout : wait(this.#shortest, 4);
    const losesSome = this.#wholeWaits >= ENOUGH_WAITS && this.#lastResponse !== undefined;
    if (this.#failures === 0 && losesSome) return wait(timeout / 4, 4);
    if (this.#failures === 0) return this.#isLastChance ? timeout / 2 : timeout;
    return this.#lastResponse === undefined ? timeout / 2 ** this.#failures : wait(timeout / 4, 2);
  }

  /**
   * Whether the next attempt without a response is the last one, at a target that has responded before. It may only hang at
   * the requests that it got since: its response to another one shows that.
   */
  get isInDoubt(): boolean {
    const isLast = this.#failures > 0 && this.#failures === this.#options.patience - 1;
    return isLast && this.#lastResponse !== undefined;
  }

  /** Whether the target was given up since it gave no response, not for how it responded. */
  get isSilent(): boolean {
    return this.#failures >= this.#options.patience;
  }

  get #isLastChance(): boolean {
    return this.#options.patience < DEFAULT_PATIENCE;
  }

  /** Called when the target is not worth another request, with the reason. */
  giveUp({ kind, message }: TransportFailure): void {
    this.#givenUp ??= new TransportFailure(kind, `not sent, since the target no longer responds: ${message}`);
  }

  /** Called when an attempt begins, and `end` when it has ended. */
  begin(begun: number): Attempt {
    this.#firstAttempt ??= begun;
    this.#attempts += 1;
    const attempt = { begun, among: 0 };
    this.#underWay.add(attempt);
    for (const each of this.#underWay) each.among = Math.max(each.among, this.#underWay.size);
    return attempt;
  }

  end(attempt: Attempt): void {
    this.#underWay.delete(attempt);
  }

  /** @param isServed whether only the target itself responds so */
  responded({ begun, among }: Attempt, now: number, isServed: boolean): void {
    this.#hangs ||= this.isInDoubt;
    this.#failures = 0;
    this.#lastResponse = now;
    this.#slowest = Math.max(this.#slowest, now - begun);
    if (this.#awaySince !== undefined) this.#awayFor += now - this.#awaySince;
    this.#awaySince = undefined;
    if (isServed) this.#lastServed = now;
    this.#watchPace(now - begun, now, among);
  }

  /** Called when the target has been away for some ms, while something in front of it responded. */
  wasAway(ms: number): void {
    this.#awayFor += ms;
  }

  /** Gives up a target that only becomes slower: even the fastest of its responses take longer and longer. */
  #watchPace(ms: number, now: number, among: number): void {
    const slice = Math.floor((now - (this.#firstAttempt ?? now)) / SLICE);
    const fastest = this.#fastest.get(among) ?? [];
    this.#fastest.set(among, fastest);
    const last = fastest.at(-1);
    if (last?.slice === slice) {
      fastest.splice(-1, 1, { slice, ms: Math.min(ms, last.ms) });
      return;
    }
    const recent = fastest.slice(-SLOWER_SLICES);
    const rises = recent.every((each, index) => index === 0 || each.ms > (recent[index - 1]?.ms ?? 0));
    const [first] = recent;
    // On a busy machine short times rise by chance.
    const isSlow = first && last && last.ms > 1.5 * first.ms && last.ms > this.#options.timeout * SLOW;
    if (isSlow && recent.length === SLOWER_SLICES && rises)
      this.giveUp(
        new TransportFailure('timeout', `each response takes longer, the fastest ${Math.round(last.ms)} ms by now`),
      );
    fastest.push({ slice, ms });
  }

  /** Called when the target responded to another request while one got no response. */
  respondedBeside(): void {
    this.#hangs = true;
    this.#servesOthers = true;
  }

  failed(failure: TransportFailure, begun: number, now: number): void {
    if (!WITHOUT_RESPONSE.includes(failure.kind)) return;
    if (failure.kind === 'unreachable' && this.mayReturn) {
      this.#awaySince ??= begun;
      const { timeout, away = Math.min(LONGEST_AWAY, 2 * timeout) } = this.#options;
      if (now - this.#awaySince >= away) this.giveUp(failure);
      return;
    }
    if (now - begun >= this.#options.timeout && begun >= this.#lastWholeWait) {
      this.#wholeWaits += 1;
      this.#lastWholeWait = now;
    }
    if (begun < this.#lastFailure) return;
    this.#failures += 1;
    this.#lastFailure = now;
    if (this.#failures >= this.#options.patience) this.giveUp(failure);
  }

  /**
   * Called when the target asks for a pause.
   *
   * @throws TransportFailure if it has done nothing else for too long
   */
  askedForPause(ms: number, now: number): void {
    const { timeout } = this.#options;
    const longest = this.#isLastChance ? timeout / 2 : timeout * 2;
    const since = this.#lastResponse ?? this.#firstAttempt ?? now;
    const seconds = (length: number): number => Math.ceil(length / 1000);
    const never = this.#lastResponse === undefined;
    this.#pauses += 1;
    this.#paused += Math.max(0, now + ms - Math.max(now, this.#pausedUntil));
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms);
    const isUsual = this.#pauses >= LEAST_PAUSES && this.#pauses * ATTEMPTS_PER_PAUSE > this.#attempts;
    const failure =
      never && ms > longest
        ? new TransportFailure('throttled', `the target asked for a pause of ${seconds(ms)} s at once`)
        : now - since + (never ? ms : 0) > longest
          ? new TransportFailure('throttled', `the target asked for nothing but pauses for ${seconds(now - since)} s`)
          : this.#paused > MOST_PAUSED && isUsual
            ? new TransportFailure('throttled', `the target asked for pauses of ${seconds(this.#paused)} s in all`)
            : undefined;
    if (!failure) return;
    this.giveUp(failure);
    throw failure;
  }
}
