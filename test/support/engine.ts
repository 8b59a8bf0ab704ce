/** What tests of the engine work with: the reference server in this process behind a script, and checks of their own. */
import { type JsonObject, objectOf, parsedJson } from '../../common/json.ts';
import type { Check } from '../../conformance/engine/check.ts';
import { Judge, type Judgement } from '../../conformance/engine/judge.ts';
import { openSession, type Session } from '../../conformance/engine/session.ts';
import type { Fault } from '../../conformance/facts/fault.ts';
import { Stopped } from '../../conformance/facts/outcome.ts';
import { openClient } from '../../conformance/http/client.ts';
import { Target, type TargetOptions } from '../../conformance/http/target.ts';
import type { Transport, TransportRequest, TransportResponse } from '../../conformance/http/transport.ts';
import { updates } from '../../conformance/checks/updates.ts';
import { type RunOptions, runTarget } from '../../conformance/run.ts';
import { transportTo } from '../../proof/servers/behaviour.ts';
import { createService, type Service } from '../../reference-server/service.ts';

/** Responds in place of the reference server, or gives what the server responds. */
export type Script = (
  request: TransportRequest,
  respond: () => Promise<TransportResponse>,
  store: Service['store'],
) => Promise<TransportResponse> | TransportResponse;

/** The reference server as a transport, with a script in front of it, and every request that came. */
export function scripted(script: Script = (_request, respond) => respond()) {
  const service = createService();
  const respond = transportTo(service);
  const requests: TransportRequest[] = [];
  const transport: Transport = async (request) => {
    requests.push(request);
    await new Promise(setImmediate);
    return script(request, () => respond(request), service.store);
  };
  return { transport, requests, store: service.store };
}

/** Changes the responses to updates that the server accepts, with the user that they show. */
export function onAccepted(
  change: (user: object, response: TransportResponse, request: TransportRequest, store: Service['store']) => unknown,
): Script {
  return async (request, respond, store) => {
    const response = await respond();
    if (request.method !== 'PUT' || response.status !== 200) return response;
    const user = parsedJson(response.bytes.toString()) as object;
    return (await change(user, response, request, store)) as TransportResponse;
  };
}

/** The id of the user that an update names in its path. */
export const idIn = ({ path }: TransportRequest): number => Number(path.split('/').at(-1));

/** The members that a request sends. */
export const sentIn = ({ body }: Pick<TransportRequest, 'body'>): JsonObject => objectOf(parsedJson(String(body)));

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

/** What a run over a transport works with. */
export function sessionOver(transport: Transport, more: Partial<TargetOptions> = {}): Session {
  const { baseUrl } = INPUTS;
  const client = openClient({ baseUrl, timeout: 60_000, transport, startedAt: performance.now() });
  const target = new Target({ inputs: INPUTS, client, signal: new AbortController().signal, ...more });
  return openSession(target);
}

/** Judges a target by checks, after the first one of all, which finds out how users are read. */
export async function judged(session: Session, ...checks: readonly Check[]): Promise<Judgement> {
  const judge = new Judge(session, [...updates.slice(0, 1), ...checks]);
  try {
    await judge.run();
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return judge.conclude(error);
  }
  return judge.conclude();
}

/** Judges the reference server behind a script by checks, after the first one of all. */
export function judgedBy(script: Script | undefined, ...checks: readonly Check[]): Promise<Judgement> {
  return judged(sessionOver(scripted(script).transport), ...checks);
}

const usersIn = ({ users }: Service['store']) => structuredClone([...users.values()]);

/**
 * Runs the suite over the reference server behind a script.
 *
 * @param own what user 1 has in place of its values in the seed
 * @returns the result, what was sent, and the users before and after
 */
export async function runOver(script?: Script, options: RunOptions = {}, own: object = {}) {
  const { transport, requests, store } = scripted(script);
  Object.assign(store.users.get(1) ?? {}, own);
  const before = usersIn(store);
  const result = await runTarget(INPUTS, { transport, journal: false, ...options });
  return { result, requests, before, after: usersIn(store) };
}

/** The outcome of each check, in words: "failed", "inconclusive: blocked". */
export function outcomesOf({ checks }: Judgement): Record<string, string> {
  return Object.fromEntries(
    checks.map(({ check, outcome: { outcome, reason } }) => [
      check.id,
      reason === undefined ? outcome : `${outcome}: ${reason}`,
    ]),
  );
}

/** The requirements that are broken, each with its plainest fault. */
export function brokenIn({ broken }: Judgement): Record<string, Fault | undefined> {
  return Object.fromEntries(broken.map(({ requirement, problems }) => [requirement, problems[0]?.fault]));
}
