import { randomBytes } from 'node:crypto';
import { validators } from '../../contract/validators.ts';
import { explorationChecks } from '../checks/catalogue.ts';
import { type ClientOptions, HttpClient } from '../http/client.ts';
import { keyForms, makeBadCredentials, makeKeyWatch } from '../http/credentials.ts';
import { type Credential, type Exchange, isSafe, isAccepted } from '../http/exchange.ts';
import { DEFAULT_LIMITS, type Limits } from '../http/policy/limits.ts';
import { makeRedactor, type Redact } from '../http/redact.ts';
import type { Check } from '../model/check.ts';
import type { Phase } from '../model/recording/items.ts';
import { effectOf, keptFor, operations, updating, writtenBy } from '../operations/index.ts';
import { toExchangeRecord } from '../result/result.ts';
import {
  baseAddress,
  type Inputs,
  namedAs,
  namedId,
  type Writable,
  WRITABLE,
  writableOf,
} from '../resources/inputs.ts';
import { route } from '../../contract/document.ts';
import { makeKeeper } from '../traffic/keeping/kept.ts';
import { guardRequest } from '../resources/request-guard.ts';
import { type FreshValues, makeFreshValues, makeRequestBuilder, pathId } from '../resources/requests.ts';
import { nameOf } from '../traffic/keeping/restoration.ts';
import { RunRefused } from '../traffic/run-refused.ts';
import { type Lock, lockUsers, NO_LOCK } from '../traffic/keeping/lock.ts';
import { defaultJournalPath, type Journal, NO_JOURNAL, openJournal, originalsIn } from '../traffic/keeping/journal.ts';
import type { RunOptions } from './events.ts';
import { expectedRequests, type Plan, planTraffic, select } from './plan.ts';
import { shuffle } from './shuffle.ts';
import type { Originals } from '../resources/resource.ts';
import { loadExplorer } from '../traffic/explorer.ts';
import type { Histories, Send, TrafficLog, UpdateOptions } from '../traffic/operation.ts';
import { resourceOf, updatedResource } from '../resources/index.ts';

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
    const text = known.has(value) ? '' : JSON.stringify(value ?? null);
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
  subjects: readonly Writable[],
  originalsOf: (subject: Writable) => Originals | undefined,
  isClean: IsClean,
): Journal {
  const users = subjects.flatMap((subject) => {
    const [id, originals] = [namedId(inputs, subject), originalsOf(subject)];
    return id === undefined || !originals ? [] : [{ subject, id, originals: withoutSecrets(originals, isClean) }];
  });
  return { journalVersion: 1, baseUrl, startedAt: startedAt.toISOString(), users };
}

/** Whether a journal has all that it ever will of some subjects. */
function isComplete({ users }: Journal, subjects: readonly Writable[]): boolean {
  return subjects.every((subject) => {
    const own = users.find((user) => user.subject === subject);
    return own && resourceOf(subject).updatable.every((member) => Object.hasOwn(own.originals, member));
  });
}

/** What random sequences are tried with, if the run explores and the check of it is selected. */
async function explorationFor(selected: readonly Check[], { explore }: RunOptions): Promise<UpdateOptions['explore']> {
  const isWanted = selected.some((check) => explorationChecks.includes(check));
  return explore && isWanted ? { explorer: await loadExplorer(), options: explore } : undefined;
}

/** What the run may write: what the operator named of each resource that an operation of the plan writes. */
function subjectsToChange(inputs: Inputs, plan: Plan, explores: boolean): Writable[] {
  const written = operations
    .filter(({ id }) => plan.has(id) || (explores && id === updating.id))
    .flatMap(({ id, effect }) => (effect && !isSafe(route(id)) ? [effect.resource] : []));
  return WRITABLE.filter((subject) => {
    const named = namedAs(subject);
    return named && written.includes(named.resource) && namedId(inputs, subject) !== undefined;
  });
}

