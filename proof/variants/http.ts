import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { isRecord } from '../../common/json.ts';
import { errorStatuses, type ApiError } from '../../contract/document.ts';
import { Refused } from '../../reference-server/rules.ts';
import { defaultSeed, type Seed } from '../../reference-server/seed.ts';
import { about, byChance, type Variant } from '../server.ts';
import { replacing, type Behaviour } from '../servers/behaviour.ts';
import { type Around, anError, isList, isUpdate, sentKey, work } from '../servers/requests.ts';
import { adding, answering, limiting, pagesAsHtml, responding, writing } from '../servers/responses.ts';
import {
  asBytes,
  changed,
  chunked,
  coded,
  head,
  message,
  plain,
  withFields,
  type Deliver,
} from '../wire/wire-server.ts';

/** Sends each response in the next of these ways. */
function inTurn(ways: readonly Deliver[]): Behaviour {
  return { deliver: (delivery) => ways[delivery.request.number % ways.length]?.(delivery) };
}

const untilClose = asBytes((answer) => Buffer.concat([head(answer, '1.0'), answer.body]), 'end');
/** Sends a response behind an interim one. */
const behind = (interim: string): Deliver =>
  asBytes((answer) => Buffer.concat([Buffer.from(`HTTP/1.1 ${interim}\r\n\r\n`), plain(answer)]));

/** How a response is framed. Source: RFC 9112, 6 and 7. */
const FRAMINGS: readonly Deliver[] = [
  asBytes((answer) => chunked(answer, 64, '', 'X-Checksum: 1\r\nX-Other: \r\n')),
  asBytes((answer) => chunked(answer, 50, ';name;other=1;text="a;b\\"c"')),
  asBytes((answer) => plain({ ...answer, headers: [...answer.headers, ['Connection', 'keep-alive']] }, '1.0')),
  withFields(['Keep-Alive', 'timeout=1, max=3']),
  withFields(['Upgrade', 'h2,h2c'], ['Connection', 'Upgrade, Keep-Alive'], ['Alt-Svc', 'h3=":443"']),
  behind('103 Early Hints\r\nLink: </style.css>; rel=preload'),
  behind('102 Processing'),
];

const MANY = Array.from({ length: 60 }, (_each, index) => [`X-Field-${index}`, 'x'.repeat(index * 8)] as const);
const REPEATED = ['Vary', 'vary', 'Cache-Control', 'Via', 'Via', 'WWW-Authenticate', 'www-authenticate'];

/** The header of a response. Source: RFC 9110, 5 and 8; RFC 9112, 4 and 5. */
const HEADERS: readonly Deliver[] = [
  withFields(...REPEATED.map((name, index) => [name, `value-${index}`] as const)),
  withFields(...MANY, ['Strict-Transport-Security', 'max-age=1']),
  withFields(['__proto__', 'x'], ['X-Latin', 'caf\u00e9'], ["x!#$%&'*+-.^_`|~9", ''], ['constructor', ',;="']),
  changed((answer) => ({ headers: answer.headers.map(([name, value]) => [name.toUpperCase(), `  ${value} \t`]) })),
  withFields(['X-Long', 'x'.repeat(60_000)]),
  changed(() => ({ reason: '' })),
  changed(() => ({ reason: 'Very W\u00e9ll \t indeed' })),
  withFields(['Set-Cookie', 'session=1; Path=/; HttpOnly'], ['Set-Cookie', 'token=1; Path=/; HttpOnly']),
  withFields(['ETag', '"1"'], ['Cache-Control', 'max-age=31536000'], ['Location', 'http://127.0.0.1:1/elsewhere']),
  withFields(['RateLimit-Remaining', '0'], ['Retry-After', '120'], ['WWW-Authenticate', 'ApiKey realm="admin"']),
];

/** The coding of a body. Source: RFC 9110, 8.4. */
const CODINGS: readonly Deliver[] = [
  coded('gzip', 'gzip', (body) => gzipSync(body)),
  coded('BR', 'br', (body) => brotliCompressSync(body)),
  withFields(['Content-Encoding', 'identity']),
];

const MEDIA_TYPES: readonly string[] = [
  ...['application/json', 'Application/JSON;Charset="UTF-8"', 'APPLICATION/JSON ; charset=utf-8', 'text/json'],
  ...['application/problem+json', 'application/vnd.example.admin-v5+json; profile="https://example.com/x"'],
  ...['application/json; charset=ISO-8859-1', 'application/json;'],
];

/** How JSON is written. Source: RFC 8259, 2, 7 and 8.1. */
const TEXTS: readonly ((text: string) => string)[] = [
  (text) => `\u{FEFF}${text}`,
  (text) => `\r\n\t ${JSON.stringify(JSON.parse(text), null, '\t').replaceAll('\n', '\r\n')}\n\n`,
  (text) => text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (string) => string.replaceAll('e', '\\u0065').replaceAll('/', '\\/')),
  (text) => text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
];

