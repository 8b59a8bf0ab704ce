import type { Check, Judgement } from '../judging/check.ts';
import type { Evidence } from '../judging/evidence.ts';
import type { InconclusiveReason } from '../judging/reasons.ts';
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

/** Ids of the checks that one rests on: by what it is, and by what it says this time. */
function restsOn({ check: { restsOn = [] }, said }: Judging): readonly string[] {
  if (said.outcome === 'not-applicable' || said.outcome === 'error') return [];
  return [...restsOn, ...('restsOn' in said ? (said.restsOn ?? []) : [])];
}

type Judging = Pick<JudgedCheck, 'check' | 'said'>;

/**
 * Ids of the failed checks below some others: these, and what they rest on, directly or through others. What is inconclusive by
 * itself says nothing of what is not.
 */
function failedBelow(ids: readonly string[], by: Judging, given: ReadonlyMap<string, Judging>): ReadonlySet<string> {
  const seen = new Set<string>();
  const visit = (id: string, from: Judging): void => {
    const at = given.get(id);
    const isCut = at?.said.outcome === 'inconclusive' && from.said.outcome !== 'inconclusive';
    if (!at || isCut || seen.has(id)) return;
    seen.add(id);
    for (const other of restsOn(at)) visit(other, at);
  };
  for (const id of ids) visit(id, by);
  return new Set([...seen].filter((id) => given.get(id)?.said.outcome === 'failed'));
}

const UNSEEN: readonly InconclusiveReason[] = ['not-observable', 'precondition-failed', 'control-refused'];

/** Whether it is for what the target did that nothing can be said. */
function isUnseen(said: Said): said is Extract<Said, { outcome: 'inconclusive' }> {
  return said.outcome === 'inconclusive' && UNSEEN.includes(said.reason);
}

/**
 * Ids of the checks that may explain one that is inconclusive and rests on nothing that failed: those that keep its operations from
 * showing anything, and those that failed for an exchange that should have worked first.
 */
function explaining({ check, said }: Judging, given: ReadonlyMap<string, Judging>): readonly string[] {
  if (!isUnseen(said)) return [];
  const own = operations.filter(({ id }) => check.operations.includes(id));
  const first = said.reason === 'precondition-failed' ? said.exchanges : [];
  const isAbout = (other: Said): boolean =>
    other.outcome === 'failed' && other.exchanges.some((each) => first.includes(each));
  const failures = [...given].filter(([, other]) => isAbout(other.said)).map(([id]) => id);
  return [...own.flatMap(({ shows }) => shows.hiddenBy), ...failures];
}

/** Gives the ids of the failed checks that are the cause of what a check says; of those that rest on each other, the last is it. */
function causesAmong(given: ReadonlyMap<string, Judging>): (each: Judging) => readonly string[] {
  const below = new Map([...given].map(([id, each]) => [id, failedBelow(restsOn(each), each, given)]));
  const order = [...given.keys()];
  const isLast = (id: string): boolean =>
    [...(below.get(id) ?? [])].every((other) => below.get(other)?.has(id) && order.indexOf(id) >= order.indexOf(other));
  const causes = new Set([...below.keys()].filter((id) => given.get(id)?.said.outcome === 'failed' && isLast(id)));
  return (each) => {
    if (causes.has(each.check.id)) return [];
    const own = below.get(each.check.id) ?? new Set();
    const all = own.size > 0 ? own : failedBelow(explaining(each, given), each, given);
    return [...all].filter((id) => causes.has(id));
  };
}

/** What is said of a check once it is known that others, on which it rests, failed. */
function consequence(said: Said, causes: readonly string[]): Said {
  if (causes.length === 0) return said;
  const why = `it rests on ${causes.join(', ')}, which failed`;
  if (isUnseen(said)) return { ...said, detail: `${said.detail}; ${why}` };
  if (said.outcome !== 'passed' && said.outcome !== 'failed') return said;
  return { outcome: 'inconclusive', reason: 'precondition-failed', detail: why, exchanges: said.exchanges };
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
  const given = new Map(checks.map((check) => [check.id, { check, said: judge(check, evidence, error, inTime) }]));
  const causesOf = causesAmong(given);
  return [...given.values()].map((each) => {
    const causes = causesOf(each);
    return { ...each, said: consequence(each.said, causes), causes };
  });
}
