import { isBusy, type Request } from '../facts/exchange.ts';
import type { Check, Row, Schedule } from './check.ts';
import { differences, COMPARED_MEMBERS, type User } from '../users/differences.ts';
import { Attempt } from './attempt.ts';
import { type Problem, Stopped } from '../facts/outcome.ts';
import { renewUsers } from '../users/renew.ts';
import type { Target } from '../users/target.ts';

/** How many refusals are sent at once. */
const GROUP = 8;

/** One row of a check, and what came of it at the same time as others. */
export interface ScheduledRow {
  readonly check: Check;
  readonly row: Row;
  /** Whether it passed; rows that run together can do nothing else. */
  hasPassed: boolean;
  /** What it sent. */
  requests: readonly Request[];
  /** A wrong status: a symptom, if the row passes alone. */
  symptom?: Problem | undefined;
}

/** Runs rows together: refusals in groups, updates in one lane for each user. What does not pass is to be run alone. */
export async function runTogether(target: Target, way: Schedule, entries: readonly ScheduledRow[]): Promise<void> {
  if (way === 'alone' || target.reading === undefined) return;
  if (way === 'lanes') {
    await runLanes(target, entries);
    keepConfirmed(target, entries);
    return;
  }
  for (let at = 0; at < entries.length; at += GROUP) {
    const group = entries.slice(at, at + GROUP);
    await runGroup(target, group);
    keepConfirmed(target, group);
    // Its leftovers must not hide the fault from the runs that follow.
    if (!group.every(({ hasPassed }) => hasPassed)) await renewUsers(target);
  }
}

/** Refusals at once between two readings. If a user changed, nobody can tell which of them changed it. */
async function runGroup(target: Target, entries: readonly ScheduledRow[]): Promise<void> {
  const before = await target.state();
  await Promise.all(entries.map((entry) => runBeside(target, entry, {})));
  const after = await target.state();
  const isKept = ([id, user]: readonly [string, User]): boolean =>
    differences(user, after.get(id), COMPARED_MEMBERS, target.shown.whole).length === 0;
  if (![...before].every(isKept)) for (const entry of entries) entry.hasPassed = false;
  else if (after.size > 0) target.audit.looked.add('update.refused-changes-nothing');
}

/** One lane for each user; each reads its own user alone. */
async function runLanes(target: Target, entries: readonly ScheduledRow[]): Promise<void> {
  const queue = [...entries];
  const runLane = async (lane: string): Promise<void> => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      await runBeside(target, entry, { lane });
      if (!entry.hasPassed) await renewUsers(target, lane);
    }
  };
  await Promise.all(target.ids.map(runLane));
}

/** Runs a row at the same time as others, where it can only pass. If it does not, it runs again alone. */
async function runBeside(target: Target, entry: ScheduledRow, beside: { readonly lane?: string }): Promise<void> {
  const attempt = new Attempt(target, entry.check, beside);
  try {
    await entry.row(attempt);
    entry.hasPassed = attempt.problems.length === 0;
  } catch (error) {
    if (error instanceof Stopped) throw error;
  }
  entry.symptom = attempt.problems.find(isSymptom);
  entry.requests = attempt.exchanges.map(({ request }) => request);
}

/** Of the rows that passed, those have not whose response is the only one to break a requirement. */
function keepConfirmed({ audit }: Target, entries: readonly ScheduledRow[]): void {
  const fine = entries.filter(({ hasPassed }) => hasPassed);
  const own = new Set(fine.flatMap(({ requests }) => requests));
  const isOwn = ({ exchanges }: Problem): boolean => exchanges.some(({ request }) => own.has(request));
  const unconfirmed = audit.conclude((violation) => fine.length === entries.length || isOwn(violation));
  for (const entry of fine) entry.hasPassed = !entry.requests.some((request) => unconfirmed.has(request));
}

/** Every wrong status is a symptom, except those by which a server says that somebody else is at work. */
const isSymptom = ({ aspect, exchanges }: Problem): boolean =>
  (aspect === 'accepted' || aspect === 'status') && !exchanges.some(({ response }) => isBusy(response));
