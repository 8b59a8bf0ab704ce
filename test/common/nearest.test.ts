import { expect, it } from 'vitest';
import { hint, nearest } from '../../common/nearest.ts';

const KNOWN = ['update-name', 'update-email', 'auth'];

it.each<[given: string, expected: string | undefined, known?: readonly string[]]>([
  ...['update-name', 'update-nam', 'update-nmae'].map((given): [string, string] => [given, 'update-name']),
  ...['pdate-email', 'update_email', 'email'].map((given): [string, string] => [given, 'update-email']),
  ...['aut', 'auht'].map((given): [string, string] => [given, 'auth']),
  // Every name is far.
  ...['banner-shape', 'xyz', 'xy', 'authxyz', 'nmae'].map((given): [string, undefined] => [given, undefined]),
  ['auth', undefined, []],
  // A name that starts so, or is spelled alike, comes before one that has it elsewhere.
  ['list', 'list-shape', ['my-list', 'list-shape']],
  ['list', 'lisa', ['lisa', 'my-long-list']],
  // The shorter of two that are as near, in whichever order they are known.
  ['update-', 'update-name', ['update-email', 'update-name']],
  ['update-', 'update-name', ['update-name', 'update-email']],
])('nearest finds for %s the name %s', (given, expected, known = KNOWN) =>
  expect(nearest(given, known)).toBe(expected),
);

it('hint asks whether the near name was meant, and is silent where there is none', () => {
  expect(hint('auht', ['auth'])).toBe(' Did you mean auth?');
  expect(hint('zzzzzz', ['auth'])).toBe('');
});
