import { check, type Check } from '../../conformance/engine/check.ts';
import { Judge, type Judgement } from '../../conformance/engine/judge.ts';
import { Stopped } from '../../conformance/facts/outcome.ts';
import { Target, type TargetOptions } from '../../conformance/users/target.ts';
import { openClient } from '../../conformance/http/client.ts';
import type { Transport, TransportRequest, TransportResponse } from '../../conformance/http/transport.ts';
import { createService, type Service, toApiRequest } from '../../reference-server/service.ts';
import { runOpening } from '../../conformance/engine/opening.ts';

/** Responds in place of the reference server, or gives what the server responds. */
export type Script = (
  request: TransportRequest,
  respond: () => Promise<TransportResponse>,
  store: Service['store'],
) => Promise<TransportResponse> | TransportResponse;

/** The reference server as a transport, with a script in front of it, and every request that came. */
export function scripted(script: Script = (_request, respond) => respond()) {
  const service = createService();
  const requests: TransportRequest[] = [];
  const respond = async ({ method, path, headers, body = '' }: TransportRequest): Promise<TransportResponse> => {
    const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
    const request = toApiRequest(method, path, Object.fromEntries(names), Buffer.from(body));
    const { status, body: content } = await service.handle(request);
    return json(status, content);
  };
  const transport: Transport = async (request) => {
    requests.push(request);
    await new Promise(setImmediate);
    return script(request, () => respond(request), service.store);
  };
  return { transport, requests, store: service.store };
}

/** A response with a JSON body. */
export function json(status: number, body: unknown): TransportResponse {
  return { status, headers: { 'content-type': 'application/json' }, bytes: Buffer.from(JSON.stringify(body)) };
}

/** An error of the contract. */
export const anError = (status: number, name: string): TransportResponse =>
  json(status, { id: String(Math.random()), name, message: 'refused' });

export const INPUTS = {
  baseUrl: new URL('http://api.localhost'),
  adminKey: 'reference-admin-Key-1',
  restrictedKey: 'reference-restricted-Key-2',
  userId: '1',
  otherUserId: '2',
  missingUserId: '404404',
  roleIds: [1, 2],
  emailDomain: 'example.com',
};

/** A target over a transport. */
export function targetOver(transport: Transport, more: Partial<TargetOptions> = {}): Target {
  const { baseUrl } = INPUTS;
  const client = openClient({ baseUrl, timeout: 60_000, transport, startedAt: performance.now() });
  return new Target({ inputs: INPUTS, client, signal: new AbortController().signal, ...more });
}

/** The first check of a run: it finds out how users are read. */
const opening: Check = check('first-updates', {
  title: 'Plain updates are accepted',
  requirement: 'update.success-is-200',
  run: runOpening,
});

/** Judges a target by checks, after the opening. */
export async function judged(target: Target, ...checks: readonly Check[]): Promise<Judgement> {
  const judge = new Judge(target, [opening, ...checks]);
  try {
    await judge.run(() => undefined);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return judge.conclude(error);
  }
  return judge.conclude();
}

/** The outcome of each check, in words: "failed", "inconclusive: blocked". */
export function outcomesOf({ checks }: Judgement): Record<string, string> {
  return Object.fromEntries(
    checks.map(({ id, outcome, reason }) => [id, reason === undefined ? outcome : `${outcome}: ${reason}`]),
  );
}

/** The requirements that are broken, each with the title of its plainest problem. */
export function brokenIn({ broken }: Judgement): Record<string, string> {
  return Object.fromEntries(broken.map(({ requirement, problems }) => [requirement, problems[0]?.title ?? '']));
}
