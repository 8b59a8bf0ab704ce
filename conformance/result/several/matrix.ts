import { byText, shortened } from '../../../common/text.ts';
import { shardFrom, shardText } from '../../../common/shard.ts';
import type { Finding, RequirementResult, Result } from '../result.ts';
import { VERDICTS, worstVerdict, type Outcome, type Verdict } from '../verdict.ts';

/** The version of the format of a matrix; it rises when a member changes its meaning or is removed. */
export const MATRIX_VERSION = 1;

/** What came of one target of a fleet. */
export interface MatrixTarget {
  /** Unique in the fleet. */
  readonly name: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The verdict on the target; `interrupted` if its run was not begun. */
  readonly verdict: Verdict;
  /** Why there is no result, in a sentence; absent if there is one. */
  readonly problem?: string;
  /** What looks wrong with its address, keys or ids: the likeliest hint of its result; absent if all looks well. */
  readonly hint?: string;
  /** The journal from which users of the target have still to be restored. */
  readonly journal?: string;
  /** The folder of its result and its report, relative to the file of the matrix. */
  readonly folder?: string;
  readonly requests?: number;
  /** The duration of its run; whole ms. */
  readonly durationMs?: number;
  /** What it does wrong; the result has the details. */
  readonly findings: readonly Pick<Finding, 'id' | 'level' | 'title' | 'knownFailure'>[];
  /** The outcome of each requirement that was judged. */
  readonly requirements: Readonly<Record<string, Outcome>>;
}

/** A requirement that some target was judged by. */
export type MatrixRequirement = Pick<RequirementResult, 'id' | 'level' | 'text'>;

/** What came of every target of a fleet. Arrays have a fixed order. */
export interface Matrix {
  readonly matrixVersion: typeof MATRIX_VERSION;
  readonly tool: Result['tool'];
  /** The worst of the verdicts; `inconclusive` at best if a shard is missing. */
  readonly verdict: Verdict;
  /** The number of targets with each verdict. */
  readonly counts: Readonly<Record<Verdict, number>>;
  /** The shards of the fleet that this has, as `2/5`; none if the fleet was judged as a whole. */
  readonly shards: readonly string[];
  /** The shards that were not there when the matrices of shards were merged. */
  readonly missingShards: readonly string[];
  /** Sorted by id. */
  readonly requirements: readonly MatrixRequirement[];
  /** In the order of the file of targets; of merged matrices, by name. */
  readonly targets: readonly MatrixTarget[];
}

/** Characters. */
const LONGEST_TITLE = 300;

/** What a matrix says of a result. */
export function targetOfResult(name: string, result: Result): MatrixTarget {
  const { target, verdict, restoration, summary, durationMs, findings, requirements, hints = [] } = result;
  const [hint] = hints;
  return {
    name,
    baseUrl: target.baseUrl,
    verdict,
    ...(hint === undefined ? {} : { hint: shortened(hint.text, LONGEST_TITLE) }),
    ...(restoration.journal === undefined ? {} : { journal: restoration.journal }),
    requests: summary.requests,
    durationMs,
    findings: findings.map(({ id, level, title, knownFailure }) => {
      return { id, level, title: shortened(title, LONGEST_TITLE), knownFailure };
    }),
    requirements: Object.fromEntries(requirements.map(({ id, outcome }) => [id, outcome])),
  };
}

/** What a matrix says of a target without a result. */
export function targetWithout(name: string, baseUrl: string, verdict: Verdict, problem: string): MatrixTarget {
  return { name, baseUrl, verdict, problem, findings: [], requirements: {} };
}

/**
 * Makes a matrix, of those requirements that were judged. Of no target at all, it is `inconclusive`, unless it is a shard of a fleet
 * that has fewer targets than shards.
 */
export function makeMatrix(
  targets: readonly MatrixTarget[],
  scope: Pick<Matrix, 'tool' | 'requirements'> & Partial<Pick<Matrix, 'shards' | 'missingShards'>>,
): Matrix {
  const { tool, requirements, shards = [], missingShards = [] } = scope;
  const judged = new Set(targets.flatMap((target) => Object.keys(target.requirements)));
  const verdicts = targets.map(({ verdict }) => verdict);
  const doubt: readonly Verdict[] = missingShards.length > 0 ? ['inconclusive'] : [];
  const nothing: Verdict = shards.length === 0 ? 'inconclusive' : 'passed';
  const count = (wanted: Verdict): number => verdicts.filter((verdict) => verdict === wanted).length;
  return {
    matrixVersion: MATRIX_VERSION,
    tool,
    verdict: worstVerdict([...verdicts, ...doubt]) ?? nothing,
    counts: Object.fromEntries(VERDICTS.map((verdict) => [verdict, count(verdict)])) as Record<Verdict, number>,
    shards,
    missingShards,
    requirements: requirements
      .filter(({ id }) => judged.has(id))
      .map(({ id, level, text }) => ({ id, level, text }))
      .sort((one, other) => byText(one.id, other.id)),
    targets,
  };
}

/** The shards that matrices have, and those that belong to them and are not there. */
function shardsOf(matrices: readonly Matrix[]): Pick<Matrix, 'shards' | 'missingShards'> {
  const present = new Set(matrices.flatMap(({ shards }) => shards));
  const counts = new Set([...present].map((text) => shardFrom(text)?.count ?? 0));
  const wanted = [...counts].flatMap((count) =>
    Array.from({ length: count }, (_each, place) => shardText({ index: place + 1, count })),
  );
  return {
    shards: wanted.filter((text) => present.has(text)),
    missingShards: wanted.filter((text) => !present.has(text)),
  };
}

/** Numbers in names count: server-7 comes before server-14. */
const byName = new Intl.Collator('en', { numeric: true });

/** One matrix of several, such as those of all shards. The names of the targets must differ. */
export function mergeMatrices(matrices: readonly Matrix[], tool: Result['tool']): Matrix {
  const requirements = new Map(matrices.flatMap((matrix) => matrix.requirements).map((each) => [each.id, each]));
  const targets = matrices
    .flatMap((matrix) => matrix.targets)
    .sort((one, other) => byName.compare(one.name, other.name));
  return makeMatrix(targets, { tool, requirements: [...requirements.values()], ...shardsOf(matrices) });
}
