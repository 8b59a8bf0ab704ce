import { randomBytes } from 'node:crypto';
import { type Credential, type Exchange, showsText } from './exchange.ts';

const ADMIN = '$CONFORMANCE_ADMIN_KEY';
const RESTRICTED = '$CONFORMANCE_RESTRICTED_KEY';

export function adminCredential(key: string): Credential {
  return { label: 'the admin key', shell: ADMIN, header: key, role: 'admin' };
}

/** The admin key under another spelling of the header's name. */
export function respelledCredential(key: string, fieldName: string): Credential {
  return { ...adminCredential(key), label: `the admin key in the header ${fieldName}`, fieldName };
}

export function restrictedCredential(key: string): Credential {
  return { label: 'the restricted key', shell: RESTRICTED, header: key, role: 'restricted' };
}

/** A way to send a request without a valid key. */
export interface BadCredential {
  readonly id: string;
  /** Completes "a request with …". */
  readonly title: string;
  readonly requirement: 'auth.key-required' | 'auth.key-valid' | 'auth.header-only' | 'auth.key-alone';
  /** Undefined where it could not be told from the key itself. */
  readonly make: (key: string) => Credential | undefined;
}

/** The part of a key after its last space. A scheme such as `Bearer` may come before; its letter case means nothing. */
function splitToken(key: string): { lead: string; token: string } {
  const at = key.lastIndexOf(' ') + 1;
  return { lead: key.slice(0, at), token: key.slice(at) };
}

const onToken = (key: string, change: (token: string) => string): string => {
  const { lead, token } = splitToken(key);
  return lead + change(token);
};

function swapCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()));
}

function pick(alphabet: string): string {
  return alphabet[(randomBytes(1)[0] ?? 0) % alphabet.length] ?? '';
}

/** A text of the same form: each digit and letter replaced by another of its kind, all other characters kept. */
function lookAlike(text: string): string {
  const kinds = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return Array.from(text, (char) => {
    const kind = kinds.find((each) => each.includes(char));
    return kind ? pick(kind.replace(char, '')) : char;
  }).join('');
}

function changeStart(token: string): string {
  const [first = ''] = token;
  const other = lookAlike(first);
  return `${other === first ? 'x' : other}${token.slice(first.length)}`;
}

/** Kinds of characters whose indexes in the Base64 alphabets differ in the first two bits; the last bits may mean nothing. */
const OTHER_ENDS: readonly (readonly [form: RegExp, other: string])[] = [
  [/[A-P0-9]/, 'Z'],
  [/[Q-Z]/, 'A'],
  [/[a-fw-z]/, 'm'],
  [/[g-v]/, 'z'],
];

function changeEnd(token: string): string {
  const last = token.slice(-1);
  const digit = last === '0' ? '1' : '0';
  const other = isCaseless(token) ? digit : (OTHER_ENDS.find(([form]) => form.test(last))?.[1] ?? 'x');
  return token.slice(0, -1) + (other === last ? 'y' : other);
}

/** A server that decodes Base64 may ignore the characters at the padding. */
const isPadded = (key: string): boolean => key.endsWith('=');

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEXADECIMAL = /^(([0-9a-f]{2}){8,}|([0-9A-F]{2}){8,})$/;

/** The letter case means nothing in a UUID (RFC 9562, 4), nor in bytes written as hexadecimal digits (RFC 4648, 8). */
const isCaseless = (key: string): boolean => [UUID, HEXADECIMAL].some((form) => form.test(splitToken(key).token));

/** Characters. A server may refuse a longer header or target for its length (nginx: 8 KB), which says nothing about the key. */
const ROOM = 4_000;

type Carried = Omit<Credential, 'label'>;
/** How a request carries a key; undefined where it could not be told from the key itself. `words` are printed in its place. */
type Carry = (key: string, words: string) => Carried | undefined;

/** @param title completes "a request with …" */
function bad(id: string, requirement: BadCredential['requirement'], title: string, carry: Carry): BadCredential {
  const label = title.replace(/^a valid key/, 'the admin key');
  const make = (key: string): Credential | undefined => {
    const carried = carry(key, `<${label}>`);
    return carried && { label, bad: id, ...carried };
  };
  return { id, requirement, title, make };
}

