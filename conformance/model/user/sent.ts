import { isDeepStrictEqual } from 'node:util';
import { type Exchange, inWords, objectBody, overlap } from '../../http/exchange.ts';
import { compareMember } from '../../resources/user/comparison.ts';
import { seen, seenValue } from '../../resources/user/state.ts';
import type { Updatable } from '../../resources/user/members.ts';
import type { Found } from '../facts.ts';
import { bodyOf } from '../recording/view.ts';
import { confirmedOf, has, type Known, updateCheckId, type UserState } from './state.ts';
import { inRoundOf, isConcurrent } from './suspects.ts';
import type { Seen } from '../../resources/resource.ts';
import { compareRoles } from '../../resources/roles.ts';

/** Whether a text is stored, but for its canonical form, which is the same for a reader (Unicode, 3.12), and half of a surrogate pair. */
function isStoredAs(member: string, sent: unknown, stored: unknown): boolean {
  if (typeof sent !== 'string') return compareRoles(sent, stored) !== 'different';
  if (typeof stored !== 'string') return false;
  // A server may take an address for the one that it has, if only the case of its letters differs (update.email-faithful).
  if (member === 'email' && stored.toLowerCase() === sent.toLowerCase()) return true;
  // What software makes of half of a surrogate pair is unpredictable (RFC 8259, 8.2), with the blanks around it.
  const [text, start = '', end] = [stored.normalize(), ...sent.normalize().split(/\s*\p{Surrogate}\s*/u)];
  if (end === undefined) return text === start;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

/** A member that an update sends, with what its response shows of it. */
interface Sent {
  readonly x: Exchange;
  readonly member: Updatable;
  readonly now: Seen;
  readonly was: Known | undefined;
}

/** A member that an unusual update sent, with what shows what is stored of it. */
interface Unusual {
  readonly x: Exchange;
  readonly member: string;
  readonly now: Seen;
  readonly was: Pick<Known, 'value'> | undefined;
  /** The values that may be stored. */
  readonly values: readonly unknown[];
  /** The exchange that shows it. */
  readonly at: Exchange;
}

function noteAltered({ notes, subject }: UserState, { x, member, now, was, values, at }: Unusual): void {
  const { requirements, checks, level } = x.request.due;
  const actual = seenValue(now);
  const isIgnored = was !== undefined && compareMember(member, was.value, actual) === 'same';
  const expected = [...new Set(values.map(inWords))].join(' or ');
  notes.deviates({
    ...{ kind: 'altered', x, member, subject, by: x, shows: [...new Set([x, at])] },
    ...{ requirements, checks, level, mode: isIgnored ? 'ignored' : 'altered', old: was?.value },
    ...{ expected: values[0], actual, pointer: `/${member}` },
    message: `${x.request.purpose}: the response is 200, but ${member} is ${inWords(actual)}, expected ${expected}.`,
  });
}

/** Judges what an unusual update stored by a later response, where its own did not show it. */
export function judgePending(
  state: UserState,
  { x, member, now, was }: { readonly x: Exchange; readonly member: string; readonly now: Seen; readonly was: Known },
): boolean {
  const { sentBy, pending, old } = was;
  if (!pending || !sentBy) return false;
  state.undecided.delete(sentBy);
  if (now.kind === 'shown' && pending.some((each) => isStoredAs(member, each, now.value)))
    state.notes.holds(sentBy.request.due.checks, x);
  else if (!(pending.includes('') && now.kind === 'removed'))
    noteAltered(state, { x: sentBy, member, now, was: { value: old }, values: pending, at: x });
  state.known.set(member, { value: seenValue(now), x });
  return true;
}

function judgeUnusual(state: UserState, { x, member, now, was }: Sent, values: readonly unknown[]): void {
  const { known, undecided, notes } = state;
  const unusual = { x, member, now, was, values, at: x };
  if (now.kind !== 'shown') {
    undecided.set(x, member);
    known.set(member, {
      value: undefined,
      x,
      sentBy: x,
      pending: values,
      old: was?.value,
      confirmed: confirmedOf(was),
    });
  } else if (values.some((each) => isStoredAs(member, each, now.value))) {
    notes.holds(x.request.due.checks, x);
    known.set(member, { value: now.value, x, sentBy: x, old: was?.value, confirmed: confirmedOf(was) });
  } else {
    noteAltered(state, unusual);
    known.set(member, { value: now.value, x });
  }
}

/** The next response that shows a member, before it is sent again. */
function nextShown({ history }: UserState, x: Exchange, member: string): { at: Exchange; state: Seen } | undefined {
  const at = history
    .slice(history.indexOf(x) + 1)
    .find((each) => has(each, member) || seen(each, member, history).kind === 'shown');
  return at && !has(at, member) ? { at, state: seen(at, member, history) } : undefined;
}

/** What is wrong where the response to an update shows another value than was sent. */
function kindOfUnshown(x: Exchange, later: Exchange | undefined, isStored: boolean, isRepeated: boolean) {
  const { due } = x.request;
  if (due.role === 'repetition' || (due.role === 'partial-repetition' && isRepeated))
    return { kind: 'altered', mode: 'changed', requirements: due.requirements, checks: due.checks } as const;
  if (later && !isStored) {
    const own = { requirements: ['update.sent-fields-change'], checks: [updateCheckId(x, 'stored')] };
    return { kind: 'not-stored', mode: 'not-stored', ...own, shows: [x, later] } as const;
  }
  const own = { requirements: ['update.answer-shows-user'], checks: [updateCheckId(x, 'shown')] };
  return { kind: isStored ? 'stale-response' : 'sent-not-shown', mode: 'stale-response', ...own } as const;
}

function judgeUnshown(state: UserState, { x, member, was }: Sent, shown: unknown, values: readonly unknown[]): void {
  const { known, notes, subject } = state;
  const { due } = x.request;
  const sent = bodyOf(x)[member];
  const later = nextShown(state, x, member);
  const stored = later?.state;
  const isStored =
    stored?.kind === 'shown' && values.some((each) => compareMember(member, each, stored.value) !== 'different');
  known.set(member, { value: isStored ? sent : shown, x });
  if (due.class === 'unspecified' || due.class === 'either') return;
  const place = isStored || !later ? 'the response to the update' : 'a later response';
  const found: Found = {
    ...{ x, member, subject, by: x, expected: sent, actual: shown, old: was?.value, pointer: `/${member}` },
    ...kindOfUnshown(x, later?.at, isStored, compareMember(member, was?.value, sent) === 'same'),
    message: `${member} was sent as ${inWords(sent)}, but in ${place} it is ${inWords(shown)}.`,
  };
  notes.deviates(found);
}

/** What the updates of the user sent of a member at the same time. */
function rivalsOf(x: Exchange, member: string, exchanges: readonly Exchange[]): unknown[] {
  return inRoundOf(x, exchanges)
    .filter((each) => each.request.subject === x.request.subject && overlap(x, each))
    .map((each) => bodyOf(each)[member]);
}

/** Whether a reading shows that the update was not stored, and the same one, sent after it, was. */
function isStoredNext({ history }: UserState, { x, member }: Sent): boolean {
  const [reading, next] = history.slice(history.indexOf(x) + 1);
  const shows = (each: Exchange | undefined): boolean =>
    compareMember(member, bodyOf(x)[member], objectBody(each)?.[member]) !== 'different';
  return !!reading && !!next && isDeepStrictEqual(next.request, x.request) && !shows(reading) && shows(next);
}

/** Notes that an update was not stored which was when it was sent again: so it is not due to what it sends. */
function noteStoredNext({ known, notes, subject }: UserState, { x, member, was }: Sent, shown: unknown): void {
  const sent = bodyOf(x)[member];
  known.set(member, { value: shown, x });
  notes.deviates({
    ...{ kind: 'sporadic', x, member, subject, by: x, expected: sent, actual: shown, old: was?.value },
    ...{ requirements: ['update.sent-fields-change'], checks: [updateCheckId(x, 'stored')] },
    ...{ mode: 'not-stored', pointer: `/${member}` },
    message: `${member} was sent as ${inWords(sent)}, but in later responses it is ${inWords(shown)}. The same request, sent again, is stored.`,
  });
}

/** Judges a member that an update sends by what its response shows of it. */
export function judgeSent(state: UserState, given: Sent): void {
  const { known, notes, view } = state;
  const { x, member, now, was } = given;
  const { due } = x.request;
  const sent = bodyOf(x)[member];
  const assumed = { value: sent, x, sentBy: x, old: was?.value, confirmed: confirmedOf(was) };
  const values = due.stores?.[member] ?? [sent];
  if (isConcurrent(x, view.exchanges)) {
    const rivals = rivalsOf(x, member, view.exchanges);
    known.set(member, { ...assumed, rivals, ...(was?.rivals && { old: was.old }) });
  } else if (
    now.kind === 'shown' &&
    compareMember(member, sent, now.value) === 'different' &&
    isStoredNext(state, given)
  )
    noteStoredNext(state, given, now.value);
  else if (due.role === 'unusual') judgeUnusual(state, given, values);
  else if (now.kind !== 'shown') known.set(member, assumed);
  else if (values.every((each) => compareMember(member, each, now.value) === 'different'))
    judgeUnshown(state, given, now.value, values);
  else if (compareMember(member, sent, now.value) === 'unclear') {
    // The contract does not say what counts as the same role.
    known.set(member, { value: now.value, x, old: was?.value });
  } else {
    if (due.class === 'accept' && due.role === undefined) notes.holds([`${updateCheckId(x, 'shown')}/${member}`], x);
    known.set(member, { ...assumed, value: now.value });
  }
}
