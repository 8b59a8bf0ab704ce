import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeRedactor } from '../../../conformance/http/redact.ts';
import { encodings } from '../../support/encodings.ts';

const LABEL = '∎';

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

  it('leaves none of several keys, in any order', () => {
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
});
