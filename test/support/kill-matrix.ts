import { checks } from '../../conformance/checks/catalogue.ts';
import { defects } from '../../proof/defects/catalogue.ts';
import type { Judged } from '../../proof/judging.ts';
import { checkRows, sentenceRows } from '../../proof/kill-matrix.ts';
import { redundantChecks } from '../../proof/reasons.ts';
import { stubs } from '../../proof/stubs.ts';
import { variants } from '../../proof/variants/catalogue.ts';
import type { KillMatrix } from '../../site/model.ts';

/**
 * A kill matrix of the servers that there are, as if each had shown just what it names: the shape of what `npm run prove`
 * writes, without its two minutes.
 */
export function expectedKillMatrix(): KillMatrix {
  const broken = defects.map(({ id, title, breaks, killedBy }) => ({
    id,
    title,
    breaks,
    killedBy,
    verdict: 'failed' as const,
    failed: killedBy,
    inconclusive: {},
    problems: [],
  }));
  const judged: Judged[] = broken;
  const total = checks.filter(({ level }) => level === 'must').length;
  return {
    defects: broken,
    variants: variants.map(({ id, title, about }) => ({
      id,
      title,
      about,
      verdict: 'passed',
      inconclusive: {},
      problems: [],
    })),
    stubs: stubs.map(({ id, title }) => ({
      id,
      title,
      verdict: 'failed',
      score: { passed: 0, total },
      problems: [],
    })),
    checks: checkRows(judged, redundantChecks),
    sentences: sentenceRows(defects, variants),
  };
}
