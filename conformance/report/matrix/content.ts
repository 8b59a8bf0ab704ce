import { counted, groupedBy } from '../../../common/text.ts';
import type { Matrix, MatrixTarget } from '../../result/matrix.ts';
import { EXIT_CODES, VERDICTS, WORST_VERDICT_FIRST, type Verdict } from '../../result/verdict.ts';

const SENTENCES: Readonly<Record<Verdict, string>> = {
  passed: 'Every target conforms to the contract, as far as it was checked.',
  failed: 'Some targets break the contract.',
  inconclusive: 'No target failed, but not every one could be judged.',
  interrupted: 'The fleet was stopped before every target was judged.',
  error: 'The suite failed on some targets. Please report it.',
};

/** A finding, and the targets that have it. */
export type SharedFinding = ReturnType<typeof sharedFindings>[number];

/** The findings, those of most targets first. Known failures are left out. */
function sharedFindings(targets: readonly MatrixTarget[]) {
  const all = targets.flatMap(({ name, findings }) =>
    findings.filter(({ knownFailure }) => !knownFailure).map((finding) => ({ ...finding, name })),
  );
  return groupedBy(all, ({ id }) => id)
    .map(([id, own]) => {
      // As the first of the targets shows it.
      const { level = '', title = '' } = own[0] ?? {};
      return { id, level, title, targets: own.map(({ name }) => name) };
    })
    .sort((one, other) => other.targets.length - one.targets.length);
}

/** Why a target has no result or no verdict, or how many findings it has. */
export function targetWords({ verdict, problem, hint, findings, journal }: MatrixTarget): string {
  const open = findings.filter(({ knownFailure }) => !knownFailure).length;
  const why = verdict === 'inconclusive' ? (problem ?? hint) : problem;
  const said = why ?? (open === 0 ? 'no finding' : counted(open, 'finding'));
  return journal === undefined ? said : `${said}; users to restore: ${journal}`;
}

/** Whether any requirement was decided: a target that was not reached says nothing of the others. */
function isSeen({ requirements }: MatrixTarget): boolean {
  return Object.values(requirements).some((outcome) => outcome === 'passed' || outcome === 'failed');
}

/** What the reports on a fleet say, in whatever format. */
export function contentOf({ verdict, counts, targets, requirements, missingShards, shards }: Matrix) {
  const many = VERDICTS.filter((each) => counts[each] > 0).map((each) => `${counts[each]} ${each}`);
  const missing = missingShards.length > 0 ? [`Missing: shard ${missingShards.join(', ')}.`] : [];
  const part = shards.length === 1 ? [`This is shard ${shards.join()}.`] : [];
  const ofTargets = `${counted(targets.length, 'target')}${many.length > 0 ? `: ${many.join(', ')}` : ''}`;
  const rank = (target: MatrixTarget): number => WORST_VERDICT_FIRST.indexOf(target.verdict);
  return {
    label: verdict.toUpperCase(),
    words: [targets.length === 0 ? 'There is no target here.' : SENTENCES[verdict], ...part, ...missing].join(' '),
    counts: ofTargets,
    exit: `exit code ${EXIT_CODES[verdict]}`,
    // The worst first.
    notPassed: targets.filter((target) => target.verdict !== 'passed').toSorted((one, two) => rank(one) - rank(two)),
    findings: sharedFindings(targets),
    // What not every target was seen to meet, of those targets of which anything was seen.
    unmet: requirements.filter(({ id }) =>
      targets
        .filter(isSeen)
        .some((target) => !['passed', 'not-applicable', undefined].includes(target.requirements[id])),
    ),
  };
}
