import { isUtf8 } from 'node:buffer';
import { isRecord, without } from '../../common/json.ts';
import { breaking, type Defect } from '../server.ts';
import { replacing, type Behaviour } from '../servers/behaviour.ts';
import {
  type Members,
  type Which,
  type WhichRequest,
  all,
  isUpdate,
  sendsNoJson,
  sendsText,
  sentMembers,
  sentValue,
  takenAs,
  toBody,
  withId,
} from '../servers/requests.ts';
import { hungUpOn, refusedAs, sending } from '../servers/responses.ts';
import { reading, refusingText, validValues } from '../servers/updates.ts';

const [NAME, EMAIL, ROLE] = ['request-body.name-type', 'request-body.email-type', 'request-body.root-role-type'];
const [OBJECT, REQUIRED, MALFORMED] = ['request-body.object', 'request-body.required', 'request-body.well-formed'];

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Takes members out of a body before it is validated. */
function dropping(drops: (body: Members) => readonly string[]): Behaviour {
  return replacing('validateUpdate', (validate) => (body) => {
    return validate(isRecord(body) ? drops(body).reduce<Members>(without, body) : body);
  });
}

const ofType =
  (member: string, type: string) =>
  (body: Members): string[] =>
    typeOf(body[member]) === type ? [member] : [];

/** Validates a body without some members, which are stored as they are. */
function notValidating(taken: (body: Members) => readonly string[]): Behaviour {
  return replacing('validateUpdate', (validate) => (body) => {
    if (!isRecord(body)) return validate(body);
    const own = Object.fromEntries(taken(body).map((member) => [member, body[member]]));
    return { ...validate(taken(body).reduce<Members>(without, body)), ...own };
  });
}

const nulls = (body: Members): string[] => Object.keys(body).filter((each) => body[each] === null);
/** The names of the texts in a body that are none. */
const wrongTexts = (body: Members): string[] =>
  ['name', 'email'].filter((member) => member in body && typeof body[member] !== 'string');

/** Every second update reaches a worker with the version before the validation. */
const everySecondUnvalidated = replacing('validateUpdate', (validate) => {
  let updates = 0;
  return (body) => {
    updates += 1;
    return updates % 2 === 0 && isRecord(body) ? validValues(body) : validate(body);
  };
});

const hasA =
  (name: string, type: string): Which =>
  ({ request }) =>
    typeOf(sentMembers(request)[name]) === type;

/** Source: Endpoints, PUT user, request body; Errors, 400. */
export const memberTypeDefects: readonly Defect[] = [
  ...breaking(NAME, {
    'name-number-stored: A number as name is stored': notValidating(ofType('name', 'number')),
    'name-boolean-counts-as-not-sent: A boolean as name counts as not sent': dropping(ofType('name', 'boolean')),
    'name-array-is-500: It fails on an array as name': refusedAs(500, hasA('name', 'array')),
    'name-number-is-422: A number as name gets 422': refusedAs(422, hasA('name', 'number')),
  }),
  ...breaking(EMAIL, {
    'email-boolean-is-404: A boolean as e-mail gets 404': refusedAs(404, hasA('email', 'boolean')),
  }),
  ...breaking(ROLE, {
    'boolean-role-counts-as-not-sent: A boolean as role counts as not sent': dropping(ofType('rootRole', 'boolean')),
    'root-role-null-is-500: It fails on null as role': refusedAs(500, hasA('rootRole', 'null')),
  }),
  ...breaking([NAME, EMAIL], {
    'first-member-alone-validated: It validates the first member of a body, and ignores later ones of a wrong type':
      dropping((body) => wrongTexts(body).filter((each) => each !== Object.keys(body)[0])),
    'body-not-validated: It validates only the role': notValidating(wrongTexts),
  }),
  ...breaking([NAME, EMAIL, ROLE], {
    'null-counts-as-not-sent: Null as any member counts as not sent': dropping(nulls),
  }),
  ...breaking([NAME, EMAIL, ROLE, 'update.concurrent-refusals', 'request-body.extreme-values'], {
    'every-second-worker-validates-nothing: Every second update reaches a worker without validation':
      everySecondUnvalidated,
  }),
  ...breaking([OBJECT, NAME, EMAIL, ROLE, 'request-body.utf-8'], {
    'validation-is-422: Every body that is JSON but does not conform to the schema gets 422': refusedAs(
      422,
      all(({ request }) => sentValue(request) !== undefined, withId(/^\d+$/)),
    ),
  }),
];

/** Takes some bodies for `{}`. */
function takenAsEmpty(which: WhichRequest): Behaviour {
  return takenAs(all(isUpdate, which), (request) => toBody(request, {}));
}

const sendsNothing: WhichRequest = ({ request }) => request.body.length === 0;
const updateWithoutJson: WhichRequest = all(isUpdate, sendsNoJson);

