import { asksForAnotherTry, type Exchange, isAccepted, sentBody } from '../../http/exchange.ts';
import type { Blocked } from '../../model/recording/recording.ts';
import { statusOf } from '../../model/recording/view.ts';
import { compareMember } from '../../resources/user/comparison.ts';
import { SuiteError } from '../../resources/request-guard.ts';
import { isSendable, type RequestOptions } from '../../resources/requests.ts';
import { compareSeen, lastSent, lastSentOf, seen, seenValue, shownUser, stored } from '../../resources/user/state.ts';
import { NAMED_USERS, UNKNOWN_MEMBER, UPDATABLE, type Updatable } from '../../resources/user/members.ts';
import { blockedBy } from '../blocked.ts';
import type { Due } from '../../http/due.ts';
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

interface PutOptions extends Pick<RequestOptions, 'headers' | 'query' | 'credential' | 'meantBody' | 'due'> {
  /** The item of the traffic that it belongs to. */
  readonly item?: string | undefined;
  /** Members that the contract does not list, sent beside the others. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** Whether a response shows the values before an update, and none of those that it sent; undefined if it sent nothing else. */
function isIgnored({ request }: Exchange, before: History, seenIn: Exchange): boolean | undefined {
  const shown = shownUser(seenIn);
  const changed = UPDATABLE.filter((member) => {
    const sent = sentBody(request)?.[member];
    return sent !== undefined && compareMember(member, sent, stored(before, member)) === 'different';
  });
  if (changed.length === 0) return undefined;
  return changed.every((member) => compareMember(member, stored(before, member), shown?.[member]) === 'same');
}

/**
 * Sends a request that should be accepted once more where it is not, or where its response shows that nothing was stored, but
 * others were: whether that is accepted tells what is wrong with the request from what goes wrong now and then. What asks for
 * another try was sent again before.
 */
function sendingSurely(
  { send, history }: Pick<UserSessionOptions, 'send' | 'history'>,
  look: () => Promise<Exchange | undefined>,
): UserSessionOptions['send'] {
  /** Whether each update so far that should have changed something did; undefined if there was none. */
  let isUsuallyStored: boolean | undefined;
  return async (request) => {
    const before = [...history()];
    const exchange = await send(request);
    const { due } = request;
    const status = statusOf(exchange);
    if (before.length === 0 || !due.statuses.includes(200) || due.role === 'concurrent') return exchange;
    if (isAccepted(exchange)) {
      const ignored = isIgnored(exchange, before, exchange);
      const wasStored = isUsuallyStored === true;
      if (ignored !== undefined) isUsuallyStored = !ignored && isUsuallyStored !== false;
      if (!ignored || !wasStored) return exchange;
      // Its response alone may show the old values.
      const reading = await look();
      if (!reading || isIgnored(exchange, before, reading) !== true) return exchange;
      const again = await send(request);
      isUsuallyStored = isIgnored(exchange, before, again) === false;
      return again;
    }
    if (status === 0 || due.statuses.includes(status) || asksForAnotherTry(status)) return exchange;
    const again = await send(request);
    return isAccepted(again) ? again : exchange;
  };
}

interface LastReading {
  readonly reading: Exchange;
  readonly probe: StateProbe;
  /** The clock at that time. */
  readonly writes: Readonly<WriteClock>;
}

/** The members of which a response shows another value than was sent last. */
function changedMembers(at: Exchange, history: History): Updatable[] {
  return UPDATABLE.filter((member) => {
    const sent = lastSent(history, member);
    const state = seen(at, member, history);
    return sent !== undefined && compareSeen(member, { kind: 'shown', value: sent }, state) === 'different';
  });
}

/** Whether what came of a request for a user may be an accident, or come from the target reading two users at once. */
function mayHaveMissed({ response, transportError }: Exchange): boolean {
  const isAccident = transportError?.kind === 'closed' || transportError?.kind === 'throttled';
  return isAccident || response?.status === 404 || (response?.status ?? 0) >= 500;
}

/** What the traffic on users works with. */
export interface UsersContext extends TrafficContext, Pick<UpdateOptions, 'mayChange' | 'explore'> {
  readonly clock: WriteClock;
  /** The users that the operator named, the first one first. */
  readonly sessions: readonly UserSession[];
}

/** One of the users that the operator named, over the run: reads its state, and writes values that are not stored yet. */
export class UserSession {
  readonly subject: Writable;
  readonly history: () => History;
  /** The members that can be sent; the role only if the operator declared roles. */
  readonly updatable: readonly Updatable[];
  /** How the state of this user can be read; empty if it cannot. */
  stateProbes: readonly StateProbe[] = [];
  /** Set if the first requests were not accepted. */
  blocked: Blocked | undefined;
  /** The update with which it was opened, and the reading after it; undefined if it was opened in another way. */
  opening: Round | undefined;
  readonly #options: UserSessionOptions;
  #first: Exchange | undefined;
  #last: LastReading | undefined;
  #settled = false;

