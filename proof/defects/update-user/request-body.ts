import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../common/json.ts';
import type { ApiRequest } from '../../../reference-server/rules.ts';
import type { Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { named, rows } from '../../table.ts';
import { type WhichRefusal, hungUpOn, parsed, refusedWith, sentMembers } from '../requests.ts';
import { isUpdate } from './updates.ts';

type Body = Record<string, unknown>;
type Test = (value: unknown) => boolean;

const TEXTS = ['name', 'email'] as const;
const TYPES = ['number', 'boolean', 'array', 'object', 'null'] as const;
type TypeName = (typeof TYPES)[number] | 'string';

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const isA =
  (...types: readonly TypeName[]): Test =>
  (value) =>
    types.some((type) => type === typeOf(value));
const is =
  (...values: readonly unknown[]): Test =>
  (value) =>
    values.some((each) => isDeepStrictEqual(each, value));

function a(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

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
const asText: Treat = (value) => ({ value: String(value) });
const notSent: Treat = () => undefined;

/** Accepts values of a member that must be refused. */
function letsThrough(member: string, passes: (value: unknown, body: Body) => boolean, treat: Treat): Behaviour {
  return {
    replace: (rules) => ({
      validateUpdate: (body) => {
        if (!isRecord(body) || !(member in body) || !passes(body[member], body)) return rules.validateUpdate(body);
        const { [member]: wrong, ...rest } = body;
        const treated = treat(wrong);
        return { ...rules.validateUpdate(rest), ...(treated ? { [member]: treated.value } : {}) };
      },
    }),
  };
}

/** Stores a member of a wrong type unchanged; if responses may not show that type either, they break their schema. */
function storedAsItIs(member: string, type: TypeName): Defect {
  const shown = member === 'rootRole' ? 'root-role' : member;
  const isAllowedInResponses = member === 'name' && type === 'null';
  return {
    id: `${shown}-${type}-stored`,
    title: `The server stores ${a(type)} as \`${member}\` unchanged.`,
    breaks: [requirementOf(member), ...(isAllowedInResponses ? [] : [`user.${shown}`])],
    killedBy: {
      [checkOf(member, type)]: 'accepted',
      ...(isAllowedInResponses ? {} : { [`user-${shown}`]: 'wrong-type' }),
    },
    behaviour: letsThrough(member, isA(type), asItIs),
  };
}

const wrongTypes: readonly Defect[] = TEXTS.flatMap((member) =>
  TYPES.flatMap((type) => {
    const made = (fault: string, what: string, treat: Treat): Defect => ({
      id: `${member}-${type}-${fault}`,
      title: `${capital(a(type))} as \`${member}\` ${what}.`,
      breaks: [requirementOf(member)],
      killedBy: { [checkOf(member, type)]: 'accepted' },
      behaviour: letsThrough(member, isA(type), treat),
    });
    return [
      storedAsItIs(member, type),
      made('turned-into-text', 'is converted to a string', asText),
      made('counts-as-not-sent', 'is treated as not sent', notSent),
    ];
  }),
);

type OddRow = readonly [fault: string, title: string, types: readonly TypeName[], passes: Test, treat: Treat];

const ODD_ROWS: readonly OddRow[] = rows({
  'zero-counts-as-not-sent: The server treats the number 0 as not sent': [['number'], is(0), notSent],
  'false-counts-as-not-sent: The server treats false as not sent': [['boolean'], is(false), notSent],
  'falsy-counts-as-not-sent: The server treats a falsy value as not sent': [
    ['number', 'boolean', 'null'],
    is(0, false, null),
    notSent,
  ],
  'empty-array-counts-as-not-sent: The server treats an empty array as not sent': [['array'], is([]), notSent],
  'empty-object-counts-as-not-sent: The server treats an empty object as not sent': [['object'], is({}), notSent],
  'fraction-turned-into-text: The server converts a number with a fraction to a string': [['number'], is(1.5), asText],
  'true-turned-into-text: The server converts true to a string': [['boolean'], is(true), asText],
  'primitive-turned-into-text: The server converts a number or a boolean to a string': [
    TYPES.slice(0, 2),
    isA(...TYPES.slice(0, 2)),
    asText,
  ],
  'null-turned-into-empty-text: The server converts null to an empty string': [
    ['null'],
    is(null),
    () => ({ value: '' }),
  ],
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

const oddValues: readonly Defect[] = TEXTS.flatMap((member) =>
  ODD_ROWS.map(([fault, title, types, passes, treat]) => ({
    id: `${member}-${fault}`,
    title: `${title} in \`${member}\`.`,
    breaks: [requirementOf(member)],
    killedBy: Object.fromEntries(types.map((type) => [checkOf(member, type), 'accepted'])),
    behaviour: letsThrough(member, passes, treat),
  })),
);

const isRole: Test = (value) => isRecord(value) || Number.isInteger(value);

type RoleRow = readonly [
  id: string,
  title: string,
  types: readonly TypeName[],
  passes: (value: unknown, body: Body) => boolean,
  treat: Treat,
];

const ROLE_TYPES = ['boolean', 'array', 'null'] as const;

const ROLE_ROWS: readonly RoleRow[] = [
  ...ROLE_TYPES.map((type): RoleRow => [
    `${type}-role-counts-as-not-sent`,
    `The server treats ${a(type)} as root role as if it were not sent.`,
    [type],
    isA(type),
    notSent,
  ]),
  ...rows<RoleRow>({
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
      (value) => !isRole(value),
      notSent,
    ],
    'null-role-is-default-role: Null as root role gives the user the default role.': [
      ['null'],
      is(null),
      () => ({ value: 1 }),
    ],
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
];

const roles: readonly Defect[] = ROLE_ROWS.map(([id, title, types, passes, treat]) => ({
  id,
  title,
  breaks: [requirementOf('rootRole')],
  killedBy: Object.fromEntries(types.map((type) => [checkOf('rootRole', type), 'accepted'])),
  behaviour: letsThrough('rootRole', passes, treat),
}));

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
  behaviour: {
    replace: (rules) => ({
      validateUpdate: (body) => {
        const dropped = isRecord(body) ? drops(body) : [];
        const kept = Object.entries(body ?? {}).filter(([member]) => !dropped.includes(member));
        return rules.validateUpdate(dropped.length === 0 ? body : Object.fromEntries(kept));
      },
    }),
  },
}));

/** How the server reads a body that is not an object, or not JSON; undefined leaves it to the rule. */
type BodyRow<Read> = readonly [id: string, title: string, checks: readonly string[], read: Read];

const BODY_TYPES = ['array', 'string', 'number', 'boolean', 'null'] as const;

const NO_OBJECT_ROWS: readonly BodyRow<(body: unknown) => unknown>[] = [
  ...BODY_TYPES.map(
    (type) =>
      [
        `${type}-body-taken-as-empty`,
        `The server reads ${a(type)} as body as an empty object.`,
        [type],
        emptyIf(isA(type)),
      ] as const,
  ),
  ...rows<BodyRow<(body: unknown) => unknown>>({
    'empty-array-body-taken-as-empty: The server reads an empty array as body as an empty object.': [
      ['array'],
      emptyIf(is([])),
    ],
    'empty-text-body-taken-as-empty: The server reads an empty string as body as an empty object.': [
      ['string'],
      emptyIf(is('')),
    ],
    'zero-body-taken-as-empty: The server reads the number 0 as body as an empty object.': [['number'], emptyIf(is(0))],
    'false-body-taken-as-empty: The server reads false as body as an empty object.': [['boolean'], emptyIf(is(false))],
    'falsy-body-taken-as-empty: The server reads a falsy value as body as an empty object.': [
      BODY_TYPES.slice(1),
      emptyIf((body) => !body),
    ],
    'any-body-taken-as-empty: The server reads any body that is not an object as an empty object.': [
      BODY_TYPES,
      () => ({}),
    ],
    'string-body-taken-as-name: The server takes a string as body as the name.': [
      ['string'],
      (body) => (typeof body === 'string' ? { name: body } : undefined),
    ],
    'string-body-parsed-again: The server parses a string as body once more.': [
      ['string'],
      (body) => parsed(String(body)),
    ],
    'array-body-taken-as-first-element: The server takes the first element of an array as body.': [
      ['array'],
      (body) => (Array.isArray(body) ? (body as unknown[])[0] : undefined),
    ],
  }),
];

function emptyIf(test: Test): (body: unknown) => unknown {
  return (body) => (test(body) ? {} : undefined);
}

const noObject: readonly Defect[] = NO_OBJECT_ROWS.map(([id, title, types, read]) => ({
  id,
  title,
  breaks: ['request-body.object'],
  killedBy: Object.fromEntries(types.map((type) => [`body-is-${type}`, 'accepted'])),
  behaviour: {
    replace: (rules) => ({
      validateUpdate: (body) => rules.validateUpdate(isRecord(body) ? body : (read(body) ?? body)),
    }),
  },
}));

const REQUIREMENTS_OF_TEXT: Readonly<Record<string, string>> = {
  'body-absent': 'request-body.required',
  'body-malformed': 'request-body.well-formed',
  'body-lenient-json': 'request-body.strict-json',
};

const UNREADABLE_ROWS: readonly BodyRow<(text: string) => unknown>[] = rows({
  'absent-body-taken-as-empty: The server reads an absent body as `{}`.': [['body-absent'], emptyIf(is(''))],
  'malformed-body-taken-as-empty: The server reads a body that is not JSON as `{}`.': [
    ['body-malformed'],
    emptyIf((text) => text !== ''),
  ],
  'unreadable-body-taken-as-empty: The server reads a body that is absent or not JSON as `{}`.': [
    ['body-absent', 'body-malformed'],
    () => ({}),
  ],
  'broken-off-body-completed: The server completes a body that is cut off.': [
    ['body-malformed'],
    (text) => parsed(`${text}}`),
  ],
  'members-searched-in-body: The server searches the body for the name, even if it is not JSON.': [
    ['body-malformed'],
    (text) => parsed(`${/\{"name":"[^"]*"/.exec(text)?.[0] ?? ''}}`),
  ],
  'missing-value-counts-as-not-sent: The server treats a member without a value as not sent.': [
    ['body-malformed'],
    (text) => parsed(text.replace(/,"\w+":\}.*/, '}')),
  ],
  'form-taken-as-body: The server accepts a form as well as JSON.': [
    ['body-malformed'],
    (text) => (/^\w+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined),
  ],
  'plain-text-taken-as-name: The server takes a plain text as body as the name.': [
    ['body-malformed'],
    (text) => (/^\w+ /.test(text) ? { name: text } : undefined),
  ],
  'text-behind-body-ignored: The server reads the body only to the end of the first JSON value.': [
    ['body-lenient-json'],
    (text) => parsed(text.slice(0, text.indexOf('}') + 1)),
  ],
  'last-of-several-values-taken: If the body has several JSON values, the server takes the last one.': [
    ['body-lenient-json'],
    (text) => (text.includes('}{') ? parsed(text.slice(text.indexOf('}{') + 1)) : undefined),
  ],
  'single-quotes-taken: The server accepts strings in single quotes.': [
    ['body-lenient-json'],
    (text) => parsed(text.replaceAll("'", '"')),
  ],
  'comma-behind-last-member-taken: The server ignores a comma after the last member.': [
    ['body-lenient-json'],
    (text) => parsed(text.replace(/,\}$/, '}')),
  ],
});

