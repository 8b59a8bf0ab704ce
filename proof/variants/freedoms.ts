import { without } from '../../common/json.ts';
import type { UpdateUser, User } from '../../contract/document.ts';
import { Refused, type ApiRequest, type ApiResponse, type Rules, type Store } from '../../reference-server/rules.ts';
import { defaultSeed, type Seed } from '../../reference-server/seed.ts';
import { replacing, type Behaviour, type Replacing } from '../servers/behaviour.ts';
import { type Around, type Members, sentMembers } from '../defects/requests.ts';
import { showing as showingOther, textsAs } from '../defects/responses.ts';
import { anUpdate } from '../defects/update-user/updates.ts';
import { type Table, about } from '../table.ts';
import type { WrittenVariant } from '../variant.ts';

/**
 * Shows users in another form than the reference server.
 *
 * @param present returns what is shown, given the user, the body of the request and the number of the response, from 1
 */
export function showing(present: (user: User, sent: UpdateUser, turn: number) => unknown): Around {
  return showingOther<User>(anUpdate, (user, { request, count }) => present(user, sentMembers(request), count));
}

/** Shows only some members of a user. */
export function showingOnly(...members: readonly string[]): Around {
  return showing((user) => Object.fromEntries(Object.entries(user).filter(([member]) => members.includes(member))));
}

/** Shows all but one member of a user. */
export function hiding(member: string): Around {
  return showing((user) => without(user, member));
}

/** Shows a user with some members added or replaced. */
export function adding(members: (user: User) => Members): Around {
  return showing((user) => ({ ...user, ...members(user) }));
}

/** Stores values other than those that were sent. */
export function storing(change: (update: UpdateUser) => UpdateUser): Replacing {
  return replacing('applyUpdate', (apply) => (store, user, update) => apply(store, user, change(update)));
}

/** The default seed with replaced members of both users; an undefined member is omitted. */
export function usersWith(change: Members | ((user: User, index: number) => Members)): { seed: Seed } {
  const users = defaultSeed.users.map((user, index) => {
    const members = Object.entries<unknown>({
      ...user,
      ...(typeof change === 'function' ? change(user, index) : change),
    });
    return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as unknown as User;
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
export function answering(
  answer: (request: ApiRequest, rules: Rules, store: Store) => ApiResponse | undefined,
): Around {
  return {
    around: (handle, store, rules) => (request) => {
      try {
        return answer(request, rules, store) ?? handle(request);
      } catch (error) {
        if (error instanceof Refused) return rules.refuse(error.status, error.message);
        throw error;
      }
    },
  };
}

/** Sends a string body unchanged, as HTML; all others as JSON. */
export const htmlTexts = textsAs('text/html');

/** Rewrites the JSON text of every body. */
export function writing(rewrite: (text: string) => string): Replacing {
  return replacing('serialize', (serialize) => (body) => {
    const { content, contentType } = serialize(body);
    return { content: rewrite(content.toString()), contentType };
  });
}

/** Variants whose users cannot be restored, as what they were is not shown or no longer taken. */
export function unrestored(ids: readonly string[], table: Table<Behaviour>, frame?: string): WrittenVariant[] {
  return about(ids, table, frame).map((variant) => ({ ...variant, notRestored: true }));
}
