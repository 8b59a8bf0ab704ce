import { describe, expect, it } from 'vitest';
import { operationIds, tagsOf } from '../../../contract/document.ts';
import { isPartial, scopeName, scopeWords } from '../../../conformance/report/scope.ts';
import type { Result, Scope } from '../../../conformance/result/result.ts';

type Selection = Result['selection'];

function selection(only: string[], skip: string[], scope?: Partial<Scope>): Selection {
  const whole: Scope = { operations: ['updateUser', 'listBanners'], leftOut: [], checks: 12, of: 12 };
  return { only, skip, failOn: 'must', ...(scope ? { scope: { ...whole, ...scope } } : {}) };
}

/** The tag of an operation, if it is its own; or else its id. */
function nameOf(operation: (typeof operationIds)[number]): string {
  const owners = (tag: string) => operationIds.filter((id) => tagsOf(id).includes(tag));
  return tagsOf(operation).find((tag) => owners(tag).length === 1) ?? operation;
}

const [users, banners] = [nameOf('updateUser'), nameOf('listBanners')];
const usersAlone: Partial<Scope> = { operations: ['updateUser'], leftOut: ['listBanners'], checks: 9 };

describe('a selection', () => {
  it.each([selection([], [], {}), selection(['*'], [], {}), selection([], [])])('of all needs no words', (all) => {
    expect(isPartial(all)).toBe(false);
    expect(scopeName(all)).toBeUndefined();
    expect(scopeWords(all)).toEqual([]);
  });

  it.each([
    selection([users], [], usersAlone),
    selection(['updateUser'], [], usersAlone),
    selection([], [banners], usersAlone),
    selection([], ['listBanners'], usersAlone),
  ])('of one operation is named by it, and says what was not looked at', (alone) => {
    expect(scopeName(alone)).toBe(`${users} only`);
    expect(scopeWords(alone)).toEqual([
      'Judged on updateUser only (9 of 12 checks).',
      'Nothing was sent to listBanners (List all banners).',
    ]);
  });

  it('of a part of one operation is not called by its name', () => {
    const part = selection([users], ['update-name'], { ...usersAlone, checks: 8 });
    expect(scopeName(part)).toBe('selection');
    expect(scopeWords(part)[0]).toBe('Judged on a selection of 8 of 12 checks; all of these judge updateUser.');
    expect(scopeWords(part)[1]).toContain('listBanners');
  });

  it('of checks of all operations says how many', () => {
    expect(scopeWords(selection(['auth'], [], { checks: 3 }))).toEqual(['Judged on a selection of 3 of 12 checks.']);
  });

  it('of no check that counts says so', () => {
    expect(scopeWords(selection(['new'], [], { operations: [], checks: 0 }))).toEqual([
      'No check that counts was selected: those that were are newer than the scored set of this contract version.',
    ]);
  });

  it('in a result of an earlier version is seen by its options', () => {
    expect(isPartial(selection(['users'], []))).toBe(true);
    expect(scopeName(selection([], ['x']))).toBe('selection');
    expect(scopeWords(selection([], ['x']))).toEqual(['Judged on a selection of the checks.']);
  });
});
