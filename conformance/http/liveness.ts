import type { TransportError } from './exchange.ts';
import { TransportFailure } from './transport-errors.ts';

/** After so many attempts without a response, one after the other, a target is given up. */
export const DEFAULT_PATIENCE = 3;

/** ms. The shortest time-out at a target that hangs at some requests. */
const SHORTEST_TIMEOUT = 500;

/** How many times such a target gets the whole time-out, if requests can wait concurrently; those count once. */
const WHOLE_WAITS = 2;

const WITHOUT_RESPONSE: readonly TransportError[] = ['timeout', 'unreachable'];

/** After so many whole time-outs one after the other, at a target that responds in between, requests get less. */
const ENOUGH_WAITS = 5;

interface LivenessOptions {
  /** ms for one request. */
  readonly timeout: number;
  /** Attempts without a response before the target is given up. */
  readonly patience: number;
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
  #givenUp: TransportFailure | undefined;

  constructor(options: LivenessOptions) {
    this.#options = options;
  }

  /** Why nothing more is sent; undefined while the target is worth a request. */
  get givenUp(): TransportFailure | undefined {
    return this.#givenUp;
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

  get #isLastChance(): boolean {
    return this.#options.patience < DEFAULT_PATIENCE;
  }

  #giveUp({ kind, message }: TransportFailure): void {
    this.#givenUp ??= new TransportFailure(kind, `not sent, since the target no longer responds: ${message}`);
  }

  begin(now: number): void {
    this.#firstAttempt ??= now;
  }

  responded(begun: number, now: number): void {
    this.#hangs ||= this.isInDoubt;
    this.#failures = 0;
    this.#lastResponse = now;
    this.#slowest = Math.max(this.#slowest, now - begun);
  }

  /** Called when the target responded to another request while one got no response. */
  respondedBeside(): void {
    this.#hangs = true;
    this.#servesOthers = true;
  }

  failed(failure: TransportFailure, begun: number, now: number): void {
    if (!WITHOUT_RESPONSE.includes(failure.kind)) return;
    if (now - begun >= this.#options.timeout && begun >= this.#lastWholeWait) {
      this.#wholeWaits += 1;
      this.#lastWholeWait = now;
    }
    if (begun < this.#lastFailure) return;
    this.#failures += 1;
    this.#lastFailure = now;
    if (this.#failures >= this.#options.patience) this.#giveUp(failure);
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
    const failure =
      never && ms > longest
        ? new TransportFailure('throttled', `the target asked for a pause of ${seconds(ms)} s at once`)
        : now - since + (never ? ms : 0) > longest
          ? new TransportFailure('throttled', `the target asked for nothing but pauses for ${seconds(now - since)} s`)
          : undefined;
    if (!failure) return;
    this.#giveUp(failure);
    throw failure;
  }
}
