import { parsedJson } from '../../common/json.ts';
import { errorName } from '../../contract/document.ts';
import { checks } from '../../conformance/checks/catalogue.ts';
import type { Result } from '../../conformance/result/result.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { modesOf, reasonsOf, suiteErrors, type Judged } from '../judging.ts';
import { startPrism } from './prism.ts';
import { type Table, rows, tableOf } from '../table.ts';
import { JSON_TYPE, message, startRawServer, type RawRequest, type RawServerOptions } from '../wire/raw-server.ts';

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
const HTML = { 'Content-Type': 'text/html' };
const PAGE = '<!doctype html><title>Admin</title><h1>It works!</h1>';

/** The body of a request, and the id in its path. */
interface Sent {
  readonly method: string;
  readonly body: unknown;
  readonly id: number;
}

function sentOf({ method, target, body }: RawRequest): Sent {
  const value = parsedJson(body.toString());
  return {
    method,
    body: value === undefined ? {} : value,
    id: Number(/\/user-admin\/(-?\d+)$/.exec(target)?.[1] ?? 0),
  };
}

/** What each responds with 200, as JSON. */
const SHOWN: Table<(sent: Sent) => unknown> = {
  'empty-object: Responds 200 with `{}` to every request.': () => ({}),
  'fixed-user: Responds 200 with the same user to every request.': () => USER,
  'fixed-user-with-id: Responds 200 with the same user, but with the id of the path.': ({ id }) => ({ ...USER, id }),
  'fixed-minimal-user-with-id: Responds 200 with only the id of the path.': ({ id }) => ({ id }),
  'echo: Responds 200 with the body that was sent.': ({ body }) => body,
  'echo-with-id: Responds 200 with the body that was sent and the id of the path.': ({ body, id }) => ({
    ...(body as object),
    id,
  }),
  'echo-in-fixed-user: Responds 200 with the same user, what was sent and the id of the path.': echoInUser,
  'no-banners: Responds 200 with an empty list of banners to every request.': () => ({ banners: [] }),
  'echo-and-no-banners: Responds 200 with an empty list of banners, or to an update with the same user, what was sent and the id of the path.':
    (sent) => (sent.method === 'PUT' ? echoInUser(sent) : { banners: [] }),
};

function echoInUser({ body, id }: Sent): object {
  return { ...USER, ...(body as object), id };
}

let errors = 0;

/** What each writes in response to every request. */
const WRITTEN: Table<(request: RawRequest) => Buffer> = {
  'no-content: Responds 204 to every request.': () => Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'),
  ...tableOf(
    [400, 401, 403, 404, 500],
    (status) => `always-${status}: Responds ${status} with the error body to every request.`,
    (status) => () => {
      const name = errorName(status) ?? 'InternalError';
      return message(status, JSON_TYPE, JSON.stringify({ id: `error-${(errors += 1)}`, name, message: 'No.' }));
    },
  ),
  'page-404: Responds 404 with an HTML page to every request.': () => message(404, HTML, PAGE),
  'page-200: Responds 200 with an HTML page to every request.': () => message(200, HTML, PAGE),
  'empty-200: Responds 200 without a body to every request.': () => message(200, {}, ''),
};

function stubsOf<Row>(table: Table<Row>, options: (row: Row) => RawServerOptions): Stub[] {
  return rows(table).map(([id, title, row]) => ({ id, title, start: () => startRawServer(options(row)) }));
}

/** Stub servers, from the emptiest to the mock of the contract. */
export const stubs: readonly Stub[] = [
  ...stubsOf(SHOWN, (body) => ({
    onRequest: (request, socket) => void socket.write(message(200, JSON_TYPE, JSON.stringify(body(sentOf(request))))),
  })),
  ...stubsOf(WRITTEN, (answer) => ({ onRequest: (request, socket) => void socket.write(answer(request)) })),
  {
    id: 'hangs-up',
    title: 'Closes every connection without a response.',
    start: () => startRawServer({ onConnection: (socket) => void socket.end() }),
  },
  { id: 'prism-mock', title: 'Runs `prism mock` on the contract.', start: () => startPrism('mock') },
];
