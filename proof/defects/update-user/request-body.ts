import { isRecord, parsedJson } from '../../../common/json.ts';
import type { ApiRequest, Store } from '../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { named } from '../../table.ts';
import { type WhichRefusal, hungUpOn, refusedWith, sentId, sentKey, sentMembers, withKey } from '../requests.ts';
import { type TypeName, TYPES, a, typeOf } from './json-types.ts';
import { isUpdate } from './updates.ts';
import { type Body, TEXTS, requirementOf, checkOf, wrongTexts, NAME, EMAIL } from './member-types.ts';

/** Matches updates that are refused with 400 because of their body. */
function invalid(which: (request: ApiRequest) => boolean): WhichRefusal {
  return ({ request, status }) => status === 400 && isUpdate(request) && which(request);
}

interface Invalid {
  readonly id: string;
  readonly what: string;
  readonly breaks: string;
  readonly check: string;
  readonly which: WhichRefusal;
}

function wrongMember(member: string, type: TypeName): Invalid {
  return {
    id: `${member === 'rootRole' ? 'root-role' : member}-${type}`,
    what: `${a(type)} as \`${member}\``,
    breaks: requirementOf(member),
    check: checkOf(member, type),
    which: invalid((request) => member in sentMembers(request) && typeOf(sentMembers(request)[member]) === type),
  };
}

function wrongBody(type: TypeName): Invalid {
  const isOne = ({ body }: ApiRequest): boolean => {
    const value = parsedJson(body.toString('utf8'));
    return value !== undefined && typeOf(value) === type;
  };
  const what = `${a(type)} as body`;
  return { id: `${type}-body`, what, breaks: 'request-body.object', check: `body-is-${type}`, which: invalid(isOne) };
}

const ABSENT: Invalid = {
  id: 'absent-body',
  what: 'an absent body',
  breaks: 'request-body.required',
  check: 'body-absent',
  which: invalid(({ body }) => body.length === 0),
};
const MALFORMED: Invalid = {
  id: 'malformed-body',
  what: 'a body that is not JSON',
  breaks: 'request-body.well-formed',
  check: 'body-malformed',
  which: invalid(({ body }) => body.length > 0 && parsedJson(body.toString('utf8')) === undefined),
};

const STATUSES: readonly (readonly [invalid: Invalid, ...statuses: readonly number[]])[] = [
  [wrongMember('name', 'number'), 422],
  [wrongMember('name', 'boolean'), 422],
  [wrongMember('name', 'array'), 500],
  [wrongMember('name', 'object'), 500],
  [wrongMember('name', 'null'), 500],
  [wrongMember('email', 'number'), 500],
  [wrongMember('email', 'boolean'), 404],
  [wrongMember('email', 'array'), 409],
  [wrongMember('email', 'object'), 422],
  [wrongMember('email', 'null'), 403],
  [wrongMember('rootRole', 'boolean'), 404],
  [wrongMember('rootRole', 'array'), 422],
  [wrongMember('rootRole', 'null'), 500],
  [wrongBody('array'), 422],
  [wrongBody('string'), 415],
  [wrongBody('number'), 500],
  [wrongBody('boolean'), 422],
  [wrongBody('null'), 500],
  [ABSENT, 411, 415, 422, 500],
  [MALFORMED, 415, 422, 500],
];

const otherStatuses: readonly Defect[] = STATUSES.flatMap(([{ id, what, breaks, check, which }, ...statuses]) =>
  statuses.map((status) => ({
    id: `${id}-is-${status}`,
    title: `The server responds ${status} to ${what}.`,
    breaks: [breaks],
    killedBy: { [check]: 'wrong-status' },
    behaviour: refusedWith(which, status),
  })),
);

const WELL_FORMED_AND_INVALID = invalid(
  (request) => parsedJson(request.body.toString()) !== undefined && /^\d+$/.test(sentId(request)),
);
const VALIDATION_CHECKS = Object.fromEntries(
  ['body-is-array', 'body-name-number', 'body-email-number', 'body-role-null'].map((id) => [id, 'wrong-status']),
);
const validationIs422 = refusedWith(WELL_FORMED_AND_INVALID, 422);

/** Lets a request with an invalid name get past the permission, as if it were validated first. */
function pastPermission(request: ApiRequest, { keys }: Store): ApiRequest {
  const isInvalid = isUpdate(request) && typeof sentMembers(request).name === 'number';
  return isInvalid && sentKey(request) === keys.restricted ? withKey(request, keys.admin) : request;
}

