import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Verdict } from '../../conformance/result/verdict.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { type Table, rows, tableOf } from '../table.ts';
import {
  JSON_TYPE,
  message,
  say,
  sayAndEnd,
  type RawRequest,
  type RawServerOptions,
  type Respond,
} from '../wire/raw-server.ts';
import { everyNth } from '../wire/deliveries.ts';
import { deliverPlain, type WireOptions } from '../wire/wire-server.ts';

/** A server that nobody should have to judge, and what it does. */
export interface HostileTarget {
  readonly name: string;
  readonly does: string;
  /** That of a run at the default limits; undefined where a limit decides it. */
  readonly verdict?: Verdict;
  /** Everything it sends is its own; or it is the reference server, but for some bytes. */
  readonly raw?: RawServerOptions;
  readonly wire?: WireOptions;
  /** Whether its users must be as before at the end: it does what it must, however slowly. */
  readonly isRestored?: true;
}

const [USER = {}] = defaultSeed.users;
const MIB = 1_048_576;

const json = (body: Buffer | string, status: number | string = 200): Buffer => message(status, JSON_TYPE, body);
const userText = (members: object): string => JSON.stringify({ ...USER, banners: [], ...members });
const ERROR = { id: 'x', name: 'ValidationError' };
const refusal = (text: string): string => JSON.stringify({ ...ERROR, message: text });

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

/** What is sent in place of the whole API, by `name: what the target does`. */
function sending(verdict: Verdict, table: Table<Respond>): HostileTarget[] {
  return rows(table).map(([name, does, onRequest]) => ({ name, does, verdict, raw: { onRequest } }));
}

/** What is done to each connection, by `name: what the target does`. */
function connecting(table: Table<(socket: Socket) => void>): HostileTarget[] {
  const verdict = 'inconclusive';
  return rows(table).map(([name, does, onConnection]) => ({ name, does, verdict, raw: { onConnection } }));
}

const everywhere = (verdict: Verdict, statuses: readonly number[]): HostileTarget[] =>
  sending(
    verdict,
    tableOf(
      statuses,
      (status) => `status-${status}: responds to everything with ${status}`,
      (status) => say(json(status === 204 || status === 304 ? '' : refusal('no'), status)),
    ),
  );

const statuses = [
  ...everywhere('failed', [201, 202, 204, 206, 300, 302, 304, 400, 401, 403, 405, 406, 409, 410, 412, 415, 418, 422]),
  ...everywhere('failed', [451, 500, 501, 599, 999]),
  // A wrong address, or something in front of the target.
  ...everywhere('inconclusive', [404, 502, 503, 504]),
];

/** Deeper than recursion can go. */
const nest = (core: string, levels = 20_000): string => '['.repeat(levels) + core + ']'.repeat(levels);
/** JSON with a member that is nested deeply; JSON.stringify itself could not write it. */
const withDeep = (text: string): string => text.replace('"@"', nest('1'));

const BODIES: Readonly<Record<string, string | Buffer>> = {
  empty: '',
  array: '[]',
  null: 'null',
  text: '"ok"',
  number: '1',
  'not-a-number': '{"id":NaN}',
  'byte-order-mark': `\uFEFF${userText({})}`,
  half: userText({}).slice(0, 50),
  'two-texts': userText({}) + userText({}),
  'built-in-names': '{"__proto__":{"id":1},"constructor":1,"toString":2,"id":1}',
  'huge-numbers': '{"id":1e999,"loginAttempts":-1e999,"name":"x","email":"y"}',
  'twice-named': '{"id":1,"id":2,"name":"a","name":"b"}',
  'utf-16': Buffer.from(userText({}), 'utf16le'),
  'not-utf-8': Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xc3]), Buffer.from('"}')]),
  ...tableOf(
    ['name', 'email', 'username', 'id'],
    (member) => `surrogate-${member}`,
    (member) => userText({ [member]: '@' }).replace(`"${member}":"@"`, `"${member}":"\\ud800"`),
  ),
  user: userText({}),
  'escape-codes': userText({ name: '\u001b[2J\u202e::error::x' }),
  'many-members': userText(Object.fromEntries(Array.from({ length: 30_000 }, (_each, at) => [`member${at}`, at]))),
  'long-name': userText({ name: 'x'.repeat(1_000_000) }),
  'texts-as-banners': JSON.stringify({ banners: Array.from({ length: 100_000 }, () => 'no banner') }),
};

