import type { UpdateUser, User } from '../../contract/document.ts';
import { UPDATABLE, type Updatable } from '../../conformance/engine/compare.ts';
import { Refused, type Store } from '../../reference-server/rules.ts';
import { replacing, type Behaviour } from './behaviour.ts';
import { type Members, isTo, success } from './requests.ts';

/** The two users that the operator names. */
export const USER = 1;
export const OTHER = 2;

export const isUpdate = isTo('updateUser');
/** Matches updates that were accepted. */
export const anUpdate = success('updateUser');

export type Body = Readonly<Partial<Record<Updatable, unknown>>>;

/** The members of a body that an update can send. */
export function sent(update: Body): Updatable[] {
  return UPDATABLE.filter((member) => member in update);
}

/** The members that an update sends and can change, with their values. */
export function valuesSent(body: Body): Members {
  return Object.fromEntries(sent(body).map((member) => [member, body[member]]));
}

/** One valid update, carried out correctly. */
export interface Update {
  readonly body: Body;
  readonly before: User;
  readonly after: User;
  readonly store: Store;
}

export type WhichUpdate = (update: Update) => boolean;

/** Matches updates that send these members, and perhaps others. */
export function withAll(...members: readonly Updatable[]): WhichUpdate {
  return ({ body }) => members.every((member) => member in body);
}

/** Matches updates that send just these members. */
export function withOnly(...members: readonly Updatable[]): WhichUpdate {
  return ({ body }) => sent(body).join() === members.join();
}

/** Matches updates that send something, but not this member. */
export function without(member: Updatable): WhichUpdate {
  return ({ body }) => sent(body).length > 0 && !(member in body);
}

export const withNothing: WhichUpdate = ({ body }) => sent(body).length === 0;
export const withSomething: WhichUpdate = ({ body }) => sent(body).length > 0;
export const ofOther: WhichUpdate = ({ before }) => before.id === OTHER;

/** Where a fault shows: in what is stored and in the response, only in the response, or only in later responses. */
export type Where = 'everywhere' | 'in the response' | 'later';

/** Gives members of the user other values than the update should. A member that becomes undefined is not shown. */
export function updating(
  which: WhichUpdate,
  change: Members | ((update: Update) => Members),
  where: Where = 'everywhere',
): Behaviour {
  return replacing('applyUpdate', (apply) => (store, before, body) => {
    const after = apply(store, before, body);
    const update = { body, before, after, store };
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

/** Refuses valid updates. */
export function refusing(which: (body: UpdateUser) => boolean, status = 400): Behaviour {
  return replacing('validateUpdate', (validate) => (value) => {
    const body = validate(value);
    if (which(body)) throw new Refused(status, 'The update is not allowed.');
    return body;
  });
}

/** Whether an update sends only values that are already stored, of those that it can change. */
export function repeats(before: User, body: Body): boolean {
  return sent(body).length > 0 && sent(body).every((member) => body[member] === before[member]);
}
