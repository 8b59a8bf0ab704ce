import { isUtf8 } from 'node:buffer';
import { isRecord, parsedJson, without } from '../../common/json.ts';
import { Refused, type Rules } from '../../reference-server/rules.ts';
import { breaking, type Defect } from '../server.ts';
import { replacing, type Behaviour } from '../servers/behaviour.ts';
import {
  type Members,
  type Which,
  type WhichRequest,
  all,
  answered,
  sends,
  sendsNoJson,
  sendsNothing,
  sendsText,
  sentMembers,
  sentValue,
  takenAs,
  withId,
} from '../servers/requests.ts';
import { badGatewayFor, hungUpOn, refusedWith } from '../servers/responses.ts';
import { isUpdate } from '../servers/updates.ts';

const [NAME, EMAIL, ROLE] = ['request-body.name-type', 'request-body.email-type', 'request-body.root-role-type'];
const [OBJECT, REQUIRED, MALFORMED] = ['request-body.object', 'request-body.required', 'request-body.well-formed'];

type Test = (value: unknown) => boolean;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const isA =
  (type: string): Test =>
  (value) =>
    typeOf(value) === type;

/**
 * Accepts values of a member that must be refused.
 *
 * @param treat what becomes of such a value; by default it counts as not sent
 */
function taking(member: string, passes: Test, treat?: (value: unknown) => unknown): Behaviour {
  return replacing('validateUpdate', (validate) => (body) => {
    if (!isRecord(body) || !(member in body) || !passes(body[member])) return validate(body);
    const { [member]: wrong, ...rest } = body;
    return { ...validate(rest), ...(treat && { [member]: treat(wrong) }) };
  });
}

const asItIs = (value: unknown): unknown => value;

/** Takes a member of a wrong type out of some updates. */
function dropping(member: string, which: WhichRequest): Behaviour {
  const isWrong: WhichRequest = ({ request }) => typeof sentMembers(request)[member] !== 'string';
  return takenAs(all(isUpdate, sends(member), isWrong, which), (request) => {
    return { ...request, body: Buffer.from(JSON.stringify(without(sentMembers(request), member))) };
  });
}

/** The names of the texts in a body that are none. */
const wrongTexts = (body: Members): string[] =>
  ['name', 'email'].filter((member) => member in body && typeof body[member] !== 'string');

/** Takes members out of a body before it is validated. */
function validatingWithout(drops: (body: Members) => readonly string[]): Behaviour {
  return replacing('validateUpdate', (validate) => (body) => {
    if (!isRecord(body)) return validate(body);
    const dropped = drops(body);
    return validate(Object.fromEntries(Object.entries(body).filter(([member]) => !dropped.includes(member))));
  });
}

const validatingRoleOnly = replacing('validateUpdate', (validate) => (body) => {
  if (!isRecord(body)) return validate(body);
  const { name, email, ...rest } = body;
  const texts = Object.entries({ name, email }).filter(([member]) => member in body);
  return { ...validate(rest), ...Object.fromEntries(texts) };
});

/** Every second request reaches a worker with the version before the validation. */
const everySecondUnvalidated: Behaviour = {
  replace: (rules: Rules) => {
    let requests = 0;
    const isOld = (): boolean => requests % 2 === 0;
    return {
      authenticate: (request, store) => {
        requests += 1;
        return rules.authenticate(request, store);
      },
      validateUpdate: (body) => {
        if (!isOld() || !isRecord(body)) return rules.validateUpdate(body);
        return Object.fromEntries(
          Object.entries(body).filter(([, value]) => typeof value === 'string' || value === 1 || value === 2),
        );
      },
    };
  },
};

const hasA =
  (name: string, type: string): Which =>
  ({ request }) =>
    typeOf(sentMembers(request)[name]) === type;

/** Refuses some invalid bodies with another status. */
function refusedAs(status: number, which: Which): Behaviour {
  return refusedWith(all(answered(400), isUpdate, which), status);
}

/** Source: Endpoints, PUT user, request body; Errors, 400. */
export const memberTypeDefects: readonly Defect[] = [
  ...breaking(NAME, {
    'name-number-stored: A number as name is stored': taking('name', isA('number'), asItIs),
    'name-boolean-counts-as-not-sent: A boolean as name counts as not sent': taking('name', isA('boolean')),
    'name-not-looked-at-for-other-user: Names are validated for the first user only': dropping('name', withId(/^2$/)),
    'name-not-looked-at-beside-role: A wrong name counts as not sent beside a role': dropping(
      'name',
      sends('rootRole'),
    ),
    'name-array-is-500: The server fails on an array as name': refusedAs(500, hasA('name', 'array')),
    'name-number-is-422: A number as name gets 422': refusedAs(422, hasA('name', 'number')),
  }),
  ...breaking(EMAIL, {
    'email-boolean-is-404: A boolean as e-mail gets 404': refusedAs(404, hasA('email', 'boolean')),
  }),
  ...breaking(ROLE, {
    'boolean-role-counts-as-not-sent: A boolean as role counts as not sent': taking('rootRole', isA('boolean')),
    'root-role-null-is-500: The server fails on null as role': refusedAs(500, hasA('rootRole', 'null')),
  }),
  ...breaking([NAME, EMAIL], {
    'first-member-alone-validated: The server validates only the first member of a body, and ignores later ones that are no texts':
      validatingWithout((body) => wrongTexts(body).filter((each) => each !== Object.keys(body)[0])),
    'body-not-validated: The server validates only the role': validatingRoleOnly,
  }),
  ...breaking([NAME, EMAIL, ROLE], {
    'null-counts-as-not-sent: Null as any member counts as not sent': validatingWithout((body) =>
      Object.keys(body).filter((each) => body[each] === null),
    ),
  }),
  ...breaking([NAME, EMAIL, ROLE, 'update.concurrent-refusals'], {
    'every-second-worker-validates-nothing: Every second request reaches a worker that ignores members of a wrong type':
      everySecondUnvalidated,
  }),
  ...breaking([OBJECT, NAME, EMAIL, ROLE, 'request-body.utf-8'], {
    'validation-is-422: Every body that is JSON but does not conform to the schema gets 422': refusedAs(
      422,
      all(({ request }) => sentValue(request) !== undefined, withId(/^\d+$/)),
    ),
  }),
];

