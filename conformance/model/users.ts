import { isDeepStrictEqual } from 'node:util';
import { rememberingEach } from '../../common/json.ts';
import { ABSENT, type Exchange, inWords, isAccepted, isSafe, objectBody, overlap } from '../http/exchange.ts';
import { compareMember } from '../target/comparison.ts';
import { pathId } from '../target/requests.ts';
import { type Seen, seen, seenValue, showsOtherId } from '../target/user-state.ts';
import {
  NAMED_USERS,
  type NamedUser,
  UNTOUCHED_MEMBERS,
  UPDATABLE,
  type Updatable,
  untouchedCheckOf,
  USER_WORDS,
  type UserHistory,
} from '../target/user.ts';
import type { Change, Notes, Suspect } from './facts.ts';
import { defectsOf, endOf, bodyOf, shapeOf, statusOf, type View } from './record.ts';

/** What is known of a member: its value, and the exchange that showed it last, or sent it. */
interface Known {
  readonly value: unknown;
  readonly x: Exchange;
  /** The update that sent it, if nothing was seen of it since. */
  readonly sentBy?: Exchange | undefined;
  /** Whether its own response did not show it. */
  readonly isAssumed?: boolean;
  /** The value before. */
  readonly old?: unknown;
  /** What an unusual update may have stored, if its own response does not show it. */
  readonly pending?: readonly unknown[] | undefined;
  /** The traits of those that may have changed it to this value. */
  readonly producedBy?: ReadonlySet<string> | undefined;
}

const has = (exchange: Exchange, member: string): boolean => Object.hasOwn(bodyOf(exchange), member);
const isUpdatable = (member: string): member is Updatable => (UPDATABLE as readonly string[]).includes(member);
const isUntouched = (member: string): boolean => (UNTOUCHED_MEMBERS as readonly string[]).includes(member);
const MEMBERS: readonly string[] = [...UPDATABLE, ...UNTOUCHED_MEMBERS];

/** What software makes of half of a surrogate pair is unpredictable (RFC 8259, 8.2), with the blanks around it. */
const HALF_A_PAIR = /\s*\p{Surrogate}\s*/u;

