import { UPDATABLE } from '../../conformance/engine/compare.ts';
import { breaking, type Defect } from '../server.ts';
import type { Behaviour } from '../servers/behaviour.ts';
import {
  type Members,
  type Which,
  all,
  answered,
  not,
  sends,
  sentId,
  sentMembers,
  withId,
} from '../servers/requests.ts';
import { type Act, changes, countsLogin, followedBy } from '../servers/responses.ts';
import { USER, isUpdate } from '../servers/updates.ts';

/** The members of a body that conform. */
function validMembers(members: Members): Members {
  const conforms = (member: string, value: unknown): boolean =>
    member === 'rootRole' ? Number.isInteger(value) : typeof value === 'string';
  const names = UPDATABLE.filter((member) => conforms(member, members[member]));
  return Object.fromEntries(names.map((member) => [member, members[member]]));
}

/** Stores the conforming members of the body, or only some of them, for a user. */
function storingFor(id: number, only: readonly string[] = UPDATABLE): Act {
  return changes(id, (_user, { request }) => {
    const members = Object.entries(validMembers(sentMembers(request)));
    return Object.fromEntries(members.filter(([member]) => only.includes(member)));
  });
}

/** Stores them for the user whose id the path begins with. */
function storing(...only: readonly string[]): Act {
  return (asked) => storingFor(parseInt(sentId(asked.request), 10), only.length > 0 ? only : UPDATABLE)(asked);
}

/** Refuses as documented, and does something all the same. */
const yet = (refused: Which, act: Act): Behaviour => followedBy(all(isUpdate, refused), act);

const isInteger = withId(/^\d+$/);
const no = (status: number, ...which: readonly Which[]): Which => all(answered(status), ...which);
const invalid = (...which: readonly Which[]): Which => no(400, isInteger, ...which);

/** Stores the e-mail address of a request without the permission when 60 more requests have come: from a queue. */
const storedLater: Behaviour = {
  around: (handle, store) => {
    let count = 0;
    const queue: { readonly at: number; readonly email: string }[] = [];
    return (request) => {
      count += 1;
      const [next] = queue;
      if (next && next.at <= count) {
        changes(USER, { email: next.email })({ store });
        queue.shift();
      }
      const answer = handle(request);
      const { email } = sentMembers(request);
      if (typeof email === 'string' && isUpdate({ request }) && answer.status === 403 && sentId(request) === '1')
        queue.push({ at: count + 60, email });
      return answer;
    };
  },
};

/** A refused request changes a user. Source: Endpoints, PUT user, responses; Errors. */
export const refusalDefects: readonly Defect[] = breaking('update.refused-changes-nothing', {
  'refused-401-stored: The server stores an update before it looks at the key': yet(answered(401), storing()),
  'refused-401-stores-role: The server stores a role before it looks at the key': yet(
    no(401, sends('rootRole')),
    storing('rootRole'),
  ),
  'refused-403-stored: The server stores an update before it checks the permission': yet(answered(403), storing()),
  'refused-400-half-stored: The server stores the valid members of an invalid body': yet(invalid(), storing()),
  'refused-404-stored-for-first-user: An update of a missing user gets 404, but is stored for the first user': yet(
    answered(404),
    storingFor(USER),
  ),
  'refused-404-counts-as-failed-login: An update of a missing user counts as a failed login of the first user': yet(
    answered(404),
    countsLogin(USER),
  ),
  'refused-path-id-stored-by-parse-int: A path id that is no integer is refused, but the update is stored for the user whose id it begins with':
    yet(no(400, not(isInteger), withId(/^\d/)), storing()),
  'refused-email-stored-later: An update without the permission is put into a queue all the same': storedLater,
});
