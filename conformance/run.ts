/** One run: connects the target, its users, the audit and the checks, restores the users, and makes the result. */
import { checks as catalogue } from './checks/catalogue.ts';
import { selectChecks } from './checks/selection.ts';
import { updates as plainUpdates } from './checks/updates.ts';
import { sendForObservations } from './checks/unspecified.ts';
import { Attempt } from './engine/attempt.ts';
import type { Check } from './engine/check.ts';
import { PLAIN } from './engine/claims.ts';
import { Judge, type JudgeEvent } from './engine/judge.ts';
import { lateProblems, restoreProblems, strayProblems } from './engine/late.ts';
import { openSession, type Session } from './engine/session.ts';
import type { Problem } from './facts/fault.ts';
import { Inconclusive, Stopped } from './facts/outcome.ts';
import type { ExchangeRecord, Restoration, Result } from './facts/result.ts';
import { type Client, openClient } from './http/client.ts';
import { makeRecorder, type Recorder } from './http/record.ts';
import type { Route } from './http/route.ts';
import { endAfter, Target } from './http/target.ts';
import type { Transport } from './http/transport.ts';
import { baseAddress, DEFAULT_EMAIL_DOMAIN, type Inputs, type RunInputs } from './inputs.ts';
import { checksAgain } from './result/compare.ts';
import { makeResult, type ResultOptions, withoutKeys } from './result/make-result.ts';
import { isSettled } from './result/verdict.ts';
import { defaultJournalPath, type Journal, JournalFile, removeJournal } from './users/journal.ts';
import { asContested, restoreUsers } from './users/restore.ts';
import { Users } from './users/users.ts';

/** What happens during a run, while it happens. */
export type RunEvent =
  | JudgeEvent
  /** The old values were written to a file, from which the users can be restored if the process is killed. */
  | { readonly type: 'journal'; readonly path: string }
  /** The target, which responded before, does not; the run waits for it. */
  | { readonly type: 'away'; readonly why: string }
  /** The target limits how often it is asked; the run makes the pause that it asks for, and from then on waits between two requests (ms). */
  | { readonly type: 'limited'; readonly intervalMs: number; readonly pauseMs: number }
  /** A request got a response, or none. `record` shows it without keys. */
  | { readonly type: 'exchange'; readonly record: () => ExchangeRecord; readonly count: number }
  /** The users were restored, as far as possible. */
  | { readonly type: 'restored'; readonly restoration: Restoration };

/** How a run is made. All of it may be left out. */
export interface RunOptions extends ResultOptions {
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
  const { deadline = DEADLINE_MS, timeout = TIMEOUT_MS, route, transport, signal } = options;
  const { only = [], skip = [], again } = options;
  const checks = selectChecks(catalogue, again ? checksAgain(again).ids : only, skip);
  const begun = { inputs, options, startedAt: new Date(), started: performance.now() };
  const client = openClient({ baseUrl: inputs.baseUrl, timeout, route, transport, startedAt: begun.started });
  const timeToJudge = Math.max(deadline / 2, deadline + AFTER_DEADLINE_MS - RESTORE_MS.usual);
  const why = `The run reached its deadline of ${deadline / 1000} s (--deadline).`;
  const end = endAfter(timeToJudge, why, signal);
  const run = connect(begun, checks, client, end.signal);
  try {
    const stopped = await runChecks(run).catch(async (error: unknown) => {
      await restoreAll(run, undefined);
      throw error;
    });
    // What was sent at the same time may still be waiting: it must not change a user that is restored.
    end.abort(stopped);
    const restoration = await restoreAll(run, stopped);
    return await makeResult({ ...run, catalogue, stopped, restoration });
  } finally {
    end.abort();
    await client.close();
  }
}

