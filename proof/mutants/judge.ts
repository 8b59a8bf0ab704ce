import { refusalsOf } from '../../conformance/checks/refused-changes-nothing.ts';
import { type Judged, judgeFacts } from '../../conformance/model/judge.ts';
import { type Passed, passOver } from '../../conformance/model/pass.ts';
import { operations } from '../../conformance/operations/index.ts';
import { type FailureGroup, groupFailures } from '../../conformance/result/findings.ts';
import type { Exchange } from '../../conformance/http/exchange.ts';
import type { Check } from '../../conformance/model/check.ts';
import type { Deviation } from '../../conformance/model/facts.ts';
import { select } from '../../conformance/run/plan.ts';
import type { RunRecord } from '../../conformance/run/recording.ts';

export { parseRecording } from '../../conformance/run/recording.ts';

/** How a recording is judged: `outcomes` decide the verdict, `texts` is what people read beside them. */
export interface Judgement {
  readonly outcomes: string;
  readonly texts: () => string;
}

/** What the model that this module was bundled with finds in a recording. */
export function passedOver({ recording }: RunRecord): Passed {
  return passOver(recording, operations, { refusals: (item) => refusalsOf.get(item) });
}

/** The checks of a run. */
export function selectedOf({ selection, explores }: RunRecord): readonly Check[] {
  return select(selection, explores).selected;
}

/** Judges what was found by some checks. */
export function judgementOf(passed: Passed, selected: readonly Check[]): Judgement {
  const judged = judgeFacts(passed, selected);
  const groups = groupFailures(judged);
  return { outcomes: outcomesOf(judged, groups), texts: () => textsOf(judged, groups) };
}

function outcomesOf({ disturbed, checks }: Judged, groups: readonly FailureGroup[]): string {
  return JSON.stringify([
    disturbed !== undefined,
    checks.map(({ said }) => [
      said.outcome,
      'reason' in said && said.reason,
      'deviation' in said && said.deviation.mode,
    ]),
    groups.map(({ id, level, requirements, checks: own, consequences }) => [
      ...[id, level, requirements, own, consequences],
    ]),
  ]);
}

function textsOf({ disturbed, checks, view }: Judged, groups: readonly FailureGroup[]): string {
  const number = new Map(view.exchanges.map((x, index) => [x, index]));
  const numbers = (list: readonly Exchange[] = []): unknown => list.map((x) => number.get(x));
  const shown = ({ message, expected, actual, old, pointer, shows, x, also }: Deviation): unknown[] => [
    ...[message, expected, actual, old, pointer, numbers(shows), number.get(x), numbers(also)],
  ];
  return JSON.stringify([
    disturbed,
    checks.map(({ said }) => [
      'detail' in said && said.detail,
      'exchanges' in said && numbers(said.exchanges),
      'deviation' in said && shown(said.deviation),
    ]),
    groups.map(({ seen, lead }) => [seen, shown(lead)]),
  ]);
}