const bodies = sending(
  'failed',
  tableOf(
    Object.entries(BODIES),
    ([name]) => `body-${name}: responds to everything with 200 and the body "${name}"`,
    ([, body]) => say(json(body)),
  ),
);

/** A body that is nested too deeply to be read may still be JSON: it is not judged. */
const deep = sending('inconclusive', {
  'body-deep: responds with a body that is nested 100,000 levels deep': say(json(nest('', 100_000))),
  'body-deep-around-user: responds with a user inside 20,000 levels': say(json(nest(userText({})))),
  'body-deep-banner: responds with a banner that is nested deeply': say(json(withDeep('{"banners":["@"]}'))),
  'body-deep-in-banner: responds with a deeply nested member of a banner': say(
    json(withDeep('{"banners":[{"id":1,"message":"@"}]}')),
  ),
  ...tableOf(
    ['id', 'name', 'permissions', 'more'],
    (member) => `body-deep-${member}: responds with a user whose ${member} is nested 20,000 levels deep`,
    (member) => say(json(withDeep(userText({ [member]: '@' })))),
  ),
  ...tableOf(
    ['name', 'message'],
    (member) => `error-deep-${member}: refuses with an error whose ${member} is nested 20,000 levels deep`,
    (member) => say(json(withDeep(JSON.stringify({ ...ERROR, [member]: '@' })), 400)),
  ),
});

const items = (item: string): string =>
  `[${`${item},`.repeat(Math.floor((8 * MIB - 2_000) / (item.length + 1)))}${item}]`;
const withExtra = (text: string): string => userText({ extra: '@' }).replace('"@"', text);
const members = `{${Array.from({ length: 600_000 }, (_each, at) => `"${at.toString(36)}":1`).join()}}`;
const LARGE: Readonly<Record<string, () => string>> = {
  'extra-text': () => withExtra(JSON.stringify('x'.repeat(8_300_000))),
  'other-extra-text': () => withExtra(JSON.stringify(randomBytes(3_000_000).toString('hex'))),
  zeros: () => withExtra(items('0')),
  arrays: () => withExtra(items('[]')),
  objects: () => withExtra(items('{}')),
  members: () => withExtra(members),
  'banners-that-are-numbers': () => JSON.stringify({ id: 1, banners: [...Array(250_000).keys()] }),
  banners: () => JSON.stringify({ id: 1, banners: Array(20_000).fill(defaultSeed.banners[0]) }),
  name: () => userText({ name: 'x'.repeat(8_000_000) }),
  'member-name': () => userText({ ['x'.repeat(8_000_000)]: 1 }),
  username: () => userText({ username: 'x'.repeat(8_000_000) }),
  'name-and-email': () => userText({ name: 'x'.repeat(4_000_000), email: 'y'.repeat(4_000_000) }),
  role: () => userText({ rootRole: { name: '\u20ac'.repeat(2_700_000) } }),
  permissions: () => userText({ permissions: Array(200_000).fill('x') }),
  'too-large': () => 'x'.repeat(9 * MIB),
};

const large = Object.entries(LARGE).map(([name, make]): HostileTarget => {
  let text: string | undefined;
  const body = (): string => (name.startsWith('other') ? make() : (text ??= make()));
  return {
    name: `large-${name}`,
    does: `responds with 8 MB of ${name}`,
    raw: { onRequest: (_request, socket) => void socket.write(json(body())) },
  };
});

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const length = (value: number | string): string => `${OK}Content-Length: ${value}\r\n\r\n`;
const bomb = gzipSync(Buffer.alloc(100 * MIB));
const coded = (coding: string, body: string | Buffer): Respond =>
  say(message(200, { ...JSON_TYPE, 'Content-Encoding': coding }, body));
