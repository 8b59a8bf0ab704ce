import { inReadingOrder, type CheckResult, type RequirementResult, type Result } from '../../result/result.ts';
import { checksStanding, toleratedBecause } from './check-standing.ts';
import { reasonGroups, type ReasonGroup } from './reason-groups.ts';
import { restorationLines, type RestorationLine } from './restoration.ts';

/** A broken requirement with its failed checks. A check that breaks several requirements is shown with the first. */
export interface BrokenRequirement {
  /** Undefined for checks whose requirements the result does not list, because they are not scored. */
  readonly requirement: RequirementResult | undefined;
  /** The checks to show here. */
  readonly checks: readonly CheckResult[];
  /** The checks that an earlier requirement shows. */
  readonly shownAbove: readonly CheckResult[];
}

function brokenRequirements(
  failed: readonly CheckResult[],
  requirements: readonly RequirementResult[],
): BrokenRequirement[] {
  const shown = new Set<CheckResult>();
  const broken = inReadingOrder(requirements).flatMap((requirement): BrokenRequirement[] => {
    const all = failed.filter(({ id }) => requirement.checks.includes(id));
    const checks = all.filter((check) => !shown.has(check));
    const shownAbove = all.filter((check) => shown.has(check));
    for (const check of checks) shown.add(check);
    return all.length === 0 ? [] : [{ requirement, checks, shownAbove }];
  });
  const rest = failed.filter((check) => !shown.has(check));
  return rest.length === 0 ? broken : [...broken, { requirement: undefined, checks: rest, shownAbove: [] }];
}

/** What a section holds; each kind has one form in each format. */
export type Content =
  | { readonly kind: 'sentences'; readonly sentences: readonly string[] }
  | { readonly kind: 'failures'; readonly broken: readonly BrokenRequirement[] }
  | { readonly kind: 'reasons'; readonly groups: readonly ReasonGroup[] }
  | { readonly kind: 'known-failures'; readonly checks: readonly CheckResult[] }
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

/** The sections of a report that are not empty, in the order in which every format has them. */
export function sectionsOf(result: Result): Section[] {
  const { requirements, observations, restoration, summary } = result;
  const errors = checksStanding(result, 'error');
  const failed = checksStanding(result, 'failed');
  const tolerated = checksStanding(result, 'tolerated');
  const known = checksStanding(result, 'known-failure');
  const inconclusive = checksStanding(result, 'inconclusive');
  const notApplicable = checksStanding(result, 'not-applicable');
  const reasons = [...new Set(tolerated.map(toleratedBecause))].join(', or ');
  const sections: Section[] = [
    {
      id: 'errors',
      title: 'Errors of the suite',
      count: errors.length,
      content: { kind: 'sentences', sentences: [...new Set(errors.map(({ detail = '' }) => detail))] },
    },
    {
      id: 'baseline',
      title: 'Baseline entries that no longer hold',
      count: summary.baselineProblems.length,
      content: {
        kind: 'sentences',
        sentences: summary.baselineProblems.map(({ kind, message }) => `${kind}: ${message}`),
      },
    },
    {
      id: 'failed',
      title: 'Failed checks',
      count: failed.length,
      content: { kind: 'failures', broken: brokenRequirements(failed, requirements) },
    },
    {
      id: 'tolerated',
      title: 'Failed checks that do not fail the run',
      lead: `Not counted, because ${reasons}.`,
      count: tolerated.length,
      content: { kind: 'failures', broken: brokenRequirements(tolerated, requirements) },
    },
    {
      id: 'inconclusive',
      title: 'Inconclusive checks',
      count: inconclusive.length,
      content: { kind: 'reasons', groups: reasonGroups(inconclusive) },
    },
    {
      id: 'known-failures',
      title: 'Known failures',
      lead: 'The baseline lists these; they do not decide.',
      count: known.length,
      content: { kind: 'known-failures', checks: known },
    },
    {
      id: 'not-applicable',
      title: 'Checks that do not apply',
      count: notApplicable.length,
      content: { kind: 'reasons', groups: reasonGroups(notApplicable) },
    },
    {
      id: 'observations',
      title: 'Observations',
      lead: 'What this target does where the contract is silent. None of it is judged.',
      count: observations.length,
      content: { kind: 'observations', observations },
    },
    {
      id: 'restoration',
      title: 'Restoration of the users',
      content: { kind: 'restoration', lines: restorationLines(restoration) },
    },
  ];
  return sections.filter(({ count }) => count !== 0);
}
