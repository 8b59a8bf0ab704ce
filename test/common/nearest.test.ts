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

  it('finds none where every name is far, or there is none', () => {
    expect(nearest('banner-shape', known)).toBeUndefined();
    expect(nearest('xyz', known)).toBeUndefined();
    expect(nearest('xy', known)).toBeUndefined();
    expect(nearest('authxyz', known)).toBeUndefined();
    expect(nearest('nmae', known)).toBeUndefined();
    expect(nearest('auth', [])).toBeUndefined();
  });
});

describe('nearest, of several', () => {
  it('prefers a name that starts so, or is spelled alike, to one that has it elsewhere', () => {
    expect(nearest('list', ['my-list', 'list-shape'])).toBe('list-shape');
    expect(nearest('list', ['lisa', 'my-long-list'])).toBe('lisa');
  });

  it('prefers the shorter of two that are as near, in whichever order they are known', () => {
    expect(nearest('update-', ['update-email', 'update-name'])).toBe('update-name');
    expect(nearest('update-', ['update-name', 'update-email'])).toBe('update-name');
  });
});

it('hint asks whether the near name was meant, and is silent where there is none', () => {
  expect(hint('auht', ['auth'])).toBe(' Did you mean auth?');
  expect(hint('zzzzzz', ['auth'])).toBe('');
});
