import { describe, expect, it } from 'vitest';
import type { Credential, Exchange } from '../../../../conformance/http/exchange.ts';
import { compareSeen, originals, seen, stored, written } from '../../../../conformance/resources/user/state.ts';
import { compareMember } from '../../../../conformance/resources/user/comparison.ts';
import { answered, faulted, update, updateRequest, without } from '../../../support/exchanges.ts';
import type { Comparison, Seen } from '../../../../conformance/resources/resource.ts';
import { compareRoles } from '../../../../conformance/resources/roles.ts';

const shown = (value: unknown): Seen => ({ kind: 'shown', value });
const REMOVED: Seen = { kind: 'removed' };
const UNSEEN: Seen = { kind: 'unseen' };

function seenLast(history: readonly Exchange[], member: string): Seen | undefined {
  const last = history.at(-1);
  return last && seen(last, member, history);
}

describe('seen', () => {
  const three = { id: 4, username: 'ada', accountType: 'User', loginAttempts: 0 };
  const sent = (body: Record<string, unknown>, shows: object): Exchange => update(body, { ...shows, ...body });
  const NAME = { name: 'Ada' };
  const EMAIL = { email: 'a@x' };
  const ROLE = { rootRole: 1 };
  const named = update({}, { id: 4, ...NAME });
  const otherPath = updateRequest({ path: '/api/admin/user-admin/1234' });

  type Row = [what: string, expected: Seen, history: readonly Exchange[], member?: string];
  it.each<Row>([
    ['a member that is null', shown(null), [update({}, { id: 4, name: null })]],
    ['an error', UNSEEN, [answered(updateRequest(), 404, { id: 4, ...NAME })]],
    ['a member of the prototype', UNSEEN, [update({}, { id: 4 })], 'toString'],
    ['what a body with the same members showed', REMOVED, [update(EMAIL, NAME), update({ email: 'b@x' }, {})]],
    [
      'what a body with the same members in another order showed',
      REMOVED,
      [update({ ...ROLE, ...EMAIL }, NAME), update({ email: 'b@x', ...ROLE }, {})],
    ],
    ['a role, which may be hidden at any time', UNSEEN, [update(NAME, ROLE), update({ name: 'Eve' }, {})], 'rootRole'],
    ['what is shown only when sent, as all that was sent', UNSEEN, [sent(NAME, { id: 4 }), sent(EMAIL, { id: 4 })]],
    ['what was shown when sent, beside three others', REMOVED, [sent(NAME, three), sent(EMAIL, three)]],
    ['what was shown when sent, beside the id and what was sent', UNSEEN, [sent(NAME, three), sent(EMAIL, { id: 4 })]],
    ['what another body showed beside what was sent', UNSEEN, [sent(EMAIL, { id: 4, ...NAME }), sent(ROLE, { id: 4 })]],
    ['what was sent but never shown', UNSEEN, [update(NAME, three), update(EMAIL, three)]],
    ['a user with another id than the path', UNSEEN, [answered(otherPath, 200, { id: 4, ...NAME })]],
    ['a member that another user lacks', UNSEEN, [named, update({}, { id: 5 })]],
    ['a member that no update can send', UNSEEN, [update({}, { ...three, ...NAME }), named], 'username'],
  ])('judges %s', (_what, expected, history, member = 'name') => expect(seenLast(history, member)).toEqual(expected));
});

const writes = (name: string, shows?: string): Exchange => update({ name }, shows === undefined ? {} : { name: shows });

describe('stored', () => {
  const sent = writes('two');
  it.each<[what: string, value: unknown, history: readonly Exchange[]]>([
    ['sent last, where it is not shown', 'two', [writes('one', 'one'), update({ name: 'two' }, { id: 4 })]],
    ['shown, also where another value was sent', 'TWO', [writes('two', 'TWO')]],
    ['sent before updates that neither send nor show it', 'two', [sent, update({ email: 'a@x' }, { email: 'a@x' })]],
  ])('is what was %s', (_what, value, history) => expect(stored(history, 'name')).toBe(value));
});