/** Refuses users that show values of another run, which is running elsewhere, or was killed: they are not the users' own. */
function ownValuesOnly(
  { otherRun }: FreshValues,
  { earlierJournals: [journal = 'JOURNAL'] }: Lock,
): UpdateOptions['mayChange'] {
  return (readings) => {
    for (const reading of readings) {
      const shown = updatedResource.shownIn(reading) ?? {};
      const maker = updatedResource.updatable
        .map((member) => shown[member])
        .find((value) => otherRun(value) !== undefined);
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
  const histories: Histories = new Map(writableOf(updatedResource.id).map((subject) => [subject, []]));
  const keeper = makeKeeper(keptFor(inputs));
  let count = 0;
  const onExchange = (exchange: Exchange): void => {
    count += 1;
    const { operation, subject, meant } = exchange.request;
    const shown = operations.find(({ id }) => id === operation)?.shows.resource;
    const isUpdate = shown === updatedResource.id && meant.id === 'valid' && !isSafe(exchange.request);
    if (isUpdate && isAccepted(exchange)) histories.get(subject as Writable)?.push(exchange);
    keeper.see(exchange);
    onEvent({ type: 'exchange', exchange, record: () => toExchangeRecord(exchange, base, redact), count });
  };
  return {
    baseUrl: base,
    openClient: (
      limits: Limits,
      signal: AbortSignal,
      hopes: Pick<ClientOptions, 'patience' | 'away'> = {},
    ): HttpClient =>
      new HttpClient({
        ...{ baseUrl, limits, route, transport, signal, watched, keyOf, started, onExchange, ...hopes },
        onAway: (why) => onEvent({ type: 'away', why: redact(why) }),
      }),
    /** How many exchanges there were so far. */
    requestCount: (): number => count,
    histories,
    keeper,
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
  const { only = [], skip = [], orderSeed } = options;
  const selection = select({ only, skip }, options.explore !== undefined);
  const { selected, scope } = selection;
  const inOrder = orderSeed === undefined ? selected : shuffle(selected, ({ id }) => id, orderSeed);
  const plan = planTraffic(inOrder, inputs, scope, selection.mayComeAlong, selection.isSent);
  const startedAt = new Date();
  const started = performance.now();
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const running = (): boolean => !stop.aborted;
  const explore = await explorationFor(selected, options);

  const runId = randomBytes(4).toString('hex');
  const bad = makeBadCredentials(inputs.adminKey, inputs.restrictedKey);
  const redact = makeRedactor([...secretsOf(inputs, bad), ...secrets]);
  const isClean = makeIsClean(redact);
  const recorder = makeRecorder(inputs, redact, started, options);
  const { baseUrl, histories } = recorder;
  const { journal: path = defaultJournalPath(runId) } = options;
  const subjects = subjectsToChange(inputs, plan, explore !== undefined);
  const names = subjects.map((subject) => nameOf({ subject, id: namedId(inputs, subject) ?? '' }));
  const lock = path === false ? NO_LOCK : lockUsers({ baseUrl, names, journal: path, takeOver });
  const taken = new Map<string, Originals>();
  const originalsOf = (subject: Writable): Originals | undefined => {
    // Such a run may write its journal only now, and removes it at its end.
    for (const [name, known] of originalsIn(lock.takenFrom(), baseUrl)) taken.set(name, known);
    const history = histories.get(subject);
    const shown = history ? updatedResource.originals(history, writtenBy) : recorder.keeper.originalsOf(subject);
    return shown && { ...shown, ...taken.get(nameOf({ subject, id: namedId(inputs, subject) ?? '' })) };
  };
  const client = recorder.openClient(limits, stop);
  const onFirstWrite = (written: string): void => onEvent({ type: 'journal', path: written });
  const journal = path === false ? NO_JOURNAL : openJournal(path, onFirstWrite);
  let kept: Journal | undefined;
  let phase: Phase = 'open';
  const enter = (next: Phase): void => {
    phase = next;
  };
  const send: Send = (request, sendOptions) => {
    guardRequest(request, inputs, validators, effectOf(request.operation));
    if (path !== false && !isSafe(request) && !(kept && isComplete(kept, subjects))) {
      kept = journalOf(inputs, baseUrl, startedAt, subjects, originalsOf, isClean);
      journal.keep(kept);
    }
    return client.send({ phase, ...request }, sendOptions);
  };
  const log: TrafficLog = { notBuildable: new Set(), errors: new Map(), more: new Set() };
  const fresh = makeFreshValues(runId, inputs.emailDomain);
  const stored = (): Record<string, unknown> => updatedResource.stored(histories.values().next().value ?? [], isClean);
  const requests = makeRequestBuilder(inputs, fresh, stored, bad);
  const mayChange = takeOver ? () => undefined : ownValuesOnly(fresh, lock);
  const updated = updating.updates.open({ operation: updating.id, requests, send, histories, mayChange, explore });
  return {
    ...{ inputs, limits, validators, redact, startedAt, started, stop },
    ...{ client, journal, lock, requests, send, updated, originalsOf },
    ...{ selection, selected, plan, expected: expectedRequests(plan, inputs) },
    ...recorder,
    // What every operation's traffic works with.
    traffic: { requests, send, enter, running, kept: keptFor(inputs), log },
    explores: explore !== undefined,
  };
}
