import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeConnections, type Dispatch, type Way } from './transport/connections.ts';
import { makeBodyKeeper } from './bodies.ts';
import type { RawResponse } from './content.ts';
import type { Exchange, RequestSpec } from './exchange.ts';
import { DEFAULT_PATIENCE, Liveness } from './policy/liveness.ts';
import { retryAfter, type Limits } from './policy/limits.ts';
import { type Event, learn, NO_EXPERIENCE, type Outcome, START, type State, step } from './policy/retries.ts';
import { Pacer, RUN_STOPPED, type Turn } from './policy/pacer.ts';
import type { Lifetime } from './transport/node-http.ts';
import { isReadableOtherwise, toTransportFailure, TransportFailure } from './transport/transport-errors.ts';

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
  /** Tells of an exchange what becomes of the key in it. */
  readonly keyOf?: (exchange: Pick<Exchange, 'request' | 'response'>) => Exchange['key'];
  /** When the run started, by `performance.now()`; by default now. */
  readonly started?: number;
  /** After how many attempts without a response the target is given up; default 3. */
  readonly patience?: number;
  /** ms. How long a target is waited for that responded before this client was made, and accepts no connection. */
  readonly away?: number;
  /** Told once each time the target accepts no connection any more, and is waited for. */
  readonly onAway?: (why: string) => void;
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
  /** Why nothing more is sent to the target, since it no longer responds; undefined while it is worth a request. */
  readonly givenUp: () => Exchange['transportError'];
  /** Whether it was given up since it gave no response, not for how it responded. */
  readonly isSilent: () => boolean;
  /** ms. How long the target accepted no connection before it responded again; 0 if it was always there. */
  readonly awayFor: () => number;
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

