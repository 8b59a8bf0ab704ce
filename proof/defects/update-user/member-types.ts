import { isRecord } from '../../../common/json.ts';
import { replacing, type Behaviour } from '../../behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, defectsOf, tableOf } from '../../table.ts';
import type { Members } from '../requests.ts';
import { type TypeName, TYPES, a, is, isA } from './json-types.ts';

const TEXTS = ['name', 'email'] as const;
function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function requirementOf(member: string): string {
  return `request-body.${member === 'rootRole' ? 'root-role' : member}-type`;
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
function letsThrough(member: string, passes: (value: unknown, body: Members) => boolean, treat: Treat): Behaviour {
  return replacing('validateUpdate', (validate) => (body) => {
    if (!isRecord(body) || !(member in body) || !passes(body[member], body)) return validate(body);
    const { [member]: wrong, ...rest } = body;
    const treated = treat(wrong);
    return { ...validate(rest), ...(treated ? { [member]: treated.value } : {}) };
  });
}

/** Stores a member of a wrong type unchanged, and shows it from then on. */
function storedAsItIs(member: string, type: TypeName): WrittenDefect {
  return {
    id: `${member === 'rootRole' ? 'root-role' : member}-${type}-stored`,
    title: `The server stores ${a(type)} as \`${member}\` unchanged.`,
    breaks: [requirementOf(member)],
    behaviour: letsThrough(member, isA(type), asItIs),
  };
}

/** Which values of a member pass, and what becomes of them. */
type Passing = readonly [passes: (value: unknown, body: Members) => boolean, treat: Treat];

function lettingThrough(member: string, table: Table<Passing>, frame?: string): WrittenDefect[] {
  return defectsOf(
    table,
    ([passes, treat]) => ({
      breaks: [requirementOf(member)],
      behaviour: letsThrough(member, passes, treat),
    }),
    frame,
  );
}

const PRIMITIVES = ['number', 'boolean'] as const;

const ODD_TEXTS: Table<Passing> = {
  'zero-counts-as-not-sent: The server treats the number 0 as not sent': [is(0), notSent],
  'false-counts-as-not-sent: The server treats false as not sent': [is(false), notSent],
  'falsy-counts-as-not-sent: The server treats a falsy value as not sent': [is(0, false, null), notSent],
  'empty-array-counts-as-not-sent: The server treats an empty array as not sent': [is([]), notSent],
  'empty-object-counts-as-not-sent: The server treats an empty object as not sent': [is({}), notSent],
  'fraction-turned-into-text: The server converts a number with a fraction to a string': [is(1.5), asText],
  'true-turned-into-text: The server converts true to a string': [is(true), asText],
  'primitive-turned-into-text: The server converts a number or a boolean to a string': [isA(...PRIMITIVES), asText],
  'null-turned-into-empty-text: The server converts null to an empty string': [is(null), as('')],
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

const ROLES: Table<Passing> = {
  ...tableOf(
    ROLE_TYPES,
    (type) => `${type}-role-counts-as-not-sent: The server treats ${a(type)} as root role as if it were not sent.`,
    (type) => [isA(type), notSent] as Passing,
  ),
  'false-role-counts-as-not-sent: The server treats false as root role as if it were not sent.': [is(false), notSent],
  'empty-array-role-counts-as-not-sent: The server treats an empty array as root role as if it were not sent.': [
    is([]),
    notSent,
  ],
  'wrong-role-counts-as-not-sent: The server treats a root role of any wrong type as if it were not sent.': [
    (value) => !isRecord(value) && !Number.isInteger(value),
    notSent,
  ],
  'null-role-dropped-beside-name: The server ignores null as root role if a name is sent.': [
    (value, body) => value === null && 'name' in body,
    notSent,
  ],
};

/** The names of the string members that do not conform. */
export function wrongTexts(body: Members): string[] {
  return TEXTS.filter((member) => member in body && typeof body[member] !== 'string');
}

export const NAME = requirementOf('name');
export const EMAIL = requirementOf('email');

/** A valid member hides an invalid one: some members are dropped before the body is validated. */
const BESIDE: Table<readonly [breaks: readonly string[], drops: (body: Members) => readonly string[]]> = {
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
};

/** Members of a wrong type. Source: Endpoints, PUT user, request body. */
export const memberTypesDefects: readonly WrittenDefect[] = [
  ...TEXTS.flatMap((member) =>
    TYPES.flatMap((type) => [
      storedAsItIs(member, type),
      ...lettingThrough(
        member,
        {
          'turned-into-text: is converted to a string': [isA(type), asText],
          'counts-as-not-sent: is treated as not sent': [isA(type), notSent],
        },
        `${member}-${type}-*: ${capital(a(type))} as \`${member}\` *.`,
      ),
    ]),
  ),
  ...TEXTS.flatMap((member) => lettingThrough(member, ODD_TEXTS, `${member}-*: * in \`${member}\`.`)),
  ...lettingThrough('rootRole', ROLES),
  ...ROLE_TYPES.map((type) => storedAsItIs('rootRole', type)),
  ...defectsOf(BESIDE, ([breaks, drops]) => ({
    breaks,
    behaviour: replacing('validateUpdate', (validate) => (body) => {
      if (!isRecord(body)) return validate(body);
      const dropped = drops(body);
      return validate(Object.fromEntries(Object.entries(body).filter(([member]) => !dropped.includes(member))));
    }),
  })),
];
