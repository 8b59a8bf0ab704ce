import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { badCredentials, type Credential } from '../../conformance/http/credentials.ts';

const printable = Array.from({ length: 0x7f - 0x20 }, (_each, index) => String.fromCharCode(0x20 + index)).join('');
const latin = Array.from({ length: 0x100 - 0xa1 }, (_each, index) => String.fromCharCode(0xa1 + index)).join('');

function keyOf(alphabet: string, maxLength = 40): fc.Arbitrary<string> {
  return fc
    .string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength: 1, maxLength })
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

/** Keys as an operator can give them: anything that a header field carries, without spaces at its ends. */
const key = fc.oneof(
  ...[keyOf(printable), keyOf(printable, 1), keyOf('0123456789-_.'), keyOf('!#$%&*+-.^_|~')],
  ...[keyOf('abcXYZ019').map((text) => `Bearer ${text}`), keyOf('aB1-').map((text) => `Bearer  ${text}`)],
);

function credentialOf(id: string, adminKey: string): Credential | undefined {
  const found = badCredentials.find((each) => each.id === id) ?? expect.fail(`There is no credential ${id}.`);
  return found.make({ adminKey });
}

const headerOf = (id: string, value: string): string | undefined => credentialOf(id, value)?.headers.Authorization;

describe('Every bad credential', () => {
  /** Of no key, the credentials are such. */
  function never(keys: fc.Arbitrary<string>, such: (made: Credential, key: string, id: string) => boolean) {
    fc.assert(
      fc.property(keys, (adminKey) => {
        const made = badCredentials.map(({ id, make }) => ({ id, credential: make({ adminKey }) }));
        expect(made.filter(({ id, credential }) => credential && such(credential, adminKey, id))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  }

  it('is never a valid key, and sends a blank header only where it is meant to', () => {
    never(key, ({ headers }, value, id) => {
      const text = headers.Authorization?.trim();
      return text === value || (text === '') !== ['empty-header', 'blank-header'].includes(id);
    });
  });

  it('shows no part of the key in what is printed for it', () =>
    never(
      keyOf('abcXYZ019', 20).map((tail) => `0q9${tail}`),
      ({ shell = '' }, value) => shell.includes(value.slice(0, -1)),
    ));

  it('fits into a header if the key does, be it ASCII or ISO 8859-1', () =>
    never(fc.oneof(keyOf(printable), keyOf(printable + latin)), ({ headers }) =>
      Object.values(headers).some((text) => !/^[\x20-\x7e\x80-\xff]*$/.test(text)),
    ));

  it('is made of an admin key, and is not the restricted key', () => {
    for (const { id, make } of badCredentials) {
      expect(make({}), id).toBeUndefined();
      expect(make({ adminKey: 'Admin-key-1' }), id).toBeDefined();
      const made = make({ adminKey: 'abc', restrictedKey: 'abczzzz' });
      expect(made === undefined, id).toBe(id === 'lengthened-key');
    }
  });
});

describe('An altered key', () => {
  it.each([
    ['shortened-key', 'Bearer Abc-19z', /^Bearer Abc-19$/],
    ['lengthened-key', 'Bearer Abc-19z', /^Bearer Abc-19zzzzz$/],
    ['other-case-key', 'Bearer Abc-19z', /^Bearer aBC-19Z$/],
    ['other-start-key', 'Bearer Abc-19z', /^Bearer [B-Z]bc-19z$/],
    ['other-start-key', '-abc', /^xabc$/],
    ['other-end-key', 'Bearer Abc-19z', /^Bearer Abc-19V$/],
    ['other-end-key', '9f86d081884c7d659a2feaa0c55ad01f', /^9f86d081884c7d659a2feaa0c55ad010$/],
    ['other-end-key', '9f86d081884c7d659a2feaa0c55ad010', /^9f86d081884c7d659a2feaa0c55ad011$/],
    ['look-alike-key', 'Bearer Abc-19z', /^Bearer [B-Z][ac-z][abd-z]-[02-9][0-8][a-y]$/],
    ['key-behind-word', 'Admin-key-1', /^\w+ Admin-key-1$/],
    ['key-before-word', 'Admin-key-1', /^Admin-key-1 \w+$/],
    ['key-in-list', 'Admin-key-1', /^Admin-key-1, \w+$/],
    ['key-in-quotes', 'Admin-key-1', /^"Admin-key-1"$/],
  ])('%s of %s is %s', (id, value, form) => expect(headerOf(id, value)).toMatch(form));

  const UUID = '0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f';

  // Where it may be valid on a conforming server: where letter case means nothing, and where it differs only at the padding.
  it.each([
    ...['12345-67890', UUID, UUID.toUpperCase(), `Bearer ${UUID}`, '0123456789abcdef', 'Bearer 0123456789ABCDEF01'].map(
      (value) => ['other-case-key', value] as const,
    ),
    ['look-alike-key', '--!--'] as const,
    ['shortened-key', 'k'] as const,
    ...(['shortened', 'lengthened', 'other-end'] as const).map((how) => [`${how}-key`, 'QWRtaW4ta2V5LTE='] as const),
    ...(['behind-word', 'before-word', 'in-list', 'in-quotes'] as const).map(
      (how) => [`key-${how}`, 'QWRtaW4='] as const,
    ),
  ])('%s of %s does not exist', (id, value) => expect(credentialOf(id, value)).toBeUndefined());

  it.each([`x${UUID}`, `${UUID}x`, '0123456789abcde', '0123456789abcdeF', 'ghijklmnopqrstuv'])(
    'other-case-key of %s, which only looks like digits, exists',
    (value) => expect(credentialOf('other-case-key', value)).toBeDefined(),
  );

  it('differs at its end in bits that mean something where the key is Base64 without padding', () => {
    for (const length of [16, 17, 32])
      for (let first = 0; first < 256; first += 1) {
        const bytes = Buffer.alloc(length, first);
        const other = headerOf('other-end-key', bytes.toString('base64url'));
        if (other !== undefined) expect(Buffer.from(other, 'base64url').equals(bytes), String(first)).toBe(false);
      }
  });
});

describe('A key in another place', () => {
  const ODD = 'a b&c=d;é/+';

  it('is only there, under names of their own, encoded so that a server reads it', () => {
    const query = [...new URLSearchParams(credentialOf('key-in-query', ODD)?.query)];
    const { Cookie = '', ...rest } = credentialOf('key-in-cookie', ODD)?.headers ?? {};
    expect(rest).toEqual({});
    const cookies = Cookie.split('; ').map((each) => each.split('='));
    const others = Object.entries(credentialOf('key-in-other-header', ODD)?.headers ?? {});
    for (const found of [query, cookies.map(([name, value = '']) => [name, decodeURIComponent(value)]), others]) {
      expect(new Set(found.map(([, value]) => value))).toEqual(new Set([ODD]));
      expect(new Set(found.map(([name]) => name?.toLowerCase())).size).toBeGreaterThan(8);
    }
    expect(others.map(([name]) => name.toLowerCase())).not.toContain('authorization');
  });

  it.each(['key-in-query', 'key-in-other-header', 'key-in-cookie'])(
    'makes no request so long that a server may refuse it for its length: %s',
    (id) => {
      for (const length of [1, 40, 1_000, 3_900, 4_000, 20_000]) {
        const { query = '', headers = {} } = credentialOf(id, 'k'.repeat(length)) ?? {};
        const size = query.length + Object.values(headers).join('').length;
        expect(size).toBeLessThan(4_100);
        expect(size > 0).toBe(length < 4_000);
      }
    },
  );

  it('is user and password of a Basic credential, unless it is too long for a header', () => {
    const [, credentials = ''] = /^Basic (.*)$/.exec(headerOf('key-in-basic', 'cl\u00e9') ?? '') ?? [];
    expect(Buffer.from(credentials, 'base64').toString('latin1')).toBe('cl\u00e9:cl\u00e9');
    expect(headerOf('key-in-basic', 'a'.repeat(3_000))).toBeUndefined();
  });
});
