import { isDeepStrictEqual } from 'node:util';
import type { Due } from '../../http/due.ts';
import { type Exchange, inWords, isAccepted, isSafe, objectBody, overlap } from '../../http/exchange.ts';
import { seenValue } from '../../resources/user/state.ts';
import { isUpdatable, untouchedCheckOf, slugOf } from '../../resources/user/members.ts';
import { NOBODY, type Suspect } from '../facts.ts';
import { bodyOf, statusOf, valuesSent } from '../recording/view.ts';
import {
  type Changed,
  has,
  isLost,
  isUntouched,
  sparingCheckId,
  updateCheckId,
  type UserState,
  writesOf,
} from './state.ts';
import { classOf, inRoundOf, trait } from './suspects.ts';
import type { Seen } from '../../resources/resource.ts';
import { updatedResource } from '../../resources/index.ts';
import { subjectWords } from '../../resources/inputs.ts';

/** Of the classes of requests that may have changed a member, the one that is blamed before the others. */
function blamedFirst(classes: readonly string[]): string {
  const order = [
    'wrongly-accepted',
    'unanswered',
    'refused-valid',
    'unlisted',
    'unusual',
    'concurrent',
    'writer',
    'write',
    'update',
    'sender',
    'refused',
    'other-user',
    'read',
    'empty',
    'other-reading',
  ];
  return order.find((each) => classes.includes(each)) ?? NOBODY;
}

/** The classes of requests that are sent again by themselves if something changed, so that a fault of them is seen again. */
const SENT_AGAIN = ['refused', 'read', 'empty', 'other-reading'];

/** Checks and requirement of a change, by the class that is blamed for it. */
interface Blame {
  readonly requirement?: string | undefined;
  readonly checks: readonly string[];
}

const blaming = (requirement: string, ...checks: readonly string[]): Blame => ({ requirement, checks });

const ofDue = ({ requirements: [requirement], checks }: Due): Blame => ({ requirement, checks });

/** What is blamed for a change: a class of requests, and the last of them. */
interface Blamed {
  readonly how: string;
  readonly by: Exchange;
}

/** Whether a value is one that was stored before: an update brought back an older copy. */
function isOlder({ member, now, was }: Changed, { history }: UserState): boolean {
  const before = history.slice(0, history.indexOf(was.x));
  const values = before.flatMap((each) => [objectBody(each)?.[member], bodyOf(each)[member]]);
  return values.some((value) => isDeepStrictEqual(value, seenValue(now)));
}

/** Of concurrent updates, only one is of the other user. */
function blameConcurrent({ subject }: UserState): Blame {
  return subject === 'user'
    ? blaming('update.concurrent-fields', 'update-concurrent-fields')
    : blaming('update.concurrent-users', 'update-concurrent-users');
}

function blameOther({ subject }: UserState, { by }: Blamed, { was }: Changed): Blame {
  return was.sentBy && overlap(by, was.sentBy)
    ? blaming('update.concurrent-users', 'update-concurrent-users')
    : blaming('update.addressed-user-only', sparingCheckId(subject, by));
}

function blameUpdate(state: UserState, { how, by }: Blamed, change: Changed): Blame {
  const { member, was, now } = change;
  if (isUntouched(member)) return blaming('update.other-members-keep', untouchedCheckOf(member));
  if (how === 'empty') return blaming('update.empty-body-changes-nothing', 'update-empty-body');
  if (how === 'sender') return blaming('update.sent-fields-change', updateCheckId(by, 'stored'));
  if (!was.sentBy || isLost(now) || !isOlder(change, state))
    return blaming('update.unsent-fields-keep', updateCheckId(by, `keeps-${slugOf(member)}`));
  const isRole = member === 'rootRole' || has(by, 'rootRole');
  return blaming('update.earlier-updates-keep', isRole ? 'update-second-keeps-role' : 'update-second-keeps-first');
}

