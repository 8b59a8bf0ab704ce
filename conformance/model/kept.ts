import { isDeepStrictEqual } from 'node:util';
import { schema } from '../../contract/document.ts';
import { type Exchange, inWords, isAccepted, isSafe } from '../http/exchange.ts';
import { membersChangedBy, type Writes } from '../resources/effect.ts';
import type { Found, Notes, Suspect } from './facts.ts';
import { statusOf, type View } from './recording/view.ts';
import type { ResourceId } from '../resources/resource.ts';
import type { Rows } from './responses.ts';

/** What is known of a member, and the write that set it, if nothing was seen of it since. */
interface Known {
  readonly value: unknown;
  readonly x: Exchange;
  readonly setBy?: Exchange;
}

/** What was named, which resource it is, and its id. */
export interface KeptSubject {
  readonly subject: string;
  readonly resource: ResourceId;
  readonly id: string;
}

interface State extends Rows, KeptSubject {
  readonly view: View;
  readonly notes: Notes;
  readonly known: Map<string, Known>;
  /** What may have changed it since it was read. */
  readonly between: Suspect[];
  /** The items of refusals after which everything is seen to be as before. */
  readonly cleared: Set<string>;
  /** The members that were seen to change between two readings although nothing else was sent. */
  readonly unstable: Set<string>;
  /** Changes; blamed when it is known what changes nothing. */
  readonly later: (() => void)[];
}

function writesOf({ operationOf, subject }: State, { request }: Exchange): Writes | undefined {
  return request.subject === subject ? operationOf(request.operation)?.effect?.writes : undefined;
}

/** What a response shows of the subject, with the members of its schema. */
function shownIn({ operationOf, resource, id }: State, x: Exchange) {
  const operation = operationOf(x.request.operation);
  if (!isAccepted(x) || operation?.shows.resource !== resource) return undefined;
  const value = operation.shows.objects(x)?.find((each) => String(each.value.id) === id)?.value;
  return value && { value, members: Object.keys(schema(operation.shows.schema).properties) };
}

function classOf(x: Exchange, writes: Writes | undefined): string {
  if (isAccepted(x)) return x.request.due.class === 'refuse' ? 'wrongly-accepted' : writes ? 'writer' : 'other-write';
  return x.response ? 'refused' : 'unanswered';
}

/** Whom a change is blamed on, the one first that is blamed before the others. */
const BLAMED_FIRST = ['unanswered', 'wrongly-accepted', 'writer', 'other-write', 'refused'];

type Blame = Pick<Found, 'requirements' | 'checks' | 'mode'>;

function blameFor(state: State, { exchange, class: how }: Suspect, wasSet: boolean): Blame {
  const { operationOf, refusals, resource } = state;
  const { effect } = operationOf(exchange.request.operation) ?? {};
  const own = effect?.writes && (wasSet ? effect.writes.stored : effect.writes.kept);
  if (how === 'writer' && own)
    return { requirements: [own.requirement], checks: [own.check], mode: wasSet ? 'not-stored' : 'changed' };
  const group = refusals(exchange.request.item ?? '');
  // What a refused request of another resource must not change is said of that one.
  const isRefusal = ['refused', 'wrongly-accepted'].includes(how);
  if (!effect?.refused || effect.resource !== resource || group === undefined || !isRefusal)
    return { requirements: [], checks: [], mode: '' };
  const addressed = exchange.request.subject === state.subject ? 'changed-' : 'other-';
  const mode = addressed === 'other-' ? `other-${effect.resource}-changed` : `changed-${effect.resource}`;
  return { requirements: [effect.refused.requirement], checks: [group], mode };
}

