import { randomBytes } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import { defaultSeed } from '../../reference-server/seed.ts';
import { say, sayAndEnd, startRawServer, type RawServer, type Respond } from '../wire/raw-server.ts';
import { asBytes, message, plain, startWireServer, type Deliver } from '../wire/wire-server.ts';

/** A server that attacks whoever judges it. */
export interface HostileTarget {
  readonly name: string;
  /** Completes "The target …". */
  readonly does: string;
  readonly start: () => Promise<RawServer>;
  /** Whether it conforms, however slowly: it passes, and its users are as before. No other target may pass. */
  readonly conforms?: true;
}

const deliverPlain = asBytes(plain);
const [USER = {}] = defaultSeed.users;
const MIB = 1_048_576;
const JSON_TYPE = { 'Content-Type': 'application/json' };

const json = (body: Buffer | string, status = 200): Buffer => message(status, JSON_TYPE, body);
const userText = (members: object): string => JSON.stringify({ ...USER, banners: [], ...members });
const refusal = (text: string): string => JSON.stringify({ id: 'x', name: 'ValidationError', message: text });
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
/** JSON with a member that JSON.stringify itself could not write. */
const withExtra = (text: string): string => userText({ extra: '@' }).replace('"@"', text);

/** The same bytes without end. */
async function* repeated(bytes: string | Buffer, pause: number): AsyncGenerator<string | Buffer> {
  for (;;) {
    yield bytes;
    if (pause > 0) await sleep(pause, undefined, { ref: false });
  }
}

const endless =
  (start: string, bytes: string | Buffer, pause = 0): Respond =>
  (_request, socket) => {
    socket.write(start);
    pipeline(repeated(bytes, pause), socket).catch(() => undefined);
  };

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const length = (value: number | string): string => `${OK}Content-Length: ${value}\r\n\r\n`;
const coded = (coding: string, body: string | Buffer): Respond =>
  say(message(200, { ...JSON_TYPE, 'Content-Encoding': coding }, body));
const pausing = (retryAfter: string, status = 429): Respond => say(message(status, { 'Retry-After': retryAfter }, ''));

const bomb = gzipSync(Buffer.alloc(100 * MIB));
let deflated: Buffer = Buffer.from('{}');
for (let times = 0; times < 40; times += 1) deflated = deflateSync(deflated);
const members = `{${Array.from({ length: 600_000 }, (_each, at) => `"${at.toString(36)}":1`).join()}}`;

/** What is sent in place of the whole API, by what ends a request to it. */
const RESPONDING: Readonly<Record<string, readonly [does: string, respond: Respond]>> = {
  // A response that can be read.
  redirects: [
    'redirects everything to itself',
    ({ target }, socket) => void socket.write(message(307, { Location: target }, '')),
  ],
  'echo-header': [
    'sends the key back',
    ({ headers }, socket) => void socket.write(json(refusal(headers.authorization ?? ''), 400)),
  ],
  'two-responses': ['sends two responses to each request', say(Buffer.concat([json('{}'), json('{"id":666}')]))],
  'escape-codes': ['shows a name with control characters', say(json(userText({ name: '\u001b[2J\u202e::error::x' })))],
  // A large one.
  'large-name': ['shows a name of 1 MB', say(json(userText({ name: 'x'.repeat(1_000_000) })))],
  'large-members': ['shows 600,000 members', say(json(withExtra(members)))],
  'large-error': ['refuses with a message of 500 KB', say(json(refusal('select from '.repeat(40_000)), 400))],
  'too-large': ['sends 9 MB', say(json('x'.repeat(9 * MIB)))],
  'deep-json': ['sends a body that is nested 100,000 levels deep', say(json(nested(100_000)))],
  'deep-member': ['shows a member that is nested 20,000 levels deep', say(json(withExtra(nested(20_000))))],
  'huge-header': ['sends a header of 100 KB', say(message(200, { 'X-Long': 'x'.repeat(100_000) }, ''))],
  // One that cannot be read.
  'gzip-bomb': ['sends 100 MB of zeros in 100 KB', coded('gzip', bomb)],
  'nested-codings': ['declares 3,000 codings', coded(Array(3_000).fill('deflate').join(), deflated)],
  'not-gzip': ['declares a coding that the body has not', coded('gzip', '{"id":1}')],
  'wrong-chunks': ['sends chunks that are none', sayAndEnd(`${CHUNKED}zz\r\n{}\r\n`)],
  noise: ['sends bytes that are not HTTP', sayAndEnd(randomBytes(1_000))],
  switches: ['switches to another protocol', say('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n')],
  'short-body': ['ends before its Content-Length', sayAndEnd(`${length(100)}{}`)],
  // None: only a limit of the suite ends it.
  silent: ['never responds', () => undefined],
  'stalls-in-body': ['stops in the middle of the body', say(`${length(1024 * MIB)}{`)],
  'drips-body': ['drips a body', endless(length(100_000), ' ', 50)],
  'floods-header': ['floods a header', endless('HTTP/1.1 200 OK\r\n', `X-Y: ${'z'.repeat(4_000)}\r\n`)],
  'floods-body': ['floods a body', endless(`${OK}Connection: close\r\n\r\n`, Buffer.alloc(65_536, 0x20))],
  'floods-hints': ['floods 103 responses', endless('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000), 50)],
  'always-429': ['asks for pauses', say(message(429, {}, ''))],
  'pause-without-end': ['asks for a pause longer than a number can hold', pausing('9'.repeat(400))],
};

/** The reference server, until some request. */
function until(last: number, name: string, does: string, then: Respond): HostileTarget {
  return {
    name: `${name}-after-${last}`,
    does: `conforms for ${last} requests, then ${does}`,
    start: () =>
      startWireServer({
        instead: (request, socket) => {
          if (request.number <= last) return false;
          void then(request, socket);
          return true;
        },
      }),
  };
}

/** The reference server, which waits before it responds. */
function waiting(name: string, does: string, ms: (number: number) => number): HostileTarget {
  const deliver: Deliver = async (delivery) => {
    await sleep(ms(delivery.request.number));
    await deliverPlain(delivery);
  };
  return {
    name: `conforming-${name}`,
    does: `conforms; ${does}`,
    conforms: true,
    start: () => startWireServer({ deliver }),
  };
}

/** Every hostile target, and two that conform; those that are waited for longest come first. */
export const hostileTargets: readonly HostileTarget[] = [
  {
    name: 'hangs-at-refusals',
    does: 'never responds to what it should refuse, as an Express handler that throws',
    start: () =>
      startWireServer({
        deliver: (delivery) => (delivery.answer.status < 400 ? deliverPlain(delivery) : undefined),
      }),
  },
  until(60, 'silent', 'never responds', () => undefined),
  until(1, 'silent', 'never responds', () => undefined),
  until(600, 'pauses', 'asks for pauses', say(message(429, {}, ''))),
  until(300, 'noise', 'sends noise', sayAndEnd('noise\r\n\r\n')),
  waiting('cold-start', 'its first response takes 8 s', (number) => (number === 1 ? 8_000 : 0)),
  waiting('slow', 'each response takes 20 ms', () => 20),
  {
    name: 'resets',
    does: 'resets each connection',
    start: () => startRawServer({ onConnection: (socket) => void socket.resetAndDestroy() }),
  },
  {
    name: 'greets',
    does: 'greets before any request',
    start: () => startRawServer({ onConnection: (socket) => void socket.write('220 mail.example.com ESMTP\r\n') }),
  },
  ...Object.entries(RESPONDING).map(([name, [does, onRequest]]) => ({
    name,
    does,
    start: () => startRawServer({ onRequest }),
  })),
];
