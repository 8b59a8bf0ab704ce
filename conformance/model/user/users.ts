import {
  asksForAnotherTry,
  type Exchange,
  inWords,
  isAccepted,
  mayBeCarriedOut,
  objectBody,
} from '../../http/exchange.ts';
import { compareMember } from '../../resources/user/comparison.ts';
import { pathId } from '../../resources/requests.ts';
import { seen, seenValue, showsOtherId } from '../../resources/user/state.ts';
import {
  isUpdatable,
  NAMED_USERS,
  type NamedUser,
  UNTOUCHED_MEMBERS,
  UPDATABLE,
  untouchedCheckOf,
} from '../../resources/user/members.ts';
import type { Writes } from '../../resources/effect.ts';
import type { Notes } from '../facts.ts';
import { bodyOf, statusOf, type View } from '../recording/view.ts';
import { accuseConcurrent, noteChange } from './changes.ts';
import { makeIsForeign } from './foreign.ts';
import { noteKept } from './kept.ts';
import { judgePending, judgeSent } from './sent.ts';
import {
  differs,
  formsIn,
  has,
  historyOf,
  type Known,
  MEMBERS,
  requestsTo,
  type Shared,
  showsUser,
  storedKey,
  type UserState,
  writesOf,
} from './state.ts';
import { isConcurrent, makeBetween, suspectsOf, trait } from './suspects.ts';
import { membersChangedBy } from '../../resources/effect.ts';
import type { Seen } from '../../resources/resource.ts';
import type { Rows } from '../responses.ts';

/** Judges what is stored of the users over the run. */
export function judgeUsers(view: View, notes: Notes, damage: ReadonlyMap<Exchange, Exchange>, rows: Rows): void {
  const isForeign = makeIsForeign(view.exchanges);
  const shared: Shared = { ...rows, view, notes, damage, isForeign, cleared: new Map(), stored: new Map() };
  const states = NAMED_USERS.map((subject) => judgeUser(subject, shared));
  for (const state of states) for (const [change, suspects] of state.changes) accuseConcurrent(state, change, suspects);
  for (const state of states) {
    for (const [change, suspects] of state.changes) noteChange(state, change, suspects);
    concludeUser(state);
  }
  judgeUsernames(view, notes, rows);
}

function judgeUser(subject: NamedUser, shared: Shared): UserState {
  const { exchanges } = shared.view;
  const history = historyOf(subject, exchanges, shared);
  const state: UserState = {
    ...shared,
    ...{ subject, history, known: new Map(), undecided: new Map(), lost: [], ifStored: [], changes: [] },
    forms: formsIn(history),
    between: makeBetween(exchanges, subject),
  };
  const own = requestsTo(subject, exchanges);
  for (const x of own) judgeExchange(state, x);
  doubtConcurrent(state, own);
  return state;
}

/** Judges one request to the user, in the order of sending. */
function judgeExchange(state: UserState, x: Exchange): void {
  const { notes, known, lost } = state;
  const { due } = x.request;
  const writes = writesOf(state, x);
  noteDamage(state, x);
  if (due.class === 'refuse') {
    if (isAccepted(x)) forget(known, Object.keys(bodyOf(x)));
  } else if (x.transportError) {
    if (!mayBeCarriedOut(x)) return;
    lost.push(x);
    if (writes) for (const member of membersChangedBy(writes, x.request)) known.delete(member);
  } else if (isAccepted(x)) {
    if (writes) judgeWritten(state, x, writes);
    if (!showsUser(state, x)) return;
    if (showsOtherId(x)) {
      noteOtherId(state, x);
      return;
    }
    if (typeof objectBody(x)?.id === 'number') notes.holds(['update-answer-id'], x);
    if (due.role === 'unlisted') judgeUnlisted(state, x);
    for (const member of MEMBERS) judgeMember(state, x, member);
  }
}

/** Judges what an accepted request of another operation than the update must have stored. */
function judgeWritten({ known, history, notes, subject }: UserState, x: Exchange, { members, sets, stored }: Writes) {
  const values = sets(x.request);
  for (const member of members) {
    known.delete(member);
    if (!Object.hasOwn(values, member)) continue;
    const [expected, now] = [values[member], seen(x, member, history)];
    known.set(member, { value: expected, x });
    if (now.kind !== 'shown') continue;
    if (compareMember(member, expected, now.value) !== 'different') {
      notes.holds([stored.check], x);
      continue;
    }
    known.set(member, { value: now.value, x });
    notes.deviates({
      ...{ kind: 'not-stored', x, by: x, member, subject, mode: 'not-stored', expected, actual: now.value },
      ...{ requirements: [stored.requirement], checks: [stored.check], pointer: `/${member}` },
      message: `${x.request.purpose}: ${member} is ${inWords(now.value)} after it, expected ${inWords(expected)}.`,
    });
  }
}

/** What was accepted and must not be leaves nothing known of what it sent; of nothing at all if it sent no member. */
function forget(known: UserState['known'], members: readonly string[]): void {
  if (members.length === 0) known.clear();
  for (const member of members) known.delete(member);
}

function noteDamage({ notes, damage, subject }: UserState, x: Exchange): void {
  const by = damage.get(x);
  if (!by || x.request.due.role === 'unusual') return;
  const actual = x.response ? statusOf(x) : 'no response';
  const { requirements, checks, level } = by.request.due;
  notes.deviates({
    ...{ kind: 'damaged', x, by, subject, shows: [by, x], requirements, checks, level },
    ...{ mode: 'damaged', expected: 200, actual },
    message: `${by.request.purpose}: the response is ${statusOf(by)}, but the next request to the user gets ${actual}.`,
  });
}

