import type { InconclusiveReason } from '../../conformance/judging/reasons.ts';
import type { UpdateUser, User } from '../../contract/document.ts';
import { Refused, type ApiRequest, type ApiResponse, type Rules, type Store } from '../../reference-server/rules.ts';
import { defaultSeed, type Seed } from '../../reference-server/seed.ts';
import { replacing, type Behaviour, type Replacing } from '../behaviour.ts';

/** Combines replacements of rules: a later one builds on the earlier ones. */
export function together(...behaviours: readonly Replacing[]): Replacing {
  return {
    replace: (rules, store) =>
      behaviours.reduce<Rules>((kept, { replace }) => ({ ...kept, ...replace(kept, store) }), rules),
  };
}

/**
 * Shows users in another form than the reference server.
 *
 * @param present returns what is shown, given the user and the body of the request
 */
export function showing(present: (user: User, sent: UpdateUser) => unknown): Replacing {
  return {
    replace: (rules) => {
      let sent: UpdateUser = {};
      return {
        applyUpdate: (store, user, update) => {
          sent = update;
          return rules.applyUpdate(store, user, update);
        },
        presentUser: (user) => present(user, sent),
      };
    },
  };
}

/** Shows only some members of a user. */
export function showingOnly(...members: readonly string[]): Replacing {
  return showing((user) => Object.fromEntries(Object.entries(user).filter(([member]) => members.includes(member))));
}

/** Shows all but some members of a user. */
export function hiding(...members: readonly string[]): Replacing {
  return showing((user) => Object.fromEntries(Object.entries(user).filter(([member]) => !members.includes(member))));
}

/** Shows a user with some members added or replaced. */
export function adding(members: (user: User) => Readonly<Record<string, unknown>>): Replacing {
  return showing((user) => ({ ...user, ...members(user) }));
}

/** Shows users depending on the number of the response, counted from 1. */
export function showingByTurn(present: (user: User, turn: number) => unknown): Replacing {
  return replacing('presentUser', () => {
    let turn = 0;
    return (user) => present(user, (turn += 1));
  });
}

/** Refuses with 400 some updates that the schema allows. `why` returns the message, or undefined to accept the update. */
export function refusing(why: (update: UpdateUser, store: Store) => string | undefined): Replacing {
  return replacing('validateUpdate', (validate, store) => (value) => {
    const update = validate(value);
    const message = why(update, store);
    if (message !== undefined) throw new Refused(400, message);
    return update;
  });
}

/** Stores values other than those that were sent. */
export function storing(change: (update: UpdateUser) => UpdateUser): Replacing {
  return replacing('applyUpdate', (apply) => (store, user, update) => apply(store, user, change(update)));
}

/** The default seed with replaced members of both users; an undefined member is omitted. */
export function usersWith(change: (user: User, index: number) => Readonly<Record<string, unknown>>): { seed: Seed } {
  const users = defaultSeed.users.map((user, index) => {
    const changed = Object.entries<unknown>({ ...user, ...change(user, index) }).filter(
      ([, value]) => value !== undefined,
    );
    return Object.fromEntries(changed) as unknown as User;
  });
  return { seed: { ...defaultSeed, users } };
}

/** The default seed with other keys. */
export function keys(admin: string, restricted: string): { seed: Seed } {
  return { seed: { ...defaultSeed, keys: { admin, restricted } } };
}

/** The default seed with other banners. */
export function banners(all: readonly Readonly<Record<string, unknown>>[]): { seed: Seed } {
  return { seed: { ...defaultSeed, banners: all as unknown as Seed['banners'] } };
}

/** Responds to some requests instead of the reference server. */
export function answering(
  answer: (request: ApiRequest, rules: Rules, store: Store) => ApiResponse | undefined,
): Required<Pick<Behaviour, 'around'>> {
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
export const htmlTexts: Replacing = replacing(
  'serialize',
  (serialize) => (body) => (typeof body === 'string' ? { content: body, contentType: 'text/html' } : serialize(body)),
);

/** Rewrites the JSON text of every body. */
export function writing(rewrite: (text: string) => string): Replacing {
  return replacing('serialize', (serialize) => (body) => {
    const { content, contentType } = serialize(body);
    return { content: rewrite(content.toString()), contentType };
  });
}

/** Checks that are inconclusive because what they judge cannot be observed. */
export function notSeen(...globs: readonly string[]): Record<string, InconclusiveReason> {
  return Object.fromEntries(globs.map((glob) => [glob, 'not-observable']));
}
