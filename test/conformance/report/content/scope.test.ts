import { describe, expect, it } from 'vitest';
import { isPartial, scopeWords } from '../../../../conformance/report/content/scope.ts';
import type { Result, Scope } from '../../../../conformance/result/result.ts';

type Selection = Result['selection'];

function selection(only: string[], skip: string[], scope?: Partial<Scope>): Selection {
  const whole: Scope = { operations: ['updateUser', 'listBanners'], leftOut: [], checks: 12, of: 12 };
  return { only, skip, failOn: 'must', ...(scope ? { scope: { ...whole, ...scope } } : {}) };
}

describe('a selection', () => {
  it.each([selection([], [], {}), selection(['*'], [], {}), selection([], [])])('of all needs no words', (all) => {
    expect(isPartial(all)).toBe(false);
    expect(scopeWords(all)).toEqual([]);
  });

  it('of no check that counts says so', () => {
    const [words] = scopeWords(selection(['new'], [], { operations: [], checks: 0 }));
    expect(words).toContain('newer than the scored set of this contract version.');
  });

  it('in a result of an earlier version is seen by its options', () => {
    expect(isPartial(selection(['users'], []))).toBe(true);
    expect(scopeWords(selection([], ['x']))).toEqual(['Judged on a selection of the checks.']);
  });
});
