import type { Bump, Pair } from './pair.ts';

/** What the exam reads of the judge's answer. */
export interface Judgement {
  readonly clients: 'breaking' | 'compatible';
  readonly implementers: 'breaking' | 'compatible';
  readonly bump: Bump;
}

/** What was expected and what the judge said, one line for each that differs; empty where the judge is right. */
export function disagreements(pair: Pair, judgement: Judgement): readonly string[] {
  const directions = (['clients', 'implementers'] as const)
    .filter((direction) => pair[direction] !== 'open' && pair[direction] !== judgement[direction])
    .map((direction) => `${direction}: expected ${pair[direction]}, judged ${judgement[direction]}`);
  const bump =
    pair.bump === undefined || pair.bump.includes(judgement.bump)
      ? []
      : [`bump: expected ${pair.bump.join(' or ')}, judged ${judgement.bump}`];
  return [...directions, ...bump];
}

export interface Graded {
  readonly pair: Pair;
  readonly wrong: readonly string[];
}

/** The score in a line, and beneath it each pair on which the judge and the exam differ, with the reason of the exam. */
export function scoreSheet(graded: readonly Graded[]): string {
  const failed = graded.filter(({ wrong }) => wrong.length > 0);
  return [
    `exam: ${graded.length - failed.length} of ${graded.length} pairs judged right`,
    ...failed.flatMap(({ pair, wrong }) => [
      `- ${pair.name}`,
      ...wrong.map((line) => `    ${line}`),
      `    because: ${pair.why}`,
    ]),
  ].join('\n');
}
