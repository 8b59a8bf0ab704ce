import { isRecord } from '../../../common/json.ts';
import { replacing, type Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { rows } from '../../table.ts';
import { type TypeName, TYPES, a, is, isA } from './json-types.ts';

export type Body = Record<string, unknown>;

export const TEXTS = ['name', 'email'] as const;
function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function requirementOf(member: string): string {
  return `request-body.${member === 'rootRole' ? 'root-role' : member}-type`;
}

export function checkOf(member: string, type: string): string {
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
    'null-role-dropped-beside-name: The server ignores null as root role if a name is sent.': [
      ['null'],
      (value, body) => value === null && 'name' in body,
      notSent,
    ],
  }),
].map((fault) => memberDefect('rootRole', fault));

/** The names of the string members that do not conform. */
export function wrongTexts(body: Body): string[] {
  return TEXTS.filter((member) => member in body && typeof body[member] !== 'string');
}

export const NAME = requirementOf('name');
export const EMAIL = requirementOf('email');

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

/** Members of a wrong type. Source: Endpoints, PUT user, request body. */
export const memberTypesDefects: readonly Defect[] = [
  ...wrongTypes,
  ...oddTexts,
  ...roles,
  ...ROLE_TYPES.map((type) => storedAsItIs('rootRole', type)),
  ...besideValid,
];
