import { replacing, type Replacing } from '../../servers/behaviour.ts';
import { hash, randomBytes } from 'node:crypto';
import { Refused, type ApiRequest, type Caller, type Store } from '../../../reference-server/rules.ts';
import type { WrittenVariant } from '../../variant.ts';
import { sentKey } from '../../defects/requests.ts';
import { answering, keys } from '../freedoms.ts';
import { type Table, about } from '../../table.ts';

/** Compares keys in a canonical form. */
function readingKeys(canonical: (key: string) => string | undefined): Replacing {
  return replacing('authenticate', () => (request: ApiRequest, store: Store): Caller => {
    const sent = canonical(sentKey(request));
    const caller = (['admin', 'restricted'] as const).find((each) => canonical(store.keys[each]) === sent);
    if (sent === undefined || caller === undefined) throw new Refused(401, 'Send a valid key.');
    return caller;
  });
}

const random = (bytes: number, encoding: 'hex' | 'base64' | 'base64url'): string =>
  randomBytes(bytes).toString(encoding);

const KEYS: Table<readonly [admin: string, restricted: string]> = {
  'bearer: start with a scheme': ['Bearer abc.DEF-123', 'Bearer ghi.JKL-456'],
  'basic: are a name and a password in the form of Basic authentication': [
    'Basic YWRtaW46c2VjcmV0',
    'Basic Z3Vlc3Q6Z3Vlc3Q=',
  ],
  'parameters: are parameters after a scheme': ['Token token="Ab1", scope="all"', 'Token token="Cd2", scope="none"'],
  'uuid: are UUIDs': ['3f2b8c1e-7a4d-4e6f-9b0a-1c2d3e4f5a6b', 'a0b1c2d3-e4f5-4a6b-8c7d-9e0f1a2b3c4d'],
  'of-digits: consist of digits': ['8412907734', '5519023348'],
  'of-signs: have neither letters nor digits': ['*:*.!-_~', '*:*.!-_='],
  'of-one-character: consist of one character': ['a', 'b'],
  'with-scope: consist of a scope and a hash': [`*:*.${random(28, 'hex')}`, `user:none.${random(28, 'hex')}`],
  'with-blanks: contain spaces': ['open sesame now', 'please  let me in'],
  'that-are-long: have 8,000 characters': ['A1'.repeat(4_000), 'B2'.repeat(4_000)],
  'with-odd-characters: contain every printable ASCII character': ['!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~aZ0', '~}|{`_^]'],
  'with-padding: are Base64 with padding': [random(32, 'base64'), random(32, 'base64')],
  'that-begin-alike: differ only in that the admin key has one more character': ['Key-abcdefgh', 'Key-abcdefg'],
  'that-go-on-alike: differ only in that the restricted key has more characters': ['Key-1', 'Key-1zzzz'],
  'that-differ-in-case: differ only in letter case': ['Key-Abc', 'kEY-aBC'],
  'of-web-tokens: are JSON Web Tokens': [
    `eyJhbGciOiJIUzI1NiJ9.${random(40, 'base64url')}.${random(32, 'base64url')}`,
    `eyJhbGciOiJIUzI1NiJ9.${random(40, 'base64url')}.${random(32, 'base64url')}`,
  ],
  'with-accents: contain non-ASCII letters': ['cl\u00e9-\u00fcber-1', 'cl\u00e9-\u00fcber-2'],
};

const fromBase64 = (key: string): string => Buffer.from(key, 'base64').toString('hex');

/** Choices for the key. Source: Authentication. */
export const keysVariants: readonly WrittenVariant[] = [
  ...about(['open.key-format', 'auth.key-valid'], KEYS, 'keys-*: Keys *.', (both) => keys(...both)),
  ...about(['open.key-format', 'auth.key-valid'], {
    'keys-hex-in-any-case: Keys are bytes in hexadecimal digits, and the server ignores their letter case.': {
      ...keys('9f86d081884c7d659a2feaa0c55ad015', '60303ae22b998861bce3b28f33eec1be'),
      ...readingKeys((key) => (/^([0-9a-f]{2})+$/i.test(key) ? key.toLowerCase() : undefined)),
    },
    'keys-base64-decoded: Keys are Base64 with padding, and the server compares the decoded bytes.': {
      ...keys(random(32, 'base64'), random(31, 'base64')),
      ...readingKeys(fromBase64),
    },
    'keys-hashed: stores only hashes of keys': readingKeys((key) => hash('sha512', key)),
    'keys-with-or-without-scheme: accepts a key with and without `Bearer` before it': readingKeys((key) =>
      key.replace(/^Bearer +/i, ''),
    ),
  }),
  ...about(['open.key-format', 'auth.key-valid', 'auth.key-alone'], {
    'keys-scheme-in-any-case: ignores the letter case of the scheme before a key': {
      ...keys('Bearer abc.DEF-123', 'Bearer ghi.JKL-456'),
      ...readingKeys((key) => key.replace(/^\S+ +/, (scheme) => scheme.trim().toLowerCase())),
    },
  }),
  ...about('auth.header-only', {
    'unknown-parameters-refused: responds 404 to every request with a query and 400 to every one with a cookie, before it looks for a key':
      answering(({ query, headers }, rules) => {
        if (query !== '') return rules.refuse(404, 'There are no query parameters.');
        return headers.cookie === undefined ? undefined : rules.refuse(400, 'There are no cookies.');
      }),
  }),
  ...about(['open.permission-model', 'open.banners-permission', 'permission.refused'], {
    'key-that-may-do-nothing: responds 403 to every request with the restricted key': answering(
      (request, rules, store) =>
        rules.authenticate(request, store) === 'restricted' ? rules.refuse(403, 'This key may do nothing.') : undefined,
    ),
  }),
];
