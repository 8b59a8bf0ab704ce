import { isBusy } from '../http/exchange.ts';
import type { Check, Row, Way } from './check.ts';
import { differences, KEPT } from './compare.ts';
import { On } from './on.ts';
import { type Problem, Stopped } from './outcome.ts';
import { renewUsers } from './renew.ts';
import type { Target } from './target.ts';

/** How many refusals are sent at once. */
const GROUP = 8;

/** One row of a check, and what came of it at the same time as others. */
export interface Entry {
  readonly check: Check;
  readonly row: Row;
  /** Whether it passed; rows that run together can do nothing else. */
  hasPassed: boolean;
  /** A wrong status: a symptom, if the row passes alone. */
  symptom?: Problem | undefined;
}

/** An entry that ran at the same time as others. */
interface Run {
  readonly entry: Entry;
  readonly on: On;
  readonly isFine: boolean;
}

/** Runs rows together: refusals in groups, updates in one lane for each user. What does not pass is to be run alone. */
export async function runTogether(target: Target, way: Way, entries: readonly Entry[]): Promise<void> {
  if (way === 'alone' || target.reading === undefined) return;
  if (way === 'lanes') {
    note(target, await runLanes(target, entries));
    return;
  }
  for (let at = 0; at < entries.length; at += GROUP) {
    const runs = await runGroup(target, entries.slice(at, at + GROUP));
    note(target, runs);
    // Its leftovers must not hide the fault from the runs that follow.
    if (!runs.every(({ isFine }) => isFine)) await renewUsers(target);
  }
}

/** Refusals at once between two readings. If a user changed, nobody can tell which of them changed it. */
async function runGroup(target: Target, entries: readonly Entry[]): Promise<Run[]> {
  const before = await target.state();
  const runs = await Promise.all(entries.map((entry) => runBeside(target, entry, {})));
  const after = await target.state();
  const isKept = [...before].every(
    ([id, user]) => differences(user, after.get(id), KEPT, target.shown.whole).length === 0,
  );
  if (isKept && after.size > 0) target.audit.looked.add('update.refused-changes-nothing');
  return isKept ? runs : runs.map((run) => ({ ...run, isFine: false }));
}

/** One lane for each user; each reads its own user alone. */
async function runLanes(target: Target, entries: readonly Entry[]): Promise<Run[]> {
  const [runs, queue]: [Run[], Entry[]] = [[], [...entries]];
  const runLane = async (lane: string): Promise<void> => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      const run = await runBeside(target, entry, { lane });
      runs.push(run);
      if (!run.isFine) await renewUsers(target, lane);
    }
  };
  await Promise.all(target.ids.map(runLane));
  return runs;
}

/** Runs a row at the same time as others, where it can only pass. If it does not, it runs again alone. */
async function runBeside(target: Target, entry: Entry, beside: { readonly lane?: string }): Promise<Run> {
  const on = new On(target, entry.check, beside);
  try {
    await entry.row(on);
    return { entry, on, isFine: on.problems.length === 0 };
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return { entry, on, isFine: false };
  }
}

/** Notes the symptoms, and the rows that passed, unless one of their responses is the only one to break a requirement. */
function note({ audit }: Target, runs: readonly Run[]): void {
  const fine = runs.filter(({ isFine }) => isFine);
  const own = new Set(fine.flatMap(({ on }) => on.exchanges.map(({ request }) => request)));
  const isOwn = ({ exchanges }: Problem): boolean => exchanges.some(({ request }) => own.has(request));
  const unconfirmed = audit.conclude((violation) => fine.length === runs.length || isOwn(violation));
  for (const { entry, on, isFine } of runs) {
    entry.symptom = on.problems.find(isSymptom);
    entry.hasPassed = isFine && !on.exchanges.some(({ request }) => unconfirmed.has(request));
  }
}

/** Every wrong status is a symptom, except those by which a server says that somebody else is at work. */
const isSymptom = ({ aspect, exchanges }: Problem): boolean =>
  (aspect === 'accepted' || aspect === 'status') && !exchanges.some(({ response }) => isBusy(response));
