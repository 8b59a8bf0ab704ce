import { setTimeout as sleep } from 'node:timers/promises';
import type { Limits } from './limits.ts';
import { TransportFailure } from '../transport/transport-errors.ts';

/** Why a request was aborted. */
export const RUN_STOPPED = 'the run was stopped';

interface PacerOptions {
  readonly limits: Limits;
  /** Ends every pause. */
  readonly signal: AbortSignal;
  /** Told once, when requests are sent one at a time from then on; waited for before the next one. */
  readonly onSerialize: () => Promise<unknown>;
}

/** Held by a request while it counts among the concurrent ones. */
export interface Turn {
  isHeld: boolean;
}

/** Decides when a request of a run that starts now may be sent: how many at once, and not while the target asked for a pause. */
export class Pacer {
  readonly #options: PacerOptions;
  readonly #started = performance.now();
  /** Requests that are sent again; what they show decides how the others are sent. */
  readonly #again: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];
  /** These go when nobody else waits. */
  readonly #behind: (() => void)[] = [];
  #limit: number;
  #running = 0;
  #contended = false;
  #mayContend = true;
  #pausedUntil = 0;
  #serialized: Promise<unknown> | undefined;

  constructor(options: PacerOptions) {
    this.#options = options;
    this.#limit = options.limits.concurrency;
    if (this.#limit === 1) this.#serialized = Promise.resolve();
  }

  get isSerialized(): boolean {
    return this.#serialized !== undefined;
  }

  #admit(): void {
    while (this.#running < this.#limit) {
      const next = this.#again.shift() ?? this.#waiting.shift() ?? this.#behind.shift();
      if (!next) return;
      this.#running += 1;
      next();
    }
  }

  #admission(queue: (() => void)[]): Promise<void> {
    return new Promise((resolve) => {
      queue.push(resolve);
      this.#admit();
    });
  }

  /**
   * Waits for a turn. Each turn ends with `leave`.
   *
   * @param behind whether it comes after all others: nothing waits for its response
   */
  async enter(behind = false): Promise<Turn> {
    await this.#admission(behind ? this.#behind : this.#waiting);
    return { isHeld: true };
  }

  /** Ends a turn, unless it has ended. */
  leave(turn: Turn): void {
    if (!turn.isHeld) return;
    turn.isHeld = false;
    this.#running -= 1;
    this.#admit();
  }

  /** One request at a time from now on, for targets that serve no concurrent ones. Gives up the turn and waits for another. */
  async serialize(turn: Turn): Promise<void> {
    this.#limit = 1;
    this.#serialized ??= this.#options.onSerialize();
    const admission = this.#admission(this.#again);
    this.leave(turn);
    await Promise.all([admission, this.#serialized]);
    turn.isHeld = true;
  }

  /** Concurrent requests again: that one at a time got no response either showed another reason. */
  resume(): void {
    this.#mayContend = false;
    this.#limit = this.#options.limits.concurrency;
    this.#serialized = undefined;
    this.#admit();
  }

  /** Called before a request is sent. The result tells whether a failure may come from concurrent requests. */
  watchContention(): () => boolean {
    const concurrent = !this.isSerialized;
    this.#contended ||= this.#running > 1;
    return () => concurrent && this.#contended && this.#mayContend;
  }

  /** Lets no request be sent for so many ms. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms);
  }

  /**
   * Waits for the end of a pause.
   *
   * @throws TransportFailure if the run was stopped, or the pause ends after the deadline
   */
  async ready(): Promise<void> {
    const { limits, signal } = this.#options;
    if (signal.aborted) throw new TransportFailure('aborted', RUN_STOPPED);
    const rest = this.#pausedUntil - performance.now();
    if (rest <= 0) return;
    if (performance.now() - this.#started + rest > limits.deadline) {
      const seconds = Math.ceil(rest / 1000);
      throw new TransportFailure('throttled', `the target asked for a pause of ${seconds} s, beyond the deadline`);
    }
    await sleep(rest, undefined, { signal }).catch(() => {
      throw new TransportFailure('aborted', RUN_STOPPED);
    });
  }
}