/** Takes the members that are null out of a body before it is validated. */
function withoutNulls(treat: (nulls: Body) => Body): Behaviour {
  return replacing('validateUpdate', (validate) => (body) => {
    if (!isRecord(body)) return validate(body);
    const [nulls, others] = [true, false].map((isNull) =>
      Object.fromEntries(Object.entries(body).filter(([, value]) => (value === null) === isNull)),
    );
    return { ...validate(others), ...treat(nulls ?? {}) };
  });
}

/** What frameworks do with every invalid body. */
const frameworks: readonly Defect[] = named<Defect>({
  'validation-is-422: The server responds 422 to every body that is JSON but does not conform to the schema.': {
    breaks: ['request-body.object', NAME, EMAIL, requirementOf('rootRole')],
    killedBy: VALIDATION_CHECKS,
    behaviour: validationIs422,
  },
  'validation-is-422-before-permission: The server responds 422 to every such body, also where the key lacks the permission.':
    {
      breaks: ['request-body.object', NAME, EMAIL, requirementOf('rootRole')],
      killedBy: VALIDATION_CHECKS,
      behaviour: {
        around: (handle, store, rules) =>
          validationIs422.around((request) => handle(pastPermission(request, store)), store, rules),
      },
    },
  'null-counts-as-not-sent: The server treats null as any member as if it were not sent.': {
    breaks: [NAME, EMAIL, requirementOf('rootRole')],
    killedBy: { 'body-name-null': 'accepted', 'body-email-null': 'accepted', 'body-role-null': 'accepted' },
    behaviour: withoutNulls(() => ({})),
  },
  'null-stored: The server stores null as any member.': {
    breaks: [NAME, EMAIL, requirementOf('rootRole'), 'user.root-role'],
    killedBy: {
      ...Object.fromEntries(['name', 'email', 'role'].map((slug) => [`body-${slug}-null`, 'accepted'])),
      'user-root-role': 'wrong-type',
    },
    behaviour: withoutNulls((nulls) => nulls),
  },
  'form-read-alone: The server reads the body as a form, also where it is JSON.': {
    breaks: ['update.sent-fields-change'],
    killedBy: { 'update-name-stored': 'not-stored' },
    behaviour: replacing('parseBody', () => (body) => {
      const text = body.toString('utf8');
      return /^\w+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : {};
    }),
  },
  'what-is-no-object-taken-as-empty: The server reads a body that is absent, not JSON or not an object as `{}`.': {
    breaks: ['request-body.required', 'request-body.well-formed', 'request-body.object'],
    killedBy: { 'body-absent': 'accepted', 'body-malformed': 'accepted', 'body-is-array': 'accepted' },
    behaviour: replacing('parseBody', () => (body) => {
      const value = parsedJson(body.toString('utf8'));
      return isRecord(value) ? value : {};
    }),
  },
});

/** Source: Endpoints, PUT user, request body; Errors, 400. */
export const requestBodyDefects: readonly Defect[] = [
  ...otherStatuses,
  ...frameworks,
  ...named<Defect>({
    'body-not-validated: The server validates only the role.': {
      breaks: [NAME, EMAIL],
      killedBy: Object.fromEntries(TEXTS.flatMap((member) => TYPES.map((type) => [checkOf(member, type), 'accepted']))),
      behaviour: replacing('validateUpdate', (validate) => (body) => {
        if (!isRecord(body)) return validate(body);
        const { name, email, ...rest } = body;
        const texts = Object.entries({ name, email }).filter(([member]) => member in body);
        return { ...validate(rest), ...Object.fromEntries(texts) };
      }),
    },
    'invalid-member-beside-valid-is-422: The server responds 422 to a body with a valid and an invalid member.': {
      breaks: [NAME, EMAIL],
      killedBy: { 'body-one-member-invalid': 'wrong-status' },
      behaviour: refusedWith(
        invalid((request) => {
          const members = sentMembers(request);
          return Object.keys(members).length === 2 && wrongTexts(members).length === 1;
        }),
        422,
      ),
    },
    'malformed-body-hung-up-on: The server closes the connection on a body that is not JSON.': {
      breaks: [MALFORMED.breaks],
      killedBy: { [MALFORMED.check]: 'no-answer' },
      behaviour: hungUpOn(
        (request) => isUpdate(request) && request.body.length > 0 && parsedJson(request.body.toString()) === undefined,
      ),
    },
    'null-body-hung-up-on: The server process crashes on null as body and closes the connection.': {
      breaks: ['request-body.object'],
      killedBy: { 'body-is-null': 'no-answer' },
      behaviour: hungUpOn(({ body }) => body.toString() === 'null'),
    },
  }),
];
