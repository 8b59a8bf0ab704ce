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
const READING = due({ class: 'either', role: 'reading' });
const read = (shown: Members): Exchange => put({}, shown, READING);
const OTHER: Partial<RequestSpec> = { subject: 'other-user', path: '/api/admin/user-admin/5' };
/** The same for the other user. */
const putOther = (sent: Members, own = due({})): Exchange => put(sent, { ...sent, id: 5 }, { ...own, ...OTHER });
const ofOther = (x: Exchange): Exchange => ({ ...x, request: { ...x.request, ...OTHER } });
/** A reading that is sent with something. */
const look = (shown: Members): Exchange => put({ other: 1 }, shown, READING);
/** An update that is refused. */
const refused = (sent: Members, status = 400, own = INVALID): Exchange =>
  answered(updateRequest({ body: JSON.stringify(sent), ...own }), status);
/** Updates that are under way at the same time, at another time for each round. */
const concurrent = (round: number, ...updates: readonly Exchange[]): Exchange[] =>
  updates.map((each, at) => ({
    ...{ ...each, request: { ...each.request, ...due({ role: 'concurrent', round }) } },
    ...{ startedAt: 100 * (round + 1) + at, duration: 10 },
  }));
/** What is sent between rounds, one after the other. */
const after = (round: number, ...exchanges: readonly Exchange[]): Exchange[] =>
  exchanges.map((each, at) => ({ ...each, startedAt: 100 * round + 120 + 10 * at }));

