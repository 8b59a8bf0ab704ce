import { randomBytes } from 'node:crypto';
import type { Sending } from '../http/target.ts';

/** How a request carries a key, or none. Without the header `Authorization`, the request has no such header. */
export interface Credential extends Pick<Sending, 'query' | 'shell' | 'ownConnection'> {
  readonly headers: Readonly<Record<string, string>>;
}

interface Keys {
  readonly adminKey: string;
  readonly restrictedKey?: string | undefined;
}

/** A way to send a request without a valid key. */
export interface BadCredential {
  /** The id of the check that sends it. */
  readonly id: string;
  /** Whether updates of every kind are sent with it. */
  readonly goesWithEveryUpdate?: boolean;
  /** Completes "a request with …". */
  readonly title: string;
  readonly requirement: 'auth.key-required' | 'auth.key-valid' | 'auth.header-only' | 'auth.key-alone';
  /**
   * Makes it from the admin key; some are random, so that no server knows them.
   *
   * @returns undefined where it could not be told from a valid key
   */
  readonly make: (keys: Keys) => Credential | undefined;
}

const [UPPER, LOWER, DIGITS] = ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz', '0123456789'] as const;

/** A text of the same form: each digit and letter replaced by another of its kind, all other characters kept. */
function lookAlike(text: string): string {
  const other = (char: string): string => {
    const kind = [UPPER, LOWER, DIGITS].find((each) => each.includes(char))?.replace(char, '') ?? char;
    return kind[(randomBytes(1)[0] ?? 0) % kind.length] ?? '';
  };
  return Array.from(text, other).join('');
}

function changeStart(token: string): string {
  const [first = ''] = token;
  const other = lookAlike(first);
  return `${other === first ? 'x' : other}${token.slice(first.length)}`;
}

const ALPHANUMERIC = UPPER + LOWER + DIGITS;

/** Another last character. In Base64 its first two bits are others: the last ones may mean nothing. */
function changeEnd(token: string): string {
  const last = token.slice(-1);
  const digit = last === '0' ? '1' : '0';
  const other = ALPHANUMERIC[(ALPHANUMERIC.indexOf(last) + 32) % ALPHANUMERIC.length] ?? '';
  return token.slice(0, -1) + (isCaseless(token) ? digit : other);
}

function swapCase(text: string): string {
  return text.replaceAll(/[a-z]+|[A-Z]+/g, (some) => (some < 'a' ? some.toLowerCase() : some.toUpperCase()));
}

/** A server that decodes Base64 may ignore the characters at the padding. */
const isPadded = (token: string): boolean => token.endsWith('=');

/** Whether the letter case means nothing: in a UUID (RFC 9562, 4), and in bytes as hexadecimal digits (RFC 4648, 8). */
function isCaseless(token: string): boolean {
  return /^(([0-9a-f]{2}){8,}|([0-9A-F]{2}){8,})$/.test(token.replaceAll('-', ''));
}

/** How a request carries a key; `words` stand for it in reports. Undefined where it may be valid, too. */
type Carry = (key: string, words: string) => Credential | undefined;

/** Jetty takes a header line for one that it read before over the same connection, if they differ only in letter case or spaces. */
const OWN = { ownConnection: true } as const;

const authorization = (value: string, more?: Omit<Credential, 'headers'>): Credential => ({
  headers: { Authorization: value },
  ...more,
});

/** For which tokens an altered key may be valid, too, and how it is sent and shown. */
type Altering = Omit<Credential, 'headers'> & { readonly unless?: (token: string) => boolean };

/** Changes the part of a key after its last space: a scheme such as `Bearer` may come before, whose letter case means nothing. */
function altered(change: (token: string) => string, { unless, ...more }: Altering = {}): Carry {
  return (key, words) => {
    const at = key.lastIndexOf(' ') + 1;
    const [lead, token] = [key.slice(0, at), key.slice(at)];
    const value = lead + change(token);
    const isPossible = !unless?.(token) && value !== key && value.trim() !== '';
    return isPossible ? authorization(value, { shell: words, ...more }) : undefined;
  };
}

const accompanied =
  (dress: (key: string) => string): Carry =>
  (key) =>
    isPadded(key) ? undefined : authorization(dress(key));

/** Characters. A server may refuse a longer header or target for its length (nginx: 8 KB), which says nothing about the key. */
const ROOM = 4_000;

/** RFC 7617, as user and as password at once. A header has a byte for each character of the key. */
const inBasic: Carry = (key, words) => {
  const value = `Basic ${Buffer.from(`${key}:${key}`, 'latin1').toString('base64')}`;
  return value.length > ROOM ? undefined : authorization(value, { shell: words });
};

/** The usual names in each place, the most usual first: of a long key, not all find room. */
const QUERY_NAMES =
  'authorization Authorization api_key apikey apiKey key token access_token api_token auth api-key auth_token apitoken x-api-key secret accessToken authToken apiToken admin_key adminKey jwt id_token session_token bearer';
const HEADER_NAMES =
  'X-API-Key X-Auth-Token X-Authorization Api-Key X-Access-Token ApiKey X-Auth-Key X-Token X-Auth Token X-ApiKey X-API-Token Access-Token X-Admin-Key Authentication api_key Auth-Token X-Admin-Token X-Session-Token X-Secret X-Key Auth Key Api-Token X-Forwarded-Authorization X-Original-Authorization';
const COOKIE_NAMES =
  'authorization api_key token session access_token apikey apiKey auth auth_token key sid sessionid session_token jwt Authorization api-key x-api-key X-API-Key api_token accessToken authToken apiToken access-token auth-token id_token admin_key adminKey admin_token sessionId bearer secret';