function blameFor(state: UserState, blamed: Blamed, change: Changed): Blame {
  const { due, item = '', operation } = blamed.by.request;
  switch (blamed.how) {
    case 'wrongly-accepted':
    case 'refused': {
      const group = state.refusals(item);
      const isBeside = group === undefined && due.level === 'should';
      const { refused, resource } = state.operationOf(operation)?.effect ?? {};
      if (isBeside || !refused) return ofDue(due);
      // What a refused request of another resource must not change is said of that one.
      return resource === updatedResource.id ? blaming(refused.requirement, ...[group ?? []].flat()) : { checks: [] };
    }
    case 'unlisted':
      return blaming('update.unlisted-members', 'update-unlisted-members');
    case 'unusual':
      return ofDue(due);
    case 'concurrent':
      return blameConcurrent(state);
    case 'read':
      return blaming('side-effects.of-reading', 'reading-changes-no-user');
    case 'other-user':
    case 'other-reading':
      return blameOther(state, blamed, change);
    case 'update':
    case 'sender':
    case 'empty':
      return blameUpdate(state, blamed, change);
    case 'writer':
    case 'write': {
      const { stored, kept } = writesOf(state, blamed.by) ?? {};
      const own = blamed.how === 'writer' ? stored : kept;
      if (own) return blaming(own.requirement, own.check);
    }
  }
  return { checks: [] };
}

function lostMode(now: Seen): string {
  if (now.kind !== 'shown') return 'removed';
  if (now.value === null) return 'nulled';
  return isLost(now) && now.value !== 0 ? 'emptied' : 'replaced';
}

function modeOf({ how, by }: Blamed, { requirement = '' }: Blame, now: Seen, { subject }: UserState): string {
  const modes: Readonly<Record<string, string>> = {
    'update.other-members-keep': 'changed',
    'update.earlier-updates-keep': 'reverted',
    'update.concurrent-users': 'cross-user-mix',
    'update.concurrent-fields': 'lost-update',
  };
  const own = modes[requirement];
  if (own !== undefined) return own;
  if (how === 'sender' || how === 'writer') return 'not-stored';
  if (how === 'write') return 'changed';
  if (how === 'unlisted') return 'applied';
  if (how === 'unusual') return isAccepted(by) ? 'other-member-changed' : 'refused-yet-changed';
  if (how.startsWith('other-')) return 'other-user-changed';
  if (how === 'update' || how === 'empty') return lostMode(now);
  return subject === 'user' ? 'changed-user' : 'other-user-changed';
}

/** Of the updates that were under way beside the one that is blamed, the one that sent what was lost, or else the last. */
function besideOf({ by }: Blamed, { was }: Changed, { view }: UserState): Exchange | undefined {
  const others = inRoundOf(by, view.exchanges).filter((each) => each !== by && overlap(each, by));
  return others.find((each) => each === was.sentBy) ?? others.at(-1);
}

function wordsOf({ x, member, was, now }: Changed, { how, by }: Blamed, { subject }: UserState): string {
  const { purpose, due } = by.request;
  const before = inWords(was.value);
  const after = inWords(seenValue(now));
  const status = by.response ? ` (the response to it is ${statusOf(by)})` : '';
  if (isSafe(by.request) || due.class === 'refuse')
    return `${purpose}${status}: ${member} of ${subjectWords(subject)} changed from ${before} to ${after}.`;
  if (how === 'writer')
    return `${purpose}: ${member} should be ${before} since then, but in a later response it is ${after}.`;
  if (how === 'sender' || (how === 'unusual' && has(by, member) && isAccepted(by)))
    return `${member} was sent as ${before}, but in a later response it is ${after}.`;
  const place = by === x ? 'in the response to the update' : 'in a later response';
  const values = `was ${before}, and ${place} it is ${after}.`;
  if (how === 'concurrent') return `${purpose} while another one was under way: ${member} ${values}`;
  return `${purpose}: ${member} was not sent; it ${values}`;
}

/** Refused requests that sent a value which no other request had sent before: one of them was carried out later. */
function refusedSendersOf(value: unknown, { x, member }: Changed, state: UserState): Suspect[] {
  const { exchanges } = state.view;
  const senders = exchanges.slice(0, exchanges.indexOf(x)).filter((each) => valuesSent(each).includes(value));
  if (senders.some(isAccepted)) return [];
  return senders.map((exchange) => ({ exchange, class: classOf(exchange, member, state) }));
}

