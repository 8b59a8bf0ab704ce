import { responseSchemaOf } from '../../contract/document.ts';
import { acrossOperations, type Check, controlsOf, type OwnCheck } from '../model/check.ts';
import { operations } from '../operations/index.ts';
import { hasPathId } from '../resources/requests.ts';
import { SHOWN_ID_CHECK } from '../resources/user/user.ts';

/** The operations whose 200 shows a user. */
const SHOWING = operations.filter(({ id }) => responseSchemaOf(id) === 'createUserResponseSchema');

function userBodyCheck(given: Omit<OwnCheck, 'needs'>): Check {
  return acrossOperations(controlsOf(SHOWING), { area: 'user', level: 'must', alongside: 'all', ...given });
}

/** What every user in a 200 response must look like, beside its members. Source: Resources, User; Endpoints, PUT user. */
export const userChecks: readonly Check[] = [
  acrossOperations(controlsOf(SHOWING.filter(({ id }) => hasPathId(id))), {
    id: SHOWN_ID_CHECK,
    alongside: 'all',
    area: 'update',
    level: 'must',
    requirements: ['update.id-matches-path'],
    title: 'The `id` in the response is the id in the path',
    failureModes: {
      'other-id': 'The `id` in the response is not the id in the path. Respond with the user that the path names.',
      'id-from-body': 'The `id` in the response is one that an update sent. Take no `id` from a body.',
    },
  }),
  userBodyCheck({
    id: 'user-is-object',
    requirements: ['user.object'],
    title: 'The body of a 200 response about a user is a user object',
    failureModes: {
      'not-an-object': 'A response about a user is not a JSON object. Respond with the user as an object.',
      wrapped: 'The user is inside a member of the body. Respond with the user itself, without an envelope.',
    },
  }),
  {
    ...userBodyCheck({
      id: 'user-username-unique',
      requirements: ['user.username-unique'],
      title: 'The two users that the operator named do not show the same `username`',
      failureModes: { 'same-username': 'Two users have the same `username`. Give each user its own.' },
    }),
    needs: ['adminKey', 'userId', 'otherUserId'],
  },
  userBodyCheck({
    level: 'should',
    id: 'user-no-secrets',
    requirements: ['user.no-secrets'],
    title: 'No response shows a password or a hash of one',
    failureModes: {
      'secret-shown': 'A response shows the password of a user, or the hash or salt of one. Leave it out.',
    },
  }),
];
