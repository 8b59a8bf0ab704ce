import type { Check } from '../../conformance/judging/check.ts';
import type { Evidence } from '../../conformance/judging/evidence.ts';
import type { Exchange } from '../../conformance/http/exchange.ts';
import type { JsonObject } from '../../common/json.ts';
import { nameOf, obligationsOf, placeOf, type Obligation, type ObligationKind } from './obligations.ts';
import { lookAt, type Look } from './sightings.ts';

/** What a run on a server showed, and the checks that judged it. */
export interface CoveredRun {
  /** The server, by a name for people. */
  readonly server: string;
  readonly evidence: Evidence;
  readonly checks: readonly Check[];
}

/** What became of one thing that a contract has. */
export interface CoverageRow {
  readonly kind: ObligationKind;
  readonly pointer: string;
  /** The operation, the status, the media type; empty for a requirement. */
  readonly place: string;
  readonly name: string;
  /** Where each facet of it was seen; the server's name. */
  readonly seen: Readonly<Record<string, string>>;
  /** A check that fails if this is wrong in the same exchanges; for a requirement, one that passed. */
  readonly noticedBy?: string;
  /** What is missing, each in a sentence; none if it is exercised. */
  readonly holes: readonly string[];
}

function isExchange(value: object): value is Exchange {
  return 'request' in value && 'queuedAt' in value;
}

/** The same evidence with some exchanges replaced, wherever they stand in it. */
export function withExchanges(evidence: Evidence, replace: (exchange: Exchange) => Exchange): Evidence {
  const made = new Map<Exchange, Exchange>();
  const visit = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (isExchange(value)) {
      const other = made.get(value) ?? replace(value);
      made.set(value, other);
      return other;
    }
    if (Array.isArray(value)) return value.map(visit);
    if (value instanceof Map)
      return new Map([...(value as Map<unknown, unknown>)].map(([key, each]) => [key, visit(each)]));
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, visit(each)]));
  };
  const { exchanges, probes, scenarios, batches, blocked } = visit({
    exchanges: evidence.exchanges,
    probes: evidence.probes,
    scenarios: evidence.scenarios,
    batches: evidence.batches,
    blocked: evidence.blocked,
  }) as Evidence;
  const history: Evidence['history'] = (subject) => evidence.history(subject).map((each) => visit(each) as Exchange);
  return { ...evidence, exchanges, probes, scenarios, batches, blocked, history };
}

type OfRequirement = Extract<Obligation, { kind: 'requirement' }>;

/**
 * Covers what exchanges show.
 *
 * @param own the requirements that stand at the same place of the document; their checks are asked first
 */
function coverSeen(
  obligation: Exclude<Obligation, OfRequirement>,
  runs: readonly CoveredRun[],
  own: readonly string[],
): CoverageRow {
  const look = lookAt(obligation);
  const showing = runs.map((run) => ({ run, facets: new Set(run.evidence.exchanges.flatMap(look.facetsIn)) }));
  const seen = Object.fromEntries(
    obligation.facets.flatMap((facet) => {
      const first = showing.find(({ facets }) => facets.has(facet));
      return first ? [[facet, first.run.server]] : [];
    }),
  );
  const missing = obligation.facets.filter((facet) => !Object.hasOwn(seen, facet));
  const noticedBy = showing
    .filter(({ facets }) => facets.size > 0)
    .reduce<string | undefined>((found, { run }) => found ?? noticing(look, run, own), undefined);
  const unnoticed = look.wrong !== undefined && missing.length < obligation.facets.length && noticedBy === undefined;
  return {
    ...described(obligation),
    seen,
    ...(noticedBy === undefined ? {} : { noticedBy }),
    holes: [...missing.map(unseen), ...(unnoticed ? ['no check fails if it is wrong'] : [])],
  };
}

function unseen(facet: string): string {
  return facet === 'seen' ? 'no run shows it' : `no run shows it as ${facet}`;
}

/** The first check that fails if this is wrong in all exchanges of a run. */
function noticing({ wrong }: Look, { evidence, checks }: CoveredRun, own: readonly string[]): string | undefined {
  if (!wrong) return undefined;
  const otherwise = withExchanges(evidence, wrong);
  const isOwn = ({ requirements }: Check): boolean => requirements.some((id) => own.includes(id));
  const inOrder = [...checks.filter(isOwn), ...checks.filter((check) => !isOwn(check))];
  return inOrder.find(({ judge }) => judge(otherwise).outcome === 'failed')?.id;
}

function described(obligation: Obligation): Pick<CoverageRow, 'kind' | 'pointer' | 'place' | 'name'> {
  const { kind, pointer } = obligation;
  return { kind, pointer, place: placeOf(obligation), name: nameOf(obligation) };
}

function coverRequirement(
  obligation: OfRequirement,
  passed: ReadonlyMap<string, { readonly check: string; readonly server: string }>,
): CoverageRow {
  const found = passed.get(obligation.id);
  if (!found) return { ...described(obligation), seen: {}, holes: ['no check that judges it passed in any run'] };
  return { ...described(obligation), seen: { seen: found.server }, noticedBy: found.check, holes: [] };
}

/** For each requirement, the first check that judged it and passed. */
function passedRequirements(runs: readonly CoveredRun[]): Map<string, { check: string; server: string }> {
  const found = new Map<string, { check: string; server: string }>();
  for (const { server, evidence, checks } of runs) {
    for (const { id: check, requirements, judge } of checks) {
      if (judge(evidence).outcome !== 'passed') continue;
      for (const requirement of requirements) if (!found.has(requirement)) found.set(requirement, { check, server });
    }
  }
  return found;
}

/** The checks that a conforming server fails, which would make everything else look noticed. */
export function accusations(runs: readonly CoveredRun[]): string[] {
  return runs.flatMap(({ server, evidence, checks }) =>
    checks.filter(({ judge }) => judge(evidence).outcome === 'failed').map(({ id }) => `${id} fails on ${server}`),
  );
}

/** A row for each obligation, in their order; see `coverageOf`. */
export function cover(obligations: readonly Obligation[], runs: readonly CoveredRun[]): CoverageRow[] {
  const passed = passedRequirements(runs);
  const requirements = obligations.filter((each): each is OfRequirement => each.kind === 'requirement');
  return obligations.map((obligation) => {
    if (obligation.kind === 'requirement') return coverRequirement(obligation, passed);
    const own = requirements.filter(({ pointer }) => pointer === obligation.pointer).map(({ id }) => id);
    return coverSeen(obligation, runs, own);
  });
}

/**
 * Says of everything that a contract has whether runs exercise it: some exchange shows it, and some check fails if it
 * is wrong there. What has to be exercised is read from the document alone.
 *
 * @param document an OpenAPI document
 * @param runs on servers that keep the contract
 * @returns a row for each operation, parameter, security scheme, media type, status, header, property and requirement
 */
export function coverageOf(document: JsonObject, runs: readonly CoveredRun[]): CoverageRow[] {
  return cover(obligationsOf(document), runs);
}