/** The same value with the members of each object in another order for another turn. */
export function inOrder(value: unknown, turn: number): unknown {
  if (Array.isArray(value)) return value.map((each) => inOrder(each, turn));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, each]): [string, unknown] => [name, inOrder(each, turn)]);
  return Object.fromEntries([...members.slice(turn % members.length), ...members.slice(0, turn % members.length)]);
}

/** Handles one request at a time, and refuses others meanwhile. */
const busyWithOne: Around = {
  around: (handle, _store, rules) => {
    let isBusy = false;
    return async (request) => {
      if (isBusy) return rules.refuse(503, 'The worker is busy.');
      isBusy = true;
      await work();
      isBusy = false;
      return handle(request);
    };
  },
};

/** Jetty remembers the lines of a header by connection, without regard to letter case, to parse them faster. */
function rememberingHeaders(): Behaviour {
  const remembered = new WeakMap<Socket, Map<string, string>>();
  return {
    instead: ({ headers }, socket) => {
      const known = remembered.get(socket) ?? new Map<string, string>();
      remembered.set(socket, known);
      const { authorization = '' } = headers;
      const line = authorization.toLowerCase();
      known.set(line, known.get(line) ?? authorization);
      if (authorization !== '') Object.assign(headers, { authorization: known.get(line) });
      return false;
    },
  };
}

/** Source: opening paragraph; Limits; RFC 9110, 9112. */
export const httpVariants: readonly Variant[] = [
  ...about('bodies.json', {
    'framing-until-close: The end of the connection ends each response, with HTTP/1.0': { deliver: untilClose },
    'framings-in-turn: Responses have trailers, extensions, fragments, HTTP/1.0 or interim responses': inTurn(FRAMINGS),
    'headers-in-turn: Headers have unusual spellings, blanks, repeated, many, long or odd fields': inTurn(HEADERS),
    'codings-in-turn: Bodies are in gzip, br or no content coding, as accepted': inTurn(CODINGS),
    'media-types-in-turn: The Content-Type is another one that stands for JSON in each response': inTurn(
      MEDIA_TYPES.map((type) => changed(() => ({ headers: [['content-type', type]] }))),
    ),
    'json-in-turn: JSON has a byte order mark, white space, escapes, or is pure ASCII': writing(
      (text, turn) => TEXTS[turn % TEXTS.length]?.(text) ?? text,
    ),
    'members-in-any-order: The members of each object are in another order each time': writing((text, turn) =>
      JSON.stringify(inOrder(JSON.parse(text), turn)),
    ),
  }),
  ...byChance(
    about(['open.limits', 'open.undocumented-statuses'], {
      'pause-429-at-once: Every tenth request gets 429 and Retry-After: 0': {
        instead: ({ number }, socket) => number % 10 === 0 && socket.write(message(429, { 'Retry-After': '0' }, '')),
      },
      'busy-with-one: A request beside another one gets 503': busyWithOne,
    }),
  ),
  ...byChance(
    about(['open.limits', 'banners.success-is-200'], {
      'list-away-for-a-while: The first three requests for the banners get 503': answering(
        ({ request, count }) => isList({ request }) && count <= 3,
        (_list, _answered, rules) => rules.refuse(503, 'Not yet.'),
      ),
    }),
  ),
  ...byChance(
    about('open.limits', {
      'limited-with-429: More than 400 requests a second, or 20 at once, get 429': limiting(400, 20, 429),
      'limited-with-503: More than 400 requests a second, or 20 at once, get 503': limiting(400, 20, 503),
      'one-connection-closed: It serves one connection at a time and closes it after each response': {
        oneAtATime: true,
        deliver: asBytes(
          (answer) => plain({ ...answer, headers: [...answer.headers, ['Connection', 'close']] }),
          'end',
        ),
      },
    }),
  ),
  ...about('open.key-format', {
    'header-values-remembered: Header values that differ only in case are one, as in Jetty': rememberingHeaders(),
  }),
];

/** Made of a UUID: a number, and what is long, emoji, a URL, markup. */
const ERROR_IDS: readonly ((id: string) => string)[] = [
  (id) => String(parseInt(id, 16)),
  (id) => `${'e'.repeat(5_000)}${id}`,
  (id) => `\ud83d\udca5${id}`,
  (id) => `https://errors.example.com/${id}`,
  (id) => `"\u0000\\</script>\n${id}`,
];
/** In German, in Arabic, long, and in HTML with control characters. */
const MESSAGES = [
  'Das geht leider nicht: prüfen Sie bitte Ihre Angaben.',
  '\u0627\u0644\u0637\u0644\u0628 \u063a\u064a\u0631 \u0635\u062d\u064a\u062d',
  'no '.repeat(16_667),
  '<p>No &mdash; <script>alert(1)</script></p>\r\nsecond\t\u0007\u001b[31mred\u001b[0m',
];

