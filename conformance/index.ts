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

import { createReferenceServer as startReferenceServer, type ReferenceServer } from '../reference-server/server.ts';
import type { Seed } from '../reference-server/seed.ts';
import type { CheckDescription } from './model/check.ts';
import { checks as catalogue } from './checks/catalogue.ts';

export type { ReferenceServer } from '../reference-server/server.ts';
export type { Store } from '../reference-server/rules.ts';
export { defaultSeed, type Seed } from '../reference-server/seed.ts';
export {
  contractDocument,
  openPoints,
  requirements,
  type Banners,
  type BodyObject,
  type ContractDocument,
  type JsonSchema,
  type Level,
  type MediaTypeObject,
  type ObjectSchema,
  type OpenPoint,
  type OperationId,
  type OperationObject,
  type PossibleObservation,
  type Requirement,
  type ResponseObject,
  type SchemaName,
  type User,
} from '../contract/document.ts';
export { assertCheck, assertVerdict, ConformanceError, skipReason } from './report/assertions.ts';
export type { CheckDescription } from './model/check.ts';
export type { Again, Failure } from './result/result.ts';
export type { EarlierFinding } from './result/again.ts';
export { INCONCLUSIVE_REASONS, type InconclusiveReason } from './model/reasons.ts';
export { DEFAULT_LIMITS, type Limits } from './http/policy/limits.ts';
export type { Route } from './http/transport/route.ts';
export type { Transport, TransportRequest, TransportResponse } from './http/transport/transport.ts';
export type { Hint } from './result/hints/hints.ts';
export type { TransportError } from './http/exchange.ts';
export { ExplorerMissing, type ExploreOptions } from './traffic/explore-options.ts';
export type { IdInput, InputName, Named, Writable } from './resources/inputs.ts';
export * from './run/library.ts';
export type { Observation } from './checks/observations.ts';
export type { MemberRestoration, Restoration, UserRestoration } from './traffic/keeping/restoration.ts';
export type {
  CheckResult,
  Counts,
  ExchangeRecord,
  Finding,
  RequirementResult,
  Result,
  Scope,
} from './result/result.ts';
export { RunRefused } from './traffic/run-refused.ts';
export { InvalidSelection } from './checks/selection.ts';
export {
  EXIT_CODES,
  type BaselineEntry,
  type BaselineProblem,
  type CheckEntry,
  type FindingEntry,
  type Outcome,
  type Verdict,
} from './result/verdict.ts';

/**
 * Every check of the suite as data, by area: for one test per check, filtered by `level`, `area`, `operations` or
 * `needs` (the inputs).
 */
export const checks: readonly CheckDescription[] = catalogue;

/** How the reference server is started. All of it may be left out. */
export interface ReferenceServerOptions {
  /** The address to listen on; default 127.0.0.1. */
  readonly host?: string;
  /** The port to listen on; default 0, a free one. */
  readonly port?: number;
  /** Its keys, users and banners; default `defaultSeed`. */
  readonly seed?: Seed;
}

/**
 * Starts the reference server in this process: the smallest server that implements the contract, with its users in memory.
 *
 * @returns the server, once it listens; end it with `close`
 * @throws Error from node:net (it has a `code`, such as EADDRINUSE) if the address cannot be listened on
 */
export function createReferenceServer(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  return startReferenceServer(options);
}
