import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeConnections, type Dispatch, type Way } from './connections.ts';
import { makeBodyKeeper } from './bodies.ts';
import type { RawResponse } from './content.ts';
import type { Exchange, RequestSpec } from './exchange.ts';
import { DEFAULT_PATIENCE, Liveness } from './liveness.ts';
import { DEFAULT_PAUSE, MAX_PAUSES, retryAfter, SHORTEST_PAUSE, type Limits } from './limits.ts';
import { Pacer, RUN_STOPPED, type Turn } from './pacer.ts';
import type { Lifetime } from './node-http.ts';
import { isReadableOtherwise, toTransportFailure, TransportFailure } from './transport-errors.ts';

/** ms. When the run is stopped, a request under way may still get its response: without it nobody knows what the request did. */
const GRACE = 2_000;

export interface ClientOptions extends Way {
  /** The value of `{baseUrl}`; may have a path. */
  readonly baseUrl: URL;
  readonly limits: Limits;
  /** Ends every request, waiting ones too. */
  readonly signal: AbortSignal;
  /** Texts, such as keys, that checks look for in whole bodies; of large bodies only the start is kept. */
  readonly watched?: readonly string[];
  /** After how many attempts without a response the target is given up; default 3. */
  readonly patience?: number;
  readonly onExchange?: (exchange: Exchange) => void;
}

export interface SendOptions {
  /** Whether the request gives way to others that are to be sent: nothing waits for its response. */
  readonly behind?: boolean;
}

/** Sends requests within bounds and records them. Follows no redirect, keeps no cookie, never throws for what a target does. */
export interface HttpClient {
  readonly send: (request: RequestSpec, options?: SendOptions) => Promise<Exchange>;
  /** Every exchange so far, in the order of completion. */
  readonly exchanges: readonly Exchange[];
  /** Whether the target no longer responds, so that nothing more is sent to it. */
  readonly hasGivenUp: () => boolean;
  /** Ends all connections. */
  readonly close: () => Promise<void>;
}

/** A request on its way. */
interface Sent {
  readonly request: RequestSpec;
  readonly turn: Turn;
}

/** Why a request is sent again that got a response before. */
const STILL_RESPONDS = 'A request that got a response before, to see whether the target still responds';

function isAnsweredRead({ request, response }: Exchange): boolean {
  return request.method === 'GET' && response !== undefined;
}

type Outcome = Pick<Exchange, 'pauses' | 'response' | 'transportError'>;

function asksForPause({ status, headers }: RawResponse): boolean {
  return status === 429 || (status === 503 && headers['retry-after'] !== undefined);
}

/** Runs a task that is ended after the time-out, or `grace` ms after the run was stopped. */
type Bounded = <T>(timeout: number, task: (lifetime: Lifetime) => Promise<T>, grace: () => number) => Promise<T>;

/** Makes a `Bounded` that throws TransportFailure for whatever the task throws. */
function makeBounded(stopped: AbortSignal): Bounded {
  // Not one listener for each request: these take longer than a set.
  const underWay = new Set<() => void>();
  stopped.addEventListener('abort', () => {
    for (const stop of underWay) stop();
  });
  return async (timeout, task, grace) => {
    const lifetime: Lifetime = { isOver: false, end: () => undefined };
    const end = (): void => {
      lifetime.isOver = true;
      lifetime.end();
    };
    const timers = [setTimeout(end, timeout)];
    const stop = (): void => {
      timers.push(setTimeout(end, grace()));
    };
    underWay.add(stop);
    try {
      return await task(lifetime);
    } catch (error) {
      if (stopped.aborted) throw new TransportFailure('aborted', RUN_STOPPED);
      if (lifetime.isOver) throw new TransportFailure('timeout', `no complete response within ${timeout} ms`);
      throw toTransportFailure(error);
    } finally {
      timers.forEach(clearTimeout);
      underWay.delete(stop);
    }
  };
}

