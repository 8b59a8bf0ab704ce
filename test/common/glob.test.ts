import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchesOne } from '../../common/glob.ts';

/** A text of letters that come again, so that a part fits in several places. */
const textOf = (...letters: string[]) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 });

it('matches what the regular expression matches that has `.*` for each asterisk', () => {
  fc.assert(
    fc.property(textOf('a', 'b', '.', '*'), textOf('a', 'b', '.'), (glob, name) => {
      const parts = glob.split('*').map((part) => part.replaceAll('.', '\\.'));
      expect(matchesOne([glob], name)).toBe(new RegExp(`^${parts.join('.*')}$`).test(name));
    }),
  );
});

it.each([`${'*'.repeat(100_000)}x`, `${'*a'.repeat(50_000)}x`, `${'*a'.repeat(30)}x`, 'x'.repeat(120_000)])(
  'takes time in proportion to the length of the glob',
  // A search that tries each way through such a glob has no end.
  (glob) => expect(matchesOne([glob], 'a'.repeat(60))).toBe(false),
);
