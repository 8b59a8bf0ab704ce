import { runBeside } from './alone.ts';
import { type Check, type Row, rowsOf, type Way } from './check.ts';
import type { Read } from './context.ts';
import { On } from './on.ts';
import type { Problem } from './outcome.ts';
import { renewUsers } from './renew.ts';
import type { State, Target } from './target.ts';

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

interface Run {
  readonly entry: Entry;
  readonly on: On;
}

/** The name of a row: its check and its number. */
export const keyOf = ({ id }: Check, index: number): string => `${id} ${index}`;

/** What came of rows that ran at the same time. */
export interface Together {
  /** The keys of the rows that passed; rows that run together can do nothing else. */
  readonly passed: ReadonlySet<string>;
  /** Wrong statuses under concurrent requests, by the key of the row: a symptom, if the row passes alone. */
  readonly symptoms: ReadonlyMap<string, Problem>;
}

/** Runs the rows of some checks together: refusals in groups, updates in one lane for each user. */
export async function runTogether(target: Target, way: Way, checks: readonly Check[]): Promise<Together> {
  const symptoms = new Map<string, Problem>();
  if (way === 'alone' || target.reading === undefined) return { passed: new Set(), symptoms };
  const entries = checks.flatMap((check): Entry[] =>
    rowsOf(check, new On(target, check)).map((row, index) => ({ check, key: keyOf(check, index), row })),
  );
  const note = ({ entry, on }: Run): void => {
    const wrong = on.problems.find(isSymptom);
    if (wrong) symptoms.set(entry.key, wrong);
  };
  const passed = await (way === 'group' ? runGroups(target, entries, note) : runLanes(target, entries, note));
  return { passed: new Set(passed.map(({ key }) => key)), symptoms };
}

/** Every wrong status is a symptom, except those by which a server says that somebody else is at work. */
const isSymptom = ({ aspect, exchanges }: Problem): boolean =>
  (aspect === 'accepted' || aspect === 'status') &&
  !exchanges.some(({ response }) => SOMEBODY_AT_WORK.includes(response.status));

const isFine = ({ on }: Run): boolean => on.problems.length === 0 && !on.isInconclusive;

/** Refusals, up to eight at once between two readings. */
async function runGroups(target: Target, entries: readonly Entry[], note: (run: Run) => void): Promise<Entry[]> {
  const passed: Entry[] = [];
  for (let at = 0; at < entries.length && !target.isHanging; at += GROUP) {
    const group = entries.slice(at, at + GROUP);
    const shared = sharedReading(target, group.length);
    const runs = group.map((entry, index): Run => {
      return { entry, on: new On(target, entry.check, { read: shared.read(index), id: target.inputs.userId }) };
    });
    const ends = runs.map(({ entry, on }, index) => runBeside(entry.row, on).finally(() => shared.leave(index)));
    await Promise.all(ends);
    runs.forEach(note);
    const fine = runs.filter(isFine);
    passed.push(...certain(target, fine, fine.length === runs.length));
    // Its leftovers must not hide the fault from the runs that follow.
    if (fine.length < runs.length) await renewUsers(target);
  }
  return passed;
}

/** One lane for each user; each reads its own user alone. */
async function runLanes(target: Target, entries: readonly Entry[], note: (run: Run) => void): Promise<Entry[]> {
  const fine: Run[] = [];
  const queue = [...entries];
  const lane = async (id: string): Promise<void> => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      const on = new On(target, entry.check, { read: () => target.stateOf(id), id });
      await runBeside(entry.row, on);
      note({ entry, on });
      if (isFine({ entry, on })) fine.push({ entry, on });
      else await renewUsers(target, [id]);
    }
  };
  await Promise.all(target.ids.map(lane));
  return certain(target, fine, fine.length === entries.length);
}

/** Those that passed, unless one of their responses is the only one to break a requirement. */
function certain(target: Target, fine: readonly Run[], isAll: boolean): Entry[] {
  const own = new Set(fine.flatMap(({ on }) => on.exchanges.map(({ request }) => request)));
  const unconfirmed = target.audit.conclude(({ exchange }) => isAll || own.has(exchange.request));
  const requests = new Set([...unconfirmed].map(({ request }) => request));
  return fine.filter(({ on }) => !on.exchanges.some(({ request }) => requests.has(request))).map(({ entry }) => entry);
}

interface SharedReading {
  /** How one of the group reads: the same before for all, and one reading after all of them. */
  readonly read: (index: number) => Read;
  /** Call it when a row of the group has ended. */
  readonly leave: (index: number) => void;
}

/** Readings for a group: one before it is sent, one when all of it was sent or has ended. */
function sharedReading(target: Target, size: number): SharedReading {
  const waiting = new Set(Array.from({ length: size }, (_each, index) => index));
  const before = target.state();
  let open: () => void = () => undefined;
  const after = new Promise<void>((resolve) => (open = resolve)).then((): Promise<State> => target.state());
  // Nobody waits for it if all rows give up.
  after.catch(() => undefined);
  const leave = (index: number): void => {
    waiting.delete(index);
    if (waiting.size === 0) open();
  };
  const read = (index: number): Read => {
    let reads = 0;
    return () => {
      reads += 1;
      if (reads === 1) return before;
      leave(index);
      return after;
    };
  };
  return { read, leave };
}
