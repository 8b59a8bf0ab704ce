import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { makeStop } from '../../common/stop.ts';
import { counted } from '../../common/text.ts';

const PAUSE_MS = 200;

/** @returns why the address does not accept a connection, or nothing if it does */
async function refusal({ hostname, port, protocol }: URL, signal: AbortSignal): Promise<string | undefined> {
  const socket = connect({
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
  });
  try {
    await once(socket, 'connect', { signal });
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return signal.aborted ? 'it does not respond' : (code ?? message);
  } finally {
    socket.destroy();
  }
}

/**
 * Waits until a target accepts connections. Sends nothing.
 *
 * @param limit ends the waiting
 * @returns why the last attempt failed, or nothing once the target accepts a connection
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
 * @returns a sentence if the target accepted no connection
 */
export async function refusalWithin(seconds: number, baseUrl: URL, stop: AbortSignal): Promise<string | undefined> {
  const limit = makeStop({ other: stop, after: seconds * 1000 });
  try {
    const reason = await waitForTarget(baseUrl, limit.signal);
    return reason === undefined
      ? undefined
      : `${baseUrl.host} accepted no connection within ${counted(seconds, 'second')} (${reason}).`;
  } finally {
    limit.release();
  }
}
