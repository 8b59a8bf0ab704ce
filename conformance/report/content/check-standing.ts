import { isScored, type CheckResult, type Result } from '../../result/result.ts';
import { decides } from '../../result/verdict.ts';

/**
 * How a check bears on its run: its outcome, except for two kinds that did not pass and yet do not decide. `known-failure`: the
 * baseline lists it. `tolerated`: it failed, but at a level that does not fail this run, or it is not scored.
 */
export type Standing = CheckResult['outcome'] | 'known-failure' | 'tolerated';

/** How a check bears on the run that it was part of. */
export function standingOf(check: CheckResult, { failOn }: Result['selection']): Standing {
  const { outcome, knownFailure } = check;
  if (knownFailure && (outcome === 'failed' || outcome === 'inconclusive')) return 'known-failure';
  return outcome === 'failed' && !decides(check, failOn) ? 'tolerated' : outcome;
}

/** The checks of a result with a given standing. */
export function checksStanding({ checks, selection }: Result, standing: Standing): CheckResult[] {
  return checks.filter((check) => standingOf(check, selection) === standing);
}

/** Why a failure does not fail the run. */
export function toleratedBecause(check: CheckResult): string {
  return isScored(check)
    ? 'a failed `should` does not fail this run'
    : 'this check is newer than the scored set of this contract version';
}

/** A check in one line for formats that have a message for each test: why it failed, or why it is not passed; else nothing. */
export function messageOf(check: CheckResult, selection: Result['selection']): string {
  const { failure, reason, detail } = check;
  const said = failure?.message ?? [reason, detail].filter((part) => part !== undefined).join(': ');
  const words: Readonly<Partial<Record<Standing, string>>> = {
    'known-failure': `known failure: ${failure ? '' : 'inconclusive, '}`,
    tolerated: `failed, but ${toleratedBecause(check)}: `,
    error: 'an error of the suite, not a failure of the target: ',
    inconclusive: 'inconclusive, ',
    'not-applicable': 'not applicable, ',
  };
  return `${words[standingOf(check, selection)] ?? ''}${said}`;
}
