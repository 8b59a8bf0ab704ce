import { makeStop } from '../../common/process/stop.ts';
import type { Limits } from '../http/policy/limits.ts';
import type { ExchangeRecord, Result } from '../result/result.ts';
import {
  baseUrlProblem,
  DEFAULT_EMAIL_DOMAIN,
  ID_INPUTS,
  type IdInput,
  type InputName,
  type Inputs,
  inputsProblem,
  keyProblem,
} from '../resources/inputs.ts';
import type {
  AwayEvent,
  JournalEvent,
  PlannedEvent,
  RestoredEvent,
  RunEvent as RunnerEvent,
  RunOptions as RunnerOptions,
  StageEvent,
} from './events.ts';
import { judgeTarget } from './run.ts';

export type { AwayEvent, JournalEvent, PlannedEvent, RestoredEvent, StageEvent } from './events.ts';

/**
 * What is said of a target. Nothing is guessed: what is left out (or undefined) makes the checks that need it
 * `inconclusive`, and the verdict `inconclusive`.
 */
export interface Target extends Readonly<Partial<Record<IdInput, string | number | undefined>>> {
  /** What `{base_url}` of the contract stands for: `http` or `https`; it may have a path. */
  readonly baseUrl: string | URL;
  /** A key that may do everything. It is sent in the `Authorization` header exactly as given (source: Authentication, 1). */
  readonly adminKey?: string | undefined;
  /** A valid key that may not update users (source: Authentication, 3). */
  readonly restrictedKey?: string | undefined;
  /** A disposable user that the suite may change. Larger ids than a JavaScript number holds are given as texts. */
  readonly userId?: string | number | undefined;
  /** A second disposable user: it shows that only the addressed user changes. */
  readonly otherUserId?: string | number | undefined;
  /** An id that no user has. */
  readonly missingUserId?: string | number | undefined;
  /** JSON values that the target takes as `rootRole`; at least two. */
  readonly roleIds?: readonly unknown[] | undefined;
  /** The ids of all banners that are configured: only with them can a missing one be noticed. */
  readonly bannerIds?: readonly unknown[] | undefined;
  /** The domain of the addresses that are sent; default `example.com`. */
  readonly emailDomain?: string | undefined;
}

/** A request got a response, or failed. */
export interface ExchangeEvent {
  readonly type: 'exchange';
  /** The request and what came of it, without keys. */
  readonly exchange: ExchangeRecord;
  /** How many exchanges there were so far, this one included. */
  readonly count: number;
}

/**
 * What happens during a run, in this order: `planned`; then `journal`, `stage`, `away` and `exchange`, mixed, since the operations are judged
 * concurrently; at last the `restore` stage with its exchanges, and `restored`.
 */
export type RunEvent = PlannedEvent | JournalEvent | StageEvent | AwayEvent | ExchangeEvent | RestoredEvent;

/** How a run is made. All of it may be left out. */
export interface RunOptions extends Omit<RunnerOptions, 'onEvent' | 'secrets'> {
  /**
   * Told what happens, while it happens. If it throws, the run ends as by `signal`, it is not called again, and `run` throws the
   * same error once the users are restored.
   */
  readonly onEvent?: (event: RunEvent) => void;
}

function toText(name: string, id: string | number | undefined): string | undefined {
  if (typeof id !== 'number') return id;
  if (Number.isSafeInteger(id)) return String(id);
  throw new TypeError(`${name}: ${id} is not an integer that a JavaScript number holds exactly; give it as a text.`);
}

/** @throws TypeError */
function toInputs(target: Target): Inputs {
  const { baseUrl: address, emailDomain = DEFAULT_EMAIL_DOMAIN, adminKey, restrictedKey, roleIds, bannerIds } = target;
  const wrongUrl = baseUrlProblem(String(address));
  if (wrongUrl !== undefined) throw new TypeError(`baseUrl: ${wrongUrl}`);
  const baseUrl = new URL(address);
  const told: Partial<Record<InputName, unknown>> = {
    ...{ adminKey, restrictedKey },
    ...Object.fromEntries(ID_INPUTS.map((name) => [name, toText(name, target[name])])),
    ...{ roleIds, bannerIds },
  };
  const given = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
  const inputs: Inputs = { ...given, baseUrl, emailDomain };
  const wrongKey = (['adminKey', 'restrictedKey'] as const).flatMap((name) => {
    const problem = inputs[name] === undefined ? undefined : keyProblem(inputs[name]);
    return problem === undefined ? [] : [`${name} ${problem}.`];
  });
  const problem = wrongKey[0] ?? inputsProblem(inputs);
  if (problem !== undefined) throw new TypeError(problem);
  return inputs;
}

/** @throws RangeError */
function checkLimits(limits: Partial<Limits>): void {
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isInteger(value) && value > 0 && value < 2 ** 31) continue;
    throw new RangeError(`limits.${name} must be a positive integer below 2^31; got ${value}.`);
  }
}

function toPublicEvent(event: RunnerEvent): RunEvent | undefined {
  if (event.type === 'judging' || event.type === 'conditional' || event.type === 'recorded') return undefined;
  if (event.type !== 'exchange') return event;
  return { type: 'exchange', exchange: event.record(), count: event.count };
}

/**
 * Judges a target: sends the requests of the selected checks, restores the users, and says which requirements of the contract
 * hold. Nothing is printed. It ends by `limits.deadline`, however the target behaves; restoring the users takes at most half a
 * minute more.
 *
 * An abort ends the run early: users that were written to are restored first, and the verdict is `interrupted`. A target that
 * cannot be reached, hangs or lies is not an error: the result says so.
 *
 * @param target where it is, and what may be done there
 * @param options what is selected, bounds, `signal`, `onEvent`
 * @returns the result, the same object that every report is made from; times in it are in ms
 * @throws TypeError if an input is invalid: then nothing was sent
 * @throws RangeError if a limit is not a positive integer: then nothing was sent
 * @throws InvalidSelection if `only` or `skip` match nothing, or leave nothing: then nothing was sent
 * @throws RunRefused if another run changes the users, or left its values in them: then nothing was changed
 * @throws ExplorerMissing if sequences are to be explored and the package `fast-check` is not installed
 * @throws Error from node:fs (it has a `syscall`) if the journal cannot be written: then no user was written to
 * @throws what `onEvent` threw
 */
export async function run(target: Target, options: RunOptions = {}): Promise<Result> {
  const { onEvent, signal, ...others } = options;
  const inputs = toInputs(target);
  checkLimits(options.limits ?? {});
  const stop = makeStop({ other: signal });
  let thrown: { readonly error: unknown } | undefined;
  const tell = (event: RunnerEvent): void => {
    if (!onEvent || thrown) return;
    const told = toPublicEvent(event);
    if (!told) return;
    try {
      onEvent(told);
    } catch (error) {
      thrown = { error };
      stop.abort();
    }
  };
  const result = await judgeTarget(inputs, {
    ...others,
    signal: stop.signal,
    onEvent: tell,
  }).finally(stop.release);
  if (thrown) throw thrown.error;
  return result;
}
