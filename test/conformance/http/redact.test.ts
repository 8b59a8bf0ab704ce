import { describe, expect, it } from 'vitest';
import { makeRedactor, redactedStart, redactedValue, WITHHELD } from '../../../conformance/http/redact.ts';

const without = (value: string, text: string): string => makeRedactor([value])(text);

describe('makeRedactor', () => {
  it.each([
    ['in capitals', 'secretß1', 'SECRETSS1'],
    ['in capitals, as a font may have it', 'secretß1', 'SECRETẞ1'],
    ['that looks like a pattern', 'a.c$&(x)*', 'abc a.c$&(x)*'],
    ['with an apostrophe', "o'clock", 'at o&apos;clock'],
    ['with a tab', 'two\twords', '?two%09words'],
    ['with a space, as a plus', 'two words', 'two+words'],
    ['that has an escape in itself', 'a%41b%2Bc', 'so a%2541b%252Bc'],
    ['without its first and last characters', '0123456789abcdef', 'it ends with 3456789abc'],
    ['of ISO 8859-1 as bytes of UTF-8 within JSON', 'kEyüpart', String.raw`kEy\\xc3\\xbcpart`],
    ['of ISO 8859-1 in two encodings', 'üaüaüa', String.raw`%c3%bca%FCa\u00fca`],
    ['behind what could begin an escape', '1a&b-2345678', '%1a%26b-2345678'],
  ])('withholds a text with a key %s', (_how, value, text) => expect(without(value, text)).toBe(WITHHELD));

  it.each([
    ['less than a key', 'secret', 'secre ecret'],
    ['an empty key', '', 'a text'],
    ['a blank key', '     ', 'a text  with   blanks,      wide ones too\tand tabs'],
    ['a key of three characters', 'a+bc', 'abc a+bc'],
    ['Base64 of something else', 'kEy-äß-0001-secret', Buffer.from('Bearer of some other text').toString('base64')],
  ])('leaves a text with %s unchanged', (_what, value, text) => expect(without(value, text)).toBe(text));

  it('withholds only the JSON strings that have a key, where it is in no other place', () => {
    const text = 'The body is {"secret-1":"a \\"secret\\u002D1\\" or","list":["secret","b"]}, cut at "the secret-1';
    const shown = `The body is {"${WITHHELD}":"${WITHHELD}","list":["secret","b"]}, cut at "${WITHHELD}"`;
    expect(without('secret-1', text)).toBe(shown);
    expect(without('secret-1', `${text}" secret-1`)).toBe(WITHHELD);
  });

  it.each(['', 'Bearer ', 'user:', 'u:', 'Basic user:name:'])('finds a key in Base64 behind %j', (before) => {
    const value = 'kEy-äß-0001-secret';
    for (const encoding of ['utf8', 'latin1'] as const)
      for (const form of ['base64', 'base64url'] as const)
        expect(without(value, `<${Buffer.from(`${before}${value}\n`, encoding).toString(form)}>`)).toBe(WITHHELD);
  });

  it.each(['', 'Basic '])('finds a key whose Base64 is in Base64 again, behind %j', (before) => {
    const value = 'kEy-äß-0001-secret';
    for (const inner of ['base64', 'base64url'] as const)
      for (const outer of ['base64', 'base64url'] as const) {
        const once = Buffer.from(value).toString(inner);
        expect(without(value, Buffer.from(before + once).toString(outer))).toBe(WITHHELD);
      }
  });
});

// If it took time in proportion to the square of the length, these would not end within the hour.
it.each([
  ...['\\', '\\\\s', 'aaaa\\', '%', '%25', '&', '&amp;', 'amp;', '&#0', '&#x', '+', '"', '\\"', '"\\'],
  ...['secret-ke', '\\u0061', '\\\\u0073', '\\u00', '%2573', '%c3', '\u00c3', '\u00f0\u0080', ' ', '"secret-key'],
  ...['%2%35', '&&amp;#38;amp;', '\\u005c', '%5Cu005C'],
])('The work for a text of %j is in proportion to its length', (unit) => {
  const length = 500_000;
  const text = unit.repeat(length / unit.length);
  const redact = makeRedactor(['aaaa\\aaaa%25%25&amp;"ab', 'secret-key', 'ÃÃÃÃÃÃÃÃ']);
  expect(redact(text, true).length).toBeLessThanOrEqual(2 * length);
  expect(redactedStart(text, redact).text.length).toBeLessThanOrEqual(4_000);
});

describe('redactedStart', () => {
  const value = '0123456789-secret-key-0123456789-abcdef';
  const redact = makeRedactor([value]);

  it.each([4_000, 4_001, 12_193, 1_000_000])(
    'returns the first 4000 of %i characters, and the rest as a number',
    (length) =>
      expect(redactedStart('x'.repeat(length), redact)).toEqual({ text: 'x'.repeat(4_000), cut: length - 4_000 }),
  );

  it.each(['', '25', '25'.repeat(40), '25'.repeat(150)])(
    'shows no part of a key that a cut divides, percent-encoded with %j',
    (more) => {
      const form = Array.from(value, (char) => `%${more}${char.charCodeAt(0).toString(16)}`).join('');
      for (let before = 0; before <= 4_000; before += 41) {
        const { text } = redactedStart('x'.repeat(before) + form + 'y'.repeat(20_000), redact);
        const shown = Math.min(value.length, ((4_000 - before) / form.length) * value.length);
        if (shown > 8) expect(text).toBe(WITHHELD);
      }
    },
  );
});

describe('redactedValue', () => {
  const redact = makeRedactor(['secret-1']);

  it('returns a small value without secrets, and null for one that JSON does not have', () => {
    expect(redactedValue({ 'secret-1': ['a secret-1', 1, null] }, redact)).toEqual({ [WITHHELD]: [WITHHELD, 1, null] });
    expect([false, undefined, null].map((value) => redactedValue(value, redact))).toEqual([false, null, null]);
  });

  it('returns the start of the JSON text of a value that has more than 4000 characters', () => {
    const shown = redactedValue({ list: ['secret-1', 'x'.repeat(100_000)] }, redact);
    expect(shown).toMatch(/^\{"list":\["\[withheld: contains a key\]","xxx.{3900,4000}…$/);
    expect(redactedValue('x'.repeat(3_998), redact)).toBe('x'.repeat(3_998));
    expect(redactedValue('x'.repeat(3_999), redact)).toMatch(/…$/);
  });
});

it('finds a key anywhere in a long text', () => {
  const key = 'Admin-Key-0123456789';
  const redact = makeRedactor([key]);
  const escaped = Array.from(key, (char) => `&#${'0'.repeat(300)}${char.charCodeAt(0)};`).join('');
  for (let before = 500_000; before < 3_000_000; before += 262_144)
    for (const form of [key, escaped])
      expect(redact('x'.repeat(before) + form + 'y'.repeat(3_000_000 - before))).toBe(WITHHELD);
  expect(redact('x'.repeat(3_000_000))).toHaveLength(3_000_000);
});
