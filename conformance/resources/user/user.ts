import type { UpdatedResource } from '../resource.ts';
import { originals, seen, shownUser, lastShown, stored } from './state.ts';
import { LASTING_MEMBERS, UNTOUCHED_MEMBERS, UPDATABLE } from './members.ts';
import { compareMember } from './comparison.ts';

/** The members that may stand in place of an id. */
const IN_PATHS: readonly string[] = ['username', 'email'];

/** The users: nothing reads them but the update. */
export const users: UpdatedResource = {
  id: 'user',
  members: [...UPDATABLE, ...LASTING_MEMBERS],
  updatable: UPDATABLE,
  untouched: UNTOUCHED_MEMBERS,
  compare: compareMember,
  shownIn: shownUser,
  seen,
  originals,
  stored: (history, isClean) => {
    const username = lastShown(history, 'username');
    const all = {
      ...Object.fromEntries(UPDATABLE.map((member) => [member, stored(history, member)])),
      ...(username.kind === 'shown' && { username: username.value }),
    };
    return Object.fromEntries(
      Object.entries(all).filter(([member, value]) => !IN_PATHS.includes(member) || isClean(value)),
    );
  },
};
