import { describe, expect, it } from 'vitest';
import type { Credential, Exchange } from '../../../conformance/http/exchange.ts';
import {
  compareSeen,
  lastKnown,
  lastSent,
  lastShown,
  originals,
  seen,
  seenValue,
  stored,
  written,
  type Seen,
} from '../../../conformance/target/user-state.ts';
import { compareMember, compareRoles, type Comparison } from '../../../conformance/target/comparison.ts';
import { NOT_SENDABLE, UNTOUCHED_MEMBERS, type Updatable } from '../../../conformance/target/user.ts';
import { answered, faulted, update, updateRequest, without } from '../../support/exchanges.ts';

const shown = (value: unknown): Seen => ({ kind: 'shown', value });
const REMOVED: Seen = { kind: 'removed' };
const UNSEEN: Seen = { kind: 'unseen' };

/** What the last response of a history says of a member. */
function seenLast(history: readonly Exchange[], member: string): Seen {
  const last = history.at(-1);
  if (!last) throw new Error('The history is empty.');
  return seen(last, member, history);
}

describe('seen', () => {
  it.each([['Ada'], [null], [''], [0], [false]])('shows a member that is in the body, also as %j', (value) => {
    expect(seenLast([update({}, { id: 4, name: value })], 'name')).toEqual(shown(value));
  });

  it.each([199, 300, 302, 400, 404, 500])('sees nothing in a response with %i, whatever its body', (status) => {
    expect(seenLast([answered(updateRequest(), status, { id: 4, name: 'Ada' })], 'name')).toEqual(UNSEEN);
  });

  it.each([200, 201, 299])('sees a member in a response with %i', (status) => {
    expect(seenLast([answered(updateRequest(), status, { name: 'Ada' })], 'name')).toEqual(shown('Ada'));
  });

  it('sees nothing where there is no response, or its body is no object', () => {
    const others = [[], 'Ada', null, 5].map((body) => answered(updateRequest(), 200, body));
    for (const exchange of [faulted(updateRequest(), 'timeout'), ...others])
      expect(seenLast([exchange], 'name')).toEqual(UNSEEN);
  });

  const ada = { id: 4, username: 'ada' };
  const two = { ...ada, accountType: 'User' };
  const three = { ...two, loginAttempts: 0 };
  const sendsName = { name: 'Ada' };
  const sendsEmail = { email: 'a@x' };
  const namedBefore = update({}, { id: 4, name: 'Ada' });
  const otherPath = updateRequest({ path: '/api/admin/user-admin/1234' });

  it.each<[what: string, expected: Seen, history: readonly Exchange[], member?: string]>([
    ['a member of the prototype', UNSEEN, [update({}, { id: 4 })], 'toString'],
    ['what was never shown', UNSEEN, [update({}, ada), update({}, ada)]],
    [
      'what a body with the same members showed',
      REMOVED,
      [update(sendsEmail, { name: 'Ada' }), update({ email: 'b@x' }, {})],
    ],
    [
      'what a body with the same members in another order showed',
      REMOVED,
      [update({ name: 'Ada', email: 'a@x' }, { rootRole: 1 }), update({ email: 'b@x', name: 'Eve' }, {})],
      'rootRole',
    ],
    [
      'what is shown only when sent, by a target that shows what was sent',
      UNSEEN,
      [update(sendsName, { id: 4, name: 'Ada' }), update(sendsEmail, { id: 4, email: 'a@x' })],
    ],
    [
      'what was shown when sent, in a response with three members that cannot be sent',
      REMOVED,
      [update(sendsName, { ...three, name: 'Ada' }), update(sendsEmail, { ...three, email: 'a@x' })],
    ],
    [
      'what was shown when sent, in a response with fewer of them',
      UNSEEN,
      [update(sendsName, { ...two, name: 'Ada' }), update(sendsEmail, { ...two, email: 'a@x' })],
    ],
    [
      'what was shown when sent, in a response with the id and what was sent',
      UNSEEN,
      [update(sendsName, { ...ada, name: 'Ada' }), update(sendsEmail, { id: 4, email: 'a@x' })],
    ],
    ['a user without an id', shown('Ada'), [update({}, { name: 'Ada' })]],
    ['a user with an id that is a text', shown('Ada'), [update({}, { id: '5', name: 'Ada' })]],
    ['a user with the id of the path', shown('Ada'), [answered(otherPath, 200, { id: 1234, name: 'Ada' })]],
    ['a user with another id than the path', UNSEEN, [answered(otherPath, 200, { id: 4, name: 'Ada' })]],
    ...[5, 0, 4.5].flatMap((id): [string, Seen, Exchange[]][] => [
      [`a member of another user, ${id}`, UNSEEN, [namedBefore, update({}, { id, name: 'Eve' })]],
      [`a member that another user, ${id}, lacks`, UNSEEN, [namedBefore, update({}, { id })]],
    ]),
    [
      'what another body showed without sending it',
      UNSEEN,
      [update(sendsEmail, { id: 4, email: 'a@x', name: 'Ada' }), update({ rootRole: 1 }, { ...three, rootRole: 1 })],
    ],
    [
      'what another body showed, in a response with what was sent',
      UNSEEN,
      [update(sendsEmail, { id: 4, email: 'a@x', name: 'Ada' }), update({ rootRole: 1 }, { id: 4, rootRole: 1 })],
    ],
    ['what was sent but never shown', UNSEEN, [update(sendsName, three), update(sendsEmail, three)]],
    [
      'what was shown when sent, and not in other responses',
      REMOVED,
      [update(sendsEmail, three), update(sendsName, { ...three, name: 'Ada' }), update({ rootRole: 1 }, three)],
    ],
    [
      'a member that no update can send',
      UNSEEN,
      [update({}, { ...ada, name: 'Ada' }), update({}, { id: 4, name: 'Ada' })],
      'username',
    ],
  ])('judges %s', (_what, expected, history, member = 'name') => {
    expect(seenLast(history, member)).toEqual(expected);
  });

  it('does not judge by what was shown later', () => {
    const first = update({}, ada);
    expect(seen(first, 'name', [first, update({}, { ...ada, name: 'Ada' })])).toEqual(UNSEEN);
  });
});

