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

/** The parameter names under which servers that read keys from the query are known to look. */
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

/** Other places where servers are known to look for a key. */
const OTHER_HEADERS = ['X-API-Key', 'X-Auth-Token', 'X-Authorization', 'Api-Key'];
const COOKIES = ['authorization', 'api_key', 'token', 'session'];

/** A way to call without a valid key. `make` gives undefined where it cannot be told from the key itself. */
export interface BadCredential {
  readonly id: string;
  /** Completes "a request with …". */
  readonly title: string;
  readonly requirement: 'auth.key-required' | 'auth.key-valid' | 'auth.header-only' | 'auth.key-alone';
  readonly make: (key: string) => Credential | undefined;
}

/** The part of a key after its last blank: what stands before may be a scheme such as `Bearer`, whose case means nothing. */
function splitToken(key: string): { lead: string; token: string } {
  const at = key.lastIndexOf(' ') + 1;
  return { lead: key.slice(0, at), token: key.slice(at) };
}

function swapCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()));
}

function pick(alphabet: string): string {
  return alphabet[(randomBytes(1)[0] ?? 0) % alphabet.length] ?? '';
}

/** A text of the same shape: each digit and letter replaced by another of its kind, all else kept. */
function lookAlike(text: string): string {
  const kinds = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return Array.from(text, (char) => {
    const kind = kinds.find((each) => each.includes(char));
    return kind ? pick(kind.replace(char, '')) : char;
  }).join('');
}

/** A server that decodes Base64 may lawfully not see what stands at the padding. */
const isPadded = (key: string): boolean => key.endsWith('=');

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEXADECIMAL = /^(([0-9a-f]{2}){8,}|([0-9A-F]{2}){8,})$/;

/** The letter case means nothing in a UUID (RFC 9562, 4), nor in bytes that are written in hexadecimal digits (RFC 4648, 8). */
const isCaseless = (key: string): boolean => [UUID, HEXADECIMAL].some((form) => form.test(splitToken(key).token));

/** Characters. A server may refuse a longer header or target for its length (nginx: 8 KB), which would say nothing of the key. */
const ROOM = 4_000;

/** Those names under which a key fits into the room that there is, all of them together. */
function fitting(names: readonly string[], key: string): readonly string[] {
  return names.slice(0, Math.floor(ROOM / (encodeURIComponent(key).length + 20)));
}

function altered(label: string, shell: string, key: string, alter: (token: string) => string): Credential | undefined {
  const { lead, token } = splitToken(key);
  const header = lead + alter(token);
  return header === key || header.trim() === '' ? undefined : { label, shell, header };
}

/** A valid key that does not stand alone. */
function accompanied(id: string, title: string, dress: (key: string) => string): BadCredential {
  return {
    id,
    title: `a valid key ${title}`,
    requirement: 'auth.key-alone',
    make: (key) =>
      isPadded(key) ? undefined : { label: `the admin key ${title}`, shell: dress(ADMIN), header: dress(key) },
  };
}

/** Every way in which a key can be missing or invalid (source: Authentication, 1 and 2). */
export const badCredentials: readonly BadCredential[] = [
  {
    id: 'no-header',
    title: 'no Authorization header',
    requirement: 'auth.key-required',
    make: () => ({ label: 'no Authorization header' }),
  },
  {
    id: 'empty-header',
    title: 'an empty Authorization header',
    requirement: 'auth.key-required',
    make: () => ({ label: 'an empty Authorization header', shell: '', header: '' }),
  },
  {
    id: 'blank-header',
    title: 'an Authorization header of blanks',
    requirement: 'auth.key-required',
    make: () => ({ label: 'an Authorization header of blanks', shell: '   ', header: '   ' }),
  },
  {
    id: 'unknown-key',
    title: 'a key that nobody issued',
    requirement: 'auth.key-valid',
    make: () => {
      const header = `conformance-unknown-${randomBytes(8).toString('hex')}`;
      return { label: 'an unknown key', shell: header, header };
    },
  },
  {
    id: 'look-alike-key',
    title: 'an unknown key of the same form as a valid one',
    requirement: 'auth.key-valid',
    make: (key) => {
      const { lead, token } = splitToken(key);
      const header = lead + lookAlike(token);
      const label = 'an unknown key of the same form';
      return header === key ? undefined : { label, shell: lead === '' ? header : `<${label}>`, header };
    },
  },
  {
    id: 'shortened-key',
    title: 'a valid key without its last character',
    requirement: 'auth.key-valid',
    make: (key) =>
      isPadded(key)
        ? undefined
        : altered('the admin key without its last character', '${CONFORMANCE_ADMIN_KEY%?}', key, (token) =>
            token.slice(0, -1),
          ),
  },
  {
    id: 'lengthened-key',
    title: 'a valid key with more characters behind it',
    requirement: 'auth.key-valid',
    make: (key) =>
      isPadded(key)
        ? undefined
        : altered(
            'the admin key with "zzzz" behind it',
            `\${CONFORMANCE_ADMIN_KEY}zzzz`,
            key,
            (token) => `${token}zzzz`,
          ),
  },
  {
    id: 'other-start-key',
    title: 'a valid key with another first character',
    requirement: 'auth.key-valid',
    make: (key) =>
      altered(
        'the admin key with another first character',
        '<the admin key with another first character>',
        key,
        (token) => {
          const [first = ''] = token;
          return `${lookAlike(first) === first ? 'x' : lookAlike(first)}${token.slice(first.length)}`;
        },
      ),
  },
  {
    id: 'other-case-key',
    title: 'a valid key in the other letter case',
    requirement: 'auth.key-valid',
    make: (key) =>
      isCaseless(key)
        ? undefined
        : altered('the admin key in the other letter case', '<the admin key in the other letter case>', key, swapCase),
  },
  {
    id: 'key-in-query',
    title: 'a valid key in the query and none in the header',
    requirement: 'auth.header-only',
    make: (key) => {
      const names = fitting(QUERY_PARAMETERS, key);
      if (names.length === 0) return undefined;
      const query = (value: string): string => names.map((name) => `${name}=${value}`).join('&');
      return {
        label: 'the admin key in the query',
        shell: query(ADMIN),
        query: query(encodeURIComponent(key)),
      };
    },
  },
  {
    id: 'key-in-other-header',
    title: 'a valid key in other header fields and none in Authorization',
    requirement: 'auth.header-only',
    make: (key) => {
      const names = fitting(OTHER_HEADERS, key);
      if (names.length === 0) return undefined;
      return {
        label: 'the admin key in other header fields',
        shell: ADMIN,
        otherHeaders: Object.fromEntries(names.map((name) => [name, key])),
      };
    },
  },
  {
    id: 'key-in-cookie',
    title: 'a valid key in a cookie and none in the header',
    requirement: 'auth.header-only',
    make: (key) => {
      const names = fitting(COOKIES, key);
      if (names.length === 0) return undefined;
      return {
        label: 'the admin key in a cookie',
        shell: names.map((name) => `${name}=${ADMIN}`).join('; '),
        otherHeaders: { Cookie: names.map((name) => `${name}=${encodeURIComponent(key)}`).join('; ') },
      };
    },
  },
  accompanied('key-behind-word', 'behind another word', (key) => `conformance ${key}`),
  accompanied('key-before-word', 'with another word behind it', (key) => `${key} conformance`),
  accompanied('key-in-list', 'in a list with another', (key) => `${key}, conformance`),
  accompanied('key-in-quotes', 'in quotes', (key) => `"${key}"`),
];

/**
 * The bad credentials that exist for the keys of a run, by id: made once, since some are random. What happens to be the
 * restricted key is none.
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