/** Choices for the error body. Source: Errors. */
export const errorVariants: readonly Variant[] = [
  ...about(['open.error-id-form', 'errors.id-per-instance', 'errors.body', 'errors.message'], {
    'error-ids-in-any-form: The `id` of an error is a number as a text, long, emoji, a URL, or markup':
      adding<ApiError>(anError, ({ id }, { count }) => ({ id: ERROR_IDS[count % ERROR_IDS.length]?.(id) })),
    'error-messages-in-any-form: The `message` of an error is in German, in Arabic, long, or has markup': adding(
      anError,
      (_error, { status }) => ({ message: MESSAGES[errorStatuses.indexOf(status) % 4] }),
    ),
    'error-with-details: Errors have more members: details, a status, a time, those of a user and `banners`':
      adding<ApiError>(anError, ({ message: text }, { status }) => ({
        details: [{ message: text, path: ['name'], id: 5, name: null }],
        ...{ status, timestamp: Date.now(), code: 7, cause: null, banners: [], user: { id: 1 }, email: null },
      })),
  }),
  ...about(['open.undocumented-statuses', 'errors.body'], {
    'undocumented-statuses-in-html: Errors with an undocumented status have an HTML page as body': {
      ...pagesAsHtml(),
      ...answering(
        ({ status }) => status > 404,
        ({ status }) => ({ status, body: `<h1>${status}</h1>` }),
      ),
    },
  }),
];

/** Compares keys in a canonical form. */
function readingKeys(canonical: (key: string) => string | undefined): Behaviour {
  return replacing('authenticate', () => (request, store) => {
    const sent = canonical(sentKey(request));
    const caller = (['admin', 'restricted'] as const).find((each) => canonical(store.keys[each]) === sent);
    if (sent === undefined || caller === undefined) throw new Refused(401, 'Send a valid key.');
    return caller;
  });
}

/** Keeps who a key belongs to, and what it may do, for each operation. */
const decisionsKept = replacing('authenticate', (authenticate) => {
  const kept = new Map<string, ReturnType<typeof authenticate>>();
  return (request, store) => {
    const of = [sentKey(request), isUpdate({ request })].join();
    const caller = kept.get(of) ?? authenticate(request, store);
    kept.set(of, caller);
    return caller;
  };
});

/** The default seed with other keys. */
function keys(admin: string, restricted: string): { seed: Seed } {
  return { seed: { ...defaultSeed, keys: { admin, restricted } } };
}

const random = (): string => randomBytes(32).toString('base64');

/** Choices for the key. Source: Authentication. */
export const keyVariants: readonly Variant[] = [
  ...about(['open.key-format', 'auth.key-valid', 'auth.key-alone'], {
    'keys-that-are-long: Keys have 8,000 characters': keys('A1'.repeat(4_000), 'B2'.repeat(4_000)),
    'keys-with-odd-characters: Keys contain every printable ASCII character, and blanks': keys(
      '!  "#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~aZ0',
      '~}|{ `_^]',
    ),
    'keys-that-begin-alike: The admin key has one more character': keys('Key-abcdefgh', 'Key-abcdefg'),
    'keys-that-differ-in-case: Keys differ only in letter case': keys('Key-Abc', 'kEY-aBC'),
    'keys-with-accents: Keys contain letters beyond ASCII': keys('cl\u00e9-\u00fcber-1', 'cl\u00e9-\u00fcber-2'),
    'control-characters-refused: A firewall refuses header fields with control characters of Latin-1': responding(
      ({ headers }, rules) =>
        /(?!\t)\p{Cc}/u.test(Object.values(headers).join('\t'))
          ? rules.refuse(400, 'The request was rejected.')
          : undefined,
    ),
    'keys-hex-in-any-case: Keys are hexadecimal digits, and their letter case means nothing': {
      ...keys('9f86d081884c7d659a2feaa0c55ad015', '60303ae22b998861bce3b28f33eec1be'),
      ...readingKeys((key) => (/^([0-9a-f]{2})+$/i.test(key) ? key.toLowerCase() : undefined)),
    },
    'keys-base64-decoded: Keys are Base64 with padding, and the decoded bytes are compared': {
      ...keys(random(), random()),
      ...readingKeys((key) => Buffer.from(key, 'base64').toString('hex')),
    },
    'decisions-kept-by-key: The decision about a key and an operation is kept for its next requests': decisionsKept,
    'keys-with-or-without-scheme: A key may have `Bearer` before it': readingKeys((key) =>
      key.replace(/^Bearer +/i, ''),
    ),
    'keys-scheme-in-any-case: The letter case of the scheme before a key means nothing': {
      ...keys('Bearer abc.DEF-123', 'Bearer ghi.JKL-456'),
      ...readingKeys((key) => key.replace(/^\S+ +/, (scheme) => scheme.trim().toLowerCase())),
    },
  }),
  ...about('auth.header-only', {
    'unknown-parameters-refused: A query gets 404, and a cookie gets 400, before the server looks for a key':
      responding(({ query, headers }, rules) => {
        if (query !== '') return rules.refuse(404, 'There are no query parameters.');
        return headers.cookie === undefined ? undefined : rules.refuse(400, 'There are no cookies.');
      }),
  }),
  ...about(['open.permission-model', 'open.banners-permission', 'permission.refused'], {
    'key-that-may-do-nothing: Every request with the restricted key gets 403': responding((request, rules, store) =>
      rules.authenticate(request, store) === 'restricted' ? rules.refuse(403, 'It may do nothing.') : undefined,
    ),
  }),
];
