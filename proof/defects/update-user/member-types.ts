import { isDeepStrictEqual } from 'node:util';
import { isRecord, without } from '../../../common/json.ts';
import { replacing, type Behaviour } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, dealt, mapped, tableOf } from '../../table.ts';
import {
  type Members,
  type WhichRequest,
  all,
  not,
  sends,
  sendsOnly,
  sentMembers,
  takenAs,
  withId,
} from '../requests.ts';
import { isUpdate } from './updates.ts';

export type Test = (value: unknown) => boolean;

export const TYPES = ['number', 'boolean', 'array', 'object', 'null'] as const;
export type TypeName = (typeof TYPES)[number] | 'string';

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

export const isA =
  (...types: readonly TypeName[]): Test =>
  (value) =>
    types.some((type) => type === typeOf(value));
export const is =
  (...values: readonly unknown[]): Test =>
  (value) =>
    values.some((each) => isDeepStrictEqual(each, value));

/** Matches requests with a member of a type. */
export function sendsA(type: TypeName, member: string): WhichRequest {
  return ({ request }) => typeOf(sentMembers(request)[member]) === type;
}

export function a(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

export const TEXTS = ['name', 'email'] as const;
function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function requirementOf(member: string): string {
  return `request-body.${member === 'rootRole' ? 'root-role' : member}-type`;
}

/** What the server does with a value that it accepts; undefined: it treats the value as not sent. */
type Treat = (value: unknown) => { readonly value: unknown } | undefined;

const asItIs: Treat = (value) => ({ value });
const asText: Treat = (value) => ({ value: String(value) });
const notSent: Treat = () => undefined;

/** Accepts values of a member that must be refused. */
function letsThrough(member: string, passes: (value: unknown, body: Members) => boolean, treat: Treat): Behaviour {
  return replacing('validateUpdate', (validate) => (body) => {
    if (!isRecord(body) || !(member in body) || !passes(body[member], body)) return validate(body);
    const { [member]: wrong, ...rest } = body;
    const treated = treat(wrong);
    return { ...validate(rest), ...(treated ? { [member]: treated.value } : {}) };
  });
}

/** What becomes of a value of a wrong type. */
const TREATED: Table<Treat> = {
  'stored: is stored unchanged': asItIs,
  'counts-as-not-sent: is treated as not sent': notSent,
  'turned-into-text: is converted to a string': asText,
};

/** Which values of a member pass, and what becomes of them. */
type Passing = readonly [passes: (value: unknown, body: Members) => boolean, treat: Treat];

function lettingThrough(member: string, table: Table<Passing>, frame = '*: *'): WrittenDefect[] {
  return breaking(requirementOf(member), table, frame, ([passes, treat]) => letsThrough(member, passes, treat));
}

const ODD_TEXTS: Table<Passing> = {
  'zero-counts-as-not-sent: The server treats the number 0 as not sent': [is(0), notSent],
  'false-counts-as-not-sent: The server treats false as not sent': [is(false), notSent],
  'falsy-counts-as-not-sent: The server treats a falsy value as not sent': [is(0, false, null), notSent],
  'primitive-turned-into-text: The server converts a number or a boolean to a string': [
    isA('number', 'boolean'),
    asText,
  ],
  'array-of-one-unwrapped: The server takes the only element of an array': [
    (value) => Array.isArray(value) && value.length === 1,
    (value) => ({ value: (value as unknown[])[0] }),
  ],
  'object-with-value-unwrapped: The server takes the member `value` of an object': [
    (value) => isRecord(value) && 'value' in value,
    (value) => ({ value: (value as Members).value }),
  ],
};

const ROLE_TYPES = ['boolean', 'array', 'null'] as const;

/** Roles that the server treats as if they were not sent; the title completes "The server treats …". */
const ROLES: Table<Passing[0]> = {
  ...tableOf(
    ROLE_TYPES,
    (type) => `${type}: ${a(type)} as root role`,
    (type) => isA(type),
  ),
  'wrong: a root role of any wrong type': (value) => !isRecord(value) && !Number.isInteger(value),
};

/** The names of the string members that do not conform. */
function wrongTexts(body: Members): string[] {
  return TEXTS.filter((member) => member in body && typeof body[member] !== 'string');
}

export const NAME = requirementOf('name');
export const EMAIL = requirementOf('email');

/** A valid member hides an invalid one: some members are dropped before the body is validated. */
function dropping(drops: (body: Members) => readonly string[]): Behaviour {
  return replacing('validateUpdate', (validate) => (body) => {
    if (!isRecord(body)) return validate(body);
    const dropped = drops(body);
    return validate(Object.fromEntries(Object.entries(body).filter(([member]) => !dropped.includes(member))));
  });
}

/** Drops a member of a wrong type from some updates instead of refusing them. */
function dropped(member: string, which: WhichRequest): Behaviour {
  return takenAs(all(isUpdate, sends(member), not(sendsA('string', member)), which), (request) => ({
    ...request,
    body: Buffer.from(JSON.stringify(without(sentMembers(request), member))),
  }));
}

/** Those that show in only one kind of request. */
const inOneRequest = TEXTS.flatMap((member) => {
  const right = member === 'name' ? 'email' : 'name';
  return breaking(requirementOf(member), {
    [`null-as-${member}-alone-taken-for-nothing: reads a body with only null as \`${member}\` as an empty one`]:
      dropped(member, all(sendsA('null', member), sendsOnly(member))),
    [`boolean-as-${member}-dropped-beside-${right}: ignores a boolean as \`${member}\` if a valid \`${right}\` is sent too`]:
      dropped(member, all(sendsA('boolean', member), sendsA('string', right))),
    [`${member}-not-looked-at-beside-role: ignores \`${member}\` with a wrong type if a role is sent too`]: dropped(
      member,
      sends('rootRole'),
    ),
    [`${member}-not-looked-at-for-other-user: ignores \`${member}\` with a wrong type in updates of any user but the first`]:
      dropped(member, withId(/^2$/)),
  });
});

/** Members of a wrong type. Source: Endpoints, PUT user, request body. */
export const memberTypesDefects: readonly WrittenDefect[] = [
  ...TEXTS.flatMap((member) => [
    ...dealt(TREATED, TYPES).flatMap(([type, treated]) =>
      lettingThrough(
        member,
        mapped(treated, (treat) => [isA(type), treat] as const),
        `${member}-${type}-*: ${capital(a(type))} as \`${member}\` *.`,
      ),
    ),
    ...lettingThrough(member, ODD_TEXTS, `${member}-*: * in \`${member}\`.`),
  ]),
  ...lettingThrough(
    'rootRole',
    mapped(ROLES, (passes) => [passes, notSent] as const),
    '*-role-counts-as-not-sent: treats * as if it were not sent',
  ),
  ...lettingThrough('rootRole', {
    'null-role-stored: stores null as root role': [isA('null'), asItIs],
  }),
  ...breaking([NAME, EMAIL], {
    'invalid-member-dropped-beside-valid: drops a name or e-mail address of a wrong type if the other one is valid':
      dropping((body) => (TEXTS.some((member) => typeof body[member] === 'string') ? wrongTexts(body) : [])),
    'first-member-alone-validated: validates only the first member of the body and ignores later ones that are not strings':
      dropping((body) => wrongTexts(body).filter((member) => member !== Object.keys(body)[0])),
    'last-member-alone-validated: validates only the last member of the body and ignores earlier ones that are not strings':
      dropping((body) => wrongTexts(body).filter((member) => member !== Object.keys(body).at(-1))),
  }),
  ...inOneRequest,
];