function noteChange(
  state: State,
  x: Exchange,
  member: string,
  was: Known,
  actual: unknown,
  between: readonly Suspect[],
): void {
  const { notes, subject, cleared, unstable } = state;
  const left = between.filter(({ exchange }) => !cleared.has(exchange.request.item ?? ''));
  const all = was.setBy ? [{ exchange: was.setBy, class: 'writer' }] : left.length > 0 ? left : between;
  const wasSet = was.setBy !== undefined && !unstable.has(member);
  const suspects = unstable.has(member) ? [] : all;
  const blamed = BLAMED_FIRST.find((each) => suspects.some((suspect) => suspect.class === each)) ?? 'none';
  const suspect = suspects.findLast((each) => each.class === blamed) ?? { exchange: x, class: 'none' };
  const { exchange: by } = suspect;
  const classes = [...new Set(suspects.map((each) => each.class))];
  const blame = blameFor(state, suspect, wasSet);
  const message = `${by.request.purpose} (the response to it is ${statusOf(by)}): ${member} is ${inWords(actual)} after it, expected ${inWords(was.value)}.`;
  for (const each of unstable.has(member) ? all : []) {
    const { checks } = blameFor(state, each, was.setBy !== undefined);
    notes.doubtful(checks, { reason: 'precondition-failed', detail: message, exchanges: [x] });
  }
  notes.deviates({
    ...{ kind: wasSet ? 'not-stored' : 'changed', x, by, member, subject, expected: was.value, actual },
    ...blame,
    ...{ pointer: `/${member}`, shows: [...new Set([was.x, by, x])] },
    change: { between, suspects, classes, blamed, possible: [], isLost: false },
    message,
  });
}

function noteKept(state: State, x: Exchange, { setBy }: Known): void {
  const { between, notes, refusals } = state;
  const stored = setBy && writesOf(state, setBy)?.stored;
  if (stored) notes.holds([stored.check], x);
  for (const { exchange, class: how } of setBy ? [] : between) {
    const writes = writesOf(state, exchange);
    if (how === 'writer' && writes) notes.holds([writes.kept.check], x);
    const group = refusals(exchange.request.item ?? '');
    if (how === 'refused' && group !== undefined) notes.holds([group], x);
  }
}

/** Takes what an accepted write stores, or one without a response may store. */
function take({ known }: State, x: Exchange, writes: Writes): void {
  const values = isAccepted(x) ? writes.sets(x.request) : {};
  for (const member of membersChangedBy(writes, x.request)) {
    if (Object.hasOwn(values, member)) known.set(member, { value: values[member], x, setBy: x });
    else known.delete(member);
  }
}

function judgeSubject(state: State): void {
  const { view, known, between, cleared, later } = state;
  for (const x of view.exchanges) {
    const writes = writesOf(state, x);
    const isDue = x.request.due.class !== 'refuse' && x.request.meant.id === 'valid';
    if (!isSafe(x.request)) between.push({ exchange: x, class: classOf(x, writes) });
    if (writes && isDue && (isAccepted(x) || !x.response)) take(state, x, writes);
    const shown = shownIn(state, x);
    let isSame = shown !== undefined;
    for (const member of shown?.members ?? []) {
      if (!shown || !Object.hasOwn(shown.value, member)) continue;
      const [was, value] = [known.get(member), shown.value[member]];
      if (was && isDeepStrictEqual(was.value, value)) noteKept(state, x, was);
      else if (was) {
        isSame = false;
        if (between.length === 0 && !was.setBy) state.unstable.add(member);
        const suspects = [...between];
        later.push(() => noteChange(state, x, member, was, value, suspects));
      }
      // An update may only be echoed: what it sent is known once another response shows it.
      if (was?.setBy !== x) known.set(member, { value, x });
    }
    if (!shown || !isSafe(x.request)) continue;
    if (isSame)
      for (const { exchange, class: how } of between) if (how === 'refused') cleared.add(exchange.request.item ?? '');
    between.length = 0;
  }
  for (const note of later) note();
}

/** Judges what is stored of something without sessions: what its writes set, and that nothing else changes it. */
export function judgeKept(view: View, notes: Notes, kept: KeptSubject, rows: Rows): void {
  const own = { known: new Map(), between: [], cleared: new Set<string>(), unstable: new Set<string>(), later: [] };
  judgeSubject({ ...rows, ...kept, ...own, view, notes });
}
