import { type OperationId, operationIds } from '../../contract/document.ts';
import { observationTraffic } from '../checks/observations.ts';
import type { OperationScope } from '../checks/selection.ts';
import type { Check } from '../judging/check.ts';
import { isProbe, type Scenario } from '../judging/traffic.ts';
import { operations } from '../operations/index.ts';
import type { Scope } from '../result/result.ts';
import { type Inputs, missingInputs } from '../target/inputs.ts';
import { usable } from '../traffic/combinations.ts';

/** The traffic of a run, for each operation that gets any. */
export type Plan = ReturnType<typeof planTraffic>;

/** The traffic that the selected checks need, and that inputs and scope allow. Observations are made unless checks were picked. */
export function planTraffic(checks: readonly Check[], inputs: Inputs, { leftOut, observed }: OperationScope) {
  const wanted = [
    ...checks.flatMap(({ uses }) => uses).filter(({ operation }) => !leftOut.has(operation)),
    ...observationTraffic.filter(({ operation }) => observed.has(operation)),
  ];
  const unique = [...new Map(wanted.map((each) => [each.id, each])).values()];
  const possible = unique.filter(({ needs }) => missingInputs(inputs, needs).length === 0);
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
    const combined = usable(operations.find((each) => each.id === id)?.combinations ?? [], scenarios);
    const covered = combined.flatMap(({ standsFor }) => standsFor.map(({ scenario }) => scenario));
    return [...combined, ...scenarios.filter((each) => !covered.includes(each))];
  };
  const perUser = operations.some(({ id, restoresUsers }) => restoresUsers && plan.has(id)) ? 1 + 2 + 3 : 0;
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
