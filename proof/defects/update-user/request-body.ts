import { isRecord, parsedJson } from '../../../common/json.ts';
import { type ApiRequest, Refused, type Store } from '../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { named, rows } from '../../table.ts';
import {
  type WhichRefusal,
  answeredWith,
  hungUpOn,
  refusedWith,
  sentId,
  sentKey,
  sentMembers,
  withKey,
} from '../requests.ts';
import { type TypeName, TYPES, a, is, isA, typeOf } from './json-types.ts';
import { isUpdate } from './updates.ts';

type Body = Record<string, unknown>;

const TEXTS = ['name', 'email'] as const;
function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function requirementOf(member: string): string {
  return `request-body.${member === 'rootRole' ? 'root-role' : member}-type`;
}

function checkOf(member: string, type: string): string {
  return `body-${member === 'rootRole' ? 'role' : member}-${type}`;
}

/** What the server does with a value that it accepts; undefined: it treats the value as not sent. */
type Treat = (value: unknown) => { readonly value: unknown } | undefined;

const asItIs: Treat = (value) => ({ value });
const as =
  (value: unknown): Treat =>
  () => ({ value });
const asText: Treat = (value) => ({ value: String(value) });
const notSent: Treat = () => undefined;

/** Accepts values of a member that must be refused. */
function letsThrough(member: string, passes: (value: unknown, body: Body) => boolean, treat: Treat): Behaviour {
  return replacing('validateUpdate', (validate) => (body) => {
    if (!isRecord(body) || !(member in body) || !passes(body[member], body)) return validate(body);
    const { [member]: wrong, ...rest } = body;
    const treated = treat(wrong);
    return { ...validate(rest), ...(treated ? { [member]: treated.value } : {}) };
  });
}

/** Stores a member of a wrong type unchanged. Only of a role no other `must` says that it has to be refused. */
function storedAsItIs(member: string, type: TypeName): Defect {
  const isRole = member === 'rootRole';
  return {
    id: `${isRole ? 'root-role' : member}-${type}-stored`,
    title: `The server stores ${a(type)} as \`${member}\` unchanged.`,
    breaks: [requirementOf(member), ...(isRole ? ['user.root-role'] : [])],
    killedBy: { [checkOf(member, type)]: 'accepted', ...(isRole ? { 'user-root-role': 'wrong-type' } : {}) },
    behaviour: letsThrough(member, isA(type), asItIs),
  };
}

/** A fault that lets a member of wrong types through. */
type MemberFault = readonly [
  id: string,
  title: string,
  types: readonly TypeName[],
  passes: (value: unknown, body: Body) => boolean,
  treat: Treat,
];

function memberDefect(member: string, [id, title, types, passes, treat]: MemberFault): Defect {
  return {
    id,
    title,
    breaks: [requirementOf(member)],
    killedBy: Object.fromEntries(types.map((type) => [checkOf(member, type), 'accepted'])),
    behaviour: letsThrough(member, passes, treat),
  };
}

const wrongTypes: readonly Defect[] = TEXTS.flatMap((member) =>
  TYPES.flatMap((type) => [
    storedAsItIs(member, type),
    ...rows<MemberFault>({
      [`${member}-${type}-turned-into-text: ${capital(a(type))} as \`${member}\` is converted to a string.`]: [
        [type],
        isA(type),
        asText,
      ],
      [`${member}-${type}-counts-as-not-sent: ${capital(a(type))} as \`${member}\` is treated as not sent.`]: [
        [type],
        isA(type),
        notSent,
      ],
    }).map((fault) => memberDefect(member, fault)),
  ]),
);

const PRIMITIVES = ['number', 'boolean'] as const;

const ODD_TEXTS: readonly MemberFault[] = rows({
  'zero-counts-as-not-sent: The server treats the number 0 as not sent': [['number'], is(0), notSent],
  'false-counts-as-not-sent: The server treats false as not sent': [['boolean'], is(false), notSent],
  'falsy-counts-as-not-sent: The server treats a falsy value as not sent': [
    [...PRIMITIVES, 'null'],
    is(0, false, null),
    notSent,
  ],
  'empty-array-counts-as-not-sent: The server treats an empty array as not sent': [['array'], is([]), notSent],
  'empty-object-counts-as-not-sent: The server treats an empty object as not sent': [['object'], is({}), notSent],
  'fraction-turned-into-text: The server converts a number with a fraction to a string': [['number'], is(1.5), asText],
  'true-turned-into-text: The server converts true to a string': [['boolean'], is(true), asText],
  'primitive-turned-into-text: The server converts a number or a boolean to a string': [
    PRIMITIVES,
    isA(...PRIMITIVES),
    asText,
  ],
  'null-turned-into-empty-text: The server converts null to an empty string': [['null'], is(null), as('')],
  'array-of-one-unwrapped: The server takes the only element of an array': [
    ['array'],
    (value) => Array.isArray(value) && value.length === 1,
    (value) => ({ value: (value as unknown[])[0] }),
  ],
  'object-with-value-unwrapped: The server takes the member `value` of an object': [
    ['object'],
    (value) => isRecord(value) && 'value' in value,
    (value) => ({ value: (value as Body).value }),
  ],
});

