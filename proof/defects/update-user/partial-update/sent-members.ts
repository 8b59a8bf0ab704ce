import type { User } from '../../../../contract/document.ts';
import { UPDATABLE, type Updatable, isUpdatable } from '../../../../conformance/resources/user/members.ts';
import { replacing, type Behaviour } from '../../../servers/behaviour.ts';
import type { WrittenDefect } from '../../../defect.ts';
import { breaking, tableOf } from '../../../table.ts';
import { type Body, asBefore, sent, updating, withAll, withSomething } from '../updates.ts';
import { SHAPES, membersOf, shortOf, withShape, words } from './shapes.ts';

const STORED = 'update.sent-fields-change';
const SHOWN = 'update.answer-shows-user';

const effects: readonly WrittenDefect[] = SHAPES.flatMap((shape) => {
  const update = `an update of ${words(shape)}`;
  const which = withShape(shape);
  const stored = {
    [`not-stored: echoes ${update}, but does not store it`]: updating(which, asBefore, 'later'),
    ...tableOf(
      membersOf(shape).length > 1 ? membersOf(shape) : [],
      (member) => `passes-over-${shortOf(member)}: ignores \`${member}\` in ${update}`,
      (member) => updating(which, ({ before }) => ({ [member]: before[member] })),
    ),
  };
  const old = `answered-with-old-user: The response to ${update} shows the user as it was before.`;
  const shown = { [old]: updating(which, asBefore, 'in the response') };
  const frame = `${shape}-update-*: *`;
  return [...breaking(STORED, stored, frame), ...breaking(SHOWN, shown, frame)];
});

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

interface Previous {
  readonly shape: string;
  readonly before: User;
}

/** Reverts what the previous update stored if the two have these bodies. */
function takingBack(which: (previous: string, now: string) => boolean): Behaviour {
  return replacing('applyUpdate', (apply) => {
    const previous = new Map<number, Previous>();
    return (store, user, body) => {
      const after = apply(store, user, body);
      const shape = sent(body).join();
      const last = previous.get(user.id);
      previous.set(user.id, { shape, before: user });
      if (!last || !which(last.shape, shape)) return after;
      const lost = UPDATABLE.filter((member) => !(member in body));
      const wrong = { ...after, ...Object.fromEntries(lost.map((member) => [member, last.before[member]])) };
      store.users.set(user.id, wrong);
      return wrong;
    };
  });
}

/** Whether the previous and this update send just these members. */
function after(previous: Updatable, now: Updatable): (previous: string, now: string) => boolean {
  return (before, here) => before === previous && here === now;
}

/** Lets requests reach two processes in turn, each with users of its own. */
const ofTwoProcesses: Behaviour = {
  around: (handle, { users }) => {
    let others = [...users];
    return (request) => {
      const own = [...users];
      users.clear();
      for (const [id, user] of others) users.set(id, user);
      others = own;
      return handle(request);
    };
  },
};

/** What an update sends is not stored, not shown, or lost with others that come before or after it. */
export const sentMembersDefects: readonly WrittenDefect[] = [
  ...effects,
  ...breaking(STORED, {
    'processes-share-no-users: Requests reach two processes in turn, each with users of its own.': ofTwoProcesses,
    'update-echoes-only: echoes every update and stores none': updating(withSomething, asBefore, 'later'),
    'update-rolled-back-by-next-request: does not commit an update; the next request for the user rolls it back':
      rollingBack((body) => sent(body).length > 0),
    'update-cuts-name: cuts a name after 12 characters': updating(withAll('name'), ({ after }) => ({
      name: String(after.name).slice(0, 12),
    })),
    'role-echoed-and-never-stored: echoes a role, but never stores it': updating(
      withAll('rootRole'),
      ({ before }) => ({ rootRole: before.rootRole }),
      'later',
    ),
    'update-applies-first-member-only: stores only the first member of a body': updating(
      withSomething,
      ({ body, before }) => ({
        ...before,
        ...Object.fromEntries(
          Object.entries(body)
            .filter(([member]) => isUpdatable(member))
            .slice(0, 1),
        ),
      }),
    ),
  }),
  ...breaking(SHOWN, {
    'update-answers-with-old-user: The response to an update shows the user as it was before.': updating(
      withSomething,
      asBefore,
      'in the response',
    ),
    'update-masks-email-in-answer: The response to an update masks the e-mail address that was sent.': updating(
      withAll('email'),
      ({ after }) => ({ email: String(after.email).replace(/^(.).*@/, '$1***@') }),
      'in the response',
    ),
  }),
  ...breaking('update.empty-body-changes-nothing', {
    'update-does-not-renew-cache: The response to `{}` shows the user from a cache that updates do not refresh.':
      cachedUnless(() => false),
  }),
  ...breaking([STORED, 'update.other-members-keep'], {
    'update-stores-name-as-username: stores the name as the username': updating(
      withAll('name'),
      ({ before, body }) => ({ name: before.name, username: body.name }),
    ),
  }),
  ...breaking('update.earlier-updates-keep', {
    'name-takes-email-back: A new name right after a new e-mail address reverts the address.': takingBack(
      after('email', 'name'),
    ),
    'name-takes-role-back: A new name right after a new role reverts the role.': takingBack(after('rootRole', 'name')),
  }),
  ...breaking(['update.earlier-updates-keep', 'update.unsent-fields-keep'], {
    'update-starts-from-stale-copy: An update starts from a stale copy and so reverts the update right before it.':
      takingBack((previous, now) => previous !== '' && now !== ''),
  }),
];
