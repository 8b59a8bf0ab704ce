import { randomBytes } from 'node:crypto';
import { validators } from '../../contract/validators.ts';
import { explorationChecks } from '../checks/catalogue.ts';
import { type ClientOptions, type HttpClient, makeClient } from '../http/client.ts';
import { keyForms, makeBadCredentials, makeKeyWatch } from '../http/credentials.ts';
import { type Credential, type Exchange, isSafe } from '../http/exchange.ts';
import { DEFAULT_LIMITS, type Limits } from '../http/limits.ts';
import { makeRedactor, type Redact } from '../http/redact.ts';
import type { Check } from '../judging/check.ts';
import type { Phase } from '../judging/traffic.ts';
import { operations, userOperation } from '../operations/index.ts';
import { toExchangeRecord } from '../result/result.ts';
import { baseAddress, type Inputs, namedId } from '../target/inputs.ts';
import { guardRequest } from '../target/request-guard.ts';
import { type FreshValues, makeFreshValues, makeRequestBuilder, pathId } from '../target/requests.ts';
import { lastShown, type Originals, originals, shownUser, stored } from '../target/user-state.ts';
import { NAMED_USERS, type NamedUser, UPDATABLE } from '../target/user.ts';
import { RunRefused } from '../traffic/run-refused.ts';
import { type Lock, lockUsers, NO_LOCK } from '../traffic/lock.ts';
import { explore, loadExplorer } from '../traffic/explore.ts';
import { defaultJournalPath, type Journal, NO_JOURNAL, openJournal, originalsIn } from '../traffic/journal.ts';
import type { TrafficContext } from '../traffic/operation.ts';
import type { Send, WriteClock } from '../traffic/send.ts';
import { remember } from '../traffic/restore.ts';
import { makeUserSession } from '../traffic/user-session.ts';
import type { RunOptions } from './events.ts';
import { expectedRequests, type Plan, planTraffic, select } from './plan.ts';
import { shuffle } from './shuffle.ts';

/** Everything that a run needs before its first request. */
export type Prepared = Awaited<ReturnType<typeof prepare>>;

/** The keys, and what was made of them. */
function secretsOf({ adminKey = '', restrictedKey = '' }: Inputs, bad: ReadonlyMap<string, Credential>): string[] {
  return [adminKey, restrictedKey, ...[...bad.values()].map(({ header = '' }) => header)];
}

/** Tells whether a value shows no secret. */
type IsClean = (value: unknown) => boolean;

/** Makes an `IsClean` that reads each value once: the same ones come with every request, and may be large. */
function makeIsClean(redact: Redact): IsClean {
  const known = new Map<unknown, boolean>();
  return (value) => {
    const text = known.has(value) ? '' : JSON.stringify(value);
    const clean = known.get(value) ?? redact(text) === text;
    known.set(value, clean);
    return clean;
  };
}

/** A target may show a key as the name of a user; it must get neither into the journal nor into a path. */
function withoutSecrets<T extends object>(values: T, isClean: IsClean): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isClean(value))) as T;
}

/** What is needed to restore the users, as far as it was seen. */
function journalOf(
  inputs: Inputs,
  baseUrl: string,
  startedAt: Date,
  originalsOf: (subject: NamedUser) => Originals,
  isClean: IsClean,
): Journal {
  const users = NAMED_USERS.flatMap((subject) => {
    const id = namedId(inputs, subject);
    return id === undefined ? [] : [{ subject, id, originals: withoutSecrets(originalsOf(subject), isClean) }];
  });
  return { journalVersion: 1, baseUrl, startedAt: startedAt.toISOString(), users };
}

/** Whether a journal has all that it ever will. */
function isComplete({ users }: Journal): boolean {
  return users.every(({ originals }) => UPDATABLE.every((member) => Object.hasOwn(originals, member)));
}

/** What is stored of a user now, as far as it is known. */
function storedOf(history: readonly Exchange[], isClean: IsClean): Record<string, unknown> {
  const username = lastShown(history, 'username');
  return {
    ...Object.fromEntries(UPDATABLE.map((member) => [member, stored(history, member)])),
    ...(username.kind === 'shown' ? withoutSecrets({ username: username.value }, isClean) : {}),
  };
}

/** The traffic that `explore` adds, if the run explores and the check of it is selected. */
async function explorerFor(
  selected: readonly Check[],
  { explore: wanted }: RunOptions,
  running: () => boolean,
): Promise<TrafficContext['explore']> {
  if (!wanted || !selected.some((check) => explorationChecks.includes(check))) return undefined;
  const explorer = await loadExplorer();
  return (sessions) => explore(explorer, sessions, wanted, running);
}

/** The ids of the users that the run writes to. */
function usersToChange(inputs: Inputs, plan: Plan, explores: boolean): string[] {
  if (!explores && !operations.some(({ id, restoresUsers }) => restoresUsers && plan.has(id))) return [];
  return NAMED_USERS.flatMap((subject) => namedId(inputs, subject) ?? []);
}

/** Refuses users that show values of another run, which is running elsewhere, or was killed: they are not the users' own. */
function ownValuesOnly(
  { otherRun }: FreshValues,
  { earlierJournals: [journal = 'JOURNAL'] }: Lock,
): TrafficContext['mayChange'] {
  return (readings) => {
    for (const reading of readings) {
      const user = shownUser(reading) ?? {};
      const maker = UPDATABLE.map((member) => user[member]).find((value) => otherRun(value) !== undefined);
      if (maker === undefined) continue;
      throw new RunRefused(
        `User ${pathId(reading.request) ?? ''} has values of run ${otherRun(maker) ?? ''}: wait for its end; if it was killed, restore the user (admin-api-conformance restore ${journal}). If the user had no name or email before that run, nothing can restore that: give it one, or use --take-over to keep these values.`,
      );
    }
  };
}

