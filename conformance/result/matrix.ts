import type { Result, Verdict } from './result.ts';
import { worstVerdict } from './verdict.ts';

/** What came of one of several targets. */
export interface MatrixTarget {
  /** Unique among the targets. */
  readonly name: string;
  readonly baseUrl: string;
  readonly verdict: Verdict;
  /** Absent if there is none. */
  readonly result?: Result;
  /** Why there is no result, in one sentence. */
  readonly problem?: string;
  /** Where its report is, relative to the matrix. */
  readonly link?: string;
}

/** What came of several targets. */
export interface Matrix {
  readonly verdict: Verdict;
  /** In the order given. */
  readonly targets: readonly MatrixTarget[];
  /** The requirements that some target was not seen to meet; those that a target breaks come first. */
  readonly unmet: Result['requirements'];
}

/** The row of a matrix for a target that was judged. */
export function judgedTarget(name: string, result: Result, link?: string): MatrixTarget {
  const { target, verdict } = result;
  return { name, baseUrl: target.baseUrl, verdict, result, ...(link !== undefined && { link }) };
}

/** A requirement that could not be judged on one target says nothing about the others. */
function isSeen({ result }: MatrixTarget): boolean {
  return result?.checks.some(({ outcome }) => outcome === 'passed' || outcome === 'failed') ?? false;
}

function unmetOf(targets: readonly MatrixTarget[]): Result['requirements'] {
  const all = targets.filter(isSeen).flatMap(({ result }) => result?.requirements ?? []);
  const unmet = ['failed', 'inconclusive', 'error'].flatMap((wanted) =>
    all.filter(({ outcome }) => outcome === wanted),
  );
  return [...new Map(unmet.map((each) => [each.id, each])).values()];
}

/** Makes a matrix of targets whose names differ. Without targets, its verdict is `inconclusive`. */
export function makeMatrix(targets: readonly MatrixTarget[]): Matrix {
  return { verdict: worstVerdict(targets.map(({ verdict }) => verdict)), targets, unmet: unmetOf(targets) };
}
