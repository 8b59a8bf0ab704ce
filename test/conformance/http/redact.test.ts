import { describe, expect, it } from 'vitest';
import { makeRedactor, redactedStart, redactedValue } from '../../../conformance/http/redact.ts';
import { encodings } from '../../support/encodings.ts';

const LABEL = '∎';

/** A text without this key. */
const without = (value: string, text: string): string => makeRedactor([{ value, label: 'key' }])(text);

describe('makeRedactor', () => {
  const tricky = `K&y <"o'ne"> /+=? 100%\\ÿ`;

  it.each(Object.entries(encodings))('replaces a key %s', (_name, encode) => {
    const redact = makeRedactor([{ value: tricky, label: LABEL }]);
    expect(redact(`before ${encode(tricky)} after`)).toBe(`before [${LABEL}] after`);
  });

  it.each([
    ['a key that occurs several times', 'secret', 'secret, secret; SECRETsecret', '[key], [key]; [key][key]'],
    ['a part of a key', 'secret', 'secre ecret', 'secre ecret'],
    ['a key that looks like a pattern', 'a.c$&(x)*', 'abc a.c$&(x)*', 'abc [key]'],
    ['a key with an apostrophe', "o'clock", 'at o&apos;clock', 'at [key]'],
    ['a key with a tab', 'two\twords', '?two%09words', '?[key]'],
    ['a key with a space, as a plus', 'two words', 'two+words', '[key]'],
    ['a plus within a key', 'secret', '++++++ s+cret', '++++++ s+cret'],
  ])('redacts a whole key as it is: %s', (_what, value, text, redacted) => {
    expect(without(value, text)).toBe(redacted);
  });

  it('replaces the longest key first, so that nothing of it remains', () => {
    const short = { value: 'abcd', label: 'short' };
    const long = { value: 'abcdefgh', label: 'long' };
    for (const secrets of [
      [short, long],
      [long, short],
    ]) {
      expect(makeRedactor(secrets)('abcdefgh abcd')).toBe('[long] [short]');
    }
  });

  it('replaces each key by its own label', () => {
    const redact = makeRedactor([
      { value: 'first-key', label: 'admin key' },
      { value: 'other-key', label: 'restricted key' },
    ]);
    expect(redact('first-key/other-key')).toBe('[admin key]/[restricted key]');
  });

  it('writes a label verbatim, so that none brings the key back', () => {
    expect(makeRedactor([{ value: 'secret', label: '$&' }])('a secret')).toBe('a [$&]');
  });

  it('leaves texts without keys unchanged, even if a key is empty or blank', () => {
    const text = 'a text  with   blanks,      wide ones too\tand tabs';
    for (const value of ['', ' ', '   ', '     ', '\t']) {
      expect(without(value, text)).toBe(text);
    }
    expect(makeRedactor([])('secret')).toBe('secret');
  });

  // The other spellings of a character that RFC 8259 allows, as the JSON writers of large frameworks choose them.
  it.each([
    ['a slash escaped, as PHP writes it', 'kEy/part/0001', 'kEy\\/part\\/0001'],
    ['a plus escaped, as .NET writes it', 'kEy+part+0001', 'kEy\\u002Bpart\\u002B0001'],
    ['an ampersand escaped, as Go writes it', 'kEy&part&0001', 'kEy\\u0026part\\u00260001'],
    ['characters beyond the first plane escaped', 'kEy😀part0001', 'kEy\\ud83d\\ude00part0001'],
    ['letters beyond ASCII escaped, as Python writes them', 'kEyäpart0001', 'kEy\\u00e4part0001'],
  ])('replaces a key in a JSON string with %s', (_how, value, written) => {
    expect(JSON.parse(`"${written}"`)).toBe(value);
    expect(without(value, `{"message":"${written} is not valid"}`)).toBe('{"message":"[key] is not valid"}');
  });

  it.each([998, 999, 1_000, 2_500, 16_000])(
    'leaves at most a few last characters of a key of %i characters',
    (length) => {
      const value = Array.from({ length }, (_each, index) => (index * 7919).toString(36).slice(-1)).join('');
      for (const encode of [encodings.verbatim, encodings.base64, encodings.hex, encodings['percent-encoded']]) {
        const redacted = makeRedactor([{ value, label: LABEL }])(`before ${encode?.(value) ?? ''} after`);
        expect(redacted).toMatch(/^before (\[∎\])+.{0,6} after$/);
      }
    },
  );
});