describe('lastShown', () => {
  const first = update({}, { name: 'one' });
  const second = update({ name: 'two' }, { name: 'two' });
  const third = update({ email: 'a@x' }, { email: 'a@x' });
  const history = [first, second, third];

  it('gives the latest value of the whole history, over responses that do not show it', () => {
    expect(lastShown(history, 'name')).toEqual(shown('two'));
  });

  it('gives the latest value before an exchange, without its own', () => {
    expect(lastShown(history, 'name', second)).toEqual(shown('one'));
    expect(lastShown(history, 'name', third)).toEqual(shown('two'));
  });

  it('gives nothing before the first exchange, in an empty history and for a member that was never shown', () => {
    expect(lastShown(history, 'name', first)).toEqual(UNSEEN);
    expect(lastShown([], 'name')).toEqual(UNSEEN);
    expect(lastShown(history, 'rootRole')).toEqual(UNSEEN);
  });

  it('tells null from not shown', () => {
    expect(lastShown([update({}, { name: null })], 'name')).toEqual(shown(null));
  });
});

describe('lastSent', () => {
  it.each<[unknown, readonly Exchange[], Updatable]>([
    [
      'two',
      [update({ name: 'one' }, {}), update({ name: 'two' }, { name: 'TWO' }), update({ email: 'a@x' }, {})],
      'name',
    ],
    [null, [update({ name: null }, {})], 'name'],
    [undefined, [update({ name: 'one' }, { email: 'a@x' })], 'email'],
    [undefined, [], 'name'],
  ])('is %j, whatever was shown', (value, history, member) => {
    expect(lastSent(history, member)).toBe(value);
  });
});

describe('lastKnown', () => {
  const now = update({ email: 'now@x' }, { name: 'now' });
  const role = { name: 'Admin' };
  const NOTHING = { state: UNSEEN, assumed: false };
  const known = (value: unknown, assumed = false) => ({ state: shown(value), assumed });

  it.each<[what: string, expected: object, earlier: readonly Exchange[], member?: Updatable]>([
    [
      'what was shown last, as something seen',
      known('two'),
      [update({}, { name: 'one' }), update({}, { name: 'two' })],
    ],
    [
      'what was shown when it was sent',
      known('one'),
      [update({ name: 'one' }, { name: 'one' }), update({ email: 'a@x' }, {})],
    ],
    [
      'what was sent since, as something assumed',
      known('two', true),
      [update({}, { name: 'one' }), update({ name: 'two' }, {})],
    ],
    [
      'nothing where the last response shows another value than was sent with it',
      NOTHING,
      [update({ name: 'one' }, { name: 'one' }), update({ name: 'two' }, { name: 'one' })],
    ],
    [
      'what was shown where that may be what was sent',
      known(role),
      [update({ rootRole: 1 }, { rootRole: role })],
      'rootRole',
    ],
    ['nothing before the first exchange', NOTHING, []],
    ['nothing where the member was neither sent nor shown', NOTHING, [update({ email: 'a@x' }, { id: 4 })]],
  ])('is %s', (_what, expected, earlier, member = 'name') => {
    expect(lastKnown([...earlier, now], member, now)).toEqual(expected);
  });

  it('is nothing for an exchange of another history', () => {
    expect(lastKnown([update({}, { name: 'one' })], 'name', now)).toEqual(NOTHING);
  });
});

