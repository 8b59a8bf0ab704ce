import { setTimeout as sleep } from 'node:timers/promises';
import type { Limits } from './limits.ts';
import { TransportFailure } from './transport-errors.ts';

/** Why a request was aborted. */
export const RUN_STOPPED = 'the run was stopped';

export interface PacerOptions {
  readonly limits: Limits;
  /** Ends every pause. */
  readonly signal: AbortSignal;
  /** Told once, when requests are sent one at a time from then on; waited for before the next one. */
  readonly onSerialize: () => Promise<unknown>;
}

/** Decides when a request may be sent: how many at once, and not while the target asked for a pause. */
export interface Pacer {
  /** Waits for a turn. Each turn ends with `leave`. */
  readonly enter: () => Promise<void>;
  readonly leave: () => void;
  readonly isSerialized: () => boolean;
  /** One request at a time from now on, for targets that serve no concurrent ones. Gives up the caller's turn and waits for another. */
  readonly serialize: () => Promise<void>;
  /** Called before a request is sent. The result tells whether a failure may come from concurrent requests. */
  readonly watchContention: () => () => boolean;
  /** Lets no request be sent for so many ms. */
  readonly pause: (ms: number) => void;
  /**
   * Waits for the end of a pause.
   *
   * @throws TransportFailure if the run was stopped, or the pause ends after the deadline
   */
  readonly ready: () => Promise<void>;
}

/** Makes the pacer of a run that starts now. */
export function makePacer({ limits, signal, onSerialize }: PacerOptions): Pacer {
  const started = performance.now();
  const waiting: (() => void)[] = [];
  let limit = limits.concurrency;
  let running = 0;
  let contended = false;
  let pausedUntil = 0;
  let serialized: Promise<unknown> | undefined = limit === 1 ? Promise.resolve() : undefined;

  const admit = (): void => {
    while (running < limit && waiting.length > 0) {
      running += 1;
      waiting.shift()?.();
    }
  };
  const enter = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      admit();
    });
  const leave = (): void => {
    running -= 1;
    admit();
  };

  return {
    enter,
    leave,
    isSerialized: () => serialized !== undefined,
    serialize: async () => {
      limit = 1;
      serialized ??= onSerialize();
      leave();
      await serialized;
      await enter();
    },
    watchContention: () => {
      const concurrent = serialized === undefined;
      contended ||= running > 1;
      return () => concurrent && contended;
    },
    pause: (ms) => {
      pausedUntil = performance.now() + ms;
    },
    ready: async () => {
      if (signal.aborted) throw new TransportFailure('aborted', RUN_STOPPED);
      const rest = pausedUntil - performance.now();
      if (rest <= 0) return;
      if (performance.now() - started + rest > limits.deadline) {
        const seconds = Math.ceil(rest / 1000);
        throw new TransportFailure('throttled', `the target asked for a pause of ${seconds} s, beyond the deadline`);
      }
      await sleep(rest, undefined, { signal }).catch(() => {
        throw new TransportFailure('aborted', RUN_STOPPED);
      });
    },
  };
}
