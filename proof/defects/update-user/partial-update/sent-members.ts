import type { User } from '../../../../contract/document.ts';
import { UPDATABLE } from '../../../../conformance/target/user.ts';
import { replacing, type Behaviour } from '../../../behaviour.ts';
import type { WrittenDefect } from '../../../defect.ts';
import { type Table, breaking, tableOf } from '../../../table.ts';
import { changes } from '../../responses.ts';
import { type Body, asBefore, sent, updating, withAll, withSomething } from '../updates.ts';
import { SHAPES, type Shape, membersOf, shortOf, withShape, words } from './shapes.ts';

const STORED = 'update.sent-fields-change';
const SHOWN = 'update.answer-shows-user';

function notStored(shapes: readonly Shape[], table: Table<Behaviour>, frame?: string): WrittenDefect[] {
  return breaking([STORED], frame)(table);
}

function notShown(shapes: readonly Shape[], table: Table<Behaviour>, frame?: string): WrittenDefect[] {
  return breaking([SHOWN], frame)(table);
}

const effects: readonly WrittenDefect[] = SHAPES.flatMap((shape) => {
  const update = `an update of ${words(shape)}`;
  const which = withShape(shape);
  const stored = {
    [`not-stored: The server echoes ${update}, but does not store it.`]: updating(which, asBefore, 'later'),
    ...tableOf(
      membersOf(shape).length > 1 ? membersOf(shape) : [],
      (member) => `passes-over-${shortOf(member)}: The server ignores \`${member}\` in ${update}.`,
      (member) => updating(which, ({ before }) => ({ [member]: before[member] })),
    ),
  };
  const old = `answered-with-old-user: The response to ${update} shows the user as it was before.`;
  const shown = { [old]: updating(which, asBefore, 'in the response') };
  const frame = `${shape}-update-*: *`;
  return [...notStored([shape], stored, frame), ...notShown([shape], shown, frame)];
});

/** Stores the effect of an update only when so many later ones have come. */
function storingLate(late: number): Behaviour {
  return replacing('applyUpdate', (apply) => {
    const pending: (() => void)[] = [];
    return (store, before, body) => {
      const after = apply(store, before, body);
      if (sent(body).length === 0) return after;
      store.users.set(before.id, before);
      pending.push(() => {
        changes(before.id, Object.fromEntries(known(body)))({ store });
      });
      if (pending.length > late) pending.shift()?.();
      return after;
    };
  });
}

/** Reverts an update of a user with the next request for that user. */
function rollingBack(which: (body: Body) => boolean): Behaviour {
  return {
    replace: (rules, store) => {
      const pending = new Map<number, User>();
      return {
        findUser: (users, id) => {
          const before = pending.get(id);
          if (before) store.users.set(id, before);
          pending.delete(id);
          return rules.findUser(users, id);
        },
        applyUpdate: (users, before, body) => {
          if (which(body)) pending.set(before.id, before);
          return rules.applyUpdate(users, before, body);
        },
      };
    },
  };
}

/** Shows users from a cache that some updates do not refresh. */
function cachedUnless(renews: (body: Body) => boolean): Behaviour {
  return replacing('applyUpdate', (apply) => {
    const cache = new Map<number, User>();
    return (store, before, body) => {
      const after = apply(store, before, body);
      const shown = cache.get(before.id) ?? before;
      if (sent(body).length === 0) return shown;
      cache.set(before.id, renews(body) ? after : shown);
      return after;
    };
  });
}

/** The members that an update can send, in the order of the body. */
function known(body: Body): [string, unknown][] {
  return Object.entries(body).filter(([member]) => UPDATABLE.some((each) => each === member));
}

/** What an update sends is not stored or not shown. */
export const sentMembersDefects: readonly WrittenDefect[] = [
  ...effects,
  ...notStored(['name', 'email'], {
    'update-echoes-only: The server echoes every update and stores none.': updating(withSomething, asBefore, 'later'),
    'update-rolled-back-by-next-request: The server does not commit an update; the next request for the user rolls it back.':
      rollingBack((body) => sent(body).length > 0),
  }),
  ...notStored(['name'], {
    'update-cuts-name: The server cuts a name after 12 characters.': updating(withAll('name'), ({ after }) => ({
      name: String(after.name).slice(0, 12),
    })),
    'update-stored-late: The server stores an update only after fifty later ones.': storingLate(50),
  }),
  ...notStored(['name-role'], {
    'role-echoed-and-never-stored: The server echoes a role, but never stores it.': updating(
      withAll('rootRole'),
      ({ before }) => ({ rootRole: before.rootRole }),
      'later',
    ),
    'role-update-rolled-back-by-next-request: The server does not commit an update with a role; the next request for the user rolls it back.':
      rollingBack((body) => 'rootRole' in body),
  }),
  ...notStored(['role'], {
    'update-stores-next-role: The server stores a role as an index that counts from 0.': updating(
      withAll('rootRole'),
      ({ after }) => ({ rootRole: Number(after.rootRole) - 1 }),
    ),
  }),
  ...notStored(['email'], {
    'email-update-does-not-renew-cache: The server shows users from a cache that updates without a name do not refresh.':
      cachedUnless((body) => 'name' in body),
    'update-never-changes-email: The server accepts an e-mail address, but never changes it.': updating(
      withAll('email'),
      ({ before }) => ({ email: before.email }),
    ),
  }),
  ...notStored(['name-email'], {
    'update-applies-first-member-only: The server stores only the first member of a body.': updating(
      withSomething,
      ({ body, before }) => ({ ...before, ...Object.fromEntries(known(body).slice(0, 1)) }),
    ),
    'update-swaps-name-and-email: If both are sent, the server stores the name as the e-mail address and the address as the name.':
      updating(withAll('name', 'email'), ({ after }) => ({ name: after.email, email: String(after.name) })),
  }),
  ...notShown(['name', 'role'], {
    'update-answers-with-old-user: The response to an update shows the user as it was before.': updating(
      withSomething,
      asBefore,
      'in the response',
    ),
  }),
  ...notShown(['email'], {
    'update-masks-email-in-answer: The response to an update masks the e-mail address that was sent.': updating(
      withAll('email'),
      ({ after }) => ({ email: String(after.email).replace(/^(.).*@/, '$1***@') }),
      'in the response',
    ),
  }),
  ...breaking(['update.empty-body-changes-nothing'])({
    'update-does-not-renew-cache: The response to `{}` shows the user from a cache that updates do not refresh.':
      cachedUnless(() => false),
  }),
  ...breaking([STORED, 'update.other-members-keep'])({
    'update-stores-name-as-username: The server stores the name as the username.': updating(
      withAll('name'),
      ({ before, body }) => ({ name: before.name, username: body.name }),
    ),
  }),
];
