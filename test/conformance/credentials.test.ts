import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../contract/document.ts';
import { adminCredential, badCredentials, restrictedCredential } from '../../conformance/credentials.ts';
import type { Credential } from '../../conformance/exchange.ts';

const printable = Array.from({ length: 0x7f - 0x20 }, (_each, index) => String.fromCharCode(0x20 + index)).join('');
const latin = Array.from({ length: 0x100 - 0xa1 }, (_each, index) => String.fromCharCode(0xa1 + index)).join('');

function keyOf(alphabet: string, maxLength = 40): fc.Arbitrary<string> {
  return fc
    .string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength: 1, maxLength })
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** Keys as an operator can give them: anything that a header field carries, without blanks at its ends. */
const key = fc.oneof(
  keyOf(printable),
  keyOf(printable, 1),
  keyOf('0123456789-_.'),
  keyOf('!#$%&*+-.^_|~'),
  keyOf('abcXYZ019').map((text) => `Bearer ${text}`),
  keyOf('aB1-').map((text) => `Bearer  ${text}`),
);

function credentialOf(id: string, value: string): Credential | undefined {
  const found = badCredentials.find((each) => each.id === id);
  if (!found) throw new Error(`There is no credential ${id}.`);
  return found.make(value);
}

const headerOf = (id: string, value: string): string | undefined => credentialOf(id, value)?.header;

/** Those that are meant to send a blank header. */
const BLANK = ['empty-header', 'blank-header'];

