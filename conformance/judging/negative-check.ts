import type { Level } from '../../contract/document.ts';
import type { Probe, Check, ControlShape, Lane } from './check.ts';
import type { RequestSpec } from '../http/exchange.ts';
import type { InputName } from '../target/inputs.ts';
import type { RequestBuilder } from '../target/requests.ts';
import { judgeRefusal, REFUSAL_FAILURE_MODES, type Refusal } from './outcomes.ts';
import { CONTROL_SCENARIOS } from '../operations/update-user/scenarios.ts';

export interface RefusalCheck {
  readonly id: string;
  readonly area: string;
  readonly level?: Level;
  readonly requirements: readonly string[];
  readonly title: string;
  readonly lane?: Lane;
  readonly needs: readonly InputName[];
  /** The requests, each with the one defect; all must be refused. */
  readonly requests: readonly ((requests: RequestBuilder) => RequestSpec | undefined)[];
  readonly refusals: readonly Refusal[];
  /** The requests without the defect that must be accepted in the same run. */
  readonly controls: readonly Exclude<ControlShape, 'banners'>[];
}

/** A check that every one of some requests is refused as the contract says. */
export function refusalCheck(given: RefusalCheck): Check {
  const { id, area, level = 'must', requirements, title, lane = 'users', requests, refusals } = given;
  const controls: readonly ControlShape[] = lane === 'banners' ? ['banners'] : given.controls;
  const scenarios = given.controls.map((shape) => CONTROL_SCENARIOS[shape]);
  const needs = [...new Set([...given.needs, ...scenarios.flatMap((scenario) => scenario.needs)])];
  const probes: Probe[] = requests.map((build, index) => ({
    id: requests.length === 1 ? id : `${id}-${index + 1}`,
    lane,
    needs,
    build,
  }));
  return {
    id,
    area,
    level,
    requirements,
    title,
    lane,
    needs,
    uses: [...probes, ...scenarios],
    failureModes: REFUSAL_FAILURE_MODES,
    judge: (evidence) => judgeRefusal(evidence, probes, refusals, controls, lane),
  };
}
