import type { Check, Row } from './check.ts';
import { isAsGrave, type Ledger } from './ledger.ts';
import { On } from './on.ts';
import { Inconclusive, NotApplicable, type Problem, Stopped } from './outcome.ts';
import { renewUsers } from './renew.ts';
import { isDisturbance, type Target } from './target.ts';

/** What a row showed: problems, why it is inconclusive, or that it does not apply; nothing if it passed. */
export interface Attempt {
  readonly problems: readonly Problem[];
  readonly unclear?: Inconclusive | NotApplicable | undefined;
}

/** How often a row is run in search of a run without a disturbance. */
const TRIES = 4;

/** The share of a run's requests that may be disturbed. Beyond it, nobody can tell the target's faults from the network's. */
const TURMOIL = 1 / 8;

/** Runs a row alone. What it finds counts only if a second run, after the users got new values, finds it again. */
export async function judgeRow(target: Target, check: Check, row: Row, ledger: Ledger): Promise<Attempt> {
  const first = await attempt(target, check, row);
  if (first.problems.length === 0) return first;
  const repeated = first.problems.filter(({ seen }) => seen !== undefined && seen.times > 1);
  if (repeated.length > 0) return { problems: repeated };
  await renewUsers(target);
  const second = await attempt(target, check, row);
  await renewUsers(target);
  const isLasting = ({ absent }: Problem): boolean => absent === undefined || !target.shown.sometimes.has(absent);
  const before = first.problems.filter(isLasting);
  const again = second.problems
    .filter(isLasting)
    .filter(({ requirement }) => before.some((each) => each.requirement === requirement));
  if (again.length > 0) return { problems: again };
  const [once = second.problems.find(isLasting)] = before;
  if (!once) return { problems: [] };
  ledger.noteUnsteady(before[0]);
  ledger.noteUnsteady(second.problems.find(isLasting));
  return { problems: [], unclear: new Inconclusive('unsteady', `Once, and not again: ${once.title}`) };
}

/** Runs a row alone, and again as long as a disturbance may explain what it finds. */
async function attempt(target: Target, check: Check, row: Row): Promise<Attempt> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { disturbed } = target;
    const on = new On(target, check);
    let unclear = await runRow(row, on);
    target.stopForOtherClient();
    const { problems } = on;
    const unconfirmed = target.audit.conclude((each) => !problems.some((problem) => isAsGrave(problem, each)));
    // Provokes a response that broke something once more.
    if (tries === 0 && unconfirmed.size > 0) continue;
    if (problems.length > 0 && problems.every(isLimited))
      return {
        problems: [],
        unclear: new Inconclusive('disturbed', 'The target asked for a pause (429) at each try.'),
      };
    if (problems.length > 0 && (target.disturbed !== disturbed || isTurmoil(target, problems))) continue;
    if (problems.length === 0 && target.reading === undefined && !check.standalone)
      unclear ??= new Inconclusive('no-reading', 'No request shows the users without changing them.');
    return { problems, unclear };
  }
  const why = `Lost connections, or 429, 502, 503, 504, at each of ${TRIES} tries.`;
  return { problems: [], unclear: new Inconclusive('disturbed', why) };
}

async function runRow(row: Row, on: On): Promise<Attempt['unclear']> {
  try {
    await row(on);
    return undefined;
  } catch (error) {
    if (error instanceof Inconclusive || error instanceof NotApplicable) return error;
    throw error;
  }
}

/** Whether a target only asks for a pause. The source says nothing of limits, so this is never a fault. */
const isLimited = ({ exchanges }: Problem): boolean => exchanges.at(-1)?.response.status === 429;

/** Whether problems come from disturbances, and these are too many to tell the target's from the network's. */
function isTurmoil({ disturbances, requests }: Target, problems: readonly Problem[]): boolean {
  const isDisturbed = ({ exchanges }: Problem): boolean => exchanges.some(({ response }) => isDisturbance(response));
  return disturbances > requests * TURMOIL && problems.every(isDisturbed);
}

/** Runs a row at the same time as others, where it can only pass. If it does not, it runs again alone. */
export async function runBeside(row: Row, on: On): Promise<void> {
  try {
    await row(on);
  } catch (error) {
    if (error instanceof Stopped) throw error;
    on.isInconclusive = true;
  }
}
