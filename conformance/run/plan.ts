import { LEVELS, type OperationId, operationIds } from '../../contract/document.ts';
import { observationTraffic } from '../checks/observations.ts';
import { checks, explorationChecks } from '../checks/catalogue.ts';
import { operationScope, type OperationScope, selectChecks } from '../checks/selection.ts';
import type { Check } from '../model/check.ts';
import { isProbe, type Scenario, type Traffic, combinedTraffic } from '../model/recording/items.ts';
import { operations } from '../operations/index.ts';
import type { Result, Scope } from '../result/result.ts';
import { type Inputs, missingInputs } from '../resources/inputs.ts';

/** What is chosen of the catalogue. */
export type Selected = ReturnType<typeof select>;

/**
 * The checks that are selected, and those that could be.
 *
 * @throws InvalidSelection if `only` or `skip` match nothing, or leave nothing
 */
export function select({ only, skip }: Pick<Result['selection'], 'only' | 'skip'>, explores: boolean) {
  const offered = explores ? [...checks, ...explorationChecks] : checks;
  const kept = new Set(selectChecks(offered, [], skip).map(({ id }) => id));
  /** What is due only to checks that are skipped is not sent for others either: a target may not survive it. */
  const isSent = (each: Traffic): boolean => !('due' in each) || each.due.checks.some((id) => kept.has(id));
  const selected = selectChecks(offered, only, skip).filter(({ uses }) => {
    const own = uses.filter((each) => 'due' in each);
    return own.length === 0 || own.some(isSent);
  });
  const levels = LEVELS.filter((level) => only.includes(level));
  const mayComeAlong = selectChecks(checks, [], skip).filter(
    ({ level }) => levels.length === 0 || levels.includes(level),
  );
  return { offered, selected, mayComeAlong, isSent, scope: operationScope(selected, only, skip) };
}

/** What is sent together with some of these scenarios: a fault that shows in a sequence of updates may not show in a part of it. */
function inSequence(wanted: readonly Traffic[], offered: ReadonlySet<Traffic>): readonly Traffic[] {
  const chosen = new Set(wanted);
  return operations
    .flatMap(({ combinations = [] }) => combinations)
    .filter(({ phase, insteadOf }) => phase !== 'unusual' && insteadOf.some((each) => chosen.has(each)))
    .flatMap(({ insteadOf }) => insteadOf.filter((each) => offered.has(each)));
}

/** The traffic of a run, for each operation that gets any. */
export type Plan = ReturnType<typeof planTraffic>;

/**
 * The traffic that comes along with the selected checks: what some of them name, and for those that look at all that their
 * operations respond, the traffic of all checks of these operations.
 */
function trafficAlong(selected: readonly Check[], others: readonly Check[]): readonly Traffic[] {
  const offered = new Set(others.flatMap(({ uses }) => uses));
  const named = [
    ...selected
      .flatMap(({ alongside }) => (alongside === 'all' ? [] : (alongside ?? [])))
      .filter((each) => offered.has(each)),
    ...inSequence(
      selected.flatMap(({ uses }) => uses),
      offered,
    ),
  ];
  const looking = selected.filter(({ alongside }) => alongside === 'all');
  if (looking.length === 0) return named;
  const addressed = new Set(looking.flatMap(({ operations: own }) => own));
  // An operation that works shows that the API responds, and not something in front of it.
  const controls = operations.map(({ control }) => control.traffic);
  const own = others.flatMap(({ uses }) => uses).filter(({ operation }) => addressed.has(operation));
  return [...named, ...own, ...controls];
}

/**
 * The traffic that the selected checks need, and that inputs and scope allow. Observations are made unless checks were picked.
 *
 * @param mayComeAlong the checks whose traffic may be sent with that of others
 * @param isSent whether an item of the traffic is sent at all
 */
export function planTraffic(
  selected: readonly Check[],
  inputs: Inputs,
  { leftOut, observed }: OperationScope,
  mayComeAlong: readonly Check[] = [],
  isSent: Selected['isSent'] = () => true,
) {
  const wanted = [
    ...[...selected.flatMap(({ uses }) => uses), ...trafficAlong(selected, mayComeAlong)].filter(
      ({ operation }) => !leftOut.has(operation),
    ),
    ...observationTraffic.filter(({ operation }) => observed.has(operation)),
  ];
  const unique = [...new Map(wanted.map((each) => [each.id, each])).values()];
  const possible = unique.filter((each) => isSent(each) && missingInputs(inputs, each.needs).length === 0);
  return new Map(
    operations.flatMap(({ id }) => {
      const own = possible.filter(({ operation }) => operation === id);
      const probes = own.filter(isProbe);
      const scenarios = own.filter((each): each is Scenario => !isProbe(each));
      return own.length === 0 ? [] : [[id, { probes, scenarios }] as const];
    }),
  );
}

/** About how many requests a target gets that shows the state of its users in the response to `{}`. */
export function expectedRequests(plan: Plan, inputs: Inputs): number {
  const subjects = inputs.otherUserId === undefined ? 1 : 2;
  const ofScenario = ({ steps, concurrent }: Pick<Scenario, 'steps' | 'concurrent'>): number =>
    (steps.length + subjects) * (concurrent?.rounds(inputs) ?? 1);
  /** What is sent for some scenarios. */
  const sent = (id: OperationId, scenarios: readonly Scenario[]): Pick<Scenario, 'steps' | 'concurrent'>[] => {
    const { combined, single } = combinedTraffic(
      operations.find((each) => each.id === id)?.combinations ?? [],
      scenarios,
    );
    return [...combined, ...single];
  };
  const perUser = operations.some(({ id, updates }) => updates && plan.has(id)) ? 1 + 2 + 3 : 0;
  const counts = [...plan].flatMap(([id, { probes, scenarios }]) => [
    ...probes.map(({ times = 1 }) => times),
    ...sent(id, scenarios).map(ofScenario),
  ]);
  return counts.reduce((total, count) => total + count, subjects * perUser);
}

/** What a result says of its scope. */
export function describeScope(selected: readonly Check[], all: readonly Check[], { leftOut }: OperationScope): Scope {
  return {
    operations: operationIds.filter((operation) => selected.some((check) => check.operations.includes(operation))),
    leftOut: operationIds.filter((operation) => leftOut.has(operation)),
    checks: selected.length,
    of: all.length,
  };
}
