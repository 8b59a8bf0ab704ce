import fc from 'fast-check';
import { expect, it } from 'vitest';
import { badCredentials, type Credential } from '../../conformance/checks/credentials.ts';

const charactersFrom = (first: number, last: number): string =>
  String.fromCharCode(...Array.from({ length: last - first + 1 }, (_each, index) => first + index));
const PRINTABLE = charactersFrom(0x20, 0x7e);

function keyOf(alphabet: string, lead = ''): fc.Arbitrary<string> {
  const text = fc.string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength: 1, maxLength: 40 });
  return text.filter((each) => each.trim() !== '').map((each) => lead + each.trim());
}

/** Keys as an operator can give them: anything that a header field carries, without spaces at its ends. */
const key = fc.oneof(
  ...[keyOf(PRINTABLE), keyOf(PRINTABLE + charactersFrom(0xa1, 0xff)), keyOf('0123456789-_.'), keyOf('!#$%&*+-.^_|~')],
  ...[keyOf('abcXYZ019', 'Bearer '), keyOf('aB1-', 'Bearer  '), keyOf('abcXYZ019', '0q9')],
);

function credentialOf(id: string, adminKey: string): Credential | undefined {
  const found = badCredentials.find((each) => each.id === id) ?? expect.fail(`There is no credential ${id}.`);
  return found.make({ adminKey });
}

const headerOf = (id: string, value: string): string | undefined => credentialOf(id, value)?.headers.Authorization;

it('Every bad credential fits into a header, is no valid key, is blank only on purpose, and shows no part of the key', () => {
  const isWrong = (id: string, { headers, shell = '' }: Credential, adminKey: string): boolean => {
    const value = headers.Authorization?.trim();
    const isTooWide = Object.values(headers).some((text) => !/^[\x20-\x7e\x80-\xff]*$/.test(text));
    const isShown = adminKey.startsWith('0q9') && shell.includes(adminKey.slice(0, -1));
    const isBlank = ['auth-empty-header', 'auth-blank-header'].includes(id);
    return value === adminKey || isTooWide || isShown || (value === '') !== isBlank;
  };
  fc.assert(
    fc.property(key, (adminKey) => {
      const made = badCredentials.map(({ id, make }) => ({ id, credential: make({ adminKey }) }));
      expect(made.filter(({ id, credential }) => credential && isWrong(id, credential, adminKey))).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

it('Every bad credential can be made of an admin key, and is not the restricted key', () => {
  for (const { id, make } of badCredentials) {
    expect(make({ adminKey: 'Admin-key-1' }), id).toBeDefined();
    const made = make({ adminKey: 'abc', restrictedKey: 'abczzzz' });
    expect(made === undefined, id).toBe(id === 'auth-lengthened-key');
  }
});

it.each([
  ['auth-shortened-key', 'Bearer Abc-19z', /^Bearer Abc-19$/],
  ['auth-lengthened-key', 'Bearer Abc-19z', /^Bearer Abc-19zzzzz$/],
  ['auth-other-case-key', 'Bearer Abc-19z', /^Bearer aBC-19Z$/],
  ['auth-other-start-key', 'Bearer Abc-19z', /^Bearer [B-Z]bc-19z$/],
  ['auth-other-start-key', '-abc', /^xabc$/],
  ['auth-other-end-key', 'Bearer Abc-19z', /^Bearer Abc-19V$/],
  ['auth-other-end-key', '9f86d081884c7d659a2feaa0c55ad01f', /^9f86d081884c7d659a2feaa0c55ad010$/],
  ['auth-other-end-key', '9f86d081884c7d659a2feaa0c55ad010', /^9f86d081884c7d659a2feaa0c55ad011$/],
  ['auth-look-alike-key', 'Bearer Abc-19z', /^Bearer [B-Z][ac-z][abd-z]-[02-9][0-8][a-y]$/],
])('%s of %s is %s', (id, value, form) => expect(headerOf(id, value)).toMatch(form));

it('Another last character differs in bits that mean something where the key is Base64 without padding', () => {
  for (const length of [16, 17, 32])
    for (let first = 0; first < 256; first += 1) {
      const bytes = Buffer.alloc(length, first);
      const other = headerOf('auth-other-end-key', bytes.toString('base64url'));
      if (other !== undefined) expect(Buffer.from(other, 'base64url').equals(bytes), String(first)).toBe(false);
    }
});

it('A key in another place is only there, under names of their own, encoded so that a server reads it', () => {
  const odd = 'a b&c=d;é/+';
  const query = [...new URLSearchParams(credentialOf('auth-key-in-query', odd)?.query)];
  const { Cookie = '', ...rest } = credentialOf('auth-key-in-cookie', odd)?.headers ?? {};
  expect(rest).toEqual({});
  const cookies = Cookie.split('; ').map((each) => decodeURIComponent(each).split(/=(.*)/));
  const others = Object.entries(credentialOf('auth-key-in-other-header', odd)?.headers ?? {});
  for (const found of [query, cookies, others]) {
    expect(new Set(found.map(([, value]) => value))).toEqual(new Set([odd]));
    expect(new Set(found.map(([name]) => name?.toLowerCase())).size).toBeGreaterThan(8);
  }
  expect(others.map(([name]) => name.toLowerCase())).not.toContain('authorization');
});

it.each(['auth-key-in-query', 'auth-key-in-other-header', 'auth-key-in-cookie', 'auth-key-in-basic'])(
  'No request is so long that a server may refuse it for its length: %s',
  (id) => {
    for (const length of [1, 40, 1_400, 4_000, 20_000]) {
      const credential = credentialOf(id, 'k'.repeat(length));
      const { query = '', headers = {} } = credential ?? {};
      const size = query.length + Object.values(headers).join('').length;
      expect(size).toBeLessThan(4_100);
      expect(credential !== undefined).toBe(length < 4_000);
    }
  },
);
