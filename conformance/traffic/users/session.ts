import { type Exchange, isAccepted, type Meant } from '../../http/exchange.ts';
import type { Blocked } from '../../model/recording/recording.ts';
import { compareMember } from '../../resources/user/comparison.ts';
import { SuiteError } from '../../resources/request-guard.ts';
import { isSendable, type RequestOptions } from '../../resources/requests.ts';
import { compareSeen, lastSent, lastSentOf, seen, seenValue, shownUser, stored } from '../../resources/user/state.ts';
import { NAMED_USERS, UNKNOWN_MEMBER, UPDATABLE, type Updatable } from '../../resources/user/members.ts';
import { blockedBy } from '../blocked.ts';
import { type Due, UNSPECIFIED } from '../../http/due.ts';
import type { History } from '../../resources/resource.ts';
import { subjectWords, type Writable } from '../../resources/inputs.ts';
import type { TrafficContext, UpdateOptions } from '../operation.ts';
import { compareRoles } from '../../resources/roles.ts';

/** One pass through the steps of a scenario, seen through one state probe. */
export interface Round {
  readonly updates: readonly Exchange[];
  readonly after: readonly Exchange[];
}

/** What the requests of a session are due: a valid update, one that sends nothing, and another one that shows the user. */
export interface UpdateDues {
  readonly valid: (subject: Writable, members: readonly Updatable[]) => Due;
  readonly empty: Due;
  readonly reading: Due;
}

/** Counts the requests to each user that may change it. Any of them may change the other user on a broken target. */
export type WriteClock = Record<Writable, number>;

/** Counts requests that may change any user. */
export function tickAll(clock: WriteClock): void {
  for (const subject of NAMED_USERS) clock[subject] += 1;
}

/** A body that changes nothing, and whose response shows the members that it does not send. */
export interface StateProbe {
  readonly sends: readonly Updatable[];
  /** Sends a member that the contract does not know, for targets that want at least one. */
  readonly extra?: true;
}

/** The body `{}`. */
export const EMPTY_BODY_PROBE: StateProbe = { sends: [] };
const EXTRA_MEMBER_PROBE: StateProbe = { sends: [], extra: true };

interface UserSessionOptions extends Pick<UpdateOptions, 'operation' | 'requests' | 'send'> {
  readonly subject: Writable;
  readonly history: () => History;
  readonly clock: WriteClock;
  readonly dues: UpdateDues;
}

type StepOptions = Pick<RequestOptions, 'headers' | 'credential' | 'meantBody'>;

type Writer = ReturnType<typeof makeWriter>;

function makeWriter({ subject, operation, requests, send, history, clock, dues }: UserSessionOptions) {
  const put = (
    body: string,
    purpose: string,
    meantBody: Meant,
    due: Due,
    item?: string,
    options: StepOptions = {},
  ): Promise<Exchange> => {
    clock[subject] += 1;
    const request = requests.build(operation, { subject, purpose, body, meantBody, due, ...options });
    return send(item === undefined ? request : { ...request, item });
  };

  /** A value for a member that is not stored yet. */
  const valueFor = (member: Updatable): unknown => {
    if (member !== 'rootRole') return requests.fresh[member]();
    const current = stored(history(), 'rootRole');
    const other = requests.inputs.roleIds?.find((role) => compareRoles(role, current) !== 'same');
    if (other === undefined) throw new SuiteError('There is no role to send that is not stored.');
    return other;
  };

  return {
    valueFor,
    /**
     * Sends the members with values that are not stored yet.
     *
     * @param extra members that the contract does not list, sent beside the others
     * @param meant `unspecified` if a conforming target may refuse it for when it comes
     */
    update: (
      members: readonly Updatable[],
      purpose: string,
      extra: Readonly<Record<string, unknown>> = {},
      meant: Meant = 'valid',
      due: Due = dues.valid(subject, members),
      item?: string,
    ): Promise<Exchange> => {
      const body = { ...extra, ...Object.fromEntries(members.map((member) => [member, valueFor(member)])) };
      return put(JSON.stringify(body), purpose, meant, due, item);
    },
    /** Sends a body that a conforming target may refuse. */
    tryBody: (
      body: string,
      purpose: string,
      due: Due = UNSPECIFIED,
      item?: string,
      options?: StepOptions,
    ): Promise<Exchange> => put(body, purpose, 'unspecified', due, item, options),
  };
}

type ReadFresh = (probe: StateProbe) => Promise<Exchange>;

