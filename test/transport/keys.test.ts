import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { judgeTarget } from '../../conformance/run/run.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { inputsFor } from '../../proof/servers/behaviour.ts';
import { encodings } from '../support/encodings.ts';
import { judge, PATIENT, untilMet } from '../support/judging.ts';
import { sample } from '../support/sample.ts';
import { plain, withWireServer, type WireAnswer, type Deliver } from '../../proof/wire/wire-server.ts';
import { message, withRawServer, type RawRequest, JSON_TYPE, type Respond } from '../../proof/wire/raw-server.ts';

/** Keys with characters that each encoding writes differently, and without a stretch that occurs elsewhere in a result. */
const ADMIN = 'Zq7+wK/9&v<Jx"R\'p%t=Lm';
const RESTRICTED = 'Hd4+yB/2&c>Ns"G\'u%f=Ea';
const SEED = { ...defaultSeed, keys: { admin: ADMIN, restricted: RESTRICTED } };
const [USER = {}] = defaultSeed.users;

/** How a target may write a text that it echoes. */
const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  ...encodings,
  'percent-encoded with all reserved characters (RFC 3986)': (text) =>
    encodeURIComponent(text).replaceAll(/['()*!]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
  'escaped for HTML with &#34;, as Go does': (text) =>
    (encodings['in HTML']?.(text) ?? '').replaceAll('&quot;', '&#34;'),
};

const LONGEST_LEAK = 10;

/** Every stretch of a text that is longer than `LONGEST_LEAK`. */
function stretchesOf(form: string): string[] {
  const length = Math.max(LONGEST_LEAK + 1, Math.ceil(form.length * 0.45));
  const starts = Array.from({ length: Math.max(0, form.length - length + 1) }, (_each, at) => at);
  return starts.map((at) => form.slice(at, at + length));
}

/** What may be nowhere: the stretches of the keys in each encoding, with the name of the encoding. */
const FORBIDDEN: ReadonlyMap<string, string> = new Map(
  [ADMIN, RESTRICTED].flatMap((key) =>
    Object.entries(ENCODINGS).flatMap(([name, encode]) => {
      const encoded = encode(key);
      return [encoded, JSON.stringify(encoded).slice(1, -1)]
        .flatMap(stretchesOf)
        .map((stretch): [string, string] => [stretch, name]);
    }),
  ),
);
const START = 5;
const STARTS = new Set([...FORBIDDEN.keys()].map((stretch) => stretch.slice(0, START)));

/** The parts of the keys, in any encoding, that a text contains. Few starts occur in it, so that few stretches are searched for. */
function leaks(text: string): string[] {
  const spoken = [text, text.replaceAll('\\\\', '\\').replaceAll('\\"', '"')];
  const starts = new Set<string>();
  for (const each of spoken)
    for (let at = 0; at < each.length; at += 1) {
      const start = each.slice(at, at + START);
      if (STARTS.has(start)) starts.add(start);
    }
  const found = [...FORBIDDEN].filter(
    ([stretch]) => starts.has(stretch.slice(0, START)) && spoken.some((each) => each.includes(stretch)),
  );
  return found.map(([stretch, name]) => `${name}: ${stretch}`).slice(0, 5);
}

/** The key with another first character is random; a separate test covers it. */
function isOtherStart(value: string): boolean {
  return value !== ADMIN && value.endsWith(ADMIN.slice(1));
}

function authorization({ headers }: RawRequest): string {
  const { authorization: value = '' } = headers;
  return value === '' || isOtherStart(value) ? 'nothing' : value;
}

/** Every value of a request that may hold a key. */
function carried(request: RawRequest): string {
  const others = ['x-api-key', 'x-auth-token', 'cookie'].map((name) => request.headers[name] ?? '');
  return [authorization(request), ...others, request.target.split('?')[1] ?? '']
    .filter((value) => value !== '')
    .join(' ');
}

async function judgeEchoing(onRequest: Respond, limits = PATIENT): Promise<string> {
  return withRawServer({ onRequest }, async ({ url, requests }) => {
    const keyWasSent = (): boolean => requests.some(({ headers }) => headers.authorization === ADMIN);
    const result = await untilMet(limits, (own) => judge(inputsFor(url, SEED), own), keyWasSent);
    expect(result.verdict).not.toBe('passed');
    expect(result.verdict).not.toBe('error');
    expect(keyWasSent()).toBe(true);
    return JSON.stringify(result);
  });
}

describe('The search for keys finds', () => {
  test.each(Object.entries(ENCODINGS))('a key that is written %s', (_name, encode) =>
    expect(leaks(JSON.stringify({ text: `so ${encode(ADMIN)} it is` }))).not.toEqual([]),
  );

  test('half of a key, and nothing where there is none', () => {
    expect(leaks(JSON.stringify(ADMIN.slice(0, 14)))).not.toEqual([]);
    expect(leaks(JSON.stringify(ADMIN.slice(1)))).not.toEqual([]);
    expect(leaks(JSON.stringify({ a: 'the quick brown fox', b: defaultSeed }))).toEqual([]);
  });
});

/** What a target sends back, made of the key as it came. */
const PLACES: Readonly<Record<string, (text: string) => Buffer>> = {
  'in the fields and the body of each 400': (text) => {
    const field = text.replaceAll(/[\r\n]/g, '');
    const body = { id: text, name: text, message: `bad key ${text}`, [text]: text, list: [text, { [text]: 1 }] };
    const fields = { ...JSON_TYPE, 'X-Echo': field, 'WWW-Authenticate': `Bearer realm="${field}"` };
    return message(400, fields, JSON.stringify(body));
  },
  'in each member of a user': (text) => {
    const texts = { name: text, email: text, username: text, accountType: text, seenAt: text, createdAt: text };
    const own = { ...USER, ...texts, rootRole: { [text]: text }, permissions: [text], [text]: text };
    return message(200, JSON_TYPE, JSON.stringify(own));
  },
  'as the id of a user': (text) => message(200, JSON_TYPE, JSON.stringify({ id: text, name: text })),
  'in banners': (text) => {
    const banner = { id: text, message: 1, variant: text, icon: text, [text]: 2 };
    return message(200, JSON_TYPE, JSON.stringify({ banners: [banner, text] }));
  },
  'as its whole body': (text) => message(200, { 'Content-Type': text.replaceAll(/[\r\n]/g, '') }, text),
  'in an HTML page': (text) => message(500, { 'Content-Type': 'text/html' }, `<pre>${text}</pre>`),
  'in the reason phrase': (text) => message(`500 ${text}`, JSON_TYPE, '{}'),
  'in what is not HTTP': (text) => Buffer.from(`${text}\r\n\r\n`),
  'in a header that is not HTTP': (text) => Buffer.from(`HTTP/1.1 200 OK\r\n${text} : ${text}\r\n\r\n`, 'latin1'),
  'as the content coding': (text) => message(200, { ...JSON_TYPE, 'Content-Encoding': text }, '{}'),
  'as a redirect': (text) => message(307, { Location: `http://127.0.0.1:1/?key=${encodeURIComponent(text)}` }, ''),
  'as Retry-After': (text) => message(429, { 'Retry-After': text }, text),
};

/** What a target sends back to a request. */
const ECHOES: readonly (readonly [where: string, echo: (request: RawRequest) => Buffer])[] = [
  ...Object.entries(PLACES).map(([where, echo]) => [where, (request: RawRequest) => echo(carried(request))] as const),
  [
    'with another first character',
    ({ headers, number }) => {
      const said = `not valid: ${headers.authorization ?? 'nothing'}`;
      const body = { id: `error-${number}`, name: 'ValidationError', message: said };
      return message(400, JSON_TYPE, JSON.stringify(body));
    },
  ],
  ...sample(Object.entries(ENCODINGS), 8).map(([name, encode]) => {
    const echo = (request: RawRequest): Buffer => {
      const encoded = encode(authorization(request));
      const body = { id: encoded, name: encoded, message: encoded, [encoded]: [encoded] };
      const fields = { ...JSON_TYPE, 'X-Echo': encoded.replaceAll(/[\r\n]/g, '') };
      return message(request.number % 2 === 0 ? 400 : 200, fields, JSON.stringify(body));
    };
    return [`encoded: ${name}`, echo] as const;
  }),
  ...[0, 60, 190, 3990].map((before) => {
    const echo = (request: RawRequest): Buffer => {
      const type = request.number % 2 === 0 ? JSON_TYPE : { 'Content-Type': 'text/html' };
      return message(request.number % 3 === 0 ? 400 : 200, type, '.'.repeat(before) + carried(request));
    };
    return [`${before} characters after the beginning of a body`, echo] as const;
  }),
  ...[60, 72].map((before) => {
    const echo = (request: RawRequest): Buffer => {
      const text = '.'.repeat(before) + carried(request);
      return message(
        200,
        JSON_TYPE,
        JSON.stringify({ banners: [{ message: 1, variant: [text], link: [text] }, text] }),
      );
    };
    return [`${before} characters after the beginning of a banner`, echo] as const;
  }),
];

test.concurrent.each(ECHOES)('No key is in the result of a target that echoes it: %s', async (where, echo) => {
  // This target asks for pauses until the deadline.
  const limits = where === 'as Retry-After' ? { ...PATIENT, deadline: 4000 } : PATIENT;
  const text = await judgeEchoing((request, socket) => {
    const bytes = echo(request);
    // The noise has no end of its own.
    if (bytes.toString('latin1', 0, 5) === 'HTTP/' && bytes.includes('Content-Length')) socket.write(bytes);
    else socket.end(bytes);
  }, limits);
  expect(leaks(text)).toEqual([]);
});

type Change = (body: Record<string, unknown>, key: string) => unknown;

/** Adds the key to responses that conform except for that. */
const echoInResponses =
  (change: Change): Deliver =>
  ({ request, answer, socket }) => {
    const body: unknown = JSON.parse(answer.body.toString());
    const changed: WireAnswer = {
      ...answer,
      headers: [...answer.headers, ['X-Echo', carried(request)]],
      body: Buffer.from(JSON.stringify(change(body as Record<string, unknown>, carried(request)))),
    };
    socket.write(plain(changed));
  };

describe.concurrent('No key is in the result of a server that conforms but shows the key', () => {
  const changes: readonly (readonly [where: string, change: Change])[] = [
    ['in another member', (body, key) => ({ ...body, echo: key, [key]: key })],
    ['in the message of errors', (body, key) => ('message' in body ? { ...body, message: `not valid: ${key}` } : body)],
    ['in the id of errors', (body, key) => ('message' in body ? { ...body, id: key } : body)],
    ['in the name of the user', (body, key) => ('isAPI' in body ? { ...body, name: key } : body)],
    ['in the type of the account', (body, key) => ('isAPI' in body ? { ...body, accountType: key } : body)],
    ['in the username', (body, key) => ('isAPI' in body ? { ...body, username: `${key}${Math.random()}` } : body)],
  ];

  test.each(changes)('%s', async (_where, change) => {
    await withWireServer({ seed: SEED, deliver: echoInResponses(change) }, async ({ url }) => {
      const result = await judge(inputsFor(url, SEED), PATIENT, (journal) => {
        const kept = existsSync(journal) ? readFileSync(journal, 'utf8') : '';
        expect(leaks(kept)).toEqual([]);
      });
      expect(result.verdict).not.toBe('error');
      expect(leaks(JSON.stringify(result))).toEqual([]);
    });
  });

  test.each(sample(Object.entries(ENCODINGS), 3))(
    '%s and dies then, so that the users cannot be restored',
    async (_form, encode) => {
      const deliver = echoInResponses((body, key) => ('isAPI' in body ? { ...body, email: encode(key) } : body));
      let die = (): Promise<void> => Promise.resolve();
      const instead = ({ number }: RawRequest): boolean => {
        if (number > 40) void die();
        return number > 40;
      };
      await withWireServer({ seed: SEED, deliver, instead }, async ({ url, close }) => {
        die = close;
        // The run waits for as long as its limits say for the target to be back.
        const result = await judge(inputsFor(url, SEED), { ...PATIENT, timeout: 1000 }, (journal) =>
          expect(leaks(readFileSync(journal, 'utf8'))).toEqual([]),
        );
        expect(leaks(JSON.stringify(result))).toEqual([]);
      });
    },
  );
});

test('The keys in the user information of the base URL are not in the result', async () => {
  await withWireServer({ seed: SEED }, async ({ url }) => {
    const baseUrl = new URL(url);
    baseUrl.username = 'someone';
    baseUrl.password = ADMIN;
    baseUrl.search = `?key=${encodeURIComponent(ADMIN)}`;
    const result = await judgeTarget({ ...inputsFor(url, SEED), baseUrl }, { limits: PATIENT });
    expect(leaks(JSON.stringify(result))).toEqual([]);
  });
});
