import { describe, expect, it } from 'vitest';
import type { Due } from '../../../conformance/http/due.ts';
import { ABSENT, type Exchange, type RequestSpec } from '../../../conformance/http/exchange.ts';
import { type Facts, makeNotes } from '../../../conformance/model/facts.ts';
import { damageIn } from '../../../conformance/model/outcomes.ts';
import type { JudgedOperation } from '../../../conformance/model/responses.ts';
import { operations } from '../../../conformance/operations/index.ts';
import type { Effect, Writes } from '../../../conformance/resources/effect.ts';
import type { OperationId } from '../../../contract/document.ts';
import { judgeUsers } from '../../../conformance/model/user/users.ts';
import { answered, faulted, inOrder, updateRequest, VALID } from '../../support/exchanges.ts';
import { refusalDue, viewOf } from '../../support/model.ts';

type Members = Readonly<Record<string, unknown>>;

const INVALID: Partial<RequestSpec> = { meant: { body: 'invalid', id: 'valid' }, due: refusalDue('a'), item: 'bad' };
const due = (own: Partial<Due>): Partial<RequestSpec> => ({ due: { ...VALID, checks: ['it'], ...own } });
/** An accepted update: what it sends, and what the response shows. */
function put(sent: Members, shown: Members, own: Partial<RequestSpec> = {}): Exchange {
  return answered(updateRequest({ body: JSON.stringify(sent), ...own }), 200, { id: 4, ...shown });
}
const read = (shown: Members): Exchange => put({}, shown, due({ class: 'either', role: 'reading' }));

/** An operation that counts logins, in the place of one that writes no user. */
const WRITES: Writes = {
  members: ['loginAttempts'],
  sets: () => ({ loginAttempts: 3 }),
  stored: { requirement: 'logins.counted', check: 'logins-counted' },
  kept: { requirement: 'logins.no-more', check: 'logins-no-more' },
  putBack: (values) => values,
};
const EFFECT: Effect = {
  resource: 'user',
  refused: { requirement: 'logins.refused', parts: [] },
  writes: WRITES,
};
const counted = (shown: Members, status = 200): Exchange =>
  answered(updateRequest({ operation: 'listBanners', method: 'POST', body: '{}', ...due({}) }), status, shown);

/** An update that a target may carry out by leaving the member out. */
const EMPTIED = put(
  { name: '' },
  {},
  due({ class: 'either', role: 'unusual', statuses: [200, 400], stores: { name: ['', ABSENT] } }),
);

function operationOf(id: OperationId, effect = EFFECT): JudgedOperation | undefined {
  const update = operations.find((each) => each.id === 'updateUser');
  return update && (id === update.id ? update : { ...update, id, effect });
}

function factsOf(exchanges: readonly Exchange[], effect = EFFECT): Facts {
  const inTime = exchanges.some(({ startedAt }) => startedAt > 0) ? exchanges : inOrder(...exchanges);
  const notes = makeNotes();
  const refusals = (item: string): string | undefined => (item === 'bad' ? 'refused-bad' : undefined);
  judgeUsers(viewOf(inTime), notes, damageIn(inTime), { refusals, operationOf: (id) => operationOf(id, effect) });
  return notes;
}

/** Each deviation as its mode, member and requirement. */
const deviationsOf = (exchanges: readonly Exchange[]): readonly string[] =>
  factsOf(exchanges).deviations.map(({ mode, member = '', requirements }) =>
    [mode, member, (requirements[0] ?? 'nobody').replace('update.', '')].join(' ').replace('  ', ' '),
  );

const A = { name: 'Ada' };
const B = { name: 'Bob' };

// What updates store and change is shown by the proof; here is what no server of the proof does.
it('concurrent updates may store any of several values of a member', () => {
  const atOnce = (sent: Members, startedAt: number): Exchange => ({
    ...put(sent, sent, due({ role: 'concurrent', round: 0 })),
    startedAt,
    duration: 10,
  });
  const after = (shown: Members): Exchange => ({ ...read(shown), startedAt: 200 });
  const facts = factsOf([atOnce(A, 100), atOnce(B, 101), after(A)]);
  expect(facts.deviations).toEqual([]);
  expect([...facts.witnesses.keys()]).toContain('update-concurrent-fields/user.name');
  expect(deviationsOf([atOnce(A, 100), atOnce(B, 101), after({ name: 'Eve' })])).toEqual([
    'lost-update name concurrent-fields',
  ]);
});

