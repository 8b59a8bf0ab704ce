import type { Check } from './check.ts';
import type { Recording } from './recording/recording.ts';
import { groupedBy } from '../../common/text.ts';
import { type Explained, explain } from './causes.ts';
import { inWords } from '../http/exchange.ts';
import { type Deviation, type Facts, NOBODY } from './facts.ts';
import { type Passed, passOver } from './pass.ts';
import type { View } from './recording/view.ts';
import type { JudgedOperation, Rows } from './responses.ts';
import { judgeCheck, type Judgement } from './verdicts.ts';

/** What the model says of a recording. */
export interface Judged {
  readonly view: View;
  readonly facts: Facts;
  readonly why: ReadonlyMap<Facts['deviations'][number], Explained>;
  readonly checks: readonly JudgedCheck[];
  /** What speaks against a judgement of the users, in words: another run, another client, or a target that was away. */
  readonly disturbed?: string | undefined;
}

export interface JudgedCheck {
  readonly check: Check;
  readonly said: Judgement;
}

/** As many values of one member that nobody in the run sent, and that nothing explains, come from another client. */
const FOREIGN_VALUES = 3;

/**
 * What shows that another client changes the users: their texts change to values that the suite never sent, again and again, or
 * where all that was under way is seen to leave them alone.
 */
function foreignChanges({ deviations }: Facts): string | undefined {
  const foreign = deviations.filter(({ change }) => change?.foreign?.length && change.blamed !== 'unusual');
  const values = groupedBy(foreign, ({ subject, member }) => `${subject} ${member}`)
    .map(([, some]) => new Set(some.flatMap(({ change }) => change?.foreign ?? [])))
    .find(({ size }) => size >= FOREIGN_VALUES);
  const last = values ? [...values].at(-1) : foreign.findLast(({ change }) => change?.blamed === NOBODY)?.actual;
  if (last === undefined) return undefined;
  const what = values ? `${values.size} values` : 'a value';
  return `somebody else changed the users: ${what} that this run did not send, such as ${inWords(last)}`;
}

/** While another run changes what this one writes, what a check sees of that may be the work of that run. */
function asDisturbed(
  said: Judgement,
  { operations }: Check,
  { showWritten }: Pick<Passed, 'showWritten'>,
  disturbed: string | undefined,
): Judgement {
  const seesWritten = operations.some((id) => showWritten.has(id));
  if (disturbed === undefined || said.outcome !== 'failed' || !seesWritten) return said;
  const exchanges = said.deviation.shows ?? [said.deviation.x];
  return { outcome: 'inconclusive', reason: 'disturbed', detail: disturbed, exchanges, causes: [] };
}

/** A change that one of several updates made fails those of their checks that are selected, if the one that is blamed is not. */
function amongSelected(d: Deviation, selected: ReadonlySet<string>): Deviation {
  const checks = (d.change?.possible ?? []).filter((id) => selected.has(id));
  return checks.length === 0 || d.checks.some((id) => selected.has(id)) ? d : { ...d, checks };
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
  rows: Pick<Rows, 'refusals'>,
  error?: Error,
): Judged {
  return judgeFacts(passOver(recording, operations, rows), checks, error);
}

/** Judges what one pass over a recording found. */
export function judgeFacts({ view, ...found }: Passed, checks: readonly Check[], error?: Error): Judged {
  const selected = new Set(checks.map(({ id }) => id));
  const facts = { ...found, deviations: found.deviations.map((each) => amongSelected(each, selected)) };
  const why = explain(facts.deviations);
  const disturbed = view.disturbed ?? foreignChanges(facts);
  return {
    disturbed,
    view,
    facts,
    why,
    checks: checks.map((check) => {
      const said = asBlamed(judgeCheck(check, view, facts, why, error), check, facts, selected);
      return { check, said: asDisturbed(said, check, found, disturbed) };
    }),
  };
}
