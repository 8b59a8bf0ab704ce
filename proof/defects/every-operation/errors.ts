import { without } from '../../../common/json.ts';
import { STATUS_CODES } from 'node:http';
import { operations } from '../../../conformance/operations/index.ts';
import { errorName, errorStatuses, type ApiError } from '../../../contract/document.ts';
import type { Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { alike, named, rows } from '../../table.ts';
import { isTo } from '../requests.ts';
import { type WhichResponse, anError, page, sendingText, showing } from '../responses.ts';

const STATUSES = errorStatuses.map((status) => ({ status, phrase: STATUS_CODES[status] ?? '' }));

function answered(status: number): WhichResponse {
  return (answer) => answer.status === status;
}

/** Faults of one member of the error. */
const MEMBER_FAULTS: readonly (readonly [fault: string, what: string, change: (error: ApiError) => object])[] = (
  ['id', 'name', 'message'] as const
).flatMap((member) => [
  [`without-${member}`, `has no \`${member}\``, (error: ApiError) => without({ ...error }, member)] as const,
  [`with-null-as-${member}`, `has null as \`${member}\``, (error: ApiError) => ({ ...error, [member]: null })] as const,
  [
    `with-number-as-${member}`,
    `has a number as \`${member}\``,
    (error: ApiError) => ({ ...error, [member]: 7 }),
  ] as const,
]);

type BodyFault = readonly [
  fault: string,
  what: string,
  change: (error: ApiError, status: number, phrase: string) => unknown,
];

const BODY_FAULTS: readonly BodyFault[] = [
  ...MEMBER_FAULTS,
  ...rows<BodyFault>({
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
  }),
];

const bodies: readonly Defect[] = STATUSES.flatMap(({ status, phrase }) =>
  BODY_FAULTS.map(([fault, what, change]) => ({
    id: `error-${status}-${fault}`,
    title: `The body of a ${status} response ${what}.`,
    breaks: ['errors.body'],
    killedBy: { [`error-body-${status}`]: 'wrong-error-body' },
    behaviour: showing(answered(status), (body) => change(body as ApiError, status, phrase)),
  })),
);

const TEXTS: readonly (readonly [
  fault: string,
  what: string,
  text: (phrase: string) => string,
  type: string | null,
])[] = rows({
  'empty: is empty': [() => '', null],
  'plain-text: is plain text': [(phrase) => phrase, 'text/plain'],
  'html: is an HTML page': [page, 'text/html; charset=utf-8'],
  'xml: is XML': [(phrase) => `<?xml version="1.0"?><error><message>${phrase}</message></error>`, 'application/xml'],
});

const texts: readonly Defect[] = STATUSES.flatMap(({ status, phrase }) =>
  TEXTS.map(([fault, what, text, type]) => ({
    id: `error-${status}-${fault}`,
    title: `The body of a ${status} response ${what}.`,
    breaks: ['bodies.json'],
    killedBy: { 'json-error': 'not-json' },
    behaviour: sendingText(answered(status), () => text(phrase), type),
  })),
);

const NAMES: readonly (readonly [fault: string, what: string, name: (right: string, phrase: string) => unknown])[] =
  rows({
    'named-by-phrase: has the reason phrase of its status as its name': (_right, phrase) => phrase,
    'named-error: has the name `Error`': () => 'Error',
    'named-in-lower-case: has its name in lower case': (right) => right.toLowerCase(),
    'named-in-snake-case: has its name in snake case': (right) => right.replaceAll(/\B[A-Z]/g, '_$&').toUpperCase(),
    'named-with-namespace: has a namespace in its name': (right) => `app.errors.${right}`,
    'named-with-exception: has the name of an exception class': (right) => `${right.replace(/Error$/, '')}Exception`,
    'named-in-blanks: has a trailing space in its name': (right) => `${right} `,
    'unnamed: has an empty name': () => '',
  });

function nameDefect(status: number, fault: string, what: string, behaviour: Behaviour): Defect {
  return {
    id: `error-${status}-${fault}`,
    title: `The error in a ${status} response ${what}.`,
    breaks: ['errors.name'],
    killedBy: { [`error-name-${status}`]: 'wrong-error-name' },
    behaviour,
  };
}

const names: readonly Defect[] = STATUSES.flatMap(({ status, phrase }) =>
  NAMES.map(([fault, what, name]) =>
    nameDefect(
      status,
      fault,
      what,
      showing(answered(status), (body) => ({ ...(body as ApiError), name: name(errorName(status) ?? '', phrase) })),
    ),
  ),
);

const namedAlike: readonly Defect[] = STATUSES.flatMap(({ status }) =>
  STATUSES.filter((other) => other.status !== status).map((other) =>
    nameDefect(
      status,
      `named-as-${other.status}`,
      `has the name of a ${other.status} error`,
      showing(answered(status), (body) => ({ ...(body as ApiError), name: errorName(other.status) })),
    ),
  ),
);

/**
 * The responses come from a part of the server that does not produce the error bodies.
 *
 * @param what completes "The 401 response …"
 */
export function foreignErrors(id: string, what: string, status: number, which: WhichResponse): Defect[] {
  return named<Defect>({
    [`error-page-for-${id}: The ${status} response ${what} is an HTML page of the web server.`]: {
      breaks: ['bodies.json'],
      killedBy: { 'json-error': 'not-json' },
      behaviour: sendingText(which, () => page(`Error ${status}`), 'text/html'),
    },
    [`error-of-framework-for-${id}: The ${status} response ${what} has the error body of a web framework.`]: {
      breaks: ['errors.body'],
      killedBy: { [`error-body-${status}`]: 'wrong-error-body' },
      behaviour: showing(which, (body) => ({ statusCode: status, message: (body as ApiError).message })),
    },
  });
}

const inFewResponses: readonly Defect[] = operations.flatMap(({ id, slug }) =>
  foreignErrors(slug, `of \`${id}\``, 401, ({ request, status }) => status === 401 && isTo(id)(request)),
);

const everywhere: readonly Defect[] = named<Defect>({
  'errors-wrapped: Every error body is inside the member `error`.': {
    breaks: ['errors.body'],
    killedBy: { 'error-body-400': 'wrong-error-body', 'error-body-401': 'wrong-error-body' },
    behaviour: showing(anError, (error) => ({ error })),
  },
  'errors-named-by-status: The name of every error is the reason phrase of its status.': {
    breaks: ['errors.name'],
    killedBy: { 'error-name-400': 'wrong-error-name', 'error-name-401': 'wrong-error-name' },
    behaviour: showing(anError, (error, { status }) => ({ ...(error as ApiError), name: STATUS_CODES[status] })),
  },
});

const REPEATED_IDS: readonly (readonly [
  id: string,
  title: string,
  make: (status: number, error: ApiError, count: number) => string,
])[] = rows({
  'constant: Every error has the same id': () => '0',
  'empty: Every error has an empty string as its id': () => '',
  'nil: Every error has the nil UUID as its id': () => '00000000-0000-0000-0000-000000000000',
  'of-status: The id of an error is its status': (status) => String(status),
  'of-kind: The id of an error is its name': (_status, { name }) => name,
  'of-message: The id of an error is derived from its message': (_status, { message }) =>
    Buffer.from(message).toString('hex'),
  'of-process: The id of an error is the process id': () => String(process.pid),
  'counted-to-ten: The ids of errors count from 0 to 9 and start again': (_status, _error, count) => String(count % 10),
});

const ids: readonly Defect[] = [
  ...REPEATED_IDS.map(([id, title, make]) => ({
    id: `error-id-${id}`,
    title: `${title}.`,
    breaks: ['errors.id-per-instance'],
    killedBy: { 'error-id-distinct': 'repeated-id' },
    behaviour: showing(anError, (error, { status, count }) => ({
      ...(error as ApiError),
      id: make(status, error as ApiError, count),
    })),
  })),
  ...STATUSES.map(({ status }) => ({
    id: `error-id-same-for-${status}`,
    title: `Every ${status} error has the same id.`,
    breaks: ['errors.id-per-instance'],
    killedBy: { 'error-id-distinct': 'repeated-id' },
    behaviour: showing(answered(status), (error) => ({ ...(error as ApiError), id: 'e-1' })),
  })),
];

const emptyMessages = alike(['errors.message'], { 'error-message-given': 'empty' })({
  'error-message-empty: The `message` of every error is an empty string.': showing(anError, (error) => ({
    ...(error as ApiError),
    message: '',
  })),
  'error-message-blank-for-401: The `message` of a 401 error is a space.': showing(answered(401), (error) => ({
    ...(error as ApiError),
    message: ' ',
  })),
});

/** Texts that reach a client where errors are passed on as they come. */
const INTERNAL_TEXTS: readonly (readonly [id: string, title: string, text: string])[] = rows({
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
});

const internals = alike(['errors.no-internals'], { 'error-shows-no-internals': 'internals-shown' })({
  ...Object.fromEntries(
    INTERNAL_TEXTS.map(([id, title, text]) => [
      `error-shows-${id}: A 400 error shows ${title} as its message.`,
      showing(answered(400), (error) => ({ ...(error as ApiError), message: text })),
    ]),
  ),
  'error-shows-stack-member: Every error has a member `stack` with the stack trace.': showing(anError, (error) => ({
    ...(error as ApiError),
    stack: 'Refused: no\n    at authenticate (rules.js:1:1)',
  })),
});

/** Source: Resources, Error body; Errors; opening paragraph. */
export const errorsDefects: readonly Defect[] = [
  ...bodies,
  ...texts,
  ...names,
  ...namedAlike,
  ...inFewResponses,
  ...everywhere,
  ...ids,
  ...emptyMessages,
  ...internals,
];
