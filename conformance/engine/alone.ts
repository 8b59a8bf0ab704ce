/** Runs a row of a check alone: what it finds counts only if it finds it again. */
import { present } from '../../common/text.ts';
import { isLimited } from '../facts/exchange.ts';
import { type Fault, isDisturbed, type MemberFault, type Problem } from '../facts/fault.ts';
import { Inconclusive, NotApplicable } from '../facts/outcome.ts';
import type { Target } from '../http/target.ts';
import { hasGrown, isUpdatable } from '../users/differences.ts';
import { Attempt } from './attempt.ts';
import { PLAIN } from './claims.ts';
import { type Check, isAsGrave, type Row } from './check.ts';
import { renew } from './renew.ts';
import type { Session } from './session.ts';
import type { Workaround } from './workarounds.ts';

/** What a row showed: problems, why it is inconclusive, or that it does not apply; nothing if it passed. */
export interface RowResult {
  readonly problems: readonly Problem[];
  /** What showed once and not again. */
  readonly unsteady: readonly Problem[];
  readonly unclear?: Inconclusive | NotApplicable | undefined;
}

/** A row of a check, and how the check lives with what is broken. */
export interface RowOfCheck {
  readonly check: Check;
  readonly row: Row;
  readonly around: ReadonlySet<Workaround>;
}

/** How often a row is run in search of a run without a disturbance. */
const TRIES = 4;

/** The share of a run's requests that may be disturbed. Beyond it, nobody can tell the target's faults from the network's. */
const TURMOIL = 1 / 8;

/** How many more runs must show that updates raise the number of failed logins. */
const MORE_RUNS_FOR_LOGINS = 2;

/** How many more runs of a row look for a value of the suite's own that showed once. */
const MORE_TRIES = 8;

/** Runs a row alone. What it finds counts only if a second run, after the users got new values, finds it again. */
export async function judgeRow(session: Session, of: RowOfCheck): Promise<RowResult> {
  const first = await tryRow(session, of);
  if (first.problems.length === 0) return first;
  if (await showOldValues(session, first.problems)) return judgeRow(session, of);
  const moved = await movedByReadings(session, of, first.problems);
  if (moved) {
    const rest = await judgeRow(session, of);
    return { ...rest, problems: [moved, ...rest.problems] };
  }
  const repeated = first.problems.filter(({ seen }) => seen !== undefined && seen.times > 1);
  if (repeated.length > 0) return { problems: repeated, unsteady: [] };
  await renew(session);
  const second = await tryRow(session, of);
  await renew(session);
  const { intermittent } = session.users.shown;
  const isLasting = ({ absent }: Problem): boolean => absent === undefined || !intermittent.has(absent);
  const [before, after] = [first.problems.filter(isLasting), second.problems.filter(isLasting)];
  const again = after.filter(({ requirement }) => before.some((each) => each.requirement === requirement));
  if (again.length > 0) return { problems: (await areOfOthers(session, of, again)) ? [] : again, unsteady: [] };
  const unsteady = present([before, after].map((problems) => problems.find(({ fault }) => !isOfLogins(fault))));
  const seldom = unsteady.some((each) => isOwnValue(session, each)) ? await lookOften(session, of, before) : [];
  return { problems: seldom, unsteady: seldom.length > 0 ? [] : unsteady };
}

/** Whether a user shows a value that this run made: no other client has a part in that. */
function isOwnValue({ users }: Session, { fault }: Problem): boolean {
  return fault.kind === 'member' && users.fresh.isOfThisRun(fault.came);
}

/**
 * Runs a row several times more, in search of what it showed once: a target may lose an update now and then.
 *
 * @returns what it showed again; empty if nothing, or if other rows have used up what a run spends on this
 */
async function lookOften(session: Session, of: RowOfCheck, once: readonly Problem[]): Promise<readonly Problem[]> {
  for (let tries = 0; tries < MORE_TRIES && session.moreTries > 0; tries += 1) {
    session.moreTries -= 1;
    const { problems } = await tryRow(session, of);
    await renew(session);
    const again = problems.filter(({ requirement }) => once.some((each) => each.requirement === requirement));
    if (again.length > 0) return again;
  }
  return [];
}

/**
 * Looks whether the target shows old values beside new ones, where that may explain these problems.
 *
 * @returns whether it does, and was not known to: the row then tells it as that
 */
async function showOldValues({ users }: Session, problems: readonly Problem[]): Promise<boolean> {
  const isOld = ({ fault }: Problem): boolean =>
    fault.kind === 'member' && users.had(fault.user, fault.member, fault.came);
  const old = users.areShownTwofold ? undefined : problems.find(isOld);
  if (old?.fault.kind === 'member') await users.noteTwofold(old.fault.user);
  return old !== undefined && users.areShownTwofold;
}

