import { describe, expect, it } from 'vitest';
import { type Due, UNSPECIFIED } from '../../../conformance/http/due.ts';
import type { Exchange, RequestSpec } from '../../../conformance/http/exchange.ts';
import { type Facts, makeNotes } from '../../../conformance/model/facts.ts';
import { damageIn } from '../../../conformance/model/outcomes.ts';
import type { JudgedOperation } from '../../../conformance/model/responses.ts';
import { operations } from '../../../conformance/operations/index.ts';
import type { Writes } from '../../../conformance/resources/effect.ts';
import type { OperationId } from '../../../contract/document.ts';
import { judgeUsers } from '../../../conformance/model/user/users.ts';
import { answered, bannersRequest, faulted, inOrder, updateRequest, VALID } from '../../support/exchanges.ts';
import { refusalDue, viewOf } from '../../support/model.ts';

type Members = Readonly<Record<string, unknown>>;

const OTHER: Partial<RequestSpec> = { subject: 'other-user', path: '/api/admin/user-admin/5' };
const INVALID: Partial<RequestSpec> = { meant: { body: 'invalid', id: 'valid' }, due: refusalDue('a'), item: 'bad' };
const due = (own: Partial<Due>): Partial<RequestSpec> => ({ due: { ...VALID, checks: ['it'], ...own } });
const UNUSUAL: Partial<Due> = { class: 'either', statuses: [200, 400], requirements: ['odd'], role: 'unusual' };

/** An accepted update: what it sends, and what the response shows. */
function put(sent: Members, shown: Members, own: Partial<RequestSpec> = {}): Exchange {
  const id = own.subject === 'other-user' ? 5 : 4;
  return answered(updateRequest({ body: JSON.stringify(sent), ...own }), 200, { id, ...shown });
}
const read = (shown: Members, own: Partial<RequestSpec> = {}): Exchange =>
  put({}, shown, { ...due({ class: 'either', role: 'reading' }), ...own });
const refused = (body: Members = { name: 5 }, status = 400): Exchange =>
  answered(updateRequest({ body: JSON.stringify(body), ...INVALID }), status);
const odd = (sent: Members, shown: Members, stores?: Due['stores']): Exchange =>
  put(sent, shown, due({ ...UNUSUAL, ...(stores && { stores }) }));
const atOnce = (sent: Members, own: Partial<RequestSpec> = {}, startedAt = 100): Exchange => ({
  ...put(sent, sent, { ...due({ role: 'concurrent', round: 0 }), ...own }),
  startedAt,
  duration: 10,
});
const after = (x: Exchange): Exchange => ({ ...x, startedAt: 200 });

/** An operation that counts logins, in the place of one that writes no user. */
const WRITES: Writes = {
  members: ['loginAttempts'],
  sets: () => ({ loginAttempts: 3 }),
  stored: { requirement: 'logins.counted', check: 'logins-counted' },
  kept: { requirement: 'logins.no-more', check: 'logins-no-more' },
  putBack: (values) => values,
};
const counted = (shown: Members, status = 200): Exchange =>
  answered(updateRequest({ operation: 'listBanners', method: 'POST', body: '{}', ...due({}) }), status, shown);

function operationOf(id: OperationId): JudgedOperation | undefined {
  const update = operations.find((each) => each.id === 'updateUser');
  return update && (id === update.id ? update : { ...update, id, effect: { resource: 'user', writes: WRITES } });
}

function factsOf(exchanges: readonly Exchange[]): Facts {
  const inTime = exchanges.some(({ startedAt }) => startedAt > 0) ? exchanges : inOrder(...exchanges);
  const notes = makeNotes();
  const refusals = (item: string): string | undefined => (item === 'bad' ? 'refused-bad' : undefined);
  judgeUsers(viewOf(inTime), notes, damageIn(inTime), { refusals, operationOf });
  return notes;
}

/** Each deviation as its mode, member and requirement. */
const deviationsOf = (exchanges: readonly Exchange[]): readonly string[] =>
  factsOf(exchanges).deviations.map(({ mode, member = '', requirements }) =>
    [mode, member, (requirements[0] ?? 'nobody').replace('update.', '')].join(' ').replace('  ', ' '),
  );
const holds = (exchanges: readonly Exchange[]): readonly string[] => [...factsOf(exchanges).witnesses.keys()];

