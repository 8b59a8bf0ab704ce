import type { CommandIo } from './io.ts';

/** ms. A signal that follows the first within this time is the same one: npx passes it on, and a closed terminal sends two. */
const SAME_SIGNAL = 1_000;

/**
 * Listens for SIGINT, SIGTERM and SIGHUP until the function that it returns is called. `first` ends the work and restores the
 * users; `again` leaves at once, which a closed terminal does not ask for.
 */
export function listenForInterruption(
  { onInterrupt }: Pick<CommandIo, 'onInterrupt'>,
  what: Readonly<Record<'first' | 'again', () => void>>,
): () => void {
  let interruptedAt: number | undefined;
  return onInterrupt((signal) => {
    if (interruptedAt === undefined) {
      interruptedAt = performance.now();
      what.first();
    } else if (signal !== 'SIGHUP' && performance.now() - interruptedAt >= SAME_SIGNAL) what.again();
  });
}
