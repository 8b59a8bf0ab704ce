import { STATUS_CODES } from 'node:http';
import { without } from '../../../common/json.ts';
import { operations } from '../../../conformance/operations/index.ts';
import { errorName, errorStatuses, type ApiError } from '../../../contract/document.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, dealt } from '../../table.ts';
import { type Answered, type Which, all, anError, answered, isTo } from '../requests.ts';
import { adding, page, sendingText, showing } from '../responses.ts';

/** What the body is in place of the error. */
type BodyFault = (error: ApiError, status: number, phrase: string) => unknown;

const BODY_FAULTS: Table<BodyFault> = {
  ...Object.fromEntries(
    ['id', 'name', 'message'].flatMap((member) =>
      Object.entries<BodyFault>({
        [`without-${member}: has no \`${member}\``]: (error) => without({ ...error }, member),
        [`with-null-as-${member}: has null as \`${member}\``]: (error) => ({ ...error, [member]: null }),
        [`with-number-as-${member}: has a number as \`${member}\``]: (error) => ({ ...error, [member]: 7 }),
      }),
    ),
  ),
  'with-list-of-messages: has an array as `message`': (error) => ({ ...error, message: [error.message] }),
  'in-array: is an array that contains the error': (error) => [error],
  'wrapped-in-error: has the error in the member `error`': (error) => ({ error }),
  'a-json-text: is a JSON string with the message': ({ message }) => message,
  'null: is null': () => null,
  'an-empty-object: is an empty object': () => ({}),
  'of-rfc-9457: is a problem document (RFC 9457)': ({ message }, status, title) => ({
    type: 'about:blank',
    title,
    status,
    detail: message,
  }),
  'with-code-in-place-of-name: has `code` instead of `name`': ({ id, name: code, message }) => ({ id, code, message }),
  'in-capitals: has its members in capitals': ({ id, name, message }) => ({ ID: id, NAME: name, MESSAGE: message }),
};

const TEXTS: Table<readonly [text: (phrase: string) => string, type: string | null]> = {
  'empty: is empty': [() => '', null],
  'plain-text: is plain text': [(phrase) => phrase, 'text/plain'],
  'html: is an HTML page': [page, 'text/html; charset=utf-8'],
};

const NAMES: Table<(right: string, phrase: string) => unknown> = {
  'named-by-phrase: has the reason phrase of its status as its name': (_right, phrase) => phrase,
  'named-error: has the name `Error`': () => 'Error',
  'named-in-lower-case: has its name in lower case': (right) => right.toLowerCase(),
  'named-with-exception: has the name of an exception class': (right) => `${right.replace(/Error$/, '')}Exception`,
  'unnamed: has an empty name': () => '',
  'named-as-other: has the name of another error': (right) =>
    errorStatuses.map(errorName).find((name) => name !== right),
};

/**
 * Some responses come from a part of the server that does not produce the error bodies.
 *
 * @param what completes "The 401 response …"
 */
export function foreignErrors(id: string, what: string, status: number, some: Which): WrittenDefect[] {
  return breaking('errors.body', {
    [`error-of-framework-for-${id}: The ${status} response ${what} has the error body of a web framework.`]:
      showing<ApiError>(all(answered(status), some), ({ message }) => ({ statusCode: status, message })),
  });
}

const REPEATED_IDS: Table<(error: ApiError, seen: Answered) => string> = {
  'empty: Every error has an empty string as its id': () => '',
  'the-same: Every error has the same id': () => 'e-1',
  'of-status: The id of an error is its status': (_error, { status }) => String(status),
  'of-message: The id of an error is derived from its message': ({ message }) => Buffer.from(message).toString('hex'),
  'counted-to-ten: The ids of errors count from 0 to 9 and start again': (_error, { count }) => String(count % 10),
};

/** Texts that reach a client where errors are passed on as they come. */
const INTERNAL_TEXTS: Table<string> = {
  'node-stack: the stack trace of Node.js':
    'TypeError: x is undefined\n    at update (/srv/app/users.js:12:7)\n    at next (/srv/app/x.js:3:1)',
  'python-stack: the stack trace of Python':
    'Traceback (most recent call last):\n  File "/srv/app/users.py", line 12, in update',
  'java-stack: the stack trace of Java':
    'java.lang.IllegalStateException: x\n\tat com.example.Users.update(Users.java:12)',
  'database-message: a message of the database': 'null value in column "name" violates not-null constraint',
  'sql-state: a state of the database': 'SQLSTATE[22P02]: Invalid text representation',
  'query: a query': 'Query failed: UPDATE users SET name = $1 WHERE id = $2',
};

const phraseOf = (status: number): string => STATUS_CODES[status] ?? '';

/** Source: Resources, Error body; Errors; opening paragraph. */
export const errorsDefects: readonly WrittenDefect[] = [
  ...dealt(BODY_FAULTS, errorStatuses).flatMap(([status, faults]) =>
    breaking('errors.body', faults, `error-${status}-*: The body of a ${status} response *.`, (change) =>
      showing<ApiError>(answered(status), (error) => change(error, status, phraseOf(status))),
    ),
  ),
  ...dealt(TEXTS, errorStatuses).flatMap(([status, texts]) =>
    breaking('bodies.json', texts, `error-${status}-*: The body of a ${status} response *.`, ([text, type]) =>
      sendingText(answered(status), () => text(phraseOf(status)), type),
    ),
  ),
  ...dealt(NAMES, errorStatuses).flatMap(([status, names]) =>
    breaking('errors.name', names, `error-${status}-*: The error in a ${status} response *.`, (name) =>
      adding(answered(status), { name: name(errorName(status) ?? '', phraseOf(status)) }),
    ),
  ),
  ...operations.flatMap(({ id, slug }) => foreignErrors(slug, `of \`${id}\``, 401, isTo(id))),
  ...breaking('errors.body', {
    'error-ids-are-counted: The id of an error is its number, also where a user has this id.': adding<ApiError>(
      anError,
      (_error, { count }) => ({ id: count }),
    ),
  }),
  ...breaking('errors.name', {
    'errors-named-by-status: The name of every error is the reason phrase of its status.': adding(
      anError,
      (_error, { status }) => ({ name: STATUS_CODES[status] }),
    ),
  }),
  ...breaking('errors.id-per-instance', REPEATED_IDS, 'error-id-*: *.', (make) =>
    adding<ApiError>(anError, (error, seen) => ({ id: make(error, seen) })),
  ),
  ...breaking('errors.message', {
    'error-message-empty: The `message` of every error is an empty string.': adding(anError, { message: '' }),
    'error-message-blank-for-401: The `message` of a 401 error is a space.': adding(answered(401), { message: ' ' }),
  }),
  ...breaking('errors.no-internals', INTERNAL_TEXTS, 'error-shows-*: A 400 error shows * as its message.', (message) =>
    adding(answered(400), { message }),
  ),
  ...breaking('errors.no-internals', {
    'error-shows-stack-member: Every error has a member `stack` with the stack trace.': adding(anError, {
      stack: 'Refused: no\n    at authenticate (rules.js:1:1)',
    }),
  }),
];
