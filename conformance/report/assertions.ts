import { checks as catalogue } from '../checks/catalogue.ts';
import { INPUT_HELP } from '../resources/inputs.ts';
import { isScored, type CheckResult, type Result } from '../result/result.ts';
import { preventsPass } from '../result/verdict.ts';
import { hint } from '../../common/nearest.ts';
import { apartFromFindings } from './content/check-standing.ts';
import { headlineOf } from './content/headline.ts';
import { plainFailure } from './terminal/plain.ts';
import { groupedBy } from '../../common/text.ts';

/** A check or a run that is not as a test expects. The message is the failure as the report shows it. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}

/** Throws with a stack that begins where `assertion` was called: runners show that line. */
function fail(message: string, assertion: (...values: never[]) => void): never {
  const error = new ConformanceError(message);
  Error.captureStackTrace(error, assertion);
  throw error;
}

/** Why a check was inconclusive, with the inputs under the names that `run` has for them. */
function reasonText({ reason = 'deadline', detail = '' }: CheckResult): string {
  const inputs = Object.entries(INPUT_HELP);
  const words = inputs.reduce((text, [name, { variable }]) => text.replaceAll(variable, name), detail);
  return `inconclusive (${reason}): ${words}`;
}

/** `exempt`: a known failure, not applicable, or not scored. `unseen`: not observed, so the target may be wrong there. */
type Conclusion = readonly [kind: 'passed' | 'failed' | 'exempt' | 'unseen', text: string];

/** @throws TypeError */
function concludeFor(result: Result, id: string): Conclusion {
  const check = result.checks.find((each) => each.id === id);
  if (!check) {
    const known = catalogue.map((each) => each.id);
    if (known.includes(id)) return ['unseen', 'not selected in this run'];
    throw new TypeError(`There is no check ${id}.${hint(id, known)}`);
  }
  const { outcome, knownFailure, detail = '' } = check;
  if (knownFailure) return ['exempt', `known failure (${outcome})`];
  if (outcome === 'passed') return ['passed', ''];
  if (!isScored(check)) return ['exempt', `newer than the scored set of this version of the contract (${outcome})`];
  if (outcome === 'not-applicable') return ['exempt', `not applicable: ${detail}`];
  if (outcome === 'inconclusive') return ['unseen', reasonText(check)];
  const text =
    outcome === 'failed'
      ? plainFailure(check, result)
      : `an error of the suite, not a failure of the target; please report it: ${detail}`;
  return ['failed', text];
}

/**
 * Why the test of a check is to be skipped: for runners in which tests are declared after the run.
 *
 * @param result of the run
 * @param id of the check
 * @returns the reason if the check was inconclusive, was not selected, does not apply to the target, or does not count;
 *   undefined if it passed or failed
 * @throws TypeError if there is no such check
 */
export function skipReason(result: Result, id: string): string | undefined {
  const [kind, text] = concludeFor(result, id);
  return kind === 'exempt' || kind === 'unseen' ? text : undefined;
}

/**
 * The body of a test that stands for one check: returns if the check passed, throws if it failed.
 *
 * What was not observed never passes. With `skip`, the test is skipped; without it, a check that was inconclusive or was not
 * selected throws too. Two kinds never throw: a check that does not apply to the target (which may lack what is judged), and one
 * that does not count, because it is a known failure or newer than the scored set. Whether a failed `should` fails your tests is
 * your choice: filter `checks` by `level`.
 *
 * @param result of the run
 * @param id of the check
 * @param skip skips the running test; receives the reason. It may throw, as vitest's does
 * @throws ConformanceError with the requirement, expected and actual values, the exchanges, the fix and curl lines
 * @throws TypeError if there is no such check
 * @example
 * test(id, (context) => assertCheck(result, id, (reason) => context.skip(reason)));
 */
export function assertCheck(result: Result, id: string, skip?: (reason: string) => void): void {
  const [kind, text] = concludeFor(result, id);
  if (kind === 'passed') return;
  if (kind === 'failed') fail(text, assertCheck);
  if (skip) skip(text);
  else if (kind === 'unseen') fail(text, assertCheck);
}

/** The ids of checks under the text that they have in common. */
function grouped(checks: readonly CheckResult[], text: (check: CheckResult) => string): string[] {
  return groupedBy(checks, text).map(([each, group]) => `  ${each}\n    ${group.map(({ id }) => id).join(', ')}`);
}

/**
 * The body of a test that stands for the run as a whole. It fails where tests of single checks do not: too much was
 * inconclusive, a baseline entry no longer holds, the run was interrupted.
 *
 * @param result of the run
 * @throws ConformanceError with everything that prevents a pass, unless the verdict is `passed`
 */
export function assertVerdict(result: Result): void {
  const { verdict, checks, findings, selection, summary } = result;
  if (verdict === 'passed') return;
  const obstacles = checks.filter((check) => preventsPass(check, selection.failOn));
  const of = (outcome: CheckResult['outcome'], among = obstacles): CheckResult[] =>
    among.filter((check) => check.outcome === outcome);
  const titleOf = ({ id }: CheckResult): string => findings.find((each) => each.checks.includes(id))?.title ?? '';
  const lines = [
    `The verdict is ${verdict}.`,
    ...headlineOf(result).hints.map((text) => `  hint: ${text}`),
    ...grouped(of('error', [...checks]), ({ detail = '' }) => `error of the suite: ${detail}`),
    ...grouped(of('failed'), (check) => `failed: ${titleOf(check)}`.trimEnd()),
    ...summary.baselineProblems.map(({ kind, message }) => `  baseline, ${kind}: ${message}`),
    ...grouped(apartFromFindings(of('inconclusive'), result), reasonText),
  ];
  fail(lines.join('\n'), assertVerdict);
}
