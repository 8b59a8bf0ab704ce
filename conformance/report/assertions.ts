import { checks as catalogue } from '../checks/catalogue.ts';
import { INPUT_HELP } from '../target/inputs.ts';
import { plain } from './paint.ts';
import { failedCheckReport } from './pretty.ts';
import { hintTexts } from './standing.ts';
import { isScored, type CheckResult, type Result } from '../result/result.ts';
import { hint } from '../../common/nearest.ts';

/** A check, or a run, is not as a test wants it. The message is the failure as the report shows it, and needs no other reading. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}

/** Throws so that the stack begins where `assertion` was called: runners show that line. */
function fail(message: string, assertion: (...values: never[]) => void): never {
  const error = new ConformanceError(message);
  Error.captureStackTrace(error, assertion);
  throw error;
}

const WIDTH = 100;

/** The reason why a check was inconclusive, with the inputs called as `run` calls them. */
function reasonText({ reason = 'deadline', detail = '' }: CheckResult): string {
  const inputs = Object.entries(INPUT_HELP);
  const words = inputs.reduce((text, [name, { variable }]) => text.replaceAll(variable, name), detail);
  return `inconclusive (${reason}): ${words}`;
}

function failureText(result: Result, check: CheckResult): string {
  const requirements = result.requirements.filter(({ id }) => check.requirements.includes(id));
  return `${check.title}\n\n${failedCheckReport(check, requirements, { paint: plain, width: WIDTH })}`;
}

type Conclusion =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly text: string }
  /** Lawful or excused: nothing is wrong, and nothing was shown. */
  | { readonly kind: 'known-failure'; readonly text: string }
  /** It might be wrong: nothing was shown. */
  | { readonly kind: 'unseen'; readonly text: string };

/** @throws TypeError */
function concludeFor(result: Result, id: string): Conclusion {
  const check = result.checks.find((each) => each.id === id);
  if (!check) {
    const known = catalogue.map((each) => each.id);
    if (known.includes(id)) return { kind: 'unseen', text: 'not selected in this run' };
    throw new TypeError(`There is no check ${id}.${hint(id, known)}`);
  }
  const { outcome, knownFailure, detail = '' } = check;
  if (knownFailure) return { kind: 'known-failure', text: `known failure (${outcome})` };
  if (outcome === 'passed') return { kind: 'passed' };
  if (!isScored(check))
    return { kind: 'known-failure', text: `newer than the scored set of this version of the contract (${outcome})` };
  if (outcome === 'not-applicable') return { kind: 'known-failure', text: `not applicable: ${detail}` };
  if (outcome === 'inconclusive') return { kind: 'unseen', text: reasonText(check) };
  const text =
    outcome === 'failed'
      ? failureText(result, check)
      : `a fault of the suite, not of the target; please report it: ${detail}`;
  return { kind: 'failed', text };
}

/**
 * Why the test of a check is to be skipped: for runners in which that is decided when tests are declared, after the run.
 *
 * @param result of the run
 * @param id of the check
 * @returns the reason if the check was inconclusive, was not selected, does not apply to the target, or does not count;
 *   undefined if it passed or failed
 * @throws TypeError if there is no such check
 */
export function skipReason(result: Result, id: string): string | undefined {
  const conclusion = concludeFor(result, id);
  return conclusion.kind === 'known-failure' || conclusion.kind === 'unseen' ? conclusion.text : undefined;
}

/**
 * The body of a test that stands for one check: returns if the check passed, throws if it failed.
 *
 * What was not seen is never taken for passed. With `skip`, the test is skipped; without, a check that was inconclusive or was not
 * selected throws too. Two kinds are nothing to throw for: a check that does not apply to the target (it lawfully lacks what is
 * judged), and one that does not count, since the baseline excuses it or it is newer than the scored set. Whether a broken `should` fails your tests is yours to choose: filter `checks` by `level`.
 *
 * @param result of the run
 * @param id of the check
 * @param skip how this runner skips the test that is under way; told the reason. It may throw, as that of vitest does
 * @throws ConformanceError with the requirement, expected, got, what to mend and a curl line
 * @throws TypeError if there is no such check
 * @example
 * test(id, (context) => assertCheck(result, id, (reason) => context.skip(reason)));
 */
export function assertCheck(result: Result, id: string, skip?: (reason: string) => void): void {
  const conclusion = concludeFor(result, id);
  if (conclusion.kind === 'passed') return;
  if (conclusion.kind === 'failed') fail(conclusion.text, assertCheck);
  if (skip) skip(conclusion.text);
  else if (conclusion.kind === 'unseen') fail(conclusion.text, assertCheck);
}

/** Ids under what they have in common, so that a text is said once. */
function grouped(checks: readonly CheckResult[], text: (check: CheckResult) => string): string[] {
  const texts = [...new Set(checks.map(text))];
  return texts.map((each) => {
    const ids = checks.filter((check) => text(check) === each).map(({ id }) => id);
    return `  ${each}\n    ${ids.join(', ')}`;
  });
}

/** @returns undefined if the verdict is `passed` */
function verdictProblem(result: Result): string | undefined {
  const { verdict, checks, selection, summary } = result;
  if (verdict === 'passed') return undefined;
  const counted = checks.filter((check) => isScored(check) && !check.knownFailure);
  const decisive = counted.filter(({ level }) => level === 'must' || selection.failOn === 'should');
  const failed = decisive.filter(({ outcome }) => outcome === 'failed');
  const unseen = counted.filter(({ level, outcome }) => level === 'must' && outcome === 'inconclusive');
  const faults = checks.filter(({ outcome }) => outcome === 'error');
  return [
    `The verdict is ${verdict}.`,
    ...hintTexts(result).map((text) => `  hint: ${text}`),
    ...grouped(faults, ({ detail = '' }) => `fault of the suite: ${detail}`),
    ...grouped(failed, () => 'failed:'),
    ...summary.baselineProblems.map(({ kind, message }) => `  baseline, ${kind}: ${message}`),
    ...grouped(unseen, reasonText),
  ].join('\n');
}

/**
 * The body of a test that stands for the run as a whole. Tests of single checks do not see what it sees: that too little could
 * run for a verdict, that a baseline entry does not hold any more, that the run was interrupted.
 *
 * @param result of the run
 * @throws ConformanceError unless the verdict is `passed`, with what stands in its way
 */
export function assertVerdict(result: Result): void {
  const problem = verdictProblem(result);
  if (problem !== undefined) fail(problem, assertVerdict);
}