const pausing = (retryAfter: string, status = 429): Respond => say(message(status, { 'Retry-After': retryAfter }, ''));

/** What may be in front of the target, such as a login. */
const inFront = sending('inconclusive', {
  'page: responds with an HTML page': say(message(200, { 'Content-Type': 'text/html' }, '<!doctype html><p>It works!')),
  'page-as-json: responds with an HTML page that is declared as JSON': say(json('<!doctype html><title>Hello</title>')),
  ...tableOf(
    [301, 302, 307, 308],
    (status) => `redirect-${status}: redirects with ${status} to itself`,
    (status) =>
      ({ target }: RawRequest, socket: Socket) =>
        void socket.write(message(status, { Location: target }, '')),
  ),
});

const failing = sending('failed', {
  'bare-400: refuses everything without a body': say(message(400, {}, '')),
  'bare-204: responds to everything with 204 and no length': say('HTTP/1.1 204 No Content\r\n\r\n'),
  'length-of-204: responds to everything with 204, a length and a body': say(
    'HTTP/1.1 204 No Content\r\nContent-Length: 8\r\n\r\n{"id":1}',
  ),
  'backslashes: refuses with an error message of 60,000 backslashes': say(json(refusal('\\'.repeat(60_000)), 400)),
  'many-fields: sends 2,000 header fields': say(
    message(200, Object.fromEntries(Array.from({ length: 2_000 }, (_each, at) => [`X-${at}`, 'y'])), '{}'),
  ),
  'echo: sends back what it was sent': ({ body }, socket) => void socket.write(json(body)),
  'echo-header: sends the key back': ({ headers }, socket) =>
    void socket.write(json(refusal(headers.authorization ?? ''), 400)),
  'two-responses: sends two responses to each request': say(Buffer.concat([json('{}'), json('{"id":666}')])),
});

const largeTexts = sending('failed', {
  'time-of-4-MB: shows a time with four million digits': say(
    json(userText({ createdAt: `2026-01-01T00:00:00.${'0'.repeat(4_000_000)}Q` })),
  ),
  'header-of-backslashes: sends a header of 60 KB of backslashes': say(
    message(200, { ...JSON_TYPE, 'X-Long': '\\'.repeat(60_000) }, userText({})),
  ),
  'parts-of-a-query: refuses with an error message of 8 MB that looks like a query again and again': say(
    json(refusal('select from '.repeat(690_000)), 400),
  ),
  ...tableOf(
    ['%25', '&amp;'],
    (escape) =>
      `escapes-${escape === '%25' ? 'percent' : 'html'}-MB: shows a user whose name is ${escape} a million times`,
    (escape) => say(json(userText({ name: escape.repeat(1_000_000) }))),
  ),
  ...tableOf(
    ['id', 'name'],
    (member) => `error-${member}-of-8-MB: refuses with an error whose ${member} has eight million characters`,
    (member) => say(json(JSON.stringify({ ...ERROR, message: 'no', [member]: 'x'.repeat(8_000_000) }), 400)),
  ),
  'not-gzip: declares a coding that the body has not': coded('gzip', '{"id":1}'),
  'banner-of-8-MB: lists a banner that is a text of eight million characters': say(
    json(JSON.stringify({ banners: ['x'.repeat(8_000_000)] })),
  ),
  'error-of-texts: refuses with an error of 200,000 texts': say(
    json(JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_each, at) => [at, 'no']))), 400),
  ),
});

