import { expect, test } from 'vitest';
import { isSame } from '../../conformance/users/differences.ts';

// What decides whether a member is compared at all, the other forms that a text may have, and roles that are integers are tested by the proof.
test.each([
  ['name', ' Ada  Example ', 'Ada  Example', true],
  ['name', 'a  b  c', 'a b  c', false],
  ['name', 'Ada', 'ada', false],
  ['loginAttempts', 0, -0, true],
  ['username', null, '', true],
  ['username', 'ada', '', false],
  ['rootRole', 0, -0, true],
  ['rootRole', { id: 4 }, { id: 4, name: 'Editor' }, true],
  ['rootRole', { id: 4 }, { id: 5 }, false],
])('as %s, %j may be shown as %j: %j', (member, expected, shown, isTheSame) => {
  expect(isSame(member, expected, shown)).toBe(isTheSame);
});
