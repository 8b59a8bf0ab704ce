/** One run: connects the target, its users, the audit and the checks, restores the users, and makes the result. */
import type { Level } from '../contract/document.ts';
import { Audit } from './audit/audit.ts';
import { checks as catalogue } from './checks/catalogue.ts';
import { selectChecks } from './checks/selection.ts';
import { updates as plainUpdates } from './checks/updates.ts';
import { sendForObservations } from './checks/unspecified.ts';
import { Attempt } from './engine/attempt.ts';
import type { Check } from './engine/check.ts';
import { PLAIN } from './engine/claims.ts';
import { Judge } from './engine/judge.ts';
import { Ledger } from './engine/ledger.ts';
import { lateProblems, restoreProblems, strayProblems } from './engine/late.ts';
import type { Session } from './engine/session.ts';
import { Workarounds } from './engine/workarounds.ts';
import { Inconclusive, Stopped } from './facts/outcome.ts';
import type { ExchangeRecord, Restoration, Result } from './facts/result.ts';
import { type Client, openClient } from './http/client.ts';
import { makeRecorder, type Recorder } from './http/record.ts';
import type { Route } from './http/route.ts';
import { endAfter, Target, withCutBody } from './http/target.ts';
import type { Transport } from './http/transport.ts';
import { baseAddress, DEFAULT_EMAIL_DOMAIN, type Inputs, type RunInputs } from './inputs.ts';
import type { BaselineEntry } from './result/baseline.ts';
import { checksAgain } from './result/compare.ts';
import { makeResult, withoutKeys } from './result/make-result.ts';
import { isSettled } from './result/verdict.ts';
import { defaultJournalPath, type Journal, JournalFile, removeJournal } from './users/journal.ts';
import { asContested, restoreUsers } from './users/restore.ts';
import { Users } from './users/users.ts';

/** What happens during a run, while it happens. */
export type RunEvent =
  /** The old values were written to a file, from which the users can be restored if the process is killed. */
  | { readonly type: 'journal'; readonly path: string }
  /** The run does something else from here on. */
  | { readonly type: 'stage'; readonly text: string }
  /** The target, which responded before, does not; the run waits for it. */
  | { readonly type: 'away'; readonly why: string }
  /** The target limits how often it is asked; from here on, the run waits so many ms between two requests. */
  | { readonly type: 'limited'; readonly intervalMs: number }
  /** A request got a response, or none. `record` shows it without keys. */
  | { readonly type: 'exchange'; readonly record: () => ExchangeRecord; readonly count: number }
  /** So many of the checks have an outcome. */
  | { readonly type: 'progress'; readonly done: number; readonly of: number; readonly failed: number }
  /** The users were restored, as far as possible. */
  | { readonly type: 'restored'; readonly restoration: Restoration };

