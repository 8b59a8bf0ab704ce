/**
 * The conformance suite as a library: judge a target, and let each check be a test of your own runner.
 *
 * ```js
 * import { run } from 'admin-api-conformance';
 *
 * const { verdict, checks } = await run({ baseUrl: 'http://localhost:4242', adminKey: process.env.ADMIN_KEY, userId: 4 });
 * ```
 *
 * `run` judges, `assertCheck` and `assertVerdict` make tests of its result, `checks`, `requirements` and `openPoints` are the
 * catalogue as data, and `createReferenceServer` starts a server that implements the contract. Where a text names a source, it means
 * the chapter of the source document that the contract was made from.
 *
 * @packageDocumentation
 */

import { checks as catalogue } from './checks/catalogue.ts';
import type { Check } from './engine/check.ts';
import { type Inputs, InvalidInputs, readInputs, unknownName } from './inputs.ts';
import type { Result } from './facts/result.ts';
import { type RunOptions, runTarget } from './run.ts';

export {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
} from '../reference-server/server.ts';
export type { Store } from '../reference-server/rules.ts';
export { defaultSeed, type Seed } from '../reference-server/seed.ts';
export {
  contractDocument,
  openPoints,
  requirements,
  type ContractDocument,
  type Level,
  type OpenPoint,
  type OperationId,
  type Requirement,
} from '../contract/document.ts';
export { InvalidSelection } from './checks/selection.ts';
export type { Route } from './http/route.ts';
export type { Transport, TransportRequest, TransportResponse } from './http/transport.ts';
export { DEFAULT_EMAIL_DOMAIN, type InputName, InvalidInputs } from './inputs.ts';
export { assertCheck, assertVerdict, ConformanceError, skipReason } from './report/assertions.ts';
export type { BaselineEntry } from './result/baseline.ts';
export { EXIT_CODES } from './facts/result.ts';
export type * from './facts/result.ts';
export type { RunEvent, RunOptions } from './run.ts';

/** A check as data. */
export type CheckDescription = Pick<Check, 'id' | 'area' | 'level' | 'title' | 'requirement'> & {
  /** The inputs without which it is inconclusive. */
  readonly needs: Check['inputs'];
};

/** Every check of the suite, in the order in which they run: for one test per check, filtered by `level`, `area` or `needs`. */
export const checks: readonly CheckDescription[] = catalogue.map(({ id, area, level, title, requirement, inputs }) => ({
  id,
  area,
  level,
  title,
  requirement,
  needs: inputs,
}));

/**
 * What is said of a target. Nothing is guessed: what is left out makes the checks that need it `inconclusive`.
 * Ids may be numbers; larger ones than a JavaScript number holds exactly are given as texts.
 */
export type TargetInputs = {
  /** The address of the target: `http` or `https`; it may have a path. */
  readonly baseUrl: string | URL;
} & {
  readonly [Name in keyof Inputs as Exclude<Name, 'baseUrl'>]?: Readonly<Inputs[Name]> | NumberFor<Name> | undefined;
};

type NumberFor<Name> = Name extends 'userId' | 'otherUserId' | 'missingUserId' ? number : never;

/**
 * Judges a target: sends the requests of the selected checks, restores the users, and says which requirements of the contract
 * hold. It prints nothing. It ends by `deadline`, however the target behaves; restoring the users takes at most ten seconds more.
 *
 * @param target where it is, and what may be done there
 * @param options what is selected, bounds, `signal`, `onEvent`
 * @returns the result, from which every report is made; times in it are in ms
 * @throws InvalidInputs if an input, an option or the address of the proxy is wrong; then nothing was sent
 * @throws InvalidSelection if `only` or `skip` match nothing, or leave nothing; then nothing was sent
 * @throws Error from node:fs (it has a `syscall`) if the journal cannot be written, or would take the place of a file; then no user
 * was written to
 */
export async function run(target: TargetInputs, options: RunOptions = {}): Promise<Result> {
  refuseUnknown(options);
  return runTarget(readInputs({ ...target }), options);
}

/** The options of a run; the compiler names one that is missing here. */
const OPTIONS: Readonly<Record<keyof RunOptions, (value: unknown) => boolean>> = {
  only: Array.isArray,
  skip: Array.isArray,
  again: isObject,
  failOn: (value) => value === 'must' || value === 'should',
  baseline: Array.isArray,
  baselineFile: isText,
  timeout: isTime,
  deadline: isTime,
  patience: isTime,
  route: isObject,
  transport: () => true,
  journal: (value) => value === false || isText(value),
  signal: (value) => value instanceof AbortSignal,
  command: isText,
  onEvent: (value) => typeof value === 'function',
};

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

/** @throws InvalidInputs for the first option that does not exist, or has a value of another type */
function refuseUnknown(options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) throw new InvalidInputs(unknownName('option', name, Object.keys(OPTIONS)));
    const isRight = value === undefined || OPTIONS[name as keyof RunOptions](value);
    if (!isRight)
      throw new InvalidInputs(
        `${name}: ${typeof value === 'object' ? 'this value' : String(value)} is not what this option takes.`,
      );
  }
}