describe('originals', () => {
  const all = { name: 'Ada', email: 'ada@x', rootRole: 1 };
  it.each<[what: string, values: object, history: readonly Exchange[]]>([
    [
      'the values before the first update that sent each member',
      { id: 4, ...all },
      [
        update({}, { id: 4, ...all }),
        update({ name: 'new' }, { ...all, name: 'new' }),
        update({ email: 'new@x' }, { ...all, name: 'new', email: 'new@x' }),
        update({ rootRole: 2 }, { name: 'new', email: 'new@x', rootRole: 2 }),
      ],
    ],
    [
      'null, and members that no update changes, but none that a server derives',
      { id: 4, name: null, username: 'ada' },
      [update({}, { id: 4, name: null, username: 'ada', seenAt: null })],
    ],
    [
      'none that an unlisted member of a body replaced',
      { id: 4 },
      [update({ username: 'eve' }, { id: 4, username: 'eve' })],
    ],
  ])('are %s', (_what, values, history) => expect(originals(history)).toEqual(values));
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
    expect(written([answered(updateRequest({ subject: 'other-user' }), 200)], 'other-user')).toEqual(['name']);
  });

  const UPDATE = updateRequest();
  const sentWith = (credential: Credential): Exchange => answered(updateRequest({ credential }), 200);
  type Row = [why: string, exchange: Exchange, held: boolean];
  it.each<Row>([
    ['nothing is known but that it was sent', without(answered(UPDATE, 200), 'response'), true],
    ['it was for another user', answered(updateRequest({ subject: 'other-user' }), 200), false],
    ['it had no valid key', sentWith({ label: 'none' }), false],
    ['it had the restricted key', sentWith({ label: 'r', header: 'r', role: 'restricted' }), true],
    ...[200, 302, 503].map((status): Row => [`${status}`, answered(UPDATE, status), true]),
    ...[400, 499].map((status): Row => [`${status}`, answered(UPDATE, status), false]),
    ...(['closed', 'timeout', 'limit', 'protocol', 'aborted'] as const).map((kind): Row => [
      kind,
      faulted(UPDATE, kind),
      true,
    ]),
    ...(['unreachable', 'throttled'] as const).map((kind): Row => [kind, faulted(UPDATE, kind), false]),
  ])('holds an update that may have been carried out: %s', (_why, exchange, held) => {
    const inService = answered(updateRequest({ subject: 'other-user' }), 200);
    expect(written([inService, exchange], 'user')).toEqual(held ? ['name'] : []);
  });

  it('names none where the target responds 503 to every request, as one that is not in service', () => {
    const away = [answered(UPDATE, 503), faulted(UPDATE, 'throttled'), answered(updateRequest(), 503)];
    expect(written(away, 'user')).toEqual([]);
    expect(written([...away, answered(UPDATE, 502)], 'user')).toEqual(['name']);
    expect(written([...away, answered(sentWith({ label: 'none' }).request, 401)], 'user')).toEqual(['name']);
  });
});

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
  [1, '1', 'unclear'],
  ['Admin', 'Admin', 'same'],
  [{ id: 1 }, null, 'different'],
  [1, [1], 'different'],
])('compareRoles takes %j and %j for %s roles', (left, right, expected) => {
  expect(compareRoles(left, right)).toBe(expected);
  expect(compareRoles(right, left)).toBe(expected);
});

it.each<[member: string, left: unknown, right: unknown, expected: Comparison]>([
  ['rootRole', 1, { id: 1 }, 'same'],
  ['loginAttempts', 1, { id: 1 }, 'different'],
  ['createdAt', '2025-06-01T08:00:00Z', '2025-06-01T08:00:00.000Z', 'same'],
  ['createdAt', '2025-06-01T08:00:00Z', '2025-06-01T10:00:00+02:00', 'same'],
  ['createdAt', '2025-06-01T08:00:00Z', '2025-06-01T08:00:01Z', 'different'],
  ['createdAt', 'not a date', 'no date either', 'unclear'],
  ['createdAt', 'not a date', 'not a date', 'same'],
  ['createdAt', '2025-06-01T08:00:00Z', null, 'different'],
  ['createdAt', {}, '2025-06-01T08:00:00Z', 'different'],
  ['scimId', '2025-06-01T08:00:00Z', '2025-06-01T08:00:00.000Z', 'different'],
  ['name', 'Ada', 'ada', 'different'],
])('compares %s: %j and %j are %s', (member, left, right, expected) =>
  expect(compareMember(member, left, right)).toBe(expected),
);

it.each<[before: Seen, after: Seen, expected: Comparison]>([
  [shown('Ada'), shown('Ada'), 'same'],
  [shown('Ada'), shown('Eve'), 'different'],
  [shown('Ada'), REMOVED, 'different'],
  [shown('Ada'), UNSEEN, 'unclear'],
  [UNSEEN, shown('Ada'), 'unclear'],
  [REMOVED, shown('Ada'), 'unclear'],
  [REMOVED, REMOVED, 'unclear'],
])('compareSeen compares %j and %j', (before, after, expected) =>
  expect(compareSeen('name', before, after)).toBe(expected),
);
