import { expect, it } from 'vitest';
import { compareWording } from '../../../contract/gate/wording.ts';
import { casesBeside } from '../../support/repository.ts';

const cases = Object.entries(casesBeside(import.meta.url) as Record<string, [string, string][]>).flatMap(
  ([difference, pairs]) => pairs.map((pair) => [...pair, difference] as const),
);

it.each(cases)('two wordings of a requirement, %s → %s: %s', (before, after, expected) => {
  expect(compareWording(before, after)).toBe(expected);
  expect(compareWording(after, before)).toBe(expected);
});
