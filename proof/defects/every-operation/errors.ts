import { STATUS_CODES } from 'node:http';
import { without } from '../../../common/json.ts';
import { operations } from '../../../conformance/operations/index.ts';
import { errorName, errorStatuses, type ApiError } from '../../../contract/document.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, defectsOf, named, tableOf } from '../../table.ts';
import { type Around, type Which, all, anError, answered, isTo } from '../requests.ts';
import { adding, page, sendingText, showing } from '../responses.ts';

const STATUSES = errorStatuses.map((status) => ({ status, phrase: STATUS_CODES[status] ?? '' }));

/** What the body is in place of the error. */
type BodyFault = (error: ApiError, status: number, phrase: string) => unknown;

const BODY_FAULTS: Table<BodyFault> = {
  ...Object.fromEntries(
    (['id', 'name', 'message'] as const).flatMap((member) =>
      Object.entries<BodyFault>({
        [`without-${member}: has no \`${member}\``]: (error) => without({ ...error }, member),
        [`with-null-as-${member}: has null as \`${member}\``]: (error) => ({ ...error, [member]: null }),
        [`with-number-as-${member}: has a number as \`${member}\``]: (error) => ({ ...error, [member]: 7 }),
      }),
    ),
  ),
  'with-list-of-messages: has an array as `message`': (error) => ({ ...error, message: [error.message] }),
  'with-details-as-message: has an object as `message`': (error) => ({ ...error, message: { text: error.message } }),
  'with-array-as-id: has an array as `id`': (error) => ({ ...error, id: [error.id] }),
  'in-array: is an array that contains the error': (error) => [error],
  'wrapped-in-error: has the error in the member `error`': (error) => ({ error }),
  'listed-in-errors: has the error in the array `errors`': (error) => ({ errors: [error] }),
  'a-json-text: is a JSON string with the message': ({ message }) => message,
  'null: is null': () => null,
  'an-empty-object: is an empty object': () => ({}),
  'of-framework: has the form of a web framework': ({ message }, statusCode, error) => ({
    statusCode,
    error,
    message,
  }),
  'of-rfc-9457: is a problem document (RFC 9457)': ({ message }, status, title) => ({
    type: 'about:blank',
    title,
    status,
    detail: message,
  }),
  'with-code-in-place-of-name: has `code` instead of `name`': ({ id, name, message }) => ({
    id,
    code: name,
    message,
  }),
  'with-title-in-place-of-message: has `title` instead of `message`': ({ id, name, message }) => ({
    id,
    name,
    title: message,
  }),
  'in-capitals: has its members in capitals': ({ id, name, message }) => ({ ID: id, NAME: name, MESSAGE: message }),
};

const TEXTS: Table<readonly [text: (phrase: string) => string, type: string | null]> = {
  'empty: is empty': [() => '', null],
  'plain-text: is plain text': [(phrase) => phrase, 'text/plain'],
  'html: is an HTML page': [page, 'text/html; charset=utf-8'],
  'xml: is XML': [(phrase) => `<?xml version="1.0"?><error><message>${phrase}</message></error>`, 'application/xml'],
};

const NAMES: Table<(right: string, phrase: string) => unknown> = {
  'named-by-phrase: has the reason phrase of its status as its name': (_right, phrase) => phrase,
  'named-error: has the name `Error`': () => 'Error',
  'named-in-lower-case: has its name in lower case': (right) => right.toLowerCase(),
  'named-in-snake-case: has its name in snake case': (right) => right.replaceAll(/\B[A-Z]/g, '_$&').toUpperCase(),
  'named-with-namespace: has a namespace in its name': (right) => `app.errors.${right}`,
  'named-with-exception: has the name of an exception class': (right) => `${right.replace(/Error$/, '')}Exception`,
  'named-in-blanks: has a trailing space in its name': (right) => `${right} `,
  'unnamed: has an empty name': () => '',
};

/**
 * Some responses come from a part of the server that does not produce the error bodies.
 *
 * @param what completes "The 401 response …"
 */
export function foreignErrors(id: string, what: string, status: number, some: Which): WrittenDefect[] {
  const which = all(answered(status), some);
  return named<WrittenDefect>({
    [`error-page-for-${id}: The ${status} response ${what} is an HTML page of the web server.`]: {
      breaks: ['bodies.json'],
      behaviour: sendingText(which, () => page(`Error ${status}`), 'text/html'),
    },
    [`error-of-framework-for-${id}: The ${status} response ${what} has the error body of a web framework.`]: {
      breaks: ['errors.body'],
      behaviour: showing<ApiError>(which, ({ message }) => ({ statusCode: status, message })),
    },
  });
}

