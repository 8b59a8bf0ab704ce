import { STATUS_CODES } from 'node:http';
import { without } from '../../common/json.ts';
import type { ApiError } from '../../contract/document.ts';
import { breaking, type Defect } from '../server.ts';
import type { Behaviour } from '../servers/behaviour.ts';
import { aList, all, anError, answered, anUpdate, sentMembers } from '../servers/requests.ts';
import { adding, declaring, sending, sendingText, showing } from '../servers/responses.ts';

const saying = (message: string): Behaviour => adding(answered(400), { message });

/** Source: Resources, Error body; Errors. */
export const errorDefects: readonly Defect[] = [
  ...breaking('errors.body', {
    'error-400-without-id: A 400 error has no `id`': showing<ApiError>(answered(400), (error) =>
      without({ ...error }, 'id'),
    ),
    'error-404-of-rfc-9457: The body of a 404 response is a problem document (RFC 9457)': showing<ApiError>(
      answered(404),
      ({ message: detail }) => ({ type: 'about:blank', title: 'Not Found', status: 404, detail }),
    ),
    'two-faults-in-another-body: A 400 error for two members at once is a list': showing(
      all(answered(400), ({ request }) => ['name', 'email'].every((member) => member in sentMembers(request))),
      ({ message }: ApiError) => ({ errors: [message, message] }),
    ),
    'error-ids-are-counted: The id of an error is its number': adding(anError, (_error, { count }) => ({ id: count })),
  }),
  ...breaking('errors.name', {
    'error-400-named-by-phrase: A 400 error is named by the reason phrase': adding(answered(400), {
      name: 'Bad Request',
    }),
    'errors-named-by-status: The name of every error is the reason phrase of its status': adding(
      anError,
      (_error, { status }) => ({ name: STATUS_CODES[status] }),
    ),
  }),
  ...breaking('errors.id-per-instance', {
    'error-id-the-same: Every error has the same id': adding(anError, { id: 'e-1' }),
  }),
  ...breaking('errors.message', {
    'error-message-empty: The message of every error is empty': adding(anError, { message: '' }),
  }),
  ...breaking('errors.no-internals', {
    'error-shows-node-stack: A 400 error shows the stack trace of Node.js': saying(
      'TypeError: x is undefined\n    at update (/srv/app/users.js:12:7)\n    at next (/srv/app/x.js:3:1)',
    ),
    'error-shows-database-message: A 400 error shows a message of the database': saying(
      'null value in column "name" violates not-null constraint',
    ),
  }),
];

/** Source: opening paragraph. */
export const jsonDefects: readonly Defect[] = breaking('bodies.json', {
  'banners-declared-as-xml: The list is declared as XML': declaring(aList, 'application/xml'),
  'error-declared-as-html: Errors are declared as HTML': declaring(anError, 'text/html; charset=utf-8'),
  'user-json-empty: The body with a user is empty': sendingText(anUpdate, () => ''),
  'length-in-characters: The length of a body counts characters, and cuts one with letters beyond ASCII': sending(
    anUpdate,
    ({ body }) => ({ body: body.subarray(0, body.toString().length) }),
  ),
  'error-in-latin-1: Errors are in German, and in Latin-1': sending(anError, ({ body }) => ({
    body: Buffer.from(body.toString().replace('"message":"', '$&Ung\u00fcltig: '), 'latin1'),
  })),
  'error-json-with-comment: Errors begin with a comment': sendingText(anError, (json) => `// template\n${json}`),
});
