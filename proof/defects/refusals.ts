import type { ApiRequest } from '../../reference-server/rules.ts';
import { breaking, type Defect } from '../server.ts';
import type { Behaviour } from '../servers/behaviour.ts';
import { type Which, all, answered, isUpdate, not, sentId, sentMembers, withId } from '../servers/requests.ts';
import { type Act, changeUser, countsLogin, followedBy } from '../servers/responses.ts';
import { USER, validValues } from '../servers/updates.ts';

/** Stores the conforming members of the body for a user. */
const storingFor =
  (idOf: (request: ApiRequest) => number): Act =>
  ({ request, store }) =>
    changeUser(store, idOf(request), validValues(sentMembers(request)));

/** Stores them for the user whose id the path begins with. */
const storing = storingFor((request) => parseInt(sentId(request), 10));

/** Refuses as documented, and does something all the same. */
const yet = (act: Act, ...refused: readonly Which[]): Behaviour => followedBy(all(isUpdate, ...refused), act);

/** Undoes the last update when the next request for an update gets 400 or 404. */
function rollingBack(): Behaviour {
  let undo = (): void => undefined;
  return {
    around:
      (handle, { users }) =>
      (request) => {
        const before = users.get(Number(sentId(request)));
        const answer = handle(request);
        if ([400, 404].includes(answer.status)) undo();
        if (before) undo = answer.status === 200 ? () => users.set(before.id, before) : () => undefined;
        return answer;
      },
  };
}

const isInteger = withId(/^\d+$/);

/** A refused request changes a user. Source: Endpoints, PUT user, responses; Errors. */
export const refusalDefects: readonly Defect[] = breaking('update.refused-changes-nothing', {
  'refused-401-stored: It responds 401 and goes on: the update is stored': yet(storing, answered(401)),
  'refused-403-stored: It stores an update before it checks the permission': yet(storing, answered(403)),
  'refused-400-half-stored: It stores what is valid of an invalid body': yet(storing, answered(400), isInteger),
  'refused-404-stored-for-first-user: An update of a missing user is stored for the first one': yet(
    storingFor(() => USER),
    answered(404),
  ),
  'refused-404-counts-as-failed-login: An update of a missing user counts as a failed login of the first user': yet(
    countsLogin(USER),
    answered(404),
  ),
  'refused-path-id-stored-by-parse-int: A path id that is no integer is refused, but its digits find the user to update':
    yet(storing, answered(400), not(isInteger), withId(/^\d/)),
  'refused-400-rolls-last-update-back: All requests share a session, whose last update is committed by the next one that succeeds':
    rollingBack(),
});
