import { isRecord, parsedJson } from '../../../common/json.ts';
import { replacing, type Behaviour } from '../../behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { breaking, named, tableOf } from '../../table.ts';
import {
  type Members,
  type Which,
  all,
  allowing,
  answered,
  sendsNoJson,
  sendsNothing,
  sendsText,
  sentMembers,
  sentValue,
  withId,
} from '../requests.ts';
import { hungUpOn, refusedWith } from '../responses.ts';
import { type TypeName, a, sendsA, typeOf } from './json-types.ts';
import { requirementOf, wrongTexts, NAME, EMAIL } from './member-types.ts';
import { isUpdate } from './updates.ts';

/** Matches updates that are refused with 400 because of their body. */
function invalid(which: Which): Which {
  return all(answered(400), isUpdate, which);
}

/** Refuses some invalid bodies with other statuses. */
function refusedAs(
  id: string,
  what: string,
  breaks: string,
  which: Which,
  ...statuses: readonly number[]
): WrittenDefect[] {
  return breaking([breaks])(
    tableOf(
      statuses,
      (status) => `${id}-is-${status}: The server responds ${status} to ${what}.`,
      (status) => refusedWith(invalid(which), status),
    ),
  );
}

function memberRefusedAs(member: string, type: TypeName, status: number): WrittenDefect[] {
  const id = `${member === 'rootRole' ? 'root-role' : member}-${type}`;
  return refusedAs(id, `${a(type)} as \`${member}\``, requirementOf(member), sendsA(type, member), status);
}

function bodyRefusedAs(type: TypeName, status: number): WrittenDefect[] {
  const which: Which = ({ request }) => typeOf(sentValue(request)) === type;
  return refusedAs(`${type}-body`, `${a(type)} as body`, 'request-body.object', which, status);
}

const ALL_TYPES = ['request-body.object', NAME, EMAIL, requirementOf('rootRole')];
const isJson: Which = ({ request }) => sentValue(request) !== undefined;
const validationIs422 = refusedWith(invalid(all(isJson, withId(/^\d+$/))), 422);

/** Lets a request with an invalid name get past the permission, as if it were validated first. */
const pastPermission = allowing(all(isUpdate, sendsA('number', 'name')));

/** Takes the members that are null out of a body before it is validated. */
function withoutNulls(treat: (nulls: Members) => Members): Behaviour {
  return replacing('validateUpdate', (validate) => (body) => {
    if (!isRecord(body)) return validate(body);
    const [nulls, others] = [true, false].map((isNull) =>
      Object.fromEntries(Object.entries(body).filter(([, value]) => (value === null) === isNull)),
    );
    return { ...validate(others), ...treat(nulls ?? {}) };
  });
}

/** Source: Endpoints, PUT user, request body; Errors, 400. */
export const requestBodyDefects: readonly WrittenDefect[] = [
  ...memberRefusedAs('name', 'number', 422),
  ...memberRefusedAs('name', 'boolean', 422),
  ...memberRefusedAs('name', 'array', 500),
  ...memberRefusedAs('name', 'object', 500),
  ...memberRefusedAs('name', 'null', 500),
  ...memberRefusedAs('email', 'number', 500),
  ...memberRefusedAs('email', 'boolean', 404),
  ...memberRefusedAs('email', 'array', 409),
  ...memberRefusedAs('email', 'object', 422),
  ...memberRefusedAs('email', 'null', 403),
  ...memberRefusedAs('rootRole', 'boolean', 404),
  ...memberRefusedAs('rootRole', 'array', 422),
  ...memberRefusedAs('rootRole', 'null', 500),
  ...bodyRefusedAs('array', 422),
  ...bodyRefusedAs('string', 415),
  ...bodyRefusedAs('number', 500),
  ...bodyRefusedAs('boolean', 422),
  ...bodyRefusedAs('null', 500),
  ...refusedAs('absent-body', 'an absent body', 'request-body.required', sendsNothing, 411, 415, 422, 500),
  ...refusedAs('malformed-body', 'a body that is not JSON', 'request-body.well-formed', sendsNoJson, 415, 422, 500),
  // What frameworks do with every invalid body.
  ...named<WrittenDefect>({
    'validation-is-422: The server responds 422 to every body that is JSON but does not conform to the schema.': {
      breaks: ALL_TYPES,
      behaviour: validationIs422,
    },
    'validation-is-422-before-permission: The server responds 422 to every such body, also where the key lacks the permission.':
      {
        breaks: ALL_TYPES,
        behaviour: {
          around: (handle, store, rules) =>
            validationIs422.around(pastPermission.around(handle, store, rules) as typeof handle, store, rules),
        },
      },
    'null-counts-as-not-sent: The server treats null as any member as if it were not sent.': {
      breaks: [NAME, EMAIL, requirementOf('rootRole')],
      behaviour: withoutNulls(() => ({})),
    },
    'null-stored: The server stores null as any member.': {
      breaks: [NAME, EMAIL, requirementOf('rootRole')],
      behaviour: withoutNulls((nulls) => nulls),
    },
    'form-read-alone: The server reads the body as a form, also where it is JSON.': {
      breaks: ['update.sent-fields-change'],
      behaviour: replacing('parseBody', () => (body) => {
        const text = body.toString('utf8');
        return /^\w+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : {};
      }),
    },
    'what-is-no-object-taken-as-empty: The server reads a body that is absent, not JSON or not an object as `{}`.': {
      breaks: ['request-body.required', 'request-body.well-formed', 'request-body.object'],
      behaviour: replacing('parseBody', () => (body) => {
        const value = parsedJson(body.toString('utf8'));
        return isRecord(value) ? value : {};
      }),
    },
  }),
  ...named<WrittenDefect>({
    'body-not-validated: The server validates only the role.': {
      breaks: [NAME, EMAIL],
      behaviour: replacing('validateUpdate', (validate) => (body) => {
        if (!isRecord(body)) return validate(body);
        const { name, email, ...rest } = body;
        const texts = Object.entries({ name, email }).filter(([member]) => member in body);
        return { ...validate(rest), ...Object.fromEntries(texts) };
      }),
    },
    'invalid-member-beside-valid-is-422: The server responds 422 to a body with a valid and an invalid member.': {
      breaks: [NAME, EMAIL],
      behaviour: refusedWith(
        invalid(({ request }) => {
          const members = sentMembers(request);
          return Object.keys(members).length === 2 && wrongTexts(members).length === 1;
        }),
        422,
      ),
    },
    'malformed-body-hung-up-on: The server closes the connection on a body that is not JSON.': {
      breaks: ['request-body.well-formed'],
      behaviour: hungUpOn(all(isUpdate, sendsNoJson)),
    },
    'null-body-hung-up-on: The server process crashes on null as body and closes the connection.': {
      breaks: ['request-body.object'],
      behaviour: hungUpOn(sendsText(/^null$/)),
    },
  }),
];
