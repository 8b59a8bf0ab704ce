import { expect, it } from 'vitest';
import { hint, nearest } from '../../common/nearest.ts';
import { casesBeside } from '../support/repository.ts';

const KNOWN = ['update-name', 'update-email', 'auth'];
const cases = casesBeside(import.meta.url) as [given: string, expected: string | null, known?: string[]][];

it.each(cases)('nearest finds for %s the name %s', (given, expected, known = KNOWN) =>
  expect(nearest(given, known)).toBe(expected ?? undefined),
);

it('hint asks whether the near name was meant, and is silent where there is none', () => {
  expect(hint('auht', ['auth'])).toBe(' Did you mean auth?');
  expect(hint('zzzzzz', ['auth'])).toBe('');
});
