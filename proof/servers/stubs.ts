import { mapBounded } from '../../common/pool.ts';
import { using } from '../../common/using.ts';
import { updates } from '../../conformance/checks/updates.ts';
import type { Result } from '../../conformance/result/result.ts';
import { runTarget } from '../../conformance/run.ts';
import { errorName } from '../../contract/document.ts';
import { toApiRequest } from '../../reference-server/service.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { type Gate, gate } from '../gate.ts';
import { LIMITS } from '../judge.ts';
import { JSON_TYPE, message, startRawServer, type RawRequest, type Respond } from '../wire/raw-server.ts';
import { inputsFor } from './behaviour.ts';
import { startPrism } from './prism.ts';
import { sentId, sentMembers } from './requests.ts';

/** A server that ignores most or all of its requests. No suite that looks at responses may pass it. */
export interface Stub {
  readonly id: string;
  /** One sentence on what it does. */
  readonly title: string;
  /** Starts it on a free port of the loopback interface. */
  readonly start: () => Promise<{ readonly url: string; readonly close: () => Promise<void> }>;
}

const [USER = { id: 1 }] = defaultSeed.users;

/** The body of a request, and the id in its path. */
interface Sent {
  readonly method: string;
  readonly body: object;
  readonly id: number;
}

function sentOf({ method, target, headers, body }: RawRequest): Sent {
  const request = toApiRequest(method, target, headers, body);
  return { method, body: sentMembers(request), id: Number(sentId(request)) };
}

/** Responds 200 to every request. */
function shows(body: (sent: Sent) => unknown): Respond {
  return (request, socket) => void socket.write(message(200, JSON_TYPE, JSON.stringify(body(sentOf(request)))));
}

const echoInUser = ({ body, id }: Sent): object => ({ ...USER, ...body, id });

let errors = 0;

/** Responds to every request with the same error. */
function refuses(status: number): Respond {
  return (_request, socket) => {
    const error = { id: `error-${(errors += 1)}`, name: errorName(status) ?? 'InternalError', message: 'No.' };
    socket.write(message(status, JSON_TYPE, JSON.stringify(error)));
  };
}

function writes(status: number, headers: Readonly<Record<string, string>>, body: string): Respond {
  return (_request, socket) => void socket.write(message(status, headers, body));
}

const HTML = { 'Content-Type': 'text/html' };
const PAGE = '<!doctype html><title>Admin</title><h1>It works!</h1>';

const RESPONDING: Readonly<Record<string, readonly [title: string, onRequest: Respond]>> = {
  'empty-object': ['Responds 200 with `{}` to every request.', shows(() => ({}))],
  'fixed-user': ['Responds 200 with the same user to every request.', shows(() => USER)],
  'fixed-user-with-id': [
    'Responds 200 with the same user and the id of the path.',
    shows(({ id }) => ({ ...USER, id })),
  ],
  'fixed-minimal-user-with-id': ['Responds 200 with only the id of the path.', shows(({ id }) => ({ id }))],
  echo: ['Responds 200 with the body that was sent.', shows(({ body }) => body)],
  'echo-with-id': [
    'Responds 200 with what was sent and the id of the path.',
    shows(({ body, id }) => ({ ...body, id })),
  ],
  'echo-in-fixed-user': ['Responds 200 with the same user, what was sent and the id of the path.', shows(echoInUser)],
  'no-banners': ['Responds 200 with an empty list of banners to every request.', shows(() => ({ banners: [] }))],
  'echo-and-no-banners': [
    'Responds 200 with no banners, or to an update with the same user, what was sent and the id of the path.',
    shows((sent) => (sent.method === 'PUT' ? echoInUser(sent) : { banners: [] })),
  ],
  'no-content': [
    'Responds 204 to every request.',
    (_request, socket) => void socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
  ],
  'always-400': ['Responds 400 with the error body to every request.', refuses(400)],
  'always-401': ['Responds 401 with the error body to every request.', refuses(401)],
  'always-403': ['Responds 403 with the error body to every request.', refuses(403)],
  'always-404': ['Responds 404 with the error body to every request.', refuses(404)],
  'always-500': ['Responds 500 with the error body to every request.', refuses(500)],
  'page-404': ['Responds 404 with an HTML page to every request.', writes(404, HTML, PAGE)],
  'page-200': ['Responds 200 with an HTML page to every request.', writes(200, HTML, PAGE)],
  'empty-200': ['Responds 200 without a body to every request.', writes(200, {}, '')],
};

/** Stub servers, from the emptiest to the mock of the contract. */
export const stubs: readonly Stub[] = [
  ...Object.entries(RESPONDING).map(([id, [title, onRequest]]) => ({
    ...{ id, title },
    start: () => startRawServer({ onRequest }),
  })),
  {
    id: 'hangs-up',
    title: 'Closes every connection without a response.',
    start: () => startRawServer({ onConnection: (socket) => void socket.end() }),
  },
  { id: 'prism-mock', title: 'Runs `prism mock` on the contract.', start: () => startPrism('mock') },
];

/** The checks that only a server that stores updates can pass. The first one looks only whether updates are accepted. */
const keeping = new Set(updates.slice(1).map(({ id }) => id));

/** What is wrong with a run on a server that stores nothing: it passes, or a check of what is stored passes. */
export function falsePasses({ verdict, checks }: Pick<Result, 'verdict' | 'checks'>): string[] {
  const passed = checks.filter(({ id, outcome }) => outcome === 'passed' && keeping.has(id));
  return [...(verdict === 'passed' ? ['the verdict is passed'] : []), ...passed.map(({ id }) => `${id} passes`)];
}

/** What the stub servers show: none passes. */
export async function stubGate(all: readonly Stub[]): Promise<Gate> {
  const judged = await mapBounded(all, 4, async ({ id, start }) => {
    const result = await using(start(), ({ url }) => runTarget(inputsFor(url), { ...LIMITS, patience: 500 }));
    return { id, wrong: falsePasses(result) };
  });
  return gate('stub servers that do not pass', judged, ({ id, wrong }) => wrong[0] && `${id}: ${wrong.join(', ')}`);
}