/** Makes the function that reads the state with a request. */
function makeReadFresh(options: UserSessionOptions, { valueFor }: Writer): ReadFresh {
  const { subject, operation, requests, send, history, dues } = options;
  /** What is stored of a member; a fresh value if that is not sent back (a broken target may have made it null). */
  const currentText = (member: Updatable): unknown => {
    const current = stored(history(), member);
    return isSendable(current) ? current : valueFor(member);
  };
  return async ({ sends, extra }) => {
    const body = {
      ...Object.fromEntries(sends.map((member) => [member, currentText(member)])),
      ...(extra ? { [UNKNOWN_MEMBER]: true } : {}),
    };
    // A server with rules of its own may refuse the user's own values; only `{}` has a ruling.
    const meantBody = Object.keys(body).length === 0 ? 'valid' : 'unspecified';
    const purpose = `Reading the state of ${subjectWords(subject)}`;
    const due = Object.keys(body).length === 0 ? dues.empty : dues.reading;
    return send(requests.build(operation, { subject, purpose, body: JSON.stringify(body), meantBody, due }));
  };
}

/** The probes that together show as many updatable members as possible. */
async function chooseStateProbes(
  wide: StateProbe | undefined,
  readFresh: ReadFresh,
  history: () => History,
): Promise<readonly StateProbe[]> {
  const chosen: StateProbe[] = [];
  const visible = new Set<Updatable>();
  for (const probe of [...(wide ? [wide] : []), { sends: ['name'] }, { sends: ['email'] }] satisfies StateProbe[]) {
    const sendable = probe.sends.every((member) => isSendable(stored(history(), member)));
    if (!sendable || ['name', 'email'].every((member) => visible.has(member as Updatable))) continue;
    const exchange = await readFresh(probe);
    const shows = (member: Updatable): boolean => seen(exchange, member, history()).kind !== 'unseen';
    const gained = UPDATABLE.filter((member) => !visible.has(member) && !probe.sends.includes(member) && shows(member));
    if (!isAccepted(exchange) || gained.length === 0) continue;
    chosen.push(probe);
    for (const member of gained) visible.add(member);
  }
  return chosen;
}

/** Gives name and e-mail address values of the suite's own; the first request that decides whether the user can be written. */
async function firstUpdate({ update }: Writer, subject: Writable): Promise<Exchange | undefined> {
  const who = subjectWords(subject);
  const writes = [
    await update(['name'], `An update of ${who} with only a name`),
    await update(['email'], `An update of ${who} with only an e-mail address`),
  ];
  if (!writes.some(isAccepted))
    writes.push(await update(['name', 'email'], `An update of ${who} with a name and an e-mail address`));
  return writes.find(isAccepted) ?? writes[0];
}

interface LastReading {
  readonly reading: Exchange;
  readonly probe: StateProbe;
  /** The clock at that time. */
  readonly writes: Readonly<WriteClock>;
}

/** What the first requests to a user showed: how it can be read, or why it cannot. */
interface Opening {
  readonly stateProbes?: readonly StateProbe[];
  readonly blocked?: Blocked;
  readonly last?: LastReading;
  /** The first update, and the reading after it. */
  readonly round?: Round;
}

/** Gives a user values of the suite's own: all members that can be sent, or only the texts if the role is refused with them. */
async function writeKnownValues({ update }: Writer, { subject, requests }: UserSessionOptions): Promise<Exchange> {
  const purpose = `Giving ${subjectWords(subject)} values that are known`;
  const first = await update(requests.inputs.roleIds ? UPDATABLE : ['name', 'email'], purpose);
  return isAccepted(first) ? first : update(['name', 'email'], purpose);
}

/** The members of which a response shows another value than was sent last. */
function changedMembers(at: Exchange, history: History): Updatable[] {
  return UPDATABLE.filter((member) => {
    const sent = lastSent(history, member);
    const state = seen(at, member, history);
    return sent !== undefined && compareSeen(member, { kind: 'shown', value: sent }, state) === 'different';
  });
}

/**
 * Whether reading changes the user, so that it is no way to read it: it shows other values than were sent, although the response
 * to an update of another member shows them.
 */
async function readingChanges(reading: Exchange, { update }: Writer, history: () => History): Promise<boolean> {
  const [member] = changedMembers(reading, history());
  if (member === undefined) return false;
  const purpose = 'An update that shows what an earlier one stored';
  await update([member], purpose);
  const later = await update([member === 'name' ? 'email' : 'name'], purpose);
  return (
    isAccepted(later) && !changedMembers(later, history()).includes(member) && shownUser(later)?.[member] !== undefined
  );
}

/** Whether what came of a request for a user may be an accident, or come from the target reading two users at once. */
function mayHaveMissed({ response, transportError }: Exchange): boolean {
  const isAccident = transportError?.kind === 'closed' || transportError?.kind === 'throttled';
  return isAccident || response?.status === 404 || (response?.status ?? 0) >= 500;
}

