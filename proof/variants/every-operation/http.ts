import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { Behaviour } from '../../servers/behaviour.ts';
import type { WrittenVariant } from '../../variant.ts';
import {
  asBytes,
  before,
  behind,
  changed,
  chunked,
  closing,
  closingWhenIdle,
  coded,
  everyNth,
  inFragments,
  rateLimit,
  withHeader,
  type Instead,
} from '../../wire/deliveries.ts';
import { JSON_TYPE, message } from '../../wire/raw-server.ts';
import {
  after,
  deliverPlain,
  head,
  plain,
  turnsOfTheLoop,
  type Deliver,
  type HeadOptions,
  type WireAnswer,
} from '../../wire/wire-server.ts';
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

const fields = (extra: HeadOptions['extra']): Deliver => withHeader({ extra: extra ?? [] });

/** How connections live. Source: RFC 9112, 9. */
const connections: Table<Deliver> = {
  'chunks: in chunks': asBytes((answer) => chunked(answer, { size: 7 })),
  'http-1.0: with HTTP/1.0, where the end of the connection ends the body': asBytes(
    (answer) => Buffer.concat([head(answer, { version: '1.0' }), answer.body]),
    'end',
  ),
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
};

/** How a response is framed. Source: RFC 9112, 6 and 7. */
const framings: readonly Deliver[] = [
  asBytes((answer) => chunked(answer, { size: 64, trailer: 'X-Checksum: 1\r\nX-Other: \r\n' })),
  asBytes((answer) => chunked(answer, { size: 50, extension: ';name;other=1;text="a;b\\"c"' })),
  inFragments(1, 250, (answer) => plain(answer)),
  withHeader({ version: '1.0', extra: [['Connection', 'keep-alive']] }),
  fields([['Keep-Alive', 'timeout=1, max=3']]),
  fields(Object.entries({ Upgrade: 'h2,h2c', Connection: 'Upgrade, Keep-Alive', 'Alt-Svc': 'h3=":443"' })),
  behind('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n'),
  before('HTTP/1.1 103 Early Hints\r\n\r\n'),
  behind('HTTP/1.1 100 Continue\r\n\r\n'),
];

const MANY = Array.from({ length: 60 }, (_each, index) => [`X-Field-${index}`, 'x'.repeat(index * 8)] as const);
const REPEATED = ['Vary', 'vary', 'Cache-Control', 'Via', 'Via', 'WWW-Authenticate', 'www-authenticate'];
const ODD = { ['__proto__']: 'x', 'X-Latin': 'caf\u00e9', "x!#$%&'*+-.^_`|~9": '', constructor: ',;="' };
const COOKIES = ['session', 'token', 'authorization'];
const WITHOUT_MEANING = {
  Date: 'Thu, 01 Jan 1970 00:00:00 GMT',
  ETag: '"1"',
  'Cache-Control': 'public, max-age=31536000',
  Location: 'http://127.0.0.1:1/elsewhere',
  'Content-Location': '/elsewhere',
  'RateLimit-Limit': '100',
  'RateLimit-Remaining': '0',
  'Retry-After': '120',
};

/** The header of a response. Source: RFC 9110, 5 and 8; RFC 9112, 4 and 5. */
const headers: readonly Deliver[] = [
  withHeader({ spell: (name) => name.toLowerCase() }),
  fields(REPEATED.map((name, index) => [name, `value-${index}`])),
  fields([...MANY, ['Strict-Transport-Security', 'max-age=1']]),
  fields(Object.entries(ODD)),
  changed((answer) => ({ headers: answer.headers.map(([name, value]) => [name, `  ${value} \t`]) })),
  fields([['X-Long', 'x'.repeat(60_000)]]),
  changed(() => ({ reason: '' })),
  changed(() => ({ reason: 'Very W\u00e9ll \t indeed' })),
  ({ request, answer, socket }) => {
    const extra = COOKIES.map((name) => ['Set-Cookie', `${name}=${request.number}; Path=/; HttpOnly`] as const);
    socket.write(plain(answer, { extra }));
  },
  fields(Object.entries(WITHOUT_MEANING)),
];

const MEDIA_TYPES: readonly string[] = [
  'application/json',
  'Application/JSON;Charset="UTF-8"',
  'APPLICATION/JSON ; charset=utf-8',
  'application/problem+json',
  'application/vnd.example.admin-v5+json; profile="https://example.com/x"; charset=utf-8',
  'text/json',
  'application/json; charset=ISO-8859-1',
  'application/json;',
];

const gzip = (body: Buffer): Buffer => gzipSync(body);

