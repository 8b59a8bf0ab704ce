/** Judges an update by the users before and after it, and by what its response shows. */
import { present } from '../../common/text.ts';
import { isSuccess, type Response } from '../facts/exchange.ts';
import type { MemberChange } from '../facts/fault.ts';
import { Inconclusive } from '../facts/outcome.ts';
import { READ_ONLY_MEMBERS, UPDATABLE_MEMBERS, type User, type Visibility } from '../users/differences.ts';
import type { State } from '../users/users.ts';
import type { BareAttempt, Blame, Changed } from './bare-attempt.ts';
import { type Claims, PLAIN } from './claims.ts';

/** What an update must store and show; where one of several values, by what is stored or shown. */
export type Stored = User | ((is: User) => User);

/** The members that an update must store, given the user as it is stored or shown. */
export const storedBy = (stored: Stored, is: User = {}): User => (typeof stored === 'function' ? stored(is) : stored);

/** An update that was sent. */
interface Update {
  readonly response: Response;
  readonly stored: Stored;
  /** Whether it was refused, and so must have changed nothing. */
  readonly isRefused: boolean;
  readonly claims: Claims;
  /** The user, and what is special about the request. */
  readonly told: Omit<Changed, 'change'>;
  /** What shows its faults. */
  readonly blame: Blame;
}

/** The user before an update, after it, and in its response. */
interface Views {
  readonly was: User;
  /** Undefined if nothing reads the user. */
  readonly is: User | undefined;
  /** Undefined if the response does not show the user, or is not looked at. */
  readonly shown: User | undefined;
}

/** What an update made of the members that it must leave alone. */
interface Untouched {
  readonly was: User;
  readonly now: User | undefined;
  readonly except: readonly string[];
  readonly visibility: Visibility;
  readonly change: MemberChange;
  readonly readingOf: string | undefined;
}

/**
 * Judges an update, and reports what is wrong.
 *
 * @throws Inconclusive if nothing shows the user
 */
export function judgeUpdate(attempt: BareAttempt, update: Update, before: State, after: State): void {
  const { isRefused, told } = update;
  const { known, session } = attempt;
  const { user: id } = told;
  const views = viewsOf(attempt, update, before, after);
  const isGone = before.has(id) && !views.is && known.reading !== undefined;
  const isSeen = views.shown !== undefined || views.is !== undefined || isGone;
  if (!isRefused && !isSeen) throw new Inconclusive('not-shown', `No response shows user ${id}.`);
  const isSaid = attempt.worksAround('own-user') || changedAnother(attempt, update, before, after);
  // Once it is known that updates reach other users, the own user is looked at as well.
  if (isSaid && !session.ledger.isBroken('update.addressed-user-only')) return;
  const sent = judgeSent(attempt, update, views);
  judgeUntouched(attempt, update, views, sent);
  noteLooked(attempt, update.claims, views);
  if (isGone) failAsGone(attempt, update);
}

function viewsOf(attempt: BareAttempt, update: Update, before: State, after: State): Views {
  const { response, isRefused } = update;
  const id = update.told.user;
  const isShown = !isRefused && !attempt.worksAround('reading');
  const shown = isShown ? attempt.known.userIn(response, id) : undefined;
  return { was: before.get(id) ?? {}, is: after.get(id), shown };
}

/** Notes the requirements for which the user was looked at. */
function noteLooked({ session: { audit } }: BareAttempt, claims: Claims, { is, shown }: Views): void {
  if (shown) audit.looked.add(claims.shown);
  if (is) for (const each of [claims.stored, claims.kept, 'update.other-members-keep']) audit.looked.add(each);
}

/** Reports a change of another user: then that alone is said. */
function changedAnother(attempt: BareAttempt, update: Update, before: State, after: State): boolean {
  attempt.session.audit.looked.add('update.addressed-user-only');
  const others = [...before].filter(([id]) => id !== update.told.user);
  const change = update.isRefused ? 'changed-by-refused' : 'changed-with-other-user';
  const requirement = update.isRefused ? 'update.refused-changes-nothing' : 'update.addressed-user-only';
  return attempt.failIfChanged(others, after, { change }, { ...update.blame, requirement });
}