const unreadable = sending('inconclusive', {
  'header-too-large: sends a header of 100 KB': say(message(200, { 'X-Long': 'x'.repeat(100_000) }, '')),
  'gzip-bomb: sends 100 MB of zeros in 100 KB': coded('gzip', bomb),
  'gzip-bomb-twice: sends 100 MB of zeros that are compressed twice': coded('gzip, gzip', gzipSync(bomb)),
  'unknown-coding: declares a coding that nobody asked for': coded('zstd', '{"id":1}'),
  'wrong-chunks: sends chunks that are none': sayAndEnd(`${CHUNKED}zz\r\n{}\r\n`),
  'two-lengths: sends two values of Content-Length': sayAndEnd(`${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`),
  'negative-length: sends a negative Content-Length': sayAndEnd(`${length(-2)}{}`),
  'no-colon: sends a header field without a colon': sayAndEnd(`${OK}nonsense\r\n\r\n{}`),
  'short-status: responds with a status of two digits': sayAndEnd('HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n'),
  'http-9.9: responds with HTTP/9.9': sayAndEnd('HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n'),
  'ssh: responds in another protocol': sayAndEnd('SSH-2.0-OpenSSH_9.6\r\n\r\n'),
  'noise: sends bytes that are not HTTP': sayAndEnd(randomBytes(1_000)),
  'old-http: responds as HTTP/0.9': sayAndEnd('<p>hello</p>'),
  'pause-of-a-day: asks for a pause of a day': pausing('99999'),
  'pause-of-decades: asks for a pause until the next century': pausing('Fri, 01 Jan 2100 00:00:00 GMT', 503),
  'pause-without-number: asks for a pause longer than a number can hold': pausing('9'.repeat(400)),
});

const closing: readonly HostileTarget[] = [
  ...connecting({
    'closes: closes each connection': (socket) => void socket.destroy(),
    'resets: resets each connection': (socket) => void socket.resetAndDestroy(),
  }),
  ...sending('inconclusive', {
    'closes-after-request: closes the connection instead of a response': (_request, socket) => void socket.end(),
    'resets-after-request: resets the connection instead of a response': (_request, socket) =>
      void socket.resetAndDestroy(),
    'closes-in-header: closes in the middle of the header': sayAndEnd('HTTP/1.1 200 OK\r\nContent-Ty'),
    'closes-in-chunk: closes in the middle of a chunk': sayAndEnd(`${CHUNKED}ff\r\n{"id"`),
    'short-body: ends before its Content-Length': sayAndEnd(`${length(100)}{}`),
    'gigabyte-announced: announces one gigabyte and closes': sayAndEnd(`${length(1024 * MIB)}{}`),
    'switches: switches to another protocol': say(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    ),
  }),
];

