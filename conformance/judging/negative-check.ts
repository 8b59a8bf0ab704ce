import type { Level } from '../../contract/document.ts';
import type { Due } from '../http/due.ts';
import type { RequestSpec } from '../http/exchange.ts';
import type { InputName } from '../target/inputs.ts';
import type { RequestBuilder } from '../target/requests.ts';
import type { Check } from './check.ts';
import type { Evidence } from './evidence.ts';
import { judgeRefusal, REFUSAL_FAILURE_MODES } from './outcomes.ts';
import type { Control, Probe } from './traffic.ts';

/** What a negative check is made from. */
export interface NegativeCheck
  extends
    Pick<Check, 'id' | 'area' | 'requirements' | 'title' | 'restsOn' | 'sameFaultAs'>,
    Pick<Probe, 'mayBeFatal' | 'mayBreakUser'> {
  /** Default `must`. */
  readonly level?: Level;
  /** The requirement that each request contradicts if it is not refused, in their order, where they differ. */
  readonly blame?: readonly string[];
  /** Ids of the checks whose failure explains that a request was accepted. */
  readonly explainedBy?: (evidence: Evidence) => readonly string[];
  /** As `sameFaultAs`, for a request that was accepted in this run. */
  readonly acceptedLike?: (evidence: Evidence) => readonly string[];
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
  const { needs: own = [], requests, refusals, controls, blame, explainedBy, acceptedLike, ...described } = given;
  const { mayBeFatal, mayBreakUser, ...check } = described;
  const dueOf = (index: number): Due => ({
    class: 'refuse',
    statuses: refusals,
    requirements: blame?.[index] === undefined ? check.requirements : [blame[index]],
    level: check.level ?? 'must',
    checks: [check.id],
    controls: controls.map(({ operation: accepted, members }) => ({ operation: accepted, members })),
  });
  const { operation } = controls[0];
  const controlTraffic = controls.map(({ traffic }) => traffic);
  const needs = [...new Set([...own, ...controlTraffic.flatMap((each) => each.needs)])];
  const probes = requests.map((build, index) => ({
    id: requests.length === 1 ? check.id : `${check.id}-${index + 1}`,
    operation,
    needs,
    build,
    due: dueOf(index),
    ...(mayBeFatal && { mayBeFatal }),
    ...(mayBreakUser && { mayBreakUser }),
    ...(blame?.[index] !== undefined && { requirements: [blame[index]] }),
  }));
  return {
    level: 'must',
    ...check,
    operations: [operation],
    needs,
    uses: [...probes, ...controlTraffic],
    failureModes: REFUSAL_FAILURE_MODES,
    judge: (evidence) => {
      const judgement = judgeRefusal(evidence, probes, refusals, controls);
      if (judgement.outcome !== 'failed' || judgement.failure.mode !== 'accepted') return judgement;
      return {
        ...judgement,
        ...(explainedBy ? { restsOn: explainedBy(evidence) } : {}),
        ...(acceptedLike ? { sameFaultAs: acceptedLike(evidence) } : {}),
      };
    },
  };
}