const REPEATED_IDS: Table<Around> = {
  'constant: Every error has the same id': adding(anError, { id: '0' }),
  'empty: Every error has an empty string as its id': adding(anError, { id: '' }),
  'nil: Every error has the nil UUID as its id': adding(anError, { id: '00000000-0000-0000-0000-000000000000' }),
  'of-status: The id of an error is its status': adding(anError, (_error, { status }) => ({ id: String(status) })),
  'of-kind: The id of an error is its name': adding<ApiError>(anError, ({ name }) => ({ id: name })),
  'of-message: The id of an error is derived from its message': adding<ApiError>(anError, ({ message }) => ({
    id: Buffer.from(message).toString('hex'),
  })),
  'of-process: The id of an error is the process id': adding(anError, { id: String(process.pid) }),
  'counted-to-ten: The ids of errors count from 0 to 9 and start again': adding(anError, (_error, { count }) => ({
    id: String(count % 10),
  })),
  ...tableOf(
    errorStatuses,
    (status) => `same-for-${status}: Every ${status} error has the same id`,
    (status) => adding(answered(status), { id: 'e-1' }),
  ),
};

/** Texts that reach a client where errors are passed on as they come. */
const INTERNAL_TEXTS: Table<string> = {
  'node-stack: the stack trace of Node.js':
    'TypeError: x is undefined\n    at update (/srv/app/users.js:12:7)\n    at next (/srv/app/x.js:3:1)',
  'python-stack: the stack trace of Python':
    'Traceback (most recent call last):\n  File "/srv/app/users.py", line 12, in update',
  'java-stack: the stack trace of Java':
    'java.lang.IllegalStateException: x\n\tat com.example.Users.update(Users.java:12)',
  'java-exception: an exception of Java':
    'org.springframework.http.converter.HttpMessageNotReadableException: JSON parse error',
  'database-message: a message of the database': 'null value in column "name" violates not-null constraint',
  'sql-state: a state of the database': 'SQLSTATE[22P02]: Invalid text representation',
  'query: a query': 'Query failed: UPDATE users SET name = $1 WHERE id = $2',
};

/** Source: Resources, Error body; Errors; opening paragraph. */
export const errorsDefects: readonly WrittenDefect[] = [
  ...STATUSES.flatMap(({ status, phrase }) =>
    defectsOf(
      BODY_FAULTS,
      (change) => ({
        breaks: ['errors.body'],
        behaviour: showing<ApiError>(answered(status), (error) => change(error, status, phrase)),
      }),
      `error-${status}-*: The body of a ${status} response *.`,
    ),
  ),
  ...STATUSES.flatMap(({ status, phrase }) =>
    defectsOf(
      TEXTS,
      ([text, type]) => ({
        breaks: ['bodies.json'],
        behaviour: sendingText(answered(status), () => text(phrase), type),
      }),
      `error-${status}-*: The body of a ${status} response *.`,
    ),
  ),
  ...STATUSES.flatMap(({ status, phrase }) => {
    const alikeTo = tableOf(
      errorStatuses.filter((other) => other !== status),
      (other) => `named-as-${other}: has the name of a ${other} error`,
      (other) => () => errorName(other),
    );
    return defectsOf(
      { ...NAMES, ...alikeTo },
      (name) => ({
        breaks: ['errors.name'],
        behaviour: adding(answered(status), { name: name(errorName(status) ?? '', phrase) }),
      }),
      `error-${status}-*: The error in a ${status} response *.`,
    );
  }),
  ...operations.flatMap(({ id, slug }) => foreignErrors(slug, `of \`${id}\``, 401, isTo(id))),
  ...named<WrittenDefect>({
    'errors-wrapped: Every error body is inside the member `error`.': {
      breaks: ['errors.body'],
      behaviour: showing(anError, (error) => ({ error })),
    },
    'errors-named-by-status: The name of every error is the reason phrase of its status.': {
      breaks: ['errors.name'],
      behaviour: adding(anError, (_error, { status }) => ({ name: STATUS_CODES[status] })),
    },
  }),
  ...breaking(['errors.id-per-instance'], 'error-id-*: *.')(REPEATED_IDS),
  ...breaking(['errors.message'])({
    'error-message-empty: The `message` of every error is an empty string.': adding(anError, { message: '' }),
    'error-message-blank-for-401: The `message` of a 401 error is a space.': adding(answered(401), { message: ' ' }),
  }),
  ...defectsOf(
    INTERNAL_TEXTS,
    (message) => ({
      breaks: ['errors.no-internals'],
      behaviour: adding(answered(400), { message }),
    }),
    'error-shows-*: A 400 error shows * as its message.',
  ),
  ...breaking(['errors.no-internals'])({
    'error-shows-stack-member: Every error has a member `stack` with the stack trace.': adding(anError, {
      stack: 'Refused: no\n    at authenticate (rules.js:1:1)',
    }),
  }),
];
