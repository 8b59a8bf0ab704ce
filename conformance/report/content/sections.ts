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
  | { readonly kind: 'checks' | 'failures'; readonly checks: readonly CheckResult[] }
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

function findingSection(result: Result, standing: FindingStanding, title: string, lead?: string): Section {
  const findings = findingsStanding(result, standing);
  const content: Content = { kind: 'findings', standing, findings };
  return { id: `findings-${standing}`, title, count: findings.length, content, ...(lead !== undefined && { lead }) };
}

function sentences(id: string, title: string, all: readonly string[]): Section {
  return { id, title, count: all.length, content: { kind: 'sentences', sentences: [...new Set(all)] } };
}

function reasons(id: string, title: string, checks: readonly CheckResult[]): Section {
  return { id, title, count: checks.length, content: { kind: 'reasons', groups: reasonGroups(checks) } };
}

function checkList(id: string, title: string, kind: 'checks' | 'failures', checks: readonly CheckResult[]): Section {
  return { id, title, count: checks.length, content: { kind, checks } };
}

/** The sections of a report that are not empty, in the order in which every format has them; the findings come first. */
export function sectionsOf(result: Result): Section[] {
  const { observations, restoration, summary } = result;
  const errors = checksStanding(result, 'error').map(({ detail = '' }) => detail);
  const problems = summary.baselineProblems.map(({ kind, message }) => `${kind}: ${message}`);
  const hasObserved = observations.some(({ observed }) => observed !== undefined);
  const apart = (standing: Standing): CheckResult[] => apartFromFindings(checksStanding(result, standing), result);
  const known = apart('known-failure').filter(({ outcome }) => outcome === 'inconclusive');
  const failed = result.checks.filter(({ outcome }) => outcome === 'failed');
  const because = [...new Set(findingsStanding(result, 'tolerated').map(toleratedBecause))].join(', or ');
  const sections: Section[] = [
    // If the suite itself failed, nothing below can be trusted.
    sentences('errors', 'Errors of the suite', errors),
    findingSection(result, 'failed', 'Findings'),
    findingSection(result, 'tolerated', 'Findings that do not fail the run', `Not counted, because ${because}.`),
    findingSection(result, 'known-failure', 'Known findings', 'The baseline lists these; they do not decide.'),
    sentences('baseline', 'Baseline entries that no longer hold', problems),
    reasons('inconclusive', 'Inconclusive checks', apart('inconclusive')),
    checkList('known-failures', 'Checks that are known to be inconclusive', 'checks', known),
    reasons('not-applicable', 'Checks that do not apply', checksStanding(result, 'not-applicable')),
    { ...checkList('failures', 'Failed checks', 'failures', failed), lead: 'Each check that shows a finding.' },
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
