import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeRedactor, WITHHELD } from '../../conformance/http/redact.ts';
import { encodings } from './encodings.ts';

const without = (value: string, text: string): string => makeRedactor([value])(text);

/** Keys as an HTTP header can carry them, with four characters beside blanks, plus signs and what may be an escape. */
const key = fc
  .string({
    unit: fc.constantFrom(...Array.from(' !"#$%&\'()*+,-./0123456789:;<=>?@ABCXYZ\\^_`abcnrtuxyz{|}~äÿß')),
    minLength: 4,
    maxLength: 40,
  })
  .filter((text) => text === text.trim() && text.replaceAll(/[\s+]|[%\\&][\w#;]{0,9}/g, '').length >= 4);
const noise = fc.string({ unit: fc.constantFrom(...Array.from(' !"#$%&+,./0129:;<=>?@AZ\\az{}\n')), maxLength: 30 });
/** An escape that begins or ends in the noise may take characters of a key with it; of a short key these may be all that tells. */
const before = noise.map((text) => text.replace(/[%\\&][\w#;%\\&]*$/, ''));
const behind = noise.map((text) => text.replace(/^[\da-f]+/i, ''));

it('A text with a key of four characters or more is withheld, in any encoding and among any others', () => {
  fc.assert(
    fc.property(key, before, behind, fc.constantFrom(...Object.values(encodings)), (value, lead, after, encode) => {
      const redact = makeRedactor(['another-key', value]);
      const shown = redact(lead + encode(value) + after);
      expect(shown).toContain(WITHHELD);
      expect(redact(shown)).toBe(shown);
      expect(shown).not.toContain(encode(value));
    }),
    { numRuns: 2000 },
  );
});

it.each(Object.entries(encodings))('A text that the suite cut within a key is withheld: %s', (_how, encode) => {
  const value = 'S3cret+Admin/Key-01="<&zQ7w';
  const form = encode(value);
  const redact = makeRedactor([value]);
  for (let length = Math.ceil(form.length / 2); length < form.length; length += 1)
    expect(redact(`It is "xx${form.slice(0, length)}…, and was "y".`)).toContain(WITHHELD);
  for (let start = Math.floor(form.length / 2); start > 0; start -= 1)
    expect(redact(`It is "…${form.slice(start)}xx", and was "y".`)).toContain(WITHHELD);
});

it('A text that was cut within something else is shown', () => {
  const text = 'It is "Conformance admin and more…, and was "Conformance adm".';
  expect(without('Conformance-admin-key-1234', text)).toBe(text);
  const ending = 'It is "…and 1234, or more key-1234".';
  expect(without('Conformance-admin-key-1234', ending)).toBe(ending);
  const path = 'PUT /api/admin/user-admin/21 with…';
  expect(without('pyr-admin-b6b2b4a1c5fe477aa0f2', path)).toBe(path);
});

it('A text is shown unless it has a key', () => {
  const redact = makeRedactor(['kkkk-another-key', 'Kkkk/1']);
  fc.assert(fc.property(noise, (text) => redact(text) === text));
});

it.each([
  ['that grows in capitals', 'secretß1', 'SECRETSS1'],
  ['without its first and last characters', '0123456789abcdef', 'it is 123456789abcde'],
  ['with another first character and its scheme', 'Bearer 0123456789abcdef', 'Bearer x123456789abcdef'],
  ['that has an escape in itself', 'a%41b%2Bc', 'so a%2541b%252Bc'],
])('A text with a key %s is withheld', (_how, value, text) => expect(without(value, text)).toBe(WITHHELD));

it.each([
  ['less than a key', 'secret', 'secre ecret'],
  ['an empty key', '', 'a text'],
  ['a blank key', '     ', 'a text  with   blanks,      wide ones too\tand tabs'],
  ['a key of three characters', 'a+bc', 'abc a+bc'],
  ['Base64 of something else', 'kEy-äß-0001-secret', Buffer.from('Bearer of some other text').toString('base64')],
])('A text with %s is shown', (_what, value, text) => expect(without(value, text)).toBe(text));

it('Only the JSON strings that have a key are withheld, where it is in no other place', () => {
  const text = 'The body is {"secret-1":"a \\"secret\\u002D1\\" or","list":["secret","b"]}, cut at "the secret-1';
  const shown = `The body is {"${WITHHELD}":"${WITHHELD}","list":["secret","b"]}, cut at "${WITHHELD}"`;
  expect(without('secret-1', text)).toBe(shown);
  expect(without('secret-1', `${text}" secret-1`)).toBe(WITHHELD);
});

it.each(['', 'Bearer ', 'user:', 'u:', 'Basic user:name:'])('A key in Base64 behind %j is found', (lead) => {
  const value = 'kEy-äß-0001-secret';
  for (const encoding of ['utf8', 'latin1'] as const)
    for (const form of ['base64', 'base64url'] as const)
      expect(without(value, `<${Buffer.from(`${lead}${value}\n`, encoding).toString(form)}>`)).toBe(WITHHELD);
});

// If it took time in proportion to the square of the length, these would not end within the hour.
it.each([
  ...['\\', '\\\\s', 'aaaa\\', '%', '%25', '+', '"', '\\"', '"\\', ' ', 'secret-ke', '"secret-key', 'ecret-…'],
  ...['\\u0061', '\\\\u0073', '\\u00', '\\u005c', '%5Cu005C', '%2573', '%c3', '%2%35', '\u00c3', '\u00f0\u0080'],
])('A long text of %j takes time in proportion to its length', (unit) => {
  const length = 500_000;
  const redact = makeRedactor(['aaaa\\aaaa%25%25"ab', 'secret-key', 'ÃÃÃÃÃÃÃÃ']);
  expect(redact(unit.repeat(length / unit.length)).length).toBeLessThanOrEqual(2 * length);
});
