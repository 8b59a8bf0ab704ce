import type { User } from '../../../../contract/document.ts';
import { UPDATABLE, type Updatable } from '../../../../conformance/target/user.ts';
import { replacing, type Behaviour } from '../../../behaviour.ts';
import type { WrittenDefect } from '../../../defect.ts';
import { breaking } from '../../../table.ts';
import { sent } from '../updates.ts';

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
    const others = new Map(users);
    const swap = (): void => {
      const own = [...users];
      users.clear();
      for (const [id, user] of others) users.set(id, user);
      others.clear();
      for (const [id, user] of own) others.set(id, user);
    };
    return (request) => {
      swap();
      return handle(request);
    };
  },
};

/** Updates are lost with others that come before or after them. */
export const sequencesDefects: readonly WrittenDefect[] = [
  ...breaking(['update.earlier-updates-keep'])({
    'name-takes-email-back: A new name right after a new e-mail address reverts the address.': takingBack(
      after('email', 'name'),
    ),
    'email-takes-name-back: A new e-mail address right after a new name reverts the name.': takingBack(
      after('name', 'email'),
    ),
  }),
  ...breaking(['update.earlier-updates-keep'])({
    'name-takes-role-back: A new name right after a new role reverts the role.': takingBack(after('rootRole', 'name')),
  }),
  ...breaking(['update.sent-fields-change'])({
    'processes-share-no-users: Requests reach two processes in turn, each with users of its own.': ofTwoProcesses,
  }),
  ...breaking(['update.earlier-updates-keep', 'update.unsent-fields-keep'])({
    'update-starts-from-stale-copy: An update starts from a stale copy and so reverts the update right before it.':
      takingBack((previous, now) => previous !== '' && now !== ''),
  }),
];