/** Connects the parts of a run: who is told of a request, and who keeps the old values. */
function connect(
  begun: Pick<Run, 'inputs' | 'options' | 'startedAt' | 'started'>,
  checks: readonly Check[],
  client: Client,
  signal: AbortSignal,
): Run {
  const { inputs, options, startedAt } = begun;
  const { onEvent = () => undefined, patience, journal: path = defaultJournalPath() } = options;
  const recorder = makeRecorder(inputs);
  const about = { baseUrl: baseAddress(inputs.baseUrl), startedAt: startedAt.toISOString(), roleIds: inputs.roleIds };
  const journal = path === false ? undefined : new JournalFile(path, about, recorder.text);
  const target = new Target({
    inputs: { ...inputs, adminKey: inputs.adminKey ?? '', userId: inputs.userId ?? '' },
    client,
    signal,
    patience,
    onExchange: (exchange, count) => onEvent({ type: 'exchange', record: () => recorder.record(exchange), count }),
    onAway: (why) => onEvent({ type: 'away', why: recorder.text(why) }),
    onLimited: (intervalMs, pauseMs) => onEvent({ type: 'limited', intervalMs, pauseMs }),
  });
  const session = openSession(target, (originals) => {
    if (!journal) return;
    const isFirst = !journal.isWritten;
    journal.keep(originals);
    if (isFirst) onEvent({ type: 'journal', path: journal.path });
  });
  const judge = new Judge(session, checks, preparationFor(checks));
  return { ...begun, session, judge, recorder, journal, onEvent };
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
    await judge.run(onEvent);
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

/** How long restoring may take. */
function timeToRestore({ judge, options, started }: Run, stopped: Stopped | undefined): TimeToRestore {
  const away = stopped?.reason === 'disturbed' ? RESTORE_MS.away : RESTORE_MS.usual;
  const most = judge.ledger.isBroken('update.success-is-200') ? RESTORE_MS.failing : away;
  const latest = started + (options.deadline ?? DEADLINE_MS) + AFTER_DEADLINE_MS;
  return { most, latest, patience: options.patience };
}

/** What came of restoring where nothing was written. */
const UNCHANGED: Restoration = { outcome: 'none', users: [] };

/** What the target's own updates raise is not somebody else's doing, and so is left of the run. */
function noteCountedLogins({ ledger }: Judge, { shown }: Users): void {
  const isOfLogins = ({ fault }: Problem): boolean => fault.kind === 'member' && fault.member === 'loginAttempts';
  if (ledger.problemsOf(PLAIN.others).some(isOfLogins)) shown.moving.add('loginAttempts');
}

async function restoreAll(run: Run, stopped: Stopped | undefined): Promise<Restoration> {
  const { session, judge, journal, recorder, onEvent } = run;
  const { users } = session;
  if (users.originals.size > 0) onEvent({ type: 'stage', text: 'restoring the users' });
  noteCountedLogins(judge, users);
  const time = timeToRestore(run, stopped);
  const restored = users.mayBeChanged ? await restoreInTime(users, time, recorder) : UNCHANGED;
  const isContested = stopped?.reason === 'other-client' || users.otherClient !== undefined;
  const done = isContested && users.mayBeChanged ? asContested(restored) : restored;
  judge.ledger.tellAsLate(users.restoredLate);
  // What a fault keeps from being restored is no second fault.
  if (!stopped && judge.ledger.broken.length === 0) judge.ledger.break(restoreProblems(users, done));
  const restoration = { ...done, journal: journalLeft(journal, done) };
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

/** How long restoring may take. */
interface TimeToRestore {
  /** ms, without a pause that the target asks for. */
  readonly most: number;
  /** The time (performance.now()) at which it ends in any case. */
  readonly latest: number;
  /** For how many ms it is tried again; default: all the time. */
  readonly patience?: number | undefined;
}

/** Restores the users; once more if the target asks for a pause that takes longer than that may. */
async function restoreInTime(users: Users, time: TimeToRestore, recorder: Recorder): Promise<Restoration> {
  const restored = await restoreWithin(users, time.most, time, recorder);
  const pause = users.target.pausedUntil - performance.now();
  return pause <= 0 || isSettled(restored) ? restored : restoreWithin(users, time.most + pause, time, recorder);
}

/** Restores the users, and ends after so many ms, whatever is under way. */
async function restoreWithin(
  users: Users,
  ms: number,
  { latest, patience = ms }: TimeToRestore,
  { text }: Recorder,
): Promise<Restoration> {
  const most = Math.min(ms, latest - performance.now());
  const end = endAfter(most, 'the target did not take the old values in time');
  users.target.endBy(end.signal);
  const until = performance.now() + Math.min(most, patience);
  const restored = await restoreUsers(users, until).finally(() => end.abort());
  return { ...restored, users: restored.users.map(({ id, members }) => ({ id, members: withoutKeys(members, text) })) };
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
    baseUrl: new URL(baseUrl),
    adminKey,
    emailDomain: DEFAULT_EMAIL_DOMAIN,
    roleIds,
    userId: first?.id ?? '',
    otherUserId: second?.id,
  };
  const recorder = makeRecorder(inputs);
  const client = openClient({ baseUrl: inputs.baseUrl, timeout, route, startedAt: performance.now() });
  const users = new Users(new Target({ inputs, client, signal: new AbortController().signal }));
  for (const { id, originals } of kept) users.originals.set(id, originals);
  try {
    return await restoreInTime(users, { most: RESTORE_MS.usual, latest: Infinity }, recorder);
  } finally {
    await client.close();
  }
}
