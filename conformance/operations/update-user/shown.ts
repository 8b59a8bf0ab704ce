import { type JsonObject, rememberingEach } from '../../../common/json.ts';
import { objectBody } from '../../http/exchange.ts';
import type { JudgedOperation } from '../../model/responses.ts';
import type { ShownCheck } from '../../traffic/operation.ts';
import { judgeUserBody } from './body.ts';

/** What is judged of an object is remembered for this list. */
const shownObjects = rememberingEach((value: JsonObject) => [{ value, pointer: '' }]);

/** What an operation shows whose 200 body is a user. Source: Resources, User. */
export const showingUser: Pick<JudgedOperation, 'shows' | 'judgeBody'> = {
  shows: {
    object: 'user',
    resource: 'user',
    schema: 'createUserResponseSchema',
    objects: (exchange) => {
      const value = objectBody(exchange);
      return value && shownObjects(value);
    },
  },
  judgeBody: judgeUserBody,
};

/** What every user in a 200 response must look like, beside its members. Source: Resources, User; Endpoints, PUT user. */
export const shownUserChecks: readonly ShownCheck[] = [
  {
    id: 'update-answer-id',
    area: 'update',
    isAddressed: true,
    requirements: ['update.id-matches-path'],
    title: 'The `id` in the response is the id in the path',
    failureModes: {
      'other-id': 'The `id` in the response is not the id in the path. Respond with the user that the path names.',
      'id-from-body': 'The `id` in the response is one that an update sent. Take no `id` from a body.',
    },
  },
  {
    id: 'user-is-object',
    requirements: ['user.object'],
    title: 'The body of a 200 response about a user is a user object',
    failureModes: {
      'not-an-object': 'A response about a user is not a JSON object. Respond with the user as an object.',
      wrapped: 'The user is inside a member of the body. Respond with the user itself, without an envelope.',
    },
  },
  {
    id: 'user-username-unique',
    needs: ['adminKey', 'userId', 'otherUserId'],
    requirements: ['user.username-unique'],
    title: 'The two users that the operator named do not show the same `username`',
    failureModes: { 'same-username': 'Two users have the same `username`. Give each user its own.' },
  },
  {
    id: 'user-no-secrets',
    level: 'should',
    requirements: ['user.no-secrets'],
    title: 'No response shows a password or a hash of one',
    failureModes: {
      'secret-shown': 'A response shows the password of a user, or the hash or salt of one. Leave it out.',
    },
  },
];
