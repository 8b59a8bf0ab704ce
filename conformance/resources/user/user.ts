import type { UpdatedResource } from '../resource.ts';
import { originals, seen, shownUser, lastShown, stored } from './state.ts';
import { LASTING_MEMBERS, UNTOUCHED_MEMBERS, UPDATABLE } from './members.ts';
import { compareMember } from './comparison.ts';

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
    const isKnown = username.kind === 'shown' && isClean(username.value);
    return {
      ...Object.fromEntries(UPDATABLE.map((member) => [member, stored(history, member)])),
      ...(isKnown && { username: username.value }),
    };
  },
};
