import type { CheckResult, Finding, Result } from '../../result/result.ts';
import {
  apartFromFindings,
  checksStanding,
  findingsStanding,
  toleratedBecause,
  type FindingStanding,
  type Standing,
} from './check-standing.ts';
import { reasonGroups, type ReasonGroup } from './reason-groups.ts';
import { restorationLines, type RestorationLine } from './restoration.ts';

/** What a section holds; each kind has one form in each format. */
export type Content =
  | { readonly kind: 'findings'; readonly standing: FindingStanding; readonly findings: readonly Finding[] }
  | { readonly kind: 'sentences'; readonly sentences: readonly string[] }
  | { readonly kind: 'reasons'; readonly groups: readonly ReasonGroup[] }
  | { readonly kind: 'checks'; readonly checks: readonly CheckResult[] }
  | { readonly kind: 'failures'; readonly checks: readonly CheckResult[] }
  | { readonly kind: 'observations'; readonly observations: Result['observations'] }
  | { readonly kind: 'restoration'; readonly lines: readonly RestorationLine[] };

/** A section of a report. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** What the section is about, where its title does not say it. */
  readonly lead?: string;
  /** How many things it holds, where that says something. */
  readonly count?: number;
  readonly content: Content;
}

function findingSections(result: Result): Section[] {
  const section = (standing: FindingStanding, title: string, leadOf: (findings: Finding[]) => string): Section => {
    const findings = findingsStanding(result, standing);
    const lead = leadOf(findings);
    return {
      ...{
        id: `findings-${standing}`,
        title,
        count: findings.length,
        content: { kind: 'findings', standing, findings },
      },
      ...(lead === '' ? {} : { lead }),
    };
  };
  return [
    section('failed', 'Findings', () => ''),
    section('tolerated', 'Findings that do not fail the run', (findings) => {
      return `Not counted, because ${[...new Set(findings.map(toleratedBecause))].join(', or ')}.`;
    }),
    section('known-failure', 'Known findings', () => 'The baseline lists these; they do not decide.'),
  ];
}

function sentences(id: string, title: string, all: readonly string[]): Section {
  return { id, title, count: all.length, content: { kind: 'sentences', sentences: [...new Set(all)] } };
}

function checkSections(result: Result): Section[] {
  const reasons = (id: string, title: string, checks: readonly CheckResult[]): Section => {
    return { id, title, count: checks.length, content: { kind: 'reasons', groups: reasonGroups(checks) } };
  };
  const apart = (standing: Standing): CheckResult[] => apartFromFindings(checksStanding(result, standing), result);
  const known = apart('known-failure').filter(({ outcome }) => outcome === 'inconclusive');
  const failed = result.checks.filter(({ outcome }) => outcome === 'failed');
  return [
    reasons('inconclusive', 'Inconclusive checks', apart('inconclusive')),
    {
      ...{ id: 'known-failures', title: 'Checks that are known to be inconclusive', count: known.length },
      content: { kind: 'checks', checks: known },
    },
    reasons('not-applicable', 'Checks that do not apply', checksStanding(result, 'not-applicable')),
    {
      ...{
        id: 'failures',
        title: 'Failed checks',
        count: failed.length,
        content: { kind: 'failures', checks: failed },
      },
      lead: 'Each check that shows a finding.',
    },
  ];
}

/** The sections of a report that are not empty, in the order in which every format has them; the findings come first. */
export function sectionsOf(result: Result): Section[] {
  const { observations, restoration, summary } = result;
  const errors = checksStanding(result, 'error').map(({ detail = '' }) => detail);
  const problems = summary.baselineProblems.map(({ kind, message }) => `${kind}: ${message}`);
  const hasObserved = observations.some(({ observed }) => observed !== undefined);
  const sections: Section[] = [
    // If the suite itself failed, nothing below can be trusted.
    sentences('errors', 'Errors of the suite', errors),
    ...findingSections(result),
    sentences('baseline', 'Baseline entries that no longer hold', problems),
    ...checkSections(result),
    {
      ...{ id: 'observations', title: 'Observations', count: hasObserved ? observations.length : 0 },
      lead: 'What this target does where the contract is silent. None of it is judged.',
      content: { kind: 'observations', observations },
    },
    {
      ...{ id: 'restoration', title: 'Restoration of the users' },
      content: { kind: 'restoration', lines: restorationLines(restoration) },
    },
  ];
  return sections.filter(({ count }) => count !== 0);
}
