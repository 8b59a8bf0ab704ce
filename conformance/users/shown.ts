import {
  isSame,
  isUpdatable,
  type Visibility,
  READ_ONLY_MEMBERS,
  UPDATABLE_MEMBERS,
  type User,
} from './differences.ts';
import { ShownRoles } from './roles.ts';

/** A target that shows this many read-only members shows the whole user: the user does not have what is missing then. */
const WHOLE = 3;
/** The members whose absence means that the user has none, if the rest is shown (ruling on `name` and `email`). */
const TEXTS = ['name', 'email'] as const;

const isShown = (user: User | undefined, member: string): boolean =>
  user?.[member] !== undefined && user[member] !== null;

/** What a target shows of its users, and what it showed last. */
export class ShownUsers {
  /** The updatable members that were shown with a value: `email` of any user, `4 email` of the user 4. */
  readonly withValue = new Set<string>();
  /** The updatable members that responses showed to requests which did not send them. */
  readonly unsent = new Set<string>();
  /** The members that came back unchanged after a response without them: their absence means nothing. */
  readonly intermittent = new Set<string>();
  /** The members that a reading itself changes, or each update: nobody else does. */
  readonly moving = new Set<string>();
  /** What the last response showed. */
  readonly #latest = new Map<string, User>();
  /** What was shown last of each member. */
  readonly #last = new Map<string, User>();
  /** How it shows roles. */
  readonly roles = new ShownRoles();
  /** The texts that this target shows of every user that has them. */
  alwaysShownTexts: readonly string[] = [];
  #others: readonly string[] = [];

  /** What was shown last of a user; empty if nothing was. */
  lastOf(id: string): User {
    return this.#last.get(id) ?? {};
  }

  /** The role that was shown last of a user, in the form in which it is sent if that is known. */
  roleOf(id: string): unknown {
    const { rootRole } = this.lastOf(id);
    return this.roles.sentFor(rootRole) ?? rootRole;
  }

  /** Remembers what a response shows of a user, and what its request sent. */
  learn(id: string, user: User, sent: User): void {
    const [last, latest] = [this.lastOf(id), this.#latest.get(id) ?? user];
    for (const member of [...READ_ONLY_MEMBERS, ...TEXTS]) {
      const isBack = isShown(user, member) && isShown(last, member) && !isShown(latest, member);
      if (isBack && !Object.hasOwn(sent, member) && isSame(member, last[member], user[member]))
        this.intermittent.add(member);
    }
    for (const member of UPDATABLE_MEMBERS.filter((each) => isShown(user, each))) {
      this.withValue.add(member).add(`${id} ${member}`);
      if (!Object.hasOwn(sent, member)) this.unsent.add(member);
    }
    this.#latest.set(id, user);
    this.#last.set(id, { ...last, ...user });
    this.roles.learn(id, user, sent);
  }

  /** Forgets what a request sent whose response cannot be read: it may have been stored. */
  forget(id: string, sent: User): void {
    const last = Object.entries(this.lastOf(id)).filter(([member]) => !Object.hasOwn(sent, member));
    this.#last.set(id, Object.fromEntries(last));
  }

  /** Learns from two responses to different requests which members this target shows of every user that has them. */
  learnAlways(first: User, second: User): void {
    const inBoth = (member: string): boolean => isShown(first, member) && isShown(second, member);
    this.#others = READ_ONLY_MEMBERS.filter(inBoth);
    const others = Object.keys(first).filter((member) => !isUpdatable(member) && inBoth(member));
    const isText = (member: string): boolean => [first, second].some((each) => typeof each[member] === 'string');
    this.alwaysShownTexts = others.length >= WHOLE ? TEXTS.filter(isText) : [];
  }

  /** What the absence or null of a member means if the whole user should be shown. */
  get inReadings(): Visibility {
    return this.#visibility(this.#always([...this.alwaysShownTexts, ...this.#others]));
  }

  /** The same if a response need not show all of a user. */
  get inPart(): Visibility {
    return this.#visibility(new Set());
  }

  /** The same for the response to an update, which may show any selection of the read-only members. */
  get inUpdateResponses(): Visibility {
    return this.#visibility(this.#always(this.alwaysShownTexts));
  }

  #visibility(always: ReadonlySet<string>): Visibility {
    return { always, withValue: this.withValue, moving: this.moving };
  }

  #always(members: readonly string[]): ReadonlySet<string> {
    return new Set(members.filter((member) => !this.intermittent.has(member)));
  }
}
