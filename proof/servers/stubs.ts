import { mapBounded } from '../../common/pool.ts';
import { using } from '../../common/using.ts';
import { updates } from '../../conformance/checks/updates.ts';
import type { Result } from '../../conformance/facts/result.ts';
import { runTarget } from '../../conformance/run.ts';
import type { ApiRequest } from '../../reference-server/rules.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import { type Gate, gate } from '../gate.ts';
import { judgeServer, LIMITS } from '../judge.ts';
import { serversOf } from '../server.ts';
import { type Behaviour, inputsFor } from './behaviour.ts';
import { startPrism } from './prism.ts';
import { any, sentId, sentMembers } from './requests.ts';
import { hungUpOn, pagesAsHtml, responding, sending } from './responses.ts';

/** A server that ignores most or all of its requests. No suite that looks at responses may pass it. */
interface Stub {
  readonly id: string;
  readonly judge: () => Promise<Result>;
}

const [USER = {}] = defaultSeed.users;
const PAGE = '<!doctype html><title>Admin</title><h1>It works!</h1>';

/** Responds 200 to every request. */
function shows(body: (request: ApiRequest) => unknown): Behaviour {
  return responding((request) => ({ status: 200, body: body(request) }));
}

const idOf = (request: ApiRequest): object => ({ id: Number(sentId(request)) });
const echoInUser = (request: ApiRequest): object => ({ ...USER, ...sentMembers(request), ...idOf(request) });
const refuses = (status: number): Behaviour => responding((_request, rules) => rules.refuse(status, 'No.'));
const page = (status: number): Behaviour => ({ ...pagesAsHtml(), ...responding(() => ({ status, body: PAGE })) });
const withoutBody = (status: number): Behaviour => sending(any, () => ({ status, headers: [], body: Buffer.alloc(0) }));

/** What each does with every request, from the emptiest on. */
const RESPONDING = serversOf({
  'empty-object: It responds 200 with `{}`': shows(() => ({})),
  'fixed-user: It responds 200 with the same user': shows(() => USER),
  'fixed-user-with-id: It responds 200 with the same user and the id of the path': shows((request) => ({
    ...USER,
    ...idOf(request),
  })),
  'fixed-minimal-user-with-id: It responds 200 with only the id of the path': shows(idOf),
  'echo: It responds 200 with the body that was sent': shows(sentMembers),
  'echo-with-id: It responds 200 with what was sent and the id of the path': shows((request) => ({
    ...sentMembers(request),
    ...idOf(request),
  })),
  'echo-in-fixed-user: It responds 200 with the same user, what was sent and the id of the path': shows(echoInUser),
  'no-banners: It responds 200 with an empty list of banners': shows(() => ({ banners: [] })),
  'echo-and-no-banners: It responds 200 with no banners, or to an update with the same user and what was sent': shows(
    (request) => (request.method === 'PUT' ? echoInUser(request) : { banners: [] }),
  ),
  'no-content: It responds 204': withoutBody(204),
  'always-400: It responds 400 with the error body': refuses(400),
  'always-401: It responds 401 with the error body': refuses(401),
  'always-403: It responds 403 with the error body': refuses(403),
  'always-404: It responds 404 with the error body': refuses(404),
  'always-500: It responds 500 with the error body': refuses(500),
  'page-404: It responds 404 with an HTML page': page(404),
  'page-200: It responds 200 with an HTML page': page(200),
  'empty-200: It responds 200 without a body': withoutBody(200),
  'hangs-up: It closes the connection': hungUpOn(any),
});

/** Some of them never respond: nobody waits long for them (ms). */
const patience = 500;

/** Stub servers, and the mock that Prism makes of the contract. */
export const stubs: readonly Stub[] = [
  ...RESPONDING.map((server) => ({
    id: server.id,
    judge: async () => (await judgeServer(server, { patience })).result,
  })),
  {
    id: 'prism-mock',
    judge: () => using(startPrism('mock'), ({ url }) => runTarget(inputsFor(url), { ...LIMITS, patience })),
  },
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
  const judged = await mapBounded(all, 4, async ({ id, judge }) => ({ id, wrong: falsePasses(await judge()) }));
  return gate('stub servers that do not pass', judged, ({ id, wrong }) => wrong[0] && `${id}: ${wrong.join(', ')}`);
}
