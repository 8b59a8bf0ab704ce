import { counted, groupedBy } from '../../common/text.ts';
import { isScored, type CheckResult, type Result } from '../result/result.ts';
import type { Verdict } from '../result/verdict.ts';
import type { Paint } from './paint.ts';
import { isPartial } from './scope.ts';

/** The word and the sentence with which a report of each verdict begins. */
export const HEADLINES: Readonly<Record<Verdict, { label: string; style: Parameters<Paint>[0]; words: string }>> = {
  passed: { label: ' PASSED ', style: ['bgGreen', 'black', 'bold'], words: 'The target keeps the contract.' },
  failed: { label: ' FAILED ', style: ['bgRed', 'white', 'bold'], words: 'The target breaks the contract.' },
  inconclusive: {
    label: ' INCONCLUSIVE ',
    style: ['bgYellow', 'black', 'bold'],
    words: 'Nothing failed, but not every binding sentence could be judged.',
  },
  interrupted: {
    label: ' INTERRUPTED ',
    style: ['bgYellow', 'black', 'bold'],
    words: 'The run was stopped before its end.',
  },
  error: {
    label: ' FAULT OF THE SUITE ',
    style: ['bgMagenta', 'white', 'bold'],
    words: 'The suite itself went wrong. This says nothing of the target; please report it.',
  },
};

/** The verdict in words; what was excused or left out belongs to it. */
export function verdictWords({ verdict, summary, checks, selection }: Result, words: string): string {
  const failedMore = checks.some((check) => isScored(check) && check.outcome === 'failed' && !check.knownFailure);
  if (verdict === 'failed' && summary.baselineProblems.length > 0 && !failedMore)
    return 'The baseline no longer fits; see below.';
  const excused = summary.must.knownFailure + summary.should.knownFailure;
  if (verdict !== 'passed' || (excused === 0 && !isPartial(selection))) return words;
  const kept = isPartial(selection) ? 'What was judged is kept' : words.replace(/\.$/, '');
  return excused > 0 ? `${kept}, apart from ${counted(excused, 'check')} that the baseline excuses.` : `${kept}.`;
}

/** Checks without a verdict by what kept them from one; those that lack an input are one group, whichever they lack. */
export function groupedByReason(checks: readonly CheckResult[]): CheckResult[][] {
  const keyOf = ({ reason, detail = '' }: CheckResult): string =>
    reason === 'missing-input' ? reason : `${reason ?? ''}\n${detail}`;
  return groupedBy(checks, keyOf).map(([, group]) => group);
}

/** Each input that is missing, once, with how many checks wait for it. */
export function missingInputLines(group: readonly CheckResult[]): string[] {
  const named = group.flatMap(({ detail = '' }) => detail.match(/CONFORMANCE_[A-Z_]+ \([^)]*\)/g) ?? []);
  return groupedBy(named, (text) => text).map(([text, { length }]) => `${text}: ${counted(length, 'check')}`);
}
