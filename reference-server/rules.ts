import { isUtf8 } from 'node:buffer';
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { errorName, type ApiError, type UpdateUser, type User } from '../contract/document.ts';
import type { Validators } from '../contract/validators.ts';
import { updatableMembers, type Seed, type Store } from './seed.ts';

export type { Store };

/** A request, as the operations see it. */
export interface ApiRequest {
  readonly method: string;
  /** The path without the query, as it was sent. */
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface ApiResponse {
  readonly status: number;
  /** Sent as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Caller = keyof Seed['keys'];

/** Thrown by a rule to end an operation with an error response. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    // Nobody reads where a request was refused, and to find that out takes longer than the rest of the response.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
  }
}

/** Whether a text is a key, in a time that does not tell how much of it is right. */
function isKey(sent: Buffer, key: string): boolean {
  return sent.length === Buffer.byteLength(key) && timingSafeEqual(sent, Buffer.from(key));
}

function requireValid(validate: Validators['bodies'][keyof Validators['bodies']], value: unknown): void {
  const [violation] = validate(value);
  if (!violation) return;
  const where = violation.pointer === '' ? 'The body' : violation.pointer.slice(1);
  throw new Refused(400, `${where} ${violation.message}.`);
}

/** Who may do what. */
const callerRules = {
  /** Whose key the request carries (auth.key-required, auth.key-valid, auth.header-only). */
  authenticate(request: ApiRequest, store: Store): Caller {
    const sent = Buffer.from(String(request.headers.authorization ?? ''));
    const isAdmin = isKey(sent, store.keys.admin);
    const isRestricted = isKey(sent, store.keys.restricted);
    if (isAdmin) return 'admin';
    if (isRestricted) return 'restricted';
    throw new Refused(401, 'Send a valid API key in the Authorization header.');
  },

  /** Whether this caller has the permission for an operation that requires one (permission.refused). */
  authorize(caller: Caller): void {
    if (caller !== 'admin') throw new Refused(403, 'This key lacks the permission.');
  },
};

/** What a request says. */
const requestRules = {
  /** The user id from the path segment (path-id.integer). */
  parseUserId(segment: string): number {
    if (!/^(0|-?[1-9]\d*)$/.test(segment)) throw new Refused(400, 'The user id in the path must be an integer.');
    return Number(segment);
  },

  /** Whether the body is declared as JSON (open.content-type-absent, open.content-type-other: this server says 415). */
  requireJsonMediaType(request: ApiRequest): void {
    const mediaType = String(request.headers['content-type']);
    if (!/^\s*application\/json\s*(;|$)/i.test(mediaType)) throw new Refused(415, 'Send the body as application/json.');
  },

  /** The body as a JSON value (request-body.required, request-body.well-formed, request-body.utf-8). */
  parseBody(body: Buffer): unknown {
    if (body.length === 0) throw new Refused(400, 'The request needs a body.');
    if (!isUtf8(body)) throw new Refused(400, 'The body is not UTF-8.');
    try {
      return JSON.parse(body.toString('utf8'));
    } catch {
      throw new Refused(400, 'The body is not JSON.');
    }
  },
};

/** What is stored, and what clients see of it. */
const storeRules = {
  /** The addressed user (missing-user.not-found). */
  findUser(store: Store, id: number): User {
    const user = store.users.get(id);
    if (!user) throw new Refused(404, `There is no user ${id}.`);
    return user;
  },

  /** Stores the members that were sent, and only those (update.sent-fields-change, update.unsent-fields-keep). */
  applyUpdate(store: Store, user: User, update: UpdateUser): User {
    const updated: Record<string, unknown> & User = { ...user };
    for (const member of updatableMembers)
      if (Object.hasOwn(update, member)) updated[member] = update[member as keyof UpdateUser];
    store.users.set(user.id, updated);
    return updated;
  },

  /** What a client sees of a user (update.answer-shows-user). */
  presentUser(user: User): unknown {
    return user;
  },

  /** What a client sees of the banners (banners.shape, banners.all-configured). */
  presentBanners(banners: Store['banners']): unknown {
    return { banners };
  },
};

/** What is sent back. */
const responseRules = {
  /** The response to a success (update.success-is-200, banners.success-is-200). */
  succeed(body: unknown): ApiResponse {
    return { status: 200, body };
  },

  /** The response to a refusal (errors.body, errors.name). Statuses beyond the contract have names of their own. */
  refuse(status: number, message: string): ApiResponse {
    const name = errorName(status) ?? (status === 500 ? 'InternalError' : 'RequestError');
    return { status, body: { id: randomUUID(), name, message } satisfies ApiError };
  },

  /** A JSON body as it is sent, a text in UTF-8, and its media type (bodies.json). */
  serialize(body: unknown): { content: string | Buffer; contentType: string } {
    return { content: JSON.stringify(body), contentType: 'application/json; charset=utf-8' };
  },
};

/**
 * The rules of the contract, one function each. A defect or a variant replaces some of them.
 * A rule that refuses throws `Refused`.
 */
export function contractRules(validators: Validators) {
  return {
    ...callerRules,
    ...requestRules,
    ...storeRules,
    ...responseRules,

    /** The body as an update (request-body.object, request-body.name-type and the others). */
    validateUpdate(value: unknown): UpdateUser {
      requireValid(validators.bodies.updateUserSchema, value);
      return value as UpdateUser;
    },
  };
}

export type Rules = ReturnType<typeof contractRules>;

/**
 * Handles one operation.
 *
 * @param parameters the path parameters as they were sent, in the order of the path
 * @throws Refused if a rule refuses the request
 */
export type Handler = (request: ApiRequest, store: Store, rules: Rules, parameters: readonly string[]) => ApiResponse;
