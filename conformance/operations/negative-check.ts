import type { Level } from '../../contract/document.ts';
import type { Due } from '../http/due.ts';
import type { RequestSpec } from '../http/exchange.ts';
import type { InputName } from '../resources/inputs.ts';
import type { RequestBuilder } from '../resources/requests.ts';
import type { Check } from '../model/check.ts';
import type { Control, Probe } from '../model/recording/items.ts';

export const REFUSAL_FAILURE_MODES = {
  accepted: 'A request that must be refused was accepted with a 2xx status. Refuse it, and change nothing.',
  'wrong-status': 'The request was refused, but not with the status in the contract. Respond with that status.',
  'no-response':
    'The connection was closed without a response. Respond with the status and the error body of the contract.',
} as const;

/** What a negative check is made from. */
export interface NegativeCheck extends Pick<Check, 'id' | 'area' | 'requirements' | 'title'>, Pick<Probe, 'phase'> {
  /** Default `must`. */
  readonly level?: Level;
  /** The requirement that each request contradicts if it is not refused, in their order, where they differ. */
  readonly blame?: readonly string[];
  /** What its requests need; what the controls need is added. */
  readonly needs?: readonly InputName[];
  /** The requests, each with one defect; the target must refuse all of them. Undefined if one does not exist for the inputs. */
  readonly requests: readonly ((requests: RequestBuilder) => RequestSpec | undefined)[];
  /** The statuses of a refusal; any of them is right. */
  readonly refusals: readonly number[];
  /** The requests without the defect that the target must accept in the same run; all for one operation. */
  readonly controls: readonly [Control, ...Control[]];
}

/** A check that the target refuses each of some requests as the contract says. The traffic of its controls is sent with it. */
export function negativeCheck(given: NegativeCheck): Check {
  const { needs: own = [], requests, refusals, controls, blame, ...described } = given;
  const { phase, level = 'must', ...check } = described;
  const { operation } = controls[0];
  const controlTraffic = controls.map(({ traffic }) => traffic);
  const needs = [...new Set([...own, ...controlTraffic.flatMap((each) => each.needs)])];
  const due = (index: number): Due => ({
    class: 'refuse',
    statuses: refusals,
    requirements: blame?.[index] === undefined ? check.requirements : [blame[index]],
    level,
    checks: [check.id],
    controls: controls.map((control) => ({ operation: control.operation, members: control.members })),
  });
  const probes = requests.map((build, index) => ({
    id: requests.length === 1 ? check.id : `${check.id}-${index + 1}`,
    operation,
    needs,
    build,
    due: due(index),
    ...(phase && { phase }),
  }));
  return {
    ...check,
    level,
    operations: [operation],
    needs,
    uses: [...probes, ...controlTraffic],
    failureModes: REFUSAL_FAILURE_MODES,
  };
}
