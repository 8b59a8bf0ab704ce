import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requirements } from '../../../contract/document.ts';
import {
  adminCredential,
  badCredentials,
  makeBadCredentials,
  respelledCredential,
  restrictedCredential,
} from '../../../conformance/http/credentials.ts';
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
  const found = badCredentials.find((each) => each.id === id);
  if (!found) throw new Error(`There is no credential ${id}.`);
  return found.make(value);
}

const headerOf = (id: string, value: string): string | undefined => credentialOf(id, value)?.header;

/** These send a blank header. */
const BLANK = ['empty-header', 'blank-header'];

describe('every bad credential', () => {
  it('is never a valid key, and sends a blank header only where it is meant to', () => {
    fc.assert(
      fc.property(key, (value) => {
        const wrong = badCredentials.filter(({ id, make }) => {
          const { header, role } = make(value) ?? {};
          const text = header?.trim();
          return text === value || role !== undefined || (text === '') !== BLANK.includes(id);
        });
        expect(wrong.map(({ id }) => id)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('shows the key neither in its label nor in its curl line', () => {
    fc.assert(
      fc.property(keyOf('abcXYZ019', 20), (tail) => {
        const value = `0q9${tail}`;
        const shown = badCredentials.filter(({ make }) => {
          const { label = '', shell = '' } = make(value) ?? {};
          return label.includes(value) || shell.includes(value);
        });
        expect(shown.map(({ id }) => id)).toEqual([]);
      }),
    );
  });

  it('fits into a header if the key does, be it ASCII or Latin-1', () => {
    fc.assert(
      fc.property(fc.oneof(keyOf(printable), keyOf(printable + latin)), (value) => {
        const unfit = badCredentials.filter(({ make }) => {
          const { header = '', otherHeaders = {} } = make(value) ?? {};
          return [header, ...Object.values(otherHeaders)].some((text) => !/^[\x20-\x7e\x80-\xff]*$/.test(text));
        });
        expect(unfit.map(({ id }) => id)).toEqual([]);
      }),
      { numRuns: 4000 },
    );
  });

  it('has a title and a label of its own, in words', () => {
    const titles = badCredentials.map(({ title }) => title);
    const labels = badCredentials.map(({ make }) => make('Admin-key-1')?.label ?? '');
    for (const text of [...titles, ...labels]) {
      expect(text).toMatch(/\w+ (\w+ )?.*\w{3}/);
      expect(text).toBe(text.trim());
    }
    expect(new Set(titles).size).toBe(titles.length);
    expect(new Set(labels).size).toBe(labels.length);
  });

  it('is in a curl line a value that the shell expands, or words in angle brackets', () => {
    const shellOf = (id: string, key = 'Admin-key-1'): string | undefined => credentialOf(id, key)?.shell;
    expect(shellOf('no-header')).toBeUndefined();
    expect(shellOf('empty-header')).toBe('');
    expect(shellOf('blank-header')).toMatch(/^ +$/);
    expect(headerOf('blank-header', 'Admin-key-1')).toMatch(/^ +$/);
    expect(shellOf('shortened-key')).toBe('${CONFORMANCE_ADMIN_KEY%?}');
    expect(shellOf('lengthened-key')).toBe('${CONFORMANCE_ADMIN_KEY}zzzz');
    for (const id of ['key-in-query', 'key-in-other-header', 'key-in-cookie', 'key-in-quotes', 'key-in-list'])
      expect(shellOf(id)).toContain('$CONFORMANCE_ADMIN_KEY');
    for (const id of ['other-start-key', 'other-case-key']) expect(shellOf(id)).toMatch(/^<[a-z ]+>$/);
    expect(shellOf('look-alike-key', 'Bearer abc')).toMatch(/^<[a-z ]+>$/);
    const made = credentialOf('look-alike-key', 'Admin-key-1');
    expect(made?.shell).toBe(made?.header);
  });

  it('names a requirement of the contract, and has a unique id in kebab case', () => {
    const known = requirements.map(({ id }) => id);
    for (const { id, requirement } of badCredentials) {
      expect(known).toContain(requirement);
      expect(id).toMatch(/^[a-z]+(-[a-z]+)+$/);
    }
    expect(new Set(badCredentials.map(({ id }) => id)).size).toBe(badCredentials.length);
  });
});

describe('the altered keys', () => {
  const KEY = 'Bearer Abc-19z';

  it('are the key with one alteration, after the scheme', () => {
    expect(headerOf('shortened-key', KEY)).toBe('Bearer Abc-19');
    expect(headerOf('lengthened-key', KEY)).toBe('Bearer Abc-19zzzzz');
    expect(headerOf('other-case-key', KEY)).toBe('Bearer aBC-19Z');
    expect(headerOf('other-start-key', KEY)).toMatch(/^Bearer [B-Z]bc-19z$/);
    expect(headerOf('other-end-key', KEY)).toBe('Bearer Abc-19m');
  });

  it('differ at their end in bits that mean something where the key is Base64 without padding', () => {
    for (const length of [16, 17, 32]) {
      for (let first = 0; first < 256; first += 1) {
        const bytes = Buffer.alloc(length, first);
        const other = headerOf('other-end-key', bytes.toString('base64url'));
        if (other !== undefined) expect(Buffer.from(other, 'base64url').equals(bytes), String(first)).toBe(false);
      }
    }
  });

  it('stay hexadecimal at their end if the key is', () => {
    expect(headerOf('other-end-key', '9f86d081884c7d659a2feaa0c55ad01f')).toBe('9f86d081884c7d659a2feaa0c55ad010');
    expect(headerOf('other-end-key', '9f86d081884c7d659a2feaa0c55ad010')).toBe('9f86d081884c7d659a2feaa0c55ad011');
  });

  it('have the form of the key if they look alike: each character of the same kind, none the same', () => {
    for (let count = 0; count < 200; count += 1) {
      expect(headerOf('look-alike-key', KEY)).toMatch(/^Bearer [B-Z][ac-z][abd-z]-[02-9][0-8][a-y]$/);
    }
  });

  it('carry the key as user and as password of a Basic credential, unless it is too long for a header', () => {
    const [, credentials = ''] = /^Basic (.*)$/.exec(headerOf('key-in-basic', 'cl\u00e9') ?? '') ?? [];
    expect(Buffer.from(credentials, 'base64').toString('latin1')).toBe('cl\u00e9:cl\u00e9');
    expect(headerOf('key-in-basic', 'a'.repeat(3_000))).toBeUndefined();
  });

  it('keep the scheme, whatever comes after it', () => {
    fc.assert(
      fc.property(keyOf('abcXYZ019-'), (token) => {
        for (const id of ['shortened-key', 'lengthened-key', 'other-case-key', 'other-start-key', 'look-alike-key']) {
          const header = headerOf(id, `Bearer ${token}`);
          if (header !== undefined) expect(header, id).toMatch(/^Bearer /);
        }
      }),
    );
  });

  it.each([
    ['other-case-key', '12345-67890'],
    ['other-case-key', 'Bearer 12345'],
    ['look-alike-key', '--!--'],
    ['shortened-key', 'k'],
  ])('do not exist where the key allows none: %s of %s', (id, value) => {
    expect(credentialOf(id, value)).toBeUndefined();
  });

  it.each([
    ['lengthened-key', 'k', /^kzzzz$/],
    ['other-case-key', 'k', /^K$/],
    ['other-start-key', 'k', /^[a-jl-z]$/],
    ['look-alike-key', 'k', /^[a-jl-z]$/],
    ['other-start-key', '-abc', /^xabc$/],
  ])('exist for the shortest and oddest keys where possible: %s of %s', (id, value, form) => {
    expect(headerOf(id, value)).toMatch(form);
  });
});

describe('where an altered key may be valid on a conforming server', () => {
  const UUID = '0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f';

  it.each([
    ...[UUID, UUID.toUpperCase(), `Bearer ${UUID}`, '0123456789abcdef', '0123456789ABCDEF'],
    ...['Bearer 0123456789abcdef01', '0123456789ABCDEF01'],
  ])('there is none in the other letter case: %s', (key) => {
    expect(credentialOf('other-case-key', key)).toBeUndefined();
  });

  it.each([
    ...[`x${UUID}`, `${UUID}x`, UUID.slice(1), UUID.slice(0, -1), UUID.slice(0, -2), `${UUID} token`],
    ...[UUID.replace('-4c2d', ''), UUID.replace('-4c2d-8e3f', ''), UUID.replace('4c2d', '4c2')],
    ...[UUID.replace('8e3f', '8e3g'), UUID.replace('0a1b-', '0a1-')],
    ...['0123456789abcde', '0123456789ABCDE', '0123456789abcdef0', '0123456789ABCDEF0', '0123456789abcd'],
    ...['0123456789ABCD', '0123456789abcdeF', 'x0123456789abcdef', '0123456789abcdefxx'],
    ...['ghijklmnopqrstuv', 'GHIJKLMNOPQRSTUV'],
  ])('there is one in the other letter case of a key that only looks like one of these: %s', (key) => {
    expect(credentialOf('other-case-key', key)).toBeDefined();
  });

  it.each(['shortened-key', 'lengthened-key', 'key-behind-word', 'key-before-word', 'key-in-list', 'key-in-quotes'])(
    'there is none that differs only at the padding of Base64: %s',
    (id) => {
      expect(credentialOf(id, 'QWRtaW4ta2V5LTE=')).toBeUndefined();
      expect(credentialOf(id, '=QWRtaW4')).toBeDefined();
    },
  );
});

it.each([
  ['key-behind-word', /^\w+ Admin-key-1$/],
  ['key-before-word', /^Admin-key-1 \w+$/],
  ['key-in-list', /^Admin-key-1, \w+$/],
  ['key-in-quotes', /^"Admin-key-1"$/],
])('a key that is not alone in the header is whole in the header, with what its id says: %s', (id, form) => {
  expect(headerOf(id, 'Admin-key-1')).toMatch(form);
});

it('An unknown key is a new one each time', () => {
  const headers = Array.from({ length: 20 }, () => headerOf('unknown-key', 'k'));
  expect(new Set(headers).size).toBe(20);
});

describe('a key in another place', () => {
  const KEY = 'a b&c=d;é/+';

  /** The names under which a credential carries the key, and the values as a server reads them. */
  function carried(id: string): (readonly [name: string, value: string])[] {
    const { header, query = '', otherHeaders: { Cookie = '', ...fields } = {} } = credentialOf(id, KEY) ?? {};
    expect(header).toBeUndefined();
    const cookies = Cookie.split('; ').filter(Boolean);
    return [
      ...new URLSearchParams(query),
      ...cookies
        .map((each) => each.split('='))
        .map(([name = '', value = '']) => [name, decodeURIComponent(value)] as const),
      ...Object.entries(fields),
    ];
  }

  it.each([
    ['key-in-query', ['authorization', 'api_key', 'token', 'access_token'], ['query']],
    ['key-in-other-header', ['X-API-Key', 'X-Auth-Token'], ['otherHeaders']],
    ['key-in-cookie', ['api_key', 'token', 'session'], ['otherHeaders']],
  ])('is only there, under names that servers know, encoded so that a server reads it: %s', (id, known, members) => {
    const found = carried(id);
    const names = found.map(([name]) => name);
    expect(new Set(found.map(([, value]) => value))).toEqual(new Set([KEY]));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z][A-Za-z_-]+$/);
    expect(names).toEqual(expect.arrayContaining(known));
    expect(Object.keys(credentialOf(id, KEY) ?? {}).sort()).toEqual(['label', 'shell', ...members].sort());
  });

  it('is in cookies alone or in other fields, none of them Authorization', () => {
    const fieldsOf = (id: string): string[] => Object.keys(credentialOf(id, KEY)?.otherHeaders ?? {});
    expect(fieldsOf('key-in-cookie')).toEqual(['Cookie']);
    expect(fieldsOf('key-in-other-header').map((name) => name.toLowerCase())).not.toContain('authorization');
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

  it('is in the curl line in the same places', () => {
    const [query, cookie] = [credentialOf('key-in-query', 'Admin-key-1'), credentialOf('key-in-cookie', 'Admin-key-1')];
    expect(cookie?.shell).toBe(cookie?.otherHeaders?.Cookie?.replaceAll('Admin-key-1', '$CONFORMANCE_ADMIN_KEY'));
    expect(query?.shell).toBe(query?.query?.replaceAll('Admin-key-1', '$CONFORMANCE_ADMIN_KEY'));
  });
});

describe('makeBadCredentials', () => {
  it('makes every bad credential that exists for the key, by its id', () => {
    const made = makeBadCredentials('Admin-key-1', 'Restricted-key-2');
    expect([...made.keys()]).toEqual(badCredentials.map(({ id }) => id));
    expect(made.get('shortened-key')?.header).toBe('Admin-key-');
    expect([...makeBadCredentials('Admin-key-1', undefined).keys()]).toEqual([...made.keys()]);
  });

  it('leaves out those that do not exist for the key', () => {
    const made = makeBadCredentials('12345-67890', undefined);
    expect(made.has('other-case-key')).toBe(false);
    expect(made.has('no-header')).toBe(true);
  });

  it('leaves out one that happens to be the restricted key', () => {
    const made = makeBadCredentials('abc', 'abczzzz');
    expect(made.has('lengthened-key')).toBe(false);
    expect(made.has('shortened-key')).toBe(true);
    expect(made.has('no-header')).toBe(true);
  });

  it('makes none without a key', () => {
    expect(makeBadCredentials(undefined, 'Restricted-key-2').size).toBe(0);
  });
});

describe('a valid credential', () => {
  it.each([
    ['admin', adminCredential('k'), '$CONFORMANCE_ADMIN_KEY'],
    ['restricted', restrictedCredential('k'), '$CONFORMANCE_RESTRICTED_KEY'],
  ])('says whose key it is, and names its variable: %s', (role, made, shell) => {
    expect(made).toEqual({ label: `the ${role} key`, shell, header: 'k', role });
  });

  it('stays the same under another spelling of the header, except for its label', () => {
    expect(respelledCredential('k', 'AUTHORIZATION')).toEqual({
      ...adminCredential('k'),
      label: 'the admin key in the header AUTHORIZATION',
      fieldName: 'AUTHORIZATION',
    });
  });
});
