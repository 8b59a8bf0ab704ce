import { type Check, type Row, rowsOf, type Way } from './check.ts';
import { differences, KEPT } from './compare.ts';
import { On } from './on.ts';
import { type Problem, Stopped } from './outcome.ts';
import { renewUsers } from './renew.ts';
import type { Beside } from './running.ts';
import type { Target } from './target.ts';

/** How many refusals are sent at once. */
const GROUP = 8;
/** The statuses by which a server says that somebody else is at work. */
const SOMEBODY_AT_WORK = [409, 423];

/** One row of a check. */
interface Entry {
  readonly check: Check;
  readonly key: string;
  readonly row: Row;
}

/** A row that was run beside others, and whether it passed, which is all that it can do. */
interface Run {
  readonly entry: Entry;
  readonly on: On;
  readonly isFine: boolean;
}

/** What came of rows that were run beside others. */
export interface Together {
  /** The keys of the rows that passed. */
  readonly passed: Set<string>;
  /** A wrong status that was seen beside other requests, by the key of the row: a symptom, if the row passes alone. */
  readonly symptoms: Map<string, Problem>;
}

/** What names a row: the check and its place. */
export const keyOf = ({ id }: Check, index: number): string => `${id} ${index}`;

/** Runs the rows of some checks together: refusals in groups, updates in one lane for each user. */
export async function runTogether(target: Target, way: Way, checks: readonly Check[]): Promise<Together> {
  const together: Together = { passed: new Set(), symptoms: new Map() };
  if (way === 'alone' || target.reading === undefined) return together;
  const entries = checks.flatMap((check): Entry[] =>
    rowsOf(check, new On(target, check)).map((row, index) => ({ check, key: keyOf(check, index), row })),
  );
  if (way === 'lanes') note(target, await runLanes(target, entries), together);
  for (let at = 0; way === 'group' && at < entries.length; at += GROUP) {
    const runs = await runGroup(target, entries.slice(at, at + GROUP));
    note(target, runs, together);
    // What it left behind must not hide the fault from the runs that follow.
    if (!runs.every(({ isFine }) => isFine)) await renewUsers(target);
  }
  return together;
}

/** Refusals at once between two readings. If a user changed, nobody can tell which of them changed it. */
async function runGroup(target: Target, entries: readonly Entry[]): Promise<Run[]> {
  const before = await target.state();
  const runs = await Promise.all(entries.map((entry) => runBeside(target, entry, {})));
  const after = await target.state();
  const isKept = [...before].every(
    ([id, user]) => differences(user, after.get(id), KEPT, target.shown.whole).length === 0,
  );
  if (isKept && after.size > 0) target.observed.add('update.refused-changes-nothing');
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

/** Runs a row beside others. What makes it inconclusive, or fails, is looked at when it runs alone. */
async function runBeside(target: Target, entry: Entry, beside: Beside): Promise<Run> {
  const on = new On(target, entry.check, beside);
  try {
    await entry.row(on);
    return { entry, on, isFine: on.problems.length === 0 };
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return { entry, on, isFine: false };
  }
}

/** Notes the rows that passed and whose responses broke nothing that no other response did, and the symptoms of all. */
function note({ audit }: Target, runs: readonly Run[], { passed, symptoms }: Together): void {
  const fine = runs.filter(({ isFine }) => isFine);
  const own = new Set(fine.flatMap(({ on }) => on.exchanges.map(({ request }) => request)));
  const unconfirmed = audit.conclude(({ exchange }) => fine.length === runs.length || own.has(exchange.request));
  for (const { entry, on, isFine } of runs) {
    const wrong = on.problems.find(isSymptom);
    if (wrong) symptoms.set(entry.key, wrong);
    if (isFine && !on.exchanges.some(({ request }) => unconfirmed.has(request))) passed.add(entry.key);
  }
}

/** A wrong status is a symptom wherever it is seen, but for those by which a server says that others are at work. */
const isSymptom = ({ aspect, exchanges }: Problem): boolean =>
  (aspect === 'accepted' || aspect === 'status') &&
  !exchanges.some(({ response }) => SOMEBODY_AT_WORK.includes(response.status));
