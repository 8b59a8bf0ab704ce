import type { UpdateUser, User } from '../../contract/document.ts';
import { UPDATABLE_MEMBERS, type Updatable } from '../../conformance/users/differences.ts';
import { Refused, type Store } from '../../reference-server/rules.ts';
import { defaultSeed, type Seed } from '../../reference-server/seed.ts';
import { replacing, type Behaviour } from './behaviour.ts';
import type { Members } from './requests.ts';

/** The two users that the operator names. */
export const USER = 1;
export const OTHER = 2;

export type Body = Readonly<Partial<Record<Updatable, unknown>>>;

/** The members of a body that an update can send. */
export function sent(update: Body): Updatable[] {
  return UPDATABLE_MEMBERS.filter((member) => member in update);
}

/** The members that an update sends and can change, with their values. */
export function valuesSent(body: Body): Members {
  return Object.fromEntries(sent(body).map((member) => [member, body[member]]));
}

/** Those of them whose values conform. */
export function validValues(body: Body): Members {
  const isValid = ([member, value]: [string, unknown]): boolean =>
    member === 'rootRole' ? Number.isInteger(value) : typeof value === 'string';
  return Object.fromEntries(Object.entries(valuesSent(body)).filter(isValid));
}

/** One valid update, carried out correctly. */
export interface Update {
  readonly body: Body;
  readonly before: User;
  readonly after: User;
  readonly store: Store;
}

export type WhichUpdate = (update: Update) => boolean;

/** Matches updates that send just these members. */
export function withOnly(...members: readonly Updatable[]): WhichUpdate {
  return ({ body }) => sent(body).join() === members.join();
}

export const withNothing: WhichUpdate = ({ body }) => sent(body).length === 0;
export const withSomething: WhichUpdate = ({ body }) => sent(body).length > 0;

/** Carries updates out in another way; gives the user that is shown. */
export function applying(apply: (update: Update) => User): Behaviour {
  return replacing('applyUpdate', (own) => (store, before, body) => {
    return apply({ body, before, after: own(store, before, body), store });
  });
}

/** Where a fault shows: in what is stored and in the response, only in the response, or only in later responses. */
export type Where = 'everywhere' | 'in the response' | 'later';

/** Gives members of the user other values than the update should. A member that becomes undefined is not shown. */
export function updating(
  which: WhichUpdate,
  change: Members | ((update: Update) => Members),
  where: Where = 'everywhere',
): Behaviour {
  return applying((update) => {
    const { before, after, store } = update;
    if (!which(update)) return after;
    const wrong = { ...after, ...(typeof change === 'function' ? change(update) : change) };
    if (where !== 'in the response') store.users.set(before.id, wrong);
    return where === 'later' ? after : wrong;
  });
}

/** The user as it was: the update is not stored, or not shown. */
export function asBefore({ before }: Update): Members {
  return { ...before };
}

/** Stores a text in another form. */
export function storing(member: 'name' | 'email', change: (text: string, before: User) => string): Behaviour {
  return replacing('applyUpdate', (apply) => (store, user, update) => {
    const text = update[member];
    return apply(store, user, text === undefined ? update : { ...update, [member]: change(text, user) });
  });
}

/** Refuses valid updates for what they send. */
export function refusing(which: (body: UpdateUser) => boolean, status = 400): Required<Pick<Behaviour, 'replace'>> {
  return replacing('validateUpdate', (validate) => (value) => {
    const body = validate(value);
    if (which(body)) throw new Refused(status, 'The update is not allowed.');
    return body;
  });
}

/** Refuses valid updates for what is stored. */
export function conflicting(which: (body: UpdateUser, user: User, store: Store) => boolean, status: number): Behaviour {
  return replacing('applyUpdate', (apply) => (store, user, body) => {
    if (which(body, user, store)) throw new Refused(status, 'The update conflicts with what is stored.');
    return apply(store, user, body);
  });
}

/** Refuses a value that another user has. */
export function unique(member: 'name' | 'email', status: number): Behaviour {
  return conflicting(({ [member]: value }, user, { users }) => {
    return value !== undefined && [...users.values()].some((each) => each.id !== user.id && each[member] === value);
  }, status);
}

/** Reads a body in another way, given the value that it has by the rule, and its text. */
export function reading(read: (value: unknown, text: string) => unknown): Behaviour {
  return replacing('parseBody', (parse) => (body) => read(parse(body), body.toString('utf8')));
}

/** Refuses bodies whose text has a form. */
export function refusingText(form: RegExp, status = 400): Behaviour {
  return replacing('parseBody', (parse) => (body) => {
    if (form.test(body.toString('utf8'))) throw new Refused(status, 'The body has a form that is not taken.');
    return parse(body);
  });
}

/** The default seed with replaced members of both users; an undefined member is omitted. */
export function usersWith(change: Members | ((user: User, index: number) => Members)): { seed: Seed } {
  const users = defaultSeed.users.map((user, index) => {
    const own = typeof change === 'function' ? change(user, index) : change;
    const members = Object.entries<unknown>({ ...user, ...own }).filter(([, value]) => value !== undefined);
    return Object.fromEntries(members) as unknown as User;
  });
  return { seed: { ...defaultSeed, users } };
}
