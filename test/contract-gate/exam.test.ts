import { describe, expect, it } from 'vitest';
import { judgementOf } from '../../contract-gate/change.ts';
import type { Description } from '../../contract-gate/description.ts';
import { judge, ownChanges } from '../../contract-gate/judge.ts';
import { describeText } from '../../contract-gate/load.ts';
import { exam, type Pair } from './exam.ts';
import type { Document } from './exam/documents.ts';
import { disagreements, scoreSheet, type Graded, type Judgement } from './exam/score.ts';

type Examinee = (base: Description, head: Description) => Judgement | Promise<Judgement>;

const described = (side: 'base' | 'head', document: Document | string): Description =>
  describeText(side, typeof document === 'string' ? document : JSON.stringify(document), side);

async function graded(examinee: Examinee, pair: Pair): Promise<Graded> {
  const judgement = await examinee(described('base', pair.base), described('head', pair.head));
  return { pair, wrong: disagreements(pair, judgement) };
}

/** Those whose name matches, where only some are asked for (`npm run gate:exam -- PATTERN`). */
const asked = exam.filter(({ name }) => new RegExp(process.env.EXAM_ONLY ?? '').test(name));

/** The score sheet of a judge, two pairs at a time. It is printed, whatever comes of it. */
async function examined(examinee: Examinee): Promise<string> {
  const results: Graded[] = [];
  const waiting = asked.entries();
  const worker = async (): Promise<void> => {
    for (const [index, pair] of waiting) results[index] = await graded(examinee, pair);
  };
  await Promise.all([worker(), worker()]);
  const sheet = scoreSheet(results);
  console.log(sheet);
  return sheet;
}

const full = `exam: ${asked.length} of ${asked.length} pairs judged right`;

describe('the judge of contract changes', () => {
  it('judges every pair right by its own rules', async () => {
    expect(await examined((base, head) => judgementOf(ownChanges(base, head)))).toBe(full);
  }, 120_000);

  // Two processes for each pair take their minutes: npm run gate:exam asks for it.
  it.runIf(process.env.EXAM === 'complete')(
    'judges every pair right with `redocly diff` beside its own rules',
    async () => {
      expect(await examined(judge)).toBe(full);
    },
    3_600_000,
  );
});