const A = { name: 'Ada' };
const B = { name: 'Bob' };
const E = { email: 'e@x' };

type Case = readonly [what: string, exchanges: readonly Exchange[], deviations: string];

describe('what is sent', () => {
  it.each<Case>([
    ['is shown, and stays', [read(B), put(A, A), read(A)], ''],
    ['is not shown by its own response, but later', [read(B), put(A, {}), read(A)], ''],
    ['is shown by later responses only', [read(B), put(A, B), read(A)], 'stale-response name answer-shows-user'],
    ['is never shown', [read(B), put(A, B), read(B)], 'not-stored name sent-fields-change'],
    ['is not shown, and no response follows', [read(B), put(A, B)], 'stale-response name answer-shows-user'],
    ['is gone later', [put(A, A), read(B)], 'not-stored name sent-fields-change'],
    ['is a role in another form', [put({ rootRole: 1 }, { rootRole: { id: 1 } }), read({ rootRole: { id: 1 } })], ''],
    ['is a role by a name, which nobody can compare', [put({ rootRole: 1 }, { rootRole: 'Admin' })], ''],
    [
      'is repeated, and something else is stored',
      [put(A, B, due({ role: 'repetition' })), read(B)],
      'changed name success-is-200',
    ],
    ['is unspecified', [put(A, B, { due: UNSPECIFIED }), read(B)], ''],
  ])('%s', (_what, exchanges, deviations) => {
    expect(deviationsOf(exchanges).join()).toBe(deviations);
  });

  it('is a witness of what its own response shows, and of what later ones do', () => {
    const both = [put(A, A), read(A)];
    expect(holds(both.slice(0, 1))).toEqual(['update-answer-id', 'update-name-shown/name']);
    expect(holds(both)).toContain('update-name-stored/name');
    expect(holds([put(A, A), put(E, { ...A, ...E })])).toContain('update-second-keeps-first');
    expect(holds([put(A, A, due({ role: 'repetition' })), read(A)])).toContain('it/stored');
  });
});

describe('what is not sent', () => {
  const unanswered = faulted(updateRequest({ body: '{"name":"Eve"}' }), 'timeout');
  it.each<Case>([
    ['stays', [read({ ...B, ...E }), put(A, { ...A, ...E }), read({ ...A, ...E })], ''],
    ['changes with an update', [read(E), put(A, { ...A, email: 'f@x' })], 'replaced email unsent-fields-keep'],
    ['becomes null', [read(E), put(A, { ...A, email: null })], 'nulled email unsent-fields-keep'],
    ['becomes empty', [read(E), put(A, { ...A, email: '' })], 'emptied email unsent-fields-keep'],
    ['has an older value again', [read(B), put(A, A), put(E, { ...E, ...B })], 'reverted name earlier-updates-keep'],
    ['changes with nothing', [read(A), read(B)], 'replaced name empty-body-changes-nothing'],
    ['changes with a refused request', [read(A), refused(), read(B)], 'changed-user name refused-changes-nothing'],
    [
      'changes with one that must be refused',
      [read(E), refused({ name: 5 }, 200), read({ email: 'f@x' })],
      'changed-user email refused-changes-nothing',
    ],
    ['is sent in one that must be refused', [read(A), refused({ name: 5 }, 200), read({ name: 5 })], ''],
    ['changes after an update without a response', [read(A), unanswered, read(B)], 'changed-user name nobody'],
    [
      'changes with a request that only reads',
      [read(A), answered(bannersRequest(), 200), read(B)],
      'changed-user name side-effects.of-reading',
    ],
    [
      'was sent for the other user, whatever else was under way',
      [read(A), put(B, B, OTHER), put(E, { ...E, ...B })],
      'other-user-changed name addressed-user-only',
    ],
    [
      'cannot be sent',
      [read({ username: 'a' }), put(A, { ...A, username: 'b' })],
      'changed username other-members-keep',
    ],
    [
      'is sent although it cannot be',
      [read({ username: 'a' }), put({ username: 'b' }, { username: 'b' }, due({ role: 'unlisted' }))],
      'applied username unlisted-members',
    ],
    [
      'is a time, less exact than before',
      [read({ createdAt: '2026-01-01T00:00:00.250Z' }), read({ createdAt: '2026-01-01T00:00:00Z' })],
      '',
    ],
    ['is not shown any more', [read(E), put(A, A), read(E)], ''],
  ])('%s', (_what, exchanges, deviations) => {
    expect(deviationsOf(exchanges).join()).toBe(deviations);
  });

  it('is a witness of all that may have changed it', () => {
    const all = { ...A, ...E, username: 'a' };
    const kept = holds([read({ ...all, ...B }), put(A, all), refused(), answered(bannersRequest(), 200), read(all)]);
    for (const check of ['update-name-keeps-email', 'update-keeps-username', 'update-empty-body/email'])
      expect(kept).toContain(check);
    for (const check of ['refused-bad/email', 'reading-changes-no-user/email']) expect(kept).toContain(check);
  });

  it('is no witness of an update that is not seen to be stored', () => {
    expect(holds([read({ ...B, ...E }), put(A, { ...B, ...E }), read({ ...B, ...E })])).not.toContain(
      'update-name-keeps-email',
    );
  });
});