/** Opens clients whose exchanges are counted, remembered and told. */
function makeRecorder(inputs: Inputs, redact: Redact, started: number, options: RunOptions) {
  const { route, transport, onEvent = () => undefined } = options;
  const { baseUrl } = inputs;
  const base = baseAddress(baseUrl);
  const watched = keyForms(inputs);
  const keyOf = makeKeyWatch(inputs);
  const histories: Record<NamedUser, Exchange[]> = { user: [], 'other-user': [] };
  let count = 0;
  const onExchange = (exchange: Exchange): void => {
    count += 1;
    remember(histories, exchange);
    onEvent({ type: 'exchange', exchange, record: () => toExchangeRecord(exchange, base, redact), count });
  };
  return {
    baseUrl: base,
    openClient: (
      limits: Limits,
      signal: AbortSignal,
      hopes: Pick<ClientOptions, 'patience' | 'away'> = {},
    ): HttpClient =>
      makeClient({
        ...{ baseUrl, limits, route, transport, signal, watched, keyOf, started, onExchange, ...hopes },
        onAway: (why) => {
          onEvent({ type: 'away', why: redact(why) });
        },
      }),
    /** How many exchanges there were so far. */
    requestCount: (): number => count,
    histories,
  };
}

/**
 * Makes everything that a run needs before its first request.
 *
 * @param stop aborted by the deadline or the operator
 * @throws InvalidSelection if `only` or `skip` match nothing; ExplorerMissing if sequences are to be explored without fast-check;
 *   RunRefused if another run changes the users
 */
export async function prepare(inputs: Inputs, options: RunOptions, stop: AbortSignal) {
  const { takeOver = false, secrets = [], onEvent = () => undefined } = options;
  const { only = [], skip = [], orderSeed, explore: wanted } = options;
  const selection = select({ only, skip }, wanted !== undefined);
  const { selected, scope } = selection;
  const inOrder = orderSeed === undefined ? selected : shuffle(selected, ({ id }) => id, orderSeed);
  const plan = planTraffic(inOrder, inputs, scope, selection.mayComeAlong);
  const startedAt = new Date();
  const started = performance.now();
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const running = (): boolean => !stop.aborted;
  const explorer = await explorerFor(selected, options, running);

  const runId = randomBytes(4).toString('hex');
  const bad = makeBadCredentials(inputs.adminKey, inputs.restrictedKey);
  const redact = makeRedactor([...secretsOf(inputs, bad), ...secrets]);
  const isClean = makeIsClean(redact);
  const recorder = makeRecorder(inputs, redact, started, options);
  const { baseUrl, histories } = recorder;
  const { journal: path = defaultJournalPath(runId) } = options;
  const ids = usersToChange(inputs, plan, explorer !== undefined);
  const lock = path === false ? NO_LOCK : lockUsers({ baseUrl, ids, journal: path, takeOver });
  const taken = new Map<string, Originals>();
  const originalsOf = (subject: NamedUser): Originals => {
    // Such a run may write its journal only now, and removes it at its end.
    for (const [id, known] of originalsIn(lock.takenFrom(), baseUrl)) taken.set(id, known);
    return { ...originals(histories[subject]), ...taken.get(namedId(inputs, subject) ?? '') };
  };
  const client = recorder.openClient(limits, stop);
  const onFirstWrite = (written: string): void => {
    onEvent({ type: 'journal', path: written });
  };
  const journal = path === false ? NO_JOURNAL : openJournal(path, onFirstWrite);
  let kept: Journal | undefined;
  let phase: Phase = 'open';
  const enter = (next: Phase): void => {
    phase = next;
  };
  const send: Send = (request, sendOptions) => {
    guardRequest(request, inputs, validators);
    if (path !== false && !isSafe(request) && !(kept && isComplete(kept))) {
      kept = journalOf(inputs, baseUrl, startedAt, originalsOf, isClean);
      journal.keep(kept);
    }
    return client.send({ phase, ...request }, sendOptions);
  };
  const fresh = makeFreshValues(runId, inputs.emailDomain);
  const requests = makeRequestBuilder(inputs, fresh, () => storedOf(histories.user, isClean), bad);
  const mayChange = takeOver ? () => undefined : ownValuesOnly(fresh, lock);
  const clock: WriteClock = { user: 0, 'other-user': 0 };
  const named = NAMED_USERS.filter((subject) => subject === 'user' || namedId(inputs, subject) !== undefined);
  const dues = operations.find(({ id }) => id === userOperation)?.updates;
  if (!dues) throw new Error('The operation that restores users does not say what its updates are due.');
  const sessions = named.map((subject) =>
    makeUserSession({
      ...{ subject, operation: userOperation, requests, send, clock, dues },
      history: () => histories[subject],
    }),
  );
  return {
    ...{ inputs, limits, validators, redact, startedAt, started, stop },
    ...{ client, journal, lock, requests, send, sessions, originalsOf },
    ...{ selection, selected, plan, expected: expectedRequests(plan, inputs) },
    ...recorder,
    // What every operation's traffic works with.
    traffic: { requests, send, clock, sessions, mayChange, enter, explore: explorer, running },
  };
}