/** Makes the function that sends a request once over some connection. It throws TransportFailure. */
function makeAttempt({ baseUrl, signal: stopped }: ClientOptions, liveness: Liveness, pacer: Pacer) {
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  const bounded = makeBounded(stopped);
  const attempt = (
    { credential, headers, method, path, body, charset }: RequestSpec,
    dispatch: Dispatch,
    timeout: number,
  ) => {
    const { query, header, fieldName = 'Authorization', otherHeaders } = credential;
    const authorization = header === undefined ? {} : { [fieldName]: header };
    const begun = performance.now();
    const grace = (): number =>
      liveness.hangs ? Math.max(0, Math.min(GRACE, liveness.usual - (performance.now() - begun))) : GRACE;
    const task = (lifetime: Lifetime): Promise<RawResponse> =>
      dispatch({
        method,
        path: prefix + path + (query === undefined ? '' : `?${query}`),
        headers: { ...headers, ...otherHeaders, ...authorization },
        body: body === undefined || charset === undefined ? body : Buffer.from(body, charset),
        lifetime,
      });
    return bounded(timeout, task, grace);
  };
  return async ({ request, turn }: Sent, dispatch: Dispatch, again = false): Promise<RawResponse> => {
    if (liveness.givenUp) throw liveness.givenUp;
    if (stopped.aborted) throw new TransportFailure('aborted', RUN_STOPPED);
    const begun = performance.now();
    liveness.begin(begun);
    const leave = (): void => {
      pacer.leave(turn);
    };
    // What hangs is waited for while others are sent.
    const aside = liveness.hangs && !pacer.isSerialized ? setTimeout(leave, liveness.usual) : undefined;
    try {
      const response = await attempt(request, dispatch, liveness.timeoutFor(again));
      if (!asksForPause(response)) liveness.responded(begun, performance.now());
      return response;
    } catch (error) {
      liveness.failed(error as TransportFailure, begun, performance.now());
      throw error;
    } finally {
      clearTimeout(aside);
    }
  };
}

/** What the requests of a client go through. */
interface Sending {
  readonly toRecord: ReturnType<typeof makeBodyKeeper>;
  readonly connections: ReturnType<typeof makeConnections>;
  readonly liveness: Liveness;
  readonly pacer: Pacer;
  readonly attempt: ReturnType<typeof makeAttempt>;
  /** Sends a request again that got a response before, on its own connection; gives whether it got one. */
  readonly askBeside: () => Promise<boolean>;
}

/** Over a fresh connection: the target may have closed a kept-alive one at the moment of sending. */
async function attemptFresh({ connections, attempt }: Sending, sent: Sent, again = false): Promise<RawResponse> {
  const { dispatch, close } = await connections.fresh(sent.request.credential.ownConnection);
  try {
    return await attempt(sent, dispatch, again);
  } finally {
    await close();
  }
}

/**
 * Sends a request again that timed out among concurrent ones, and in the middle of its time another one beside it. A target that
 * responds only to that one serves concurrent requests, and hangs at this one.
 */
async function attemptAlone(sending: Sending, sent: Sent): Promise<RawResponse> {
  const { pacer, liveness, connections, askBeside } = sending;
  const beside = { responded: false, ended: Promise.resolve() };
  const ask = (): void => {
    beside.ended = askBeside().then((responded) => {
      beside.responded = responded;
    });
  };
  const timer = liveness.hangs ? undefined : setTimeout(ask, liveness.timeoutFor(true) / 2);
  try {
    return await attemptFresh(sending, sent, true);
  } catch (error) {
    // A response after this time may come from a connection that was served only now.
    if ((error as TransportFailure).kind === 'timeout' && beside.responded && pacer.isSerialized) {
      liveness.respondedBeside();
      connections.widen();
      pacer.resume();
    }
    throw error;
  } finally {
    clearTimeout(timer);
    await beside.ended;
  }
}

/**
 * Sends a request again on its own if it failed among concurrent ones, as at a target that serves few connections, or if it is
 * the first to get 503, as from a limit of the rate.
 */
async function attemptTwice(sending: Sending, sent: Sent): Promise<RawResponse> {
  const { connections, pacer, attempt } = sending;
  const mayBeContention = pacer.watchContention();
  let refused: RawResponse | undefined;
  let timedOut = false;
  try {
    const isPooled = sent.request.credential.ownConnection === undefined;
    refused = await (isPooled ? attempt(sent, connections.pooled) : attemptFresh(sending, sent));
    if (refused.status !== 503 || asksForPause(refused)) return refused;
    if (pacer.isOverloaded !== undefined && !mayBeContention()) return refused;
  } catch (error) {
    const failure = error as TransportFailure;
    timedOut = failure.kind === 'timeout';
    if (isReadableOtherwise(failure)) return attempt(sent, connections.byNode);
    if (failure.kind === 'closed') {
      const fresh = await attemptFresh(sending, sent).catch((again: unknown) => again as TransportFailure);
      if (!(fresh instanceof TransportFailure)) return fresh;
      if (fresh.kind !== 'closed' || !mayBeContention()) throw fresh;
    } else if (!timedOut || !mayBeContention()) throw failure;
  }
  await pacer.serialize(sent.turn);
  await sleep(refused && pacer.isOverloaded === undefined ? DEFAULT_PAUSE : SHORTEST_PAUSE);
  if (timedOut) return attemptAlone(sending, sent);
  const response = await attemptFresh(sending, sent);
  if (refused) pacer.isOverloaded ??= response.status !== 503;
  return response;
}