it('an update that is lost among concurrent ones is shown by those two, and by what shows it', () => {
  const both = { ...A, email: 'a@x.example' };
  const atOnce = (sent: Members, shown: Members, startedAt: number): Exchange => ({
    ...put(sent, shown, due({ role: 'concurrent', round: 0 })),
    startedAt,
    duration: 10,
  });
  const ofName = atOnce({ name: 'Bob' }, { ...both, name: 'Bob' }, 100);
  const ofEmail = atOnce({ email: 'b@x.example' }, { name: 'Bob', email: 'b@x.example' }, 101);
  const after: Exchange = { ...read({ name: 'Ada', email: 'b@x.example' }), startedAt: 200 };
  const [lost] = factsOf([read(both), ofName, ofEmail, after]).deviations;
  expect(lost?.shows?.slice(-2)).toEqual([ofName, ofEmail]);
  expect(lost?.shows).toContain(after);
  expect(lost?.message).toMatch(
    / while another one was under way: name was "Bob", and in a later response it is "Ada"\.$/,
  );
});

describe('an operation that writes of users what no update writes', () => {
  const before = { ...A, loginAttempts: 0 };
  const after = { ...A, loginAttempts: 3 };

  it.each<[what: string, exchanges: readonly Exchange[], deviations: string]>([
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
      'empties something else',
      [read(before), read(before), counted(after), read({ ...after, name: '' })],
      'changed name logins.no-more',
    ],
    [
      'shows as empty what an update leaves out',
      [read(before), EMPTIED, read({}), counted({ ...after, name: '' }), read({})],
      '',
    ],
    [
      'is refused, and changes it',
      [read(before), { ...counted({}, 400), request: { ...counted({}).request, ...INVALID } }, read(after)],
      'changed-user loginAttempts logins.refused',
    ],
  ])('%s', (_what, exchanges, deviations) => expect(deviationsOf(exchanges).join()).toBe(deviations));

  it('is said to have been undone where what it set is gone', () => {
    const [lost] = factsOf([read(before), counted(after), read(before)]).deviations;
    expect(lost?.message).toContain('loginAttempts should be 3 since then, but in a later response it is 0.');
  });

  it('may not have emptied what another request may have emptied that left it empty once', () => {
    const empty = { ...after, name: '' };
    const { deviations } = factsOf([read(empty), read(empty), put(B, { ...after, ...B }), counted({}), read(empty)]);
    expect(deviations.map(({ change }) => change?.classes)).toEqual([['write', 'empty']]);
  });

  it('is not blamed for a user where it is one of another resource, and is refused', () => {
    const refused = { ...counted({}, 400), request: { ...counted({}).request, ...INVALID } };
    const { deviations } = factsOf([read(before), refused, read(after)], { ...EFFECT, resource: 'banner' });
    expect(deviations.map(({ member, checks }) => [member, checks])).toEqual([['loginAttempts', []]]);
  });

  it('is seen to store what it sets, and to keep the rest', () => {
    const { witnesses } = factsOf([read(before), counted({}), read(after)]);
    expect([...witnesses.keys()]).toEqual(expect.arrayContaining(['logins-counted', 'logins-no-more']));
  });
});

it('a value that was sent in the query tells which of several requests changed a member', () => {
  const start = { ...A, email: 'a@x.example' };
  const unusual = due({
    class: 'either',
    role: 'unusual',
    statuses: [200, 400],
    requirements: ['update.unusual-members'],
  });
  const path = '/api/admin/user-admin/4?email=b%40x.example';
  const inQuery = put(B, { ...B, email: 'b@x.example' }, { ...unusual, path });
  const ofOther = put(A, { id: 5, ...A }, { ...due({}), subject: 'other-user', path: '/api/admin/user-admin/5' });
  const exchanges = [read(start), put(B, { ...start, ...B }, unusual), read({ ...start, ...B }), ofOther, inQuery];
  expect(deviationsOf(exchanges)).toEqual(['other-member-changed email unusual-members']);
});

it('a change that nobody is blamed for leaves undecided what else may have made it', () => {
  const sentAsText = answered(updateRequest({ body: JSON.stringify(A), ...due({ class: 'unspecified' }) }), 415, {});
  const unknownAlone = put({ other: true }, B, due({ class: 'either', statuses: [200, 400], requirements: ['a'] }));
  const { deviations, doubts } = factsOf([read(A), sentAsText, unknownAlone]);
  expect(deviations).toMatchObject([{ member: 'name', requirements: [], checks: [] }]);
  expect(doubts.get('it')).toMatchObject({ reason: 'precondition-failed' });
});
