import { describe, expect, it } from 'vitest';
import { schema, type SchemaName } from '../../contract/document.ts';
import { isDateTime } from '../../contract/date-time.ts';
import { validators } from '../../contract/validators.ts';
import { casesBeside } from '../support/repository.ts';

interface Values {
  readonly right: readonly unknown[];
  readonly wrong: readonly unknown[];
}

const { dateTimes, bodies, ...schemas } = casesBeside(import.meta.url) as Record<SchemaName, Record<string, Values>> & {
  readonly dateTimes: Values;
  readonly bodies: readonly [name: SchemaName, body: unknown, pointers: readonly string[]][];
};

describe.each(Object.entries(schemas))('the validators of %s', (name, members) => {
  const own = validators.members[name as SchemaName];

  it.each(Object.entries(members))('of %s accept what the source allows', (member, { right, wrong }) => {
    const validate = own.get(member);
    for (const value of right) expect(validate?.(value), JSON.stringify(value)).toEqual([]);
    for (const value of wrong) expect(validate?.(value), JSON.stringify(value)).not.toEqual([]);
  });

  it('cover every member', () => {
    expect([...own.keys()]).toEqual(Object.keys(members));
    expect([...own.keys()]).toEqual(Object.keys(schema(name as SchemaName).properties));
  });
});

describe('the validators of bodies', () => {
  it.each(bodies)('find every violation of %s in %j: %j', (name, body, pointers) => {
    const found = validators.bodies[name](body).map(({ pointer }) => pointer);
    expect(found.toSorted()).toEqual(pointers);
  });

  it('convert no values, and say what types there may be', () => {
    const body = { name: 5 };
    expect(validators.bodies.updateUserSchema(body)).toEqual([
      { pointer: '/name', message: 'must be string', expected: 'string' },
    ]);
    expect(body).toEqual({ name: 5 });
    const violation = { pointer: '', message: 'must be string or null', expected: 'string or null' };
    expect(validators.members.createUserResponseSchema.get('name')?.(5)).toEqual([violation]);
    expect(validators.bodies.createUserResponseSchema({ id: 4, rootRole: '1' })).toEqual([
      { pointer: '/rootRole', message: 'must be integer or object', expected: 'integer or object' },
    ]);
  });
});

it.each([
  ...dateTimes.right.map((text) => ['a date-time', text, true] as const),
  ...dateTimes.wrong.map((text) => ['no date-time', text, false] as const),
])('%s: %j', (_what, text, right) => expect(isDateTime(String(text))).toBe(right));
