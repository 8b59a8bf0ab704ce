import { shortened } from '../../common/text.ts';
import { ABSENT, NOT_SHOWN } from '../http/exchange.ts';
import { isScored, type CheckResult, type Result } from '../result/result.ts';
import { EXIT_CODES, type Verdict } from '../result/verdict.ts';

/**
 * How a check bears on the run. As its outcome, but for two that did not pass and yet do not decide: what the baseline
 * excuses, and a failure at a level that does not fail this run or of a check that is not scored.
 */
export type Standing = CheckResult['outcome'] | 'known-failure' | 'tolerated';

/** How a check bears on the run that it was part of. */
export function standingOf(check: CheckResult, { failOn }: Result['selection']): Standing {
  const { outcome, knownFailure, level } = check;
  if (knownFailure && (outcome === 'failed' || outcome === 'inconclusive')) return 'known-failure';
  const decides = isScored(check) && (level === 'must' || failOn === 'should');
  return outcome === 'failed' && !decides ? 'tolerated' : outcome;
}

/** The checks of a result with a given standing. */
export function checksStanding({ checks, selection }: Result, standing: Standing): CheckResult[] {
  return checks.filter((check) => standingOf(check, selection) === standing);
}

/** Why a failure does not fail the run. */
export function toleratedBecause(check: CheckResult): string {
  return isScored(check)
    ? 'a broken "should" does not fail this run'
    : 'this check is newer than the scored set of this contract version';
}

/** What each exit code means. */
export const EXIT_WORDS: Readonly<Record<Verdict, string>> = {
  passed: 'every must that was selected was seen to hold, or is known failure',
  failed: 'a sentence that decides is broken, or an entry of the baseline no longer fits',
  inconclusive: 'nothing failed, but some must could not be seen',
  error: 'a fault of the suite itself; it says nothing of the target',
  interrupted: 'the run was stopped before its end',
};

/** "exit code 1: some sentence …" */
export function exitLine({ verdict }: Result): string {
  return `exit code ${EXIT_CODES[verdict]}: ${EXIT_WORDS[verdict]}`;
}

/** The path of an address, or the whole where it is none. */
export function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

/** The last exchanges of a check: those that show the failure. */
export function decisiveExchanges({ exchanges }: CheckResult): CheckResult['exchanges'] {
  return exchanges.slice(-2);
}

const MOST_HINTS = 3;

/** What to look at before anything else, the likeliest first: where the address or a key is wrong, all that follows says little. */
export function hintTexts({ hints = [] }: Result): string[] {
  return hints.slice(0, MOST_HINTS).map(({ text }) => text);
}

/** Whether a value says that there is none. */
export function isStandIn(value: unknown): boolean {
  return value === ABSENT || value === NOT_SHOWN;
}

/** An expected or got value: as JSON where it stands in a body, a sentence of the suite as it is. */
export function valueText(value: unknown, pointer: string | undefined): string {
  const isSentence = typeof value === 'string' && (pointer === undefined || pointer === '' || isStandIn(value));
  return shortened(isSentence ? value : JSON.stringify(value ?? null));
}