describe('the suspects of a change', () => {
  const classesOf = (...exchanges: readonly Exchange[]) =>
    factsOf(exchanges).deviations.map(({ change }) => [...(change?.classes ?? [])].sort().join());

  it('are all that may have made it', () => {
    expect(classesOf(read(A), refused(), put(E, { ...E, ...B }))).toEqual(['refused,update']);
  });

  it('are not those that left the member alone before', () => {
    expect(classesOf(put(E, A), put(E, A), refused(), put(E, B))).toEqual(['refused']);
  });

  it('are those that left it alone where nothing else is left', () => {
    expect(classesOf(read(A), read(A), read(B))).toEqual(['empty']);
  });

  it('stay suspects where the member only keeps what they made of it', () => {
    expect(classesOf(read(A), put(E, B), put(E, B), refused(), put(E, { name: 'Eve' }))).toEqual([
      'update',
      'refused,update',
    ]);
  });
});

describe('an unusual update', () => {
  const stores = { name: ['Ada', 'ada'] };
  const later = (sent: Members, shown: Members, own?: Due['stores']) => [read(B), odd(sent, {}, own), read(shown)];
  it.each<Case>([
    ['stores one of its values', [read(B), odd(A, { name: 'ada' }, stores)], ''],
    ['stores another one', [read(B), odd(A, { name: 'Eve' }, stores)], 'altered name odd'],
    ['leaves the old one', [read(B), odd(A, B)], 'ignored name odd'],
    ['stores one of its values, as is seen later', later(A, { name: 'ada' }, stores), ''],
    ['stores another one, as is seen later', later(A, { name: 'Eve' }), 'altered name odd'],
    ['stores the canonical form', [odd({ name: 'e\u0301' }, { name: '\u00e9' })], ''],
    ['stores anything for half of a surrogate pair', [odd({ name: 'a\ud800b' }, { name: 'a?b' })], ''],
    ['loses what is beside it', [odd({ name: 'a\ud800b' }, { name: 'a' })], 'altered name odd'],
    ['stores null for an empty text', [odd({ name: '' }, { name: null })], 'altered name odd'],
    ['leaves out an empty text', [read({ ...B, username: 'a' }), odd({ name: '' }, { username: 'a' })], ''],
    [
      'breaks the user',
      [odd(A, A), answered(updateRequest(due({ class: 'either', role: 'reading' })), 500)],
      'damaged odd',
    ],
  ])('%s', (_what, exchanges, deviations) => {
    expect(deviationsOf(exchanges).join()).toBe(deviations);
  });

  it('is not decided where no response shows what it stored', () => {
    expect(factsOf([read(B), odd(A, {})]).doubts.get('it')).toMatchObject({ reason: 'not-observable' });
    expect(holds([read(B), odd(A, {}), read(A)])).toContain('it');
  });
});