  constructor(options: UserSessionOptions) {
    const look = async (): Promise<Exchange | undefined> => {
      const [probe] = this.stateProbes;
      return probe && this.#readFresh(probe);
    };
    this.#options = { ...options, send: sendingSurely(options, look) };
    this.subject = options.subject;
    this.history = options.history;
    this.updatable = options.requests.inputs.roleIds ? UPDATABLE : ['name', 'email'];
  }

  /** Sends a body; unless it says otherwise, one that a conforming target may refuse. */
  put(body: string, purpose: string, { item, ...options }: PutOptions = {}): Promise<Exchange> {
    const { subject, operation, requests, send, clock } = this.#options;
    clock[subject] += 1;
    const request = requests.build(operation, { subject, purpose, body, meantBody: 'unspecified', ...options });
    return send(item === undefined ? request : { ...request, item });
  }

  /** A value for a member that is not stored yet. */
  valueFor(member: Updatable): unknown {
    const { requests } = this.#options;
    if (member !== 'rootRole') return requests.fresh[member]();
    const current = stored(this.history(), 'rootRole');
    const roles = requests.inputs.roleIds ?? [];
    const at = roles.findIndex((role) => compareRoles(role, current) === 'same');
    const other = [...roles.slice(at + 1), ...roles].find((role) => compareRoles(role, current) !== 'same');
    if (other === undefined) throw new SuiteError('There is no role to send that is not stored.');
    return other;
  }