function unknown(invent: (key: string) => string): Carry {
  return (key, words) => {
    const header = invent(key);
    const { lead } = splitToken(key);
    // The lead is a part of the key, so it is not printed.
    return header === key ? undefined : { shell: lead !== '' && header.startsWith(lead) ? words : header, header };
  };
}

/** @param unless for which keys the altered key may be valid too */
function altered(change: (token: string) => string, unless?: (key: string) => boolean, shell?: string): Carry {
  return (key, words) => {
    const header = onToken(key, change);
    const isPossible = !unless?.(key) && header !== key && header.trim() !== '';
    return isPossible ? { shell: shell ?? words, header } : undefined;
  };
}

/** The key is in as many of the places as there is room for. */
function elsewhere(places: string, carry: (names: readonly string[], key: string) => Carried): Carry {
  return (key) => {
    const names = places.split(' ').slice(0, Math.floor(ROOM / (encodeURIComponent(key).length + 20)));
    return names.length === 0 ? undefined : carry(names, key);
  };
}

function accompanied(id: string, how: string, dress: (key: string) => string): BadCredential {
  return bad(id, 'auth.key-alone', `a valid key ${how}`, (key) =>
    isPadded(key) ? undefined : { shell: dress(ADMIN), header: dress(key) },
  );
}

const pairs = (names: readonly string[], value: string, separator: string): string =>
  names.map((name) => `${name}=${value}`).join(separator);

/** The usual names in each place, the most usual first: of a long key, not all find room. */
const QUERY_NAMES =
  'authorization Authorization api_key apikey apiKey key token access_token api_token auth api-key auth_token apitoken x-api-key secret accessToken authToken apiToken admin_key adminKey jwt id_token session_token bearer';
const HEADER_NAMES =
  'X-API-Key X-Auth-Token X-Authorization Api-Key X-Access-Token ApiKey X-Auth-Key X-Token X-Auth Token X-ApiKey X-API-Token Access-Token X-Admin-Key Authentication api_key Auth-Token X-Admin-Token X-Session-Token X-Secret X-Key Auth Key Api-Token X-Forwarded-Authorization X-Original-Authorization';
const COOKIE_NAMES =
  'authorization api_key token session access_token apikey apiKey auth auth_token key sid sessionid session_token jwt Authorization api-key x-api-key X-API-Key api_token accessToken authToken apiToken access-token auth-token id_token admin_key adminKey admin_token sessionId bearer secret';

const inQuery = elsewhere(QUERY_NAMES, (names, key) => ({
  shell: pairs(names, ADMIN, '&'),
  query: pairs(names, encodeURIComponent(key), '&'),
}));
const inOtherHeaders = elsewhere(HEADER_NAMES, (names, key) => {
  return { shell: ADMIN, otherHeaders: Object.fromEntries(names.map((name) => [name, key])) };
});
const inCookie = elsewhere(COOKIE_NAMES, (names, key) => {
  return { shell: pairs(names, ADMIN, '; '), otherHeaders: { Cookie: pairs(names, encodeURIComponent(key), '; ') } };
});
/** RFC 7617, as user and as password at once. A header has a byte for each character of the key. */
const inBasic: Carry = (key, words) => {
  const header = `Basic ${Buffer.from(`${key}:${key}`, 'latin1').toString('base64')}`;
  return header.length > ROOM ? undefined : { shell: words, header };
};

const invented = (): string => `conformance-unknown-${randomBytes(8).toString('hex')}`;
const shortened = altered((token) => token.slice(0, -1), isPadded, '${CONFORMANCE_ADMIN_KEY%?}');
const lengthened = altered((token) => `${token}zzzz`, isPadded, '${CONFORMANCE_ADMIN_KEY}zzzz');
const verbatim =
  (header: string): Carry =>
  () => ({ shell: header, header });

/** A JSON Web Token without a signature (RFC 7519, 6) that claims to be an administrator's. */
const unsignedToken = `${[
  { alg: 'none', typ: 'JWT' },
  { sub: 'admin', role: 'admin', exp: 4_102_444_800 },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')}.`;

/** Jetty takes a header line for one that it read before over the same connection, if they differ only in letter case or spaces. */
const overOwnConnection =
  (carry: Carry): Carry =>
  (key, words) => {
    const carried = carry(key, words);
    return carried && { ...carried, ownConnection: true };
  };