function noteOtherId({ view, notes, subject }: UserState, x: Exchange): void {
  const shown = objectBody(x)?.id;
  const taken = view.exchanges.find((each) => each.startedAt <= x.startedAt && bodyOf(each).id === shown);
  const expected = Number(pathId(x.request));
  const origin = taken ? ': it was taken from the body of an update' : '';
  notes.deviates({
    ...{
      kind: 'other-resource',
      x,
      subject,
      member: 'id',
      requirements: ['update.id-matches-path'],
      checks: ['update-answer-id'],
    },
    ...{ mode: taken ? 'id-from-body' : 'other-id', expected, actual: shown, pointer: '/id' },
    message: `The id in the path is ${expected}, the id in the response ${inWords(shown)}${origin}.`,
  });
}

function judgeUnlisted({ notes }: UserState, x: Exchange): void {
  const { checks } = x.request.due;
  if (UNTOUCHED_MEMBERS.some((member) => has(x, member))) notes.holds(checks, x);
  else for (const check of checks) notes.absent(check, 'the target shows no member that an update cannot send');
}

/** What is known of a member, with the one of several concurrent values that is shown. */
function settled(was: Known | undefined, member: string, now: Seen): Known | undefined {
  const isRival =
    now.kind === 'shown' && was?.rivals?.some((each) => compareMember(member, each, now.value) === 'same');
  return was && isRival ? { ...was, value: now.value } : was;
}

/** Judges what an accepted update says of one member. */
function judgeMember(state: UserState, x: Exchange, member: string): void {
  const { known, changes, history, view } = state;
  const now = seen(x, member, history);
  const was = settled(known.get(member), member, now);
  const writes = writesOf(state, x);
  if (writes && membersChangedBy(writes, x.request).includes(member)) return;
  if (!writes && has(x, member) && isUpdatable(member)) {
    judgeSent(state, { x, member, now, was });
    return;
  }
  if (now.kind === 'unseen' || isConcurrent(x, view.exchanges)) return;
  if (was && judgePending(state, { x, member, now, was })) return;
  let producedBy = was?.producedBy;
  if (was) {
    const suspects = suspectsOf(state, x, was, member, now);
    if (differs(state, member, was, now)) {
      producedBy = new Set(suspects.map(trait));
      changes.push([{ x, member, was, now }, suspects]);
    } else if (now.kind === 'shown' && compareMember(member, was.value, now.value) === 'same')
      noteKept(state, { x, member, was }, suspects);
  }
  known.set(member, { value: seenValue(now), x, old: was?.value, producedBy });
}

/** Says why nothing is known of concurrent updates if none overlapped. */
function doubtConcurrent({ view: { exchanges }, notes }: UserState, own: readonly Exchange[]): void {
  const concurrent = own.filter(({ request }) => request.due.role === 'concurrent');
  if (concurrent.length === 0 || concurrent.some((x) => isConcurrent(x, exchanges))) return;
  const repeated = exchanges.filter((x) => x.transportError?.kind === 'closed' || asksForAnotherTry(statusOf(x)));
  const why = 'no two updates overlapped; the target, or --concurrency, handles one at a time';
  const detail =
    repeated.length > 0 ? 'after a request that was sent again in vain, requests were sent one at a time' : why;
  notes.doubtful(['update-concurrent-fields', 'update-concurrent-users'], {
    // The other user may have been updated beside this one.
    ...{ reason: 'not-observable', detail, isWeak: true },
    exchanges: repeated.length > 0 ? repeated : concurrent.slice(0, 2),
  });
}

/** Notes what is known only once both users are judged. */
function concludeUser({ notes, undecided, forms, history, ifStored, stored }: UserState): void {
  for (const [x, member] of undecided) {
    const detail = `the target does not show \`${member}\``;
    const { checks, class: due } = x.request.due;
    // What is unusual in several ways is also sent in each of them, unless all went well; what must be accepted has several members.
    const isWeak = checks.length > 1 || due === 'accept';
    notes.doubtful(checks, { reason: 'not-observable', detail, exchanges: [x], isWeak });
  }
  for (const member of UNTOUCHED_MEMBERS)
    if (history.length > 0 && forms.get(member)?.size === 0)
      notes.absent(untouchedCheckOf(member), `no response showed a user with \`${member}\``);
  for (const { update, check, at } of ifStored) {
    const sent = UPDATABLE.filter((member) => has(update, member)).map((member) =>
      stored.get(storedKey(update, member)),
    );
    if (sent.every((each) => each !== undefined) && sent.some(Boolean)) notes.holds([check], at);
  }
}

/** Judges that the two users do not show the same username. */
function judgeUsernames({ exchanges }: View, notes: Notes, rows: Rows): void {
  const isName = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const [first, second] = NAMED_USERS.map((subject) =>
    historyOf(subject, exchanges, rows).find((x) => !showsOtherId(x) && isName(objectBody(x)?.username)),
  );
  if (!first || !second) {
    if (exchanges.some((x) => x.response))
      notes.absent('user-username-unique', 'the target does not show a `username` of both users');
    return;
  }
  const [one, other] = [objectBody(first)?.username, objectBody(second)?.username];
  if (one !== other) {
    notes.holds(['user-username-unique'], second);
    return;
  }
  notes.deviates({
    ...{ kind: 'repeated', x: second, shows: [first, second] },
    ...{ requirements: ['user.username-unique'], checks: ['user-username-unique'], mode: 'same-username' },
    ...{ expected: '(another username)', actual: one, pointer: '/username' },
    message: `Both users have the username ${inWords(one)}.`,
  });
}
