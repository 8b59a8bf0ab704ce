import { without } from '../../common/json.ts';
import type { UpdateUser, User } from '../../contract/document.ts';
import { Refused, type ApiRequest, type ApiResponse, type Rules, type Store } from '../../reference-server/rules.ts';
import { defaultSeed, type Seed } from '../../reference-server/seed.ts';
import { replacing, type Replacing } from './behaviour.ts';
import { type Around, type Members, sentMembers } from './requests.ts';
import { showing as showingOther } from './responses.ts';
import { anUpdate } from './updates.ts';

/**
 * Shows users in another form than the reference server.
 *
 * @param present returns what is shown, given the user, the body of the request and the number of the response, from 1
 */
export function showing(present: (user: User, sent: UpdateUser, turn: number) => unknown): Around {
  return showingOther<User>(anUpdate, (user, { request, count }) => present(user, sentMembers(request), count));
}

/** Shows only the members of a user that are chosen. */
export function choosing(isShown: (name: string, value: unknown, sent: UpdateUser, turn: number) => boolean): Around {
  return showing((user, sent, turn) =>
    Object.fromEntries(Object.entries(user).filter(([name, value]) => isShown(name, value, sent, turn))),
  );
}

/** Shows only some members of a user. */
export function showingOnly(...members: readonly string[]): Around {
  return choosing((name) => members.includes(name));
}

/** Shows all but one member of a user. */
export function hiding(member: string): Around {
  return showing((user) => without(user, member));
}

/** Shows a user with some members added or replaced. */
export function adding(members: (user: User, turn: number) => Members): Around {
  return showing((user, _sent, turn) => ({ ...user, ...members(user, turn) }));
}

/** Stores texts in another form. */
export function storing(member: 'name' | 'email', change: (text: string) => string): Replacing {
  return replacing('applyUpdate', (apply) => (store, user, update) => {
    const text = update[member];
    return apply(store, user, text === undefined ? update : { ...update, [member]: change(text) });
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

/** The default seed with other keys. */
export function keys(admin: string, restricted: string): { seed: Seed } {
  return { seed: { ...defaultSeed, keys: { admin, restricted } } };
}

/** The default seed with other banners. */
export function banners(all: readonly Members[]): { seed: Seed } {
  return { seed: { ...defaultSeed, banners: all as unknown as Seed['banners'] } };
}

/** Responds to some requests instead of the reference server. */
export function responding(
  respond: (request: ApiRequest, rules: Rules, store: Store) => ApiResponse | undefined,
): Around {
  return {
    around: (handle, store, rules) => (request) => {
      try {
        return respond(request, rules, store) ?? handle(request);
      } catch (error) {
        if (error instanceof Refused) return rules.refuse(error.status, error.message);
        throw error;
      }
    },
  };
}

/** Rewrites the JSON text of every body. */
export function writing(rewrite: (text: string) => string): Replacing {
  return replacing('serialize', (serialize) => (body) => {
    const { content, contentType } = serialize(body);
    return { content: rewrite(content.toString()), contentType };
  });
}