async function openUser(
  first: Exchange,
  options: UserSessionOptions,
  writer: Writer,
  readFresh: ReadFresh,
): Promise<Opening> {
  const { subject, history, clock } = options;
  const showsTexts = (exchange: Exchange): boolean =>
    (['name', 'email'] as const).every((member) => {
      const state = seen(exchange, member, history());
      return state.kind === 'shown' && typeof state.value === 'string';
    });
  // Nothing is written blind. A connection that is closed only on `{}` may be a defect that the other updates show.
  if (first.transportError && first.transportError.kind !== 'closed') return { blocked: blockedBy(first) };
  let wide: StateProbe | undefined = isAccepted(first) ? EMPTY_BODY_PROBE : undefined;
  if (first.response?.status === 400 && isAccepted(await readFresh(EXTRA_MEMBER_PROBE))) wide = EXTRA_MEMBER_PROBE;
  const known = showsTexts(first) ? await writeKnownValues(writer, options) : undefined;
  if (!known) {
    const decisive = await firstUpdate(writer, subject);
    if (decisive && !isAccepted(decisive)) return { blocked: blockedBy(decisive) };
  }
  const reading = wide && (await readFresh(wide));
  if (reading && (await readingChanges(reading, writer, history))) wide = undefined;
  else if (wide && reading && showsTexts(reading))
    return {
      stateProbes: [wide],
      last: { reading, probe: wide, writes: { ...clock } },
      ...(known ? { round: { updates: [known], after: [reading] } } : {}),
    };
  return { stateProbes: await chooseStateProbes(wide, readFresh, history) };
}

/** One of the users that the operator named, over the run: reads its state, and writes values that are not stored yet. */
export type UserSession = ReturnType<typeof makeUserSession>;

/** What the traffic on users works with. */
export interface UsersContext extends TrafficContext, Pick<UpdateOptions, 'mayChange' | 'explore'> {
  readonly clock: WriteClock;
  /** The users that the operator named, the first one first. */
  readonly sessions: readonly UserSession[];
}

export function makeUserSession(options: UserSessionOptions) {
  const { subject, requests, history, clock } = options;
  const writer = makeWriter(options);
  const readFresh = makeReadFresh(options, writer);
  /** Whether the operator declared roles, so that they can be sent. */
  const roles = requests.inputs.roleIds !== undefined;
  let opening: Opening = {};
  let first: Exchange | undefined;
  let last: LastReading | undefined;
  let settled = false;

  const readUnless = async (probe: StateProbe, isFresh: (writes: Readonly<WriteClock>) => boolean) => {
    if (last?.probe === probe && isFresh(last.writes)) return last.reading;
    const writes = { ...clock };
    const reading = await readFresh(probe);
    last = { reading, probe, writes };
    return reading;
  };
  /** As `read`, but gives the last reading also if only the other user was sent a writing request since. */
  const readSinceOwn = (probe: StateProbe): Promise<Exchange> =>
    readUnless(probe, (writes) => writes[subject] === clock[subject]);

  /** The first reading, which changes nothing; once more if the target may have missed the user. */
  const look = async (): Promise<Exchange> => {
    if (!first || mayHaveMissed(first)) first = await readFresh(EMPTY_BODY_PROBE);
    return first;
  };

  /** Whether a response shows the value that the suite sent last; then it is known, and not a server's default. */
  const showsOwnValue = (exchange: Exchange, member: Updatable): boolean => {
    const state = seen(exchange, member, history());
    const isSent = (sent: unknown): boolean =>
      sent !== undefined && sent !== '' && compareMember(member, sent, seenValue(state)) !== 'different';
    return state.kind === 'shown' && lastSentOf(history(), member).some(isSent);
  };

  /** Makes sure that the members have values of the suite's own, if the target shows them at all; gives whether it wrote. */
  const settle = async (probe: StateProbe): Promise<boolean> => {
    const exchange = await readSinceOwn(probe);
    const members: readonly Updatable[] = roles ? UPDATABLE : ['name', 'email'];
    const wanting = members.filter((member) => !probe.sends.includes(member) && !showsOwnValue(exchange, member));
    // What this probe does not show is not known after another update either.
    const visible = wanting.filter((member) => seen(exchange, member, history()).kind !== 'unseen');
    if (wanting.length === 0 || (settled && visible.length === 0)) return false;
    settled = true;
    await writeKnownValues(writer, options);
    return true;
  };

  return {
    ...{ subject, roles, history, look, readSinceOwn, settle, ...writer },
    /** How the state of this user can be read; empty if it cannot. */
    stateProbes: (): readonly StateProbe[] => opening.stateProbes ?? [],
    /** Set if the first requests were not accepted. */
    blocked: (): Blocked | undefined => opening.blocked,
    /** The update with which it was opened, and the reading after it; undefined if it was opened in another way. */
    opening: (): Round | undefined => opening.round,
    /** Finds out how this user can be read, after the first reading. */
    open: async (): Promise<void> => {
      opening = await openUser(first ?? (await look()), options, writer, readFresh);
      last = opening.last;
    },
    /** The state through a probe; the last reading if no writing request was sent since. */
    read: (probe: StateProbe): Promise<Exchange> =>
      readUnless(probe, (writes) => NAMED_USERS.every((each) => writes[each] === clock[each])),
  };
}
