import { isScored, type CheckResult, type Finding, type Result } from '../../result/result.ts';
import { decides } from '../../result/verdict.ts';

/**
 * How a check bears on its run: its outcome, except for two kinds that did not pass and yet do not decide. `known-failure`: the
 * baseline lists it. `tolerated`: it failed, but at a level that does not fail this run, or it is not scored.
 */
export type Standing = CheckResult['outcome'] | 'known-failure' | 'tolerated';

/** How a finding bears on its run. */
export type FindingStanding = Extract<Standing, 'failed' | 'tolerated' | 'known-failure'>;

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

/** How a finding bears on its run: it decides if one of its checks does, or if it was looked for and is still there. */
function standingOfFinding(finding: Finding, result: Result): FindingStanding {
  if (finding.knownFailure) return 'known-failure';
  if (result.again?.some(({ id, outcome }) => id === finding.id && outcome === 'still-there') === true) return 'failed';
  return checksStanding(result, 'failed').some(({ id }) => finding.checks.includes(id)) ? 'failed' : 'tolerated';
}

/** The findings of a result with a given standing, in its order. */
export function findingsStanding(result: Result, standing: FindingStanding): Finding[] {
  return result.findings.filter((finding) => standingOfFinding(finding, result) === standing);
}

/** Whether a check is inconclusive because of a finding alone; an input that is missing would still be missing without it. */
function isConsequence({ id, reason }: CheckResult, { consequences }: Finding): boolean {
  return reason !== 'missing-input' && consequences.includes(id);
}

/** Checks without those that are inconclusive because of a finding: these are shown with it. */
export function apartFromFindings(checks: readonly CheckResult[], { findings }: Result): CheckResult[] {
  return checks.filter((check) => !findings.some((finding) => isConsequence(check, finding)));
}

/** Why a failed check, or a finding, does not fail the run. */
export function toleratedBecause(failed: Pick<CheckResult, 'scored'>): string {
  return isScored(failed)
    ? 'a failed `should` does not fail this run'
    : 'this check is newer than the scored set of this contract version';
}

/** A check in one line for formats that have a message for each test: why it failed, or why it is not passed; else nothing. */
export function messageOf(check: CheckResult, { selection, findings }: Result): string {
  const { failure, reason, detail } = check;
  const cause = findings.find((finding) => isConsequence(check, finding));
  const because = cause && `finding ${cause.id}: ${cause.title}`;
  const said = failure?.message ?? [reason, detail, because].filter((part) => part !== undefined).join(': ');
  const words: Readonly<Partial<Record<Standing, string>>> = {
    'known-failure': `known failure: ${failure ? '' : 'inconclusive, '}`,
    tolerated: `failed, but ${toleratedBecause(check)}: `,
    error: 'an error of the suite, not a failure of the target: ',
    inconclusive: 'inconclusive, ',
    'not-applicable': 'not applicable, ',
  };
  return `${words[standingOf(check, selection)] ?? ''}${said}`;
}
