/** The users that a run may change: how they are read, what they were before the run, and new values for them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { without } from '../../common/json.ts';
import { inWords } from '../../common/text.ts';
import { type Exchange, isBusy, isRefusal, isSuccess, type Request, type Response, sentIn } from '../facts/exchange.ts';
import { type Problem, statusFault } from '../facts/fault.ts';
import { Inconclusive, Stopped } from '../facts/outcome.ts';
import { type Target, withCutBody } from '../http/target.ts';
import {
  differences,
  idIn,
  isEmpty,
  isSame,
  isUpdatable,
  UPDATABLE_MEMBERS,
  type Updatable,
  type User,
} from './differences.ts';
import { Fresh } from './fresh.ts';
import { ShownUsers } from './shown.ts';
import { ANY_FORM, type Form, idShownIn, userIn } from './user-in-response.ts';

/** The users that the run may change, by id; one that cannot be read is missing. */
export type State = ReadonlyMap<string, User>;

/** Makes the body of a request that shows a user, by id, and changes nothing. */
export type Reading = (id: string) => string;

/** How often a user is read if a reading lacks a member that it may have. */
const MOST_READINGS = 3;

/** How many readings are sent at once, to see whether they differ. */
const READINGS_AT_ONCE = 8;

/** For how long nothing is sent, to see whether somebody else fails to log in. */
const PAUSE_MS = 1_000;

/** Keeps the users as they were before the run. */
export type KeepOriginals = (originals: ReadonlyMap<string, User>) => void;

/** The users of a target. */
export class Users {
  readonly target: Target;
  readonly fresh: Fresh;
  /** What this target shows of its users. */
  readonly shown = new ShownUsers();
  /** How responses show a user, as far as it is not as the contract says. */
  form: Form = { statuses: [200], isEnveloped: false };
  /** Undefined as long as no request is known that shows a user and changes nothing. */
  reading: Reading | undefined;
  /** Whether updates were sent that may have changed the users; before that, nothing is to be restored. */
  mayBeChanged = false;
  /** Whether an update was accepted. */
  areUpdatable = false;
  /** Whether the target was seen to show a value late. */
  areShownLate = false;
  /** Whether the same request, sent several times at once, was seen to show an old value beside the latest one. */
  areShownTwofold = false;
  /** The members whose old values showed only a while after they were sent, each behind the id of its user: `4 email`. */
  readonly restoredLate = new Set<string>();
  /** The updates by which a user gets new values: the members that each sends. By default one with all that can be sent. */
  renewals: readonly (readonly Updatable[])[];
  /** The users as they were before the run. */
  readonly originals = new Map<string, User>();
  /** The members of users that are none of the run's, and that requests changed which should have been refused. */
  readonly strays = new Map<string, ReadonlySet<string>>();
  /** The suite's own plain requests (readings, and updates between checks) that failed while others like them succeeded. */
  readonly failedPlain: Problem[] = [];
  readonly #keepOriginals: KeepOriginals;
  /** What another run of this suite was seen to do, in a sentence: then the users cannot be judged. */
  otherClient: string | undefined;
  /** The last readings, of one user or of all, each with the number of requests to them at that time. */
  readonly #states = new Map<string, { readonly at: number; readonly users: State }>();
  readonly #lastReadings = new Map<string, Exchange>();
  /** What was accepted of each user, in its order. */
  readonly #accepted = new Map<string, User[]>();
  /** Whether the run has looked for readings that raise `loginAttempts`: once, since that takes a while. */
  #isRaiseLookedFor = false;
  readonly #sentTo = new Map<string, number>();
  /** The members that requests have sent to each user so far. */
  readonly #membersSentTo = new Map<string, Set<string>>();

