/** Runs rows of checks at the same time: refusals in groups, updates in one lane for each user. They can only pass. */
import { isBusy, type Request } from '../facts/exchange.ts';
import type { Problem } from '../facts/fault.ts';
import { Stopped } from '../facts/outcome.ts';
import { COMPARED_MEMBERS, differences, type User } from '../users/differences.ts';
import type { RowOfCheck } from './alone.ts';
import { Attempt } from './attempt.ts';
import type { Circumstances } from './bare-attempt.ts';
import type { Schedule } from './check.ts';
import { renew } from './renew.ts';
import type { Session } from './session.ts';

/** How many refusals are sent at once. */
const GROUP_SIZE = 12;

/** One row of a check, and what came of it at the same time as others. */
export interface ScheduledRow extends RowOfCheck {
  /** Whether it passed; rows that run together can do nothing else. */
  hasPassed: boolean;
  /** What it sent. */
  requests: readonly Request[];
  /** A wrong status, or a lost update: a symptom, if the row passes alone. */
  symptom?: Problem | undefined;
}

/** Runs rows together: refusals in groups, updates in one lane for each user. What does not pass is to be run alone. */
export async function runTogether(session: Session, schedule: Schedule, rows: readonly ScheduledRow[]): Promise<void> {
  if (schedule === 'alone' || session.users.reading === undefined) return;
  if (schedule === 'lanes') {
    await runLanes(session, rows);
    withdrawUnconfirmed(session, rows);
    return;
  }
  const { timeouts } = session.target;
  // Where nothing comes back, each more group would only wait.
  for (let at = 0; at < rows.length && session.target.timeouts === timeouts; at += GROUP_SIZE) {
    const group = rows.slice(at, at + GROUP_SIZE);
    await runGroup(session, group);
    withdrawUnconfirmed(session, group);
    // Its leftovers must not hide the fault from the runs that follow.
    if (!group.every(({ hasPassed }) => hasPassed)) await renew(session);
  }
}

/** Refusals at once between two readings. If a user changed, nobody can tell which of them changed it. */
async function runGroup(session: Session, rows: readonly ScheduledRow[]): Promise<void> {
  const { users, audit } = session;
  const before = await users.state();
  await Promise.all(rows.map((row) => runBeside(session, row, { isInGroup: true })));
  const after = await users.state();
  const isKept = ([id, user]: readonly [string, User]): boolean =>
    differences(user, after.get(id), COMPARED_MEMBERS, users.shown.inReadings).length === 0;
  if (![...before].every(isKept)) for (const row of rows) row.hasPassed = false;
  else if (after.size > 0) audit.looked.add('update.refused-changes-nothing');
}

/** One lane for each user; each reads its own user alone. */
async function runLanes(session: Session, rows: readonly ScheduledRow[]): Promise<void> {
  const queue = [...rows];
  const runLane = async (user: string): Promise<void> => {
    for (let row = queue.shift(); row; row = queue.shift()) {
      await runBeside(session, row, { lane: user });
      if (!row.hasPassed) await renew(session, user);
    }
  };
  await Promise.all(session.users.ids.map(runLane));
}

/** Runs a row at the same time as others, where it can only pass. If it does not, it runs again alone. */
async function runBeside(session: Session, row: ScheduledRow, beside: Omit<Circumstances, 'around'>): Promise<void> {
  const attempt = new Attempt(session, row.check, { around: row.around, ...beside });
  try {
    await row.row(attempt);
    row.hasPassed = attempt.problems.length === 0;
  } catch (error) {
    if (error instanceof Stopped) throw error;
  }
  row.symptom = attempt.problems.find(isSymptom);
  row.requests = attempt.exchanges.map(({ request }) => request);
}

/** Of the rows that passed, those have not whose response is the only one to break a requirement. */
function withdrawUnconfirmed({ audit }: Session, rows: readonly ScheduledRow[]): void {
  const fine = rows.filter(({ hasPassed }) => hasPassed);
  const own = new Set(fine.flatMap(({ requests }) => requests));
  const isOwn = ({ exchanges }: Problem): boolean => exchanges.some(({ request }) => own.has(request));
  const unconfirmed = audit.conclude((violation) => fine.length === rows.length || isOwn(violation));
  for (const row of fine) row.hasPassed = !row.requests.some((request) => unconfirmed.has(request));
}

/**
 * Every wrong status is a symptom, except those by which a server says that somebody else is at work; and every update that is
 * lost.
 */
function isSymptom({ aspect, exchanges, fault }: Problem): boolean {
  if (fault.kind === 'member') return fault.change === 'not-stored';
  return (aspect === 'accepted' || aspect === 'status') && !exchanges.some(({ response }) => isBusy(response));
}
