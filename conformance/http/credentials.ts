import { randomBytes } from 'node:crypto';
import type { Credential } from './exchange.ts';

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

/** Places where some servers look for a key. */
const QUERY_PARAMETERS = [
  'authorization',
  'Authorization',
  'api_key',
  'apikey',
  'apiKey',
  'key',
  'token',
  'access_token',
];
const OTHER_HEADERS = ['X-API-Key', 'X-Auth-Token', 'X-Authorization', 'Api-Key'];
const COOKIES = ['authorization', 'api_key', 'token', 'session'];

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

function onToken(key: string, change: (token: string) => string): string {
  const { lead, token } = splitToken(key);
  return lead + change(token);
}

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

/** A server that decodes Base64 may ignore the characters at the padding. */
const isPadded = (key: string): boolean => key.endsWith('=');

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEXADECIMAL = /^(([0-9a-f]{2}){8,}|([0-9A-F]{2}){8,})$/;

/** The letter case means nothing in a UUID (RFC 9562, 4), nor in bytes written as hexadecimal digits (RFC 4648, 8). */
const isCaseless = (key: string): boolean => [UUID, HEXADECIMAL].some((form) => form.test(splitToken(key).token));

/** Characters. A server may refuse a longer header or target for its length (nginx: 8 KB), which says nothing about the key. */
const ROOM = 4_000;

function withoutKey(id: string, title: string, header?: string): BadCredential {
  const value = header === undefined ? {} : { shell: header, header };
  return { id, title, requirement: 'auth.key-required', make: () => ({ label: title, ...value }) };
}

function unknown(id: string, title: string, invent: (key: string) => string): BadCredential {
  return {
    id,
    title,
    requirement: 'auth.key-valid',
    make: (key) => {
      const header = invent(key);
      const { lead } = splitToken(key);
      // The lead is a part of the key, so it is not printed.
      const shell = lead !== '' && header.startsWith(lead) ? `<${title}>` : header;
      return header === key ? undefined : { label: title, shell, header };
    },
  };
}

interface Alteration {
  readonly change: (token: string) => string;
  /** By default words in angle brackets. */
  readonly shell?: string;
  /** For which keys the altered key may be valid too. */
  readonly unless?: (key: string) => boolean;
}

/** @param how completes "a valid key …" */
function altered(id: string, how: string, { change, shell, unless }: Alteration): BadCredential {
  const label = `the admin key ${how}`;
  return {
    id,
    title: `a valid key ${how}`,
    requirement: 'auth.key-valid',
    make: (key) => {
      const header = onToken(key, change);
      if (unless?.(key) || header === key || header.trim() === '') return undefined;
      return { label, shell: shell ?? `<${label}>`, header };
    },
  };
}

/**
 * @param how completes "a valid key …"
 * @param places the key is in as many of them as there is room for
 */
function elsewhere(
  id: string,
  how: string,
  places: readonly string[],
  carry: (names: readonly string[], key: string) => Omit<Credential, 'label'>,
): BadCredential {
  return {
    id,
    title: `a valid key ${how}`,
    requirement: 'auth.header-only',
    make: (key) => {
      const names = places.slice(0, Math.floor(ROOM / (encodeURIComponent(key).length + 20)));
      return names.length === 0 ? undefined : { label: `the admin key ${how}`, ...carry(names, key) };
    },
  };
}

/** @param how completes "a valid key …" */
function accompanied(id: string, how: string, dress: (key: string) => string): BadCredential {
  const label = `the admin key ${how}`;
  return {
    id,
    title: `a valid key ${how}`,
    requirement: 'auth.key-alone',
    make: (key) => (isPadded(key) ? undefined : { label, shell: dress(ADMIN), header: dress(key) }),
  };
}

const pairs = (names: readonly string[], value: string): string[] => names.map((name) => `${name}=${value}`);

/** Every way in which a key can be missing or invalid (source: Authentication, 1 and 2). */
export const badCredentials: readonly BadCredential[] = [
  withoutKey('no-header', 'no Authorization header'),
  withoutKey('empty-header', 'an empty Authorization header', ''),
  withoutKey('blank-header', 'an Authorization header of spaces', '   '),
  unknown('unknown-key', 'an unknown key', () => `conformance-unknown-${randomBytes(8).toString('hex')}`),
  unknown('look-alike-key', 'an unknown key of the same form as a valid one', (key) => onToken(key, lookAlike)),
  altered('shortened-key', 'without its last character', {
    change: (token) => token.slice(0, -1),
    shell: '${CONFORMANCE_ADMIN_KEY%?}',
    unless: isPadded,
  }),
  altered('lengthened-key', 'with "zzzz" appended', {
    change: (token) => `${token}zzzz`,
    shell: '${CONFORMANCE_ADMIN_KEY}zzzz',
    unless: isPadded,
  }),
  altered('other-start-key', 'with another first character', { change: changeStart }),
  altered('other-case-key', 'in the other letter case', { change: swapCase, unless: isCaseless }),
  elsewhere('key-in-query', 'in the query and none in the header', QUERY_PARAMETERS, (names, key) => ({
    shell: pairs(names, ADMIN).join('&'),
    query: pairs(names, encodeURIComponent(key)).join('&'),
  })),
  elsewhere('key-in-other-header', 'in other header fields and none in Authorization', OTHER_HEADERS, (names, key) => ({
    shell: ADMIN,
    otherHeaders: Object.fromEntries(names.map((name) => [name, key])),
  })),
  elsewhere('key-in-cookie', 'in a cookie and none in the header', COOKIES, (names, key) => ({
    shell: pairs(names, ADMIN).join('; '),
    otherHeaders: { Cookie: pairs(names, encodeURIComponent(key)).join('; ') },
  })),
  accompanied('key-behind-word', 'after another word', (key) => `conformance ${key}`),
  accompanied('key-before-word', 'before another word', (key) => `${key} conformance`),
  accompanied('key-in-list', 'in a list with another word', (key) => `${key}, conformance`),
  accompanied('key-in-quotes', 'in quotes', (key) => `"${key}"`),
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
