import { once } from 'node:events';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { makeStop } from '../../common/process/stop.ts';
import { counted } from '../../common/text.ts';

const PAUSE_MS = 200;
/** What a proxy responds with while the service behind it starts, and a service that is not ready. */
const STARTING = [502, 503];
/** Errors of a connection that is not made, or is closed without a response. Any other one is of a target that is there. */
const ABSENT = /^(ECONN|EHOST|ENET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE)/;

/** @returns why the target is not ready, or nothing if it is */
async function refusal(baseUrl: URL, signal: AbortSignal): Promise<string | undefined> {
  // Nothing secret is sent, and the run verifies the certificate.
  const sent =
    baseUrl.protocol === 'https:'
      ? secureRequest(baseUrl, { signal, agent: false, rejectUnauthorized: false })
      : plainRequest(baseUrl, { signal, agent: false });
  try {
    const responded = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.end();
    const [{ statusCode = 0 }] = await responded;
    return STARTING.includes(statusCode) ? `it responded ${statusCode}` : undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (signal.aborted) return 'it does not respond';
    return code === undefined || ABSENT.test(code) ? (code ?? message) : undefined;
  } finally {
    sent.on('error', () => undefined).destroy();
  }
}

/**
 * Waits until a target gives a response other than 502 and 503 to a request for the base URL, which carries no key.
 *
 * @param limit ends the waiting
 * @returns why the last attempt failed, or nothing once the target is ready
 */
export async function waitForTarget(baseUrl: URL, limit: AbortSignal): Promise<string | undefined> {
  let reason: string | undefined;
  for (;;) {
    const failed = await refusal(baseUrl, limit);
    if (failed === undefined) return undefined;
    // An attempt that the limit cut off says less than the one before.
    if (!limit.aborted || reason === undefined) reason = failed;
    await pause(PAUSE_MS, undefined, { signal: limit }).catch(() => undefined);
    if (limit.aborted) return reason;
  }
}

/**
 * Waits for a target no longer than some seconds.
 *
 * @param stop ends the waiting earlier
 * @returns a sentence if the target was not ready in that time
 */
export async function refusalWithin(seconds: number, baseUrl: URL, stop: AbortSignal): Promise<string | undefined> {
  const limit = makeStop({ other: stop, after: seconds * 1000 });
  try {
    const reason = await waitForTarget(baseUrl, limit.signal);
    return reason === undefined
      ? undefined
      : `${baseUrl.host} was not ready within ${counted(seconds, 'second')} (${reason}).`;
  } finally {
    limit.release();
  }
}
