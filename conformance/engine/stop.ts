import { Stopped } from './outcome.ts';

/** ms for restoring the users. */
export const RESTORE_FOR = 30_000;
/** ms. How much longer than its deadline a run may take, restoring included. */
const AFTER_DEADLINE = 10_000;

/** When a run has to stop. */
export interface RunClock {
  /** Ends the checks: at the deadline, less the time that restoring may need; or when somebody else stops the run. */
  readonly checks: AbortSignal;
  /** Starts the time for restoring, at most so many ms. Its signal ends it. */
  readonly startRestoring: (most?: number) => { readonly signal: AbortSignal; readonly until: number };
  /** Whether the run was stopped from outside. */
  readonly isInterrupted: () => boolean;
  /** Call it at the end: it releases the timers and the other signal. */
  readonly release: () => void;
}

/**
 * Starts the clock of a run.
 *
 * @param deadline ms for the whole run; with restoring, it takes at most ten seconds more
 * @param outside stops the run early; its users are restored all the same
 */
export function startClock(deadline: number, outside?: AbortSignal): RunClock {
  const end = performance.now() + deadline + AFTER_DEADLINE;
  const [checks, restoring] = [new AbortController(), new AbortController()];
  const forChecks = Math.max(deadline / 2, deadline + AFTER_DEADLINE - RESTORE_FOR);
  const timers = [
    setTimeout(
      () => checks.abort(new Stopped(`The run reached its deadline of ${deadline / 1000} s (--deadline).`)),
      forChecks,
    ),
  ];
  const interrupt = (): void => checks.abort(new Stopped('The run was interrupted.'));
  if (outside?.aborted) interrupt();
  outside?.addEventListener('abort', interrupt);
  return {
    checks: checks.signal,
    startRestoring: (most = RESTORE_FOR) => {
      const until = Math.min(end, performance.now() + most);
      const why = new Stopped('The target did not take the old values in time.');
      timers.push(setTimeout(() => restoring.abort(why), until - performance.now()));
      return { signal: restoring.signal, until };
    },
    isInterrupted: () => outside?.aborted === true,
    release: () => {
      timers.forEach((timer) => clearTimeout(timer));
      outside?.removeEventListener('abort', interrupt);
    },
  };
}