/** Whether a text is stored, but for its canonical form, which is the same for a reader (Unicode, 3.12), and half of a surrogate pair. */
function isStoredAs(sent: unknown, stored: unknown): boolean {
  if (typeof sent !== 'string' || typeof stored !== 'string') return isDeepStrictEqual(sent, stored);
  const [text, start = '', end] = [stored.normalize(), ...sent.normalize().split(HALF_A_PAIR)];
  if (end === undefined) return text === start;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

function isLost(state: Seen): boolean {
  if (state.kind !== 'shown') return state.kind === 'removed';
  const { value } = state;
  return (
    value === null || value === '' || value === 0 || (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

function lostMode(state: Seen): string {
  if (state.kind !== 'shown') return 'removed';
  if (state.value === null) return 'nulled';
  return isLost(state) && state.value !== 0 ? 'emptied' : 'replaced';
}

/** The classes of requests that may change a member, the one first that is blamed before the others. */
const BLAMED_FIRST = [
  'wrongly-accepted',
  'unanswered',
  'refused-valid',
  'unlisted',
  'unusual',
  'concurrent',
  'update',
  'sender',
  'refused',
  'other-user',
  'read',
  'empty',
  'other-reading',
];

/** That a request of these classes left a member alone says nothing: it may be carried out at any time, or not at all. */
const CARRIED_OUT_LATER = ['unanswered', 'refused-valid'];

/** Checks and requirement of a change, by the class that is blamed for it. */
interface Blame {
  readonly requirement: string | undefined;
  readonly checks: readonly string[];
}

export interface UserChecks {
  /** The check that the refused requests of an item of the traffic change nothing. */
  readonly refusals: (item: string) => string | undefined;
}

/** A member in ids of checks. */
const slugOf = (member: string): string => (member === 'rootRole' ? 'role' : member);

function slugsOf(exchange: Exchange): string {
  return UPDATABLE.filter((member) => has(exchange, member))
    .map(slugOf)
    .join('-');
}

/** The check of one aspect of an update: what it stores, shows, keeps or does at all. */
export function updateCheckId(exchange: Exchange, what: string): string {
  const slugs = slugsOf(exchange);
  if (exchange.request.subject === 'other-user') {
    if (what === 'keeps-role' || what === 'stored' || what === 'shown') return `update-other-user-${what}`;
  }
  return slugs === '' ? 'update-empty-body' : `update-${slugs}-${what}`;
}

const FORMS = 2;

/** A value as text, and a time in any zone as the instant that it stands for. */
function formOf(value: unknown): string {
  const instant = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(instant) ? JSON.stringify(value) : String(instant);
}

/** Judges what is stored of one user over the run. */
export function judgeUsers(
  view: View,
  notes: Notes,
  damage: ReadonlyMap<Exchange, Exchange>,
  checks: UserChecks,
): void {
  const cleared = new Set<string>();
  /** What updates of a shape are seen to have stored. */
  const stored = new Set<string>();
  const later = NAMED_USERS.map((subject) => judgeUser(subject, view, notes, damage, checks, cleared, stored));
  for (const blame of later.flat()) blame();
  judgeUsernames(view, notes);
}

function historyOf(subject: NamedUser, exchanges: readonly Exchange[]): UserHistory {
  return exchanges
    .filter(
      ({ request }) =>
        request.subject === subject &&
        request.meant.id === 'valid' &&
        request.credential.role === 'admin' &&
        !isSafe(request),
    )
    .filter(isAccepted);
}

function judgeUser(
  subject: NamedUser,
  view: View,
  notes: Notes,
  damage: ReadonlyMap<Exchange, Exchange>,
  checks: UserChecks,
  cleared: Set<string>,
  stored: Set<string>,
): readonly (() => void)[] {
  const later: (() => void)[] = [];
  const { exchanges } = view;
  const longest = Math.max(0, ...exchanges.map(({ duration }) => duration));
  const history = historyOf(subject, exchanges);
  const own = exchanges.filter(
    ({ request }) => request.subject === subject && request.meant.id === 'valid' && !isSafe(request),
  );
  const known = new Map<string, Known>();
  /** Accepted unusual updates of which no response shows what they stored. */
  const undecided = new Map<Exchange, string>();
  /** Updates without a response: they may be carried out at any time. */
  const lost: Exchange[] = [];
  /** What holds if an update was stored. */
  const ifStored: { readonly update: Exchange; readonly check: string; readonly at: Exchange }[] = [];
  const forms = new Map(
    MEMBERS.map((member) => [
      member,
      new Set(
        history.flatMap((each) =>
          Object.hasOwn(objectBody(each) ?? {}, member) ? [formOf(objectBody(each)?.[member])] : [],
        ),
      ),
    ]),
  );

  const differs = (member: string, before: unknown, now: Seen): boolean => {
    if (now.kind === 'removed') return before !== ABSENT;
    if (now.kind !== 'shown') return false;
    // A time may be stored less exactly than it was shown first, so it may come in two forms. One that is set anew comes in many.
    if (isUntouched(member) && (forms.get(member)?.size ?? 0) > FORMS) return formOf(before) !== formOf(now.value);
    return compareMember(member, before, now.value) === 'different';
  };

  /** Whether concurrent updates were really under way at the same time. */
  const isConcurrent = (y: Exchange): boolean =>
    y.request.due.role === 'concurrent' &&
    exchanges.some(
      (z) =>
        z !== y && z.request.due.role === 'concurrent' && z.request.due.round === y.request.due.round && overlap(y, z),
    );

  const classOf = (y: Exchange, member: string): string => {
    const { due, subject: whose, meant } = y.request;
    const sent = bodyOf(y);
    if (isSafe(y.request)) return 'read';
    if (due.role === 'unusual' && whose === subject) return 'unusual';
    if (!isAccepted(y)) {
      if (due.class === 'refuse') return y.response || y.transportError?.kind !== 'closed' ? 'refused' : 'unanswered';
      if (!y.response) return 'unanswered';
      if (defectsOf(y.request).length > 0) return 'refused';
      if (whose !== subject) return 'other-user';
      return due.role === 'reading' ? 'empty' : 'refused-valid';
    }
    if (due.class === 'refuse' || meant.id !== 'valid') return 'wrongly-accepted';
    const isReading = due.role === 'reading' || Object.keys(sent).length === 0;
    if (whose !== subject) return isReading ? 'other-reading' : 'other-user';
    if (isConcurrent(y)) return 'concurrent';
    if (due.role === 'unlisted' && has(y, member) && !isUpdatable(member)) return 'unlisted';
    if (isReading) return 'empty';
    if (has(y, member)) return isUpdatable(member) ? 'sender' : 'unlisted';
    return Object.keys(sent).some(isUpdatable) ? 'update' : 'empty';
  };

  let last: readonly [from: Exchange, to: Exchange, found: readonly Exchange[]] | undefined;
  /** What was under way between two exchanges; of the members of one response, most ask for the same. */
  const betweenOf = (from: Exchange, to: Exchange): readonly Exchange[] => {
    if (last?.[0] === from && last[1] === to) return last[2];
    const found: Exchange[] = [];
    for (let at = firstFrom(exchanges, from.startedAt - longest); at < exchanges.length; at += 1) {
      const y = exchanges[at];
      if (!y || y.startedAt > endOf(to)) break;
      const isLaterOfOwn = y.request.subject === subject && y.startedAt > to.startedAt;
      if (y !== from && endOf(y) > from.startedAt && !isLaterOfOwn) found.push(y);
    }
    last = [from, to, found];
    return found;
  };

  const suspectsOf = (x: Exchange, was: Known, member: string, now: Seen): Suspect[] => {
    const between = betweenOf(was.x, x);
    const suspects = between.map((exchange) => ({ exchange, class: classOf(exchange, member) }));
    const late = classOf(was.x, member);
    const isLate =
      !['refused', 'wrongly-accepted', 'empty', 'read'].includes(late) && !(late === 'sender' && isLost(now));
    const lostBefore = lost.filter((y) => !between.includes(y)).map((exchange) => ({ exchange, class: 'unanswered' }));
    return [...lostBefore, ...(isLate ? [{ exchange: was.x, class: late }] : []), ...suspects];
  };

  /** Whether a value is one that was stored before: an update brought back an older copy. */
  const isOlder = (member: string, value: unknown, before: Exchange): boolean =>
    history.some(
      (y) =>
        y.startedAt < before.startedAt &&
        [objectBody(y)?.[member], bodyOf(y)[member]].some(
          (each) => each !== undefined && isDeepStrictEqual(each, value),
        ),
    );

  const blameFor = (
    blamed: string,
    by: Exchange,
    member: string,
    change: { was: Known; value: unknown; lost: boolean },
  ): Blame => {
    const group = checks.refusals(by.request.item ?? '');
    switch (blamed) {
      case 'wrongly-accepted':
        return { requirement: 'update.refused-changes-nothing', checks: group === undefined ? [] : [group] };
      case 'refused':
        return { requirement: 'update.refused-changes-nothing', checks: group === undefined ? [] : [group] };
      case 'unlisted':
        return { requirement: 'update.unlisted-members', checks: ['update-unlisted-members'] };
      case 'unusual':
        return { requirement: by.request.due.requirements[0], checks: by.request.due.checks };
      case 'concurrent': {
        const others = exchanges.filter(
          (y) =>
            y.request.due.role === 'concurrent' &&
            y.request.due.round === by.request.due.round &&
            y.request.subject !== subject,
        );
        const isMix =
          subject !== 'user' ||
          others.some((y) => Object.values(bodyOf(y)).some((each) => isDeepStrictEqual(each, change.value)));
        return isMix
          ? { requirement: 'update.concurrent-users', checks: ['update-concurrent-users'] }
          : { requirement: 'update.concurrent-fields', checks: ['update-concurrent-fields'] };
      }
      case 'read':
        return { requirement: 'side-effects.of-reading', checks: ['reading-changes-no-user'] };
      case 'other-user':
      case 'other-reading': {
        if (change.was.sentBy && overlap(by, change.was.sentBy))
          return { requirement: 'update.concurrent-users', checks: ['update-concurrent-users'] };
        const check =
          subject === 'user'
            ? 'update-other-user-spares-user'
            : has(by, 'id')
              ? 'update-body-id-spares-other-user'
              : 'update-spares-other-user';
        return { requirement: 'update.addressed-user-only', checks: [check] };
      }
      case 'update':
      case 'sender':
      case 'empty': {
        if (isUntouched(member))
          return { requirement: 'update.other-members-keep', checks: [untouchedCheckOf(member)] };
        if (blamed === 'empty')
          return { requirement: 'update.empty-body-changes-nothing', checks: ['update-empty-body'] };
        if (blamed === 'sender')
          return { requirement: 'update.sent-fields-change', checks: [updateCheckId(by, 'stored')] };
        const isRole = member === 'rootRole' || has(by, 'rootRole');
        return change.was.sentBy && !change.lost && isOlder(member, change.value, change.was.x)
          ? {
              requirement: 'update.earlier-updates-keep',
              checks: [isRole ? 'update-second-keeps-role' : 'update-second-keeps-first'],
            }
          : { requirement: 'update.unsent-fields-keep', checks: [updateCheckId(by, `keeps-${slugOf(member)}`)] };
      }
      default:
        return { requirement: undefined, checks: [] };
    }
  };

  const changed = (x: Exchange, member: string, was: Known, now: Seen, given: readonly Suspect[]): void => {
    const value = seenValue(now);
    // The values of the suite are unique: who sent one is known.
    const senders =
      typeof value === 'string' && value !== ''
        ? given.filter(({ exchange }) => Object.values(bodyOf(exchange)).includes(value))
        : [];
    const left = given.filter((each) => !cleared.has(trait(each, member)));
    const suspects = senders.length > 0 ? senders : left.length > 0 ? left : given;
    const all = [...new Set(suspects.map((each) => each.class))];
    const ownClasses = all.filter((each) => !each.startsWith('other-'));
    // What is lost was not written for another user.
    const classes = isLost(now) && ownClasses.length > 0 ? ownClasses : all;
    const blamed = BLAMED_FIRST.find((each) => classes.includes(each)) ?? 'none';
    const by = suspects.findLast((each) => each.class === blamed)?.exchange ?? x;
    const blame = blameFor(blamed, by, member, { was, value, lost: isLost(now) });
    const possible = suspects
      .filter((each) => ['update', 'sender', 'empty', 'refused'].includes(each.class))
      .flatMap((each) => blameFor(each.class, each.exchange, member, { was, value, lost: isLost(now) }).checks);
    const change: Change = { between: given, suspects, classes, blamed, possible, isLost: isLost(now) };
    const status = by.response ? ` (the response to it is ${statusOf(by)})` : '';
    const message =
      isSafe(by.request) || by.request.due.class === 'refuse'
        ? `${by.request.purpose}${status}: ${member} of ${USER_WORDS[subject]} changed from ${inWords(was.value)} to ${inWords(value)}.`
        : blamed === 'sender'
          ? `${member} was sent as ${inWords(was.value)}, but in a later response it is ${inWords(value)}.`
          : `${by.request.purpose}: ${member} was not sent; it was ${inWords(was.value)}, and ${by === x ? 'in the response to the update' : 'in a later response'} it is ${inWords(value)}.`;
    notes.deviates({
      ...{ kind: 'changed', x, member, subject, by, change, message, old: was.old },
      ...{ requirements: blame.requirement === undefined ? [] : [blame.requirement], checks: blame.checks },
      ...{ mode: modeOf(blamed, blame, by, now), expected: was.value, actual: value, pointer: `/${member}` },
      shows: [...new Set([was.x, by, x])],
    });
  };

  const modeOf = (blamed: string, { requirement }: Blame, by: Exchange, now: Seen): string => {
    if (requirement === 'update.other-members-keep') return 'changed';
    if (requirement === 'update.earlier-updates-keep') return 'reverted';
    if (requirement === 'update.concurrent-users') return 'cross-user-mix';
    if (requirement === 'update.concurrent-fields') return 'lost-update';
    if (blamed === 'sender') return 'not-stored';
    if (blamed === 'unlisted') return 'applied';
    if (blamed === 'unusual') return isAccepted(by) ? 'other-member-changed' : 'refused-yet-changed';
    if (blamed.startsWith('other-')) return 'other-user-changed';
    if (blamed === 'update' || blamed === 'empty') return lostMode(now);
    return subject === 'user' ? 'changed-user' : 'other-user-changed';
  };

  const kept = (x: Exchange, member: string, was: Known, suspects: readonly Suspect[]): void => {
    const { producedBy } = was;
    // Two updates within one tick of the clock set the same time.
    const isSetAnew = isUntouched(member) && (forms.get(member)?.size ?? 0) > FORMS;
    for (const each of suspects)
      if (!isSetAnew && !CARRIED_OUT_LATER.includes(each.class) && !producedBy?.has(trait(each, member)))
        cleared.add(trait(each, member));
    const isText = member === 'name' || member === 'email';
    if (isUntouched(member))
      for (const { exchange: update, class: how } of suspects)
        if (['update', 'sender'].includes(how)) ifStored.push({ update, check: untouchedCheckOf(member), at: x });
    for (const { exchange: y, class: how } of suspects) {
      if (y === x) continue;
      if (how === 'update' && isUpdatable(member)) {
        ifStored.push({ update: y, check: updateCheckId(y, `keeps-${slugOf(member)}`), at: x });
      }
      if (how === 'refused' && isText && subject === 'user') {
        const group = checks.refusals(y.request.item ?? '');
        if (group !== undefined && y.response) notes.holds([`${group}/${member}`], x);
      }
      if (how === 'read' && isText && subject === 'user' && y.response)
        notes.holds([`reading-changes-no-user/${member}`], x);
      if (how === 'empty' && isText && y.request.body === '{}') notes.holds([`update-empty-body/${member}`], x);
      if (
        how === 'other-user' &&
        (y.request.due.class === 'accept' || has(y, 'id')) &&
        (isText || member === 'rootRole')
      ) {
        const id =
          subject === 'user'
            ? 'update-other-user-spares-user'
            : has(y, 'id')
              ? 'update-body-id-spares-other-user'
              : 'update-spares-other-user';
        if (isAccepted(y)) ifStored.push({ update: y, check: id, at: x });
        else notes.holds([id], x);
      }
    }
    if (isText && was.x.request.body === '{}' && was.x.request.due.role === 'reading')
      notes.holds([`update-empty-body/${member}`], x);
    if (!was.sentBy) return;
    const { sentBy } = was;
    stored.add(storedKey(sentBy, member));
    const { due } = sentBy.request;
    if (due.role === 'repetition')
      notes.holds(
        due.checks.map((each) => `${each}/stored`),
        x,
      );
    else if (due.role === 'concurrent') {
      if (isConcurrent(sentBy))
        notes.holds(
          [`update-concurrent-fields/${subject}.${member}`, `update-concurrent-users/${subject}.${member}`],
          x,
        );
    } else if (due.class === 'accept') {
      notes.holds([`${updateCheckId(sentBy, 'stored')}/${member}`], x);
      if (x.request.due.class === 'accept' && x.request.due.role === undefined && subject === 'user')
        notes.holds(
          [member === 'rootRole' || has(x, 'rootRole') ? 'update-second-keeps-role' : 'update-second-keeps-first'],
          x,
        );
    }
  };

  const judgeSent = (x: Exchange, member: Updatable, now: Seen, was: Known | undefined): void => {
    const { due } = x.request;
    const sent = bodyOf(x)[member];
    if (isConcurrent(x)) {
      known.set(member, { value: sent, x, sentBy: x, isAssumed: true, old: was?.value });
      return;
    }
    const isUnusual = due.role === 'unusual';
    const values = due.stores?.[member] ?? [sent];
    const isRight = (value: unknown): boolean =>
      values.some((each) => (isUnusual ? isStoredAs(each, value) : compareMember(member, each, value) !== 'different'));
    if (now.kind !== 'shown') {
      if (isUnusual) {
        if (now.kind === 'removed' && !values.includes('')) altered(x, member, now, was, values);
        undecided.set(x, member);
        known.set(member, { value: undefined, x, sentBy: x, pending: values, old: was?.value });
      } else known.set(member, { value: sent, x, sentBy: x, isAssumed: true, old: was?.value });
      return;
    }
    if (isRight(now.value)) {
      // The contract does not say what counts as the same role.
      if (!isUnusual && compareMember(member, sent, now.value) === 'unclear') {
        known.set(member, { value: now.value, x, old: was?.value });
        return;
      }
      if (due.class === 'accept' && due.role === undefined) notes.holds([`${updateCheckId(x, 'shown')}/${member}`], x);
      if (isUnusual) notes.holds(due.checks, x);
      known.set(member, { value: now.value, x, sentBy: x, old: was?.value });
      return;
    }
    if (isUnusual) {
      // A target may leave out a member that is empty.
      if (!(values.includes('') && isLost(now))) altered(x, member, now, was, values);
      known.set(member, { value: now.value, x });
      return;
    }
    const next = history.find(
      (y) => y.startedAt > x.startedAt && !has(y, member) && seen(y, member, history).kind === 'shown',
    );
    const isSentBetween =
      next && history.some((y) => y.startedAt > x.startedAt && y.startedAt < next.startedAt && has(y, member));
    const later = next && !isSentBetween ? seen(next, member, history) : undefined;
    const isStored = later?.kind === 'shown' && isRight(later.value);
    known.set(member, { value: isStored ? sent : now.value, x });
    if (due.class === 'unspecified' || due.class === 'either') return;
    const own = {
      x,
      member,
      subject,
      expected: sent,
      actual: now.value,
      old: was?.value,
      by: x,
      pointer: `/${member}`,
    };
    const message = `${member} was sent as ${inWords(sent)}, but in ${isStored || !later ? 'the response to the update' : 'a later response'} it is ${inWords(now.value)}.`;
    if (due.role === 'repetition')
      notes.deviates({
        kind: 'altered',
        ...own,
        message,
        mode: 'changed',
        requirements: due.requirements,
        checks: due.checks,
      });
    else if (isStored)
      notes.deviates({
        kind: 'stale-response',
        ...own,
        message,
        mode: 'stale-response',
        requirements: ['update.answer-shows-user'],
        checks: [updateCheckId(x, 'shown')],
      });
    else if (!later)
      notes.deviates({
        kind: 'sent-not-shown',
        ...own,
        message,
        mode: 'stale-response',
        requirements: ['update.answer-shows-user'],
        checks: [updateCheckId(x, 'shown')],
      });
    else
      notes.deviates({
        kind: 'not-stored',
        ...own,
        message,
        shows: [x, next ?? x],
        mode: 'not-stored',
        requirements: ['update.sent-fields-change'],
        checks: [updateCheckId(x, 'stored')],
      });
  };

  const altered = (
    x: Exchange,
    member: string,
    now: Seen,
    was: Pick<Known, 'value'> | undefined,
    values: readonly unknown[],
    at = x,
  ): void => {
    const { due, purpose } = x.request;
    const actual = seenValue(now);
    const isIgnored = was !== undefined && compareMember(member, was.value, actual) === 'same';
    const expected = [...new Set(values.map(inWords))].join(' or ');
    notes.deviates({
      ...{
        kind: 'altered',
        x,
        member,
        subject,
        by: x,
        shows: [...new Set([x, at])],
        mode: isIgnored ? 'ignored' : 'altered',
        old: was?.value,
      },
      ...{
        requirements: due.requirements,
        checks: due.checks,
        level: due.level,
        expected: values[0],
        actual,
        pointer: `/${member}`,
      },
      message: `${purpose}: the response is 200, but ${member} is ${inWords(actual)}, expected ${expected}.`,
    });
  };

  for (const x of own) {
    const { due, credential, meant } = x.request;
    const isAdmin = credential.role === 'admin';
    const by = damage.get(x);
    if (by && due.role !== 'unusual') {
      const actual = x.response ? statusOf(x) : 'no response';
      const message = `${by.request.purpose}: the response is ${statusOf(by)}, but the next request to the user gets ${actual}.`;
      const { requirements, checks: own_, level } = by.request.due;
      notes.deviates({
        kind: 'damaged',
        x,
        by,
        requirements,
        checks: own_,
        level,
        mode: 'damaged',
        expected: 'later requests work',
        actual,
        message,
        subject,
        shows: [by, x],
      });
    }
    const sent = bodyOf(x);
    if (x.transportError) {
      if (isAdmin && x.transportError.kind !== 'unreachable') lost.push(x);
      continue;
    }
    if (due.class === 'refuse') {
      if (!isAccepted(x)) continue;
      if (Object.keys(sent).length === 0) known.clear();
      for (const member of Object.keys(sent)) known.delete(member);
      continue;
    }
    if (!isAccepted(x) || !isAdmin || meant.body === 'invalid') continue;
    if (showsOtherId(x)) {
      const shown = objectBody(x)?.id;
      const taken = exchanges.find(
        (y) => y.startedAt <= x.startedAt && y.request.subject === subject && bodyOf(y).id === shown,
      );
      const expected = Number(pathId(x.request));
      const message = `The id in the path is ${expected}, the id in the response ${inWords(shown)}${taken ? ': it was taken from the body of an update' : ''}.`;
      notes.deviates({
        kind: 'other-resource',
        x,
        subject,
        requirements: ['update.id-matches-path'],
        checks: ['update-answer-id'],
        mode: taken ? 'id-from-body' : 'other-id',
        expected,
        actual: shown,
        message,
        pointer: '/id',
        ...(taken ? { by: taken } : {}),
      });
      continue;
    }
    if (typeof objectBody(x)?.id === 'number') notes.holds(['update-answer-id'], x);
    if (due.role === 'unlisted') {
      if (UNTOUCHED_MEMBERS.some((member) => Object.hasOwn(sent, member))) notes.holds(due.checks, x);
      else for (const check of due.checks) notes.absent(check, 'the target shows no member that an update cannot send');
    }
    for (const member of MEMBERS) {
      const now = seen(x, member, history);
      const was = known.get(member);
      if (has(x, member) && isUpdatable(member)) {
        judgeSent(x, member, now, was);
        continue;
      }
      if (now.kind === 'unseen' || isConcurrent(x)) continue;
      if (was?.pending && was.sentBy) {
        const { sentBy, pending } = was;
        undecided.delete(sentBy);
        if (now.kind === 'shown' && pending.some((each) => isStoredAs(each, now.value)))
          notes.holds(sentBy.request.due.checks, x);
        else if (!(pending.includes('') && isLost(now))) altered(sentBy, member, now, { value: was.old }, pending, x);
        known.set(member, { value: seenValue(now), x });
        continue;
      }
      let producedBy = was?.producedBy;
      if (was) {
        const suspects = suspectsOf(x, was, member, now);
        if (differs(member, was.value, now)) producedBy = new Set(suspects.map((each) => trait(each, member)));
        if (differs(member, was.value, now)) later.push(() => changed(x, member, was, now, suspects));
        else if (now.kind === 'shown' && compareMember(member, was.value, now.value) === 'same')
          kept(x, member, was, suspects);
      }
      known.set(member, { value: seenValue(now), x, old: was?.value, producedBy });
    }
  }
  const concurrent = own.filter(({ request }) => request.due.role === 'concurrent');
  if (concurrent.length > 0 && !concurrent.some(isConcurrent)) {
    const closed = exchanges.filter(({ transportError }) => transportError?.kind === 'closed');
    const why = 'no two updates overlapped; the target, or --concurrency, handles one at a time';
    const detail = closed.length > 0 ? 'after a closed connection, requests were sent one at a time' : why;
    notes.doubtful(['update-concurrent-fields', 'update-concurrent-users'], {
      ...{ reason: 'not-observable', detail, isWeak: true },
      exchanges: closed.length > 0 ? closed : concurrent.slice(0, 2),
    });
  }
  return [
    ...later,
    (): void => {
      for (const [x, member] of undecided) {
        const detail = `the target does not show \`${member}\``;
        notes.doubtful(x.request.due.checks, { reason: 'not-observable', detail, exchanges: [x] });
      }
      for (const member of UNTOUCHED_MEMBERS)
        if (forms.get(member)?.size === 0)
          notes.absent(untouchedCheckOf(member), `no response showed a user with \`${member}\``);
      for (const { update, check, at } of ifStored)
        if (UPDATABLE.every((member) => !has(update, member) || stored.has(storedKey(update, member))))
          notes.holds([check], at);
    },
  ];
}

/** What an update stores, by its shape. */
function storedKey(update: Exchange, member: string): string {
  return [update.request.subject, shapeOf(update), member].join('|');
}

/** The index of the first exchange that was sent at a time or later. */
function firstFrom(exchanges: readonly Exchange[], time: number): number {
  let [low, high] = [0, exchanges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((exchanges[middle]?.startedAt ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What requests have in common that do the same to a member: where one of them left it alone, the others do so, too. */
function trait({ exchange, class: how }: Suspect, member: string): string {
  return `${kindOf(exchange)(how)}|${member}`;
}

const kindOf = rememberingEach((exchange: Exchange) => {
  const { item = '', due } = exchange.request;
  const [shape, role] = [shapeOf(exchange), due.role ?? ''];
  return (how: string): string => `${how}|${role}|${how === 'refused' || how === 'unusual' ? item : shape}`;
});

/** Judges that the two users do not show the same username. */
function judgeUsernames({ exchanges }: View, notes: Notes): void {
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const [first, second] = NAMED_USERS.map((subject) =>
    historyOf(subject, exchanges).find((x) => !showsOtherId(x) && isText(objectBody(x)?.username)),
  );
  if (!first || !second) {
    notes.absent('user-username-unique', 'the target does not show a `username` of both users');
    return;
  }
  const [one, other] = [objectBody(first)?.username, objectBody(second)?.username];
  if (one !== other) {
    notes.holds(['user-username-unique'], second);
    return;
  }
  const message = `Both users have the username ${JSON.stringify(one)}.`;
  notes.deviates({
    kind: 'repeated',
    x: second,
    shows: [first, second],
    requirements: ['user.username-unique'],
    checks: ['user-username-unique'],
    mode: 'same-username',
    expected: 'another username',
    actual: one,
    pointer: '/username',
    message,
  });
}
