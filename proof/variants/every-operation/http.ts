import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { Behaviour } from '../../servers/behaviour.ts';
import type { WrittenVariant } from '../../variant.ts';
import {
  asBytes,
  before,
  behind,
  bodyAfter,
  changed,
  chunked,
  closing,
  closingAfter,
  closingWhenIdle,
  coded,
  coldStart,
  everyNth,
  inFragments,
  rateLimit,
  withHeader,
  type Instead,
} from '../../wire/deliveries.ts';
import { JSON_TYPE, message } from '../../wire/raw-server.ts';
import { after, deliverPlain, head, plain, turnsOfTheLoop, type Deliver } from '../../wire/wire-server.ts';
import { answering } from '../freedoms.ts';
import { type Table, about, named, tableOf } from '../../table.ts';

/** Jetty remembers the lines of a header by connection, without regard to letter case, to parse them faster. */
const remembered = new WeakMap<Socket, Map<string, string>>();

const rememberingHeaders: Instead = ({ headers }, socket) => {
  const known = remembered.get(socket) ?? new Map<string, string>();
  remembered.set(socket, known);
  const { authorization } = headers;
  if (authorization === undefined) return false;
  const line = authorization.toLowerCase();
  known.set(line, known.get(line) ?? authorization);
  Object.assign(headers, { authorization: known.get(line) });
  return false;
};

/** How a response is framed, and how long its connection lives. Source: RFC 9112, 6, 7 and 9. */
const framing: Table<Deliver> = {
  'plain: in one piece with a Content-Length': deliverPlain,
  'chunks: in chunks': asBytes((answer) => chunked(answer, { size: 7 })),
  'chunks-with-trailer: in chunks with a trailer': asBytes((answer) =>
    chunked(answer, { size: 64, trailer: 'X-Checksum: 1\r\nX-Other: \r\n' }),
  ),
  'chunks-with-extensions: in chunks with extensions': asBytes((answer) =>
    chunked(answer, { size: 50, extension: ';name;other=1;text="a;b\\"c"' }),
  ),
  'bytes: in fragments of one byte': inFragments(1, 250, (answer) => plain(answer)),
  'http-1.0: with HTTP/1.0, where the end of the connection ends the body': asBytes(
    (answer) => Buffer.concat([head(answer, { version: '1.0' }), answer.body]),
    'end',
  ),
  'http-1.0-kept: with HTTP/1.0, a Content-Length and keep-alive': withHeader({
    version: '1.0',
    extra: [['Connection', 'keep-alive']],
  }),
  'until-close: with HTTP/1.1, where the end of the connection ends the body': asBytes(
    (answer) => Buffer.concat([head(answer, { extra: [['Connection', 'close']] }), answer.body]),
    'end',
  ),
  'closed-as-announced: one on each connection, which is then closed, as announced': closing({
    extra: [['Connection', 'Close']],
  }),
  'closed-unannounced: one on each connection, which is then closed without notice': closing(),
  'closed-when-idle: on connections that are closed after 5 ms without a request': closingWhenIdle(5, 'end'),
  'reset-when-idle: on connections that are reset after 5 ms without a request': closingWhenIdle(5, 'resetAndDestroy'),
  'closed-after-five-unannounced: five on each connection, which is then closed without notice': closingAfter(5),
  'keep-alive-announced: with an announced idle time of one second': withHeader({
    extra: [['Keep-Alive', 'timeout=1, max=3']],
  }),
  'upgrade-offered: with the offer of another protocol': withHeader({
    extra: Object.entries({ Upgrade: 'h2,h2c', Connection: 'Upgrade, Keep-Alive', 'Alt-Svc': 'h3=":443"' }),
  }),
  'interim-102-103: after interim responses 102 and 103': behind(
    'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n',
  ),
  'interim-in-one-packet: in one packet with an interim response': before('HTTP/1.1 103 Early Hints\r\n\r\n'),
  'interim-100: after an unrequested 100 (Continue)': behind('HTTP/1.1 100 Continue\r\n\r\n'),
};

const MANY = Array.from({ length: 60 }, (_each, index) => [`X-Field-${index}`, 'x'.repeat(index * 8)] as const);
const REPEATED = ['Vary', 'vary', 'Cache-Control', 'Via', 'Via', 'WWW-Authenticate', 'www-authenticate'];

