import { requirements } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { isScored, type CheckResult, type Result } from '../conformance/result/result.ts';
import { matchesGlob } from '../conformance/checks/selection.ts';
import type { Defect } from './defect.ts';
import type { Variant } from './variant.ts';

/** What a run on one of the proof's servers showed, and where the proof does not hold. */
export interface Judged {
  readonly id: string;
  readonly verdict: Result['verdict'];
  /** The failure mode of every check that failed, by the check's id. */
  readonly failed: Readonly<Record<string, string>>;
  /** The reason of every check that was inconclusive, by the check's id. */
  readonly inconclusive: Readonly<Record<string, string>>;
  /** Each in one sentence; none if the proof holds. */
  readonly problems: readonly string[];
  /** Those that are left if what the run showed is recorded. */
  readonly unrecordable?: readonly string[];
  /** Where a defect is blamed for more than it breaks, each in one sentence; none if the findings name its cause alone. */
  readonly misblamed?: readonly string[];
  /** The checks that are inconclusive on a defect and that no finding names as a consequence; none if each belongs to one. */
  readonly unexplained?: readonly string[];
}

export function modesOf(results: readonly CheckResult[]): Record<string, string> {
  return Object.fromEntries(results.flatMap(({ id, failure }) => (failure ? [[id, failure.mode]] : [])));
}

export function reasonsOf(results: readonly CheckResult[]): Record<string, string> {
  return Object.fromEntries(results.flatMap(({ id, reason }) => (reason ? [[id, reason]] : [])));
}

export function suiteErrors({ checks: results }: Result): string[] {
  return results.flatMap(({ id, outcome, detail }) =>
    outcome === 'error' ? [`${id} is an error of the suite: ${detail ?? ''}`] : [],
  );
}

/** The least level at which a defect must fail a run: `should` where it breaks nothing else. */
export function levelOf({ breaks }: Defect): 'must' | 'should' {
  return requirements.some(({ id, level }) => level === 'must' && breaks.includes(id)) ? 'must' : 'should';
}

/**
 * Where the findings blame a server for more than its defect breaks, or take its one fault for several: there is one `must`
 * finding, or one for each requirement that it breaks.
 */
export function misblamed({ breaks }: Pick<Defect, 'breaks'>, { requirements: judged, findings }: Result): string[] {
  const reported = judged.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
  const kept = reported.filter((id) => !breaks.includes(id));
  const must = findings.filter(({ level, scored }) => level === 'must' && scored);
  return [
    ...kept.map((id) => `${id} is reported broken`),
    ...(must.length > 1 ? [`${must.length} must findings: ${must.map(({ id }) => id).join(', ')}`] : []),
  ];
}

/** The checks that are inconclusive for what the target did, and belong to no finding. */
export function unexplained({ checks: results, findings }: Result): string[] {
  const explained = new Set(findings.flatMap(({ consequences }) => consequences));
  return results
    .filter(({ id, reason }) => reason && reason !== 'missing-input' && !explained.has(id))
    .map(({ id }) => id);
}

/** Whether a defect was killed by the checks that are recorded for it, each for the right reason. */
export function judgeDefect(defect: Defect, result: Result): Judged {
  const failed = modesOf(result.checks);
  const missed = Object.entries(defect.killedBy).flatMap(([id, mode]) => {
    const found = result.checks.find((each) => each.id === id);
    if (!found) return [`there is no check ${id}`];
    if (found.outcome !== 'failed')
      return [`${id} is ${found.outcome}${found.detail ? ` (${found.detail})` : ''}, not failed`];
    return failed[id] === mode ? [] : [`${id} failed as ${failed[id] ?? ''}, not as ${mode}`];
  });
  // What follows from the rest may be inconclusive; but something must speak of each requirement that is broken.
  const unjudged = defect.breaks.filter(
    (requirement) =>
      !checks.some(({ id, requirements: own }) => id in defect.killedBy && own.includes(requirement)) &&
      !result.checks.some(({ outcome, requirements: own }) => outcome === 'inconclusive' && own.includes(requirement)),
  );
  const isNew = Object.keys(defect.killedBy).length === 0;
  const record = isNew ? `: npm run prove -- --record --only ${defect.id}` : '';
  const blame = misblamed(defect, result);
  const lost = unexplained(result);
  const counts = result.checks.some((check) => isScored(check) && Object.hasOwn(defect.killedBy, check.id));
  return {
    id: defect.id,
    verdict: result.verdict,
    failed,
    inconclusive: reasonsOf(result.checks),
    misblamed: blame,
    unexplained: lost,
    problems: [
      ...suiteErrors(result),
      ...blame,
      // A check that is not scored yet fails without failing the run.
      ...(result.verdict === 'failed' || !counts ? [] : [`the verdict is ${result.verdict}, not failed`]),
      ...missed,
      ...lost.map((id) => `${id} is inconclusive, and belongs to no finding`),
      ...unjudged.map(
        (requirement) => `it breaks ${requirement}, which no check that is recorded for it judges${record}`,
      ),
    ],
  };
}

/** Whether no check failed on a conforming variant, and only those that it names were inconclusive. */
export function judgeVariant(variant: Variant, result: Result): Judged {
  const expected = Object.entries(variant.inconclusive ?? {});
  const inconclusive = reasonsOf(result.checks);
  const unexpected = result.checks.flatMap(({ id, outcome, reason, failure, detail }) => {
    if (outcome === 'failed') return [`${id} failed: ${failure?.message ?? ''}`];
    if (outcome !== 'inconclusive') return [];
    const isExpected = expected.some(([glob, why]) => matchesGlob(glob, id) && why === reason);
    return isExpected ? [] : [`${id} was inconclusive (${reason ?? ''}: ${detail ?? ''})`];
  });
  const unneeded = expected
    .filter(([glob]) => !Object.keys(inconclusive).some((id) => matchesGlob(glob, id)))
    .map(([glob]) => `${glob} is said to be inconclusive, but is not`);
  const partial = result.restoration.outcome === 'partial';
  const restored = partial && !variant.notRestored ? ['its users were not restored'] : [];
  return {
    id: variant.id,
    verdict: result.verdict,
    failed: modesOf(result.checks),
    inconclusive,
    problems: [...suiteErrors(result), ...unexpected, ...unneeded, ...restored],
  };
}