/** Judges the members that an update sent. @returns their names */
function judgeSent(attempt: BareAttempt, update: Update, { is, shown }: Views): string[] {
  const { stored, claims, told, blame } = update;
  const expected = storedBy(stored, is);
  const sent = Object.keys(expected);
  const lost = attempt.failIfDifferent(
    { expected, shown: is, members: sent },
    { change: 'not-stored', ...told },
    { ...blame, requirement: claims.stored, aspect: 'stored', readingOf: told.user },
  );
  attempt.failIfDifferent(
    {
      expected: storedBy(stored, shown),
      shown,
      members: sent.filter((each) => !lost.includes(each)),
      visibility: attempt.known.shown.inPart,
    },
    { change: 'not-shown', ...told },
    { ...blame, requirement: claims.shown, aspect: 'shown' },
  );
  return sent;
}

/** Judges the members that an update must leave alone, in a later reading and in its response. */
function judgeUntouched(
  attempt: BareAttempt,
  update: Update,
  { was, is, shown }: Views,
  sent: readonly string[],
): void {
  const { shown: known } = attempt.known;
  const { isRefused, claims, told } = update;
  const changed = judgeOthers(attempt, update, claims, {
    was,
    now: is,
    except: sent,
    visibility: known.inReadings,
    readingOf: told.user,
    change: isRefused ? 'changed-by-refused' : 'changed',
  });
  // The response to a body without a known member need not show all of a user.
  judgeOthers(
    attempt,
    update,
    { ...claims, others: PLAIN.others },
    {
      was,
      now: shown,
      except: [...sent, ...changed],
      readingOf: undefined,
      visibility: sent.length === 0 ? known.inPart : known.inUpdateResponses,
      change: is ? 'only-shown' : 'changed',
    },
  );
}

/** Judges the members that an update must leave alone, except some. @returns those that changed */
function judgeOthers(
  attempt: BareAttempt,
  update: Update,
  claims: Claims,
  { was, now, except, visibility, change, readingOf }: Untouched,
): string[] {
  const judge = (all: readonly string[], requirement: string, aspect: Blame['aspect'] = 'other'): string[] => {
    const members = all.filter((each) => !except.includes(each));
    const blame = { ...update.blame, requirement, aspect, readingOf };
    return attempt.failIfDifferent(
      { expected: was, shown: now, members, visibility },
      { change, ...update.told },
      blame,
    );
  };
  // What is known to change what an update does not send is no second fault.
  const isKnown =
    attempt.worksAround('all-members') &&
    attempt.session.workarounds.isKnownToClear(Object.keys(storedBy(update.stored)));
  const kept = isKnown ? [] : UPDATABLE_MEMBERS;
  return [...judge(kept, claims.kept, 'kept'), ...judge(READ_ONLY_MEMBERS, claims.others)];
}

/** Reports that nothing shows the user any more, or that it has another id now. */
function failAsGone(attempt: BareAttempt, update: Update): void {
  const { claims, response, told } = update;
  const { user } = told;
  const responses = present([attempt.known.lastReadingOf(user)?.response, response]);
  const came = responses.map((each) => attempt.known.idShownIn(each)).find((id) => id !== undefined);
  if (responses.some((each) => isSuccess(each) && each.json === undefined))
    throw new Inconclusive('not-shown', `No response shows user ${user} in JSON.`);
  const blame = { ...update.blame, requirement: claims.stored, aspect: 'stored', readingOf: user } as const;
  if (came === undefined || JSON.stringify(came) === user)
    attempt.fail(
      { kind: 'special', says: `An update made user ${user} unreadable`, due: 'the user', came: 'an error' },
      blame,
    );
  else {
    const { request } = attempt.exchangeOf(response);
    const due = Number.isSafeInteger(Number(user)) ? Number(user) : user;
    attempt.fail({ kind: 'member', change: 'changed', member: 'id', due, came, request, ...told }, blame);
  }
}
