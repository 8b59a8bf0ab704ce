// An implementation of the API on plain node:http, with its users and banners in memory. The examples judge it in place of yours.
// FAULT=clears-email makes every update clear the e-mail address that it does not send.
import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { TextDecoder } from 'node:util';

export const ADMIN_KEY = 'example-admin-key';
export const RESTRICTED_KEY = 'example-restricted-key';

const ERROR_NAMES = {
  400: 'ValidationError',
  401: 'AuthenticationRequired',
  403: 'NoAccessError',
  404: 'NotFoundError',
};
const MAX_BYTES = 1_000_000;

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function newUsers() {
  const joined = '2026-01-31T09:00:00Z';
  return new Map([
    [4, { id: 4, name: 'Ann', email: 'ann@example.com', username: 'ann', rootRole: 1, createdAt: joined }],
    [5, { id: 5, name: 'Bob', email: 'bob@example.com', username: 'bob', rootRole: 2, createdAt: joined }],
  ]);
}

const banners = [{ id: 1, message: 'Welcome', enabled: true, createdAt: '2026-02-28T12:00:00+01:00' }];

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const IS_VALID = {
  name: (value) => typeof value === 'string',
  email: (value) => typeof value === 'string',
  rootRole: (value) => Number.isInteger(value) || isObject(value),
};

/** Returns the members of the body that an update may change. */
function parseUpdate(bytes) {
  let body;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'The body is not JSON.');
  }
  if (!isObject(body)) throw new Refusal(400, 'The body must be an object.');
  const sent = Object.keys(IS_VALID).filter((member) => Object.hasOwn(body, member));
  const wrong = sent.find((member) => !IS_VALID[member](body[member]));
  if (wrong) throw new Refusal(400, `The type of ${wrong} is wrong.`);
  return Object.fromEntries(sent.map((member) => [member, body[member]]));
}

function updateUser(users, key, idText, body) {
  if (key !== ADMIN_KEY) throw new Refusal(403, 'This key cannot update users.');
  if (!/^\d{1,15}$/.test(idText)) throw new Refusal(400, 'The user id must be an integer.');
  const update = parseUpdate(body);
  const user = users.get(Number(idText));
  if (!user) throw new Refusal(404, 'There is no such user.');
  if (process.env.FAULT === 'clears-email') user.email = '';
  return Object.assign(user, update);
}

function respond(users, { method, url, headers }, body) {
  const key = headers.authorization;
  if (key !== ADMIN_KEY && key !== RESTRICTED_KEY) throw new Refusal(401, 'A valid key is required.');
  const [path] = url.split('?');
  const [, idText] = /^\/api\/admin\/user-admin\/([^/]+)$/.exec(path) ?? [];
  if (method === 'PUT' && idText !== undefined) return updateUser(users, key, idText, body);
  if (method === 'GET' && path === '/api/admin/banners') return { banners };
  throw new Refusal(404, 'There is nothing here.');
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Refusal(400, 'The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function handle(users, request) {
  try {
    return { status: 200, body: respond(users, request, await readBody(request)) };
  } catch (error) {
    const { status, message } = error instanceof Refusal ? error : new Refusal(500, 'The server failed.');
    return { status, body: { id: randomUUID(), name: ERROR_NAMES[status] ?? 'InternalError', message } };
  }
}

/** Starts the server on 127.0.0.1, by default on a free port. Resolves to its address and a function that stops it. */
export async function startServer(port = 0) {
  const users = newUsers();
  const server = createServer(async (request, response) => {
    const { status, body } = await handle(users, request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

if (process.argv[1] === import.meta.filename) {
  const { url } = await startServer(Number(process.env.PORT ?? 0));
  console.log(url);
}
