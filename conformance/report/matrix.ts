import { counted, shortened } from '../../common/text.ts';
import { type RequirementResult, type Result, type Verdict, verdictSchema } from '../facts/result.ts';
import { worstVerdict } from '../result/verdict.ts';
import { headlineOf } from './words.ts';

/** What came of one of several targets. */
export interface MatrixTarget {
  /** Unique among the targets. */
  readonly name: string;
  readonly baseUrl: string;
  readonly verdict: Verdict;
  /** What to know first of it, or why it was not judged. */
  readonly words: string;
  /** Where its report is, relative to the matrix. */
  readonly link?: string | undefined;
  /** None if it was not judged. */
  readonly requirements: readonly RequirementResult[];
}

/** What came of several targets. */
export interface Matrix {
  readonly verdict: Verdict;
  /** How many targets have which verdict. */
  readonly words: string;
  /** In the order given. */
  readonly targets: readonly MatrixTarget[];
  /** The requirements that some target was not seen to meet; those that a target breaks come first. */
  readonly unmet: readonly RequirementResult[];
}

/** The row of a matrix for a target that was judged. */
export function judgedTarget(name: string, result: Result, link?: string): MatrixTarget {
  const { verdict, requirements, target } = result;
  const words = shortened(headlineOf(result).words, 300);
  return { name, baseUrl: target.baseUrl, verdict, words, requirements, link };
}

function unmetOf(targets: readonly MatrixTarget[]): RequirementResult[] {
  // A requirement that could not be judged on a target of which nothing was seen says nothing about the others.
  const seen = targets.filter(({ requirements }) =>
    requirements.some(({ outcome }) => outcome === 'passed' || outcome === 'failed'),
  );
  const all = seen.flatMap(({ requirements }) => requirements);
  const unmet = ['failed', 'inconclusive', 'error'].flatMap((wanted) =>
    all.filter(({ outcome }) => outcome === wanted),
  );
  return [...new Map(unmet.map((each) => [each.id, each])).values()];
}

/** Makes a matrix of targets whose names differ. Without targets, its verdict is `inconclusive`. */
export function makeMatrix(targets: readonly MatrixTarget[]): Matrix {
  const verdicts = targets.map(({ verdict }) => verdict);
  const tally = verdictSchema.options.map((each) => [verdicts.filter((verdict) => verdict === each).length, each]);
  const words = tally.filter(([count]) => count !== 0).map((each) => each.join(' '));
  return {
    verdict: worstVerdict(verdicts),
    words: `${counted(targets.length, 'target')}: ${words.join(', ')}`,
    targets,
    unmet: unmetOf(targets),
  };
}