const oddTexts: readonly Defect[] = TEXTS.flatMap((member) =>
  ODD_TEXTS.map(([fault, title, ...rest]) =>
    memberDefect(member, [`${member}-${fault}`, `${title} in \`${member}\`.`, ...rest]),
  ),
);

const ROLE_TYPES = ['boolean', 'array', 'null'] as const;

const roles: readonly Defect[] = [
  ...ROLE_TYPES.map((type): MemberFault => [
    `${type}-role-counts-as-not-sent`,
    `The server treats ${a(type)} as root role as if it were not sent.`,
    [type],
    isA(type),
    notSent,
  ]),
  ...rows<MemberFault>({
    'false-role-counts-as-not-sent: The server treats false as root role as if it were not sent.': [
      ['boolean'],
      is(false),
      notSent,
    ],
    'empty-array-role-counts-as-not-sent: The server treats an empty array as root role as if it were not sent.': [
      ['array'],
      is([]),
      notSent,
    ],
    'wrong-role-counts-as-not-sent: The server treats a root role of any wrong type as if it were not sent.': [
      ROLE_TYPES,
      (value) => !isRecord(value) && !Number.isInteger(value),
      notSent,
    ],
    'null-role-is-default-role: Null as root role gives the user the default role.': [['null'], is(null), as(1)],
    'boolean-role-turned-into-number: The server converts a boolean as root role to a number.': [
      ['boolean'],
      isA('boolean'),
      (value) => ({ value: Number(value) }),
    ],
    'array-role-taken-as-object: The server converts an array as root role to an object with its elements.': [
      ['array'],
      isA('array'),
      (value) => ({ value: Object.fromEntries(Object.entries(value as unknown[])) }),
    ],
    'null-role-dropped-beside-name: The server ignores null as root role if a name is sent.': [
      ['null'],
      (value, body) => value === null && 'name' in body,
      notSent,
    ],
    'array-role-dropped-beside-email: The server ignores an array as root role if an e-mail address is sent.': [
      ['array'],
      (value, body) => Array.isArray(value) && 'email' in body,
      notSent,
    ],
  }),
].map((fault) => memberDefect('rootRole', fault));

/** The names of the string members that do not conform. */
function wrongTexts(body: Body): string[] {
  return TEXTS.filter((member) => member in body && typeof body[member] !== 'string');
}

const NAME = requirementOf('name');
const EMAIL = requirementOf('email');

type BesideRow = readonly [
  id: string,
  title: string,
  breaks: readonly string[],
  drops: (body: Body) => readonly string[],
];

/** A valid member hides an invalid one: some members are dropped before the body is validated. */
const BESIDE_ROWS: readonly BesideRow[] = rows({
  'invalid-member-dropped-beside-valid: The server drops a name or e-mail address of a wrong type if the other one is valid.':
    [[NAME, EMAIL], (body) => (TEXTS.some((member) => typeof body[member] === 'string') ? wrongTexts(body) : [])],
  'first-member-alone-validated: The server validates only the first member of the body and ignores later ones that are not strings.':
    [[NAME, EMAIL], (body) => wrongTexts(body).filter((member) => member !== Object.keys(body)[0])],
  'last-member-alone-validated: The server validates only the last member of the body and ignores earlier ones that are not strings.':
    [[NAME, EMAIL], (body) => wrongTexts(body).filter((member) => member !== Object.keys(body).at(-1))],
  'email-not-validated-beside-name: The server drops an e-mail address of a wrong type if a name is sent.': [
    [EMAIL],
    (body) => (typeof body.name === 'string' ? wrongTexts(body) : []),
  ],
  'name-not-validated-beside-email: The server drops a name of a wrong type if an e-mail address is sent.': [
    [NAME],
    (body) => (typeof body.email === 'string' ? wrongTexts(body) : []),
  ],
});

const besideValid: readonly Defect[] = BESIDE_ROWS.map(([id, title, breaks, drops]) => ({
  id,
  title,
  breaks,
  killedBy: { 'body-one-member-invalid': 'accepted' },
  behaviour: replacing('validateUpdate', (validate) => (body) => {
    const dropped = isRecord(body) ? drops(body) : [];
    const kept = Object.entries(body ?? {}).filter(([member]) => !dropped.includes(member));
    return validate(dropped.length === 0 ? body : Object.fromEntries(kept));
  }),
}));

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