/** As many of the names as there is room for, each with the key. */
function withKey(names: string, key: string): [name: string, key: string][] {
  const most = Math.floor(ROOM / (key.length + 20));
  return names
    .split(' ')
    .slice(0, most)
    .map((name) => [name, key]);
}

const pairs = (names: string, key: string, separator: string): string =>
  withKey(names, encodeURIComponent(key))
    .map((pair) => pair.join('='))
    .join(separator);

/** Carries a key elsewhere than in Authorization, if at least one name finds room. */
const elsewhere =
  (carry: (key: string) => Credential): Carry =>
  (key) =>
    withKey('name', encodeURIComponent(key)).length === 0 ? undefined : carry(key);

const inQuery = elsewhere((key) => ({ headers: {}, query: `?${pairs(QUERY_NAMES, key, '&')}` }));
const inOtherHeaders = elsewhere((key) => ({ headers: Object.fromEntries(withKey(HEADER_NAMES, key)) }));
const inCookie = elsewhere((key) => ({ headers: { Cookie: pairs(COOKIE_NAMES, key, '; ') } }));

/** A JSON Web Token without a signature (RFC 7519, 6) that claims to be an administrator's. */
const unsignedToken = `${[
  { alg: 'none', typ: 'JWT' },
  { sub: 'admin', role: 'admin', exp: 4_102_444_800 },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')}.`;

const withoutEnd = altered((token) => token.slice(0, -1), { unless: isPadded, shell: '${CONFORMANCE_ADMIN_KEY%?}' });
const inOtherCase = altered(swapCase, { unless: isCaseless, ...OWN });

const WITH_EVERY_UPDATE = { goesWithEveryUpdate: true } as const;

/**
 * In UTF-8, with characters of two, three and four bytes. A header has a byte for each of these characters; as Latin-1, none is a
 * control character, which firewalls refuse before anybody asks for the key.
 */
const BEYOND_ASCII = Buffer.from('conformance-\u00e9\u4e30\u{29e3d}').toString('latin1');

const unknownKey: Carry = () => authorization(`conformance-unknown-${randomBytes(8).toString('hex')}`);

function against(
  requirement: BadCredential['requirement'],
  rows: readonly (readonly [id: string, title: string, carry: Carry, more?: typeof WITH_EVERY_UPDATE])[],
): BadCredential[] {
  return rows.map(([id, title, carry, more]) => {
    const words = `<${title.replace(/^a valid key/, 'the admin key')}>`;
    const make = ({ adminKey, restrictedKey = adminKey }: Keys): Credential | undefined => {
      const credential = carry(adminKey, words);
      const isValid = [adminKey, restrictedKey].includes(credential?.headers.Authorization ?? '');
      return isValid ? undefined : credential;
    };
    return { id, requirement, title, make, ...more };
  });
}

/** Every way in which a key can be missing or invalid (source: Authentication, 1 and 2). */
export const badCredentials: readonly BadCredential[] = [
  ...against('auth.key-required', [
    ['auth-no-header', 'no Authorization header', () => ({ headers: {} }), WITH_EVERY_UPDATE],
    ['auth-empty-header', 'an empty Authorization header', () => authorization('')],
    ['auth-blank-header', 'an Authorization header of spaces', () => authorization('   ', OWN)],
  ]),
  ...against('auth.key-valid', [
    ['auth-unknown-key', 'an unknown key', unknownKey, WITH_EVERY_UPDATE],
    ['auth-percent-key', 'a percent sign as key', () => authorization('%')],
    [
      'auth-underscores-key',
      'as many underscores as a valid key has characters',
      altered((key) => '_'.repeat(key.length)),
    ],
    ['auth-asterisk-key', 'an asterisk as key', () => authorization('*')],
    ['auth-expression-key', 'the regular expression `.*` as key', () => authorization('.*')],
    [
      'auth-long-key',
      'an unknown key of 1,100 characters',
      () => authorization(`conformance-${'unknown-'.repeat(136)}`),
    ],
    [
      'auth-key-beyond-ascii',
      'an unknown key with characters of several bytes',
      (_key, shell) => authorization(BEYOND_ASCII, { shell }),
    ],
    ['auth-look-alike-key', 'an unknown key of the same form as a valid one', altered(lookAlike)],
    ['auth-unsigned-token', 'a Bearer token that nobody signed', () => authorization(`Bearer ${unsignedToken}`)],
    ['auth-shortened-key', 'a valid key without its last character', withoutEnd],
    ['auth-lengthened-key', 'a valid key with "zzzz" appended', accompanied((key) => `${key}zzzz`)],
    ['auth-other-start-key', 'a valid key with another first character', altered(changeStart)],
    ['auth-other-end-key', 'a valid key with another last character', altered(changeEnd, { unless: isPadded })],
    ['auth-other-case-key', 'a valid key in the other letter case', inOtherCase],
  ]),
  ...against('auth.header-only', [
    ['auth-key-in-query', 'a valid key in the query and none in the header', inQuery],
    ['auth-key-in-other-header', 'a valid key in other header fields and none in Authorization', inOtherHeaders],
    ['auth-key-in-cookie', 'a valid key in a cookie and none in the header', inCookie],
  ]),
  ...against('auth.key-alone', [
    ['auth-key-behind-word', 'a valid key after another word', accompanied((key) => `conformance ${key}`)],
    ['auth-key-before-word', 'a valid key before another word', accompanied((key) => `${key} conformance`)],
    ['auth-key-in-list', 'a valid key in a list with another word', accompanied((key) => `${key}, conformance`)],
    ['auth-key-in-quotes', 'a valid key in quotes', accompanied((key) => `"${key}"`)],
    ['auth-key-in-basic', 'a valid key as user and password of a Basic credential', inBasic],
  ]),
];
