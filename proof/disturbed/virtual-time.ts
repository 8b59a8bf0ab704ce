import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/** ms. When a virtual clock begins: a date is of no importance, but all dates must be valid. */
const BEGINNING = Date.UTC(2026, 0, 1);
/** Turns of the event loop without anything new after which only timers are waited for. */
const QUIET_TURNS = 8;

interface Timer {
  readonly at: number;
  readonly call: () => void;
  readonly every?: number;
}

/** Timers that end in their order, each at once when nothing else is to be done. */
class VirtualClock {
  now = 0;
  /** Counts what the code under this clock asked for: more of it means that it is not waiting yet. */
  asked = 0;
  readonly #timers = new Map<object, Timer>();

  set(call: () => void, ms = 0, repeats = false): object {
    const handle = { ref: () => handle, unref: () => handle, hasRef: () => true, refresh: () => handle };
    this.asked += 1;
    this.#timers.set(handle, { at: this.now + Math.max(1, ms), call, ...(repeats && { every: ms }) });
    return handle;
  }

  clear(handle: unknown): void {
    if (handle) this.#timers.delete(handle);
  }

  /** Moves to the next timer, and ends it; gives whether there was one. */
  advance(): boolean {
    let next: [object, Timer] | undefined;
    for (const entry of this.#timers) if (!next || entry[1].at < next[1].at) next = entry;
    if (!next) return false;
    const [handle, { at, call, every }] = next;
    this.now = Math.max(this.now, at);
    if (every === undefined) this.#timers.delete(handle);
    else this.#timers.set(handle, { at: this.now + every, call, every });
    call();
    return true;
  }
}

/** A pause under a clock, as `setTimeout` of `node:timers/promises`. */
function pauseBy(clock: VirtualClock) {
  return (ms?: number, value?: unknown, { signal }: { readonly signal?: AbortSignal } = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const abort = (): void => {
        clock.clear(timer);
        reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }));
      };
      const timer = clock.set(() => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      }, ms);
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
}

function abortAfter(clock: VirtualClock): typeof AbortSignal.timeout {
  return (ms) => {
    const controller = new AbortController();
    clock.set(() => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), ms);
    return controller.signal;
  };
}

/** Puts a clock in place of that of this process, and gives what takes it back. */
function install(clock: VirtualClock): () => void {
  const own = {
    ...{ setTimeout, clearTimeout, setInterval, clearInterval },
    ...{ pause: timers.setTimeout, now: Date.now, timeout: AbortSignal.timeout.bind(AbortSignal) },
  };
  Object.assign(globalThis, {
    setTimeout: (call: () => void, ms?: number) => clock.set(call, ms),
    setInterval: (call: () => void, ms?: number) => clock.set(call, ms, true),
    // A timer may have been set before.
    clearTimeout: (handle: unknown) => {
      clock.clear(handle);
      own.clearTimeout(handle as NodeJS.Timeout);
    },
    clearInterval: (handle: unknown) => {
      clock.clear(handle);
      own.clearInterval(handle as NodeJS.Timeout);
    },
  });
  Object.assign(performance, { now: () => clock.now });
  Object.assign(Date, { now: () => BEGINNING + clock.now });
  Object.assign(AbortSignal, { timeout: abortAfter(clock) });
  Object.assign(timers, { setTimeout: pauseBy(clock) });
  syncBuiltinESMExports();
  return () => {
    const { pause, now, timeout, ...globals } = own;
    Object.assign(globalThis, globals);
    Reflect.deleteProperty(performance, 'now');
    Object.assign(Date, { now });
    Object.assign(AbortSignal, { timeout });
    Object.assign(timers, { setTimeout: pause });
    syncBuiltinESMExports();
  };
}

/**
 * Does something under a clock that moves only when nothing but timers is waited for: minutes of pauses take no time, and what
 * happens does not depend on the speed of the machine. Nothing that is done may use sockets, other processes or threads.
 */
export async function inVirtualTime<T>(act: () => Promise<T>): Promise<T> {
  const clock = new VirtualClock();
  const uninstall = install(clock);
  const state = { isOver: false };
  const end = (): void => {
    state.isOver = true;
  };
  const acting = act();
  acting.then(end, end);
  try {
    for (let [quiet, asked] = [0, -1]; !state.isOver;) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = asked === clock.asked ? quiet + 1 : 0;
      asked = clock.asked;
      if (quiet < QUIET_TURNS) continue;
      quiet = 0;
      clock.advance();
    }
    return await acting;
  } finally {
    uninstall();
  }
}
