import { describe, expect, it } from 'vitest';
import { judgementOf } from '../../contract-gate/diff/change.ts';
import type { Description } from '../../contract-gate/diff/description.ts';
import { judge, ownChanges } from '../../contract-gate/diff/judge.ts';
import { describeText } from '../../contract-gate/diff/load.ts';
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

/** Those whose name matches, where only some are asked for (`node scripts/exam.mjs PATTERN`). */
const asked = exam.filter(({ name }) => new RegExp(process.env.EXAM_ONLY ?? '').test(name));

/** Pairs that `redocly diff` rates otherwise, or rates at all: what the judge has to pass over, and what it must not. */
const BESIDE_REDOCLY = [
  ...['a security scheme renamed', 'the hint bearerFormat', 'an unused security scheme taken away'],
  ...['a parameter moved to its path', 'a parameter of the path that the operation overrides'],
  ...['a required parameter that names the header Accept', 'style and explode of a query parameter said'],
  ...['explode of a plain text taken back', 'the header of the key in other letter case', 'servers left out as `/`'],
  ...['the base path moved from the server into the path', 'an operation taken away', 'a media type less in an answer'],
  ...['beside another change: a security scheme renamed', 'integer to text in the query'],
];

/** The score sheet of a judge, two pairs at a time. It is printed, whatever comes of it. */
async function examined(examinee: Examinee, pairs: readonly Pair[] = asked): Promise<string> {
  const results: Graded[] = [];
  const waiting = pairs.entries();
  const worker = async (): Promise<void> => {
    for (const [index, pair] of waiting) results[index] = await graded(examinee, pair);
  };
  await Promise.all([worker(), worker()]);
  const sheet = scoreSheet(results);
  console.log(sheet);
  return sheet;
}

const complete = process.env.EXAM === 'complete';
const full = ({ length }: readonly Pair[]): string => `exam: ${length} of ${length} pairs judged right`;

describe('the judge of contract changes', () => {
  it('is asked something', () => {
    expect(asked).not.toEqual([]);
  });

  it('judges every pair right by its own rules', async () => {
    expect(await examined((base, head) => judgementOf(ownChanges(base, head)))).toBe(full(asked));
  });

  it.skipIf(complete)('judges some of them right with `redocly diff` beside its own rules', async () => {
    const pairs = exam.filter(({ name }) => BESIDE_REDOCLY.includes(name));
    expect(pairs).toHaveLength(BESIDE_REDOCLY.length);
    expect(await examined(judge, pairs)).toBe(full(pairs));
  });

  // Two processes for each pair take their minutes: `npm run gate:exam` asks for it.
  it.runIf(complete)(
    'judges every pair right with `redocly diff` beside its own rules',
    async () => {
      expect(await examined(judge)).toBe(full(asked));
    },
    3_600_000,
  );
});
