/** Sends the requests of a run to its target: retries what is disturbed, waits while the target is away, and keeps a log. */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { beginningOf, counted, startOf } from '../../common/text.ts';
import { type OperationId, route } from '../../contract/document.ts';
import { type Exchange, isDisturbance, isLimited, type Request, type Response } from '../facts/exchange.ts';
import { Inconclusive, Stopped } from '../facts/outcome.ts';
import type { RunInputs } from '../inputs.ts';
import type { Client } from './client.ts';

/** How a request is sent, if not in the plain way. */
export interface Sending extends Pick<Request, 'openBodies' | 'ownConnection' | 'shell'> {
  /** Headers in place of the usual ones; one that is undefined is left out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly query?: string;
  /** The bytes of the body, if they are not its plain JSON. */
  readonly text?: string | Buffer | undefined;
}

/**
 * How often a request is sent before a disturbance counts as its response: less often if each try takes long, more often where the
 * target only asks for a pause.
 */
const TRIES = { usual: 4, afterTimeout: 2, limited: 8, afterLongPause: 2 };
/** After this many requests without a response in time, each sent alone, the run ends: a check that fails so may take eight. */
const MOST_TIMEOUTS = 9;
/** After this many requests in a row that were asked for a pause at each try, the run ends. */
const MOST_LIMITED = 3;
/** After this many disturbances of concurrent requests, no more requests are sent at the same time. */
const MOST_COLLISIONS = 3;
/** For how many requests at once the pauses between them are saved up, where the target limits their rate. */
const SAVED_PAUSES = 12;
const SHORTEST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 2_500;
/** The longest pause that the suite makes because a 429 asks for it: many limits count by the minute. */
const LONGEST_ASKED_MS = 65_000;
/** The pause between two requests grows by so much when the target asks for a longer one. */
const INTERVAL_GROWTH = 1.25;
/** A target that takes a request again sooner is not called away. */
const AWAY_MS = 1_000;
/** How long the suite waits for a target that is away. */
const PATIENCE_MS = 30_000;
/** The same for one that never responded: `--wait` waits for that. */
const FIRST_PATIENCE_MS = 1_000;
/** How many characters of a body are kept for reports. */
const KEPT_CHARACTERS = 12_288;
/**
 * A request that takes so long beside others, and so many times longer than any took alone, waited for their connection, if its
 * response comes so long after that to another one: where the suite's own machine is busy, the responses come together.
 */
const QUEUED = { ms: 700, times: 4, behindMs: 300 };

/** Where so many requests in a row are slow, a run ends after this time: it would take hours. */
const FEW = 10;
const SLOW_MS = 1_500;
const TIME_FOR_SLOW_MS = 80_000;
/** The same where they take so many times longer than the slowest of the first ones: the target becomes slower with each request. */
const SLOWER = { ms: 500, times: 10 };

/**
 * Whether a request is tried again with nothing sent before it: where the target only asks for a pause; and now and then, since a
 * target that fails every other time would fail each request behind a probe.
 */
const isTriedWithoutProbe = (response: Response, tries: number): boolean => isLimited(response) || tries % 2 === 0;

/** The pause that a response asks for; undefined if it names none. */
function askedPauseMs({ headers }: Response): number | undefined {
  const after = headers['retry-after'] ?? '';
  const seconds = /^\d{1,9}$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

/** The pause that a limit asks for and the suite makes, if it is longer than its own ones; 0 otherwise. */
function longPauseMs(response: Response): number {
  const asked = isLimited(response) ? (askedPauseMs(response) ?? 0) : 0;
  return asked > LONGEST_PAUSE_MS && asked <= LONGEST_ASKED_MS ? asked : 0;
}

/** Whether a limit asks for a longer pause than the suite makes: to try again would be in vain. */
const asksTooMuch = (response: Response): boolean =>
  isLimited(response) && (askedPauseMs(response) ?? 0) > LONGEST_ASKED_MS;

/** Whether a response tells how fast the target takes requests. */
const isOfLimit = (response: Response): boolean => isLimited(response) && !asksTooMuch(response);

function pauseMs(response: Response, tries: number): number {
  const long = longPauseMs(response);
  if (long > 0) return long;
  const asked = askedPauseMs(response) ?? SHORTEST_PAUSE_MS * 2 ** tries;
  return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, asked));
}

