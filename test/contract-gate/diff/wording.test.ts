import { expect, it } from 'vitest';
import { compareWording } from '../../../contract-gate/diff/wording.ts';

it.each([
  ['The body is JSON.', 'The body is JSON.', 'same'],
  ['The body is JSON.', 'the body  is JSON', 'spelling'],
  ['The response names the error.', 'The respnse names the error.', 'spelling'],
  ['The resposne names the error.', 'The response names the error.', 'spelling'],
  ['The response says the error.', 'The response tells the error.', 'rewording'],
  ['A key is refused.', 'A key is accepted.', 'meaning'],
  ['It is not stored.', 'It is now stored.', 'meaning'],
  ['It is stored.', 'It is not stored.', 'meaning'],
  ['It is valid.', 'It is invalid.', 'meaning'],
  ['It must be stored.', 'It may be stored.', 'meaning'],
  ['The response is 400.', 'The response is 401.', 'meaning'],
  ['The member `id` is there.', 'The member `ids` is there.', 'meaning'],
  ['`Id` is there.', '`id` is there.', 'meaning'],
  ['It is a string.', 'It is an integer.', 'meaning'],
  ['It is a string.', 'It is a strng.', 'spelling'],
  ['Every user is shown.', 'Some user is shown.', 'meaning'],
  ['`a` is before `b`.', '`b` is before `a`.', 'meaning'],
])('two wordings of a requirement %s → %s', (before, after, expected) => {
  expect(compareWording(before, after)).toBe(expected);
  expect(compareWording(after, before)).toBe(expected);
});
