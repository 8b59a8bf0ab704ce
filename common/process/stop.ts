/** Ends work that goes on: by a call, with another signal, or after some time. */
export interface Stop {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** To be called once the work has ended: lets go of the timer and of the other signal. */
  readonly release: () => void;
}

/**
 * Makes what `AbortSignal.any([other, AbortSignal.timeout(after)])` promises: Node 20 may collect the signals within it as garbage,
 * and then it never aborts.
 *
 * @param other aborts this one with the same reason
 * @param after ms
 */
export function makeStop({
  other,
  after,
}: {
  readonly other?: AbortSignal | undefined;
  readonly after?: number;
}): Stop {
  const controller = new AbortController();
  const follow = (): void => controller.abort(other?.reason);
  const abort = (): void => controller.abort();
  const timer = after === undefined ? undefined : setTimeout(abort, after);
  if (other?.aborted) follow();
  other?.addEventListener('abort', follow);
  return {
    signal: controller.signal,
    abort,
    release: () => {
      clearTimeout(timer);
      other?.removeEventListener('abort', follow);
    },
  };
}
