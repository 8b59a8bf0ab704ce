import type { User } from '../../../contract/document.ts';
import { UPDATABLE, type Updatable } from '../../../conformance/target/user.ts';
import { Refused, type Store } from '../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../behaviour.ts';
import { isTo } from '../requests.ts';
import { type WhichResponse, success } from '../responses.ts';

export const isUpdate = isTo('updateUser');
/** Matches updates that were accepted. */
export const anUpdate = success('updateUser');

/** Matches some of the updates that were accepted. */
export function updateWhere(which: WhichResponse): WhichResponse {
  return (answered) => anUpdate(answered) && which(answered);
}

export type Members = Record<string, unknown>;
export type Body = Readonly<Partial<Record<Updatable, unknown>>>;

/** The members of a body that an update can send. */
export function sent(update: Body): Updatable[] {
  return UPDATABLE.filter((member) => member in update);
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

/** Where a fault shows: in what is stored and in the response, only in the response, or only in later responses. */
export type Where = 'everywhere' | 'in the response' | 'later';

/** Gives members of the user other values than the update should. A member that becomes undefined is not shown. */
export function updating(
  which: WhichUpdate,
  change: (update: Update) => Members,
  where: Where = 'everywhere',
): Behaviour {
  return replacing('applyUpdate', (apply) => (store, before, body) => {
    const after = apply(store, before, body);
    const update = { body, before, after, store };
    if (!which(update)) return after;
    const wrong = { ...after, ...change(update) };
    if (where !== 'in the response') store.users.set(before.id, wrong);
    return where === 'later' ? after : wrong;
  });
}

/** Refuses valid updates. */
export function refusing(which: (body: Body) => boolean, message: string, status = 400): Behaviour {
  return replacing('validateUpdate', (validate) => (value) => {
    const body = validate(value);
    if (which(body)) throw new Refused(status, message);
    return body;
  });
}