  /** @param keepOriginals is called before the first write */
  constructor(target: Target, keepOriginals: KeepOriginals = () => undefined) {
    this.target = target;
    this.fresh = new Fresh(target.inputs);
    this.renewals = [this.sendable];
    this.#keepOriginals = keepOriginals;
    target.listeners.push((exchange) => this.#learn(exchange));
  }

  /** The ids of the users that the run may change. */
  get ids(): readonly string[] {
    const { userId, otherUserId } = this.target.inputs;
    return otherUserId === undefined ? [userId] : [userId, otherUserId];
  }

  /** The members that the operator's inputs allow to send. */
  get sendable(): readonly Updatable[] {
    return UPDATABLE_MEMBERS.filter((each) => each !== 'rootRole' || this.target.inputs.roleIds);
  }

  /** The user with this id in a response, in the form in which this target shows users. */
  userIn(response: Response, id: string): User | undefined {
    return userIn(response, id, this.form);
  }

  /** The id of the user that a response shows, whoever it is. */
  idShownIn(response: Response): unknown {
    return idShownIn(response, this.form);
  }

  /** Keeps the users as they are known, before the first write. */
  beginToWrite(): void {
    this.#keepOriginals(this.originals);
    this.mayBeChanged = true;
  }

  /** Ends the run if a response showed a value that another run of this suite wrote. */
  stopForOtherClient(): void {
    if (this.otherClient !== undefined) throw new Stopped(this.otherClient, 'other-client');
  }

  /** New values of some members of a user; the role is one that it does not have now, as far as is known. */
  newValues(id: string, members: readonly Updatable[] = this.sendable): User {
    const { fresh, shown } = this;
    const make: Readonly<Record<Updatable, () => unknown>> = {
      name: () => fresh.name(),
      email: () => fresh.email(),
      rootRole: () => fresh.role(shown.roleOf(id), shown.roles.lastSentTo(id)),
    };
    return Object.fromEntries(members.map((each) => [each, make[each]()]));
  }

  /** All members of a user that can be sent, with the values that it was shown or sent last. */
  lastValues(id: string): User {
    const last = this.shown.lastOf(id);
    const role = this.shown.roles.lastSentTo(id);
    const values = this.sendable.map((member): [string, unknown] => {
      if (member === 'rootRole') return [member, role];
      return [member, typeof last[member] === 'string' && last[member] !== '' ? last[member] : undefined];
    });
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }

  /** An update of a user with the admin key. */
  update(id: string, body: User): Request {
    return this.target.request('updateUser', id, { text: JSON.stringify(body) });
  }

  /** The request that shows a user and changes nothing. */
  readingOf(id: string, reading = this.reading): Request {
    return this.target.request('updateUser', id, { text: reading?.(id) });
  }

  /** Forces the users to be read, even if nothing was sent since the last reading. */
  forget(): void {
    this.#states.clear();
  }

  /**
   * The users as they are now: read anew if anything was sent since the last reading. A reading that fails is repeated, alone.
   *
   * @param lane the id of the user that alone is looked at, whatever is sent to others
   */
  async state(lane = ''): Promise<State> {
    const known = this.#states.get(lane);
    if (known?.at === this.#countOf(lane)) return known.users;
    const users = new Map<string, User>();
    const all = lane === '' ? this.ids : [lane];
    const ids = this.reading === undefined ? [] : all;
    const read = await Promise.all(ids.map((id) => this.#read(id)));
    for (const [index, id] of ids.entries()) {
      const user = read[index] ?? (await this.#read(id));
      if (user) users.set(id, user);
    }
    this.#states.set(lane, { at: this.#countOf(lane), users });
    return users;
  }

  /**
   * What a request shows of a user. It is sent once more if it fails, and more often while a member is missing: what comes back
   * was left out and not lost.
   */
  async showing(
    id: string,
    request: Request,
    members: readonly string[] = this.shown.alwaysShownTexts,
  ): Promise<User | undefined> {
    const send = async (): Promise<Exchange> => {
      const exchange = await this.target.send(request);
      this.#lastReadings.set(id, withCutBody(exchange));
      return exchange;
    };
    const first = await send();
    let user = this.userIn(first.response, id);
    if (!user) {
      user = this.userIn((await send()).response, id);
      if (user) this.noteFailed(first, true);
    }
    const isWhole = (shown: User): boolean => members.every((member) => Object.hasOwn(shown, member));
    for (let tries = 1; tries < MOST_READINGS && user && !isWhole(user); tries += 1)
      user = { ...user, ...this.userIn((await send()).response, id) };
    return user;
  }

  /**
   * Whether what looks like a change is a value that was accepted for this user before, and shows only now: it was accepted after
   * the value that it takes the place of, or the target is known to show values late, or old ones beside new ones.
   */
  isLate(id: string, member: string, value: unknown, other: unknown): boolean {
    if (!isUpdatable(member) || isEmpty(value)) return false;
    const turn = this.#turnOf(id, member, value);
    // Roles come again: only a new text tells which update stored it.
    const isLater = typeof value === 'string' && turn > this.#turnOf(id, member, other);
    return isLater || (this.areShownLate && turn >= 0) || (this.areShownTwofold && this.had(id, member, value));
  }

  /** Two values of a member of a user, that which was accepted first before the other one. */
  inTurn(id: string, member: string, one: unknown, other: unknown): readonly [unknown, unknown] {
    return this.#turnOf(id, member, one) > this.#turnOf(id, member, other) ? [other, one] : [one, other];
  }

  /** Whether a user has, or had, a value: the run found it, or an update with it was accepted. */
  had(id: string, member: string, value: unknown): boolean {
    const original = this.originals.get(id) ?? {};
    const isFound = Object.hasOwn(original, member) && isSame(member, original[member], value);
    return isFound || this.#turnOf(id, member, value) >= 0;
  }

  /** The last request that sent a text to a user, if each that did was refused. */
  refusedWith(id: string, member: string, value: unknown): Exchange | undefined {
    if (typeof value !== 'string') return undefined;
    const senders = this.#sendersOf(id, member, value);
    const areRefused = senders.every(({ response }) => isRefusal(response));
    return areRefused ? senders.at(-1) : undefined;
  }

  /** The first accepted update of a user that sent a member. */
  firstUpdateOf(id: string): Exchange | undefined {
    return this.target.log.find((each) => isAcceptedUpdateOf(id, each));
  }

  /** The last accepted update of a user that sent a member. */
  lastUpdateOf(id: string): Exchange | undefined {
    return this.target.log.findLast((each) => isAcceptedUpdateOf(id, each));
  }

  /** The last accepted update of a user that sent a text or a number as a member. */
  acceptedWith(id: string, member: string, value: unknown): Exchange | undefined {
    return this.#sendersOf(id, member, value).findLast(({ response }) => isSuccess(response));
  }

  /** The requests that sent a text or a number as a member of a user. */
  #sendersOf(id: string, member: string, value: unknown): readonly Exchange[] {
    if (isEmpty(value) || typeof value === 'object') return [];
    const text = JSON.stringify(value);
    return this.target.log.filter(
      ({ request }) =>
        String(request.body ?? '').includes(text) && idIn(request) === id && sentIn(request)[member] === value,
    );
  }

  /** When an update with a value was last accepted, as its place among those of the user; -1 if none was. */
  #turnOf(id: string, member: string, value: unknown): number {
    const accepted = this.#accepted.get(id) ?? [];
    return accepted.findLastIndex((sent) => Object.hasOwn(sent, member) && isSame(member, sent[member], value));
  }

  /**
   * Looks whether the target shows old values beside new ones, as several processes do of which each keeps the users: the same
   * reading, sent several times at once with nothing else under way, shows different texts that the user has or had.
   */
  async noteTwofold(id: string): Promise<void> {
    if (this.reading === undefined) return;
    const shown = await Promise.all(Array.from({ length: READINGS_AT_ONCE }, () => this.#readBeside(id)));
    this.areShownTwofold = ['name', 'email'].some((member) => {
      const texts = new Set(shown.map((user) => user[member]).filter((text) => !isEmpty(text)));
      return texts.size > 1 && [...texts].every((text) => this.had(id, member, text));
    });
  }

  /**
   * Looks whether the readings themselves change a member that no update can set: three in a row show three values of it.
   *
   * @returns the last two of them; undefined if they do not
   */
  async moved(id: string, member: string): Promise<readonly [unknown, unknown] | undefined> {
    const shown: User[] = [];
    for (let readings = 0; readings < 3; readings += 1) {
      this.forget();
      shown.push((await this.state()).get(id) ?? {});
    }
    const [first = {}, second = {}, third = {}] = shown;
    const isMoved = (one: User, other: User): boolean =>
      differences(one, other, [member], this.shown.inReadings).length > 0;
    return isMoved(first, second) && isMoved(second, third) ? [second[member], third[member]] : undefined;
  }

  /**
   * Looks whether the readings themselves raise `loginAttempts`: each does so by the same number, also after a pause, in which
   * somebody else would fail to log in more often.
   *
   * @returns the last two numbers; undefined if they do not
   */
  async raised(id: string): Promise<readonly [number, number] | undefined> {
    if (this.#isRaiseLookedFor) return undefined;
    this.#isRaiseLookedFor = true;
    const shown: number[] = [];
    for (const pauseMs of [0, 0, 0, PAUSE_MS]) {
      await sleep(pauseMs);
      this.forget();
      shown.push(Number((await this.state()).get(id)?.loginAttempts));
    }
    const [first = 0, second = 0, third = 0, last = 0] = shown;
    const step = second - first;
    return step > 0 && third - second === step && last - third === step ? [third, last] : undefined;
  }

  /** The last request that read a user. */
  lastReadingOf(id: string): Exchange | undefined {
    return this.#lastReadings.get(id);
  }

  /** Notes that a plain request failed, unless the server said that somebody else is at work. */
  noteFailed(exchange: Exchange, isTogether: boolean): void {
    const { response } = exchange;
    if (this.form.statuses.includes(response.status) || isBusy(response)) return;
    this.failedPlain.push({
      fault: statusFault(exchange, [200]),
      check: 'first-updates',
      requirement: 'update.success-is-200',
      aspect: 'accepted',
      exchanges: [exchange],
      isTogether,
    });
  }

  /** The user as a reading shows it. If that sends the role, what it shows of the role says nothing. */
  async #read(id: string): Promise<User | undefined> {
    const request = this.readingOf(id);
    const user = await this.showing(id, request);
    return user && String(request.body).includes('rootRole') ? without(user, 'rootRole') : user;
  }

  /** The user as a reading beside others shows it; empty if that gets no response. */
  async #readBeside(id: string): Promise<User> {
    try {
      const { response } = await this.target.send(this.readingOf(id), true);
      return this.userIn(response, id) ?? {};
    } catch (error) {
      if (error instanceof Inconclusive) return {};
      throw error;
    }
  }

  /** How many requests were sent to a user, or to anybody. */
  #countOf(id: string): number {
    return id === '' ? this.target.log.length : (this.#sentTo.get(id) ?? 0);
  }

  #learn({ request, response }: Exchange): void {
    const id = idIn(request);
    this.#sentTo.set(id, this.#countOf(id) + 1);
    if (!this.ids.includes(id)) {
      this.#learnStray(id, response, sentIn(request));
      return;
    }
    const user = this.userIn(response, id);
    const sent = sentIn(request);
    const foreign = UPDATABLE_MEMBERS.find((member) => this.fresh.isOfOtherRun(user?.[member]));
    if (foreign === undefined) this.#learnOriginal(id, response, sent);
    else
      this.otherClient ??=
        `User ${id} has a value of another run of this suite (${foreign}: ${inWords(user?.[foreign])}). ` +
        'Wait until that run has ended, or give the user its own values back.';
    if (this.form.statuses.includes(response.status)) this.#accepted.set(id, [...(this.#accepted.get(id) ?? []), sent]);
    if (user) this.shown.learn(id, user, sent);
    else if (response.lost) this.shown.forget(id, sent);
  }

  /** Learns that a request for an id that no user should have changed a user that is not one of the run. */
  #learnStray(asked: string, response: Response, sent: User): void {
    const isMissing = asked === this.target.inputs.missingUserId;
    const id = isMissing ? asked : String(this.idShownIn(response));
    if (!isSuccess(response) || !/^\d+$/.test(id) || this.ids.includes(id)) return;
    const shown = userIn(response, id, ANY_FORM) ?? {};
    const members = UPDATABLE_MEMBERS.filter((member) => Object.hasOwn(sent, member));
    const changed = members.filter((member) => isMissing || shown[member] === sent[member]);
    if (changed.length > 0) this.strays.set(id, new Set([...(this.strays.get(id) ?? []), ...changed]));
  }

  /**
   * Learns how a user was before the run: what a response shows of a member that no accepted request has sent so far is its old value. Once
   * an update is accepted, the user is to be restored, even if nothing is known of it.
   */
  #learnOriginal(id: string, response: Response, sent: User): void {
    const shown = userIn(response, id, ANY_FORM) ?? {};
    const members = this.#membersThatMayBeStored(id, response, sent);
    const isFirst = members.size === 0;
    if (!isSuccess(response) || (isFirst && Object.keys(shown).length === 0)) return;
    const known = this.originals.get(id);
    const isOld = (member: string): boolean => !known || isFirst || isUpdatable(member);
    const isNew = (member: string, value: unknown): boolean =>
      !members.has(member) && !Object.hasOwn(known ?? {}, member) && !this.fresh.isOfThisRun(value);
    const more = Object.entries(shown).filter(([member, value]) => isOld(member) && isNew(member, value));
    if (known && more.length === 0) return;
    this.originals.set(id, { ...known, ...Object.fromEntries(more) });
    this.#keepOriginals(this.originals);
  }

  /** The members that requests to a user have sent so far, but for refused texts: one that is stored all the same is recognized. */
  #membersThatMayBeStored(id: string, response: Response, sent: User): ReadonlySet<string> {
    const members = this.#membersSentTo.get(id) ?? new Set<string>();
    this.#membersSentTo.set(id, members);
    for (const member of UPDATABLE_MEMBERS)
      if (Object.hasOwn(sent, member) && (!isRefusal(response) || member === 'rootRole')) members.add(member);
    return members;
  }
}

/** Whether a request is an update of a user that sends a member, and was accepted. */
function isAcceptedUpdateOf(id: string, { request, response }: Exchange): boolean {
  return idIn(request) === id && isSuccess(response) && Object.keys(sentIn(request)).some(isUpdatable);
}