const NAMES: readonly (readonly [invalid: Invalid, name: string])[] = [
  [MALFORMED, 'SyntaxError'],
  [ABSENT, 'BadRequest'],
  [wrongBody('array'), 'TypeError'],
  [wrongMember('name', 'number'), 'BadDataError'],
  [wrongMember('email', 'null'), 'NotFoundError'],
];

const otherNames: readonly Defect[] = NAMES.map(([{ id, what, which }, name]) => ({
  id: `${id}-named-${name.toLowerCase()}`,
  title: `The 400 response to ${what} has the error name ${name}.`,
  breaks: ['errors.name'],
  killedBy: { 'error-name-400': 'wrong-error-name' },
  behaviour: refusedWith(which, 400, name),
}));

/** Takes name and e-mail address of some bodies as they are. */
function validatingOnlyRole(which: (body: Body) => boolean): Behaviour {
  return replacing('validateUpdate', (validate) => (body) => {
    if (!isRecord(body) || !which(body)) return validate(body);
    const { name, email, ...rest } = body;
    const texts = Object.entries({ name, email }).filter(([member]) => member in body);
    return { ...validate(rest), ...Object.fromEntries(texts) };
  });
}

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
  'body-read-as-form: The server reads the body as a form, and so finds no member in it.': {
    breaks: ['update.sent-fields-change'],
    killedBy: { 'update-name-stored': 'not-stored' },
    behaviour: replacing('parseBody', () => () => ({})),
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
  'invalid-body-taken-as-empty: The server reads every body that does not conform to the schema as `{}`.': {
    breaks: [
      'request-body.required',
      'request-body.well-formed',
      'request-body.object',
      NAME,
      EMAIL,
      requirementOf('rootRole'),
    ],
    killedBy: Object.fromEntries(
      ['body-absent', 'body-malformed', 'body-is-array', 'body-name-number', 'body-email-number', 'body-role-null'].map(
        (id) => [id, 'accepted'],
      ),
    ),
    behaviour: {
      replace: (rules) => ({
        parseBody: (body) => parsedJson(body.toString('utf8')) ?? {},
        validateUpdate: (value) => {
          try {
            return rules.validateUpdate(value);
          } catch {
            return {};
          }
        },
      }),
    },
  },
  'members-searched-in-any-body: The server looks for members in a body that is not an object: it finds none in an array, and fails on others.':
    {
      breaks: ['request-body.object'],
      killedBy: { 'body-is-array': 'accepted', 'body-is-number': 'wrong-status' },
      behaviour: replacing('validateUpdate', (validate) => (body) => {
        if (Array.isArray(body)) return {};
        if (!isRecord(body)) throw new Refused(500, 'The operand of `in` must be an object.');
        return validate(body);
      }),
    },
  'errors-of-body-parser: The error body of a body that is not JSON has only a message.': {
    breaks: ['errors.body'],
    killedBy: { 'error-body-400': 'wrong-error-body' },
    behaviour: answeredWith(MALFORMED.which, () => ({ status: 400, body: { message: 'Unexpected token.' } })),
  },
});

/** Source: Endpoints, PUT user, request body; Errors, 400. */
export const requestBodyDefects: readonly Defect[] = [
  ...wrongTypes,
  ...oddTexts,
  ...roles,
  ...ROLE_TYPES.map((type) => storedAsItIs('rootRole', type)),
  ...besideValid,
  ...otherStatuses,
  ...otherNames,
  ...frameworks,
  ...named<Defect>({
    'body-not-validated: The server validates only the role.': {
      breaks: [NAME, EMAIL],
      killedBy: Object.fromEntries(TEXTS.flatMap((member) => TYPES.map((type) => [checkOf(member, type), 'accepted']))),
      behaviour: validatingOnlyRole(() => true),
    },
    'one-valid-member-suffices: If the name or the e-mail address is valid, the server validates only the role.': {
      breaks: [NAME, EMAIL],
      killedBy: { 'body-one-member-invalid': 'accepted' },
      behaviour: validatingOnlyRole((body) => TEXTS.some((member) => typeof body[member] === 'string')),
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
    'invalid-body-named-baddataerror: Every 400 response to a body has the error name BadDataError.': {
      breaks: ['errors.name'],
      killedBy: { 'error-name-400': 'wrong-error-name' },
      behaviour: refusedWith(
        invalid(() => true),
        400,
        'BadDataError',
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
