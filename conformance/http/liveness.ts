import type { TransportError } from './exchange.ts';
import { TransportFailure } from './transport-errors.ts';

/** After so many attempts without a response, one after the other, a target is given up. */
export const DEFAULT_PATIENCE = 3;

/** ms. The shortest time-out at a target that hangs at some requests. */
const SHORTEST_TIMEOUT = 500;

const WITHOUT_RESPONSE: readonly TransportError[] = ['timeout', 'unreachable'];

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

  /** ms for the next attempt: less after some without a response, but twice what the slowest response took. */
  get timeout(): number {
    const { timeout } = this.#options;
    if (this.#failures === 0 && !this.#hangs) return this.#isLastChance ? timeout / 2 : timeout;
    if (this.#lastResponse === undefined) return timeout / 2 ** this.#failures;
    const least = this.#hangs ? Math.min(SHORTEST_TIMEOUT, timeout / 4) : timeout / 4;
    return Math.round(Math.min(timeout, Math.max(least, 2 * this.#slowest)));
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

  failed(failure: TransportFailure, begun: number, now: number): void {
    if (!WITHOUT_RESPONSE.includes(failure.kind) || begun < this.#lastFailure) return;
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
