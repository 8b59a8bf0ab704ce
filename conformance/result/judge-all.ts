import type { Check, Judgement } from '../judging/check.ts';
import type { Evidence } from '../judging/evidence.ts';
import { operations, userOperation } from '../operations/index.ts';
import { INPUT_HELP, missingInputs } from '../target/inputs.ts';
import type { SuiteError } from '../target/request-guard.ts';

/** What is said of a check: its judgement on the target, or that the suite itself went wrong. */
export type Said = Judgement | { readonly outcome: 'error'; readonly detail: string };

export interface JudgedCheck {
  readonly check: Check;
  readonly said: Said;
  /** Ids of the failed checks that keep this one from saying anything. */
  readonly causes: readonly string[];
}

function judge(check: Check, evidence: Evidence, error: SuiteError | undefined, inTime: () => boolean): Said {
  const missing = missingInputs(evidence.inputs, check.needs);
  if (missing.length > 0) {
    const detail = missing.map((name) => `${INPUT_HELP[name].variable} (${INPUT_HELP[name].meaning})`).join(', ');
    return { outcome: 'inconclusive', reason: 'missing-input', detail: `not given: ${detail}`, exchanges: [] };
  }
  const [own] = check.uses.flatMap(({ id }) => evidence.errors.get(id)?.message ?? []);
  const detail = error?.message ?? own;
  if (detail !== undefined) return { outcome: 'error', detail };
  if (!inTime()) {
    const detail = 'the responses are so large that the time for judging them ended first';
    return { outcome: 'inconclusive', reason: 'deadline', detail, exchanges: [] };
  }
  try {
    return asDisturbed(check, asStopped(check.judge(evidence), evidence), evidence);
  } catch (thrown) {
    return { outcome: 'error', detail: (thrown as Error).message };
  }
}

/** After a stop, what was not seen was not sent: that is the reason, whatever the check makes of it. */
function asStopped(judgement: Judgement, { stopped }: Evidence): Judgement {
  if (!stopped || judgement.outcome !== 'inconclusive') return judgement;
  if (judgement.reason !== 'not-observable' && judgement.reason !== 'precondition-failed') return judgement;
  return { ...judgement, reason: 'deadline', detail: 'the run ended before this could be seen' };
}

/** The schema of what is written and restored. */
const USER = operations.find(({ id }) => id === userOperation)?.shows.schema;

/** While another run changes the users, what a check sees of them may be the work of that run. */
function asDisturbed({ operations: own }: Check, judgement: Judgement, { disturbed }: Evidence): Judgement {
  if (disturbed === undefined || judgement.outcome !== 'failed') return judgement;
  const seesUsers = operations.some(({ id, shows }) => shows.schema === USER && own.includes(id));
  return seesUsers
    ? { outcome: 'inconclusive', reason: 'disturbed', detail: disturbed, exchanges: judgement.exchanges }
    : judgement;
}

function restsOn({ restsOn = [] }: Check, said: Said): readonly string[] {
  const further = 'restsOn' in said ? (said.restsOn ?? []) : [];
  return [...restsOn, ...further];
}

/** What is said of a check once it is known that others, on which it rests, failed. */
function consequence(said: Said, causes: readonly string[]): Said {
  if (causes.length === 0 || (said.outcome !== 'passed' && said.outcome !== 'failed')) return said;
  const detail = `it rests on ${causes.join(', ')}, which failed`;
  return { outcome: 'inconclusive', reason: 'precondition-failed', detail, exchanges: said.exchanges };
}

/**
 * Lets every check judge the evidence. A check that throws is an error of the suite. What rests on a failed check is
 * inconclusive because of it; of failed checks that rest on each other, one is the cause.
 *
 * @param inTime asked before each check; once it says no, the rest is inconclusive
 */
export function judgeAll(
  checks: readonly Check[],
  evidence: Evidence,
  error: SuiteError | undefined,
  inTime: () => boolean = () => true,
): readonly JudgedCheck[] {
  const given = new Map<string, JudgedCheck>(
    checks.map((check) => [check.id, { check, said: judge(check, evidence, error, inTime), causes: [] }]),
  );
  const settled = new Map<string, JudgedCheck>();
  const settle = (id: string): JudgedCheck | undefined => {
    const known = settled.get(id) ?? given.get(id);
    if (!known || settled.has(id)) return known;
    const { check, said } = known;
    settled.set(id, { check, said: { outcome: 'passed', exchanges: [] }, causes: [] });
    const causes = restsOn(check, said).flatMap((other) => {
      const basis = settle(other);
      if (basis?.said.outcome === 'failed') return [other];
      // What was inconclusive by itself says nothing of what rests on it.
      return given.get(other)?.said.outcome === 'inconclusive' ? [] : (basis?.causes ?? []);
    });
    const own = said.outcome === 'not-applicable' || said.outcome === 'error' ? [] : [...new Set(causes)];
    const judged = { check, said: consequence(said, own), causes: own };
    settled.set(id, judged);
    return judged;
  };
  return checks.flatMap(({ id }) => settle(id) ?? []);
}
