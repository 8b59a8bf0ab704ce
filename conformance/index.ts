import type { Result } from './result.ts';
import { run as judge, type RunOptions } from './runner.ts';
import { DEFAULT_EMAIL_DOMAIN, inputsProblem, type Inputs } from './inputs.ts';

export {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
} from '../reference-server/server.ts';
export { defaultSeed, type Seed } from '../reference-server/seed.ts';
export {
  contractDocument,
  openPoints,
  requirements,
  type Level,
  type OpenPoint,
  type Requirement,
} from '../contract/document.ts';
export type { Check, CouldNotRunReason, Failure } from './check.ts';
export { checks } from './checks/catalogue.ts';
export { DEFAULT_LIMITS, type Limits } from './client.ts';
export type { Hint } from './diagnosis.ts';
export type { Observation } from './observations.ts';
export type { CheckResult, ExchangeRecord, RequirementResult, Restoration, Result } from './result.ts';
export type { RunEvent, RunOptions } from './runner.ts';
export { EXIT_CODES, type BaselineEntry, type Outcome, type Verdict } from './verdict.ts';

/** What the operator says of a target. What is missing makes the checks that need it `could-not-run`. */
export interface Target extends Omit<Inputs, 'baseUrl' | 'emailDomain'> {
  /** What `{base_url}` of the contract stands for; may have a path. */
  readonly baseUrl: string | URL;
  /** The domain of the addresses that are sent; default `example.com`. */
  readonly emailDomain?: string;
}

/**
 * Judges a target.
 *
 * @returns the result, the same object that every report is made from
 * @throws TypeError if `baseUrl` is no URL or another input cannot be right; InvalidSelection if `only` or `skip` match nothing
 */
export async function run(target: Target, options: RunOptions = {}): Promise<Result> {
  const { baseUrl, emailDomain = DEFAULT_EMAIL_DOMAIN, ...told } = target;
  const inputs = { ...told, baseUrl: new URL(baseUrl), emailDomain };
  const problem = inputsProblem(inputs);
  if (problem !== undefined) throw new TypeError(problem);
  return judge(inputs, options);
}
