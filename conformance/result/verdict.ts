import type { Level } from '../../contract/document.ts';
import type {
  CheckResult,
  Counts,
  Finding,
  Outcome,
  RequirementResult,
  Restoration,
  Result,
  Verdict,
} from '../facts/result.ts';
import { isUpdatable } from '../users/differences.ts';

/** The gravest first. */
export const WORST_VERDICT_FIRST: readonly Verdict[] = ['error', 'interrupted', 'failed', 'inconclusive', 'passed'];

/** The verdict on several targets: the worst of theirs; of none, `inconclusive`. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  return WORST_VERDICT_FIRST.find((verdict) => verdicts.includes(verdict)) ?? 'inconclusive';
}

/** How many checks, or requirements, came to which outcome. */
export function countOutcomes(
  judged: readonly { readonly outcome: Outcome; readonly knownFailure?: boolean | undefined }[],
): Counts {
  const count = (wanted: Outcome): number => judged.filter(({ outcome }) => outcome === wanted).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    inconclusive: count('inconclusive'),
    notApplicable: count('not-applicable'),
    error: count('error'),
    knownFailures: judged.filter(({ knownFailure }) => knownFailure).length,
    total: judged.length,
  };
}

/** What a run found, before there is a verdict on it. */
export type Judged = Pick<Result, 'checks' | 'findings' | 'requirements'>;

/**
 * What can fail a run: a check; a requirement that responses broke, whatever they were sent for; or a requirement that was not seen
 * to hold although no check says so.
 */
export interface Item extends CheckResult {
  /** The level of what it broke, if it failed: a check of a `should` may find that a `must` is broken. */
  readonly level: Level;
  /** What it broke. */
  readonly findings: readonly Finding[];
}

/** Whether something failed, or was not seen to hold. */
export const isOpen = ({ outcome }: Pick<Item, 'outcome'>): boolean =>
  outcome === 'failed' || outcome === 'inconclusive';

/** Of a requirement to which every response is held, as if that were a check with its id. */
const OF_RESPONSES = { area: 'responses', title: 'Every response keeps to it' };

/** Every check, after them every finding that the audit of the responses made, and what else was not seen to hold. */
export function itemsOf(judged: Judged): Item[] {
  const { findings } = judged;
  const ofResponses = findings
    .filter((finding) => finding.checks.length === 0)
    .map((finding): Item => {
      const { level, requirement, knownFailure } = finding;
      const findings = [finding];
      return { ...OF_RESPONSES, id: requirement, level, requirement, outcome: 'failed', knownFailure, findings };
    });
  return [...checkItemsOf(judged), ...ofResponses, ...openRequirements(judged).map(itemOfRequirement)];
}

/** Every check. */
export function checkItemsOf({ checks, findings }: Pick<Judged, 'checks' | 'findings'>): Item[] {
  return checks.map((check): Item => {
    const own = check.outcome === 'failed' ? findings.filter((finding) => finding.checks.includes(check.id)) : [];
    const levels = own.map(({ level }) => level);
    return { ...check, level: levels.includes('must') ? 'must' : (levels[0] ?? check.level), findings: own };
  });
}

/** A requirement as if it were a check with its id. */
function itemOfRequirement(given: RequirementResult): Item {
  const { id, text, seenOnce, knownFailure = false } = given;
  const reason = seenOnce && { reason: 'unsteady' as const };
  return { ...OF_RESPONSES, ...given, ...reason, title: text, requirement: id, knownFailure, findings: [] };
}

/**
 * The requirements that are inconclusive although none of their checks is: something broke it once, or nothing showed it. A known
 * failure explains why nothing did.
 */
export function openRequirements({ requirements, checks, findings }: Judged): RequirementResult[] {
  const open = new Set(checks.filter(({ outcome }) => outcome === 'inconclusive').map(({ id }) => id));
  const isExplained = [...checks, ...findings].some(({ knownFailure }) => knownFailure);
  return requirements.filter(({ outcome, seenOnce, seenIn = '', checks: own }) => {
    if (outcome !== 'inconclusive') return false;
    return seenOnce ? !open.has(seenIn) : !isExplained && !own.some((id) => open.has(id));
  });
}

/** What is said of a check, or of a requirement to which every response is held; undefined if it was not judged. */
export function itemIn(judged: Judged, id: string): Item | undefined {
  const held = judged.requirements.find((each) => each.id === id);
  return itemsOf(judged).find((item) => item.id === id) ?? (held && itemOfRequirement(held));
}

/** Whether a failure at this level fails the run, or keeps it from passing. */
export function decides(
  { level, knownFailure }: { readonly level: Level; readonly knownFailure: boolean },
  failOn: Level,
): boolean {
  return !knownFailure && (level === 'must' || failOn === 'should');
}

/** What became of members that have their old values, or whose old values nobody knows. */
const SETTLED: readonly string[] = ['restored', 'never-shown'];

/** The members of each user that may not have their old values, although the target showed these before. */
export function leftIn({ users }: Restoration): { readonly id: string; readonly members: readonly string[] }[] {
  const left = users.map(({ id, members }) => {
    return { id, members: members.filter(({ outcome }) => !SETTLED.includes(outcome)).map(({ member }) => member) };
  });
  return left.filter(({ members }) => members.length > 0);
}

/** Whether the users have all their old values again, as far as the target ever showed them. */
export function isSettled(restoration: Restoration): boolean {
  return leftIn(restoration).length === 0;
}

/** Whether an update could restore some of what is left, or another look show that it is as before. */
export function isWorthAnotherTry({ users }: Restoration): boolean {
  const left = users.flatMap(({ members }) => members.filter(({ outcome }) => !SETTLED.includes(outcome)));
  return left.some(({ member, outcome }) => isUpdatable(member) || outcome === 'sent');
}

/** What a verdict rests on. */
export interface Grounds extends Judged, Pick<Result, 'restoration' | 'again'> {
  /** The lowest level whose failure fails the run. */
  readonly failOn: Level;
  readonly baselineProblems: readonly string[];
  /** Whether the run was stopped from outside. */
  readonly interrupted: boolean;
}

/**
 * The verdict of a run. An error of the suite outweighs everything, since nothing can be trusted then; a failure outweighs an
 * inconclusive check. A run has `passed` only if something was observed, every `must` (with `failOn: 'should'`, every `should`, too)
 * was seen to hold or is a known failure, and the users have their old values again.
 */
export function decide(grounds: Grounds): Verdict {
  const { checks, findings, failOn, baselineProblems, restoration, again = [], interrupted } = grounds;
  const items = itemsOf(grounds);
  if (items.some(({ outcome }) => outcome === 'error')) return 'error';
  if (interrupted) return 'interrupted';
  const obstacles = items.filter((item) => decides(item, failOn)).map(({ outcome }) => outcome);
  const isBroken = obstacles.includes('failed') || findings.some((finding) => decides(finding, failOn));
  if (isBroken || baselineProblems.length > 0) return 'failed';
  const isNothingSeen = checks.every(({ outcome }) => outcome !== 'passed' && outcome !== 'failed');
  const isUnproven = again.some(({ became, counts }) => became === 'not-seen-again' && counts);
  const isInDoubt = isNothingSeen || isUnproven;
  return obstacles.includes('inconclusive') || isInDoubt || !isSettled(restoration) ? 'inconclusive' : 'passed';
}