/** The header of a response. Source: RFC 9110, 5 and 8; RFC 9112, 4 and 5. */
const headers: Table<Deliver> = {
  'lower-case: with field names in lower case': withHeader({ spell: (name) => name.toLowerCase() }),
  'repeated: with repeated fields': withHeader({ extra: REPEATED.map((name, index) => [name, `value-${index}`]) }),
  'many: with many other fields, some empty and some long': withHeader({
    extra: [...MANY, ['ETag', 'W/"1"'], ['Strict-Transport-Security', 'max-age=1']],
  }),
  'odd: with fields that have unusual names and values': withHeader({
    extra: [
      ['__proto__', 'x'],
      ['X-Latin', 'caf\u00e9'],
      ["x!#$%&'*+-.^_`|~9", ''],
      ['constructor', ',;="'],
    ],
  }),
  'blanks: with white space around field values': changed((answer) => ({
    headers: answer.headers.map(([name, value]) => [name, `  ${value} \t`]),
  })),
  'long: with a field of 60,000 characters': withHeader({ extra: [['X-Long', 'x'.repeat(60_000)]] }),
  'no-reason: with an empty reason phrase': changed(() => ({ reason: '' })),
  'other-reason: with an unusual reason phrase': changed(() => ({ reason: 'Very W\u00e9ll \t indeed' })),
  'cookies: with cookies': ({ request, answer, socket }) => {
    const extra = ['session', 'token', 'authorization'].map(
      (name) => ['Set-Cookie', `${name}=${request.number}; Path=/; HttpOnly`] as const,
    );
    socket.write(plain(answer, { extra }));
  },
  'without-meaning: with fields on caching, security and places, which have no meaning there': withHeader({
    extra: [
      ['Date', 'Thu, 01 Jan 1970 00:00:00 GMT'],
      ['ETag', '"1"'],
      ['Cache-Control', 'public, max-age=31536000'],
      ['Location', 'http://127.0.0.1:1/elsewhere'],
      ['Content-Location', '/elsewhere'],
      ['RateLimit-Limit', '100'],
      ['RateLimit-Remaining', '0'],
      ['Retry-After', '120'],
    ],
  }),
};

const typed = (contentType: string): Behaviour => ({
  change: ({ answer }) => ({
    ...answer,
    headers: answer.headers.map(([name, value]) => [name, name === 'content-type' ? contentType : value]),
  }),
});

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  bare: 'application/json',
  quoted: 'Application/JSON;Charset="UTF-8"',
  spaced: 'APPLICATION/JSON ; charset=utf-8',
  problem: 'application/problem+json',
  vendor: 'application/vnd.example.admin-v5+json; profile="https://example.com/x"; charset=utf-8',
  text: 'text/json',
  latin: 'application/json; charset=ISO-8859-1',
  'open-parameter': 'application/json;',
};

const gzip = (body: Buffer): Buffer => gzipSync(body);

/** The coding of a body. Source: RFC 9110, 8.4. */
const codings: Table<Deliver> = {
  'gzip: in gzip': coded('gzip', 'gzip', gzip),
  'x-gzip: in gzip, spelled x-gzip': coded('x-gzip', 'gzip', gzip),
  'deflate: in deflate': coded('deflate', 'deflate', (body) => deflateSync(body)),
  'deflate-raw: in deflate without the zlib wrapper, as some servers send it': coded('deflate', 'deflate', (body) =>
    deflateRawSync(body),
  ),
  'br: in br': coded('br', 'br', (body) => brotliCompressSync(body)),
  'deflate-gzip: in deflate and then in gzip': coded('deflate, gzip', 'gzip', (body) => gzipSync(deflateSync(body))),
  'identity: with the coding identity': withHeader({ extra: [['Content-Encoding', 'identity']] }),
};

const rewritten = (rewrite: (text: string) => string): Behaviour => ({
  change: ({ answer }) => ({ ...answer, body: Buffer.from(rewrite(answer.body.toString())) }),
});

/** How JSON is written. Source: RFC 8259, 2, 7 and 8.1. */
const texts: Table<Behaviour> = {
  'byte-order-mark: with a byte order mark, which a parser may ignore': rewritten((text) => `\u{FEFF}${text}`),
  'blanks: with white space and line breaks wherever JSON allows them': rewritten(
    (text) => `\r\n\t ${JSON.stringify(JSON.parse(text), null, '\t').replaceAll('\n', '\r\n')}\n\n`,
  ),
  'escapes: with escaped characters, even in member names': rewritten((text) =>
    text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (string) => string.replaceAll('e', '\\u0065').replaceAll('/', '\\/')),
  ),
  'ascii: in pure ASCII': rewritten((text) =>
    text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ),
};

const sent = (group: string, table: Table<Behaviour | Deliver>): WrittenVariant[] =>
  about('bodies.json', table, `${group}-*: Responses are sent *.`, (how) =>
    typeof how === 'function' ? { deliver: how } : how,
  );

const TOO_MANY = JSON.stringify({ id: 'x', name: 'TooManyRequests', message: 'Slow down.' });

const pausing = (status: number, fields: Readonly<Record<string, string>>, body = TOO_MANY): Instead =>
  rateLimit(130, () => message(status, fields, body));