/** `begun`: when the first attempt began that may have been carried out. */
type Attempted = Pick<Exchange, 'pauses' | 'lost' | 'response' | 'transportError'> & { readonly begun: number };

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
function makeAttempt(
  { baseUrl, signal: stopped, onAway }: ClientOptions,
  liveness: Liveness,
  pacer: Pacer,
  byNode: Dispatch,
) {
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
    const own = liveness.begin(begun);
    const leave = (): void => {
      pacer.leave(turn);
    };
    // What hangs is waited for while others are sent.
    const aside = liveness.hangs && !pacer.isSerialized ? setTimeout(leave, liveness.usual) : undefined;
    try {
      const timeout = liveness.timeoutFor(again);
      const response = await attempt(request, dispatch, timeout).catch((error: unknown) => {
        if (!isReadableOtherwise(error as TransportFailure)) throw error;
        return attempt(request, byNode, timeout);
      });
      if (!asksForPause(response)) liveness.responded(own, performance.now());
      return response;
    } catch (error) {
      const { isAway } = liveness;
      liveness.failed(error as TransportFailure, begun, performance.now());
      if (!isAway && liveness.isAway) onAway?.((error as TransportFailure).message);
      throw error;
    } finally {
      liveness.end(own);
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
  /** What the requests so far have shown; every request reads it and adds to it. */
  experience: Pick<Event, 'busy' | 'closed'>;
}

/** Sends a request once. */
type Try = (sending: Sending, sent: Sent) => Promise<RawResponse>;

const attemptPooled: Try = ({ connections, attempt }, sent) => attempt(sent, connections.pooled);

const firstTry = ({ request }: Sent): Try =>
  request.credential.ownConnection === undefined ? attemptPooled : attemptFresh;

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

/** What came of an attempt; of 429 and 503, the pause that was asked for. */
function outcomeOf({ status, headers }: RawResponse): Outcome {
  if (status !== 429 && status !== 503) return { kind: 'response' };
  const field = headers['retry-after'];
  return { kind: 'busy', status, pause: field === undefined ? undefined : retryAfter(field, Date.now()) };
}

/** Sends a request, again and again as the policy says, until it has an outcome. */
async function sendByPolicy(sending: Sending, sent: Sent, first: Try, startedAt: () => number): Promise<Attempted> {
  const { toRecord, pacer, liveness } = sending;
  const mayBeContention = pacer.watchContention();
  let state: State = START;
  let send = first;
  let isAlone = pacer.isSerialized;
  // What was refused on the way has not happened: the interval of an exchange begins where it may have.
  let begun = startedAt();
  const ended = (failure: TransportFailure): Attempted => {
    const { kind, message } = failure;
    return { begun, pauses: state.pauses, lost: state.lost, transportError: { kind, detail: message } };
  };
  for (;;) {
    try {
      if (liveness.givenUp) throw liveness.givenUp;
      await pacer.ready();
      if (state.lost === 0) begun = startedAt();
      const came = await send(sending, sent).catch((error: unknown) => toTransportFailure(error));
      const failed = came instanceof TransportFailure;
      const event: Event = {
        outcome: failed ? came.kind : outcomeOf(came),
        contended: mayBeContention(),
        ...sending.experience,
        mayReturn: liveness.mayReturn,
      };
      const [next, action] = step(state, event);
      sending.experience = learn(state, action, event);
      if (action === 'giveUp' && !failed)
        throw new TransportFailure(
          'throttled',
          `the target responded ${came.status} ${state.pauses + state.lost + 1} times in a row`,
        );
      if (action === 'record') {
        if (failed) throw came;
        return { begun, pauses: state.pauses, lost: state.lost, response: toRecord(came) };
      }
      state = next;
      send = state.lost > 0 ? attemptFresh : first;
      if (action === 'retryFresh') continue;
      if (!failed) liveness.askedForPause(state.wait, performance.now());
      if (action === 'pause') pacer.pause(state.wait);
      // Others may still be under way when the requests have just been serialized.
      if (action === 'retryAlone' || (!isAlone && event.outcome !== 'unreachable')) {
        await pacer.serialize(sent.turn);
        isAlone = true;
      }
      if (action === 'retryAlone') {
        await sleep(state.wait);
        send = attemptAlone;
      }
    } catch (error) {
      return ended(toTransportFailure(error));
    }
  }
}

/** Makes an HTTP client for one target. It opens no connection before the first request. */
export function makeClient(options: ClientOptions): HttpClient {
  const { baseUrl, limits, signal, onExchange, watched = [], patience = DEFAULT_PATIENCE, away } = options;
  const { started = performance.now() } = options;
  const liveness = new Liveness({
    timeout: limits.timeout,
    patience,
    ...(away === undefined ? {} : { away, wasThere: true }),
  });
  const exchanges: Exchange[] = [];
  const connections = makeConnections(baseUrl.origin, limits, options);
  const pacer = new Pacer({ limits, signal, onSerialize: connections.narrow });
  const toRecord = makeBodyKeeper({ maxBody: limits.maxBody, watched });
  // Each request that waits for the end of a pause listens to it: that is no leak.
  setMaxListeners(0, signal);
  const now = (): number => performance.now() - started;
  const transmit = async (sent: Sent, queuedAt: number, attempt = firstTry(sent)): Promise<Exchange> => {
    const unsent = liveness.givenUp !== undefined;
    const { begun, ...outcome } = await sendByPolicy(sending, sent, attempt, now);
    const key = options.keyOf?.({ request: sent.request, ...outcome });
    const exchange: Exchange = {
      request: sent.request,
      queuedAt,
      startedAt: begun,
      duration: now() - begun,
      ...outcome,
      ...(key && { key }),
    };
    if (unsent) return exchange;
    exchanges.push(exchange);
    onExchange?.(exchange);
    return exchange;
  };
  const askAgain = async (turn: Turn, attempt?: Try): Promise<boolean> => {
    const answered = exchanges.findLast(isAnsweredRead);
    if (!answered) return false;
    const request = { ...answered.request, purpose: STILL_RESPONDS };
    const { response } = await transmit({ request, turn }, now(), attempt);
    return response !== undefined;
  };
  const attemptBeside: Try = async ({ attempt }, sent) => {
    const { dispatch, close } = await connections.beside();
    return attempt(sent, dispatch, true).finally(close);
  };
  const sending: Sending = {
    ...{ toRecord, connections, liveness, pacer },
    experience: { busy: NO_EXPERIENCE, closed: NO_EXPERIENCE },
    attempt: makeAttempt(options, liveness, pacer, connections.byNode),
    askBeside: () => askAgain({ isHeld: false }, attemptBeside),
  };
  let asking: Promise<boolean> | undefined;
  const send: HttpClient['send'] = async (request, { behind = false } = {}) => {
    const queuedAt = now();
    const turn = await pacer.enter(behind);
    const exchange = await transmit({ request, turn }, queuedAt);
    if (liveness.isInDoubt && !signal.aborted) {
      asking ??= askAgain(turn).finally(() => (asking = undefined));
      await asking;
    }
    pacer.leave(turn);
    return exchange;
  };
  return {
    send,
    exchanges,
    givenUp: () => liveness.givenUp && { kind: liveness.givenUp.kind, detail: liveness.givenUp.message },
    isSilent: () => liveness.isSilent,
    awayFor: () => liveness.awayFor,
    close: connections.destroy,
  };
}