/** The coding of a body. Source: RFC 9110, 8.4. */
const codings: readonly Deliver[] = [
  coded('gzip', 'gzip', gzip),
  coded('x-gzip', 'gzip', gzip),
  coded('deflate', 'deflate', (body) => deflateSync(body)),
  // Without the zlib wrapper, as some servers send it.
  coded('deflate', 'deflate', (body) => deflateRawSync(body)),
  coded('br', 'br', (body) => brotliCompressSync(body)),
  coded('deflate, gzip', 'gzip', (body) => gzipSync(deflateSync(body))),
  fields([['Content-Encoding', 'identity']]),
];

/** How JSON is written. Source: RFC 8259, 2, 7 and 8.1. */
const texts: readonly ((text: string) => string)[] = [
  (text) => `\u{FEFF}${text}`,
  (text) => `\r\n\t ${JSON.stringify(JSON.parse(text), null, '\t').replaceAll('\n', '\r\n')}\n\n`,
  (text) => text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (string) => string.replaceAll('e', '\\u0065').replaceAll('/', '\\/')),
  (text) => text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
];

/** Sends each response in the next of these ways. */
const inTurn = (ways: readonly Deliver[]): Behaviour => ({
  deliver: (delivery) => ways[delivery.request.number % ways.length]?.(delivery),
});

/** Changes each response by the next of these values. */
function changingInTurn<T>(values: readonly T[], change: (answer: WireAnswer, value: T) => WireAnswer): Behaviour {
  let turn = 0;
  return {
    change: ({ answer }) => {
      const value = values[(turn += 1) % values.length];
      return value === undefined ? answer : change(answer, value);
    },
  };
}

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
  ...about('bodies.json', connections, 'framing-*: Responses are sent *.', (deliver) => ({ deliver })),
  ...about('bodies.json', {
    'framings-in-turn: Responses have chunks with trailers or extensions, come byte by byte, by HTTP/1.0, with the offer of another protocol, or after interim responses.':
      inTurn(framings),
    'headers-in-turn: Headers have unusual spellings, blanks, repeated, many, long or odd fields, cookies, or fields without meaning there.':
      inTurn(headers),
    'codings-in-turn: Bodies are in gzip, deflate, br, two codings or none, as the request accepts it.':
      inTurn(codings),
    'json-in-turn: JSON has a byte order mark, white space, escapes in names, too, or is pure ASCII.': changingInTurn(
      texts,
      (answer, rewrite) => ({ ...answer, body: Buffer.from(rewrite(answer.body.toString())) }),
    ),
    'media-types-in-turn: The Content-Type is another one that stands for JSON in each response.': changingInTurn(
      MEDIA_TYPES,
      (answer, type) => ({
        ...answer,
        headers: answer.headers.map(([name, value]) => [name, name === 'content-type' ? type : value]),
      }),
    ),
  }),
  ...about(['open.limits', 'open.undocumented-statuses'], PAUSES, 'pause-*: asks for pauses with *', (instead) => ({
    instead,
  })),
  ...about('open.limits', {
    'slow-answers: Every response takes 30 ms.': { deliver: after(30, deliverPlain) },
    'one-connection-closed: serves one connection at a time and closes it after each response': {
      oneAtATime: true,
      deliver: closing({ extra: [['Connection', 'close']] }),
    },
    'one-connection-closed-when-idle: serves one connection at a time and closes it after 40 ms without a request': {
      oneAtATime: true,
      deliver: closingWhenIdle(40, 'end'),
    },
    'one-connection-kept-slow: serves one connection at a time and keeps it open; each response takes 10 ms': {
      oneAtATime: true,
      deliver: after(10, deliverPlain),
    },
  }),
  ...named<WrittenVariant>({
    'busy-with-one: responds 503, without Retry-After, to a request that arrives while another one is in progress': {
      ...CROWDED,
      behaviour: contended(1),
    },
    'busy-with-three: responds 503, without Retry-After, to a request that arrives while three others are in progress':
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
    'other-methods-served: also supports HEAD, OPTIONS and GET of a user': answering(({ method }) =>
      ['HEAD', 'OPTIONS'].includes(method)
        ? { status: 200, body: {}, headers: { allow: 'GET, PUT, OPTIONS' } }
        : undefined,
    ),
  }),
  ...about(['auth.operations-exist', 'open.undocumented-statuses'], {
    'other-paths-redirected: redirects all other paths to a login page': answering(({ path }) =>
      path.startsWith('/api/admin/') ? undefined : { status: 302, body: {}, headers: { location: '/login' } },
    ),
  }),
];
