import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { defaultSeed } from '../../reference-server/seed.ts';
import { message, type RawRequest, type RawServerOptions } from '../wire/raw-server.ts';
import type { WireOptions } from '../wire/wire-server.ts';

/** A server that nobody should have to judge, and what it does. */
export interface HostileTarget {
  readonly name: string;
  readonly does: string;
  /** Everything it sends is its own; or it is the reference server, but for some bytes. */
  readonly raw?: RawServerOptions;
  readonly wire?: WireOptions;
}

type Respond = NonNullable<RawServerOptions['onRequest']>;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const [USER = {}] = defaultSeed.users;
const MIB = 1_048_576;

const say =
  (bytes: Buffer | string): Respond =>
  (_request, socket) =>
    void socket.write(bytes);
const end =
  (bytes: Buffer | string): Respond =>
  (_request, socket) =>
    void socket.end(bytes);
const json = (body: Buffer | string, status: number | string = 200): Buffer => message(status, JSON_TYPE, body);
const userText = (members: object): string => JSON.stringify({ ...USER, banners: [], ...members });
const refusal = (text: string): string => JSON.stringify({ id: 'x', name: 'ValidationError', message: text });

/** Waits until more can be written, or the connection has ended. */
function writable(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}

/** Writes the same bytes until the connection ends. */
async function repeat(socket: Socket, bytes: string | Buffer, pause: number): Promise<void> {
  while (!socket.destroyed) {
    if (pause > 0) {
      socket.write(bytes);
      await sleep(pause, undefined, { ref: false });
    } else if (socket.write(bytes)) await new Promise(setImmediate);
    else await writable(socket);
  }
}

const endless =
  (start: string, bytes: string | Buffer, pause = 0): Respond =>
  (_request, socket) => {
    socket.write(start);
    void repeat(socket, bytes, pause);
  };

const raw = (name: string, does: string, onRequest: Respond): HostileTarget => ({ name, does, raw: { onRequest } });

const statuses = [
  201, 202, 204, 206, 300, 304, 400, 401, 403, 404, 405, 406, 409, 410, 412, 415, 418, 422, 451, 500, 501, 502, 503,
  504, 599, 999,
].map((status) =>
  raw(
    `status-${status}`,
    `responds to everything with ${status}`,
    say(json(status === 204 || status === 304 ? '' : refusal('no'), status)),
  ),
);