/** The texts before and after that the run did not send, if the one after is such. */
function foreignIn({ member, was, now }: Changed, { isForeign }: UserState): readonly unknown[] {
  const value = seenValue(now);
  return isUpdatable(member) && value !== was.old && isForeign(value) ? [was.value, value].filter(isForeign) : [];
}

/**
 * The suspects that count: who sent the value, since the values of the suite are unique; or those not seen to leave the member
 * alone. None if all that were sent again did so, and the value can only come from another client.
 */
function narrowed(given: readonly Suspect[], change: Changed, state: UserState): readonly Suspect[] {
  const { member, now } = change;
  const { cleared, subject } = state;
  const value = seenValue(now);
  const isOwn = typeof value === 'string' && value !== '';
  const sent = isOwn ? given.filter(({ exchange }) => valuesSent(exchange).includes(value)) : [];
  const senders = sent.length > 0 || !isOwn ? sent : refusedSendersOf(value, change, state);
  if (senders.length > 0) return senders;
  const left = given.filter((each) => !cleared.get(trait(each))?.has(member));
  if (left.length > 0) return left;
  const wereSentAgain = given.every(
    (each) => SENT_AGAIN.includes(each.class) && cleared.get(trait(each))?.has(`${subject} ${member}`),
  );
  return wereSentAgain && foreignIn(change, state).length > 0 ? [] : given;
}

/**
 * Takes concurrent updates for what may change a member wherever they are sent, if one changed where all else is seen to leave
 * it alone: what they do depends on chance, and a time when they did not says nothing.
 */
export function accuseConcurrent({ cleared }: UserState, { member }: Changed, suspects: readonly Suspect[]): void {
  const others = suspects.filter(({ exchange }) => exchange.request.due.role !== 'concurrent');
  if (others.length === suspects.length || !others.every((each) => cleared.get(trait(each))?.has(member))) return;
  for (const each of cleared.keys()) if (each.startsWith('concurrent|')) cleared.delete(each);
}

/** Notes that a member has another value than before, and blames one of those that may have changed it. */
export function noteChange(state: UserState, change: Changed, given: readonly Suspect[]): void {
  const { x, member, was, now } = change;
  const value = seenValue(now);
  const suspects = narrowed(given, change, state);
  const all = [...new Set(suspects.map((each) => each.class))];
  const ownClasses = all.filter((each) => !each.startsWith('other-'));
  // What is lost was not written for another user.
  const classes = isLost(now) && ownClasses.length > 0 ? ownClasses : all;
  const how = blamedFirst(classes);
  const by = suspects.findLast((each) => each.class === how)?.exchange ?? x;
  const blame = blameFor(state, { how, by }, change);
  const beside = how === 'concurrent' ? besideOf({ how, by }, change, state) : undefined;
  const checksOf = (some: readonly Suspect[]): readonly string[] =>
    some.flatMap((each) => blameFor(state, { how: each.class, by: each.exchange }, change).checks);
  const message = wordsOf(change, { how, by }, state);
  // Nobody is blamed, and nothing that may have made it is seen to leave the member alone.
  if (blame.checks.length === 0)
    state.notes.doubtful(checksOf(suspects), { reason: 'precondition-failed', detail: message, exchanges: [x] });
  state.notes.deviates({
    ...{ kind: 'changed', x, member, subject: state.subject, by, old: was.old },
    change: {
      ...{ between: given, suspects, classes, blamed: how, foreign: foreignIn(change, state) },
      possible: checksOf(suspects.filter((each) => ['update', 'sender', 'empty', 'refused'].includes(each.class))),
    },
    message,
    ...{ requirements: blame.requirement === undefined ? [] : [blame.requirement], checks: blame.checks },
    ...{ mode: modeOf({ how, by }, blame, now, state), expected: was.value, actual: value, pointer: `/${member}` },
    // Reports show the last two.
    shows: beside ? [...new Set([by, beside, x])].reverse() : [...new Set([was.x, by, x])],
  });
}
