/**
 * Ways in which a client can live with a fault that is known. A check that such a fault blocks is run with them, and can then
 * only fail: what it finds counts, and if it finds nothing, it stays blocked.
 */
import { isRecord, parsedJson } from '../../common/json.ts';
import { sentIn } from '../facts/exchange.ts';
import type { Problem } from '../facts/fault.ts';
import { Inconclusive } from '../facts/outcome.ts';
import { differences, isUpdatable, type Updatable, type User } from '../users/differences.ts';
import type { Users } from '../users/users.ts';
import { PLAIN } from './claims.ts';

/** One way to live with a fault. */
export type Workaround =
  /** It takes the status that this target gives for an accepted update. */
  | 'status'
  /** It takes the user out of its envelope. */
  | 'envelope'
  /** Where an update would be refused, clear others or not be stored, it sends all members that are stored together. */
  | 'all-members'
  /** It looks at a reading in place of the response to an update. */
  | 'reading'
  /** It does not look at the other user. */
  | 'own-user';

/** Requirements whose breach all members with each update may make up for. */
const OF_SINGLE_MEMBERS: readonly string[] = [PLAIN.accepted, PLAIN.stored, PLAIN.kept, 'update.fields-optional'];

/** Those of the members of an update that an update can set, as a text. */
const formOf = (members: readonly string[]): string => members.filter(isUpdatable).sort().join();

/** Tells which broken requirements a run can work around, and how. */
export class Workarounds {
  readonly #users: Users;
  /** The members that are stored if they are sent together, to the first user; none if there are none. */
  #together: readonly Updatable[] | undefined;
  /** Whether they are stored for the other user, too. */
  #areTogetherForOther: boolean | undefined;
  /** The members of the updates that do not do what they should. */
  readonly #brokenForms = new Set<string>();
  /** Whether updates change what they do not send: then nobody can tell what `{}` should leave. */
  #isClearing = false;

  constructor(users: Users) {
    this.#users = users;
  }

  /** The members that are sent together where `all-members` applies. */
  get together(): readonly Updatable[] {
    return this.#together ?? [];
  }

  /** Whether an update with these members has to send all members. */
  isBrokenForm(members: readonly string[]): boolean {
    return this.#brokenForms.has(formOf(members));
  }

  /** Whether what an update with these members does not send is known to change. */
  isKnownToClear(members: readonly string[]): boolean {
    return this.#isClearing && (formOf(members) === '' || this.isBrokenForm(members));
  }

