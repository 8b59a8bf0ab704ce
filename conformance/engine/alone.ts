import { type Check, isAsGrave, type Row } from './check.ts';
import { Attempt } from './attempt.ts';
import { Inconclusive, isDisturbed, NotApplicable, type Problem } from '../facts/outcome.ts';
import { renewUsers } from '../users/renew.ts';
import type { Target } from '../users/target.ts';

/** What a row showed: problems, why it is inconclusive, or that it does not apply; nothing if it passed. */
export interface RowResult {
  readonly problems: readonly Problem[];
  /** What showed once and not again. */
  readonly unsteady: readonly Problem[];
  readonly unclear?: Inconclusive | NotApplicable | undefined;
}

/** How often a row is run in search of a run without a disturbance. */
const TRIES = 4;

/** The share of a run's requests that may be disturbed. Beyond it, nobody can tell the target's faults from the network's. */
const TURMOIL = 1 / 8;

/** Runs a row alone. What it finds counts only if a second run, after the users got new values, finds it again. */
export async function judgeRow(target: Target, check: Check, row: Row): Promise<RowResult> {
  const first = await tryRow(target, check, row);
  if (first.problems.length === 0) return first;
  const repeated = first.problems.filter(({ seen }) => seen !== undefined && seen.times > 1);
  if (repeated.length > 0) return { problems: repeated, unsteady: [] };
  await renewUsers(target);
  const second = await tryRow(target, check, row);
  await renewUsers(target);
  const isLasting = ({ absent }: Problem): boolean => absent === undefined || !target.shown.sometimes.has(absent);
  const [before, after] = [first.problems.filter(isLasting), second.problems.filter(isLasting)];
  const again = after.filter(({ requirement }) => before.some((each) => each.requirement === requirement));
  return { problems: again, unsteady: again.length > 0 ? [] : [...before.slice(0, 1), ...after.slice(0, 1)] };
}

/** Runs a row alone, and again as long as a disturbance may explain what it finds. */
async function tryRow(target: Target, check: Check, row: Row): Promise<RowResult> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { disturbances } = target;
    const attempt = new Attempt(target, check);
    let unclear = await row(attempt).then(() => undefined, whyUnclear);
    target.stopForOtherClient();
    const { problems } = attempt;
    const unconfirmed = target.audit.conclude((each) => !problems.some((problem) => isAsGrave(problem, each)));
    // Provokes a response that broke something once more.
    if (tries === 0 && unconfirmed.size > 0) continue;
    if (problems.length > 0 && problems.every(isLimited))
      return undecided('The target asked for a pause (429) at each try.');
    if (problems.length > 0 && (target.disturbances !== disturbances || isTurmoil(target, problems))) continue;
    if (problems.length === 0 && target.reading === undefined && !check.standalone)
      unclear ??= new Inconclusive('no-reading', 'No request shows the users without changing them.');
    return { problems, unsteady: [], unclear };
  }
  return undecided(`Lost connections, or 429, 502, 503, 504, at each of ${TRIES} tries.`);
}

function undecided(why: string): RowResult {
  return { problems: [], unsteady: [], unclear: new Inconclusive('disturbed', why) };
}

function whyUnclear(error: unknown): RowResult['unclear'] {
  if (error instanceof Inconclusive || error instanceof NotApplicable) return error;
  throw error;
}

/** Whether a target only asks for a pause. The source says nothing of limits, so this is never a fault. */
const isLimited = ({ exchanges }: Problem): boolean => exchanges.at(-1)?.response.status === 429;

/** Whether problems come from disturbances, and these are too many to tell the target's from the network's. */
function isTurmoil({ disturbances, log }: Target, problems: readonly Problem[]): boolean {
  return disturbances > log.length * TURMOIL && problems.every(isDisturbed);
}
