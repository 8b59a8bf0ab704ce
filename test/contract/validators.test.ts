import { describe, expect, it } from 'vitest';
import { schema } from '../../contract/document.ts';
import { isDateTime } from '../../contract/date-time.ts';
import { validators } from '../../contract/validators.ts';
import { casesBeside } from '../support/data.ts';

describe('validators', () => {
  interface Values {
    readonly right: readonly unknown[];
    readonly wrong: readonly unknown[];
  }
  const { user, dateTimes } = casesBeside(import.meta.url) as {
    user: Readonly<Record<string, Values>>;
    dateTimes: Values;
  };

  it.each(Object.entries(user))('of the user member %s accept what the source allows', (member, { right, wrong }) => {
    const validate = validators.members.createUserResponseSchema.get(member);
    for (const value of right) expect(validate?.(value), JSON.stringify(value)).toEqual([]);
    for (const value of wrong) expect(validate?.(value), JSON.stringify(value)).not.toEqual([]);
  });

  it('cover every member of a user and of a banner', () => {
    const { createUserResponseSchema: userMembers, bannerSchema: bannerMembers } = validators.members;
    expect([...userMembers.keys()]).toEqual(Object.keys(user));
    expect([...bannerMembers.keys()]).toEqual(Object.keys(schema('bannerSchema').properties));
  });

  it('of banner members accept null, and refuse a type that the sample does not have', () => {
    for (const [member, validate] of validators.members.bannerSchema) {
      expect(validate(null), member).toEqual([]);
      expect(validate([]), member).not.toEqual([]);
    }
  });

  it('of banner members accept a value of the type that the sample has', () => {
    const bannerMembers = validators.members.bannerSchema;
    const sample: Readonly<Record<string, unknown>> = { id: 1, enabled: true, sticky: false };
    for (const [member, validate] of bannerMembers) {
      expect(validate(sample[member] ?? (member === 'createdAt' ? '2026-01-02T03:04:05+01:00' : 'x')), member).toEqual(
        [],
      );
      expect(validate({}), member).not.toEqual([]);
    }
    expect(bannerMembers.get('enabled')?.('true')).not.toEqual([]);
    expect(bannerMembers.get('createdAt')?.('yesterday')).not.toEqual([]);
  });

  it('of whole bodies check every member, even those of elements', () => {
    const { bodies } = validators;
    expect(bodies.createUserResponseSchema({ id: 4, name: null, createdAt: '2026-01-02T03:04:05Z' })).toEqual([]);
    expect(bodies.createUserResponseSchema({ id: 4, createdAt: 'yesterday' })).toMatchObject([
      { pointer: '/createdAt' },
    ]);
    expect(bodies.createUserResponseSchema({ name: 'Ada' })).toMatchObject([{ pointer: '' }]);
    expect(bodies.bannersSchema({ banners: [] })).toEqual([]);
    expect(bodies.bannersSchema({ banners: [{ id: 1 }] })).toEqual([]);
    expect(bodies.bannersSchema({ banners: [{}, 5] })).toMatchObject([{ pointer: '/banners/1' }]);
    expect(bodies.bannersSchema({})).toMatchObject([{ pointer: '' }]);
  });

  it('name every violation, not only the first', () => {
    const pointers = validators.bodies.updateUserSchema({ name: 5, email: 6 }).map(({ pointer }) => pointer);
    expect(pointers.toSorted()).toEqual(['/email', '/name']);
  });

  it('convert no values', () => {
    const { bodies } = validators;
    const body = { name: 5 };
    expect(bodies.updateUserSchema(body)).toEqual([{ pointer: '/name', message: 'must be string' }]);
    expect(body).toEqual({ name: 5 });
    expect(bodies.updateUserSchema({})).toEqual([]);
    expect(bodies.updateUserSchema({ other: 1 })).toEqual([]);
    expect(bodies.updateUserSchema([])).not.toEqual([]);
    const [violation] = validators.members.createUserResponseSchema.get('name')?.(5) ?? [];
    expect(violation).toEqual({ pointer: '', message: 'must be string or null' });
  });

  it.each([
    ...dateTimes.right.map((text) => ['accept', text, true] as const),
    ...dateTimes.wrong.map((text) => ['refuse', text, false] as const),
  ])('%s %j as a date-time', (_verb, text, right) => {
    expect(isDateTime(String(text))).toBe(right);
  });
});
