/** What came of each check and of each requirement, in the form and the words of a result. */
import { requirements } from '../../contract/document.ts';
import type { JudgedCheck, Judgement } from '../engine/judge.ts';
import type { CheckOutcome } from '../facts/outcome.ts';
import type { CheckResult, RequirementResult } from '../facts/result.ts';
import { inputShape, variableOf } from '../inputs.ts';
import { wordsOf } from './titles.ts';

/** Why a check has no other outcome, in words. */
function detailOf({ detail, once, missing, blockedBy }: CheckOutcome): string | undefined {
  if (once) return `Once, and not again: ${wordsOf(once.fault).title}`;
  if (missing) {
    const named = missing.map((each) => `${variableOf(each)} (${inputShape[each].description?.split(';')[0] ?? ''})`);
    return `${named.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`;
  }
  return blockedBy === undefined ? detail : `\`${blockedBy}\` is broken`;
}

function checkResultOf({ check, outcome: came }: JudgedCheck): CheckResult {
  const { id, area, level, title, requirement } = check;
  const { outcome, reason, blockedBy, around } = came;
  const detail = detailOf(came);
  return {
    ...{ id, area, level, title, requirement, outcome, knownFailure: false },
    ...(reason && { reason }),
    ...(detail !== undefined && { detail }),
    ...(blockedBy !== undefined && { blockedBy }),
    ...(around && { workarounds: [...around] }),
  };
}

/** The results of the checks, in their order. */
export const checkResultsOf = (checks: readonly JudgedCheck[]): CheckResult[] => checks.map(checkResultOf);

/** The results of all requirements, in the order of the contract. */
export function requirementResultsOf({ checks, requirements: judged }: Judgement): RequirementResult[] {
  const byId = new Map(judged.map((each) => [each.id, each]));
  return requirements.flatMap(({ id, level, text }): RequirementResult[] => {
    const found = byId.get(id);
    if (!found) return [];
    const own = checks.filter(({ check }) => check.requirement === id).map(({ check }) => check.id);
    const isOnce = found.isSeenOnce && { seenOnce: true as const };
    return [{ id, level, text, outcome: found.outcome, ...isOnce, checks: own }];
  });
}