/** An exchange as it is kept: of a long body, the start. */
export function withCutBody(exchange: Exchange): Exchange {
  const { response } = exchange;
  if (response.text.length <= KEPT_CHARACTERS) return exchange;
  const text = beginningOf(response.text, KEPT_CHARACTERS);
  return { ...exchange, response: { ...response, text, json: undefined, length: response.text.length } };
}

/** What a target needs to know of its run. */
export interface TargetOptions {
  readonly inputs: RunInputs;
  readonly client: Client;
  /** Ends all requests; its reason is a `Stopped`. */
  readonly signal: AbortSignal;
  readonly onExchange?: (exchange: Exchange, count: number) => void;
  readonly onAway?: (why: string) => void;
  /** Is told the pause between two requests, in ms, each time that the target asks for a longer one, and how long it asks to wait now. */
  readonly onLimited?: (intervalMs: number, pauseMs: number) => void;
  /** ms to wait for a target that is away; default 30,000. */
  readonly patience?: number | undefined;
}

/** Sends requests, and retries those that are disturbed. */
export class Target {
  readonly inputs: RunInputs;
  /** Every exchange of the run, with the start of its body. */
  readonly log: Exchange[] = [];
  /** They are told of each request and the response that counts, in the order of the responses. */
  readonly listeners: ((exchange: Exchange) => void)[] = [];
  /** The invitations to try again before requests got through. */
  disturbances = 0;
  /** How many requests got no response in time. */
  timeouts = 0;
  /** Until when (performance.now()) the target asked for no more requests. */
  pausedUntil = 0;
  readonly #options: TargetOptions;
  #signal: AbortSignal;
  /** How many requests may be under way at once. */
  #atOnce = Infinity;
  #inFlight = 0;
  /** Whether it may take several at once after a pause, although it limits their rate. */
  #mayTakeSeveral = true;
  #collisions = 0;
  /** How many requests in a row waited for the connection of others. */
  #queued = 0;
  #lastResponseAt = 0;
  /** How many requests that were sent alone got no response in time. */
  #timeoutsAlone = 0;
  /** How many requests in a row were asked for a pause at each try. */
  #limitedInVain = 0;
  /** How long the slowest request took that had the target for itself. */
  #slowestAloneMs = 0;
  #intervalMs = 0;
  /** When the target asked for a pause for the last time, and how many requests got another response since then. */
  #limited = { at: performance.now(), served: 0 };
  #nextAt = 0;
  readonly #startedAt = performance.now();
  /** Whether the run only restores the users now. */
  #isRestoring = false;
  /** How long the first requests took, and the last ones. */
  #firstMs: readonly number[] = [];
  #recentMs: readonly number[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor(options: TargetOptions) {
    this.#options = options;
    this.inputs = options.inputs;
    this.#signal = heardByMany(options.signal);
  }

  /** From now on, another signal ends what is sent: the time for restoring the users. A slow target gets all of it. */
  endBy(signal: AbortSignal): void {
    this.#isRestoring = true;
    this.#waiting.length = 0;
    this.#timeoutsAlone = 0;
    this.#limitedInVain = 0;
    this.#options.client.forget();
    this.#signal = heardByMany(signal);
  }

  /** A request with the admin key; where the path has an id, it is this one. */
  request(operation: OperationId, id = '', { headers, query = '', text, ...more }: Sending = {}): Request {
    const { method, path } = route(operation);
    const type = method !== 'GET' && { 'Content-Type': 'application/json' };
    const all = { Accept: 'application/json', ...type, Authorization: this.inputs.adminKey, ...headers };
    const sent = Object.entries<string | undefined>(all).filter(([, value]) => value !== undefined);
    const asSent = Object.fromEntries(sent) as Request['headers'];
    return { operation, path: path.replace('{id}', id) + query, headers: asSent, body: text, ...more };
  }

  /**
   * Sends a request, retries it if it is disturbed, and tells the listeners of the response.
   *
   * @param isTogether whether other requests are under way: then nothing is waited for twice, since what does not pass is sent alone
   * @throws Inconclusive if the response is larger than the suite reads, Stopped if nothing more may be sent
   */
  async send(request: Request, isTogether = false): Promise<Exchange> {
    this.#stopIfInVain();
    for (let tries = 1; ; tries += 1) {
      const exchange = await this.#once(request);
      const { response } = exchange;
      this.#noteTimeout(response, isTogether);
      if (!isDisturbance(response)) this.disturbances += tries - 1;
      if (!isDisturbance(response) || tries >= this.#mostTries(response)) return this.#taken(exchange);
      await this.#untilBack(request, response, tries);
    }
  }

  /** A target that has let a request wait twice is not asked twice again. */
  #mostTries(response: Response): number {
    if (longPauseMs(response) > 0) return TRIES.afterLongPause;
    if (asksTooMuch(response)) return 1;
    if (isLimited(response)) return TRIES.limited;
    if (response.lost?.kind !== 'timeout') return TRIES.usual;
    return this.#timeoutsAlone > TRIES.afterTimeout ? 1 : TRIES.afterTimeout;
  }

  /** Ends the run if it would only wait. */
  #stopIfInVain(): void {
    const end = (why: string): never => {
      throw new Stopped(`${why}; the run stopped there.`, 'disturbed');
    };
    if (this.#timeoutsAlone >= MOST_TIMEOUTS) end(`${this.#timeoutsAlone} requests got no response in time`);
    if (this.#limitedInVain >= MOST_LIMITED) end('The target asks for a longer pause (429) than the suite makes');
  }

  #noteTimeout({ lost }: Response, isTogether: boolean): void {
    if (lost?.kind !== 'timeout') return;
    this.timeouts += 1;
    if (isTogether) throw new Inconclusive('disturbed', 'A request got no response in time.');
    this.#timeoutsAlone += 1;
  }

  /** Tells the listeners of a response that counts. */
  #taken(exchange: Exchange): Exchange {
    for (const listener of this.listeners) listener(exchange);
    const { response } = exchange;
    const { lost } = response;
    const inVain = longPauseMs(response) > 0 ? MOST_LIMITED : this.#limitedInVain + 1;
    this.#limitedInVain = isLimited(response) ? inVain : 0;
    if (lost?.kind === 'limit') throw new Inconclusive('not-shown', `A response cannot be read: ${lost.detail}.`);
    return exchange;
  }

  /** Sends a request once, when there is room for it. */
  async #once(request: Request): Promise<Exchange> {
    const signal = this.#signal;
    while (this.#inFlight >= this.#atOnce)
      await unlessAborted(signal, new Promise<void>((resolve) => this.#waiting.push(resolve)));
    signal.throwIfAborted();
    this.#inFlight += 1;
    try {
      await this.#keepInterval(signal);
      const isBeside = this.#inFlight > 1;
      const exchange = await unlessAborted(signal, this.#options.client.send(request));
      this.log.push(withCutBody(exchange));
      this.#options.onExchange?.(exchange, this.log.length);
      this.#stopIfSlow(exchange);
      this.#learnPace(exchange, isBeside || this.#inFlight > 1, isBeside);
      return exchange;
    } finally {
      this.#inFlight -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Ends the run if the target has become so slow that it would never end. */
  #stopIfSlow({ durationMs }: Exchange): void {
    if (this.#isRestoring) return;
    if (this.#firstMs.length < FEW) this.#firstMs = [...this.#firstMs, durationMs];
    this.#recentMs = [durationMs, ...this.#recentMs].slice(0, FEW);
    if (performance.now() - this.#startedAt < TIME_FOR_SLOW_MS) return;

    const least = Math.min(...this.#recentMs);
    const isSlower = least > Math.max(SLOWER.ms, SLOWER.times * Math.max(...this.#firstMs));
    if (this.#recentMs.length < FEW || (least <= SLOW_MS && !isSlower)) return;
    throw new Stopped(
      `The last ${FEW} requests took at least ${Math.floor(least / 100) / 10} s each${isSlower ? ', far longer than the first ones' : ''}; the run stopped there.`,
      'disturbed',
    );
  }

  /** Waits until the target takes the next request, where it limits their rate. */
  async #keepInterval(signal: AbortSignal): Promise<void> {
    if (this.#intervalMs === 0) return;
    const wait = this.#nextAt - performance.now();
    this.#nextAt = Math.max(this.#nextAt, performance.now()) + this.#intervalMs;
    if (wait > 0) await unlessAborted(signal, sleep(wait));
  }

  /** Learns from a response how many requests the target takes at once, and how fast. */
  #learnPace({ response, durationMs }: Exchange, wasBeside: boolean, waitedForOthers: boolean): void {
    if (isOfLimit(response)) this.#slowDown(wasBeside || askedPauseMs(response) === 0, longPauseMs(response));
    else this.#limited.served += 1;
    if (!wasBeside) this.#slowestAloneMs = Math.max(this.#slowestAloneMs, durationMs);
    // A server that serves one connection at a time leaves those beside it waiting.
    if (waitedForOthers && response.lost?.kind === 'timeout') this.#takesOneAtOnce();
    if (waitedForOthers) this.#countQueued(durationMs);
    if (wasBeside && isDisturbance(response)) this.#collisions += 1;
    if (this.#queued >= MOST_COLLISIONS) this.#takesOneAtOnce();
    if (this.#collisions >= MOST_COLLISIONS) this.#atOnce = 1;
    this.#lastResponseAt = performance.now();
  }

  #takesOneAtOnce(): void {
    this.#atOnce = 1;
    this.#mayTakeSeveral = false;
  }

  /** Counts how many requests in a row waited for those beside them. */
  #countQueued(durationMs: number): void {
    const isSlow = durationMs > Math.max(QUEUED.ms, this.#slowestAloneMs * QUEUED.times);
    const sinceLastMs = performance.now() - this.#lastResponseAt;
    const isBehind = sinceLastMs > QUEUED.behindMs && sinceLastMs < durationMs;
    if (!isSlow) this.#queued = 0;
    else if (isBehind) this.#queued += 1;
  }

  /**
   * Where a target asks for a pause, the run sends one request at a time, and no more often than it was served.
   *
   * @param isAtOnce whether it asked beside other requests, or for no time at all: then the rate is not the reason
   * @param longPause ms that it asks for, if the limit counts in a long time; 0 otherwise
   */
  #slowDown(isAtOnce: boolean, longPause: number): void {
    this.#atOnce = 1;
    const { at, served } = this.#limited;
    const now = performance.now() + longPause;
    if (longPause > 0) this.pausedUntil = now;
    if (served === 0 || (isAtOnce && longPause === 0)) return;
    // The time that was waited in vain is part of the average, so that it may be too long.
    const most = this.#intervalMs === 0 ? LONGEST_PAUSE_MS : this.#intervalMs * INTERVAL_GROWTH;
    const averageMs = (now - at) / served;
    this.#limited = { at: now, served: 0 };
    this.#intervalMs = Math.min(LONGEST_PAUSE_MS, most, Math.max(this.#intervalMs, averageMs));
    this.#options.onLimited?.(this.#intervalMs, longPause);
  }

  /** Plain requests by which a target shows that it is there; the last one carries no key. */
  #probes(disturbed: Request): readonly Request[] {
    const list = this.request('listBanners');
    const keyless = this.request('updateUser', this.inputs.userId, {
      text: '{}',
      headers: { Authorization: undefined },
    });
    return disturbed.operation === 'listBanners' ? [keyless, list] : [list, keyless];
  }

  /** Whether several requests may be under way at once. */
  get takesSeveral(): boolean {
    return this.#atOnce > 1;
  }

  /**
   * Sends several requests at once, also to a target that limits their rate: it saves up the pauses before them. Once that provokes
   * another 429 or 503, it is not tried again.
   *
   * @returns what `send` returned, and whether its requests were under way together
   */
  async atOnce<T>(send: () => Promise<T>): Promise<{ readonly result: T; readonly wereTogether: boolean }> {
    if (this.takesSeveral || !this.#mayTakeSeveral) {
      const result = await send();
      return { result, wereTogether: this.takesSeveral };
    }
    const [intervalMs, collisions] = [this.#intervalMs, this.#collisions];
    await unlessAborted(this.#signal, sleep(SAVED_PAUSES * intervalMs));
    this.#atOnce = Infinity;
    this.#intervalMs = 0;
    try {
      const result = await send();
      this.#mayTakeSeveral = this.#collisions === collisions;
      return { result, wereTogether: this.#mayTakeSeveral };
    } finally {
      this.#atOnce = 1;
      this.#intervalMs = Math.max(intervalMs, this.#intervalMs);
    }
  }

  /** How long the target is waited for: not for long if it never responded. */
  get #patienceMs(): number {
    const { patience = PATIENCE_MS } = this.#options;
    const hasResponded = this.log.some(({ response: { status } }) => status !== 0);
    return hasResponded ? patience : Math.min(patience, FIRST_PATIENCE_MS);
  }

  /** Waits until the target responds to a plain request, whatever the operation. */
  async #untilBack(request: Request, response: Response, tries: number): Promise<void> {
    const patience = this.#patienceMs;
    const since = performance.now();
    const until = since + patience;
    const probes = this.#probes(request);
    let [last, isTold] = [response, false];
    for (let polls = tries; performance.now() < until; polls += 1) {
      await unlessAborted(this.#signal, sleep(pauseMs(last, polls)));
      if (polls === tries && isTriedWithoutProbe(response, tries)) return;
      const probe = probes[(polls - tries) % probes.length] ?? request;
      last = (await this.#once(probe)).response;
      if (!isDisturbance(last)) return;
      isTold ||= this.#tellAway(last, since);
    }
    const why = last.lost?.detail ?? last.status;
    throw new Stopped(`The target was away for ${patience / 1000} s: ${why}.${this.#lastRequest()}`, 'disturbed');
  }

  /** The request that was under way when the target went away, and how many others: one of them may have ended it. */
  #lastRequest(): string {
    const last = this.log.findLastIndex(({ response }) => !isDisturbance(response));
    const [first, ...later] = this.log.slice(last + 1);
    if (last === -1 || !first) return '';
    const { operation, path, body } = first.request;
    const others = later.filter(({ startedMs }) => startedMs < first.startedMs + first.durationMs);
    const what = body === undefined ? '' : ` with ${startOf(String(body))}`;
    const beside = others.length === 0 ? '' : `, beside ${counted(others.length, 'other request')}`;
    return ` It went away at ${route(operation).method} ${path}${what}${beside}.`;
  }

  /** Tells that the target is away, if it has been for a while; returns whether it did. */
  #tellAway({ lost, status }: Response, since: number): boolean {
    const isAway = performance.now() - since >= AWAY_MS;
    if (isAway) this.#options.onAway?.(lost?.detail ?? `status ${status}`);
    return isAway;
  }
}

/**
 * Ends what is sent after so many ms.
 *
 * @param outside interrupts the run before that
 * @returns what ends it before both; it must be aborted in any case, which lets go of the timer and of the other signal
 */
export function endAfter(ms: number, why: string, outside?: AbortSignal): AbortController {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(new Stopped(why)), ms);
  const interrupt = (): void => end.abort(new Stopped('The run was interrupted.'));
  end.signal.addEventListener('abort', () => clearTimeout(timer));
  outside?.addEventListener('abort', interrupt, { signal: end.signal });
  if (outside?.aborted) interrupt();
  return end;
}

/** A signal that ends as many requests as there may be at once. */
function heardByMany(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}

/** What a promise gives, unless a signal is aborted before. One promise for the end of the run would keep all that it raced with. */
async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let end = (): void => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    end = () => reject(signal.reason as Error);
    signal.addEventListener('abort', end);
  });
  try {
    return await Promise.race([promise, ended]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
