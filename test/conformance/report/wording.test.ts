import { describe, expect, it } from 'vitest';
import { counted, groupedBy } from '../../../conformance/report/wording.ts';

describe('groups', () => {
  it('stand in the order in which their keys first appear', () => {
    expect(groupedBy(['b1', 'a1', 'b2'], ([first = '']) => first)).toEqual([
      ['b', ['b1', 'b2']],
      ['a', ['a1']],
    ]);
  });
});

describe('a number of things', () => {
  it('has the noun in the right number', () => {
    expect([0, 1, 2].map((count) => counted(count, 'check'))).toEqual(['0 checks', '1 check', '2 checks']);
  });
});