describe('concurrent updates', () => {
  const email = put(E, E);
  it.each<Case>([
    ['are both stored', [read({}), atOnce(A), atOnce(E), after(read({ ...A, ...E }))], ''],
    [
      'lose one',
      [after(read({})), atOnce(A), atOnce(E), after(read({ ...B, ...E }))],
      'lost-update name concurrent-fields',
    ],
    [
      'store what was sent for the other user',
      [atOnce(A), atOnce(B, OTHER), after(read(B))],
      'cross-user-mix name concurrent-users',
    ],
  ])('%s', (_what, exchanges, deviations) => {
    expect(deviationsOf(exchanges).join()).toBe(deviations);
  });

  it('may store any of several values of a member', () => {
    const facts = factsOf([atOnce(A), atOnce(B, {}, 101), after(read(A))]);
    expect(facts.deviations).toEqual([]);
    expect([...facts.witnesses.keys()]).toContain('update-concurrent-fields/user.name');
    expect(deviationsOf([atOnce(A), atOnce(B, {}, 101), after(read({ name: 'Eve' }))])).toEqual([
      'lost-update name concurrent-fields',
    ]);
  });

  it('are not blamed for what a request that was refused beside them undid, if they undo nothing otherwise', () => {
    const beside: Partial<RequestSpec> = {
      item: 'beside',
      due: { ...refusalDue('beside'), requirements: ['update.concurrent-refusals'], level: 'should' },
    };
    const round = (time: number, name: string, ...others: Exchange[]): Exchange[] => [
      { ...atOnce({ name }, due({ role: 'concurrent', round: time })), startedAt: time },
      { ...atOnce(E, due({ role: 'concurrent', round: time })), startedAt: time },
      ...others.map((each) => ({ ...each, startedAt: time, duration: 10 })),
    ];
    const refusedBeside = answered(updateRequest({ body: '{"name":5}', ...INVALID, ...beside }), 400);
    const exchanges = [
      { ...read({ ...B, ...E }), startedAt: 1 },
      ...round(100, 'Ada'),
      { ...read({ ...A, ...E }), startedAt: 200 },
      ...round(300, 'Eve', refusedBeside),
      { ...read({ ...A, ...E }), startedAt: 400 },
    ];
    expect(deviationsOf(exchanges)).toEqual(['changed-user name concurrent-refusals']);
  });

  it('say nothing unless they overlap', () => {
    const apart = [atOnce(A), atOnce(E, {}, 120), after(read({ ...A, ...E })), email];
    expect(factsOf(apart).doubts.get('update-concurrent-fields')).toMatchObject({ reason: 'not-observable' });
    expect(holds([atOnce(A), atOnce(E), after(read(A))])).toContain('update-concurrent-fields/user.name');
  });
});

describe('other aspects', () => {
  it.each<Case>([
    ['a response shows another id', [read({ id: 6 })], 'other-id id id-matches-path'],
    ['a request that only reads shows another id', [read({ id: 6 }, { method: 'GET' })], 'other-id id id-matches-path'],
    ['a response shows the id of the body', [put({ id: 6 }, { id: 6 })], 'id-from-body id id-matches-path'],
    [
      'what it shows says nothing of the user',
      [read(A), read({ id: 6, ...B }), read(A)],
      'other-id id id-matches-path',
    ],
    [
      'both users have one username',
      [read({ username: 'a' }), read({ username: 'a' }, OTHER)],
      'same-username user.username-unique',
    ],
  ])('%s', (_what, exchanges, deviations) => {
    expect(deviationsOf(exchanges).join()).toBe(deviations);
  });
});

describe('an operation that writes of users what no update writes', () => {
  const before = { ...A, loginAttempts: 0 };
  const after = { ...A, loginAttempts: 3 };

  it.each<Case>([
    ['may change what it declares', [read(before), counted(after), read(after)], ''],
    ['may change it after no response', [read(before), faulted(counted({}).request, 'timeout'), read(after)], ''],
    ['may show nothing', [read(before), counted({}), read(after)], ''],
    [
      'does not store it, as its response shows',
      [read(before), counted(before), read(before)],
      'not-stored loginAttempts logins.counted',
    ],
    [
      'does not store it, as a later response shows',
      [read(before), counted({}), read(before)],
      'not-stored loginAttempts logins.counted',
    ],
    [
      'changes something else',
      [read(before), counted({ ...after, ...B }), read({ ...after, ...B })],
      'changed name logins.no-more',
    ],
    [
      'is refused, and changes it',
      [read(before), { ...counted({}, 400), request: { ...counted({}).request, ...INVALID } }, read(after)],
      'changed-user loginAttempts refused-changes-nothing',
    ],
  ])('%s', (_what, exchanges, deviations) => {
    expect(deviationsOf(exchanges).join()).toBe(deviations);
  });

  it('is seen to store what it sets, and to keep the rest', () => {
    expect(holds([read(before), counted({}), read(after)])).toEqual(
      expect.arrayContaining(['logins-counted', 'logins-no-more']),
    );
  });
});
