import { operations } from '../../../conformance/operations/index.ts';
import { responseSchemaOf, schema, type JsonSchema, type SchemaName } from '../../../contract/document.ts';
import { isRecord } from '../../../common/json.ts';
import type { Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { type WhichResponse, showing, success } from '../responses.ts';

export type Members = Readonly<Record<string, unknown>>;

/** The name of a member, as in the ids of requirements and checks. */
export function kebab(member: string): string {
  return member.replaceAll(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`);
}

function mapObjects(
  body: unknown,
  isObjectItself: boolean,
  change: (shown: Members, index: number) => unknown,
): unknown {
  if (!isRecord(body)) return body;
  if (isObjectItself) return change(body, 0);
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.filter(isRecord).map(change) : value,
    ]),
  );
}

/** Changes every object with a schema of the contract, whichever operation shows it. */
export function changing(
  shown: SchemaName,
  change: (object: Members, index: number) => unknown,
  which: WhichResponse = () => true,
): Behaviour {
  const showers = operations.filter(({ shows }) => shows.schema === shown).map(({ id }) => ({ id, is: success(id) }));
  return showing(
    (response) => showers.some(({ is }) => is(response)) && which(response),
    (body, { request }) => {
      const shower = showers.find(({ is }) => is({ request, status: 200, count: 1 }));
      return mapObjects(body, shower !== undefined && responseSchemaOf(shower.id) === shown, change);
    },
  );
}

/** Shows a member of such objects with another value. */
export type MemberFault = readonly [
  member: string,
  fault: string,
  title: string,
  value: (object: Members, index: number) => unknown,
  which?: WhichResponse | undefined,
];

/**
 * The defects of members of a schema.
 *
 * @param object what an object with this schema is called, as in the ids of its checks
 */
export function memberDefects(object: string, shown: SchemaName, faults: readonly MemberFault[]): Defect[] {
  return faults.map(([member, fault, title, value, which]) => ({
    id: `${object}-${kebab(member)}-${fault}`,
    title,
    breaks: [`${object}.${kebab(member)}`],
    killedBy: { [`${object}-${kebab(member)}`]: 'wrong-type' },
    behaviour: changing(shown, (each, index) => ({ ...each, [member]: value(each, index) }), which),
  }));
}

/** A value of each type, how the type is called, and the types of JSON Schema that allow it. */
const VALUES: readonly (readonly [type: string, words: string, value: unknown, allowed: readonly string[]])[] = [
  ['text', 'a string', 'seven', ['string']],
  ['number', 'a number', 7, ['integer', 'number']],
  ['fraction', 'a number with a fraction', 7.5, ['number']],
  ['boolean', 'a boolean', true, ['boolean']],
  ['null', 'null', null, ['null']],
  ['array', 'an array', ['seven'], ['array']],
  ['object', 'an object', { value: 'seven' }, ['object']],
];

/** The values that a member must not have. A member that is only inferred from a sample may be null. */
function wrongValues(member: JsonSchema): typeof VALUES {
  const sample = member['x-sample-type'] as JsonSchema | undefined;
  const { type, format } = sample ?? member;
  const types = [type, ...(sample ? ['null'] : [])].flat();
  return VALUES.filter(([name, , , allowed]) => {
    if (name === 'fraction') return types.includes('integer');
    if (name === 'text' && format !== undefined) return true;
    return !allowed.some((each) => types.includes(each)) && !(name === 'number' && types.includes('integer'));
  });
}

const bySchema = new Map(operations.map(({ shows }) => [shows.schema, shows.object]));

/** One defect for each member of each schema that an operation shows, and each type that the member must not have. */
export const membersDefects: readonly Defect[] = [...bySchema].flatMap(([shown, object]) =>
  Object.entries(schema(shown).properties).flatMap(([member, definition]) =>
    memberDefects(
      object,
      shown,
      wrongValues(definition).map(([type, words, value]) => [
        member,
        `shown-as-${type}`,
        `The \`${member}\` of a ${object} is ${words}.`,
        () => value,
      ]),
    ),
  ),
);
