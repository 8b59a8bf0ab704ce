import { isDeepStrictEqual } from 'node:util';
import { schema } from '../../contract/document.ts';
import { type Exchange, inWords, isAccepted, isSafe } from '../http/exchange.ts';
import { membersChangedBy, type Writes } from '../resources/effect.ts';
import type { Found, Notes, Suspect } from './facts.ts';
import { statusOf, type View } from './recording/view.ts';
import type { ResourceId } from '../resources/resource.ts';
import type { Rows } from './responses.ts';

/** What may have changed something, and what it contradicts if it did; no requirements: nobody can be blamed for that. */
type Writer = Suspect & Pick<Found, 'requirements' | 'checks' | 'mode'>;

/** What is known of a member, and the write that set it, if nothing was seen of it since. */
interface Known {
  readonly value: unknown;
  readonly x: Exchange;
  readonly setBy?: Writer;
}

/** A member that was seen to have another value than is known of it. */
interface Changed {
  readonly x: Exchange;
  readonly member: string;
  readonly was: Known;
  readonly actual: unknown;
  /** What may have changed it since it was read. */
  readonly between: readonly Writer[];
}

/** What was named, which resource it is, and its id. */
export interface KeptSubject {
  readonly subject: string;
  readonly resource: ResourceId;
  readonly id: string;
}

interface State extends Rows, KeptSubject {
  readonly notes: Notes;
  /** The items of refusals after which everything is seen to be as before. */
  readonly cleared: Set<string>;
  /** The members that were seen to change between two readings although nothing else was sent. */
  readonly unstable: Set<string>;
}

/** What a response shows of the subject, of the members of its schema. */
function shownIn(
  { operationOf, resource, id }: State,
  x: Exchange,
): readonly [member: string, value: unknown][] | undefined {
  const operation = operationOf(x.request.operation);
  if (!isAccepted(x) || operation?.shows.resource !== resource) return undefined;
  const shown = operation.shows.objects(x)?.find(({ value }) => String(value.id) === id);
  const { properties } = schema(operation.shows.schema);
  return shown && Object.entries(shown.value).filter(([member]) => Object.hasOwn(properties, member));
}

const blaming = ({ requirement, check }: Writes['stored'], mode: string) => ({
  ...{ requirements: [requirement], checks: [check], mode },
});

function writerOf(state: State, exchange: Exchange): Writer {
  const { operationOf, refusals, resource, subject } = state;
  const { due, item = '', operation, subject: addressed } = exchange.request;
  const { effect } = operationOf(operation) ?? {};
  const nobodys = { exchange, requirements: [], checks: [], mode: '' };
  if (isAccepted(exchange) && due.class !== 'refuse')
    return addressed === subject && effect?.writes
      ? { exchange, class: 'writer', ...blaming(effect.writes.kept, 'changed') }
      : { ...nobodys, class: 'other-write' };
  if (!exchange.response) return { ...nobodys, class: 'unanswered' };
  const how = { class: isAccepted(exchange) ? 'wrongly-accepted' : 'refused' };
  const check = refusals(item);
  // What a refused request of another resource must not change is said of that one.
  if (!effect?.refused || effect.resource !== resource || check === undefined) return { ...nobodys, ...how };
  const mode = addressed === subject ? `changed-${resource}` : `other-${resource}-changed`;
  return { exchange, ...how, ...blaming({ ...effect.refused, check }, mode) };
}

/** Whom a change is blamed on: the last of the class that is blamed before the others. */
function blamedOf(suspects: readonly Writer[]): Writer | undefined {
  return ['unanswered', 'wrongly-accepted', 'writer', 'other-write', 'refused']
    .map((how) => suspects.findLast((each) => each.class === how))
    .find((each) => each);
}

function noteChange({ notes, subject, cleared, unstable }: State, { x, member, was, actual, between }: Changed): void {
  const left = between.filter(({ exchange }) => !cleared.has(exchange.request.item ?? ''));
  const suspects = was.setBy ? [was.setBy] : left.length > 0 ? left : between;
  const blamed = blamedOf(suspects);
  if (!blamed || unstable.has(member)) {
    const detail = `${member} differs each time that it is read`;
    for (const { checks } of suspects)
      notes.doubtful(checks, { reason: 'precondition-failed', detail, exchanges: [was.x, x] });
    return;
  }
  const { exchange: by, class: how, ...blame } = blamed;
  notes.deviates({
    ...{ kind: was.setBy ? 'not-stored' : 'changed', x, by, member, subject, expected: was.value, actual },
    ...blame,
    ...{ pointer: `/${member}`, shows: [...new Set([was.x, by, x])] },
    change: { between, suspects, classes: [...new Set(suspects.map((each) => each.class))], blamed: how },
    message: `${by.request.purpose} (the response to it is ${statusOf(by)}): ${member} is ${inWords(actual)} after it, expected ${inWords(was.value)}.`,
  });
}

/** Takes what an accepted write stores, or one without a response may store. */
function take(known: Map<string, Known>, x: Exchange, writes: Writes): void {
  const values = isAccepted(x) ? writes.sets(x.request) : {};
  const setBy: Writer = { exchange: x, class: 'writer', ...blaming(writes.stored, 'not-stored') };
  for (const member of membersChangedBy(writes, x.request)) {
    if (Object.hasOwn(values, member)) known.set(member, { value: values[member], x, setBy });
    else known.delete(member);
  }
}

/** Judges what is stored of something without sessions: what its writes set, and that nothing else changes it. */
export function judgeKept({ exchanges }: View, notes: Notes, kept: KeptSubject, rows: Rows): void {
  const state: State = { ...rows, ...kept, notes, cleared: new Set(), unstable: new Set() };
  const known = new Map<string, Known>();
  const changes: Changed[] = [];
  let between: Writer[] = [];
  for (const x of exchanges) {
    const { subject, operation, due } = x.request;
    if (!isSafe(x.request)) between.push(writerOf(state, x));
    const writes = subject === kept.subject ? rows.operationOf(operation)?.effect?.writes : undefined;
    if (writes && due.class !== 'refuse' && (isAccepted(x) || !x.response)) take(known, x, writes);
    const shown = shownIn(state, x);
    if (!shown) continue;
    for (const [member, actual] of shown) {
      const was = known.get(member);
      if (was && isDeepStrictEqual(was.value, actual)) {
        for (const each of was.setBy ? [was.setBy] : between)
          if (each.exchange !== x && each.class !== 'wrongly-accepted') notes.holds(each.checks, x);
      } else if (was) {
        if (between.length === 0 && !was.setBy) state.unstable.add(member);
        changes.push({ x, member, was, actual, between: [...between] });
      }
      // An update may only be echoed: what it sent is known once another response shows it.
      if (was?.setBy?.exchange !== x) known.set(member, { value: actual, x });
    }
    if (!isSafe(x.request)) continue;
    if (changes.at(-1)?.x !== x)
      for (const { exchange, class: how } of between)
        if (how === 'refused') state.cleared.add(exchange.request.item ?? '');
    between = [];
  }
  // Blamed when it is known what changes nothing.
  for (const each of changes) noteChange(state, each);
}