describe('every bad credential', () => {
  it('is no valid key, whatever the key', () => {
    fc.assert(
      fc.property(key, (value) => {
        for (const { id, make } of badCredentials) {
          const made = make(value);
          expect(made?.header?.trim(), id).not.toBe(value);
          expect(made?.role, id).toBeUndefined();
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('sends a blank header only where that is meant', () => {
    fc.assert(
      fc.property(key, (value) => {
        for (const { id, make } of badCredentials) {
          const header = make(value)?.header;
          if (BLANK.includes(id)) expect(header?.trim(), id).toBe('');
          else if (header !== undefined) expect(header.trim(), id).not.toBe('');
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('shows the key neither in its label nor in its line for the shell', () => {
    fc.assert(
      fc.property(keyOf('abcXYZ019', 20), (tail) => {
        const value = `0q9${tail}`;
        for (const { id, make } of badCredentials) {
          const made = make(value);
          expect(made?.label, id).not.toContain(value);
          expect(made?.shell ?? '', id).not.toContain(value);
        }
      }),
    );
  });

  it.each([
    ['ASCII', printable],
    ['Latin-1', printable + latin],
  ])('can be carried by a header where the key can: %s', (_name, alphabet) => {
    fc.assert(
      fc.property(keyOf(alphabet), (value) => {
        for (const { id, make } of badCredentials) {
          const { header = '', otherHeaders = {} } = make(value) ?? {};
          for (const text of [header, ...Object.values(otherHeaders)])
            expect(text, id).toMatch(/^[\x20-\x7e\x80-\xff]*$/);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('names a requirement of the contract, and has an id of its own', () => {
    const known = requirements.map(({ id }) => id);
    for (const { requirement } of badCredentials) expect(known).toContain(requirement);
    expect(new Set(badCredentials.map(({ id }) => id)).size).toBe(badCredentials.length);
  });
});

describe('the altered keys', () => {
  const KEY = 'Bearer Abc-19z';

  it('are the key with the one alteration, behind the scheme', () => {
    expect(headerOf('shortened-key', KEY)).toBe('Bearer Abc-19');
    expect(headerOf('lengthened-key', KEY)).toBe('Bearer Abc-19zzzzz');
    expect(headerOf('other-case-key', KEY)).toBe('Bearer aBC-19Z');
    expect(headerOf('other-start-key', KEY)).toMatch(/^Bearer [B-Z]bc-19z$/);
  });

  it('have the form of the key where they look alike: each character of its kind, and none that is the same', () => {
    for (let count = 0; count < 200; count += 1) {
      expect(headerOf('look-alike-key', KEY)).toMatch(/^Bearer [B-Z][ac-z][abd-z]-[02-9][0-8][a-y]$/);
    }
  });

  it('keep the scheme as it is, whatever stands behind', () => {
    fc.assert(
      fc.property(keyOf('abcXYZ019-'), (token) => {
        for (const id of ['shortened-key', 'lengthened-key', 'other-case-key', 'other-start-key', 'look-alike-key']) {
          const header = headerOf(id, `Bearer ${token}`);
          if (header !== undefined) expect(header, id).toMatch(/^Bearer /);
        }
      }),
    );
  });

  it('do not exist where the key gives none', () => {
    expect(credentialOf('other-case-key', '12345-67890')).toBeUndefined();
    expect(credentialOf('other-case-key', 'Bearer 12345')).toBeUndefined();
    expect(credentialOf('look-alike-key', '--!--')).toBeUndefined();
    expect(credentialOf('shortened-key', 'k')).toBeUndefined();
  });

  it.each([
    ['a UUID', '3f2b8c1e-7a4d-4e6f-9b0a-1c2d3e4f5a6b'],
    ['hexadecimal digits', '9f86d081884c7d659a2feaa0c55ad015'],
    ['hexadecimal digits in capitals, behind a scheme', 'Bearer 9F86D081884C7D659A2FEAA0C55AD015'],
  ])('are in no other letter case where that means nothing: %s', (_what, value) => {
    expect(credentialOf('other-case-key', value)).toBeUndefined();
  });

  it.each([
    ['an odd count of digits', '9f86d081884c7d659a2feaa0c55ad01'],
    ['capitals and small letters', '9F86d081884c7d659a2feaa0c55ad015'],
    ['few digits', 'decade'],
  ])('are in another letter case where that may mean something: %s', (_what, value) => {
    expect(credentialOf('other-case-key', value)).toBeDefined();
  });

  it('exist for a key of one letter where they can', () => {
    expect(headerOf('lengthened-key', 'k')).toBe('kzzzz');
    expect(headerOf('other-case-key', 'k')).toBe('K');
    expect(headerOf('other-start-key', 'k')).toMatch(/^[a-jl-z]$/);
    expect(headerOf('look-alike-key', 'k')).toMatch(/^[a-jl-z]$/);
  });

  it('have another first character also where that is neither letter nor digit', () => {
    expect(headerOf('other-start-key', '-abc')).toBe('xabc');
  });
});

describe('a key that stands elsewhere than in Authorization', () => {
  const sizeOf = (id: string, value: string): number => {
    const { query = '', otherHeaders = {} } = credentialOf(id, value) ?? {};
    return query.length + Object.values(otherHeaders).join('').length;
  };

  it.each(['key-in-query', 'key-in-other-header', 'key-in-cookie'])(
    'makes no request so long that its length is a reason to refuse it: %s',
    (id) => {
      for (const length of [1, 40, 1_000, 3_900, 4_000, 20_000])
        expect(sizeOf(id, 'k'.repeat(length))).toBeLessThan(4_100);
      expect(sizeOf(id, 'k'.repeat(3_900))).toBeGreaterThanOrEqual(3_900);
      expect(credentialOf(id, 'k'.repeat(4_000))).toBeUndefined();
    },
  );
});

describe('an unknown key', () => {
  it('is another one each time', () => {
    const headers = Array.from({ length: 20 }, () => headerOf('unknown-key', 'k'));
    expect(new Set(headers).size).toBe(20);
  });
});

describe('a key in another place', () => {
  const KEY = 'a b&c=d;é/+';

  it('is in the query alone, encoded so that a server reads the key', () => {
    const made = credentialOf('key-in-query', KEY);
    expect(made?.header).toBeUndefined();
    expect(made?.otherHeaders).toBeUndefined();
    const values = [...new URLSearchParams(made?.query).values()];
    expect(values.length).toBeGreaterThan(3);
    expect(new Set(values)).toEqual(new Set([KEY]));
  });

  it('is in other header fields alone, none of them Authorization', () => {
    const made = credentialOf('key-in-other-header', KEY);
    expect(made?.header).toBeUndefined();
    expect(made?.query).toBeUndefined();
    expect(new Set(Object.values(made?.otherHeaders ?? {}))).toEqual(new Set([KEY]));
    expect(Object.keys(made?.otherHeaders ?? {}).map((name) => name.toLowerCase())).not.toContain('authorization');
  });

  it('is in cookies alone, encoded so that a server reads the key', () => {
    const made = credentialOf('key-in-cookie', KEY);
    expect(made?.header).toBeUndefined();
    expect(Object.keys(made?.otherHeaders ?? {})).toEqual(['Cookie']);
    const cookies = (made?.otherHeaders?.Cookie ?? '').split('; ').map((each) => each.split('='));
    expect(cookies.length).toBeGreaterThan(2);
    for (const [, value = ''] of cookies) expect(decodeURIComponent(value)).toBe(KEY);
  });
});

describe('a valid credential', () => {
  it('carries the key in the header, knows whose it is, and does not show it', () => {
    for (const [made, role] of [
      [adminCredential('secret-key'), 'admin'],
      [restrictedCredential('secret-key'), 'restricted'],
    ] as const) {
      expect(made).toMatchObject({ header: 'secret-key', role });
      expect(made.label + (made.shell ?? '')).not.toContain('secret-key');
    }
  });
});
