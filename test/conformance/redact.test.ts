import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { makeRedactor, mapStrings } from '../../conformance/redact.ts';

const LABEL = '∎';

type Encode = (value: string) => string;

const hex = (value: string): string =>
  Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16).padStart(2, '0')).join('');
const base64 = (value: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(value)));

/** The forms in which a text stands in a URL, a form, JSON, HTML, a token or a dump. */
const encodings: Readonly<Record<string, Encode>> = {
  verbatim: (value) => value,
  'percent-encoded': encodeURIComponent,
  'percent-encoded with small hex digits': (value) =>
    encodeURIComponent(value).replaceAll(/%../g, (code) => code.toLowerCase()),
  'form-encoded': (value) => encodeURIComponent(value).replaceAll('%20', '+'),
  'in a JSON string': (value) => JSON.stringify(value).slice(1, -1),
  'in HTML': (value) =>
    value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  base64,
  'base64 without padding': (value) => base64(value).replaceAll('=', ''),
  base64url: (value) => base64(value).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_'),
  hex,
  'capital hex': (value) => hex(value).toUpperCase(),
  'small letters': (value) => value.toLowerCase(),
  'capital letters': (value) => value.toUpperCase(),
};

/** Keys as an HTTP header can carry them; brackets are left out because the replacement has them. */
const key = fc
  .string({
    unit: fc.constantFrom(...Array.from(' !"#$%&\'()*+,-./0123456789:;<=>?@ABCXYZ\\^_`abcxyz{|}~äÿ')),
    minLength: 4,
    maxLength: 24,
  })
  .filter((text) => text === text.trim() && text.trim().length >= 4);
const noise = fc.string({ unit: fc.constantFrom(...Array.from(' !"#$%&+,./0129:;<=>?@AZ\\az{}\n')), maxLength: 30 });

describe('makeRedactor', () => {
  const tricky = `K&y <"o'ne"> /+=? 100%\\ÿ`;

  it.each(Object.entries(encodings))('replaces a key %s', (_name, encode) => {
    const redact = makeRedactor([{ value: tricky, label: LABEL }]);
    expect(redact(`before ${encode(tricky)} after`)).toBe(`before [${LABEL}] after`);
  });

  it('leaves no key of four characters or more in a text, in any encoding', () => {
    fc.assert(
      fc.property(key, noise, noise, fc.constantFrom(...Object.values(encodings)), (value, before, after, encode) => {
        const redacted = makeRedactor([{ value, label: LABEL }])(before + encode(value) + after);
        for (const each of Object.values(encodings)) expect(redacted).not.toContain(each(value));
        expect(redacted).toContain(`[${LABEL}]`);
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves none of several keys, in whichever order they are given and stand', () => {
    const secrets = fc.uniqueArray(key, { minLength: 2, maxLength: 4 });
    const forms = fc.array(fc.tuple(fc.nat(3), fc.constantFrom(...Object.values(encodings)), noise), { maxLength: 6 });
    fc.assert(
      fc.property(secrets, forms, (values, parts) => {
        const text = parts.map(([index, encode, rest]) => encode(values[index % values.length] ?? '') + rest).join('');
        const redacted = makeRedactor(values.map((value, index) => ({ value, label: LABEL.repeat(index + 1) })))(text);
        for (const value of values) {
          for (const encode of Object.values(encodings)) expect(redacted).not.toContain(encode(value));
        }
      }),
      { numRuns: 1000 },
    );
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

describe('a key of 16,000 characters', () => {
  const value = Array.from({ length: 4_000 }, (_each, index) => String(index).padStart(4, 'k')).join('');
  const redact = makeRedactor([{ value, label: LABEL }]);

  it.each(Object.entries(encodings))('is replaced %s', (_how, encode) => {
    expect(redact(`so ${encode(value)} it is`)).toMatch(new RegExp(`^so [[\\]${LABEL}]+ it is$`));
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
