import type { CommandIo } from './io.ts';

/** ms. A signal that follows the first within this time is the same one: npx passes it on, and a closed terminal sends two. */
const SAME_SIGNAL = 1_000;

/** What is done about SIGINT, SIGTERM and SIGHUP. */
export interface Interruption {
  /** Ends the work, and restores the users. */
  readonly first: () => void;
  /** Leaves at once; a closed terminal does not ask for that. */
  readonly again: () => void;
}

/** Listens for interruptions until the function that it returns is called. */
export function listenForInterruption({ onInterrupt }: Pick<CommandIo, 'onInterrupt'>, what: Interruption): () => void {
  let interruptedAt: number | undefined;
  return onInterrupt((signal) => {
    if (interruptedAt === undefined) {
      interruptedAt = performance.now();
      what.first();
    } else if (signal !== 'SIGHUP' && performance.now() - interruptedAt >= SAME_SIGNAL) what.again();
  });
}
