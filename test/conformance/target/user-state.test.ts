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
import { NOT_SENDABLE, UNTOUCHED_MEMBERS } from '../../../conformance/target/user.ts';
import { answered, faulted, update, updateRequest, without } from '../../support/exchanges.ts';

const shown = (value: unknown): Seen => ({ kind: 'shown', value });
const REMOVED: Seen = { kind: 'removed' };
const UNSEEN: Seen = { kind: 'unseen' };

/** What the last answer of a history says of a member. */
function seenLast(history: readonly Exchange[], member: string): Seen {
  const last = history.at(-1);
  if (!last) throw new Error('The history is empty.');
  return seen(last, member, history);
}

describe('seen', () => {
  it.each([['Ada'], [null], [''], [0], [false]])('shows a member that is in the body, also as %j', (value) => {
    expect(seenLast([update({}, { id: 4, name: value })], 'name')).toEqual(shown(value));
  });

  it('takes a member of the prototype for no member', () => {
    expect(seenLast([update({}, { id: 4 })], 'toString')).toEqual(UNSEEN);
  });

  it('sees nothing in an answer that is no acceptance, whatever its body', () => {
    for (const status of [199, 300, 302, 400, 404, 500]) {
      const exchange = answered(updateRequest(), status, { id: 4, name: 'Ada' });
      expect(seen(exchange, 'name', [exchange])).toEqual(UNSEEN);
    }
  });

  it('sees a member in any 2xx answer', () => {
    for (const status of [200, 201, 299]) {
      const exchange = answered(updateRequest(), status, { name: 'Ada' });
      expect(seen(exchange, 'name', [exchange])).toEqual(shown('Ada'));
    }
  });

  it('sees nothing where there is no answer, or its body is no object', () => {
    const silent = faulted(updateRequest(), 'timeout');
    expect(seen(silent, 'name', [silent])).toEqual(UNSEEN);
    for (const body of [[], 'Ada', null, 5]) {
      const exchange = answered(updateRequest(), 200, body);
      expect(seen(exchange, 'name', [exchange])).toEqual(UNSEEN);
    }
  });

  it('does not call a member removed that was never shown', () => {
    expect(seenLast([update({}, { id: 4, username: 'ada' }), update({}, { id: 4, username: 'ada' })], 'name')).toEqual(
      UNSEEN,
    );
  });

  it('calls a member removed that was shown before in answer to a body with the same members', () => {
    expect(seenLast([update({ email: 'a@x' }, { name: 'Ada' }), update({ email: 'b@x' }, {})], 'name')).toEqual(
      REMOVED,
    );
  });

  it('compares the members of the bodies without their order', () => {
    const before = update({ name: 'Ada', email: 'a@x' }, { rootRole: 1 });
    expect(seenLast([before, update({ email: 'b@x', name: 'Eve' }, {})], 'rootRole')).toEqual(REMOVED);
  });

  it('may lawfully not see a member that was shown to another body, on a target that answers with what was sent', () => {
    expect(
      seenLast(
        [update({ name: 'Ada' }, { id: 4, name: 'Ada' }), update({ email: 'a@x' }, { id: 4, email: 'a@x' })],
        'name',
      ),
    ).toEqual(UNSEEN);
  });

  it('calls a member removed that was shown when sent, in an answer that shows three members that cannot be sent', () => {
    const user = { id: 4, username: 'ada', accountType: 'User', loginAttempts: 0 };
    const before = update({ name: 'Ada' }, { ...user, name: 'Ada' });
    expect(seenLast([before, update({ email: 'a@x' }, { ...user, email: 'a@x' })], 'name')).toEqual(REMOVED);
  });

  it('does not call a member removed that was shown when sent, in an answer that shows fewer', () => {
    const user = { id: 4, username: 'ada', accountType: 'User' };
    const before = update({ name: 'Ada' }, { ...user, name: 'Ada' });
    expect(seenLast([before, update({ email: 'a@x' }, { ...user, email: 'a@x' })], 'name')).toEqual(UNSEEN);
  });

  it('does not take the id for more than what was sent', () => {
    const before = update({ name: 'Ada' }, { id: 4, name: 'Ada', username: 'ada' });
    expect(seenLast([before, update({ email: 'a@x' }, { id: 4, email: 'a@x' })], 'name')).toEqual(UNSEEN);
  });

  it('sees nothing in an answer that carries another id than the path, also of what was shown before', () => {
    const before = update({}, { id: 4, name: 'Ada' });
    for (const id of [5, 0, 4.5]) {
      expect(seenLast([before, update({}, { id, name: 'Eve' })], 'name')).toEqual(UNSEEN);
      expect(seenLast([before, update({}, { id })], 'name')).toEqual(UNSEEN);
    }
    expect(seenLast([update({}, { id: 4, name: 'Ada' })], 'name')).toEqual(shown('Ada'));
    expect(seenLast([update({}, { id: '5', name: 'Ada' })], 'name')).toEqual(shown('Ada'));
    const other = updateRequest({ path: '/api/admin/user-admin/1234' });
    expect(seenLast([answered(other, 200, { id: 1234, name: 'Ada' })], 'name')).toEqual(shown('Ada'));
    expect(seenLast([answered(other, 200, { id: 4, name: 'Ada' })], 'name')).toEqual(UNSEEN);
  });

  const user = { id: 4, username: 'ada', accountType: 'User', loginAttempts: 0 };

  it('may lawfully not see a member that another body had shown without sending it', () => {
    const before = update({ email: 'a@x' }, { id: 4, email: 'a@x', name: 'Ada' });
    expect(seenLast([before, update({ rootRole: 1 }, { id: 4, rootRole: 1 })], 'name')).toEqual(UNSEEN);
    expect(seenLast([before, update({ rootRole: 1 }, { ...user, rootRole: 1 })], 'name')).toEqual(UNSEEN);
  });

  it('may lawfully not see a member that was sent but never shown, in an answer that shows the user', () => {
    expect(seenLast([update({ name: 'Ada' }, user), update({ email: 'a@x' }, user)], 'name')).toEqual(UNSEEN);
  });

  it('calls a member removed that was shown when sent, also where other answers did not show it', () => {
    const history = [
      update({ email: 'a@x' }, user),
      update({ name: 'Ada' }, { ...user, name: 'Ada' }),
      update({ rootRole: 1 }, user),
    ];
    expect(seenLast(history, 'name')).toEqual(REMOVED);
  });

  it('does not judge by what was shown later', () => {
    const first = update({}, { id: 4, username: 'ada' });
    const history = [first, update({}, { id: 4, name: 'Ada', username: 'ada' })];
    expect(seen(first, 'name', history)).toEqual(UNSEEN);
  });

  it('never calls a member removed that no update can send', () => {
    const history = [update({}, { id: 4, username: 'ada', name: 'Ada' }), update({}, { id: 4, name: 'Ada' })];
    expect(seenLast(history, 'username')).toEqual(UNSEEN);
  });
});

