import { isRecord, parsedJson } from '../../../common/json.ts';
import { replacing, type Behaviour } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { breaking, tableOf } from '../../table.ts';
import {
  type Members,
  type Which,
  all,
  answered,
  sendsNoJson,
  sendsNothing,
  sendsText,
  sentValue,
  takenAs,
  withId,
} from '../requests.ts';
import { badGatewayFor, hungUpOn, refusedWith } from '../responses.ts';
import { type TypeName, EMAIL, NAME, a, requirementOf, sendsA, typeOf } from './member-types.ts';
import { isUpdate } from './updates.ts';

/** Matches updates that are refused with 400 because of their body. */
function invalid(which: Which): Which {
  return all(answered(400), isUpdate, which);
}

/** Refuses some invalid bodies with other statuses. */
function refusedAs(
  id: string,
  what: string,
  requirement: string,
  which: Which,
  ...statuses: number[]
): WrittenDefect[] {
  return breaking(
    requirement,
    tableOf(
      statuses,
      (status) => `${id}-is-${status}: responds ${status} to ${what}`,
      (status) => refusedWith(invalid(which), status),
    ),
  );
}

/** The status with which the server refuses a member of each type. */
function memberRefusedAs(member: string, statuses: Readonly<Partial<Record<TypeName, number>>>): WrittenDefect[] {
  const name = member === 'rootRole' ? 'root-role' : member;
  return Object.entries(statuses).flatMap(([type, status]) => {
    const which = sendsA(type as TypeName, member);
    return refusedAs(`${name}-${type}`, `${a(type)} as \`${member}\``, requirementOf(member), which, status);
  });
}

/** The status with which the server refuses a body of each type. */
const BODIES = { array: 422, string: 415, number: 500, boolean: 422, null: 500 };

const ROLE = requirementOf('rootRole');
const MALFORMED = 'request-body.well-formed';
const isJson: Which = ({ request }) => sentValue(request) !== undefined;
const validationIs422 = refusedWith(invalid(all(isJson, withId(/^\d+$/))), 422);

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
  ...memberRefusedAs('name', { number: 422, boolean: 422, array: 500, object: 500, null: 500 }),
  ...memberRefusedAs('email', { number: 500, boolean: 404, array: 409, object: 422, null: 403 }),
  ...memberRefusedAs('rootRole', { boolean: 404, array: 422, null: 500 }),
  ...Object.entries(BODIES).flatMap(([type, status]) => {
    const which: Which = ({ request }) => typeOf(sentValue(request)) === type;
    return refusedAs(`${type}-body`, `${a(type)} as body`, 'request-body.object', which, status);
  }),
  ...refusedAs('absent-body', 'an absent body', 'request-body.required', sendsNothing, 411, 500),
  ...refusedAs('malformed-body', 'a body that is not JSON', MALFORMED, sendsNoJson, 415, 500),
  // What frameworks do with every invalid body.
  ...breaking(['request-body.object', NAME, EMAIL, ROLE], {
    'validation-is-422: responds 422 to every body that is JSON but does not conform to the schema': validationIs422,
  }),
  ...breaking([NAME, EMAIL, ROLE], {
    'null-counts-as-not-sent: treats null as any member as if it were not sent': withoutNulls(() => ({})),
  }),
  ...breaking('update.sent-fields-change', {
    'form-read-alone: reads the body as a form, also where it is JSON': takenAs(isUpdate, (request) => {
      const text = request.body.toString('utf8');
      const members = /^\w+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : {};
      return { ...request, body: Buffer.from(JSON.stringify(members)) };
    }),
  }),
  ...breaking(['request-body.required', 'request-body.well-formed', 'request-body.object'], {
    'what-is-no-object-taken-as-empty: reads a body that is absent, not JSON or not an object as `{}`': takenAs(
      all(isUpdate, ({ request }) => !isRecord(parsedJson(request.body.toString('utf8')))),
      (request) => ({ ...request, body: Buffer.from('{}') }),
    ),
  }),
  ...breaking([NAME, EMAIL], {
    'body-not-validated: validates only the role': replacing('validateUpdate', (validate) => (body) => {
      if (!isRecord(body)) return validate(body);
      const { name, email, ...rest } = body;
      const texts = Object.entries({ name, email }).filter(([member]) => member in body);
      return { ...validate(rest), ...Object.fromEntries(texts) };
    }),
  }),
  ...breaking(MALFORMED, {
    'malformed-body-hung-up-on: closes the connection on a body that is not JSON': hungUpOn(all(isUpdate, sendsNoJson)),
    'malformed-body-bad-gateway: crashes on a body that is not JSON, and the proxy in front responds 502':
      badGatewayFor(all(isUpdate, sendsNoJson)),
  }),
  ...breaking('request-body.object', {
    'null-body-hung-up-on: process crashes on null as body and closes the connection': hungUpOn(
      all(isUpdate, sendsText(/^null$/)),
    ),
  }),
];
