import { describe, expect, test } from 'vitest';
import { differences, isSame, KEPT, type Shows, UNTOUCHED, UPDATABLE } from '../../conformance/engine/compare.ts';

const WHOLE: Shows = { always: new Set(['name', 'email', 'username']), withValue: new Set(['name', 'email']) };
const PART: Shows = { always: new Set(), withValue: new Set() };

describe('a text is the same', () => {
  test.each([
    ['as sent', 'name', ' Ada  Example ', ' Ada  Example '],
    ['trimmed', 'name', ' Ada  Example ', 'Ada  Example'],
    ['with single blanks', 'name', ' Ada \t Example ', 'Ada Example'],
    ['normalized', 'name', 'Zoe\u0308', 'Zo\u00eb'],
    ['as an address in other letters', 'email', 'Ada@Example.com', 'ada@example.com'],
  ])('%s', (_how, member, expected, shown) => {
    expect(isSame(member, expected, shown)).toBe(true);
  });

  test.each([
    ['in other letters', 'name', 'Ada', 'ada'],
    ['cut', 'name', 'Ada Example', 'Ada'],
    ['with other blanks within', 'name', 'a  b  c', 'a b  c'],
    ['escaped', 'name', '<b>', '&lt;b&gt;'],
  ])('but not %s', (_how, member, expected, shown) => {
    expect(isSame(member, expected, shown)).toBe(false);
  });
});

test.each([
  [4, 4, true],
  [0, -0, true],
  [4, { id: 4, name: 'Editor' }, true],
  [{ id: 4 }, { id: 4, name: 'Editor' }, true],
  [4, { id: 5 }, true],
  [4, 5, false],
  [{ id: 4 }, { id: 5 }, false],
  [4, null, false],
])('the roles %j and %j may be the same: %j', (one, other, isTheSame) => {
  expect(isSame('rootRole', one, other)).toBe(isTheSame);
});

test('a time may be stored less exactly', () => {
  expect(isSame('createdAt', '2026-01-02T03:04:05.678Z', '2026-01-02T03:04:05Z')).toBe(true);
  expect(isSame('createdAt', '2026-01-02T03:04:05.678Z', '2026-01-02T05:04:05+02:00')).toBe(true);
  expect(isSame('createdAt', '2026-01-02T03:04:05Z', '2026-01-02T03:05:05Z')).toBe(false);
});

test('numbers are compared by value, and the empty values are one', () => {
  expect(isSame('loginAttempts', 0, -0)).toBe(true);
  expect(isSame('username', null, '')).toBe(true);
  expect(isSame('username', 'ada', '')).toBe(false);
});

test('a missing member is lost only where the whole user is shown', () => {
  const user = { name: 'Ada', email: 'ada@example.com', username: 'ada', rootRole: 1 };
  expect(differences(user, { id: 1 }, KEPT, WHOLE)).toEqual(['name', 'email', 'username']);
  expect(differences(user, { id: 1 }, KEPT, PART)).toEqual([]);
});

test('null is lost where a value was shown before, and else left to the audit', () => {
  expect(differences({ email: 'a@b.c' }, { email: null }, ['email'], WHOLE)).toEqual(['email']);
  expect(differences({ email: 'a@b.c' }, { email: null }, ['email'], PART)).toEqual([]);
});

test('a value of a wrong type is left to the audit', () => {
  expect(differences({ email: 'a@b.c' }, { email: 5 }, ['email'], WHOLE)).toEqual([]);
});

test('members that a server may derive are not compared', () => {
  expect(UPDATABLE).toEqual(['name', 'email', 'rootRole']);
  expect(UNTOUCHED).toEqual(expect.arrayContaining(['username', 'createdAt', 'accountType', 'loginAttempts']));
  expect(UNTOUCHED).not.toEqual(expect.arrayContaining(['imageUrl']));
  expect(UNTOUCHED).not.toEqual(expect.arrayContaining(['seenAt']));
});
