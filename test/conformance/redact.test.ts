import { describe, expect, it } from 'vitest';
import { makeRedactor, mapStrings } from '../../conformance/redact.ts';
import { encodings } from '../support/encodings.ts';

const LABEL = '∎';

describe('makeRedactor', () => {
  const tricky = `K&y <"o'ne"> /+=? 100%\\ÿ`;

  it.each(Object.entries(encodings))('replaces a key %s', (_name, encode) => {
    const redact = makeRedactor([{ value: tricky, label: LABEL }]);
    expect(redact(`before ${encode(tricky)} after`)).toBe(`before [${LABEL}] after`);
  });

  it('replaces every occurrence', () => {
    expect(makeRedactor([{ value: 'secret', label: 'key' }])('secret, secret; SECRETsecret')).toBe(
      '[key], [key]; [key][key]',
    );
  });

  it('replaces the longest key first, so that no rest of it stays', () => {
    const short = { value: 'abcd', label: 'short' };
    const long = { value: 'abcdefgh', label: 'long' };
    for (const secrets of [
      [short, long],
      [long, short],
    ]) {
      expect(makeRedactor(secrets)('abcdefgh abcd')).toBe('[long] [short]');
    }
  });

  it('names each key by its own label', () => {
    const redact = makeRedactor([
      { value: 'first-key', label: 'admin key' },
      { value: 'other-key', label: 'restricted key' },
    ]);
    expect(redact('first-key/other-key')).toBe('[admin key]/[restricted key]');
  });

  it('takes a key for no pattern', () => {
    expect(makeRedactor([{ value: 'a.c$&(x)*', label: 'key' }])('abc a.c$&(x)*')).toBe('abc [key]');
  });

  it('writes a label as it is, so that none brings the key back', () => {
    expect(makeRedactor([{ value: 'secret', label: '$&' }])('a secret')).toBe('a [$&]');
  });

  it('leaves texts without keys as they are, also where a key is empty or blank', () => {
    for (const value of ['', ' ', '   ', '\t']) {
      expect(makeRedactor([{ value, label: 'key' }])('a text  with   blanks\tand tabs')).toBe(
        'a text  with   blanks\tand tabs',
      );
    }
    expect(makeRedactor([])('secret')).toBe('secret');
  });

  // The other spellings of a character that RFC 8259 allows, as the JSON writers of large frameworks choose them.
  it.each([
    ['a slash escaped, as PHP writes it', 'kEy/part/0001', 'kEy\\/part\\/0001'],
    ['a plus escaped, as .NET writes it', 'kEy+part+0001', 'kEy\\u002Bpart\\u002B0001'],
    ['an ampersand escaped, as Go writes it', 'kEy&part&0001', 'kEy\\u0026part\\u00260001'],
    ['letters beyond ASCII escaped, as Python writes them', 'kEyäpart0001', 'kEy\\u00e4part0001'],
  ])('replaces a key in a JSON string with %s', (_how, value, written) => {
    expect(JSON.parse(`"${written}"`)).toBe(value);
    expect(makeRedactor([{ value, label: 'key' }])(`{"message":"${written} is not valid"}`)).toBe(
      '{"message":"[key] is not valid"}',
    );
  });
});

describe('mapStrings', () => {
  const shout = (text: string): string => text.toUpperCase();

  it('changes every string, member names included, and nothing else', () => {
    const value = { a: 'x', list: ['y', { deep: 'z' }], number: 1, no: null, yes: true };
    expect(mapStrings(value, shout)).toEqual({ A: 'X', LIST: ['Y', { DEEP: 'Z' }], NUMBER: 1, NO: null, YES: true });
  });

  it('leaves its argument as it was', () => {
    const value = { a: ['x'] };
    mapStrings(value, shout);
    expect(value).toEqual({ a: ['x'] });
  });

  it('gives strings, numbers and null alone back', () => {
    expect([mapStrings('x', shout), mapStrings(1, shout), mapStrings(null, shout)]).toEqual(['X', 1, null]);
  });
});
