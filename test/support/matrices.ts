import { makeMatrix, targetOfResult, type Matrix, type MatrixTarget } from '../../conformance/result/several/matrix.ts';
import type { Result } from '../../conformance/result/result.ts';
import { shardText, type Shard } from '../../common/shard.ts';
import { resultOf } from './results.ts';

const { tool } = resultOf([]);

/** A target that passed without anything to say, but for what is given. */
export function matrixTarget(name: string, own: Partial<MatrixTarget> = {}): MatrixTarget {
  return { name, baseUrl: 'http://127.0.0.1:4242', verdict: 'passed', findings: [], requirements: {}, ...own };
}

/** A matrix of these targets. */
export function matrixOf(targets: readonly MatrixTarget[], shard?: Shard): Matrix {
  return makeMatrix(targets, { tool, requirements: [], shards: shard ? [shardText(shard)] : [] });
}

/** A matrix of these results; their names are a, b, c, … */
export function matrixOfResults(results: readonly Result[]): Matrix {
  const targets = results.map((result, place) => ({
    ...targetOfResult(String.fromCodePoint(97 + place), result),
    folder: `targets/${String.fromCodePoint(97 + place)}`,
  }));
  const requirements = new Map(results.flatMap((result) => result.requirements).map((each) => [each.id, each]));
  return makeMatrix(targets, { tool, requirements: [...requirements.values()] });
}
