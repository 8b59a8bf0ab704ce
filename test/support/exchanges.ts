import { type Due, UNSPECIFIED } from '../../conformance/http/due.ts';
import type { Recording } from '../../conformance/model/recording/recording.ts';
export { validators } from '../../contract/validators.ts';
import type { Credential, Exchange, RequestSpec, TransportError } from '../../conformance/http/exchange.ts';
import { ID_INPUTS, INPUT_HELP, type Inputs } from '../../conformance/resources/inputs.ts';

export const inputs: Inputs = {
  baseUrl: new URL('http://target.example:4242/base'),
  adminKey: 'Admin-key-1',
  restrictedKey: 'Restricted-key-2',
  // User 4, other user 5, missing user 404404, and whatever else has an id.
  ...Object.fromEntries(ID_INPUTS.map((name) => [name, String(INPUT_HELP[name].example)])),
  roleIds: [1, 2, { id: 3 }],
  emailDomain: 'example.com',
};

export const admin: Credential = {
  label: 'the admin key',
  shell: '$CONFORMANCE_ADMIN_KEY',
  header: 'Admin-key-1',
  role: 'admin',
};

/** What a valid request is due. */
export const VALID: Due = {
  class: 'accept',
  statuses: [200],
  requirements: ['update.success-is-200'],
  level: 'must',
  checks: ['update-always-200'],
};

/** An update of the user with a name, meant as valid, but for what is changed. */
export function updateRequest(changes: Partial<RequestSpec> = {}): RequestSpec {
  return {
    operation: 'updateUser',
    method: 'PUT',
    path: '/api/admin/user-admin/4',
    subject: 'user',
    credential: admin,
    headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
    body: '{"name":"Ada"}',
    meant: { body: 'valid', id: 'valid' },
    purpose: 'An update',
    due: VALID,
    ...changes,
  };
}

export function bannersRequest(changes: Partial<RequestSpec> = {}): RequestSpec {
  return {
    operation: 'listBanners',
    method: 'GET',
    path: '/api/admin/banners',
    subject: 'none',
    credential: admin,
    headers: { Accept: 'application/json' },
    meant: { body: 'valid', id: 'valid' },
    purpose: 'A list of banners',
    due: UNSPECIFIED,
    ...changes,
  };
}

const sent = (request: RequestSpec): Exchange => ({ request, queuedAt: 0, startedAt: 0, duration: 1, pauses: 0 });

/** The request, with a response that has a JSON body. */
export function answered(
  request: RequestSpec,
  status: number,
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): Exchange {
  const text = JSON.stringify(body);
  return {
    ...sent(request),
    response: {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      text,
      json: { ok: true, value: JSON.parse(text) as unknown },
    },
  };
}

/** The request, without a response. */
export function faulted(request: RequestSpec, kind: TransportError): Exchange {
  return { ...sent(request), transportError: { kind, detail: `detail of ${kind}` } };
}

/** An accepted update: what it sent, and what the response showed. */
export function update(sent: Record<string, unknown>, shown: Record<string, unknown>): Exchange {
  return answered(updateRequest({ body: JSON.stringify(sent) }), 200, shown);
}

/** The same exchanges, one after the other. */
export function inOrder(...exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.map((exchange, index) => ({ ...exchange, startedAt: 10 * index }));
}

/** What a run left that sent these. */
export function recordingOf(exchanges: readonly Exchange[], rest: Partial<Recording> = {}): Recording {
  return {
    inputs,
    exchanges,
    lastReadings: [],
    restoring: [],
    notBuildable: new Set(),
    errors: new Map(),
    more: new Set(),
    blocked: {},
    stopped: false,
    ...rest,
  };
}

/** The message of the error of a class that an action throws; fails if it throws none, or another. */
export function messageOf(kind: new (message?: string) => Error, action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof kind) return error.message;
    throw error;
  }
  throw new Error(`Nothing was thrown where a ${kind.name} was expected.`);
}

/** An object without one of its members. */
export function without<T extends object, K extends keyof T>(value: T, member: K): Omit<T, K> {
  const copy: Omit<T, K> & Partial<Pick<T, K>> = { ...value };
  Reflect.deleteProperty(copy, member);
  return copy;
}