  /** Sends the members with values that are not stored yet. */
  update(
    members: readonly Updatable[],
    purpose: string,
    { extra, due = this.#options.dues.valid(this.subject, members), meantBody = 'valid', item }: PutOptions = {},
  ): Promise<Exchange> {
    const body = { ...extra, ...Object.fromEntries(members.map((member) => [member, this.valueFor(member)])) };
    return this.put(JSON.stringify(body), purpose, { meantBody, due, item });
  }

  /** Gives all members that can be sent values of the suite's own, or only the texts if the role is refused with them. */
  async writeKnownValues(): Promise<Exchange> {
    const purpose = `Giving ${subjectWords(this.subject)} values that are known`;
    const first = await this.update(this.updatable, purpose);
    return isAccepted(first) ? first : this.update(['name', 'email'], purpose);
  }

  /** The first reading, which changes nothing; once more if the target may have missed the user. */
  async look(): Promise<Exchange> {
    if (!this.#first || mayHaveMissed(this.#first)) this.#first = await this.#readFresh(EMPTY_BODY_PROBE);
    return this.#first;
  }

  /** The state through a probe; the last reading if no writing request was sent since. */
  read(probe: StateProbe): Promise<Exchange> {
    const { clock } = this.#options;
    return this.#readUnless(probe, (writes) => NAMED_USERS.every((each) => writes[each] === clock[each]));
  }

  /** As `read`, but gives the last reading also if only the other user was sent a writing request since. */
  readSinceOwn(probe: StateProbe): Promise<Exchange> {
    return this.#readUnless(probe, (writes) => writes[this.subject] === this.#options.clock[this.subject]);
  }

  /** Makes sure that the members have values of the suite's own, if the target shows them at all; gives whether it wrote. */
  async settle(probe: StateProbe): Promise<boolean> {
    const exchange = await this.readSinceOwn(probe);
    const wanting = this.updatable.filter(
      (member) => !probe.sends.includes(member) && !this.#showsOwnValue(exchange, member),
    );
    // What this probe does not show is not known after another update either.
    const visible = wanting.filter((member) => seen(exchange, member, this.history()).kind !== 'unseen');
    if (wanting.length === 0 || (this.#settled && visible.length === 0)) return false;
    this.#settled = true;
    await this.writeKnownValues();
    return true;
  }

  /** Finds out how this user can be read, after the first reading. */
  async open(): Promise<void> {
    const first = this.#first ?? (await this.look());
    // Nothing is written blind. A connection that is closed only on `{}` may be a defect that the other updates show.
    if (first.transportError && first.transportError.kind !== 'closed') {
      this.blocked = blockedBy(first);
      return;
    }
    let wide: StateProbe | undefined = isAccepted(first) ? EMPTY_BODY_PROBE : undefined;
    if (first.response?.status === 400 && isAccepted(await this.#readFresh(EXTRA_MEMBER_PROBE)))
      wide = EXTRA_MEMBER_PROBE;
    const known = this.#showsTexts(first) ? await this.writeKnownValues() : undefined;
    const decisive = known ? undefined : await this.#firstUpdate();
    if (decisive && !isAccepted(decisive)) {
      this.blocked = blockedBy(decisive);
      return;
    }
    const reading = wide && (await this.#readFresh(wide));
    if (reading && (await this.#readingChanges(reading))) wide = undefined;
    else if (wide && reading && this.#showsTexts(reading)) {
      this.stateProbes = [wide];
      this.#last = { reading, probe: wide, writes: { ...this.#options.clock } };
      if (known) this.opening = { updates: [known], after: [reading] };
      return;
    }
    this.stateProbes = await this.#chooseStateProbes(wide);
  }

  async #readFresh({ sends, extra }: StateProbe): Promise<Exchange> {
    const { subject, operation, requests, send, dues } = this.#options;
    /** What is stored of a member; a fresh value if that is not sent back (a broken target may have made it null). */
    const currentText = (member: Updatable): unknown => {
      const current = stored(this.history(), member);
      return isSendable(current) ? current : this.valueFor(member);
    };
    const body = {
      ...Object.fromEntries(sends.map((member) => [member, currentText(member)])),
      ...(extra ? { [UNKNOWN_MEMBER]: true } : {}),
    };
    // A server with rules of its own may refuse the user's own values; only `{}` has a ruling.
    const isEmpty = Object.keys(body).length === 0;
    const [meantBody, due] = isEmpty ? (['valid', dues.empty] as const) : (['unspecified', dues.reading] as const);
    const purpose = `Reading the state of ${subjectWords(subject)}`;
    return send(requests.build(operation, { subject, purpose, body: JSON.stringify(body), meantBody, due }));
  }

  async #readUnless(probe: StateProbe, isFresh: (writes: Readonly<WriteClock>) => boolean): Promise<Exchange> {
    if (this.#last?.probe === probe && isFresh(this.#last.writes)) return this.#last.reading;
    const writes = { ...this.#options.clock };
    const reading = await this.#readFresh(probe);
    this.#last = { reading, probe, writes };
    return reading;
  }

  #showsTexts(exchange: Exchange): boolean {
    return (['name', 'email'] as const).every((member) => {
      const state = seen(exchange, member, this.history());
      return state.kind === 'shown' && typeof state.value === 'string';
    });
  }

  /** Whether a response shows the value that the suite sent last; then it is known, and not a server's default. */
  #showsOwnValue(exchange: Exchange, member: Updatable): boolean {
    const state = seen(exchange, member, this.history());
    const isSent = (sent: unknown): boolean =>
      sent !== undefined && sent !== '' && compareMember(member, sent, seenValue(state)) !== 'different';
    return state.kind === 'shown' && lastSentOf(this.history(), member).some(isSent);
  }

  /** Gives name and e-mail address values of the suite's own; the first request that decides whether the user can be written. */
  async #firstUpdate(): Promise<Exchange | undefined> {
    const who = subjectWords(this.subject);
    const writes = [
      await this.update(['name'], `An update of ${who} with only a name`),
      await this.update(['email'], `An update of ${who} with only an e-mail address`),
    ];
    if (!writes.some(isAccepted))
      writes.push(await this.update(['name', 'email'], `An update of ${who} with a name and an e-mail address`));
    return writes.find(isAccepted) ?? writes[0];
  }

  /**
   * Whether reading changes the user, so that it is no way to read it: it shows other values than were sent, although the response
   * to an update of another member shows them.
   */
  async #readingChanges(reading: Exchange): Promise<boolean> {
    const [member] = changedMembers(reading, this.history());
    if (member === undefined) return false;
    const purpose = 'An update that shows what an earlier one stored';
    await this.update([member], purpose);
    const later = await this.update([member === 'name' ? 'email' : 'name'], purpose);
    const isShown = isAccepted(later) && shownUser(later)?.[member] !== undefined;
    return isShown && !changedMembers(later, this.history()).includes(member);
  }

  /** The probes that together show as many updatable members as possible. */
  async #chooseStateProbes(wide: StateProbe | undefined): Promise<readonly StateProbe[]> {
    const chosen: StateProbe[] = [];
    const visible = new Set<Updatable>();
    for (const probe of [...(wide ? [wide] : []), { sends: ['name'] }, { sends: ['email'] }] satisfies StateProbe[]) {
      const sendable = probe.sends.every((member) => isSendable(stored(this.history(), member)));
      if (!sendable || (visible.has('name') && visible.has('email'))) continue;
      const exchange = await this.#readFresh(probe);
      const isGained = (member: Updatable): boolean =>
        !visible.has(member) &&
        !probe.sends.includes(member) &&
        seen(exchange, member, this.history()).kind !== 'unseen';
      const gained = UPDATABLE.filter(isGained);
      if (!isAccepted(exchange) || gained.length === 0) continue;
      chosen.push(probe);
      for (const member of gained) visible.add(member);
    }
    return chosen;
  }
}
