import { describe, expect, it } from 'vitest';
import { editDistance, hint, nearest } from '../../common/nearest.ts';

it('editDistance counts letters inserted, deleted, replaced and swapped', () => {
  expect(editDistance('', 'ab')).toBe(2);
  expect(editDistance('kitten', 'sitting')).toBe(3);
  expect(editDistance('form', 'from')).toBe(1);
});

describe('nearest', () => {
  const known = ['update-name', 'update-email', 'auth'];

  it.each([
    ['update-name', 'update-name'],
    ['update-nam', 'update-name'],
    ['update-nmae', 'update-name'],
    ['pdate-email', 'update-email'],
    ['update_email', 'update-email'],
    ['email', 'update-email'],
    ['aut', 'auth'],
    ['auht', 'auth'],
  ])('finds for %s the name %s', (given, expected) => {
    expect(nearest(given, known)).toBe(expected);
  });

  it.each(['banner-shape', 'xyz', 'xy', 'authxyz', 'nmae'])('finds none for %s: every name is far', (given) => {
    expect(nearest(given, known)).toBeUndefined();
  });

  it.each([
    ['auth', undefined, []],
    // A name that starts so, or is spelled alike, comes before one that has it elsewhere.
    ['list', 'list-shape', ['my-list', 'list-shape']],
    ['list', 'lisa', ['lisa', 'my-long-list']],
    // The shorter of two that are as near, in whichever order they are known.
    ['update-', 'update-name', ['update-email', 'update-name']],
    ['update-', 'update-name', ['update-name', 'update-email']],
  ])('finds for %s the name %s among %j', (given, expected, names) => {
    expect(nearest(given, names)).toBe(expected);
  });
});

it('hint asks whether the near name was meant, and is silent where there is none', () => {
  expect(hint('auht', ['auth'])).toBe(' Did you mean auth?');
  expect(hint('zzzzzz', ['auth'])).toBe('');
});
