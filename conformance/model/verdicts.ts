import type { Exchange } from '../http/exchange.ts';
import type { Check } from './check.ts';
import type { InconclusiveReason } from './reasons.ts';
import { INPUT_HELP, missingInputs } from '../resources/inputs.ts';
import type { Explained } from './causes.ts';
import { rootOf } from './causes.ts';
import type { Deviation, Facts } from './facts.ts';
import type { View } from './recording/view.ts';

/** What a pass says of a check. */
export type Judgement =
  | { readonly outcome: 'passed'; readonly exchanges: readonly Exchange[]; readonly detail?: string }
  | { readonly outcome: 'failed'; readonly deviation: Deviation; readonly all: readonly Deviation[] }
  | {
      readonly outcome: 'inconclusive';
      readonly reason: InconclusiveReason;
      readonly detail: string;
      readonly exchanges: readonly Exchange[];
      readonly causes: readonly Deviation[];
    }
  | { readonly outcome: 'not-applicable'; readonly detail: string }
  | { readonly outcome: 'error'; readonly detail: string };

/** Whether a deviation is a root, or shows the same as one in another place. */
export function isShownWith(d: Deviation, why: ReadonlyMap<Deviation, Explained>): boolean {
  for (let at = d; ;) {
    const next = why.get(at);
    if (!next) return at.requirements.length > 0;
    if (next.rule.as !== 'same') return false;
    at = next.by;
  }
}

/** The keys of the witnesses without which a check has not passed. */
export function partsOf({ id, parts }: Pick<Check, 'id' | 'parts'>): readonly string[] {
  return (parts ?? ['']).map((part) => (part === '' ? id : `${id}/${part}`));
}

/** What the facts say of a check. */
export function judgeCheck(
  check: Check,
  view: View,
  facts: Facts,
  why: ReadonlyMap<Deviation, Explained>,
  error?: Error,
): Judgement {
  const missing = missingInputs(view.inputs, check.needs);
  if (missing.length > 0) {
    const detail = missing.map((name) => `${INPUT_HELP[name].variable} (${INPUT_HELP[name].meaning})`).join(', ');
    return {
      outcome: 'inconclusive',
      reason: 'missing-input',
      detail: `not given: ${detail}`,
      exchanges: [],
      causes: [],
    };
  }
  const thrown = error ?? check.uses.flatMap(({ id }) => view.errors.get(id) ?? [])[0];
  if (thrown) return { outcome: 'error', detail: thrown.message };
  const own = facts.deviations.filter(({ checks }) => checks.includes(check.id));
  const shown = own.filter((each) => isShownWith(each, why));
  const [first] = [...shown.filter((each) => !why.has(each)), ...shown];
  if (first) return { outcome: 'failed', deviation: first, all: shown };
  const [hidden] = own;
  if (hidden) {
    const causes = [...new Set(own.map((each) => rootOf(each, why)))];
    return {
      outcome: 'inconclusive',
      reason: 'precondition-failed',
      detail: hidden.message,
      exchanges: [hidden.x],
      causes,
    };
  }
  const undecided = (reason: InconclusiveReason, detail: string, exchanges: readonly Exchange[] = []): Judgement => ({
    ...{ outcome: 'inconclusive', reason: view.stopped ? 'deadline' : reason, exchanges, causes: [] },
    detail: view.stopped ? 'the run ended before this could be seen' : detail,
  });
  const doubt = facts.doubts.get(check.id);
  if (doubt && !doubt.isWeak) return undecided(doubt.reason, doubt.detail, doubt.exchanges);
  const witnesses = partsOf(check).map((key) => facts.witnesses.get(key));
  if (witnesses.every((each) => each)) {
    const detail = facts.details?.get(check.id);
    const exchanges = witnesses.flatMap((each) => each ?? []).slice(0, 4);
    return { outcome: 'passed', exchanges, ...(detail === undefined ? {} : { detail }) };
  }
  const absence = facts.absences.get(check.id);
  if (absence !== undefined) return { outcome: 'not-applicable', detail: absence };
  if (doubt) return undecided(doubt.reason, doubt.detail, doubt.exchanges);
  const items = check.uses.filter((each) => 'due' in each && each.due.checks.includes(check.id)).map(({ id }) => id);
  // Of a target that was given up, it is not known what a request would have been made of.
  if (!view.givenUp && items.length > 0 && items.every((id) => view.notBuildable.has(id)))
    return { outcome: 'not-applicable', detail: 'this request does not exist for these inputs' };
  const blocked = check.operations.flatMap((operation) => view.blocked[operation] ?? [])[0];
  if (blocked) return undecided(blocked.reason, blocked.detail, blocked.exchange ? [blocked.exchange] : []);
  if (view.givenUp) return undecided(view.givenUp.reason, view.givenUp.detail);
  return undecided('not-observable', 'no response of the run shows this');
}