/**
 * Looks whether the readings themselves change a member that the row found changed, and no update can set: then that is the
 * fault, and the member tells nothing of any other request.
 *
 * @returns undefined if they do not
 */
async function movedByReadings(
  { users }: Session,
  { check }: RowOfCheck,
  problems: readonly Problem[],
): Promise<Problem | undefined> {
  const faults = problems.map((each) => each.fault).filter(isOfOtherMember);
  for (const { user, member } of new Map(faults.map((fault) => [fault.member, fault])).values()) {
    const values = member === 'loginAttempts' ? await users.raised(user) : await users.moved(user, member);
    if (!values) continue;
    users.shown.moving.add(member);
    const [due, came] = values;
    return {
      fault: { kind: 'member', change: 'changed', user, member, due, came, request: users.readingOf(user) },
      check: check.id,
      requirement: PLAIN.others,
      aspect: 'kept',
      exchanges: present([users.lastReadingOf(user)]),
    };
  }
  return undefined;
}

/** Whether a fault is about a member that no update can set. */
function isOfOtherMember(fault: Fault): fault is MemberFault {
  return fault.kind === 'member' && !isUpdatable(fault.member);
}

/** Whether problems are failed logins of somebody else, who fails now and then: further runs of the row do not all show them. */
async function areOfOthers(session: Session, of: RowOfCheck, problems: readonly Problem[]): Promise<boolean> {
  const areOfLogins = (all: readonly Problem[]): boolean =>
    all.length > 0 && all.every(({ fault }) => isOfLogins(fault));
  if (!areOfLogins(problems)) return false;
  for (let runs = 0; runs < MORE_RUNS_FOR_LOGINS; runs += 1) {
    const more = await tryRow(session, of);
    await renew(session);
    if (!areOfLogins(more.problems)) return true;
  }
  return false;
}

/** Runs a row alone that failed beside others already. What it finds counts. */
export async function judgeRowOnceMore(session: Session, of: RowOfCheck): Promise<RowResult> {
  const result = await tryRow(session, of);
  if (result.problems.length > 0) await renew(session);
  return result;
}

/** Runs a row alone, and again as long as a disturbance may explain what it finds. */
async function tryRow(session: Session, { check, row, around }: RowOfCheck): Promise<RowResult> {
  const { target, users, audit } = session;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { disturbances } = target;
    const attempt = new Attempt(session, check, { around });
    const unclear = await row(attempt).then(() => undefined, whyUnclear);
    users.stopForOtherClient();
    const { problems } = attempt;
    const unconfirmed = audit.conclude((each) => !problems.some((problem) => isAsGrave(problem, each)));
    // Provokes a response that broke something once more.
    if (tries === 0 && unconfirmed.size > 0) continue;
    if (problems.length === 0) return passedUnless(unclear ?? whyUnread(session, check));
    if (problems.every(({ exchanges: [cause] }) => cause && isLimited(cause.response)))
      return undecided('The target asked for a pause (429) at each try.');
    const isDisturbedNow = target.disturbances !== disturbances || isTurmoil(target, problems);
    if (!isDisturbedNow) return { problems, unsteady: [] };
  }
  return undecided(`Lost connections, or 429, 502, 503, 504, at each of ${TRIES} tries.`);
}

const passedUnless = (unclear: RowResult['unclear']): RowResult => ({ problems: [], unsteady: [], unclear });

/** Where nothing reads the users, only a check that does not need them can pass. */
function whyUnread({ users }: Session, { standalone }: Check): Inconclusive | undefined {
  if (users.reading !== undefined || standalone) return undefined;
  return new Inconclusive('no-reading', 'No request shows the users without changing them.');
}

/** Whether a user has more failed logins than before: once, that is due to somebody else. */
const isOfLogins = (fault: Fault): boolean =>
  fault.kind === 'member' && hasGrown({ [fault.member]: fault.due }, { [fault.member]: fault.came });

function undecided(why: string): RowResult {
  return passedUnless(new Inconclusive('disturbed', why));
}

function whyUnclear(error: unknown): RowResult['unclear'] {
  if (error instanceof Inconclusive || error instanceof NotApplicable) return error;
  throw error;
}

/** Whether problems come from disturbances, and these are too many to tell the target's from the network's. */
function isTurmoil({ disturbances, log }: Target, problems: readonly Problem[]): boolean {
  return disturbances > log.length * TURMOIL && problems.every(isDisturbed);
}
