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

/** The sections of a report that are not empty, in the order in which every format has them. */
export function sectionsOf(result: Result): Section[] {
  const { requirements, observations, restoration, summary } = result;
  const standing = (wanted: Standing): CheckResult[] => checksStanding(result, wanted);
  const [errors, tolerated, known] = [standing('error'), standing('tolerated'), standing('known-failure')];
  const [failed, inconclusive, notApplicable] = [
    standing('failed'),
    standing('inconclusive'),
    standing('not-applicable'),
  ];
  const { baselineProblems } = summary;
  const section = (id: string, title: string, { length: count }: readonly unknown[], content: Content, lead = '') =>
    lead === '' ? { id, title, count, content } : { id, title, count, content, lead };
  const sentences = (all: readonly string[]): Content => ({ kind: 'sentences', sentences: [...new Set(all)] });
  const failures = (of: readonly CheckResult[]): Content => {
    return { kind: 'failures', broken: brokenRequirements(of, requirements) };
  };
  const reasons = (of: readonly CheckResult[]): Content => ({ kind: 'reasons', groups: reasonGroups(of) });
  const why = [...new Set(tolerated.map(toleratedBecause))].join(', or ');
  const sections: Section[] = [
    section('errors', 'Errors of the suite', errors, sentences(errors.map(({ detail = '' }) => detail))),
    section(
      'baseline',
      'Baseline entries that no longer hold',
      baselineProblems,
      sentences(baselineProblems.map(({ kind, message }) => `${kind}: ${message}`)),
    ),
    section('failed', 'Failed checks', failed, failures(failed)),
    section(
      'tolerated',
      'Failed checks that do not fail the run',
      tolerated,
      failures(tolerated),
      `Not counted, because ${why}.`,
    ),
    section('inconclusive', 'Inconclusive checks', inconclusive, reasons(inconclusive)),
    section(
      'known-failures',
      'Known failures',
      known,
      { kind: 'known-failures', checks: known },
      'The baseline lists these; they do not decide.',
    ),
    section('not-applicable', 'Checks that do not apply', notApplicable, reasons(notApplicable)),
    section(
      'observations',
      'Observations',
      observations,
      { kind: 'observations', observations },
      'What this target does where the contract is silent. None of it is judged.',
    ),
    {
      id: 'restoration',
      title: 'Restoration of the users',
      content: { kind: 'restoration', lines: restorationLines(restoration) },
    },
  ];
  return sections.filter(({ count }) => count !== 0);
}