const hanging: readonly HostileTarget[] = [
  ...connecting({
    'silent-connection: reads nothing': (socket) => void socket.pause(),
    'greets: greets before any request': (socket) => void socket.write('220 mail.example.com ESMTP\r\n'),
  }),
  ...sending('inconclusive', {
    'silent: never responds': () => undefined,
    'stalls-in-header: stops in the middle of the header': say('HTTP/1.1 200 OK\r\nContent-'),
    'stalls-in-body: stops in the middle of the body': say(`${length(100)}{`),
    'gigabyte-stalled: announces one gigabyte and stays': say(`${length(1024 * MIB)}{}`),
    'drips-header: sends a header slowly, without end': endless('HTTP/1.1 200 OK\r\n', 'X-Drip: 1\r\n', 50),
    'drips-body: sends a body slowly, without end': endless(length(100_000), ' ', 50),
    'drips-chunks: sends chunks slowly, without end': endless(CHUNKED, '1\r\n \r\n', 50),
    'endless-header: sends header fields without end': endless('HTTP/1.1 200 OK\r\n', `X-Y: ${'z'.repeat(4_000)}\r\n`),
    'endless-body: sends a body without end': endless(`${OK}Connection: close\r\n\r\n`, Buffer.alloc(65_536, 0x20)),
    'endless-chunks: sends chunks without end': endless(CHUNKED, '1\r\n \r\n'),
    'endless-large-chunks: sends large chunks without end': endless(CHUNKED, `10000\r\n${' '.repeat(65_536)}\r\n`),
    'endless-interim: sends 100 (Continue) without end': endless('', 'HTTP/1.1 100 Continue\r\n\r\n'),
    'endless-hints: sends 103 (Early Hints) without end': endless('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)),
    'always-429: asks for a pause, not saying how long': say(message(429, {}, '')),
    'always-429-0: asks for short pauses': pausing('0'),
    'always-429-5: asks for a pause of 5 s': pausing('5'),
    'always-429-100: asks for a pause of 100 s': pausing('100'),
    'always-503: asks for a pause with 503': pausing('1', 503),
  }),
];

/** The reference server, until some request. */
const until = (last: number, name: string, does: string, then: Respond): HostileTarget => ({
  name: `${name}-after-${last}`,
  does: `conforms for ${last} requests, then ${does}`,
  verdict: 'inconclusive',
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
  until(last, 'noise', 'sends noise', sayAndEnd('noise\r\n\r\n')),
  until(last, 'pauses', 'asks for pauses', say(message(429, {}, ''))),
]);

/** An asynchronous handler that throws and never responds, as with Express 4. */
const hangsAt = (name: string, does: string, statuses: readonly number[]): HostileTarget => ({
  name: `hangs-at-${name}`,
  does: `never responds to ${does}`,
  verdict: 'inconclusive',
  wire: {
    deliver: (delivery) => {
      if (!statuses.includes(delivery.answer.status)) return deliverPlain(delivery);
    },
  },
});

const hangingAtSome = [
  hangsAt('refusals', 'what it should refuse', [400, 401, 403, 404, 415]),
  hangsAt('400', 'invalid requests', [400]),
  hangsAt('401', 'requests without a valid key', [401]),
  hangsAt('404', 'requests for missing users', [404]),
];

const slow = (name: string, does: string, pause: (request: RawRequest) => number): HostileTarget => ({
  name,
  does,
  verdict: 'passed',
  isRestored: true,
  wire: {
    instead: async (request) => {
      await sleep(pause(request));
      return false;
    },
  },
});

const slowing: readonly HostileTarget[] = [
  {
    ...slow('slower', 'conforms; each response takes 40 ms longer', ({ number }) => 40 * number),
    verdict: 'inconclusive',
  },
  {
    name: 'pauses-at-every-second',
    does: 'conforms; asks for a pause of a second at every second request',
    verdict: 'inconclusive',
    isRestored: true,
    wire: { instead: everyNth(2, message(429, { 'Retry-After': '1' }, '')) },
  },
];

const conforming: readonly HostileTarget[] = [
  slow('conforming-cold-start', 'conforms; its first response takes 8 s', ({ number }) => (number === 1 ? 8_000 : 0)),
  {
    name: 'conforming-slow-refusals',
    does: 'conforms; each refusal takes 3 s, as with a delay of logins',
    verdict: 'passed',
    isRestored: true,
    wire: {
      deliver: async (delivery) => {
        if (delivery.answer.status >= 400) await sleep(3_000);
        await deliverPlain(delivery);
      },
    },
  },
  slow('conforming-slow', 'conforms; each response takes 100 ms', () => 100),
];

/** Every hostile target, and two that conform, by what ends a request to it. */
export const HOSTILE = {
  /** A response that can be read. */
  failing: [...statuses, ...bodies, ...inFront, ...failing],
  /** A response that cannot be read, or that asks for a pause beyond the deadline. */
  unreadable: [...deep, ...unreadable],
  /** The end of the connection. */
  closing,
  /** Nothing but a limit of the suite. */
  hanging,
  large: [...large, ...largeTexts],
  turning,
  hangingAtSome,
  /** The patience of the suite, although it conforms. */
  slowing,
  conforming,
} as const satisfies Readonly<Record<string, readonly HostileTarget[]>>;

export const hostileTargets: readonly HostileTarget[] = Object.values(HOSTILE).flat();