/** How a run is made. All of it may be left out. */
export interface RunOptions {
  /** Ids or globs (`*`) of checks, requirements, areas or levels; or operations by id or tag. Empty: all checks. */
  readonly only?: readonly string[];
  /** What is left out of that, named in the same way. */
  readonly skip?: readonly string[];
  /** An earlier result: its failed and inconclusive checks are run in place of `only`. */
  readonly again?: Result | undefined;
  /** The lowest level whose failure fails the run; default `must`. */
  readonly failOn?: Level | undefined;
  /** Known failures. An entry that does not hold makes the verdict `failed`. */
  readonly baseline?: readonly BaselineEntry[] | undefined;
  /** The file that the known failures come from, for the reports. */
  readonly baselineFile?: string | undefined;
  /** ms for one request, to the last byte of its response; default 10,000. */
  readonly timeout?: number | undefined;
  /** ms for the whole run; default 300,000. With restoring, it takes at most ten seconds more. */
  readonly deadline?: number | undefined;
  /** ms to wait for a target that is away; default 30,000. */
  readonly patience?: number | undefined;
  /** How the target is reached; by default directly, with the certificates that Node trusts. */
  readonly route?: Route | undefined;
  /** Takes the requests in place of the network. */
  readonly transport?: Transport | undefined;
  /** The path of the journal; by default a file of the user's own. `false`: the users end with this process. */
  readonly journal?: string | false | undefined;
  /** Ends the run early: its users are restored, and the verdict is `interrupted`. */
  readonly signal?: AbortSignal | undefined;
  /** The command line that judged the target, for the reports. */
  readonly command?: string | undefined;
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

const TIMEOUT_MS = 10_000;
const DEADLINE_MS = 300_000;
/** How much longer than its deadline a run may take, restoring included. */
const AFTER_DEADLINE_MS = 10_000;
/** How long restoring the users is tried; less where updates fail, or the target was waited for already. */
const RESTORE_MS = { usual: 30_000, failing: 3_000, away: 12_000 };

interface Run {
  readonly inputs: Inputs;
  readonly options: RunOptions;
  readonly session: Session;
  readonly judge: Judge;
  readonly recorder: Recorder;
  readonly journal: JournalFile | undefined;
  readonly startedAt: Date;
  /** The time (performance.now()). */
  readonly started: number;
  readonly onEvent: (event: RunEvent) => void;
}

/**
 * Judges a target: sends the requests of the selected checks, restores the users, and says which requirements of the contract
 * hold. It prints nothing. A target that cannot be reached, hangs or lies is not an error: the result says so.
 *
 * @param inputs where the target is, and what may be done there
 * @returns the result, from which every report is made
 * @throws InvalidSelection if `only` or `skip` match nothing, or leave nothing; then nothing was sent
 * @throws Error from node:fs if the journal cannot be written, or would take the place of a file; then no user was written to
 */
export async function runTarget(inputs: Inputs, options: RunOptions = {}): Promise<Result> {
  const { only = [], skip = [], again, deadline = DEADLINE_MS, timeout = TIMEOUT_MS } = options;
  const checks = selectChecks(catalogue, again ? checksAgain(again).ids : only, skip);
  const [startedAt, started] = [new Date(), performance.now()];
  const { route, transport, signal } = options;
  const client = openClient({ baseUrl: inputs.baseUrl, timeout, route, transport, startedAt: started });
  const timeToJudge = Math.max(deadline / 2, deadline + AFTER_DEADLINE_MS - RESTORE_MS.usual);
  const why = `The run reached its deadline of ${deadline / 1000} s (--deadline).`;
  const end = endAfter(timeToJudge, why, signal);
  const run = connect({ inputs, options, client, end, checks, startedAt, started });
  try {
    const stopped = await runChecks(run).catch(async (error: unknown) => {
      await restoreAll(run, undefined);
      throw error;
    });
    // What was sent at the same time may still be waiting: it must not change a user that is restored.
    end.abort(stopped);
    const restoration = await restoreAll(run, stopped);
    return await conclude(run, stopped, restoration);
  } finally {
    end.abort();
    await client.close();
  }
}

/** What a run is connected from. */
interface Parts extends Pick<Run, 'inputs' | 'options' | 'startedAt' | 'started'> {
  readonly client: Client;
  readonly end: AbortController;
  readonly checks: readonly Check[];
}

function journalOf(
  { baseUrl, roleIds }: Inputs,
  { journal: path = defaultJournalPath() }: RunOptions,
  startedAt: Date,
  { text }: Recorder,
): JournalFile | undefined {
  if (path === false) return undefined;
  return new JournalFile(path, { baseUrl: baseAddress(baseUrl), startedAt: startedAt.toISOString(), roleIds }, text);
}

/** Connects the parts of a run: who is told of a request, and who keeps the old values. */
function connect({ inputs, options, client, end, checks, startedAt, started }: Parts): Run {
  const { onEvent = () => undefined, patience } = options;
  const recorder = makeRecorder(inputs);
  const journal = journalOf(inputs, options, startedAt, recorder);
  const target = new Target({
    inputs: { ...inputs, adminKey: inputs.adminKey ?? '', userId: inputs.userId ?? '' },
    ...{ client, signal: end.signal, patience },
    onExchange: (exchange, count) => onEvent({ type: 'exchange', record: () => recorder.record(exchange), count }),
    onAway: (why) => onEvent({ type: 'away', why: recorder.text(why) }),
    onLimited: (intervalMs) => onEvent({ type: 'limited', intervalMs }),
  });
  const users = new Users(target, (originals) => {
    if (!journal) return;
    const isFirst = !journal.isWritten;
    journal.keep(originals);
    if (isFirst) onEvent({ type: 'journal', path: journal.path });
  });
  const audit = new Audit(inputs, users);
  target.listeners.push((exchange) => audit.look(exchange, withCutBody(exchange)));
  const observed = { target, users, audit };
  const session: Session = { ...observed, workarounds: new Workarounds(users), ledger: new Ledger(observed) };
  const judge = new Judge(session, checks, preparationFor(checks));
  return { inputs, options, session, judge, recorder, journal, startedAt, started, onEvent };
}

/**
 * The checks that run before a selection, and count only if they belong to it: the first one of all, which finds out how users
 * are read, if a check sends updates; and the plain updates, if it builds upon them. None if all of them are selected.
 */
function preparationFor(checks: readonly Check[]): readonly Check[] {
  const plain = new Set(plainUpdates.map(({ requirement }) => requirement));
  const buildsOnPlain = ({ requires = [] }: Check): boolean => requires.some((each) => plain.has(each));
  const areUsersNeeded = checks.some(({ inputs }) => inputs.includes('userId'));
  const needed = checks.some(buildsOnPlain) ? plainUpdates : plainUpdates.slice(0, 1);
  return areUsersNeeded && !needed.every((each) => checks.includes(each)) ? needed : [];
}

/** What requests that only serve observations belong to. */
const OBSERVING = { id: 'observations', requirement: '' };

/** @returns why the run ended before its end */
async function runChecks({ judge, session, onEvent }: Run): Promise<Stopped | undefined> {
  try {
    await judge.run({
      onStage: (text) => onEvent({ type: 'stage', text }),
      onProgress: (progress) => onEvent({ type: 'progress', ...progress }),
    });
    if (!session.users.areUpdatable) return undefined;
    if (judge.checks.length === catalogue.length) await sendForObservations(new Attempt(session, OBSERVING));
    judge.ledger.break(await lateProblems(session.users));
    const areStraysJudged = judge.checks.some(({ requirement }) => requirement === PLAIN.others);
    if (areStraysJudged && judge.ledger.broken.length === 0) judge.ledger.break(await strayProblems(session.users));
    return undefined;
  } catch (error) {
    if (error instanceof Inconclusive) return new Stopped(error.message, error.reason);
    if (!(error instanceof Stopped)) throw error;
    if (error.problem) judge.ledger.break([error.problem]);
    // Nobody has looked whether what was stored has stayed.
    session.audit.doubtful.add('update.sent-fields-change');
    return error;
  }
}

/** How long restoring may take (ms). */
function timeToRestore({ judge, options, started }: Run, stopped: Stopped | undefined): number {
  const away = stopped?.reason === 'disturbed' ? RESTORE_MS.away : RESTORE_MS.usual;
  const most = judge.ledger.isBroken('update.success-is-200') ? RESTORE_MS.failing : away;
  const end = started + (options.deadline ?? DEADLINE_MS) + AFTER_DEADLINE_MS;
  return Math.min(most, end - performance.now());
}

/** What came of restoring where nothing was written. */
const UNCHANGED: Restoration = { outcome: 'none', users: [] };

async function restoreAll(run: Run, stopped: Stopped | undefined): Promise<Restoration> {
  const { session, judge, options, journal, recorder, onEvent } = run;
  const { users } = session;
  if (users.originals.size > 0) onEvent({ type: 'stage', text: 'restoring the users' });
  const limits = { most: timeToRestore(run, stopped), patience: options.patience };
  const restored = users.mayBeChanged ? await restoreWithin(users, limits, recorder) : UNCHANGED;
  const isContested = stopped?.reason === 'other-client' || users.otherClient !== undefined;
  const done = isContested && users.mayBeChanged ? asContested(restored) : restored;
  // What a fault keeps from being restored is no second fault.
  if (!stopped && judge.ledger.broken.length === 0) judge.ledger.break(restoreProblems(users, done));
  const restoration: Restoration = { ...done, journal: journalLeft(journal, done) };
  onEvent({ type: 'restored', restoration });
  return restoration;
}

/** Deletes the journal once the users are restored. @returns its path if something is left to restore */
function journalLeft(journal: Run['journal'], restored: Restoration): string | undefined {
  if (!journal?.isWritten) return undefined;
  if (!isSettled(restored)) return journal.path;
  removeJournal(journal.path);
  return undefined;
}

/** ms. */
interface RestoringLimits {
  /** After which restoring ends, whatever is under way. */
  readonly most: number;
  /** For which it is tried again. */
  readonly patience?: number | undefined;
}

async function restoreWithin(
  users: Users,
  { most, patience = most }: RestoringLimits,
  recorder: Recorder,
): Promise<Restoration> {
  const end = endAfter(most, 'The target did not take the old values in time.');
  users.target.endBy(end.signal);
  const until = performance.now() + Math.min(most, patience);
  const restored = await restoreUsers(users, until).finally(() => end.abort());
  const ofUsers = restored.users.map(({ id, members }) => ({ id, members: withoutKeys(members, recorder) }));
  return { outcome: restored.outcome, users: ofUsers };
}

/** Makes the result of a run. */
function conclude(run: Run, stopped: Stopped | undefined, restoration: Restoration): Promise<Result> {
  const { inputs, options, session, judge, recorder, startedAt, started } = run;
  return makeResult({
    ...{ inputs, options, restoration, stopped, startedAt, recorder, catalogue },
    otherClient: session.users.otherClient,
    judgement: judge.conclude(stopped),
    together: session.workarounds.together,
    exchanges: session.target.log,
    durationMs: Math.round(performance.now() - started),
  });
}

/**
 * Restores the users of a run that was killed.
 *
 * @param journal what the run kept
 * @param key the admin key of its target
 * @returns how far the users were restored
 */
export async function restoreFrom(
  { baseUrl, users: kept, roleIds }: Journal,
  adminKey: string,
  { timeout = TIMEOUT_MS, route }: Pick<RunOptions, 'timeout' | 'route'> = {},
): Promise<Restoration> {
  const [first, second] = kept;
  const inputs: RunInputs = {
    ...{ baseUrl: new URL(baseUrl), adminKey, emailDomain: DEFAULT_EMAIL_DOMAIN, roleIds },
    ...{ userId: first?.id ?? '', otherUserId: second?.id },
  };
  const recorder = makeRecorder(inputs);
  const client = openClient({ baseUrl: inputs.baseUrl, timeout, route, startedAt: performance.now() });
  const users = new Users(new Target({ inputs, client, signal: new AbortController().signal }));
  for (const { id, originals } of kept) users.originals.set(id, originals);
  try {
    return await restoreWithin(users, { most: RESTORE_MS.usual }, recorder);
  } finally {
    await client.close();
  }
}
