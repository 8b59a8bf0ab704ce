import type { Verdict } from './verdict.ts';
import type { Again, Finding, Result } from './result.ts';

/** What of an earlier finding is needed to look for it again. */
export type EarlierFinding = Pick<Finding, 'id' | 'level' | 'requirement' | 'title' | 'checks' | 'sporadic'>;

/** Each outcome in words, and what it means for the verdict. */
export const AGAIN: Readonly<Record<Again['outcome'], { readonly words: string; readonly verdict: Verdict }>> = {
  'still-there': { words: 'still there', verdict: 'failed' },
  'not-seen-again': { words: 'not seen again', verdict: 'inconclusive' },
  fixed: { words: 'fixed', verdict: 'passed' },
};

/**
 * What became of earlier findings. A finding is still there if one has its id, or if one of its checks fails for a finding that
 * was not there before under another name; it is fixed if all its checks were seen to hold, unless it came now and then: requests that do
 * not meet it prove nothing.
 *
 * @param requestsFor how many requests were sent in which a finding might show
 */
export function comparedAgain(
  earlier: readonly EarlierFinding[],
  { checks, findings }: Pick<Result, 'checks' | 'findings'>,
  requestsFor: (finding: EarlierFinding) => number,
): Again[] {
  const outcomes = new Map(checks.map(({ id, outcome }) => [id, outcome]));
  const isOther = (id: string, own: string): boolean => id !== own && earlier.some((each) => each.id === id);
  return earlier.map((finding) => {
    const { id, level, title, checks: own, sporadic } = finding;
    const there =
      findings.find((now) => now.id === id) ??
      findings.find((now) => !isOther(now.id, id) && now.checks.some((check) => own.includes(check)));
    const hold = own.every((check) => ['passed', 'not-applicable'].includes(outcomes.get(check) ?? ''));
    const outcome = there ? 'still-there' : hold && sporadic !== true ? 'fixed' : 'not-seen-again';
    const isSporadic = sporadic === undefined ? {} : { sporadic };
    return { id, level, title: there?.title ?? title, outcome, ...isSporadic, requests: requestsFor(finding) };
  });
}
