import { operations } from '../../../conformance/operations/index.ts';
import { responseSchemaOf, schema, type JsonSchema, type SchemaName } from '../../../contract/document.ts';
import { isRecord } from '../../../common/json.ts';
import type { Behaviour } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, dealt, rows, tableOf } from '../../table.ts';
import { type Members, type Which, any, success } from '../requests.ts';
import { showing } from '../responses.ts';

/** The name of a member, as in the ids of requirements and checks. */
export function kebab(member: string): string {
  return member.replaceAll(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`);
}

/** Changes every object with a schema of the contract, whichever operation shows it: as its body, or in a list. */
function changing(
  shown: SchemaName,
  change: (object: Members, index: number) => unknown,
  which: Which = any,
): Behaviour {
  const showers = operations
    .filter(({ shows }) => shows.schema === shown)
    .map(({ id }) => ({ shows: success(id), isBody: responseSchemaOf(id) === shown }));
  return showing(
    (answered) => showers.some(({ shows }) => shows(answered)) && which(answered),
    (body, answered) => {
      if (!isRecord(body)) return body;
      if (showers.some(({ shows, isBody }) => isBody && shows(answered))) return change(body, 0);
      const changed = (value: unknown): unknown => (Array.isArray(value) ? value.filter(isRecord).map(change) : value);
      return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, changed(value)]));
    },
  );
}

/** Another value of a member. */
export type MemberFault<Shown = Members> = readonly [value: (object: Shown, index: number) => unknown, which?: Which];

/**
 * The defects of members of a schema.
 *
 * @param object what an object with this schema is called, as in the ids of its checks
 * @param faults by `member fault: title`
 */
export function memberDefects<Shown = Members>(
  object: string,
  shown: SchemaName,
  faults: Table<MemberFault<Shown>>,
): WrittenDefect[] {
  return rows(faults).flatMap(([key, title, [value, which]]) => {
    const [member = '', fault = ''] = key.split(' ');
    const name = kebab(member);
    const change = (each: Members, index: number): Members => ({ ...each, [member]: value(each as Shown, index) });
    return breaking(`${object}.${name}`, {
      [`${object}-${name}-${fault}: ${title}`]: changing(shown, change, which),
    });
  });
}

/** How a serializer may show a value as each other type, how the type is called, and the types of JSON Schema that allow it. */
const VALUES: readonly (readonly [
  type: string,
  words: string,
  value: (own: unknown) => unknown,
  allowed: readonly string[],
])[] = [
  ['text', 'a string', (own) => (['number', 'boolean'].includes(typeof own) ? String(own) : 'seven'), ['string']],
  ['number', 'a number', (own) => (typeof own === 'boolean' ? Number(own) : 7), ['integer', 'number']],
  ['fraction', 'a number with a fraction', () => 7.5, ['number']],
  ['boolean', 'a boolean', () => true, ['boolean']],
  ['null', 'null', () => null, ['null']],
  ['array', 'an array', (own) => [own ?? 'seven'], ['array']],
  ['object', 'an object', (own) => ({ value: own ?? 'seven' }), ['object']],
];

/** Wrong forms of a date-time, each made from one in UTC such as `2025-06-01T08:00:00.000Z`. */
const TIMES: Table<(time: string) => unknown> = {
  'a-date: is a date without a time': (time) => time.slice(0, 10),
  'without-zone: has no time zone': (time) => time.replace('Z', ''),
  'epoch-in-milliseconds: is a number of milliseconds': (time) => Date.parse(time),
  'of-http: has the date format of HTTP header fields': (time) => new Date(time).toUTCString(),
  'of-sql: has the date format of a database': (time) => time.replace('T', ' ').replace(/\.\d+Z/, ''),
  'with-offset-without-colon: has an offset without a colon': (time) => time.replace('Z', '+0000'),
  'on-impossible-day: is on February 30': (time) => time.replace(/-\d\d-\d\dT/, '-02-30T'),
  'invalid-date: is the string `Invalid Date`': () => 'Invalid Date',
  'empty: is an empty string': () => '',
};

/** Forms of ISO 8601 that RFC 3339 does not have. */
const ISO_TIMES: typeof TIMES = { 'without-seconds: has no seconds': (time) => time.replace(/:\d\d\.\d+Z/, 'Z') };

const TIME = '2025-06-01T08:00:00.000Z';

/** Those that every member is tried with where they are wrong; of the others each member has one, in turn. */
const ALWAYS = ['null', 'fraction'];

interface Member {
  readonly shown: SchemaName;
  readonly object: string;
  readonly member: string;
  readonly definition: JsonSchema;
}

/** Every member of each schema that an operation shows. */
const MEMBERS: readonly Member[] = [...new Map(operations.map(({ shows }) => [shows.schema, shows.object]))].flatMap(
  ([shown, object]) =>
    Object.entries(schema(shown).properties).map(([member, definition]) => ({ shown, object, member, definition })),
);

/** What the contract says of the type of a member, or what its sample shows: then it may be null. */
function typesOf({ definition }: Member): { readonly types: readonly unknown[]; readonly format: unknown } {
  const sample = definition['x-sample-type'] as JsonSchema | undefined;
  const { type, format } = sample ?? definition;
  return { types: [type, ...(sample ? ['null'] : [])].flat(), format };
}

const called = ({ object, member }: Member): string => `The \`${member}\` of a ${object}`;

/** The types that a member must not have. */
function wrongTypes(each: Member, turn: number): Table<MemberFault> {
  const { member } = each;
  const { types, format } = typesOf(each);
  const wrong = VALUES.filter(([name, , , allowed]) => {
    if (name === 'fraction') return types.includes('integer');
    if (name === 'text' && format !== undefined) return true;
    return !allowed.some((type) => types.includes(type)) && !(name === 'number' && types.includes('integer'));
  });
  const others = wrong.filter(([name]) => !ALWAYS.includes(name));
  return tableOf(
    wrong.filter((value) => ALWAYS.includes(value[0]) || value === others[turn % others.length]),
    ([name, words]) => `${member} shown-as-${name}: ${called(each)} is ${words}.`,
    ([, , value]) => [(shown) => value(shown[member])] as MemberFault,
  );
}

/** Values that a member must not have. */
export const membersDefects: readonly WrittenDefect[] = [
  ...MEMBERS.flatMap((each, turn) => memberDefects(each.object, each.shown, wrongTypes(each, turn))),
  ...[
    ...dealt(
      TIMES,
      MEMBERS.filter((each) => typesOf(each).format !== undefined),
    ),
    ...dealt(
      ISO_TIMES,
      MEMBERS.filter((each) => typesOf(each).format === 'date-time'),
    ),
  ].flatMap(([each, times]) =>
    memberDefects(
      each.object,
      each.shown,
      tableOf(
        rows(times),
        ([fault, what]) => `${each.member} ${fault}: ${called(each)} ${what}.`,
        ([, , write]) => [() => write(TIME)] as MemberFault,
      ),
    ),
  ),
];
