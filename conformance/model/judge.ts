import { type OperationId, responseSchemaOf } from '../../contract/document.ts';
import type { Check } from '../judging/check.ts';
import type { Recording } from '../judging/evidence.ts';
import { type Explained, explain } from './causes.ts';
import type { Deviation, Facts } from './facts.ts';
import { passOver } from './pass.ts';
import type { View } from './record.ts';
import type { JudgedOperation } from './responses.ts';
import type { UserChecks } from './users.ts';
import { judgeCheck, type Judgement } from './verdicts.ts';

/** What the model says of a recording. */
export interface Judged {
  readonly view: View;
  readonly facts: Facts;
  readonly why: ReadonlyMap<Facts['deviations'][number], Explained>;
  readonly checks: readonly JudgedCheck[];
}

export interface JudgedCheck {
  readonly check: Check;
  readonly said: Judgement;
}

/** While another run changes the users, what a check sees of them may be the work of that run. */
function asDisturbed(said: Judgement, operations: readonly OperationId[], { disturbed }: Recording): Judgement {
  const seesUsers = operations.some((id) => responseSchemaOf(id) === 'createUserResponseSchema');
  if (disturbed === undefined || said.outcome !== 'failed' || !seesUsers) return said;
  const exchanges = said.deviation.shows ?? [said.deviation.x];
  return { outcome: 'inconclusive', reason: 'disturbed', detail: disturbed, exchanges, causes: [] };
}

/** A change that one of several updates made fails those of their checks that are selected, if the one that is blamed is not. */
function amongSelected(d: Deviation, selected: ReadonlySet<string>): Deviation {
  const checks = (d.change?.possible ?? []).filter((id) => selected.has(id));
  const isBlamed = d.checks.length === 0 || d.checks.some((id) => selected.has(id));
  return checks.length === 0 || isBlamed ? d : { ...d, checks };
}

/** Nor has a check passed where what changed something may be of its kind, and its check is not selected. */
function asBlamed(said: Judgement, check: Check, { deviations }: Facts, selected: ReadonlySet<string>): Judgement {
  if (said.outcome !== 'passed' || !Array.isArray(check.alongside)) return said;
  const d = deviations.find(
    ({ change, checks, requirements }) =>
      change && !checks.some((id) => selected.has(id)) && requirements.some((id) => check.requirements.includes(id)),
  );
  if (!d) return said;
  const detail = `the update that changed something may be another one: ${d.checks.join(', ')} fails, and is not selected`;
  return { outcome: 'inconclusive', reason: 'precondition-failed', detail, exchanges: d.shows ?? [d.x], causes: [] };
}

/**
 * Judges a recording: one pass gives deviations and witnesses, the table of causes their roots, and each check asks.
 *
 * @param checks those that were selected
 * @param error of the suite, which leaves nothing to be judged
 */
export function judgeRecording(
  recording: Recording,
  checks: readonly Check[],
  operations: readonly JudgedOperation[],
  rows: UserChecks,
  error?: Error,
): Judged {
  const { view, ...found } = passOver(recording, operations, rows);
  const selected = new Set(checks.map(({ id }) => id));
  const facts = { ...found, deviations: found.deviations.map((each) => amongSelected(each, selected)) };
  const why = explain(facts.deviations);
  return {
    view,
    facts,
    why,
    checks: checks.map((check) => {
      const said = asBlamed(judgeCheck(check, view, facts, why, error), check, facts, selected);
      return { check, said: asDisturbed(said, check.operations, recording) };
    }),
  };
}