/** Every way in which a key can be missing or invalid (source: Authentication, 1 and 2). */
export const badCredentials: readonly BadCredential[] = [
  bad('no-header', 'auth.key-required', 'no Authorization header', () => ({})),
  bad('empty-header', 'auth.key-required', 'an empty Authorization header', verbatim('')),
  bad('blank-header', 'auth.key-required', 'an Authorization header of spaces', overOwnConnection(verbatim('   '))),
  bad('unknown-key', 'auth.key-valid', 'an unknown key', unknown(invented)),
  bad(
    'look-alike-key',
    'auth.key-valid',
    'an unknown key of the same form as a valid one',
    unknown((key) => onToken(key, lookAlike)),
  ),
  bad('unsigned-token', 'auth.key-valid', 'a Bearer token that nobody signed', verbatim(`Bearer ${unsignedToken}`)),
  bad('shortened-key', 'auth.key-valid', 'a valid key without its last character', shortened),
  bad('lengthened-key', 'auth.key-valid', 'a valid key with "zzzz" appended', lengthened),
  bad('other-start-key', 'auth.key-valid', 'a valid key with another first character', altered(changeStart)),
  bad('other-end-key', 'auth.key-valid', 'a valid key with another last character', altered(changeEnd, isPadded)),
  bad(
    'other-case-key',
    'auth.key-valid',
    'a valid key in the other letter case',
    overOwnConnection(altered(swapCase, isCaseless)),
  ),
  bad('key-in-query', 'auth.header-only', 'a valid key in the query and none in the header', inQuery),
  bad(
    'key-in-other-header',
    'auth.header-only',
    'a valid key in other header fields and none in Authorization',
    inOtherHeaders,
  ),
  bad('key-in-cookie', 'auth.header-only', 'a valid key in a cookie and none in the header', inCookie),
  accompanied('key-behind-word', 'after another word', (key) => `conformance ${key}`),
  accompanied('key-before-word', 'before another word', (key) => `${key} conformance`),
  accompanied('key-in-list', 'in a list with another word', (key) => `${key}, conformance`),
  accompanied('key-in-quotes', 'in quotes', (key) => `"${key}"`),
  bad('key-in-basic', 'auth.key-alone', 'a valid key as user and password of a Basic credential', inBasic),
];

/**
 * The bad credentials that exist for the keys of a run, by id. They are made once, since some are random. One that happens
 * to be the restricted key is left out.
 */
export function makeBadCredentials(
  adminKey: string | undefined,
  restrictedKey: string | undefined,
): ReadonlyMap<string, Credential> {
  if (adminKey === undefined) return new Map();
  return new Map(
    badCredentials.flatMap(({ id, make }): [string, Credential][] => {
      const credential = make(adminKey);
      const isValid = credential?.header !== undefined && [adminKey, restrictedKey].includes(credential.header);
      return credential && !isValid ? [[id, credential]] : [];
    }),
  );
}

/** A shorter key may occur in a response by chance. */
export const LEAST_KEY = 8;

interface Keys {
  readonly adminKey?: string;
  readonly restrictedKey?: string;
}

/** The keys that occur in no response by chance. */
export function tellingKeys({ adminKey = '', restrictedKey = '' }: Keys): string[] {
  return [adminKey, restrictedKey].filter(({ length }) => length >= LEAST_KEY);
}

/** Makes the function that tells of an exchange whether its request carries a valid key, and whether its response shows one. */
export function makeKeyWatch(keys: Keys): (exchange: Pick<Exchange, 'request' | 'response'>) => Exchange['key'] {
  const [telling, forms] = [tellingKeys(keys), keyForms(keys)];
  return ({ request: { credential }, response }) => {
    const { header = '', query, otherHeaders } = credential;
    const isElsewhere = query !== undefined || otherHeaders !== undefined;
    if (telling.length === 0 || !(isElsewhere || telling.some((key) => header.includes(key)))) return undefined;
    return response && forms.some((form) => showsText(response, form)) ? 'shown' : 'carried';
  };
}

/** The forms in which a response may contain one of these keys: as it is, in JSON, in a URL, in Base64. */
export function keyForms(keys: Keys): string[] {
  return tellingKeys(keys).flatMap((key) => {
    const base64 = Buffer.from(key).toString('base64').replace(/=+$/, '');
    return [...new Set([key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), base64])];
  });
}
