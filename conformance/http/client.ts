import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeConnections, type Dispatch, type Way } from './transport/connections.ts';
import { makeBodyKeeper } from './bodies.ts';
import type { RawResponse } from './content.ts';
import { asksForAnotherTry, type Exchange, isInFront, type RequestSpec, STILL_RESPONDS } from './exchange.ts';
import { DEFAULT_PATIENCE, Liveness, LONGEST_AWAY } from './policy/liveness.ts';
import { retryAfter, type Limits } from './policy/limits.ts';
import {
  AWAY_IN_FRONT,
  BUSY_PAUSE,
  type Event,
  learn,
  mostBusy,
  NEVER_BUSY,
  NO_EXPERIENCE,
  STAYS_BUSY,
  BACK,
  type Outcome,
  START,
  type State,
  step,
  triesOf,
} from './policy/retries.ts';
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

/** A request on its way. */
interface Sent {
  readonly request: RequestSpec;
  readonly turn: Turn;
}

function isAnsweredRead({ request, response }: Exchange): boolean {
  return request.method === 'GET' && response !== undefined && !asksForAnotherTry(response.status);
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

/** Sends a request once. It throws TransportFailure. */
type Try = (sent: Sent) => Promise<RawResponse>;

/** What came of an attempt; of a status that asks for another try, the pause that was asked for. */
function outcomeOf({ status, headers }: RawResponse): Outcome {
  if (!asksForAnotherTry(status)) return { kind: 'response' };
  const field = headers['retry-after'];
  return { kind: 'busy', status, pause: field === undefined ? undefined : retryAfter(field, Date.now()) };
}

/** What an exchange keeps of the attempts before its outcome. */
const countsOf = ({ pauses, inFront, lost }: State) => ({ pauses, lost: inFront + lost });

function onlyResponded(status: number, times: number): TransportFailure {
  const kind = isInFront(status) ? 'unreachable' : 'throttled';
  return new TransportFailure(kind, `the target responded ${status} ${times} times in a row`);
}

/** Sends requests within bounds and records them. Follows no redirect, keeps no cookie, never throws for what a target does. */
export class HttpClient {
  readonly #exchanges: Exchange[] = [];
  readonly #options: ClientOptions;
  readonly #started: number;
  readonly #bounded: Bounded;
  readonly #connections: ReturnType<typeof makeConnections>;
  readonly #liveness: Liveness;
  readonly #pacer: Pacer;
  readonly #toRecord: ReturnType<typeof makeBodyKeeper>;
  /** What the requests so far have shown; every request reads it and adds to it. */
  #experience: Pick<Event, 'busy' | 'closed'> = { busy: NEVER_BUSY, closed: NO_EXPERIENCE };
  #asking: Promise<boolean> | undefined;

  /** Opens no connection before the first request. */
  constructor(options: ClientOptions) {
    const { baseUrl, limits, signal, watched = [], patience = DEFAULT_PATIENCE, away } = options;
    this.#options = options;
    this.#started = options.started ?? performance.now();
    this.#bounded = makeBounded(signal);
    this.#connections = makeConnections(baseUrl.origin, limits, options);
    const hopes = away === undefined ? {} : { away, wasThere: true };
    this.#liveness = new Liveness({ timeout: limits.timeout, patience, ...hopes });
    this.#pacer = new Pacer({ limits, signal, onSerialize: this.#connections.narrow });
    this.#toRecord = makeBodyKeeper({ maxBody: limits.maxBody, watched });
    // Each request that waits for the end of a pause listens to it: that is no leak.
    setMaxListeners(0, signal);
  }

  async send(request: RequestSpec, { behind = false }: SendOptions = {}): Promise<Exchange> {
    const queuedAt = this.#now();
    const turn = await this.#pacer.enter(behind);
    const exchange = await this.#transmit({ request, turn }, queuedAt);
    if (this.#liveness.isInDoubt && !this.#options.signal.aborted) {
      this.#asking ??= this.#askAgain(turn).finally(() => (this.#asking = undefined));
      await this.#asking;
    }
    this.#pacer.leave(turn);
    return exchange;
  }

  /** Every exchange so far, in the order of completion. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  /** Why nothing more is sent to the target, since it no longer responds; undefined while it is worth a request. */
  givenUp(): Exchange['transportError'] {
    const { givenUp } = this.#liveness;
    return givenUp && { kind: givenUp.kind, detail: givenUp.message };
  }

  /** Whether it was given up since it gave no response, not for how it responded. */
  isSilent(): boolean {
    return this.#liveness.isSilent;
  }

  /** ms. How long the target accepted no connection before it responded again; 0 if it was always there. */
  awayFor(): number {
    return this.#liveness.awayFor;
  }

  /** Ends all connections. */
  close(): Promise<void> {
    return this.#connections.destroy();
  }

  #now(): number {
    return performance.now() - this.#started;
  }

  async #transmit(sent: Sent, queuedAt: number, attempt?: Try): Promise<Exchange> {
    const { request } = sent;
    const unsent = this.#liveness.givenUp !== undefined;
    const { begun, ...outcome } = await this.#sendByPolicy(sent, attempt ?? this.#firstTry(request));
    const key = this.#options.keyOf?.({ request, ...outcome });
    const times = { queuedAt, startedAt: begun, duration: this.#now() - begun };
    const exchange: Exchange = { request, ...times, ...outcome, ...(key && { key }) };
    if (unsent) return exchange;
    this.#exchanges.push(exchange);
    this.#options.onExchange?.(exchange);
    return exchange;
  }

  /** Sends a request again that got a response before; gives whether it got one. */
  async #askAgain(turn: Turn, attempt?: Try): Promise<boolean> {
    const answered = this.#exchanges.findLast(isAnsweredRead);
    return answered !== undefined && this.#ask(answered, turn, attempt);
  }

  /** Sends a request again to see whether the target still responds. */
  async #ask(answered: Pick<Exchange, 'request'>, turn: Turn, attempt?: Try): Promise<boolean> {
    const request = { ...answered.request, purpose: STILL_RESPONDS };
    const { response } = await this.#transmit({ request, turn }, this.#now(), attempt);
    return response !== undefined;
  }

  /** Sends a request, again and again as the policy says, until it has an outcome. */
  async #sendByPolicy(sent: Sent, first: Try): Promise<Attempted> {
    const [pacer, liveness, { request }] = [this.#pacer, this.#liveness, sent];
    const mayBeContention = pacer.watchContention();
    let state: State = START;
    let send = first;
    let isAlone = pacer.isSerialized;
    let wasAway = false;
    // What was refused on the way has not happened: the interval of an exchange begins where it may have.
    let begun = this.#now();
    try {
      for (;;) {
        if (liveness.givenUp) throw liveness.givenUp;
        await pacer.ready();
        if (state.lost + state.inFront === 0) begun = this.#now();
        const served = liveness.lastServed;
        const came = await send(sent).catch((error: unknown) => toTransportFailure(error));
        const failed = came instanceof TransportFailure;
        const event: Event = {
          outcome: failed ? came.kind : outcomeOf(came),
          contended: mayBeContention(),
          ...this.#experience,
          mayReturn: liveness.mayReturn,
        };
        const [next, action] = step(state, event);
        this.#experience = learn(state, action, event);
        // A question says nothing but whether the target still responds.
        const stays = request.purpose === STILL_RESPONDS && this.#experience.busy.inARow > 0;
        if (!failed && (action === 'giveUp' || (action === 'record' && stays))) {
          throw onlyResponded(came.status, triesOf(state));
        }
        if (action === 'record') {
          if (failed) throw came;
          if (!wasAway && (await this.#isBack(sent, came.status))) {
            [state, wasAway] = [{ ...START, lost: Math.min(1, state.lost + state.inFront) }, true];
            continue;
          }
          if (state.inFront > 0 && served !== undefined && !asksForAnotherTry(came.status)) {
            // What the target served meanwhile tells that it was there, and failed at this request.
            const away = performance.now() - Math.max(begun + this.#started, served);
            if (away >= AWAY_IN_FRONT) liveness.wasAway(away);
          }
          return { begun, ...countsOf(state), response: this.#toRecord(came) };
        }
        state = next;
        send = state.lost > 0 ? this.#attemptFresh : first;
        if (action === 'retryFresh') continue;
        if (!failed && !isInFront(came.status)) liveness.askedForPause(state.wait, performance.now());
        if (action === 'pause') pacer.pause(state.wait);
        // Others may still be under way when the requests have just been serialized.
        if (action === 'retryAlone' || (!isAlone && event.outcome !== 'unreachable')) {
          await pacer.serialize(sent.turn);
          isAlone = true;
        }
        if (action === 'retryAlone') {
          await sleep(state.wait);
          send = this.#attemptAlone;
        }
      }
    } catch (error) {
      const { kind, message } = toTransportFailure(error);
      return { begun, ...countsOf(state), transportError: { kind, detail: message } };
    }
  }

  /**
   * Whether a target that has asked for another try for long, to whatever was sent, was away and is back: it is waited for until it responds
   * otherwise to what it responded to before, or to this request.
   * It is given up if it does not.
   */
  async #isBack({ request, turn }: Sent, status: number): Promise<boolean> {
    const { busy } = this.#experience;
    if (busy.inARow === 0) return false;
    const answered =
      this.#exchanges.findLast(isAnsweredRead) ?? (this.#options.away === undefined ? undefined : { request });
    if (busy.inARow < mostBusy(busy, answered !== undefined)) return false;
    this.#experience = { ...this.#experience, busy: STAYS_BUSY };
    for (let waited = 0; answered && waited <= LONGEST_AWAY; waited += BUSY_PAUSE) {
      if (await this.#ask(answered, turn)) {
        this.#experience = { ...this.#experience, busy: waited === 0 ? { ...busy, inARow: 0 } : BACK };
        this.#liveness.wasAway(waited);
        return waited > 0;
      }
      this.#pacer.pause(BUSY_PAUSE);
    }
    this.#liveness.giveUp(onlyResponded(status, busy.inARow));
    return false;
  }

  #firstTry({ credential }: RequestSpec): Try {
    return credential.ownConnection ? this.#attemptFresh : (sent) => this.#attempt(sent, this.#connections.pooled);
  }

  /** Over a fresh connection: the target may have closed a kept-alive one at the moment of sending. */
  readonly #attemptFresh = async (sent: Sent, again = false): Promise<RawResponse> => {
    const { dispatch, close } = await this.#connections.fresh(sent.request.credential.ownConnection);
    return this.#attempt(sent, dispatch, again).finally(close);
  };

  /**
   * Sends a request again that timed out among concurrent ones, and in the middle of its time another one beside it. A target that
   * responds only to that one serves concurrent requests, and hangs at this one.
   */
  readonly #attemptAlone: Try = async (sent) => {
    const [pacer, liveness] = [this.#pacer, this.#liveness];
    const beside = { responded: false, ended: Promise.resolve() };
    const ask = (): void => {
      beside.ended = this.#askAgain({ isHeld: false }, this.#attemptBeside).then((responded) => {
        beside.responded = responded;
      });
    };
    const timer = liveness.hangs ? undefined : setTimeout(ask, liveness.timeoutFor(true) / 2);
    try {
      return await this.#attemptFresh(sent, true);
    } catch (error) {
      // A response after this time may come from a connection that was served only now.
      if ((error as TransportFailure).kind === 'timeout' && beside.responded && pacer.isSerialized) {
        liveness.respondedBeside();
        this.#connections.widen();
        pacer.resume();
      }
      throw error;
    } finally {
      clearTimeout(timer);
      await beside.ended;
    }
  };

  readonly #attemptBeside: Try = async (sent) => {
    const { dispatch, close } = await this.#connections.beside();
    return this.#attempt(sent, dispatch, true).finally(close);
  };

  /** Sends a request once over some connection. */
  async #attempt({ request, turn }: Sent, dispatch: Dispatch, again = false): Promise<RawResponse> {
    const [pacer, liveness, { signal, onAway }] = [this.#pacer, this.#liveness, this.#options];
    if (liveness.givenUp) throw liveness.givenUp;
    if (signal.aborted) throw new TransportFailure('aborted', RUN_STOPPED);
    const begun = performance.now();
    const own = liveness.begin(begun);
    const leave = (): void => pacer.leave(turn);
    // What hangs is waited for while others are sent.
    const aside = liveness.hangs && !pacer.isSerialized ? setTimeout(leave, liveness.usual) : undefined;
    try {
      const timeout = liveness.timeoutFor(again);
      const response = await this.#dispatch(request, dispatch, timeout).catch((error: unknown) => {
        if (!isReadableOtherwise(error as TransportFailure)) throw error;
        return this.#dispatch(request, this.#connections.byNode, timeout);
      });
      if (!asksForPause(response)) liveness.responded(own, performance.now(), !asksForAnotherTry(response.status));
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
  }

  #dispatch(request: RequestSpec, dispatch: Dispatch, timeout: number): Promise<RawResponse> {
    const { credential, headers, method, path, body, charset } = request;
    const { query, header, fieldName = 'Authorization', otherHeaders } = credential;
    const authorization = header === undefined ? {} : { [fieldName]: header };
    const prefix = this.#options.baseUrl.pathname.replace(/\/+$/, '');
    const begun = performance.now();
    const liveness = this.#liveness;
    return this.#bounded(
      timeout,
      (lifetime) =>
        dispatch({
          method,
          path: prefix + path + (query === undefined ? '' : `?${query}`),
          headers: { ...headers, ...otherHeaders, ...authorization },
          body: body === undefined || charset === undefined ? body : Buffer.from(body, charset),
          lifetime,
        }),
      () => (liveness.hangs ? Math.max(0, Math.min(GRACE, liveness.usual - (performance.now() - begun))) : GRACE),
    );
  }
}