describe('lastShown', () => {
  const first = update({}, { name: 'one' });
  const second = update({ name: 'two' }, { name: 'two' });
  const third = update({ email: 'a@x' }, { email: 'a@x' });
  const history = [first, second, third];

  it('gives the latest value of the whole history, over answers that do not show it', () => {
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
  it('is the value that was sent last, whatever was shown', () => {
    const history = [
      update({ name: 'one' }, {}),
      update({ name: 'two' }, { name: 'TWO' }),
      update({ email: 'a@x' }, {}),
    ];
    expect(lastSent(history, 'name')).toBe('two');
    expect(lastSent([update({ name: null }, {})], 'name')).toBeNull();
  });

  it('is nothing for a member that was never sent', () => {
    expect(lastSent([update({ name: 'one' }, { email: 'a@x' })], 'email')).toBeUndefined();
    expect(lastSent([], 'name')).toBeUndefined();
  });
});

describe('lastKnown', () => {
  const now = update({ email: 'now@x' }, { name: 'now' });
  const knownBefore = (...earlier: Exchange[]) => lastKnown([...earlier, now], 'name', now);
  const NOTHING = { state: UNSEEN, assumed: false };

  it('is what was shown last before the exchange, as something seen', () => {
    expect(knownBefore(update({}, { name: 'one' }), update({}, { name: 'two' }))).toEqual({
      state: shown('two'),
      assumed: false,
    });
    expect(knownBefore(update({ name: 'one' }, { name: 'one' }), update({ email: 'a@x' }, {}))).toEqual({
      state: shown('one'),
      assumed: false,
    });
  });

  it('is what was sent since, as something assumed', () => {
    expect(knownBefore(update({}, { name: 'one' }), update({ name: 'two' }, {}))).toEqual({
      state: shown('two'),
      assumed: true,
    });
  });

  it('is nothing where the last answer shows another value than was sent with it', () => {
    expect(knownBefore(update({ name: 'one' }, { name: 'one' }), update({ name: 'two' }, { name: 'one' }))).toEqual(
      NOTHING,
    );
  });

  it('is what was shown where that may be what was sent', () => {
    const role = { name: 'Admin' };
    const earlier = update({ rootRole: 1 }, { rootRole: role });
    expect(lastKnown([earlier, now], 'rootRole', now)).toEqual({ state: shown(role), assumed: false });
  });

  it('is nothing before the first exchange, for one of another history, and where nobody spoke of the member', () => {
    expect(knownBefore()).toEqual(NOTHING);
    expect(knownBefore(update({ email: 'a@x' }, { id: 4 }))).toEqual(NOTHING);
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
  it('is what was sent last where the answer does not show it', () => {
    expect(stored([update({ name: 'one' }, { name: 'one' }), update({ name: 'two' }, { id: 4 })], 'name')).toBe('two');
  });

  it('is what the answer shows, also where another value was sent', () => {
    expect(stored([update({ name: 'two' }, { name: 'TWO' })], 'name')).toBe('TWO');
  });

  it('is what was shown since it was sent', () => {
    expect(stored([update({ name: 'two' }, {}), update({ email: 'a@x' }, { name: 'Two' })], 'name')).toBe('Two');
  });

  it('is not changed by updates that neither send nor show it', () => {
    expect(stored([update({ name: 'two' }, {}), update({ email: 'a@x' }, { email: 'a@x' })], 'name')).toBe('two');
  });

  it('is unknown where nothing was sent or shown', () => {
    expect(stored([], 'name')).toBeUndefined();
    expect(stored([update({ email: 'a@x' }, { id: 4 })], 'name')).toBeUndefined();
  });
});

describe('originals', () => {
  it('are the values that were shown before the first update that sent each member', () => {
    const history = [
      update({}, { id: 4, name: 'Ada', email: 'ada@x', rootRole: 1 }),
      update({ name: 'new' }, { name: 'new', email: 'ada@x', rootRole: 1 }),
      update({ email: 'new@x' }, { name: 'new', email: 'new@x', rootRole: 1 }),
      update({ rootRole: 2 }, { name: 'new', email: 'new@x', rootRole: 2 }),
    ];
    expect(originals(history)).toEqual({ name: 'Ada', email: 'ada@x', rootRole: 1 });
  });

  it('take the value of a member from the answer to an update that sent only others', () => {
    const history = [
      update({ name: 'new' }, { name: 'new', email: 'ada@x' }),
      update({ email: 'new@x' }, { email: 'new@x' }),
    ];
    expect(originals(history)).toEqual({ email: 'ada@x' });
  });

  it('have no entry for a member that was first shown in answer to its own update, or later', () => {
    expect(originals([update({ name: 'new' }, { name: 'new' }), update({}, { name: 'new' })])).toEqual({});
  });

  it('take the first value shown, not the last', () => {
    expect(originals([update({}, { name: 'one' }), update({}, { name: 'two' })])).toEqual({ name: 'one' });
  });

  it('keep null, and hold members that can be sent only', () => {
    expect(originals([update({}, { id: 4, name: null, username: 'ada' })])).toEqual({ name: null });
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

  it.each([200, 204, 302, 500, 503])('holds an update that was answered %i: it may have been carried out', (status) => {
    expect(written([answered(updateRequest(), status)], 'user')).toEqual(['name']);
  });

  it.each([400, 401, 403, 404, 409, 499])('does not hold an update that was refused with %i', (status) => {
    expect(written([answered(updateRequest(), status)], 'user')).toEqual([]);
  });

  it.each(['closed', 'timeout', 'limit', 'protocol', 'aborted'] as const)(
    'holds an update without an answer that may have been carried out: %s',
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
  it('gives the value that was shown, and words that tell gone from hidden otherwise', () => {
    expect(seenValue(shown(null))).toBeNull();
    expect(seenValue(REMOVED)).toBe('(absent)');
    expect(seenValue(UNSEEN)).toBe('(not shown)');
  });
});
