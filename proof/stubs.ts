import { parsedJson } from '../common/json.ts';
import { errorName } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import type { Result } from '../conformance/result/result.ts';
import { defaultSeed } from '../reference-server/seed.ts';
import { modesOf, reasonsOf, suiteErrors, type Judged } from './judging.ts';
import { startPrism } from './prism.ts';
import { JSON_TYPE, message, startRawServer, type RawRequest, type RawServerOptions } from './wire/raw-server.ts';

/** A server that ignores most or all of its requests: a suite that looks cannot pass it. */
export interface Stub {
  readonly id: string;
  /** One sentence on what it does. */
  readonly title: string;
  /** Starts it on a free port of the loopback interface. */
  readonly start: () => Promise<{ readonly url: string; readonly close: () => Promise<void> }>;
}

/** What a run against a stub server showed. */
export interface JudgedStub extends Judged {
  /** How many of the `must` checks passed. */
  readonly score: { readonly passed: number; readonly total: number };
}

/**
 * The requirements that a target can meet only by keeping state: to change what is sent and nothing else, and to change
 * nothing when it refuses. A server that ignores its requests keeps none, so a check of theirs that passes is a false
 * pass.
 */
const KEEPS_STATE = [
  'update.sent-fields-change',
  'update.unsent-fields-keep',
  'update.earlier-updates-keep',
  'update.addressed-user-only',
  'update.refused-changes-nothing',
];

/** The ids of the checks of the update's semantics: those of a `must` that only a server with state can meet. */
export const semanticChecks: readonly string[] = checks
  .filter(({ level, requirements: judged }) => level === 'must' && judged.some((id) => KEEPS_STATE.includes(id)))
  .map(({ id }) => id);

/** Judges a run against a stub server: the run must not pass, and no check may pass that needs state. */
export function judgeStub({ id }: Pick<Stub, 'id'>, result: Result): JudgedStub {
  const { checks: results, verdict } = result;
  const musts = results.filter(({ level }) => level === 'must');
  const falsePasses = results.filter((each) => each.outcome === 'passed' && semanticChecks.includes(each.id));
  return {
    id,
    verdict,
    failed: modesOf(results),
    inconclusive: reasonsOf(results),
    score: { passed: musts.filter(({ outcome }) => outcome === 'passed').length, total: musts.length },
    problems: [
      ...(verdict === 'passed' ? ['the verdict is passed'] : []),
      ...suiteErrors(result),
      ...falsePasses.map((each) => `${each.id} passes on a target that keeps no state`),
    ],
  };
}

const [USER = { id: 1 }] = defaultSeed.users;
const PAGE = '<!doctype html><title>Admin</title><h1>It works!</h1>';

function idInPath({ target }: RawRequest): number {
  return Number(/\/user-admin\/(-?\d+)$/.exec(target)?.[1] ?? 0);
}

function bodySent({ body }: RawRequest): unknown {
  const value = parsedJson(body.toString());
  return value === undefined ? {} : value;
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
  return answering(`always-${status}`, `Responds ${status} with the error body to every request.`, () =>
    message(status, JSON_TYPE, JSON.stringify({ id: `error-${(errors += 1)}`, name, message: 'No.' })),
  );
}

/** Stub servers, from the emptiest to the mock of the contract. */
export const stubs: readonly Stub[] = [
  showing('empty-object', 'Responds 200 with `{}` to every request.', () => ({})),
  showing('fixed-user', 'Responds 200 with the same user to every request.', () => USER),
  showing('fixed-user-with-id', 'Responds 200 with the same user, but with the id of the path.', (request) => ({
    ...USER,
    id: idInPath(request),
  })),
  showing('fixed-minimal-user-with-id', 'Responds 200 with only the id of the path.', (request) => ({
    id: idInPath(request),
  })),
  showing('echo', 'Responds 200 with the body that was sent.', bodySent),
  showing('echo-with-id', 'Responds 200 with the body that was sent and the id of the path.', (request) => ({
    ...(bodySent(request) as object),
    id: idInPath(request),
  })),
  showing(
    'echo-in-fixed-user',
    'Responds 200 with the same user, what was sent and the id of the path.',
    (request) => ({
      ...USER,
      ...(bodySent(request) as object),
      id: idInPath(request),
    }),
  ),
  showing('no-banners', 'Responds 200 with an empty list of banners to every request.', () => ({ banners: [] })),
  showing(
    'echo-and-no-banners',
    'Responds 200 with an empty list of banners, or to an update with the same user, what was sent and the id of the path.',
    (request) =>
      request.method === 'PUT' ? { ...USER, ...(bodySent(request) as object), id: idInPath(request) } : { banners: [] },
  ),
  answering('no-content', 'Responds 204 to every request.', () => Buffer.from('HTTP/1.1 204 No Content\r\n\r\n')),
  ...[400, 401, 403, 404, 500].map(refusing),
  answering('page-404', 'Responds 404 with an HTML page to every request.', () =>
    message(404, { 'Content-Type': 'text/html' }, PAGE),
  ),
  answering('page-200', 'Responds 200 with an HTML page to every request.', () =>
    message(200, { 'Content-Type': 'text/html' }, PAGE),
  ),
  answering('empty-200', 'Responds 200 without a body to every request.', () => message(200, {}, '')),
  raw('hangs-up', 'Closes every connection without a response.', {
    onConnection: (socket) => {
      socket.end();
    },
  }),
  { id: 'prism-mock', title: 'Runs `prism mock` on the contract.', start: () => startPrism('mock') },
];
