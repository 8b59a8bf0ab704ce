import fc from 'fast-check';
import { expect, it } from 'vitest';
import { makeRedactor, WITHHELD } from '../../../conformance/http/redact.ts';
import { encodings } from '../../support/encodings.ts';

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

it('A text is shown unless it has a key', () => {
  fc.assert(
    fc.property(noise, (text) => {
      expect(makeRedactor(['kkkk-another-key', 'Kkkk/1'])(text)).toBe(text);
    }),
  );
});
