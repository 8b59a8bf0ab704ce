// The administrative API on Express, with its users and banners in memory.
import { randomUUID } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import express from 'express';

const KEYS = new Map([
  ['example-admin-key', ['users:write']],
  ['example-restricted-key', []],
]);
const ERROR_NAMES = {
  400: 'ValidationError',
  401: 'AuthenticationRequired',
  403: 'NoAccessError',
  404: 'NotFoundError',
};

const joined = '2026-01-31T09:00:00Z';
const users = new Map([
  [4, { id: 4, name: 'Ann', email: 'ann@example.com', username: 'ann', rootRole: 1, createdAt: joined }],
  [5, { id: 5, name: 'Bob', email: 'bob@example.com', username: 'bob', rootRole: 2, createdAt: joined }],
]);
const banners = [{ id: 1, message: 'Welcome', enabled: true, createdAt: '2026-02-28T12:00:00+01:00' }];

class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function authenticate(request, response, next) {
  response.locals.permissions = KEYS.get(request.get('Authorization'));
  if (!response.locals.permissions) throw new HttpError(401, 'A valid API key is required.');
  next();
}

function mayUpdateUsers(_request, response, next) {
  if (!response.locals.permissions.includes('users:write')) throw new HttpError(403, 'This key cannot update users.');
  next();
}

const isText = (value) => typeof value === 'string';
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const UPDATABLE = {
  name: isText,
  email: isText,
  rootRole: (value) => Number.isInteger(value) || isObject(value),
};

/** The members of a body that an update may change, if all of them are valid. */
function changesIn(body) {
  // [object] express.json() accepts arrays.
  if (!isObject(body)) throw new HttpError(400, 'The body must be a JSON object.');

  // [sent] What was sent is judged by its presence: 0, "" and null are sent, too.
  const sent = Object.keys(UPDATABLE).filter((member) => Object.hasOwn(body, member));
  const wrong = sent.find((member) => !UPDATABLE[member](body[member]));
  if (wrong) throw new HttpError(400, `The type of ${wrong} is wrong.`);

  return Object.fromEntries(sent.map((member) => [member, body[member]]));
}

function updateUser(request, response) {
  // [path-id] The whole id is a number, not only its beginning.
  const { id } = request.params;
  if (!/^\d+$/.test(id)) throw new HttpError(400, 'The user id must be an integer.');
  const user = users.get(Number(id));

  if (!user) throw new HttpError(404, 'There is no such user.');
  response.json(Object.assign(user, changesIn(request.body)));
}

// [errors] Express knows a handler of errors by its four parameters; those of express.json() have a status, too.
function sendError(error, _request, response, next) {
  if (response.headersSent) return next(error);
  const { status = 500 } = error;
  const name = ERROR_NAMES[status] ?? 'UnexpectedError';
  const message = status === 500 ? 'The server failed.' : error.message;
  response.status(status).json({ id: randomUUID(), name, message });
}

const app = express();
app.use(authenticate);
app.get('/api/admin/banners', (_request, response) => response.json({ banners }));

// [bytes] express.json() makes {} of an empty body, and replaces what is not UTF-8.
const requireText = (_request, _response, bytes) => {
  if (bytes.length === 0 || !isUtf8(bytes)) throw new HttpError(400, 'The body must be JSON in UTF-8.');
};
app.put('/api/admin/user-admin/:id', mayUpdateUsers, express.json({ verify: requireText }), updateUser);

app.use(() => {
  throw new HttpError(404, 'There is nothing here.');
});
app.use(sendError);
app.listen(process.env.PORT ?? 4242, '127.0.0.1');