/** Sends a request until the target asks for no pause. */
async function outcomeOf(sending: Sending, sent: Sent, attempt = attemptTwice): Promise<Outcome> {
  const { toRecord, pacer, liveness } = sending;
  const wasSerialized = pacer.isSerialized;
  let pauses = 0;
  try {
    for (;;) {
      if (liveness.givenUp) throw liveness.givenUp;
      await pacer.ready();
      const response = await attempt(sending, sent);
      if (!asksForPause(response) && !(response.status === 503 && pacer.isOverloaded))
        return { pauses, response: toRecord(response) };
      pauses += 1;
      if (pauses >= MAX_PAUSES)
        throw new TransportFailure('throttled', `the target responded ${response.status} ${pauses} times in a row`);
      const pause = retryAfter(response.headers['retry-after'], Date.now());
      liveness.askedForPause(pause, performance.now());
      pacer.pause(pause);
      if (pauses === 1 && !wasSerialized) await pacer.serialize(sent.turn);
    }
  } catch (error) {
    const { kind, message } = toTransportFailure(error);
    return { pauses, transportError: { kind, detail: message } };
  }
}

/** Makes an HTTP client for one target. It opens no connection before the first request. */
export function makeClient(options: ClientOptions): HttpClient {
  const { baseUrl, limits, signal, onExchange, watched = [], patience = DEFAULT_PATIENCE } = options;
  const liveness = new Liveness({ timeout: limits.timeout, patience });
  const started = performance.now();
  const exchanges: Exchange[] = [];
  const connections = makeConnections(baseUrl.origin, limits, options);
  const pacer = new Pacer({ limits, signal, onSerialize: connections.narrow });
  const toRecord = makeBodyKeeper({ maxBody: limits.maxBody, watched });
  // Each request that waits for the end of a pause listens to it: that is no leak.
  setMaxListeners(0, signal);
  const transmit = async (sent: Sent, queuedAt: number, attempt = attemptTwice): Promise<Exchange> => {
    const startedAt = performance.now() - started;
    const unsent = liveness.givenUp !== undefined;
    const outcome = await outcomeOf(sending, sent, attempt);
    const duration = performance.now() - started - startedAt;
    const exchange: Exchange = { request: sent.request, queuedAt, startedAt, duration, ...outcome };
    if (unsent) return exchange;
    exchanges.push(exchange);
    onExchange?.(exchange);
    return exchange;
  };
  const askAgain = async (turn: Turn, attempt = attemptTwice): Promise<boolean> => {
    const answered = exchanges.findLast(isAnsweredRead);
    if (!answered) return false;
    const request = { ...answered.request, purpose: STILL_RESPONDS };
    const { response } = await transmit({ request, turn }, performance.now() - started, attempt);
    return response !== undefined;
  };
  const attemptBeside: typeof attemptTwice = async ({ attempt }, sent) => {
    const { dispatch, close } = await connections.beside();
    return attempt(sent, dispatch, true).finally(close);
  };
  const sending: Sending = {
    ...{ toRecord, connections, liveness, pacer },
    attempt: makeAttempt(options, liveness, pacer),
    askBeside: () => askAgain({ isHeld: false }, attemptBeside),
  };
  let asking: Promise<boolean> | undefined;
  const send: HttpClient['send'] = async (request, { behind = false } = {}) => {
    const queuedAt = performance.now() - started;
    const turn = await pacer.enter(behind);
    const exchange = await transmit({ request, turn }, queuedAt);
    if (liveness.isInDoubt && !signal.aborted) {
      asking ??= askAgain(turn).finally(() => (asking = undefined));
      await asking;
    }
    pacer.leave(turn);
    return exchange;
  };
  return { send, exchanges, hasGivenUp: () => liveness.givenUp !== undefined, close: connections.destroy };
}