/** An operation that counts logins, in the place of one that writes no user. */
const WRITES: Writes = {
  members: ['loginAttempts', 'accountType'],
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

/** An unusual update: what it sends, and may store, and what the response shows. */
function odd(sent: Members, shown: Members, own: Partial<RequestSpec> = {}): Exchange {
  const stores = Object.fromEntries(Object.entries(sent).map(([member, value]) => [member, [value]]));
  return put(sent, shown, { ...due({ class: 'either', role: 'unusual', requirements: ['odd'], stores }), ...own });
}
/** One that a target may carry out by leaving the member out. */
const EMPTIED = put({ name: '' }, {}, due({ class: 'either', role: 'unusual', stores: { name: ['', ABSENT] } }));

/** What is done, what shows in deviations or witnesses, and by which exchanges. */
type Row = [what: string, shows: string, ...exchanges: readonly Exchange[]];

function operationOf(id: OperationId, own: Partial<JudgedOperation>): JudgedOperation | undefined {
  const update = operations.find((each) => each.id === 'updateUser');
  return update && (id === update.id ? update : { ...update, id, effect: EFFECT, ...own });
}

function factsOf(exchanges: readonly Exchange[], own: Partial<JudgedOperation> = {}): Facts {
  const inTime = exchanges.some(({ startedAt }) => startedAt > 0) ? exchanges : inOrder(...exchanges);
  const notes = makeNotes();
  const refusals = (item: string): string | undefined => (item === 'bad' ? 'refused-bad' : undefined);
  judgeUsers(viewOf(inTime), notes, damageIn(inTime), { refusals, operationOf: (id) => operationOf(id, own) });
  return notes;
}

/** Each deviation as its mode, member and requirement. */
const deviationsOf = (exchanges: readonly Exchange[]): readonly string[] =>
  factsOf(exchanges).deviations.map(({ mode, member = '', requirements }) =>
    [mode, member, (requirements[0] ?? 'nobody').replace('update.', '')].join(' ').replace('  ', ' '),
  );

const witnessesOf = (exchanges: readonly Exchange[]): readonly string[] =>
  [...factsOf(exchanges).witnesses.keys()].filter((each) => each !== 'update-answer-id');

const A = { name: 'Ada' };
const B = { name: 'Bob' };
const EVE = { name: 'Eve' };
const OLD_EMAIL = { email: 'a@x.example' };
const NEW_EMAIL = { email: 'b@x.example' };

// What updates store and change is shown by the proof; here is what no server of the proof does.
describe('of concurrent updates', () => {
  const start = { ...A, ...OLD_EMAIL, rootRole: 1 };
  const ofName = put(B, { ...start, ...B });
  const ofEmail = put(NEW_EMAIL, { ...start, ...NEW_EMAIL });
  const lost = read({ ...start, ...NEW_EMAIL });
  const fine = read({ ...start, ...B, ...NEW_EMAIL });

  it('any of several values of a member may be stored', () => {
    const atOnce = concurrent(0, put(A, A), put(B, B));
    const facts = factsOf([...atOnce, ...after(0, read(A))]);
    expect(facts.deviations).toEqual([]);
    expect([...facts.witnesses.keys()]).toContain('update-concurrent-fields/user.name');
    expect(deviationsOf([...atOnce, ...after(0, read(EVE))])).toEqual(['lost-update name concurrent-fields']);
  });

  it.each<[lost: keyof typeof start, sent: readonly Members[], shown: readonly number[]]>([
    ['name', [B, NEW_EMAIL, { rootRole: 2 }], [0, 2]],
    ['name', [NEW_EMAIL, B, { rootRole: 2 }], [1, 2]],
    ['rootRole', [B, NEW_EMAIL], [0, 1]],
  ])('if %s is lost, the one that sent it is shown, and the one that lost it', (member, sent, indexes) => {
    const [first, ...rest] = concurrent(0, put({}, start), ...sent.map((each) => put(each, { ...start, ...each })));
    const stored = sent.reduce((all, each) => ({ ...all, ...each }), start);
    const last = after(0, read({ ...stored, [member]: member === 'name' ? 'Ada' : 7 }));
    const before = [...after(-1, read(start)), { ...first, startedAt: 80 } as Exchange];
    const [found] = factsOf([...before, ...rest, ...last]).deviations;
    expect(found?.shows).toEqual([...last, ...indexes.map((each) => rest[each])]);
    expect(found?.message).toContain(` while another one was under way: ${member} was `);
  });

  it('none needs to overlap, if others do', () => {
    const [apart, ...rest] = concurrent(0, put({}, start), ofName, ofEmail);
    const doubtsOf = (...exchanges: Exchange[]) => factsOf(exchanges).doubts;
    expect(doubtsOf({ ...apart, startedAt: 80 } as Exchange, ...rest).size).toBe(0);
    const doubts = doubtsOf(...concurrent(0, ofName), ...after(0, read(start)));
    expect(doubts.get('update-concurrent-users')).toMatchObject({ reason: 'not-observable', isWeak: true });
  });

  it('are those that are sent as such', () => {
    const [before, one] = after(0, read(start), put(B, start));
    const beside = { ...refused({ name: 5 }), startedAt: 130 };
    expect(deviationsOf([before, one, beside] as Exchange[])).toEqual(['stale-response name answer-shows-user']);
  });

  it('one may store what another one sends for another user', () => {
    const atOnce = concurrent(0, ofName, ofEmail, putOther(EVE));
    const [mixed] = deviationsOf([...atOnce, ...after(0, read({ ...EVE, ...NEW_EMAIL }))]);
    expect(mixed).toBe('cross-user-mix name concurrent-users');
  });

  describe('one may be lost that was not lost before', () => {
    const bad = refused({ name: 5 });
    const rounds = [fine, lost, lost].map((each, at) => [
      ...concurrent(at, ofName, ofEmail),
      ...after(at, ...(at === 2 ? [bad, each] : [each])),
    ]);
    const LOST = 'lost-update name concurrent-fields';
    const opening = after(-1, read(start));

    it('rather than by a refusal', () => expect(deviationsOf([...opening, ...rounds.flat()])).toEqual([LOST, LOST]));

    it('but by a refusal if no other change came with one', () => {
      const [first = [], , last = []] = rounds;
      const between = after(0, fine, fine, lost);
      expect(deviationsOf([...opening, ...first.slice(0, 2), ...between, ...last]).at(-1)).toBe(
        'changed-user name refused-changes-nothing',
      );
    });
  });
});

describe('an operation that writes of users what no update writes', () => {
  const before = { ...A, loginAttempts: 0 };
  const after = { ...A, loginAttempts: 3 };
  const empty = { ...after, name: '' };
  const renamed = { ...after, ...B };
  const [first, later, none] = [before, after, {}].map(read);
  const nothing = counted({});
  const lost = faulted(nothing.request, 'timeout');
  const bad = { ...counted({}, 400), request: { ...nothing.request, ...INVALID } };
  const typed = { ...after, accountType: 'User' };
  const untyped = { ...after, accountType: '' };

  it.each([
    ['may change what it declares', '', first, counted(after), later],
    ['may change it after no response', '', first, lost, later],
    ['may show nothing', '', first, nothing, later],
    ['may be refused', '', first, counted({}, 409), first],
    ['may change what it does not set', '', read(typed), counted(untyped), read(untyped)],
    ['does not store it, as it shows', 'not-stored loginAttempts logins.counted', first, counted(before), first],
    ['does not store it, as is shown later', 'not-stored loginAttempts logins.counted', first, nothing, first],
    ['changes something else', 'changed name logins.no-more', first, counted(renamed), read(renamed)],
    ['empties something else', 'changed name logins.no-more', first, first, counted(after), read(empty)],
    ['shows as empty what an update leaves out', '', first, EMPTIED, none, counted(empty), none],
    ['shows what an update leaves out', 'changed name logins.no-more', first, EMPTIED, none, counted(renamed)],
    ['changes what it sets, elsewhere', 'changed loginAttempts logins.no-more', first, first, ofOther(nothing), later],
    ['is refused, and changes it', 'changed-user loginAttempts logins.refused', first, bad, later],
  ] as Row[])('%s', (_what, deviations, ...exchanges) => expect(deviationsOf(exchanges).join()).toBe(deviations));

  it('is said to have been undone where what it set is gone', () => {
    const [undone] = factsOf([read(before), counted(after), read(before)]).deviations;
    expect(undone?.message).toContain('loginAttempts should be 3 since then, but in a later response it is 0.');
  });

  it('may not have emptied what another request may have emptied that left it empty once', () => {
    const { deviations } = factsOf([read(empty), read(empty), put(B, renamed), nothing, read(empty)]);
    expect(deviations.map(({ change }) => change?.classes)).toEqual([['write', 'empty']]);
  });

  it('is not blamed for a user where it is one of another resource, and is refused', () => {
    const effect: Effect = { ...EFFECT, resource: 'banner' };
    const { deviations } = factsOf([read(before), bad, read(after)], { effect });
    expect(deviations.map(({ member, checks }) => [member, checks])).toEqual([['loginAttempts', []]]);
  });

  it.each([
    ['to store what it sets', 'logins-counted', look({ loginAttempts: 0 }), nothing, look({ loginAttempts: 3 })],
    ['to store what it shows', 'logins-counted', counted(after)],
    ['to keep the rest', 'logins-no-more', look(A), nothing, look(A)],
  ] as Row[])('is seen %s', (_what, witnesses, ...exchanges) => expect(witnessesOf(exchanges).join()).toBe(witnesses));

  it('is seen to store something else', () => {
    const message = 'An update: loginAttempts is 0 after it, expected 3.';
    const found = { checks: ['logins-counted'], pointer: '/loginAttempts', message };
    expect(factsOf([counted(before)]).deviations).toMatchObject([found]);
  });

  it('is not compared where it shows another resource', () => {
    const banners = operations.find(({ id }) => id === 'listBanners');
    const exchanges = [look(A), counted(B), look(A)];
    expect(factsOf(exchanges, banners && { shows: banners.shows }).deviations).toEqual([]);
  });
});

describe('a change', () => {
  const [ada, bob, eve, none] = [A, B, EVE, { name: '' }].map(read);
  const start = { ...A, ...OLD_EMAIL, loginAttempts: 0 };
  const [before, after] = [read(start), read({ ...start, ...B })];
  const updateTo = (shown: Members): Exchange => put(NEW_EMAIL, { ...shown, ...NEW_EMAIL });
  const sent = updateRequest({ body: '{"rootRole":2}' });
  const away = faulted(sent, 'unreachable');
  const late = faulted(sent, 'timeout');
  const bad = faulted({ ...sent, ...INVALID }, 'timeout');
  const closed = faulted({ ...sent, ...INVALID }, 'closed');
  const busy = refused(NEW_EMAIL, 409, due({}));
  const busyB = refused(B, 409, due({}));
  const ofRole = (item: string): Exchange => odd({ rootRole: 2 }, { rootRole: 2 }, { item });
  const [one, two] = ['a', 'b'].map(ofRole);
  const oddName = odd(B, { ...start, ...B });
  const oddOther = ofOther(odd({ rootRole: 2 }, { id: 5, rootRole: 2 }));
  const inQuery = odd(B, { ...B, ...NEW_EMAIL }, { path: '/api/admin/user-admin/4?email=b%40x.example' });
  const unlisted = due({ class: 'either', role: 'unlisted', requirements: ['update.unlisted-members'] });
  const logins = put({ ...B, loginAttempts: 9 }, { ...B, loginAttempts: 9 }, unlisted);
  const oddId = put(B, B, { meant: { body: 'valid', id: 'unspecified' } });
  const oddIdRefused = refused(B, 404, {
    ...due({ class: 'either', requirements: ['odd'] }),
    ...{ meant: { body: 'valid', id: 'unspecified' }, subject: 'invalid-id' },
  });
  const ofNoGroup = refused({ name: 5 }, 400, { ...INVALID, item: 'x' });
  const badOther = ofOther(refused({ name: 5 }));
  const repeated = put(NEW_EMAIL, A, due({ role: 'repetition' }));
  const repeatedOther = putOther(B, due({ role: 'repetition' }));
  const LOST_NAME = 'replaced name unsent-fields-keep';
  const BY_EMPTY = 'replaced name empty-body-changes-nothing';
  const OF_OTHER = 'other-user-changed name addressed-user-only';
  const [noRole, role, other] = [0, 1, 2].map((rootRole) => look({ rootRole }));
  const byOther = putOther(B);
  const times = [1, 2, 3].map((ms) => updateTo({ createdAt: `2026-01-01T00:00:00.00${ms}Z` }));

  it.each([
    ['by a reading of the other', 'other-user-changed name addressed-user-only', ada, ada, putOther({}, READING), bob],
    ['by what writes the other', 'changed name logins.no-more', ada, ada, ofOther(counted({})), bob],
    ['to nothing, by the other', 'other-user-changed name addressed-user-only', ada, ada, byOther, none],
    ['to what no update sends', 'applied loginAttempts unlisted-members', before, logins],
    [
      'to nothing, as another sent',
      'emptied name unsent-fields-keep',
      ada,
      refused({ name: '' }),
      ada,
      updateTo({ name: '' }),
    ],
    ['by a valid one that was refused', 'changed-user name nobody', ada, busyB, ada, ada, bob],
    ['by the second one like it', 'changed-user name nobody', ada, ada, busy, ada, busy, byOther, eve],
    ['after one that did not arrive', 'replaced name unsent-fields-keep', ada, away, ada, updateTo(EVE)],
    ['after no response to a wrong one', 'replaced name unsent-fields-keep', ada, bad, ada, updateTo(EVE)],
    ['after a connection closed on a wrong one', 'changed-user name nobody', ada, closed, updateTo(EVE)],
    ['after no response', 'changed-user name nobody', ada, late, ada, updateTo(EVE)],
    ['by one that is odd in its own way', 'other-member-changed name odd', ada, ada, one, ada, two, byOther, eve],
    ['of a time that is stored less exactly', '', ...times.slice(1)],
    ['of a time at each update', [2, 3].map(() => 'changed createdAt other-members-keep').join(), ...times],
    ['by an odd one elsewhere', 'other-user-changed name addressed-user-only', ada, ada, oddOther, eve],
    ['by one for an odd id', '', ada, oddId, ada],
    ['to no role', 'replaced rootRole empty-body-changes-nothing', role, byOther, noRole],
    ['to a role', 'other-user-changed rootRole addressed-user-only', role, byOther, other],
    ['to an older value', 'reverted name earlier-updates-keep', put(A, A), put(B, B), updateTo(A)],
    ['to a text of nobody, by what left it alone', 'changed-user name nobody', ada, ada, eve],
    ['after no response for the other', 'changed-user name nobody', ada, ofOther(late), updateTo(EVE)],
    ['by another one, where one of no group left it', OF_OTHER, ada, ofNoGroup, ada, ofNoGroup, byOther, eve],
    ['by another one, where one for the other left it', OF_OTHER, ada, badOther, ada, badOther, byOther, eve],
    ['by one for an odd id', 'changed-user name refused-changes-nothing', ada, ada, oddIdRefused, eve],
    ['by one of another role than those that left it', LOST_NAME, ada, repeated, ada, byOther, updateTo(EVE)],
    ['by an empty one, where one for the other left it', BY_EMPTY, ada, repeatedOther, ada, byOther, look(EVE)],
    ['to what a query sent', 'other-member-changed email odd', before, oddName, after, byOther, inQuery],
  ] as Row[])('%s', (_what, deviations, ...exchanges) => expect(deviationsOf(exchanges).join()).toBe(deviations));

  it('is told with the status of a response, if there was one', () => {
    const messageOf = (...exchanges: readonly Exchange[]) => factsOf(exchanges).deviations[0]?.message;
    const changed = 'name of the user changed from "Ada" to "Eve".';
    expect(messageOf(read(A), bad, read(EVE))).toBe(`An update: ${changed}`);
    expect(messageOf(read(A), refused({ name: 5 }), read(EVE))).toBe(
      `An update (the response to it is 400): ${changed}`,
    );
  });

  it('comes from elsewhere only if no update wrote the text, nor brought it back', () => {
    const foreign = (...exchanges: readonly Exchange[]) =>
      factsOf(exchanges).deviations.map(({ change }) => change?.foreign);
    const ada = { ...A, username: 'ada' };
    expect(foreign(read(ada), read({ ...EVE, username: 'eve' }))).toEqual([['Ada', 'Eve'], []]);
    expect(foreign(read(A), put(B, B), read(A))).toEqual([[]]);
  });

  it('fails the checks of all updates that may have made it, refused or not', () => {
    const [found] = factsOf([read(A), ofRole(''), refused({ name: 5 }), byOther, updateTo(EVE)]).deviations;
    expect(factsOf([answered(updateRequest({ method: 'GET' }), 200, start), updateTo(EVE)]).deviations).toMatchObject([
      { change: { classes: ['update'] } },
    ]);
    expect(found?.change?.possible).toEqual(['refused-bad', 'update-email-keeps-name']);
    const [ofSender] = factsOf([put(B, B), look({ rootRole: 1 }), read(EVE)]).deviations;
    expect(ofSender?.change?.possible).toEqual(['update-name-stored', 'update-empty-body', 'update-empty-body']);
  });
});

describe('a member that keeps its value', () => {
  const accepted = put({ rootRole: 'x' }, {}, INVALID);
  const get: Partial<RequestSpec> = { operation: 'listBanners', method: 'GET', subject: 'none' };
  const counter = { ...A, loginAttempts: 3 };
  it.each<Row>([
    ['a refused request', 'refused-bad/name', look(A), refused({ rootRole: 'x' }), look(A)],
    ['one of no group', '', look(A), refused({}, 400, { ...INVALID, item: 'x' }), look(A)],
    ['one without a response', '', look(A), faulted(accepted.request, 'timeout'), look(A)],
    ['one that should have been refused', '', look(A), accepted, look(A)],
    [
      'a reading of something else',
      'reading-changes-no-user/name',
      look(A),
      answered(updateRequest(get), 200),
      look(A),
    ],
    ['an empty update', 'update-empty-body/name', read(A), look(counter)],
    ['an empty update before', 'update-empty-body/name', look(A), read({}), look(A)],
    ['an empty update of the other user', '', look(A), putOther({}, READING), look(A)],
    ['a reading that shows nothing', '', look(A), put({ blank: 1 }, {}, READING), look(A)],
    ['a reading that is not empty', '', look(counter), look(counter)],
    ['an empty request for something else', 'logins-counted,logins-no-more', counted(counter), look(A)],
  ])('tells of %s', (_what, witnesses, ...exchanges) => expect(witnessesOf(exchanges).join()).toBe(witnesses));

  const start = { ...A, ...OLD_EMAIL };
  it('was kept by an update only if that stored what it sent, and did not find it there', () => {
    const keeps = 'update-name-keeps-email';
    const stored = [...['shown', 'stored'].map((each) => `update-name-${each}/name`), keeps];
    expect(witnessesOf([look(start), put(B, { ...start, ...B }), look({ ...start, ...B })])).toEqual(stored);
    expect(witnessesOf([look(start), put(B, { ...start, ...B }), put(A, start), look(start)])).not.toContain(keeps);
  });
});

describe('what an update sends', () => {
  const start = look({ name: 'Zoe', rootRole: 1 });
  const half = { name: 'Ada\uD83DBob' };
  const blank = put({ blank: 1 }, {}, READING);
  it.each<Row>([
    ['half of a pair of surrogates is anything', '', start, odd(half, { name: 'Ada\uFFFDBob' })],
    ['it may go', '', start, odd(half, { name: 'AdaBob' })],
    ['with blanks around it', '', start, odd({ name: 'Ada \uD83D Bob' }, { name: 'AdaBob' })],
    ['what is before it stays', 'altered name odd', start, odd(half, { name: 'Ida?Bob' })],
    ['what is after it stays', 'altered name odd', start, odd(half, { name: 'Ada?Rob' })],
    ['neither stands for the other', 'altered name odd', start, odd({ name: 'Ada\uD83Da' }, A)],
    ['an address in other letters is the same', '', start, odd({ email: 'A@x.example' }, { email: 'a@X.example' })],
    ['a name in other letters is not', 'altered name odd', start, odd({ name: 'ADA' }, A)],
    ['a role is compared', 'altered rootRole odd', start, odd({ rootRole: 2 }, { rootRole: 3 })],
    ['a later response shows it', '', start, odd(A, {}), blank, look(A)],
    ['a later response shows another one', 'altered name odd', start, odd(A, {}), look(B)],
    ['a later response shows none', 'altered name odd', start, odd(A, {}), look({})],
    ['a later response shows none where it is empty', '', start, odd({ name: '' }, {}), look({})],
    ['a later response shows one where it is empty', 'altered name odd', start, odd({ name: '' }, {}), look(B)],
    ['only a later response shows it', 'stale-response name answer-shows-user', look(A), put(B, A), blank, look(B)],
    ['it is sent again first', 'stale-response name answer-shows-user', look(A), put(B, A), put(B, B)],
    ['it was stored before', 'not-stored name sent-fields-change', look(A), put(A, B), look(B)],
  ])('%s', (_what, deviations, ...exchanges) => expect(deviationsOf(exchanges).join()).toBe(deviations));
});

it('says of what no response shows nothing', () => {
  const { absences, doubts } = factsOf([faulted(updateRequest(), 'timeout')]);
  expect([absences.size, doubts.size]).toEqual([0, 0]);
  expect([...factsOf([look({ username: 'ada' })]).absences.keys()]).not.toContain('update-keeps-username');
});

it('takes empty usernames of two users for none', () =>
  expect(factsOf([look({ username: '' }), putOther({ username: '' }, READING)]).deviations).toEqual([]));

it('a change that nobody is blamed for leaves undecided what else may have made it', () => {
  const sentAsText = answered(updateRequest({ body: JSON.stringify(A), ...due({ class: 'unspecified' }) }), 415, {});
  const unknownAlone = put({ other: true }, B, due({ class: 'either', statuses: [200, 400], requirements: ['a'] }));
  const { deviations, doubts } = factsOf([read(A), sentAsText, unknownAlone]);
  expect(deviations).toMatchObject([{ member: 'name', requirements: [], checks: [] }]);
  expect(doubts.get('it')).toMatchObject({ reason: 'precondition-failed' });
});