const PAUSES: Table<Instead> = {
  '429-seconds: 429 and Retry-After in seconds': pausing(429, { ...JSON_TYPE, 'Retry-After': '1' }),
  '429-date: 429 and Retry-After as a date': rateLimit(130, (opensAt) =>
    message(429, { ...JSON_TYPE, 'retry-after': new Date(opensAt).toUTCString() }, TOO_MANY),
  ),
  '429-bare: 429 without Retry-After': pausing(429, JSON_TYPE),
  '429-unreadable: 429 and an unreadable Retry-After': pausing(429, { 'Retry-After': 'soon' }, 'slow down'),
  '429-at-once: 429 and Retry-After: 0 for every tenth request': everyNth(10, message(429, { 'Retry-After': '0' }, '')),
  '503-seconds: 503 and Retry-After in seconds': pausing(503, { 'Retry-After': '1' }, '<h1>Busy</h1>'),
  // A default of nginx: limit_req_status.
  '503-bare: 503 without Retry-After': pausing(
    503,
    { 'Content-Type': 'text/html' },
    '<h1>503 Service Temporarily Unavailable</h1>',
  ),
};

/** Limits the number of concurrent requests; concurrent requests are certain to meet. */
const contended = (most: number): Behaviour => ({
  around: (handle, _store, rules) => {
    let running = 0;
    return async (request) => {
      running += 1;
      try {
        if (running > most) return rules.refuse(503, 'All workers are busy.');
        await new Promise((done) => setTimeout(done, 1));
        await turnsOfTheLoop();
        return handle(request);
      } finally {
        running -= 1;
      }
    };
  },
});

/** A request that the suite gave up, as on a busy machine, is still in progress for the server: it would refuse the next one. */
const CROWDED = {
  about: ['open.limits', 'open.undocumented-statuses'],
  limits: { timeout: 300_000 },
};

const BASE_PATHS = ['/some/prefix', '/v1.0/caf%C3%A9//x', '/api/admin/user-admin/1'];

/** Source: opening paragraph; Limits; RFC 9110, 9112. */
export const httpVariants: readonly WrittenVariant[] = [
  ...sent('framing', framing),
  ...sent('header', headers),
  ...sent('coding', codings),
  ...sent('json', texts),
  ...about(
    'bodies.json',
    tableOf(
      Object.entries(MEDIA_TYPES),
      ([id, contentType]) => `media-type-${id}: The Content-Type of every response is \`${contentType}\`.`,
      ([, contentType]) => typed(contentType),
    ),
  ),
  ...about(
    ['open.limits', 'open.undocumented-statuses'],
    PAUSES,
    'pause-*: The server asks for pauses with *.',
    (instead) => ({ instead }),
  ),
  ...about('open.limits', {
    'slow-answers: Every response takes 30 ms.': { deliver: after(30, deliverPlain) },
    'slow-refusals: Every refusal takes 200 ms and every other response none, as with a slow hash or a delay of logins.':
      { deliver: (delivery) => (delivery.answer.status < 400 ? deliverPlain : after(200, deliverPlain))(delivery) },
    'slow-bodies: Every body arrives 10 ms after its header.': { deliver: bodyAfter(10) },
    'slow-first-answer: The first response takes 1.2 s, as from a server that was asleep.': {
      deliver: coldStart(1_200),
    },
    'one-connection-closed: The server serves one connection at a time and closes it after each response.': {
      oneAtATime: true,
      deliver: closing({ extra: [['Connection', 'close']] }),
    },
    'one-connection-closed-when-idle: The server serves one connection at a time and closes it after 40 ms without a request.':
      { oneAtATime: true, deliver: closingWhenIdle(40, 'end') },
    'one-connection-kept-slow: The server serves one connection at a time and keeps it open; each response takes 10 ms.':
      { oneAtATime: true, deliver: after(10, deliverPlain) },
  }),
  ...named<WrittenVariant>({
    'busy-with-one: The server responds 503, without Retry-After, to a request that arrives while another one is in progress.':
      { ...CROWDED, behaviour: contended(1) },
    'busy-with-three: The server responds 503, without Retry-After, to a request that arrives while three others are in progress.':
      { ...CROWDED, behaviour: contended(3) },
  }),
  ...about('open.key-format', {
    'header-values-remembered: Of header values that differ only in letter case, the server reads the one that came first over the connection, as Jetty does.':
      { instead: rememberingHeaders },
  }),
  ...about(['auth.operations-exist', 'open.versioning'], {
    ...tableOf(
      [...BASE_PATHS.entries()],
      ([index, basePath]) => `base-path-${index + 1}: Every operation is below the path ${basePath}.`,
      ([, basePath]) => ({ basePath }),
    ),
    'other-methods-served: The server also supports HEAD, OPTIONS and GET of a user.': answering(({ method }) =>
      ['HEAD', 'OPTIONS'].includes(method)
        ? { status: 200, body: {}, headers: { allow: 'GET, PUT, OPTIONS' } }
        : undefined,
    ),
  }),
  ...about(['auth.operations-exist', 'open.undocumented-statuses'], {
    'other-paths-redirected: The server redirects all other paths to a login page.': answering(({ path }) =>
      path.startsWith('/api/admin/') ? undefined : { status: 302, body: {}, headers: { location: '/login' } },
    ),
  }),
];
