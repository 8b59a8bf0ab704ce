import type { Check } from '../../conformance/model/check.ts';
import { refusalsOf } from '../../conformance/checks/refused-changes-nothing.ts';
import type { Recording } from '../../conformance/model/recording/recording.ts';
import { judgeRecording } from '../../conformance/model/judge.ts';
import { operations } from '../../conformance/operations/index.ts';
import type { JsonObject } from '../../common/json.ts';
import { obligationsOf, type Obligation } from './obligations.ts';
import { SEEN, type Look } from './sightings.ts';

/** What a run on a server showed, and the checks that judged it. */
export interface CoveredRun {
  /** The server, by a name for people. */
  readonly server: string;
  readonly recording: Recording;
  readonly checks: readonly Check[];
}

/** What became of one part of a contract. */
export interface CoverageRow extends Obligation {
  /** The name of the server on which each facet of it was seen. */
  readonly seen: Readonly<Record<string, string>>;
  /** A check that fails if this is corrupted in the same exchanges; for a requirement, one that passed. */
  readonly noticedBy?: string;
  /** What is missing, each in a sentence; none if it is exercised. */
  readonly holes: readonly string[];
}

function outcomesOf({ checks }: CoveredRun, recording: Recording): ReadonlyMap<string, string> {
  const rows = { refusals: (item: string) => refusalsOf.get(item) };
  const judged = judgeRecording(recording, checks, operations, rows);
  return new Map(judged.checks.map(({ check, said }) => [check.id, said.outcome]));
}

/** What runs show of one obligation: those that show it, and the server on which each facet was seen first. */
function sightingOf(obligation: Obligation, look: Look, runs: readonly CoveredRun[]) {
  const shown = runs.map((run) => ({ run, facets: new Set(run.recording.exchanges.flatMap(look.facetsIn)) }));
  const seen = obligation.facets.flatMap((facet) => {
    const first = shown.find(({ facets }) => facets.has(facet));
    return first ? [[facet, first.run.server] as const] : [];
  });
  const showing = shown.filter(({ facets }) => facets.size > 0).map(({ run }) => run);
  return { obligation, look, showing, seen: Object.fromEntries(seen) as CoverageRow['seen'] };
}

type Sighting = ReturnType<typeof sightingOf>;

/**
 * Covers what exchanges show. The types of a property need to be seen once in its schema, wherever that is shown; in each
 * place the property needs to be seen, but for the elements of an array, which may be empty there.
 *
 * @param same what runs show of the same part of the same schema, in all places
 * @param own the requirements at the same place of the document; their checks are asked first
 */
function coverSeen(
  { obligation, look, showing, seen }: Sighting,
  same: readonly Sighting[],
  own: readonly string[],
): CoverageRow {
  const isShown = Object.keys(seen).length > 0;
  const maySeeElsewhere = isShown || obligation.name.includes('[]');
  const elsewhere = maySeeElsewhere ? same.flatMap((each) => Object.entries(each.seen)) : [];
  const all: CoverageRow['seen'] = { ...Object.fromEntries(elsewhere.reverse()), ...seen };
  const missing = obligation.facets.filter((facet) => !Object.hasOwn(all, facet));
  const noticedBy = showing.reduce<string | undefined>((found, run) => found ?? noticing(look, run, own), undefined);
  const unnoticed = look.wrong !== undefined && isShown && noticedBy === undefined;
  const holes = [...missing.map(unseen), ...(unnoticed ? ['no check fails if it is wrong'] : [])];
  return { ...obligation, seen: all, ...(noticedBy === undefined ? {} : { noticedBy }), holes };
}

function unseen(facet: string): string {
  return facet === SEEN ? 'no run shows it' : `no run shows it as ${facet}`;
}

/** The first check that fails if this is corrupted in all exchanges of a run. */
function noticing({ wrong }: Look, run: CoveredRun, own: readonly string[]): string | undefined {
  if (!wrong) return undefined;
  const { recording, checks } = run;
  const outcomes = outcomesOf(run, { ...recording, exchanges: recording.exchanges.map(wrong) });
  const isOwn = ({ requirements }: Check): boolean => requirements.some((id) => own.includes(id));
  const inOrder = [...checks.filter(isOwn), ...checks.filter((check) => !isOwn(check))];
  return inOrder.find(({ id }) => outcomes.get(id) === 'failed')?.id;
}

/** For each requirement, the first check that judged it and passed. */
function passedRequirements(runs: readonly CoveredRun[]): Map<string, { check: string; server: string }> {
  const found = new Map<string, { check: string; server: string }>();
  for (const run of runs) {
    const { server, recording, checks } = run;
    const outcomes = outcomesOf(run, recording);
    for (const { id: check, requirements } of checks) {
      if (outcomes.get(check) !== 'passed') continue;
      for (const requirement of requirements) if (!found.has(requirement)) found.set(requirement, { check, server });
    }
  }
  return found;
}

/** The checks that a conforming server fails, which would make everything else look noticed. */
export function falseFailures(runs: readonly CoveredRun[]): string[] {
  return runs.flatMap((run) =>
    [...outcomesOf(run, run.recording)].flatMap(([id, outcome]) =>
      outcome === 'failed' ? [`${id} fails on ${run.server}`] : [],
    ),
  );
}

/** A row for each obligation, in their order; see `coverageOf`. */
export function cover(obligations: readonly Obligation[], runs: readonly CoveredRun[]): CoverageRow[] {
  const passed = passedRequirements(runs);
  const requirements = obligations.filter(({ look }) => look === undefined);
  const sightings = obligations.flatMap((each) => (each.look ? [sightingOf(each, each.look, runs)] : []));
  return obligations.map((obligation) => {
    const { kind, name, pointer } = obligation;
    const sighting = sightings.find((each) => each.obligation === obligation);
    if (sighting) {
      const own = requirements.filter((each) => each.pointer === pointer).map((each) => each.name);
      const isSame = ({ obligation: other }: Sighting): boolean => other.pointer === pointer && other.kind === kind;
      return coverSeen(sighting, kind.endsWith('-property') ? sightings.filter(isSame) : [], own);
    }
    const found = passed.get(name);
    if (!found) return { ...obligation, seen: {}, holes: ['no check that judges it passed in any run'] };
    return { ...obligation, seen: { [SEEN]: found.server }, noticedBy: found.check, holes: [] };
  });
}

/**
 * Says of every part of a contract whether runs exercise it: some exchange shows it, and some check fails if it is
 * corrupted there. What has to be exercised is read from the document alone.
 *
 * @param document an OpenAPI document
 * @param runs on conforming servers
 * @returns a row for each operation, parameter, security scheme, media type, status, header, property and requirement
 */
export function coverageOf(document: JsonObject, runs: readonly CoveredRun[]): CoverageRow[] {
  return cover(obligationsOf(document), runs);
}
