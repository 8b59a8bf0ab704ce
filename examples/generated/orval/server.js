// The administrative API on the zod schemas that orval generates from the contract, with its users and banners in memory.
import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { TextDecoder } from 'node:util';
import { updateUserBody } from './api.js';

const ERROR_NAMES = {
  400: 'ValidationError',
  401: 'AuthenticationRequired',
  403: 'NoAccessError',
  404: 'NotFoundError',
};
/** Each API key, and whether it has permission to update users. */
const KEYS = new Map([
  ['example-admin-key', true],
  ['example-restricted-key', false],
]);
const MOST_BYTES = 100_000;

const createdAt = '2026-01-31T09:00:00Z';
const users = new Map([
  [4, { id: 4, name: 'Ann', email: 'ann@example.com', username: 'ann', rootRole: 1, createdAt }],
  [5, { id: 5, name: 'Bob', email: 'bob@example.com', username: 'bob', rootRole: 2, createdAt }],
]);

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function bytesOf(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MOST_BYTES) chunks.push(chunk);
  }
  if (size > MOST_BYTES) throw new Refused(413, 'The body is too long.');
  return Buffer.concat(chunks);
}

/** The members that a body sends. The schema leaves out what was not sent, and refuses null and other types. */
function membersIn(bytes) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const sent = updateUserBody.parse(JSON.parse(text));
    // The schema takes any number for an integer.
    if (typeof sent.rootRole === 'number' && !Number.isSafeInteger(sent.rootRole))
      throw new Error('rootRole is no id.');
    return sent;
  } catch (error) {
    throw new Refused(400, error.message);
  }
}

function updateUser(canUpdate, id, body) {
  if (!canUpdate) throw new Refused(403, 'This key lacks permission to update users.');
  const user = /^\d+$/.test(id) && users.get(Number(id));
  if (!user) throw new Refused(404, 'There is no such user.');
  return Object.assign(user, membersIn(body));
}

/** Finds the operation; the query is no part of the path. */
async function respondTo(request) {
  const body = await bytesOf(request);
  const canUpdate = KEYS.get(request.headers.authorization);
  if (canUpdate === undefined) throw new Refused(401, 'Send a valid API key in the Authorization header.');
  const [, id] = /^\/api\/admin\/user-admin\/([^/?]+)(\?|$)/.exec(request.url) ?? [];
  if (request.method === 'PUT' && id !== undefined) return updateUser(canUpdate, id, body);
  if (request.method === 'GET' && /^\/api\/admin\/banners(\?|$)/.test(request.url)) return { banners: [] };
  throw new Refused(404, 'There is no such path.');
}

createServer(async (request, response) => {
  const [status, body] = await respondTo(request).then(
    (found) => [200, found],
    ({ status = 500, message }) => [status, { id: randomUUID(), name: ERROR_NAMES[status] ?? 'Error', message }],
  );
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}).listen(process.env.PORT ?? 4242, '127.0.0.1');
