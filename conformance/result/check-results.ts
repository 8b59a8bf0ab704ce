/** What came of each check and of each requirement, in the form and the words of a result. */
import { requirementOf } from '../../contract/document.ts';
import type { JudgedCheck, Judgement } from '../engine/judge.ts';
import type { Problem } from '../facts/fault.ts';
import type { CheckOutcome } from '../facts/outcome.ts';
import type { CheckResult, RequirementResult } from '../facts/result.ts';
import { inputShape, variableOf } from '../inputs.ts';
import { wordsOf } from './titles.ts';

const wordsOfOnce = ({ fault }: Problem): string => `Once, and not again: ${wordsOf(fault).title}`;

/** Why a check has no other outcome, in words. */
function detailOf({ detail, once, missing, blockedBy }: CheckOutcome): string | undefined {
  if (once) return wordsOfOnce(once);
  if (missing) {
    const named = missing.map((each) => `${variableOf(each)} (${inputShape[each].description?.split(';')[0] ?? ''})`);
    return `${named.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`;
  }
  return blockedBy === undefined ? detail : `\`${blockedBy}\` is broken`;
}

/** The result of a check. */
export function checkResultOf({ check, outcome: came, durationMs }: JudgedCheck): CheckResult {
  const { id, area, level, title, requirement } = check;
  const { outcome, reason, blockedBy, around, missing } = came;
  return {
    id,
    area,
    level,
    title,
    requirement,
    outcome,
    durationMs: durationMs === undefined ? undefined : Math.round(durationMs * 10) / 10,
    reason,
    detail: detailOf(came),
    missing: missing?.map(variableOf),
    blockedBy,
    workarounds: around && [...around],
    knownFailure: false,
  };
}

/** What a requirement result says of a fault that was seen once. */
function seenOnceIn(once: Problem | undefined): Partial<RequirementResult> {
  if (!once) return {};
  return { seenOnce: true, detail: wordsOfOnce(once), seenIn: once.check };
}

/** The results of all requirements, in the order of the contract. */
export function requirementResultsOf({ checks, requirements: judged }: Judgement): RequirementResult[] {
  return judged.map(({ id, outcome, once }): RequirementResult => {
    const { level, text } = requirementOf(id);
    const own = checks.filter(({ check }) => check.requirement === id).map(({ check }) => check.id);
    return { id, level, text, outcome, ...seenOnceIn(once), checks: own };
  });
}
