import { hint } from '../../common/nearest.ts';
import type { Result } from '../facts/result.ts';
import { decides, type Item, itemsOf } from '../result/verdict.ts';
import { findingText, quietReport } from './terminal.ts';

/** A check or a run that is not as a test expects. The message is the failure as a report shows it. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}

/** Throws with a stack that begins where `assertion` was called: runners show that line. */
function fail(message: string, assertion: (...values: never[]) => void): never {
  const error = new ConformanceError(message);
  Error.captureStackTrace(error, assertion);
  throw error;
}

/** What failed, as plain text: its title and its findings. */
export function itemText({ id, title, findings }: Item, result: Result): string {
  const own = findings.map((each) => (each.checks.length === 0 ? each : { ...each, checks: [id] }));
  return [title, ...own.map((finding) => findingText(finding, result))].join('\n\n');
}

/**
 * Why the test of a check is to be skipped: for runners in which tests are declared after the run.
 *
 * @returns the reason if the check was inconclusive, was not selected or does not apply; undefined if it passed or failed
 */
export function skipReason(result: Result, id: string): string | undefined {
  const item = itemsOf(result).find((each) => each.id === id);
  const ids = result.checks.map((each) => each.id);
  if (!item) return `${id} was not selected in this run, or does not exist.${hint(id, ids)}`;
  const { outcome, knownFailure, detail = '', reason = '' } = item;
  if (knownFailure) return `known failure (${outcome})`;
  if (outcome === 'failed' && !decides(item, result.selection.failOn))
    return `a ${item.level} that does not fail the run`;
  if (outcome === 'not-applicable') return `not applicable: ${detail}`;
  return outcome === 'inconclusive' ? `inconclusive (${reason}): ${detail}` : undefined;
}

/**
 * The body of a test that stands for one check: returns if the check passed, throws if it failed.
 *
 * What was not observed never passes: with `skip`, the test is skipped; without it, an inconclusive check throws, too. A check that
 * does not apply to the target, a known failure, and a failed `should` unless `failOn` is `should` never throw, as in the command.
 *
 * @param id of the check
 * @param skip skips the running test; receives the reason. It may throw, as vitest's does
 * @throws ConformanceError with expected and actual values, the requests, the fix and the command that shows it again
 * @example
 * test(id, (context) => assertCheck(result, id, (reason) => context.skip(reason)));
 */
export function assertCheck(result: Result, id: string, skip?: (reason: string) => void): void {
  const item = itemsOf(result).find((each) => each.id === id);
  const reason = skipReason(result, id);
  if (reason !== undefined) {
    if (skip) skip(reason);
    else if (!item || (item.outcome === 'inconclusive' && !item.knownFailure)) fail(reason, assertCheck);
  } else if (item?.outcome === 'failed') fail(itemText(item, result), assertCheck);
  else if (item?.outcome === 'error')
    fail(`An error of the suite, not a failure of the target; please report it: ${item.detail ?? ''}`, assertCheck);
}

/**
 * The body of a test that stands for the run as a whole. It fails where tests of single checks do not: too much was inconclusive, a
 * baseline entry does not hold, the run was interrupted.
 *
 * @throws ConformanceError with everything that prevents a pass, unless the verdict is `passed`
 */
export function assertVerdict(result: Result): void {
  if (result.verdict !== 'passed') fail(quietReport(result), assertVerdict);
}
