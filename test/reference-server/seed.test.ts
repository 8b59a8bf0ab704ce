import { describe, expect, it } from 'vitest';
import { defaultSeed, InvalidSeed, parseSeed, updatableMembers } from '../../reference-server/seed.ts';
import { validators } from '../../contract/validators.ts';
import { casesBeside } from '../support/repository.ts';

const refused = Object.entries(casesBeside(import.meta.url) as Record<string, unknown[]>).flatMap(([says, values]) =>
  values.map((value) => [value, says] as const),
);
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

  it.each(refused)('refuses %j: %s', (value, says) => {
    expect(() => parse(value)).toThrow(InvalidSeed);
    expect(() => parse(value)).toThrow(says);
    expect(() => parse(value)).not.toThrow('geheim');
  });
});

it('updatableMembers are the three that the source names', () =>
  expect([...updatableMembers].sort()).toEqual(['email', 'name', 'rootRole']));