const utf8Replaced = replacing(
  'parseBody',
  (parse) => (body) => parse(isUtf8(body) ? body : Buffer.from(body.toString('utf8'))),
);

/** Whatever a body is declared as, it is read. */
const anyMediaType = replacing('requireJsonMediaType', () => () => undefined);

/** Reads no body that is declared as another type, or as none; 415 for all others. */
function readingAsNothing(type: string | undefined): Behaviour {
  return {
    ...replacing('requireJsonMediaType', (require) => (request) => {
      if (request.headers['content-type'] !== type) require(request);
    }),
    ...takenAsEmpty(({ request }) => request.headers['content-type'] === type),
  };
}

/** The body is no JSON object. Source: Endpoints, PUT user, request body; Errors, 400. */
export const bodyDefects: readonly Defect[] = [
  ...breaking(OBJECT, {
    'array-body-taken-as-empty: An array as body counts as `{}`': takenAsEmpty(({ request }) =>
      Array.isArray(sentValue(request)),
    ),
    'null-body-hung-up-on: It crashes on null as body': hungUpOn(all(isUpdate, sendsText(/^null$/))),
  }),
  ...breaking(REQUIRED, {
    'absent-body-taken-as-empty: An absent body counts as `{}`': takenAsEmpty(sendsNothing),
    'absent-body-is-411: An absent body gets 411': refusedAs(411, sendsNothing),
  }),
  ...breaking(MALFORMED, {
    'malformed-body-taken-as-empty: A body that is not JSON counts as `{}`': takenAsEmpty(sendsNoJson),
    'blanks-taken-as-empty: A body of blanks counts as `{}`': takenAsEmpty(sendsText(/^\s+$/)),
    'malformed-body-is-415: A body that is not JSON gets 415': refusedAs(415, sendsNoJson),
    'malformed-body-hung-up-on: It hangs up on a body that is not JSON': hungUpOn(updateWithoutJson),
    'malformed-body-bad-gateway: It crashes on a body that is not JSON, and the proxy in front responds 502': sending(
      updateWithoutJson,
      () => ({
        ...{ status: 502, reason: 'Bad Gateway', headers: [['content-type', 'text/html']] },
        body: Buffer.from('<h1>502 Bad Gateway</h1>'),
      }),
    ),
  }),
  ...breaking([REQUIRED, MALFORMED, OBJECT], {
    'what-is-no-object-taken-as-empty: Whatever is no object counts as `{}`': takenAsEmpty(
      ({ request }) => !isRecord(sentValue(request)),
    ),
  }),
  // What is no form counts as an empty one, whatever it is.
  ...breaking(['update.sent-fields-change', REQUIRED, MALFORMED, OBJECT, NAME, EMAIL, ROLE], {
    'form-read-alone: It reads the body as a form, also where it is JSON': takenAs(isUpdate, (request) => {
      const text = request.body.toString('utf8');
      return toBody(request, /^\w+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : {});
    }),
  }),
  ...breaking('request-body.strict-json', {
    'comma-behind-last-member-taken: A comma may follow the last member': takenAs(
      all(isUpdate, sendsText(/,\}$/)),
      (request) => ({
        ...request,
        body: Buffer.from(request.body.toString().replace(/,\}$/, '}')),
      }),
    ),
  }),
  ...breaking('request-body.other-media-types', {
    'text-plain-read-as-nothing: JSON declared as text/plain counts as `{}`': readingAsNothing('text/plain'),
    'untyped-body-read-as-nothing: A body without a type counts as `{}`': readingAsNothing(undefined),
    'form-stored: It reads the body of a form, too': {
      ...anyMediaType,
      ...takenAs(
        ({ request }) => isUpdate({ request }) && String(request.headers['content-type']).includes('form'),
        (request) => toBody(request, Object.fromEntries(new URLSearchParams(request.body.toString()))),
      ),
    },
  }),
  ...breaking('request-body.utf-8', {
    'invalid-bytes-replaced: Bytes that are not UTF-8 are replaced by U+FFFD': utf8Replaced,
    'invalid-bytes-fail: It fails on bytes that are not UTF-8': refusedAs(500, ({ request }) => !isUtf8(request.body)),
  }),
  ...breaking('request-body.extreme-values', {
    'long-number-as-name-stored: A number beyond 53 bits as name becomes a text': reading((value, text) => {
      const [, digits] = /"name":(\d{17,100})/.exec(text) ?? [];
      return digits === undefined ? value : { name: digits };
    }),
    'role-beyond-64-bits-fails: It fails on a role beyond 64 bits': refusingText(/"rootRole":\d{20}/, 500),
    'deep-nesting-fails: It fails on deeply nested arrays': refusingText(/\[{1000}/, 500),
  }),
];