describe('makeRedactor on a key in Base64 with other bytes', () => {
  const value = 'kEy-äß-0001-secret';
  const parts = Array.from({ length: value.length - 5 }, (_each, at) => value.slice(at, at + 6));

  it.each(['', 'Bearer ', 'user:', 'u:', 'Basic user:name:'])('finds it behind %j', (before) => {
    for (const encoding of ['utf8', 'latin1'] as const) {
      for (const form of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(`${before}${value}\n`, encoding).toString(form);
        const redacted = without(value, `<${encoded}>`);
        expect(redacted).toContain('[key]');
        const rest = redacted
          .slice(1, -1)
          .split('[key]')
          .map((each) => Buffer.from(each, form).toString(encoding));
        for (const part of parts) expect(rest.join(' ')).not.toContain(part);
      }
    }
  });

  it('leaves ordinary Base64 unchanged', () => {
    const text = Buffer.from('Bearer of some other text').toString('base64');
    expect(without(value, text)).toBe(text);
  });
});

describe('the work of makeRedactor', () => {
  const value = 'aaaa\\aaaa%25%25&amp;"ab';
  const secrets = [
    { value, label: 'key' },
    { value: value.slice(1), label: 'part' },
    { value: 'secret-key', label: 'other' },
  ];

  /** The steps for a text. */
  function steps(text: string): number {
    const meter = { steps: 0 };
    makeRedactor(secrets, meter)(text);
    return meter.steps;
  }

  it.each([
    ...['\\', '\\\\s', 'a', 'aaaa\\', '%', '%25', '&', '&amp;', 'amp;', '&#0', '0', '+', 's', 'secret-ke'],
    ...['\\u0061', '\\\\u0073', '%2573', value, value.slice(0, -1)],
  ])('doubles with the length of a text of %j', (unit) => {
    const [once, twice] = [steps(unit.repeat(4_000)), steps(unit.repeat(8_000))];
    expect(twice).toBeLessThan(once * 2.1 + 1_000);
    expect(twice).toBeLessThan(unit.length * 8_000 * 100);
  });

  it('is one step for each character where no key could begin', () => {
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(1_000);
    expect(steps(text)).toBeLessThanOrEqual(text.length * 1.05);
  });
});

describe('redactedStart', () => {
  const same = (text: string): string => text;
  const SECRET = Array.from({ length: 100 }, (_each, index) => String.fromCharCode(0x4e00 + index)).join('');
  const redact = (text: string): string => text.replaceAll(SECRET, '[k]');
  const partOfSecret = /[\u4e00-\u4e63]/;

  it('returns a short text whole, without secrets', () => {
    expect(redactedStart(`a ${SECRET} b`, redact)).toEqual({ text: 'a [k] b', cut: 0 });
    expect(redactedStart('x'.repeat(4_000), same)).toEqual({ text: 'x'.repeat(4_000), cut: 0 });
  });

  it.each([4_001, 5_000, 12_192, 12_193, 20_000, 1_000_000])(
    'returns the first 4000 of %i characters, and how many are not shown',
    (length) => {
      const start = redactedStart('x'.repeat(length), same);
      expect(start.text).toBe('x'.repeat(4_000));
      expect(start.cut).toBe(length - 4_000);
    },
  );

  it('leaves no half of a secret at the cut', () => {
    for (let before = 3_890; before <= 4_010; before += 10) {
      const { text } = redactedStart('x'.repeat(before) + SECRET + 'y'.repeat(10_000), redact);
      expect(text).not.toMatch(partOfSecret);
      expect(text.slice(0, 3_890)).toBe('x'.repeat(3_890));
    }
  });

  it('leaves no half of a secret if redaction moves the cut forward', () => {
    for (const lead of [0, 30, 60, 90]) {
      const { text } = redactedStart('x'.repeat(lead) + SECRET.repeat(200), redact);
      expect(text).not.toMatch(partOfSecret);
      expect(text.length).toBeLessThanOrEqual(4_000);
    }
  });

  it('searches only the start of a large text for secrets', () => {
    const lengths: number[] = [];
    redactedStart('x'.repeat(1_000_000), (text) => {
      lengths.push(text.length);
      return text;
    });
    expect(Math.max(...lengths)).toBeLessThan(50_000);
  });
});

describe('redactedValue', () => {
  const redact = (text: string): string => text.replaceAll('secret', '[k]');

  it('returns a small value without secrets, and null for one that JSON does not have', () => {
    expect(redactedValue({ secret: ['a secret', 1, null] }, redact)).toEqual({ '[k]': ['a [k]', 1, null] });
    expect([false, undefined, null].map((value) => redactedValue(value, redact))).toEqual([false, null, null]);
  });

  it('returns the start of the JSON text of a large value, with an ellipsis', () => {
    const shown = redactedValue({ list: ['secret', 'x'.repeat(100_000)] }, redact);
    expect(shown).toMatch(/^\{"list":\["\[k\]","xxx.*…$/);
    expect(String(shown).length).toBeLessThan(5_000);
  });

  it('treats a value as large if its JSON text has more than 4000 characters', () => {
    expect(redactedValue('x'.repeat(3_998), redact)).toBe('x'.repeat(3_998));
    expect(redactedValue('x'.repeat(3_999), redact)).toMatch(/…$/);
  });
});
