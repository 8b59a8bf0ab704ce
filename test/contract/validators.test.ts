import { describe, expect, it } from 'vitest';
import { schema } from '../../contract/document.ts';
import { isDateTime } from '../../contract/date-time.ts';
import { validators } from '../../contract/validators.ts';

describe('validators', () => {
  const members: readonly (readonly [member: string, right: readonly unknown[], wrong: readonly unknown[]])[] = [
    ['id', [1, 0, 9007199254740991], ['1', 1.5, null, true, {}]],
    ['isAPI', [true, false], ['true', 1, null]],
    ['name', ['Ada', '', null], [5, true, [], {}]],
    ['email', ['a@example.com'], [null, 5, false]],
    ['username', ['ada', null], [5, {}]],
    ['imageUrl', ['x'], [null, 5]],
    ['inviteLink', ['x'], [null, 5]],
    ['loginAttempts', [0, 3], ['0', 0.5, null]],
    ['emailSent', [true], ['yes', 1, null]],
    ['rootRole', [1, {}, { id: 1 }], [null, '1', [], true, 1.5]],
    ['seenAt', [null, '2026-01-01T00:00:00Z'], ['yesterday', 5, '2026-01-01']],
    ['createdAt', ['2026-01-01T00:00:00.123456+05:30'], [null, 1700000000, '2026-01-01T00:00:00']],
    ['accountType', ['User', 'anything'], [null, 1]],
    ['permissions', [[], ['A']], [null, 'A', [1], {}]],
    ['scimId', ['x', null], [5, {}]],
  ];

  it.each(members)('of the user member %s accept what the source allows', (member, right, wrong) => {
    const validate = validators.members.createUserResponseSchema.get(member);
    for (const value of right) expect(validate?.(value), JSON.stringify(value)).toEqual([]);
    for (const value of wrong) expect(validate?.(value), JSON.stringify(value)).not.toEqual([]);
  });

  it('cover every member of a user and of a banner', () => {
    const { createUserResponseSchema: userMembers, bannerSchema: bannerMembers } = validators.members;
    expect([...userMembers.keys()]).toEqual(members.map(([member]) => member));
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
    ...['2026-01-02T03:04:05Z', '2026-01-02t03:04:05z', '2026-01-02T03:04:05.1Z', '2026-01-02 03:04:05Z'],
    ...[
      '2026-01-02T03:04:05.123456789+14:00',
      '2026-01-02T03:04:05-00:00',
      '2016-12-31T23:59:60Z',
      '2024-02-29T00:00:00Z',
    ],
  ])('accept %s as a date-time', (text) => {
    expect(isDateTime(text)).toBe(true);
  });

  it.each([
    ...['2026-01-02T03:04:05', '2026-01-02T03:04:05+0200', '2026-01-02T03:04Z', '2026-01-02', '2026-13-02T03:04:05Z'],
    ...['2026-02-30T03:04:05Z', '2025-02-29T00:00:00Z', '2026-01-02T25:04:05Z', '20260102T030405Z'],
    ...['Fri, 02 Jan 2026 03:04:05 GMT', '1767322800', ''],
  ])('refuse %j as a date-time', (text) => {
    expect(isDateTime(text)).toBe(false);
  });
});
