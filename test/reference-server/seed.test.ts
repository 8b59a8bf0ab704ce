import { describe, expect, it } from 'vitest';
import { defaultSeed, InvalidSeed, parseSeed, SEED_MEMBERS, updatableMembers } from '../../reference-server/seed.ts';
import { validators } from '../../contract/validators.ts';

const parse = (value: unknown) => parseSeed(JSON.stringify(value), validators);

describe('the default seed', () => {
  it('has two users with different ids, roles and addresses, and two different keys', () => {
    for (const member of ['id', 'rootRole', 'email', 'name'] as const) {
      expect(new Set(defaultSeed.users.map((user) => user[member])).size, member).toBe(defaultSeed.users.length);
    }
    expect(defaultSeed.users.length).toBeGreaterThanOrEqual(2);
    expect(defaultSeed.keys.admin).not.toBe(defaultSeed.keys.restricted);
  });

  it('is read back from its own JSON', () => expect(parse(defaultSeed)).toEqual(defaultSeed));
});

describe('parseSeed', () => {
  it('takes what is left out from the default seed', () => {
    expect(parse({})).toEqual(defaultSeed);
    const users = [{ id: 7 }];
    expect(parse({ users })).toEqual({ ...defaultSeed, users });
    expect(parse({ banners: [] })).toEqual({ ...defaultSeed, banners: [] });
    const keys = { admin: 'a', restricted: 'b' };
    expect(parse({ keys })).toEqual({ ...defaultSeed, keys });
  });

  it.each(['', '{', 'users: []', '{"users":[],}'])('refuses what is not JSON: %j', (text) =>
    expect(() => parseSeed(text, validators)).toThrow('not JSON'),
  );

  const second = (user: unknown): unknown => ({ users: [{ id: 1 }, user] });

  it.each<[value: unknown, says: RegExp]>([
    ...[null, [], 'seed', 5].map((value): [unknown, RegExp] => [value, /object/]),
    [{ user: [] }, RegExp(`"user" is not known; use ${SEED_MEMBERS}`)],
    ...[{}, 'users', 5, null].map((users): [unknown, RegExp] => [{ users }, /"users"/]),
    ...[{}, null, ['Welcome']].map((banners): [unknown, RegExp] => [{ banners }, /banners/]),
    [{ banners: [{ id: 1 }, 'Welcome'] }, /banners\/1/],
    ...[{}, 'Ada'].map((user): [unknown, RegExp] => [second(user), /users\/1/]),
    ...['7', 7.5].map((id): [unknown, RegExp] => [second({ id }), /users\/1\/id/]),
    [second({ id: 7, name: 5 }), /users\/1\/name/],
    [second({ id: 7, rootRole: 'Admin' }), /users\/1\/rootRole/],
    [second({ id: 7, createdAt: '2026-01-01' }), /users\/1\/createdAt/],
    [{ users: [{ id: 1 }, { id: 2 }, { id: 1 }] }, /users\/2\/id.*\b1\b/],
    ...[null, 'key', {}, { admin: 'a' }, { restricted: 'b' }, { admin: 1, restricted: 2 }].map(
      (keys): [unknown, RegExp] => [{ keys }, /"admin".*"restricted"/],
    ),
    [{ keys: { admin: '', restricted: 'b' } }, /"admin".*"restricted"/],
    [{ keys: { admin: 'a', restricted: '' } }, /"admin".*"restricted"/],
    [{ keys: { admin: 'geheim', restricted: 'geheim' } }, /^(?!.*geheim).*differ/],
  ])('refuses %j, and says what is wrong', (value, says) => {
    expect(() => parse(value)).toThrow(InvalidSeed);
    expect(() => parse(value)).toThrow(says);
  });
});

it('updatableMembers are the three that the source names', () =>
  expect([...updatableMembers].sort()).toEqual(['email', 'name', 'rootRole']));
