import { X509Certificate } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readGivenFile, UsageError } from '../common/process/args.ts';
import { counted } from '../common/text.ts';
import { route as routeTo } from '../contract/document.ts';
import { openClient } from '../conformance/http/client.ts';
import { makeRecorder } from '../conformance/http/record.ts';
import { proxyOf, type Route } from '../conformance/http/route.ts';
import type { Inputs } from '../conformance/inputs.ts';
import { parseBaseline } from '../conformance/result/baseline.ts';
import type { Result } from '../conformance/result/result.ts';
import { type RunOptions, runTarget } from '../conformance/run.ts';
import type { Settings } from './configuration.ts';
import type { CommandIo, Redact } from './io.ts';

/** Characters. A shorter key may well be a word of a report; what the target sent is redacted before. */
const SHORTEST_PROTECTED = 8;

/** Takes the keys of a target out of whatever is printed. */
export function redactFor(inputs: Inputs): Redact {
  const isLong = (key: string | undefined): boolean => key !== undefined && key.length >= SHORTEST_PROTECTED;
  const { baseUrl, adminKey, restrictedKey } = inputs;
  const keys = Object.entries({ adminKey, restrictedKey }).filter(([, key]) => isLong(key));
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
export function routeOf({ values, at }: Settings, { environment, err }: Pick<CommandIo, 'environment' | 'err'>): Route {
  const { ca: file, insecure = false } = values;
  if (insecure && file !== undefined) throw new UsageError('--insecure and --ca exclude each other.');
  const ca = file === undefined ? undefined : readGivenFile(at('ca'), file);
  if (ca !== undefined && !isCertificate(ca))
    throw new UsageError(`${at('ca')} ${file ?? ''}: no certificate in PEM ("-----BEGIN CERTIFICATE-----").`);
  if (insecure) err.write('--insecure: no certificate is verified; anybody on the way can read the keys\n');
  const proxy = proxyOf(environment);
  return { ...(ca !== undefined && { ca }), ...(insecure && { insecure }), ...(proxy && { proxy }) };
}

/**
 * What settings say of a run, whatever its target.
 *
 * @throws UsageError if a file that they name cannot be used
 */
export async function runOptionsOf(settings: Settings, io: CommandIo): Promise<RunOptions> {
  const { only, skip, failOn, baseline: file, timeout, deadline, explore, seed } = settings.values;
  if (seed !== undefined && explore === undefined)
    throw new UsageError('--seed repeats an exploration; add --explore.');
  const text = file === undefined ? '' : readGivenFile(settings.at('baseline'), file);
  return {
    ...{ failOn, timeout, deadline, explore, seed, route: routeOf(settings, io) },
    ...(only && { only }),
    ...(skip && { skip }),
    ...(file !== undefined && { baseline: await parseBaseline(file, text) }),
  };
}

/** ms between two looks at a target that is not up yet, and for each look. */
const [BETWEEN, LOOK] = [200, 5_000];

/** Whether a target responds; a proxy responds with 502 and 503 while the service behind it starts. */
async function whyNotUp(send: ReturnType<typeof openClient>['send']): Promise<string | undefined> {
  const { path } = routeTo('listBanners');
  const { response } = await send({ operation: 'listBanners', path, headers: { Accept: 'application/json' } });
  const { status, lost } = response;
  if (lost) return ['unreachable', 'closed', 'timeout'].includes(lost.kind) ? lost.detail : undefined;
  return status === 502 || status === 503 ? `it responded ${status}` : undefined;
}

/**
 * Waits until a target responds, with anything but 502 and 503, to requests that carry no key and take the way of the run.
 *
 * @returns a sentence if it did not within so many seconds
 */
export async function waitForTarget(
  baseUrl: URL,
  seconds: number,
  route: Route | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const end = performance.now() + seconds * 1_000;
  const timeout = Math.min(LOOK, seconds * 1_000);
  const client = openClient({ inputs: { baseUrl }, timeout, route, startedAt: performance.now() });
  try {
    for (;;) {
      const why = await whyNotUp(client.send);
      if (why === undefined || signal.aborted) return undefined;
      if (performance.now() >= end)
        return `${baseUrl.host} was not up within ${counted(seconds, 'second')} (${why}). Start it, or give it more time with --wait.`;
      await pause(BETWEEN, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await client.close();
  }
}

/**
 * Judges a target.
 *
 * @throws UsageError if the journal cannot be written
 */
export async function judge(inputs: Inputs, options: RunOptions): Promise<Result> {
  try {
    return await runTarget(inputs, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new UsageError(`Cannot write the journal: ${(error as Error).message}. Name another file with --journal.`);
  }
}