const bodies = (
  [
    ['html', '<!doctype html><title>Hello</title>'],
    ['empty', ''],
    ['array', '[]'],
    ['null', 'null'],
    ['text', '"ok"'],
    ['number', '1'],
    ['not-a-number', '{"id":NaN}'],
    ['byte-order-mark', `\uFEFF${userText({})}`],
    ['half', userText({}).slice(0, 50)],
    ['two-texts', userText({}) + userText({})],
    ['built-in-names', '{"__proto__":{"id":1},"constructor":1,"toString":2,"id":1}'],
    ['huge-numbers', '{"id":1e999,"loginAttempts":-1e999,"name":"x","email":"y"}'],
    ['twice-named', '{"id":1,"id":2,"name":"a","name":"b"}'],
    ['utf-16', Buffer.from(userText({}), 'utf16le')],
    ['not-utf-8', Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"}')])],
    ...['name', 'email', 'username', 'id'].map((member): [string, string] => [
      `surrogate-${member}`,
      userText({ [member]: '@' }).replace(`"${member}":"@"`, `"${member}":"\\ud800"`),
    ]),
    ['deep', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['deep-member', userText({ more: '@' }).replace('"@"', '['.repeat(20_000) + ']'.repeat(20_000))],
    ['user', userText({})],
    ['escape-codes', userText({ name: '\u001b[2J\u202e::error::x' })],
  ] as [string, string | Buffer][]
).map(([name, body]) => raw(`body-${name}`, `responds to everything with 200 and the body "${name}"`, say(json(body))));

const items = (item: string): string =>
  `[${`${item},`.repeat(Math.floor((8 * MIB - 2_000) / (item.length + 1)))}${item}]`;
const withExtra = (text: string): string => userText({ extra: '@' }).replace('"@"', text);
const members = `{${Array.from({ length: 600_000 }, (_each, at) => `"${at.toString(36)}":1`).join()}}`;
const large = (
  [
    ['extra-text', () => withExtra(JSON.stringify('x'.repeat(8_300_000)))],
    ['other-extra-text', () => withExtra(JSON.stringify(randomBytes(3_000_000).toString('hex')))],
    ['zeros', () => withExtra(items('0'))],
    ['arrays', () => withExtra(items('[]'))],
    ['objects', () => withExtra(items('{}'))],
    ['members', () => withExtra(members)],
    [
      'banners-that-are-numbers',
      () => JSON.stringify({ id: 1, banners: Array.from({ length: 250_000 }, (_each, at) => at) }),
    ],
    ['banners', () => JSON.stringify({ id: 1, banners: Array.from({ length: 20_000 }, () => defaultSeed.banners[0]) })],
    ['name', () => userText({ name: 'x'.repeat(8_000_000) })],
    ['permissions', () => userText({ permissions: Array.from({ length: 200_000 }, () => 'x') })],
    ['too-large', () => 'x'.repeat(9 * MIB)],
  ] as [string, () => string][]
).map(([name, make]) => {
  let text: string | undefined;
  const body = (): string => (name.startsWith('other') ? make() : (text ??= make()));
  return raw(`large-${name}`, `responds with 8 MB of ${name}`, (_request, socket) => void socket.write(json(body())));
});

const others: readonly HostileTarget[] = [
  raw(
    'backslashes',
    'refuses with an error message of 60,000 backslashes',
    say(json(refusal('\\'.repeat(60_000)), 400)),
  ),
  raw(
    'parts-of-a-query',
    'refuses with an error message of 8 MB that looks like a query again and again',
    say(json(refusal('select from '.repeat(690_000)), 400)),
  ),
  raw(
    'error-of-texts',
    'refuses with an error of 200,000 texts',
    say(json(JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_each, at) => [at, 'no']))), 400)),
  ),
  raw(
    'header-of-backslashes',
    'sends a header of 60 KB of backslashes',
    say(message(200, { ...JSON_TYPE, 'X-Long': '\\'.repeat(60_000) }, userText({}))),
  ),
  raw('header-too-large', 'sends a header of 100 KB', say(message(200, { 'X-Long': 'x'.repeat(100_000) }, ''))),
  raw(
    'many-fields',
    'sends 2,000 header fields',
    say(message(200, Object.fromEntries(Array.from({ length: 2_000 }, (_each, at) => [`X-${at}`, 'y'])), '{}')),
  ),
  raw(
    'gzip-bomb',
    'sends 100 MB of zeros in 100 KB',
    say(message(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, gzipSync(Buffer.alloc(100 * MIB)))),
  ),
  raw('not-gzip', 'declares a coding that the body has not', say(message(200, { 'Content-Encoding': 'gzip' }, 'x'))),
  raw(
    'unknown-coding',
    'declares a coding that nobody knows',
    say(message(200, { 'Content-Encoding': 'x-secret' }, '{}')),
  ),
  raw('echo', 'sends back what it was sent', ({ body }, socket) => void socket.write(json(body))),
  raw(
    'echo-header',
    'sends the key back',
    ({ headers }, socket) => void socket.write(json(refusal(headers.authorization ?? ''), 400)),
  ),
  raw('silent', 'never responds', () => undefined),
  { name: 'silent-connection', does: 'reads nothing', raw: { onConnection: (socket) => void socket.pause() } },
  { name: 'closes', does: 'closes each connection', raw: { onConnection: (socket) => void socket.destroy() } },
  { name: 'resets', does: 'resets each connection', raw: { onConnection: (socket) => void socket.resetAndDestroy() } },
  raw('closes-after-request', 'closes the connection instead of a response', (_request, socket) => void socket.end()),
  raw('stalls-in-header', 'stops in the middle of the header', say('HTTP/1.1 200 OK\r\nContent-')),
  raw('stalls-in-body', 'stops in the middle of the body', say('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{')),
  raw('drips-header', 'sends a byte of the header each second', endless('HTTP/1.1 200 OK\r\nX-Y: ', 'z', 1_000)),
  raw(
    'drips-body',
    'sends a byte of the body each second',
    endless('HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n', ' ', 1_000),
  ),
  raw(
    'endless-header',
    'sends header fields without end',
    endless('HTTP/1.1 200 OK\r\n', 'X-Y: zzzzzzzzzzzzzzzzzzzzzzzz\r\n'),
  ),
  raw(
    'endless-body',
    'sends a body without end',
    endless('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n', Buffer.alloc(65_536, 0x20)),
  ),
  raw(
    'endless-chunks',
    'sends chunks without end',
    endless('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\n \r\n'),
  ),
  raw('endless-interim', 'sends 100 (Continue) without end', endless('', 'HTTP/1.1 100 Continue\r\n\r\n')),
  raw('wrong-chunks', 'sends chunks that are none', end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n')),
  raw('short-body', 'ends before its Content-Length', end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}')),
  raw(
    'two-lengths',
    'sends two values of Content-Length',
    end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
  ),
  raw('two-responses', 'sends two responses to each request', say(Buffer.concat([json('{}'), json('{"id":666}')]))),
  raw('noise', 'sends bytes that are not HTTP', end(randomBytes(1_000))),
  raw('old-http', 'responds as HTTP/0.9', end('<p>hello</p>')),
  raw(
    'switches',
    'switches to another protocol',
    say('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  ),
  raw('always-429', 'asks for a pause, not saying how long', say(message(429, {}, ''))),
  raw('always-429-5', 'asks for a pause of 5 s', say(message(429, { 'Retry-After': '5' }, ''))),
  raw('always-429-100', 'asks for a pause of 100 s', say(message(429, { 'Retry-After': '100' }, ''))),
  raw('always-503', 'asks for a pause with 503', say(message(503, { 'Retry-After': '1' }, ''))),
  raw('pause-of-a-day', 'asks for a pause of a day', say(message(429, { 'Retry-After': '99999' }, ''))),
  ...[301, 302, 307, 308].map((status) =>
    raw(
      `redirect-${status}`,
      `redirects with ${status} to itself`,
      ({ target }, socket) => void socket.write(message(status, { Location: target }, '')),
    ),
  ),
];

/** The reference server, until some request. */
const until = (last: number, name: string, does: string, then: Respond): HostileTarget => ({
  name: `${name}-after-${last}`,
  does: `conforms for ${last} requests, then ${does}`,
  wire: {
    instead: (request: RawRequest, socket) => {
      if (request.number <= last) return false;
      void then(request, socket);
      return true;
    },
  },
});

const turning = [1, 20, 60, 120].flatMap((last) => [
  until(last, 'silent', 'never responds', () => undefined),
  until(last, 'noise', 'sends noise', end('noise\r\n\r\n')),
  until(last, 'pauses', 'asks for pauses', say(message(429, {}, ''))),
]);

const slow = (name: string, does: string, pause: (request: RawRequest) => number): HostileTarget => ({
  name,
  does,
  wire: {
    instead: async (request) => {
      await sleep(pause(request));
      return false;
    },
  },
});

/** Every hostile target; the last ones conform, and must pass. */
export const hostileTargets: readonly HostileTarget[] = [
  ...statuses,
  ...bodies,
  ...large,
  ...others,
  ...turning,
  slow('conforming-cold-start', 'conforms; its first response takes 8 s', ({ number }) => (number === 1 ? 8_000 : 0)),
  slow('conforming-slow', 'conforms; each response takes 100 ms', () => 100),
];
