import { UsageError } from '../common/process/args.ts';
import { counted } from '../common/text.ts';
import { proxyOf, type Route } from '../conformance/http/route.ts';
import { waitForTarget } from '../conformance/http/wait.ts';
import type { Inputs } from '../conformance/inputs.ts';
import { EXIT_CODES, type Result } from '../conformance/facts/result.ts';
import { type RunOptions, runTarget } from '../conformance/run.ts';
import type { CommandIo } from './command.ts';
import type { Values } from './settings.ts';

/** How the target is reached. Says so if no certificate is verified. */
export function routeOf({ ca, insecure = false }: Values, { environment, err }: CommandIo): Route {
  if (insecure) err.write('--insecure: no certificate is verified; anyone on the network path can read the keys\n');
  return { insecure, ca, proxy: proxyOf(environment) };
}

/** What settings say of a run, whatever its target. */
export function runOptionsOf(values: Values, io: CommandIo): RunOptions {
  const { only = [], skip = [], failOn, baseline, timeout, deadline } = values;
  const known = { baseline: baseline?.entries, baselineFile: baseline?.file };
  return { only, skip, failOn, ...known, timeout, deadline, route: routeOf(values, io) };
}

/** ms. A signal that follows the first within this time is the same one: npx passes it on, and a closed terminal sends two. */
const SAME_SIGNAL = 1_000;

/**
 * Does work until its end, or until the first SIGINT, SIGTERM or SIGHUP, which lets it restore the users; at a second one, which a
 * closed terminal does not mean, leaves at once.
 */
export async function untilInterrupted<T>(
  { onInterrupt, exit }: CommandIo,
  note: (text: string) => void,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  let interruptedAt: number | undefined;
  const stopListening = onInterrupt((signal) => {
    if (interruptedAt === undefined) {
      interruptedAt = performance.now();
      note('stopping; restoring the users first (press again to leave at once)');
      stop.abort();
    } else if (signal !== 'SIGHUP' && performance.now() - interruptedAt >= SAME_SIGNAL) {
      note('stopped without restoring the users; "restore JOURNAL" restores them');
      exit(EXIT_CODES.interrupted);
    }
  });
  try {
    return await work(stop.signal);
  } finally {
    stopListening();
  }
}

/**
 * Waits for a target, if asked to, and judges it. A target that is not up in time is judged all the same, so that the report says why.
 *
 * @param wait seconds
 * @throws UsageError if the journal cannot be written
 */
export async function judge(
  inputs: Inputs,
  options: RunOptions & { readonly signal: AbortSignal },
  wait: number | undefined,
  note: (text: string) => void,
): Promise<Result> {
  const { route, signal } = options;
  const why = wait === undefined ? undefined : await waitForTarget(inputs.baseUrl, wait * 1_000, route, signal);
  if (why !== undefined && !signal.aborted)
    note(`${inputs.baseUrl.host} was not up within ${counted(wait ?? 0, 'second')} (${why}); judging it anyway`);
  try {
    return await runTarget(inputs, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new UsageError(`Cannot write the journal: ${(error as Error).message}. Name another file with --journal.`);
  }
}
