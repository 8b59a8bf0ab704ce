import { inReadingOrder, type CheckResult, type RequirementResult, type Result } from '../../result/result.ts';
import { checksStanding, toleratedBecause, type Standing } from './check-standing.ts';
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

const sentences = (all: readonly string[]): Content => ({ kind: 'sentences', sentences: [...new Set(all)] });

function problemSections(result: Result): Section[] {
  const { baselineProblems } = result.summary;
  const errors = checksStanding(result, 'error');
  return [
    {
      ...{ id: 'errors', title: 'Errors of the suite', count: errors.length },
      content: sentences(errors.map(({ detail = '' }) => detail)),
    },
    {
      ...{ id: 'baseline', title: 'Baseline entries that no longer hold', count: baselineProblems.length },
      content: sentences(baselineProblems.map(({ kind, message }) => `${kind}: ${message}`)),
    },
  ];
}

function checkSections(result: Result): Section[] {
  const section = (
    id: Standing,
    title: string,
    contentOf: (checks: readonly CheckResult[]) => Omit<Section, 'id' | 'title' | 'count'>,
  ): Section => {
    const checks = checksStanding(result, id);
    return { id: `${id}${id === 'known-failure' ? 's' : ''}`, title, count: checks.length, ...contentOf(checks) };
  };
  const failures = (checks: readonly CheckResult[]): Content => {
    return { kind: 'failures', broken: brokenRequirements(checks, result.requirements) };
  };
  const reasons = (checks: readonly CheckResult[]) => {
    return { content: { kind: 'reasons', groups: reasonGroups(checks) } } as const;
  };
  return [
    section('failed', 'Failed checks', (checks) => ({ content: failures(checks) })),
    section('tolerated', 'Failed checks that do not fail the run', (checks) => {
      const why = [...new Set(checks.map(toleratedBecause))].join(', or ');
      return { lead: `Not counted, because ${why}.`, content: failures(checks) };
    }),
    section('inconclusive', 'Inconclusive checks', reasons),
    section('known-failure', 'Known failures', (checks) => {
      const lead = 'The baseline lists these; they do not decide.';
      return { lead, content: { kind: 'known-failures', checks } };
    }),
    section('not-applicable', 'Checks that do not apply', reasons),
  ];
}

/** The sections of a report that are not empty, in the order in which every format has them. */
export function sectionsOf(result: Result): Section[] {
  const { observations, restoration } = result;
  const sections: Section[] = [
    ...problemSections(result),
    ...checkSections(result),
    {
      ...{ id: 'observations', title: 'Observations', count: observations.length },
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