const unreadable: readonly Defect[] = UNREADABLE_ROWS.map(([id, title, ids, read]) => ({
  id,
  title,
  breaks: ids.map((check) => REQUIREMENTS_OF_TEXT[check] ?? ''),
  killedBy: Object.fromEntries(ids.map((check) => [check, 'accepted'])),
  behaviour: {
    replace: (rules) => ({
      parseBody: (body) => {
        const text = body.toString('utf8');
        return parsed(text) === undefined ? (read(text) ?? rules.parseBody(body)) : rules.parseBody(body);
      },
    }),
  },
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
    const value = parsed(body.toString('utf8'));
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
  which: invalid(({ body }) => body.length > 0 && parsed(body.toString('utf8')) === undefined),
};

type StatusRow = readonly [invalid: Invalid, status: number];

const STATUS_ROWS: readonly StatusRow[] = [
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
  [ABSENT, 411],
  [ABSENT, 415],
  [ABSENT, 422],
  [ABSENT, 500],
  [MALFORMED, 415],
  [MALFORMED, 422],
  [MALFORMED, 500],
];

const otherStatuses: readonly Defect[] = STATUS_ROWS.map(([{ id, what, breaks, check, which }, status]) => ({
  id: `${id}-is-${status}`,
  title: `The server responds ${status} to ${what}.`,
  breaks: [breaks],
  killedBy: { [check]: 'wrong-status' },
  behaviour: refusedWith(which, status),
}));

type NameRow = readonly [invalid: Invalid, name: string];

const NAME_ROWS: readonly NameRow[] = [
  [MALFORMED, 'SyntaxError'],
  [ABSENT, 'BadRequest'],
  [wrongBody('array'), 'TypeError'],
  [wrongMember('name', 'number'), 'BadDataError'],
  [wrongMember('email', 'null'), 'NotFoundError'],
];

const otherNames: readonly Defect[] = NAME_ROWS.map(([{ id, what, breaks, check, which }, name]) => ({
  id: `${id}-named-${name.toLowerCase()}`,
  title: `The 400 response to ${what} has the error name ${name}.`,
  breaks: [breaks, 'errors.name'],
  killedBy: { [check]: 'wrong-error-name', 'error-name-400': 'wrong-error-name' },
  behaviour: refusedWith(which, 400, name),
}));

/** Source: Endpoints, PUT user, request body; Errors, 400. */
export const requestBodyDefects: readonly Defect[] = [
  ...wrongTypes,
  ...oddValues,
  ...roles,
  ...ROLE_TYPES.map((type) => storedAsItIs('rootRole', type)),
  ...besideValid,
  ...noObject,
  ...unreadable,
  ...otherStatuses,
  ...otherNames,
  ...named<Defect>({
    'body-not-validated: The server validates no member of the body.': {
      breaks: [NAME, EMAIL],
      killedBy: Object.fromEntries(TEXTS.flatMap((member) => TYPES.map((type) => [checkOf(member, type), 'accepted']))),
      behaviour: {
        replace: (rules) => ({ validateUpdate: (body) => (isRecord(body) ? body : rules.validateUpdate(body)) }),
      },
    },
    'one-valid-member-suffices: The server accepts a body if one of its members is valid.': {
      breaks: [NAME, EMAIL],
      killedBy: { 'body-one-member-invalid': 'accepted' },
      behaviour: {
        replace: (rules) => ({
          validateUpdate: (body) =>
            isRecord(body) && TEXTS.some((member) => typeof body[member] === 'string')
              ? body
              : rules.validateUpdate(body),
        }),
      },
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
      breaks: ['request-body.object', NAME, EMAIL, 'errors.name'],
      killedBy: Object.fromEntries(
        ['body-is-null', 'body-name-array', 'body-email-object', 'body-one-member-invalid', 'error-name-400'].map(
          (id) => [id, 'wrong-error-name'],
        ),
      ),
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
        (request) => isUpdate(request) && request.body.length > 0 && parsed(request.body.toString()) === undefined,
      ),
    },
    'null-body-hung-up-on: The server process crashes on null as body and closes the connection.': {
      breaks: ['request-body.object'],
      killedBy: { 'body-is-null': 'no-answer' },
      behaviour: hungUpOn(({ body }) => body.toString() === 'null'),
    },
  }),
];
