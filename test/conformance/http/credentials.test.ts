import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { badCredentials, makeBadCredentials } from '../../../conformance/http/credentials.ts';
import type { Credential } from '../../../conformance/http/exchange.ts';

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
  keyOf(printable),
  keyOf(printable, 1),
  keyOf('0123456789-_.'),
  keyOf('!#$%&*+-.^_|~'),
  keyOf('abcXYZ019').map((text) => `Bearer ${text}`),
  keyOf('aB1-').map((text) => `Bearer  ${text}`),
);

function credentialOf(id: string, value: string): Credential | undefined {
  const found = badCredentials.find((each) => each.id === id) ?? expect.fail(`There is no credential ${id}.`);
  return found.make(value);
}

const headerOf = (id: string, value: string): string | undefined => credentialOf(id, value)?.header;

const BLANK = ['empty-header', 'blank-header'];
const KEY = 'Admin-key-1';

describe('every bad credential', () => {
  /** Of no key, the credentials are such. */
  function never(
    keys: fc.Arbitrary<string>,
    numRuns: number,
    such: (made: Credential, key: string, id: string) => boolean,
  ) {
    fc.assert(
      fc.property(keys, (value) => {
        const found = badCredentials.filter(({ id, make }) => such(make(value) ?? { label: '' }, value, id));
        expect(found.map(({ id }) => id)).toEqual([]);
      }),
      { numRuns },
    );
  }

  it('is never a valid key, and sends a blank header only where it is meant to', () => {
    never(key, 1000, ({ header, role }, value, id) => {
      const text = header?.trim();
      return text === value || role !== undefined || (text === '') !== BLANK.includes(id);
    });
  });

  it('shows the key neither in its label nor in its curl line', () => {
    const telling = keyOf('abcXYZ019', 20).map((tail) => `0q9${tail}`);
    never(telling, 100, ({ label, shell = '' }, value) => label.includes(value) || shell.includes(value));
  });

  it('fits into a header if the key does, be it ASCII or Latin-1', () => {
    never(fc.oneof(keyOf(printable), keyOf(printable + latin)), 4000, ({ header = '', otherHeaders = {} }) =>
      [header, ...Object.values(otherHeaders)].some((text) => !/^[\x20-\x7e\x80-\xff]*$/.test(text)),
    );
  });
});

describe('an altered key', () => {
  it.each([
    ['shortened-key', 'Bearer Abc-19z', /^Bearer Abc-19$/],
    ['lengthened-key', 'Bearer Abc-19z', /^Bearer Abc-19zzzzz$/],
    ['lengthened-key', 'k', /^kzzzz$/],
    ['other-case-key', 'Bearer Abc-19z', /^Bearer aBC-19Z$/],
    ['other-case-key', 'k', /^K$/],
    ['other-start-key', 'Bearer Abc-19z', /^Bearer [B-Z]bc-19z$/],
    ['other-start-key', 'k', /^[a-jl-z]$/],
    ['other-start-key', '-abc', /^xabc$/],
    ['other-end-key', 'Bearer Abc-19z', /^Bearer Abc-19m$/],
    ['other-end-key', '9f86d081884c7d659a2feaa0c55ad01f', /^9f86d081884c7d659a2feaa0c55ad010$/],
    ['other-end-key', '9f86d081884c7d659a2feaa0c55ad010', /^9f86d081884c7d659a2feaa0c55ad011$/],
    ['look-alike-key', 'k', /^[a-jl-z]$/],
    ['key-behind-word', KEY, /^\w+ Admin-key-1$/],
    ['key-before-word', KEY, /^Admin-key-1 \w+$/],
    ['key-in-list', KEY, /^Admin-key-1, \w+$/],
    ['key-in-quotes', KEY, /^"Admin-key-1"$/],
  ])('%s of %s is %s', (id, value, form) => expect(headerOf(id, value)).toMatch(form));

  const UUID = '0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f';
  const [HEX, LONG_HEX] = ['0123456789abcdef', '0123456789ABCDEF01'];

  // Where it may be valid on a conforming server: where letter case means nothing, and where it differs only at the padding.
  it.each([
    ...['12345-67890', 'Bearer 12345'].map((value) => ['other-case-key', value]),
    ...[
      UUID,
      UUID.toUpperCase(),
      `Bearer ${UUID}`,
      HEX,
      HEX.toUpperCase(),
      `Bearer ${LONG_HEX.toLowerCase()}`,
      LONG_HEX,
    ].map((value) => ['other-case-key', value]),
    ['look-alike-key', '--!--'],
    ['shortened-key', 'k'],
    ...['shortened-key', 'lengthened-key', 'key-behind-word', 'key-before-word', 'key-in-list', 'key-in-quotes'].map(
      (id) => [id, 'QWRtaW4ta2V5LTE='],
    ),
  ])('%s of %s does not exist', (id = '', value = '') => {
    expect(credentialOf(id, value)).toBeUndefined();
    // Only at its end is a sign of equality padding.
    if (value.endsWith('=')) expect(credentialOf(id, '=QWRtaW4')).toBeDefined();
  });

  it.each([
    ...[`x${UUID}`, `${UUID}x`, UUID.slice(1), UUID.slice(0, -1), UUID.slice(0, -2), `${UUID} token`],
    ...[UUID.replace('-4c2d', ''), UUID.replace('-4c2d-8e3f', ''), UUID.replace('4c2d', '4c2')],
    ...[UUID.replace('8e3f', '8e3g'), UUID.replace('0a1b-', '0a1-')],
    ...['0123456789abcde', '0123456789ABCDE', '0123456789abcdef0', '0123456789ABCDEF0', '0123456789abcd'],
    ...['0123456789ABCD', '0123456789abcdeF', 'x0123456789abcdef', '0123456789abcdefxx'],
    ...['ghijklmnopqrstuv', 'GHIJKLMNOPQRSTUV'],
  ])('other-case-key of %s, which only looks like a UUID or digits, exists', (value) =>
    expect(credentialOf('other-case-key', value)).toBeDefined(),
  );

  it('differs at its end in bits that mean something where the key is Base64 without padding', () => {
    for (const length of [16, 17, 32]) {
      for (let first = 0; first < 256; first += 1) {
        const bytes = Buffer.alloc(length, first);
        const other = headerOf('other-end-key', bytes.toString('base64url'));
        if (other !== undefined) expect(Buffer.from(other, 'base64url').equals(bytes), String(first)).toBe(false);
      }
    }
  });

  it('that looks alike has each character of the same kind, and none the same', () => {
    const form = /^Bearer [B-Z][ac-z][abd-z]-[02-9][0-8][a-y]$/;
    for (let count = 0; count < 200; count += 1) expect(headerOf('look-alike-key', 'Bearer Abc-19z')).toMatch(form);
  });
});

