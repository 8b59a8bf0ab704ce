import type { Check } from '../../conformance/model/check.ts';
import { refusalsOf } from '../../conformance/checks/refused-changes-nothing.ts';
import type { Recording } from '../../conformance/model/recording/recording.ts';
import { judgeRecording } from '../../conformance/model/judge.ts';
import { operations } from '../../conformance/operations/index.ts';
import type { RunOptions } from '../../conformance/run/events.ts';
import { judgeTarget } from '../../conformance/run/run.ts';
import { called, variants } from '../../proof/catalogue.ts';
import { inputsFor, withBehaviour } from '../../proof/servers/behaviour.ts';
import { SEEN, type Look, type Part } from './parts.ts';

/** What a run on a server showed, and the checks that judged it. */
export interface CoveredRun {
  /** The server, by a name for people. */
  readonly server: string;
  readonly recording: Recording;
  readonly checks: readonly Check[];
}

/** What became of one part of a contract. */
export interface CoverageRow extends Part {
  /** The name of the server on which each facet of it was seen. */
  readonly seen: Readonly<Record<string, string>>;
  /** A check that fails if this is corrupted in the same exchanges; for a requirement, one that passed. */
  readonly noticedBy?: string;
  /** What is missing, each in a sentence; none if it is exercised. */
  readonly holes: readonly string[];
}

/**
 * Conforming variants that show what the reference server, with one form of each value, does not: a null name, a null
 * username, and roles as objects.
 */
const VARIANTS = ['null-name', 'null-username-and-seen-at', 'roles-as-objects-both-ways'] as const;

/**
 * Runs the suite on a conforming variant, or on the reference server.
 *
 * @returns what was seen, and the checks that judged it
 */
export function coveredRun(
  variant: string | undefined,
  options: Pick<RunOptions, 'only' | 'skip'> = {},
): Promise<CoveredRun> {
  const { behaviour, inputs } = variant === undefined ? { behaviour: {}, inputs: {} } : called(variants, variant);
  return withBehaviour(
    behaviour,
    async ({ url, seed, reach }) => {
      let judging: Omit<CoveredRun, 'server'> | undefined;
      await judgeTarget(inputsFor(url, seed, inputs), {
        ...reach,
        ...options,
        onEvent: (event) => {
          if (event.type === 'judging') judging = event;
        },
      });
      if (!judging) throw new Error('The run ended before its checks were judged.');
      return { server: variant ?? 'reference server', recording: judging.recording, checks: judging.checks };
    },
    false,
  );
}

/** The runs that the coverage of the contract is computed from. */
export function allRuns(): Promise<CoveredRun[]> {
  return Promise.all([undefined, ...VARIANTS].map((variant) => coveredRun(variant)));
}

function outcomesOf({ checks }: CoveredRun, recording: Recording): ReadonlyMap<string, string> {
  const rows = { refusals: (item: string) => refusalsOf.get(item) };
  const judged = judgeRecording(recording, checks, operations, rows);
  return new Map(judged.checks.map(({ check, said }) => [check.id, said.outcome]));
}

/** What runs show of one part: those that show it, and the server on which each facet was seen first. */
function sightingOf(part: Part, look: Look, runs: readonly CoveredRun[]) {
  const shown = runs.map((run) => ({ run, facets: new Set(run.recording.exchanges.flatMap(look.facetsIn)) }));
  const seen = part.facets.flatMap((facet) => {
    const first = shown.find(({ facets }) => facets.has(facet));
    return first ? [[facet, first.run.server] as const] : [];
  });
  const showing = shown.filter(({ facets }) => facets.size > 0).map(({ run }) => run);
  return { part, look, showing, seen: Object.fromEntries(seen) as CoverageRow['seen'] };
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
  { part, look, showing, seen }: Sighting,
  same: readonly Sighting[],
  own: readonly string[],
): CoverageRow {
  const isShown = Object.keys(seen).length > 0;
  const elsewhere = isShown || part.name.includes('[]') ? same.flatMap((each) => Object.entries(each.seen)) : [];
  const all: CoverageRow['seen'] = { ...Object.fromEntries(elsewhere.reverse()), ...seen };
  const noticedBy = showing.reduce<string | undefined>((found, run) => found ?? noticing(look, run, own), undefined);
  const missing = part.facets.filter((facet) => !Object.hasOwn(all, facet));
  const holes = missing.map((facet) => (facet === SEEN ? 'no run shows it' : `no run shows it as ${facet}`));
  if (look.wrong !== undefined && isShown && noticedBy === undefined) holes.push('no check fails if it is wrong');
  return { ...part, seen: all, ...(noticedBy === undefined ? {} : { noticedBy }), holes };
}

/** The first check that fails if this is corrupted in all exchanges of a run. */
function noticing({ wrong }: Look, run: CoveredRun, own: readonly string[]): string | undefined {
  if (!wrong) return undefined;
  const { recording, checks } = run;
  const outcomes = outcomesOf(run, { ...recording, exchanges: recording.exchanges.map(wrong) });
  const isOwn = ({ requirements }: Check): boolean => requirements.some((id) => own.includes(id));
  const failed = checks.filter(({ id }) => outcomes.get(id) === 'failed');
  return (failed.find(isOwn) ?? failed[0])?.id;
}

/** The checks that a conforming server fails, which would make everything else look noticed. */
export function falseFailures(runs: readonly CoveredRun[]): string[] {
  return runs.flatMap((run) =>
    [...outcomesOf(run, run.recording)].flatMap(([id, outcome]) =>
      outcome === 'failed' ? [`${id} fails on ${run.server}`] : [],
    ),
  );
}

/**
 * Says of every part of a contract whether runs exercise it: some exchange shows it, and some check fails if it is
 * corrupted there; for a requirement, a check that judges it passed.
 *
 * @param runs on conforming servers
 * @returns a row for each part, in their order
 */
export function cover(parts: readonly Part[], runs: readonly CoveredRun[]): CoverageRow[] {
  const passed = runs.flatMap((run) => {
    const outcomes = outcomesOf(run, run.recording);
    const checks = run.checks.filter(({ id }) => outcomes.get(id) === 'passed');
    return checks.flatMap(({ id, requirements }) =>
      requirements.map((requirement) => ({ requirement, check: id, server: run.server })),
    );
  });
  const sightings = parts.flatMap((each) => (each.look ? [sightingOf(each, each.look, runs)] : []));
  return parts.map((part) => {
    const { kind, name, pointer } = part;
    const sighting = sightings.find((each) => each.part === part);
    if (sighting) {
      const own = parts.filter((each) => each.kind === 'requirement' && each.pointer === pointer);
      const isSame = ({ part: other }: Sighting): boolean => other.pointer === pointer && other.kind === kind;
      const same = kind.endsWith('-property') ? sightings.filter(isSame) : [];
      return coverSeen(
        sighting,
        same,
        own.map((each) => each.name),
      );
    }
    const found = passed.find(({ requirement }) => requirement === name);
    if (!found) return { ...part, seen: {}, holes: ['no check that judges it passed in any run'] };
    return { ...part, seen: { [SEEN]: found.server }, noticedBy: found.check, holes: [] };
  });
}
