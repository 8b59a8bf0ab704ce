import { errorName, type ApiError } from '../../contract/document.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Defect } from '../defect.ts';
import {
  anError,
  anUpdate,
  delivering,
  page,
  sendingText,
  showing,
  theBanners,
  type WhichResponse,
} from './answers.ts';
import { isUpdate, parsed, sentId, sentKey } from './requests.ts';
import { named, rows } from '../table.ts';

const STATUSES = [
  { status: 400, phrase: 'Bad Request' },
  { status: 401, phrase: 'Unauthorized' },
  { status: 403, phrase: 'Forbidden' },
  { status: 404, phrase: 'Not Found' },
] as const;

function answered(status: number): WhichResponse {
  return (answer) => answer.status === status;
}

function without(member: string, error: ApiError): object {
  return Object.fromEntries(Object.entries(error).filter(([name]) => name !== member));
}

/** Faults of one member of the error. */
const MEMBER_FAULTS: readonly (readonly [fault: string, what: string, change: (error: ApiError) => object])[] = (
  ['id', 'name', 'message'] as const
).flatMap((member) => [
  [`without-${member}`, `has no \`${member}\``, (error: ApiError) => without(member, error)] as const,
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
    breaks: ['errors.body', 'bodies.json'],
    killedBy: { [`error-body-${status}`]: 'wrong-error-body', 'json-error': 'not-json' },
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
    'named-by-number: has a number as its name': (_right, phrase) => phrase.length,
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

const notJson: WhichResponse = ({ request, status }) =>
  status === 400 && request.body.length > 0 && parsed(request.body.toString('utf8')) === undefined;
const noBody: WhichResponse = ({ request, status }) => status === 400 && request.body.length === 0;
const oddId: WhichResponse = ({ request, status }) => status === 400 && !/^\d+$/.test(sentId(request));
const ofBanners: WhichResponse = ({ request, status }) => status === 401 && !isUpdate(request);
const withoutKey: WhichResponse = ({ request, status }) => status === 401 && sentKey(request) === '';
const ofSecondUser: WhichResponse = ({ request, status }) => status === 403 && sentId(request) === '2';
const sameUserAgain: WhichResponse = ({ status, count }) => status === 404 && count > 1;

const FEW: readonly (readonly [id: string, what: string, status: number, which: WhichResponse])[] = rows({
  'malformed-json: to a body that is not JSON': [400, notJson],
  'absent-body: to a request without a body': [400, noBody],
  'non-integer-id: to an id that is not an integer': [400, oddId],
  'banners: to a request for the banners': [401, ofBanners],
  'missing-key: to a request without a key': [401, withoutKey],
  'second-user: to an update of one of the users': [403, ofSecondUser],
  'repeated-request: to a request that got a 404 before': [404, sameUserAgain],
});

/** Responses from a part of the server that does not produce the error bodies. */
const inFewAnswers: readonly Defect[] = FEW.flatMap(([id, what, status, which]): Defect[] => [
  {
    id: `error-page-for-${id}`,
    title: `The ${status} response ${what} is an HTML page of the web server.`,
    breaks: ['errors.body', 'bodies.json'],
    killedBy: { [`error-body-${status}`]: 'wrong-error-body', 'json-error': 'not-json' },
    behaviour: sendingText(which, () => page(`Error ${status}`), 'text/html'),
  },
  {
    id: `error-of-framework-for-${id}`,
    title: `The ${status} response ${what} has the error body of a web framework.`,
    breaks: ['errors.body', 'errors.name'],
    killedBy: { [`error-body-${status}`]: 'wrong-error-body', [`error-name-${status}`]: 'wrong-error-name' },
    behaviour: showing(which, (body) => ({ statusCode: status, message: (body as ApiError).message })),
  },
]);

const everywhere: readonly Defect[] = named<Defect>({
  'errors-wrapped: Every error body is inside the member `error`.': {
    breaks: ['errors.body'],
    killedBy: { 'error-body-400': 'wrong-error-body', 'error-body-401': 'wrong-error-body' },
    behaviour: showing(anError, (error) => ({ error })),
  },
  'errors-empty: Error responses have no body.': {
    breaks: ['errors.body', 'bodies.json'],
    killedBy: { 'error-body-403': 'wrong-error-body', 'error-body-404': 'wrong-error-body', 'json-error': 'not-json' },
    behaviour: sendingText(anError, () => '', null),
  },
  'errors-as-problems: Every error is a problem document (RFC 9457) with its media type.': {
    breaks: ['errors.body', 'errors.name'],
    killedBy: {
      'error-body-400': 'wrong-error-body',
      'error-body-401': 'wrong-error-body',
      'error-name-403': 'wrong-error-name',
      'error-name-404': 'wrong-error-name',
    },
    behaviour: sendingText(
      anError,
      (json) => JSON.stringify({ type: 'about:blank', title: (JSON.parse(json) as ApiError).message }),
      'application/problem+json',
    ),
  },
  'errors-all-named-alike: Every error has the name `Error`.': {
    breaks: ['errors.name'],
    killedBy: { 'error-name-400': 'wrong-error-name', 'error-name-401': 'wrong-error-name' },
    behaviour: showing(anError, (error) => ({ ...(error as ApiError), name: 'Error' })),
  },
});

const ANSWERS: readonly (readonly [what: string, words: string, check: string, which: WhichResponse])[] = rows({
  'user: The 200 response to an update': ['json-user', anUpdate],
  'banners: The 200 response with the banners': ['json-banners', theBanners],
  'error: An error response': ['json-error', anError],
});

const MEDIA_TYPES: readonly (readonly [fault: string, type: string | undefined])[] = [
  ['without-content-type', undefined],
  ['with-empty-content-type', ''],
  ['declared-as-html', 'text/html; charset=utf-8'],
  ['declared-as-plain-text', 'text/plain'],
  ['declared-as-xml', 'application/xml'],
  ['declared-as-bytes', 'application/octet-stream'],
  ['declared-as-javascript', 'application/javascript'],
  ['declared-as-form', 'application/x-www-form-urlencoded'],
  ['declared-without-type', 'json'],
  ['declared-as-json-lines', 'application/jsonl'],
];

const NOT_JSON: readonly (readonly [fault: string, what: string, spoil: (json: string) => string])[] = rows({
  'broken-off: is cut off': (json) => json.slice(0, -1),
  'in-single-quotes: uses single quotes': (json) => json.replaceAll('"', "'"),
  'with-comma-at-end: has a comma after the last member': (json) => json.replace(/}$/, ',}'),
  'behind-guard: starts with a prefix that protects it from being loaded as a script': (json) => `)]}',\n${json}`,
  'with-padding: is wrapped in a function call': (json) => `callback(${json});`,
  'sent-twice: is sent twice': (json) => json + json,
  'with-comment: contains a comment': (json) => `// made by a template\n${json}`,
  'with-warning-before: follows a warning': (json) => `Warning: undefined index in app on line 7\n${json}`,
  'with-nan: contains `NaN`': (json) => json.replace(/^\{/, '{"took":NaN,'),
  'without-quotes: has member names without quotes': (json) => json.replaceAll(/"(\w+)":/g, '$1:'),
});

const mediaTypes: readonly Defect[] = ANSWERS.flatMap(([what, words, check, which]) => [
  ...MEDIA_TYPES.map(([fault, type]) => ({
    id: `${what}-${fault}`,
    title: `${words} ${type === undefined ? 'has no Content-Type' : `has the Content-Type "${type}"`}.`,
    breaks: ['bodies.json'],
    killedBy: { [check]: 'wrong-media-type' },
    behaviour: delivering(which, () => ({ headers: type === undefined ? [] : [['content-type', type]] })),
  })),
  ...NOT_JSON.map(([fault, spoiled, spoil]) => ({
    id: `${what}-json-${fault}`,
    title: `${words} is not JSON: it ${spoiled}.`,
    breaks: ['bodies.json'],
    killedBy: { [check]: 'not-json' },
    behaviour: sendingText(which, spoil),
  })),
]);

const ownType: readonly Defect[] = STATUSES.map(({ status }) => ({
  id: `error-${status}-declared-as-plain-text`,
  title: `A ${status} response is declared as plain text.`,
  breaks: ['bodies.json'],
  killedBy: { 'json-error': 'wrong-media-type' },
  behaviour: delivering(answered(status), () => ({ headers: [['content-type', 'text/plain']] })),
}));

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
  ...named<Defect>({
    'error-id-same-for-key: All errors for one key have the same id.': {
      breaks: ['errors.id-per-instance'],
      killedBy: { 'error-id-distinct': 'repeated-id' },
      behaviour: showing(
        ({ request, status }) => status >= 400 && sentKey(request) === defaultSeed.keys.restricted,
        (error) => ({ ...(error as ApiError), id: 'restricted-1' }),
      ),
    },
  }),
];

/** Source: Resources, Error body; Errors; opening paragraph. */
export const errorsDefects: readonly Defect[] = [
  ...bodies,
  ...texts,
  ...names,
  ...namedAlike,
  ...inFewAnswers,
  ...everywhere,
  ...mediaTypes,
  ...ownType,
  ...ids,
];
