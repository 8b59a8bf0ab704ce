import { X509Certificate } from 'node:crypto';
import { readGivenFile, UsageError } from '../common/process/args.ts';
import type { Redact } from '../common/process/output.ts';
import { counted } from '../common/text.ts';
import { shellWord } from '../conformance/http/curl.ts';
import { makeRecorder } from '../conformance/http/record.ts';
import { proxyOf, type Route } from '../conformance/http/route.ts';
import { waitForTarget } from '../conformance/http/wait.ts';
import type { Inputs } from '../conformance/inputs.ts';
import { parseBaseline } from '../conformance/result/baseline.ts';
import { EXIT_CODES, type Result } from '../conformance/result/result.ts';
import { type RunOptions, runTarget } from '../conformance/run.ts';
import { type CommandIo, programName } from './command.ts';
import type { Settings } from './configuration.ts';

/** Characters. A shorter key may be an ordinary word; what the target sent was redacted before. */
const SHORTEST_PROTECTED = 8;

/** Withholds the keys of a target from whatever is printed. */
export function redactFor({ baseUrl, adminKey, restrictedKey }: Inputs): Redact {
  const keys = Object.entries({ adminKey, restrictedKey }).filter(([, key = '']) => key.length >= SHORTEST_PROTECTED);
  return makeRecorder({ baseUrl, ...Object.fromEntries(keys) }).text;
}

function isCertificate(pem: string): boolean {
  try {
    return Boolean(new X509Certificate(pem));
  } catch {
    return false;
  }
}

/**
 * How the target is reached. Says so if no certificate is verified.
 *
 * @throws UsageError if the file of certificates cannot be used
 */
export function routeOf({ values, at }: Settings, { environment, err }: CommandIo): Route {
  const { ca: file, insecure = false } = values;
  if (insecure && file !== undefined) throw new UsageError('--insecure and --ca exclude each other.');
  if (insecure) err.write('--insecure: no certificate is verified; anyone on the network path can read the keys\n');
  const proxy = proxyOf(environment);
  const route = { ...(insecure && { insecure }), ...(proxy && { proxy }) };
  if (file === undefined) return route;
  const ca = readGivenFile(at('ca'), file);
  if (isCertificate(ca)) return { ...route, ca };
  throw new UsageError(`${at('ca')} ${file}: no certificate in PEM ("-----BEGIN CERTIFICATE-----").`);
}

/**
 * What settings say of a run, whatever its target.
 *
 * @throws UsageError if a file that they name cannot be used
 */
export async function runOptionsOf(settings: Settings, io: CommandIo): Promise<RunOptions> {
  const { only = [], skip = [], failOn, baseline: file, timeout, deadline, explore, seed } = settings.values;
  if (seed !== undefined && explore === undefined)
    throw new UsageError('--seed repeats an exploration; add --explore.');
  const known = file === undefined ? '' : readGivenFile(settings.at('baseline'), file);
  const baseline = file === undefined ? [] : await parseBaseline(file, known);
  return { only, skip, failOn, baseline, timeout, deadline, explore, seed, route: routeOf(settings, io) };
}

/** ms. A signal that follows the first within this time is the same one: npx passes it on, and a closed terminal sends two. */
const SAME_SIGNAL = 1_000;

/**
 * Ends the work at the first SIGINT, SIGTERM or SIGHUP, and restores the users; at a second one, which a closed terminal does not
 * mean, leaves at once and says how to restore them.
 *
 * @param journals of what is under way
 * @returns the signal that ends the work, and a function that stops listening
 */
export function stopOnInterruption(io: CommandIo, note: (text: string) => void, journals: ReadonlySet<string>) {
  const stop = new AbortController();
  let interruptedAt: number | undefined;
  const stopListening = io.onInterrupt((signal) => {
    if (interruptedAt === undefined) {
      interruptedAt = performance.now();
      note('stopping; restoring the users first (press again to leave at once)');
      stop.abort();
    } else if (signal !== 'SIGHUP' && performance.now() - interruptedAt >= SAME_SIGNAL) {
      note('stopped without restoring the users');
      for (const path of journals) note(`use: ${programName(io.environment)} restore ${shellWord(path)}`);
      io.exit(EXIT_CODES.interrupted);
    }
  });
  return { signal: stop.signal, stopListening };
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
