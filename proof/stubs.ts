import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { errorName } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import type { Result } from '../conformance/result/result.ts';
import { defaultSeed } from '../reference-server/seed.ts';
import type { Judged } from './judging.ts';
import { message, startRawServer, type RawRequest, type RawServerOptions } from './wire/raw-server.ts';

/** A server that ignores what it is asked, or most of it: no suite that looks may pass it. */
export interface Stub {
  readonly id: string;
  /** What it does, as one sentence about it. */
  readonly title: string;
  /** Starts it on a free port of the loopback interface. */
  readonly start: () => Promise<{ readonly url: string; readonly close: () => Promise<void> }>;
}

/** What a run on a stub server showed. */
export interface JudgedTrivial extends Judged {
  /** Checks of the level `must` that passed, of all. */
  readonly score: { readonly passed: number; readonly total: number };
}

/**
 * The requirements that a target can meet only by keeping state: to change what is sent and nothing else, and to change
 * nothing when it refuses. A server that ignores what it is asked keeps none, so a check of theirs that passes praises
 * without having looked.
 */
const KEEPS_STATE = [
  'update.sent-fields-change',
  'update.unsent-fields-keep',
  'update.earlier-updates-keep',
  'update.addressed-user-only',
  'update.refused-changes-nothing',
];

/** The ids of the checks of the update's semantics: those of a `must` that is met only by keeping state. */
export const semanticChecks: readonly string[] = checks
  .filter(({ level, requirements: judged }) => level === 'must' && judged.some((id) => KEEPS_STATE.includes(id)))
  .map(({ id }) => id);

/** Whether a target without sense was neither passed nor praised for what it does not do. */
export function judgeStub({ id }: Pick<Stub, 'id'>, result: Result): JudgedTrivial {
  const { checks: results, verdict } = result;
  const musts = results.filter(({ level }) => level === 'must');
  const faults = results.filter(({ outcome }) => outcome === 'error');
  const praised = results.filter((each) => each.outcome === 'passed' && semanticChecks.includes(each.id));
  return {
    id,
    verdict,
    failed: Object.fromEntries(results.flatMap((each) => (each.failure ? [[each.id, each.failure.mode]] : []))),
    inconclusive: Object.fromEntries(results.flatMap((each) => (each.reason ? [[each.id, each.reason]] : []))),
    score: { passed: musts.filter(({ outcome }) => outcome === 'passed').length, total: musts.length },
    problems: [
      ...(verdict === 'passed' ? ['the verdict is passed'] : []),
      ...faults.map((each) => `${each.id} is a fault of the suite: ${each.detail ?? ''}`),
      ...praised.map((each) => `${each.id} is passed by a target that keeps no state`),
    ],
  };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const [USER = { id: 1 }] = defaultSeed.users;
const PAGE = '<!doctype html><title>Admin</title><h1>It works!</h1>';

function idInPath({ target }: RawRequest): number {
  return Number(/\/user-admin\/(-?\d+)$/.exec(target)?.[1] ?? 0);
}

function bodySent({ body }: RawRequest): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return {};
  }
}

function raw(id: string, title: string, options: RawServerOptions): Stub {
  return { id, title, start: () => startRawServer(options) };
}

function answering(id: string, title: string, answer: (request: RawRequest) => Buffer): Stub {
  return raw(id, title, {
    onRequest: (request, socket) => {
      socket.write(answer(request));
    },
  });
}

function showing(id: string, title: string, body: (request: RawRequest) => unknown): Stub {
  return answering(id, title, (request) => message(200, JSON_TYPE, JSON.stringify(body(request))));
}

let errors = 0;

function refusing(status: number): Stub {
  const name = errorName(status) ?? 'InternalError';
  return answering(`always-${status}`, `Answers ${status} with the error body to everything.`, () =>
    message(status, JSON_TYPE, JSON.stringify({ id: `error-${(errors += 1)}`, name, message: 'No.' })),
  );
}

/** A port that nothing listens on now. */
async function freePort(): Promise<number> {
  const server = await startRawServer({});
  await server.close();
  return Number(new URL(server.url).port);
}

const require = createRequire(import.meta.url);

/** `prism mock` of the contract: answers every request with an example of it. */
async function startPrism(): ReturnType<Stub['start']> {
  const port = await freePort();
  const binary = require.resolve('@stoplight/prism-cli/dist/index.js');
  const contract = fileURLToPath(new URL('../contract/openapi.json', import.meta.url));
  const prism = spawn(process.execPath, [binary, 'mock', contract, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((done) => prism.once('exit', done));
  await new Promise<void>((listening, failed) => {
    createInterface({ input: prism.stdout }).on('line', (line) => {
      if (line.includes('Prism is listening')) listening();
    });
    prism.once('exit', () => {
      failed(new Error('Prism ended before it listened.'));
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      prism.kill();
      await ended;
    },
  };
}

/** Servers without sense, from the emptiest to the mock of the contract. */
export const stubs: readonly Stub[] = [
  showing('empty-object', 'Answers 200 with `{}` to everything.', () => ({})),
  showing('fixed-user', 'Answers 200 with the same user to everything.', () => USER),
  showing(
    'fixed-user-with-id',
    'Answers 200 with the same user, but for the id, which is that of the path.',
    (request) => ({
      ...USER,
      id: idInPath(request),
    }),
  ),
  showing('fixed-minimal-user-with-id', 'Answers 200 with nothing but the id of the path.', (request) => ({
    id: idInPath(request),
  })),
  showing('echo', 'Answers 200 with the body that was sent.', bodySent),
  showing('echo-with-id', 'Answers 200 with the body that was sent and the id of the path.', (request) => ({
    ...(bodySent(request) as object),
    id: idInPath(request),
  })),
  showing(
    'echo-in-fixed-user',
    'Answers 200 with the same user, with what was sent and the id of the path.',
    (request) => ({
      ...USER,
      ...(bodySent(request) as object),
      id: idInPath(request),
    }),
  ),
  showing('no-banners', 'Answers 200 with an empty list of banners to everything.', () => ({ banners: [] })),
  showing(
    'echo-and-no-banners',
    'Answers 200 with an empty list of banners, or with the same user, what was sent and the id of the path.',
    (request) =>
      request.method === 'PUT' ? { ...USER, ...(bodySent(request) as object), id: idInPath(request) } : { banners: [] },
  ),
  answering('no-content', 'Answers 204 to everything.', () => Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')),
  ...[400, 401, 403, 404, 500].map(refusing),
  answering('page-404', 'Answers 404 with a page in HTML to everything.', () =>
    message(404, { 'Content-Type': 'text/html' }, PAGE),
  ),
  answering('page-200', 'Answers 200 with a page in HTML to everything.', () =>
    message(200, { 'Content-Type': 'text/html' }, PAGE),
  ),
  answering('empty-200', 'Answers 200 without a body to everything.', () => message(200, {}, '')),
  raw('hangs-up', 'Closes every connection without a word.', {
    onConnection: (socket) => {
      socket.end();
    },
  }),
  { id: 'prism-mock', title: 'Is `prism mock` of the contract.', start: startPrism },
];
