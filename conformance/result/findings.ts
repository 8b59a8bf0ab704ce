import { groupedBy } from '../../common/text.ts';
import { LEVELS } from '../../contract/document.ts';
import { type Check, levelOf } from '../engine/check.ts';
import type { Broken, Problem } from '../facts/outcome.ts';
import type { Recorder } from '../http/record.ts';
import type { CheckResult, Finding } from '../facts/result.ts';

/** What findings are made of. */
interface Found {
  readonly broken: readonly Broken[];
  readonly checks: readonly Check[];
  readonly outcomes: readonly CheckResult[];
}

/**
 * The id of the finding for one wrong status in place of another: "status.400-is-422"; undefined for other problems. Where an update
 * may be accepted or refused, the status of the refusal is meant.
 */
function statusId({ aspect, expected, actual }: Problem): string | undefined {
  const isError = (status: string): boolean => /^[45]\d\d$/.test(status);
  const due = expected.split(' or ').find(isError);
  const isOfStatus = aspect === 'status' || aspect === 'accepted';
  return isOfStatus && due !== undefined && isError(actual) ? `status.${due}-is-${actual}` : undefined;
}

/**
 * What is broken, by requirement; or by the wrong status, if the target uses it for all refusals: no check passed that expects the
 * right one.
 */
function groupsOf({ broken, checks, outcomes }: Found): [id: string, broken: Broken[]][] {
  const passed = new Set(outcomes.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  const isUsed = (status: string): boolean =>
    checks.some((each) => passed.has(each.id) && 'requests' in each && each.refusedWith.join() === status);
  const idOf = ({ problems: [first] }: Broken): string => (first && statusId(first)) ?? '';
  const systematic = groupedBy(broken, idOf)
    .filter(([id, own]) => id !== '' && own.length > 1 && !isUsed(id.slice(7, 10)))
    .map(([id]) => id);
  return groupedBy(broken, (each) => (systematic.includes(idOf(each)) ? idOf(each) : each.requirement));
}

const rankOf = ({ requirement }: Broken): number => LEVELS.indexOf(levelOf(requirement));

/** The title of the plainest problem. If the audit found it, the other statuses that show it follow. */
function titleOf(problems: readonly Problem[]): string {
  const [first] = problems;
  if (first?.check !== '') return first?.title ?? '';
  const statuses = new Set(problems.flatMap(({ exchanges }) => exchanges.map(({ response }) => response.status)));
  const [, ...others] = [...statuses];
  return others.length === 0 ? first.title : `${first.title} (also with ${others.join(', ')})`;
}

/**
 * What a target does wrong: one finding for each broken requirement, `must` first, then in the order of the checks.
 *
 * @param recorder the door through which texts and exchanges leave
 */
export async function findingsOf(found: Found, recorder: Recorder): Promise<Finding[]> {
  if (found.broken.length === 0) return [];
  // The texts take time to read, and most runs need none.
  const { fixOf } = await import('./fixes.ts');
  const place = new Map(found.checks.map(({ id }, index) => [id, index]));
  const findings = groupsOf(found).flatMap(([id, own]): Finding[] => {
    // What must be refused shows a wrong status more plainly than what may be accepted.
    const broken = own.toSorted((one, other) => rankOf(one) - rankOf(other));
    const problems = broken.flatMap((each) => each.problems);
    const requirements = broken.map(({ requirement }) => requirement);
    const [plainest] = problems;
    if (!plainest) return [];
    const { expected, actual, exchanges, seen } = plainest;
    const ofStatus = `Every refusal that should get ${id.slice(7, 10)} gets ${id.slice(-3)}`;
    return [
      {
        id,
        level: requirements.some((each) => levelOf(each) === 'must') ? 'must' : 'should',
        requirement: requirements[0] ?? '',
        title: recorder.text(broken.length > 1 ? ofStatus : titleOf(problems)),
        expected: recorder.text(expected),
        actual: recorder.text(actual),
        checks: [...new Set(problems.map(({ check }) => check))].filter((check) => check !== ''),
        exchanges: exchanges.map(recorder.record),
        fix: fixOf(plainest),
        ...(seen && { seen: { ...seen } }),
        knownFailure: false,
      },
    ];
  });
  const rank = ({ level, checks }: Finding): number =>
    (level === 'must' ? 0 : 10_000) + (place.get(checks[0] ?? '') ?? 9_999);
  return findings.sort((one, other) => rank(one) - rank(other));
}