  /**
   * How a check can be run in spite of broken requirements.
   *
   * @param broken each with what broke it
   * @param isOfOther whether it updates the other user, too
   * @returns undefined if it cannot
   */
  async around(
    broken: ReadonlyMap<string, readonly Problem[]>,
    isOfOther: boolean,
  ): Promise<ReadonlySet<Workaround> | undefined> {
    const ways = new Set<Workaround>();
    for (const [requirement, problems] of broken) {
      const way = await this.#wayAround(requirement, problems);
      if (way === undefined) return undefined;
      ways.add(way);
    }
    return ways.has('all-members') && isOfOther && !(await this.#storesForOther()) ? undefined : ways;
  }

  async #wayAround(requirement: string, problems: readonly Problem[]): Promise<Workaround | undefined> {
    const { form, reading } = this.#users;
    if (requirement === PLAIN.accepted && problems.every((each) => this.#isOtherSuccess(each))) return 'status';
    if (requirement === 'user.object') return form.isEnveloped ? 'envelope' : undefined;
    if (requirement === PLAIN.shown) return reading === undefined ? undefined : 'reading';
    if (requirement === 'update.addressed-user-only') return 'own-user';
    if (!OF_SINGLE_MEMBERS.includes(requirement)) return undefined;
    this.#learnForms(problems);
    if (requirement === PLAIN.kept) this.#isClearing = true;
    this.#together ??= await this.#findMembers();
    return this.#together.length === 0 ? undefined : 'all-members';
  }

  /** Whether a problem is that an update got another status of success, by which this target accepts updates. */
  #isOtherSuccess({ fault }: Problem): boolean {
    return fault.kind === 'status' && this.#users.form.statuses.includes(fault.came);
  }

  /** Learns which members may not come alone, from the updates that went wrong. */
  #learnForms(problems: readonly Problem[]): void {
    for (const each of problems) {
      const { fault } = each;
      if (fault.kind !== 'status' && fault.kind !== 'member') continue;
      const form = formOf(Object.keys(sentIn(fault.request)));
      if (form !== '' && !this.#isOtherSuccess(each)) this.#brokenForms.add(form);
    }
  }

  /** The most members that are stored if each update sends all of them. */
  async #findMembers(): Promise<readonly Updatable[]> {
    const { sendable, ids } = this.#users;
    const withoutOne = sendable.map((member) => sendable.filter((each) => each !== member));
    for (const members of [sendable, ...withoutOne].filter(({ length }) => length > 0))
      if (await areStored(this.#users, ids[0], members).catch(unlessUnreadable)) return members;
    return [];
  }

  async #storesForOther(): Promise<boolean> {
    const [, other] = this.#users.ids;
    this.#areTogetherForOther ??= await areStored(this.#users, other, this.together).catch(unlessUnreadable);
    return this.#areTogetherForOther;
  }
}

/** What cannot be read was not seen to be stored. */
function unlessUnreadable(error: unknown): boolean {
  if (error instanceof Inconclusive) return false;
  throw error;
}

/** Whether two updates with these members in a row are accepted and stored. */
async function areStored(users: Users, id = '', members: readonly Updatable[] = []): Promise<boolean> {
  for (let times = 0; times < 2; times += 1) {
    const sent = users.newValues(id, members);
    const { response } = await users.target.send(users.update(id, sent));
    if (!users.form.statuses.includes(response.status)) return false;
    const shown = users.reading === undefined ? users.userIn(response, id) : (await users.state()).get(id);
    if (shown && differences(sent, shown, members, users.shown.inReadings).length > 0) return false;
  }
  return true;
}

/** The members that a JSON text of an object has; of a text that is not JSON, those that are named in it. */
export function membersIn(text: string, members: readonly string[]): readonly string[] {
  const value = parsedJson(text);
  return isRecord(value) ? Object.keys(value) : members.filter((member) => text.includes(member));
}

/**
 * The body of an update with the members that it lacks in front.
 *
 * @param whole all members with their values
 * @returns undefined if the body is no object that has any member
 */
export function completedBody(body: string | Buffer, whole: User): string | Buffer | undefined {
  const [start] = /^\s*\{(?=\s*[^\s}])/.exec(body.toString('latin1')) ?? [];
  if (start === undefined) return undefined;
  const known = membersIn(body.toString(), Object.keys(whole));
  const missing = Object.entries(whole).filter(([member]) => !known.includes(member));
  if (missing.length === 0) return body;
  const front = `${start}${JSON.stringify(Object.fromEntries(missing)).slice(1, -1)},`;
  const rest = body.slice(start.length);
  return typeof rest === 'string' ? front + rest : Buffer.concat([Buffer.from(front), rest]);
}

/** Whether a value is no role, in whichever form a target takes them. */
const isNoRole = (value: unknown): boolean => value === null || typeof value === 'boolean' || Array.isArray(value);

/** The members of an update that are sent where some must be left out. What makes it invalid stays, and what no update can set. */
export function withoutLeftOut(body: User, together: readonly Updatable[]): User {
  const isInvalid = (member: string, value: unknown): boolean =>
    member === 'rootRole' ? isNoRole(value) : typeof value !== 'string';
  const isSent = ([member, value]: readonly [string, unknown]): boolean =>
    !isUpdatable(member) || (together as readonly string[]).includes(member) || isInvalid(member, value);
  return Object.fromEntries(Object.entries(body).filter(isSent));
}