describe('a key in another place', () => {
  const ODD = 'a b&c=d;é/+';

  it('is only there, under names of their own, encoded so that a server reads it', () => {
    const [query, cookie, others] = ['key-in-query', 'key-in-cookie', 'key-in-other-header'].map((id) => {
      const { header, query: text = '', otherHeaders = {} } = credentialOf(id, ODD) ?? {};
      expect(header).toBeUndefined();
      return { text, otherHeaders };
    });
    const cookies = (cookie?.otherHeaders.Cookie ?? '').split('; ').map((each) => each.split('='));
    const places = [
      [...new URLSearchParams(query?.text)],
      cookies.map(([name, value = '']) => [name, decodeURIComponent(value)]),
      Object.entries(others?.otherHeaders ?? {}),
    ];
    for (const found of places) {
      expect(new Set(found.map(([, value]) => value))).toEqual(new Set([ODD]));
      expect(new Set(found.map(([name]) => name?.toLowerCase())).size).toBeGreaterThan(8);
    }
    expect(Object.keys(others?.otherHeaders ?? {}).join()).not.toMatch(/(^|,)authorization(,|$)/i);
  });

  it.each(['key-in-query', 'key-in-other-header', 'key-in-cookie'])(
    'makes no request so long that a server may refuse it for its length: %s',
    (id) => {
      const sizeOf = (length: number): number => {
        const { query = '', otherHeaders = {} } = credentialOf(id, 'k'.repeat(length)) ?? {};
        return query.length + Object.values(otherHeaders).join('').length;
      };
      for (const length of [1, 40, 1_000, 3_900, 4_000, 20_000]) expect(sizeOf(length)).toBeLessThan(4_100);
      expect(sizeOf(3_900)).toBeGreaterThanOrEqual(3_900);
      expect(credentialOf(id, 'k'.repeat(4_000))).toBeUndefined();
    },
  );

  it('is user and password of a Basic credential, unless it is too long for a header', () => {
    const [, credentials = ''] = /^Basic (.*)$/.exec(headerOf('key-in-basic', 'cl\u00e9') ?? '') ?? [];
    expect(Buffer.from(credentials, 'base64').toString('latin1')).toBe('cl\u00e9:cl\u00e9');
    expect(headerOf('key-in-basic', 'a'.repeat(3_000))).toBeUndefined();
  });
});

it('makeBadCredentials makes every bad credential that exists for the key and is not the restricted key, by its id', () => {
  const all = badCredentials.map(({ id }) => id);
  const made = makeBadCredentials(KEY, 'Restricted-key-2');
  expect([...made.keys()]).toEqual(all);
  expect(made.get('shortened-key')?.header).toBe('Admin-key-');
  expect([...makeBadCredentials(KEY, undefined).keys()]).toEqual(all);
  const without = (id: string) => all.filter((each) => each !== id);
  expect([...makeBadCredentials('12345-67890', undefined).keys()]).toEqual(without('other-case-key'));
  expect([...makeBadCredentials('abc', 'abczzzz').keys()]).toEqual(without('lengthened-key'));
  expect(makeBadCredentials(undefined, 'Restricted-key-2').size).toBe(0);
});