describe('the members that cannot be sent', () => {
  it('are those of the source for a user, but for its id and those of an update', () => {
    expect(NOT_SENDABLE).toEqual(
      expect.arrayContaining(['username', 'createdAt', 'accountType', 'loginAttempts', 'permissions']),
    );
    for (const member of ['id', 'name', 'email', 'rootRole']) expect(NOT_SENDABLE).not.toContain(member);
  });
});

describe('stored', () => {
  const sent = update({ name: 'two' }, {});
  it.each<[what: string, value: unknown, history: readonly Exchange[]]>([
    [
      'sent last, where it is not shown',
      'two',
      [update({ name: 'one' }, { name: 'one' }), update({ name: 'two' }, { id: 4 })],
    ],
    ['shown, also where another value was sent', 'TWO', [update({ name: 'two' }, { name: 'TWO' })]],
    ['shown since it was sent', 'Two', [sent, update({ email: 'a@x' }, { name: 'Two' })]],
    ['sent before updates that neither send nor show it', 'two', [sent, update({ email: 'a@x' }, { email: 'a@x' })]],
    ['unknown where nothing happened', undefined, []],
    ['unknown where nothing of it was sent or shown', undefined, [update({ email: 'a@x' }, { id: 4 })]],
  ])('is what was %s', (_what, value, history) => {
    expect(stored(history, 'name')).toBe(value);
  });
});

describe('originals', () => {
  const all = { name: 'Ada', email: 'ada@x', rootRole: 1 };
  it.each<[what: string, values: object, history: readonly Exchange[]]>([
    [
      'the values before the first update that sent each member',
      all,
      [
        update({}, { id: 4, ...all }),
        update({ name: 'new' }, { ...all, name: 'new' }),
        update({ email: 'new@x' }, { ...all, name: 'new', email: 'new@x' }),
        update({ rootRole: 2 }, { name: 'new', email: 'new@x', rootRole: 2 }),
      ],
    ],
    [
      'those in the response to an update that sent only others',
      { email: 'ada@x' },
      [update({ name: 'new' }, { name: 'new', email: 'ada@x' }), update({ email: 'new@x' }, { email: 'new@x' })],
    ],
    [
      'none first shown after their own update',
      {},
      [update({ name: 'new' }, { name: 'new' }), update({}, { name: 'new' })],
    ],
    ['the first values shown', { name: 'one' }, [update({}, { name: 'one' }), update({}, { name: 'two' })]],
    ['null, and members that can be sent only', { name: null }, [update({}, { id: 4, name: null, username: 'ada' })]],
  ])('are %s', (_what, values, history) => {
    expect(originals(history)).toEqual(values);
  });
});

describe('written', () => {
  it('names the members that some update sent, each once, and no others', () => {
    const history = [
      update({ email: 'a@x' }, { name: 'Ada' }),
      update({ email: 'b@x', conformanceProbe: true }, {}),
      update({ rootRole: null }, {}),
    ];
    expect(written(history, 'user')).toEqual(['email', 'rootRole']);
    expect(written([], 'user')).toEqual([]);
  });

  it.each([200, 204, 302, 500, 503])('holds an update with the response %i: it may have been carried out', (status) => {
    expect(written([answered(updateRequest(), status)], 'user')).toEqual(['name']);
  });

  it.each([400, 401, 403, 404, 409, 499])('does not hold an update that was refused with %i', (status) => {
    expect(written([answered(updateRequest(), status)], 'user')).toEqual([]);
  });

  it.each(['closed', 'timeout', 'limit', 'protocol', 'aborted'] as const)(
    'holds an update without a response that may have been carried out: %s',
    (kind) => {
      expect(written([faulted(updateRequest(), kind)], 'user')).toEqual(['name']);
    },
  );

  it.each(['unreachable', 'throttled'] as const)('does not hold an update that nobody took: %s', (kind) => {
    expect(written([faulted(updateRequest(), kind)], 'user')).toEqual([]);
  });

  it('holds an update of which nothing is known but that it was sent', () => {
    expect(written([without(answered(updateRequest(), 200), 'response')], 'user')).toEqual(['name']);
  });

  it('tells the users apart', () => {
    const other = answered(updateRequest({ subject: 'other-user' }), 200);
    expect(written([other], 'user')).toEqual([]);
    expect(written([other], 'other-user')).toEqual(['name']);
  });

  it('does not hold what was sent without a valid key', () => {
    expect(written([answered(updateRequest({ credential: { label: 'none' } }), 200)], 'user')).toEqual([]);
    const credential: Credential = { label: 'the restricted key', header: 'r', role: 'restricted' };
    expect(written([answered(updateRequest({ credential }), 200)], 'user')).toEqual(['name']);
  });

  it('reads nothing out of a body that is no object', () => {
    const bodies = ['["name"]', 'name', '"name"', 'null'];
    expect(
      written(
        bodies.map((body) => answered(updateRequest({ body }), 200)),
        'user',
      ),
    ).toEqual([]);
  });
});