/** Reads a body that is no object in another way. */
function emptyIf(test: Test): Behaviour {
  return replacing('validateUpdate', (validate) => (body) => validate(!isRecord(body) && test(body) ? {} : body));
}

/** Reads a body that is not JSON in another way; undefined leaves it to the rule. */
function reading(read: (text: string) => unknown): Behaviour {
  return replacing('parseBody', (parse) => (body) => {
    const text = body.toString('utf8');
    return parsedJson(text) === undefined ? (read(text) ?? parse(body)) : parse(body);
  });
}

/** Fails on some bodies. */
function failingOn(which: (body: Buffer) => boolean): Behaviour {
  return replacing('parseBody', (parse) => (body) => {
    if (which(body)) throw new Refused(500, 'The body cannot be read.');
    return parse(body);
  });
}

const failingOnText = (form: RegExp): Behaviour => failingOn((body) => form.test(body.toString()));

const formOf = (text: string): unknown =>
  /^\w+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined;

const utf8Replaced = replacing(
  'parseBody',
  (parse) => (body) => parse(isUtf8(body) ? body : Buffer.from(body.toString('utf8'))),
);

const utf8FailsLater: Behaviour = {
  replace: (rules, store) => ({
    ...utf8Replaced.replace(rules, store),
    applyUpdate: (kept, before, body) => {
      const after = rules.applyUpdate(kept, before, body);
      if (after.name?.includes('\ufffd')) throw new Refused(500, 'The text is not UTF-8.');
      return after;
    },
  }),
};

/** The body is no JSON object. Source: Endpoints, PUT user, request body; Errors, 400. */
export const bodyDefects: readonly Defect[] = [
  ...breaking(OBJECT, {
    'array-body-taken-as-empty: An array as body counts as `{}`': emptyIf(isA('array')),
    'null-body-hung-up-on: The process crashes on null as body, and the connection is closed': hungUpOn(
      all(isUpdate, sendsText(/^null$/)),
    ),
  }),
  ...breaking(REQUIRED, {
    'absent-body-taken-as-empty: An absent body counts as `{}`': reading((text) => (text === '' ? {} : undefined)),
    'absent-body-is-411: An absent body gets 411': refusedAs(411, sendsNothing),
    'absent-body-is-500: The server fails on an absent body': refusedAs(500, sendsNothing),
  }),
  ...breaking(MALFORMED, {
    'malformed-body-taken-as-empty: A body that is not JSON counts as `{}`': reading((text) =>
      text === '' ? undefined : {},
    ),
    'malformed-body-is-415: A body that is not JSON gets 415': refusedAs(415, sendsNoJson),
    'malformed-body-hung-up-on: The server closes the connection on a body that is not JSON': hungUpOn(
      all(isUpdate, sendsNoJson),
    ),
    'malformed-body-bad-gateway: The server crashes on a body that is not JSON, and the proxy in front responds 502':
      badGatewayFor(all(isUpdate, sendsNoJson)),
  }),
  ...breaking([REQUIRED, MALFORMED, OBJECT], {
    'what-is-no-object-taken-as-empty: A body that is absent, not JSON or no object counts as `{}`': takenAs(
      all(isUpdate, ({ request }) => !isRecord(sentValue(request))),
      (request) => ({
        ...request,
        body: Buffer.from('{}'),
      }),
    ),
  }),
  ...breaking('update.sent-fields-change', {
    'form-read-alone: The server reads the body as a form, also where it is JSON': takenAs(isUpdate, (request) => {
      const members = formOf(request.body.toString('utf8')) ?? {};
      return { ...request, body: Buffer.from(JSON.stringify(members)) };
    }),
  }),
  ...breaking('request-body.strict-json', {
    'comma-behind-last-member-taken: A comma may follow the last member': reading((text) =>
      parsedJson(text.replace(/,\}$/, '}')),
    ),
    'line-breaks-in-strings-taken: Texts may have line breaks': reading((text) =>
      parsedJson(text.replaceAll('\n', '\\n')),
    ),
  }),
  ...breaking('request-body.utf-8', {
    'invalid-bytes-replaced: Bytes that are not UTF-8 are replaced by U+FFFD': utf8Replaced,
    'invalid-bytes-fail-later: The server stores bytes that are not UTF-8, and fails whenever it has to show them':
      utf8FailsLater,
  }),
  ...breaking('request-body.extreme-values', {
    'deep-nesting-fails: The server fails on deeply nested arrays': failingOnText(/\[{1000}/),
  }),
];