describe('compareRoles', () => {
  it.each<[left: unknown, right: unknown, expected: Comparison]>([
    [1, 1, 'same'],
    [1, 2, 'different'],
    [1, { id: 1, name: 'Admin' }, 'same'],
    [1, { id: 2, name: 'Admin' }, 'unclear'],
    [{ id: 1, name: 'Admin' }, { id: 1 }, 'same'],
    [{ id: 1, name: 'Admin' }, { id: 2, name: 'Admin' }, 'different'],
    [{ name: 'Admin' }, { name: 'Admin' }, 'same'],
    [{ name: 'Admin' }, { name: 'Editor' }, 'unclear'],
    [1, { name: 'Admin' }, 'unclear'],
    [1, 'Admin', 'unclear'],
    [1, '1', 'unclear'],
    ['Admin', 'Admin', 'same'],
    ['Admin', { id: 1, name: 'Admin' }, 'unclear'],
    [1, null, 'different'],
    [{ id: 1 }, null, 'different'],
    [null, null, 'same'],
    [1, true, 'different'],
    [1, [1], 'different'],
    [1, 1.5, 'different'],
    [1, undefined, 'different'],
  ])('takes %j and %j for %s roles', (left, right, expected) => {
    expect(compareRoles(left, right)).toBe(expected);
    expect(compareRoles(right, left)).toBe(expected);
  });
});

describe('compareMember', () => {
  it('compares roles as roles, and no other member so', () => {
    expect(compareMember('rootRole', 1, { id: 1 })).toBe('same');
    expect(compareMember('loginAttempts', 1, { id: 1 })).toBe('different');
  });

  it.each<[string, string, Comparison]>([
    ['2025-06-01T08:00:00Z', '2025-06-01T08:00:00.000Z', 'same'],
    ['2025-06-01T08:00:00Z', '2025-06-01T10:00:00+02:00', 'same'],
    ['2025-06-01T08:00:00Z', '2025-06-01T08:00:01Z', 'different'],
    ['not a date', 'no date either', 'unclear'],
    ['not a date', 'not a date', 'same'],
  ])('compares %s and %s as instants where the member is createdAt', (left, right, expected) => {
    expect(compareMember('createdAt', left, right)).toBe(expected);
  });

  it('compares all else by value, without conversion', () => {
    expect(compareMember('name', 'Ada', 'Ada')).toBe('same');
    expect(compareMember('name', 'Ada', 'ada')).toBe('different');
    expect(compareMember('loginAttempts', 1, '1')).toBe('different');
    expect(compareMember('scimId', null, undefined)).toBe('different');
    expect(compareMember('scimId', '2025-06-01T08:00:00Z', '2025-06-01T08:00:00.000Z')).toBe('different');
    expect(compareMember('createdAt', '2025-06-01T08:00:00Z', null)).toBe('different');
    expect(compareMember('createdAt', {}, '2025-06-01T08:00:00Z')).toBe('different');
  });

  it('compares the members that no update touches', () => {
    expect(UNTOUCHED_MEMBERS).not.toContain('seenAt');
    expect(UNTOUCHED_MEMBERS).not.toContain('imageUrl');
    for (const member of UNTOUCHED_MEMBERS) {
      expect(compareMember(member, 'old', 'new')).toBe(member === 'createdAt' ? 'unclear' : 'different');
      expect(compareMember(member, 'old', 'old')).toBe('same');
    }
  });
});

describe('compareSeen', () => {
  it.each<[before: Seen, after: Seen, expected: Comparison]>([
    [shown('Ada'), shown('Ada'), 'same'],
    [shown('Ada'), shown('Eve'), 'different'],
    [shown('Ada'), shown(null), 'different'],
    [shown('Ada'), REMOVED, 'different'],
    [shown('Ada'), UNSEEN, 'unclear'],
    [UNSEEN, shown('Ada'), 'unclear'],
    [UNSEEN, UNSEEN, 'unclear'],
    [UNSEEN, REMOVED, 'unclear'],
    [REMOVED, shown('Ada'), 'unclear'],
    [REMOVED, REMOVED, 'unclear'],
  ])('compares %j and %j', (before, after, expected) => {
    expect(compareSeen('name', before, after)).toBe(expected);
  });
});

describe('seenValue', () => {
  it('gives the value that was shown, or words that tell gone from hidden', () => {
    expect(seenValue(shown(null))).toBeNull();
    expect(seenValue(REMOVED)).toBe('(absent)');
    expect(seenValue(UNSEEN)).toBe('(not shown)');
  });
});
