import { type JsonObject, rememberingEach } from '../../../common/json.ts';
import { ABSENT, type Exchange, inWords, objectBody } from '../../http/exchange.ts';
import type { Notes } from '../../model/facts.ts';
import type { View } from '../../model/recording/view.ts';
import { aspect, type JudgedOperation } from '../../model/responses.ts';
import type { ShownCheck } from '../../traffic/operation.ts';

/** Members whose value is a secret, by their names. */
const SECRET_NAME = /^(hashed_?)?(password|passwd|pwd|passphrase)(_?(hash|digest|salt))?$|^(secret|salt)$/i;
/** What functions for storing passwords make: bcrypt, scrypt, argon2, PBKDF2, crypt. */
const PASSWORD_HASH =
  /^(\$(2[abxy]?|argon2(id|i|d)|scrypt|s0|pbkdf2[\w-]*|[156y]|md5)\$.{8,}|\{(S?SHA|SSHA\d+|CRYPT)\}.{8,}|(pbkdf2_|bcrypt_|argon2)\w*\$.{8,})$/i;

/** The JSON pointer of the first secret in a value. */
function findSecret(value: unknown, pointer = ''): string | undefined {
  if (typeof value === 'string') return PASSWORD_HASH.test(value) ? pointer : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, child] of Object.entries(value)) {
    const isSecret = typeof child === 'string' && /[^*\u2022]/.test(child) && SECRET_NAME.test(name);
    const found = isSecret ? `${pointer}/${name}` : findSecret(child, `${pointer}/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Judges that an accepted response shows a user, and no secret. Source: Resources, User. */
function judgeUserBody(x: Exchange, _view: View, notes: Notes): boolean {
  const own = { x, checks: ['user-is-object'], requirements: ['user.object'] };
  const body = objectBody(x);
  if (!body) {
    const actual = x.response?.json.ok ? x.response.json.value : x.response?.text;
    const message = 'The 200 body is JSON, but not an object.';
    notes.deviates({ kind: 'shape', ...own, mode: 'not-an-object', expected: 'an object with an id', actual, message });
    return false;
  }
  const inner = Object.hasOwn(body, 'id')
    ? undefined
    : Object.entries(body).find(
        ([name, value]) => typeof value === 'object' && value !== null && 'id' in value && name !== 'rootRole',
      );
  if (inner) {
    const message = `The user is in the member ${inWords(inner[0])} of the body; the body itself must be the user.`;
    notes.deviates({
      kind: 'shape',
      ...own,
      mode: 'wrapped',
      expected: 'the user itself',
      actual: body,
      pointer: '',
      message,
    });
    return false;
  }
  notes.holds(own.checks, x);
  const pointer = findSecret(body);
  if (pointer === undefined) notes.holds(['user-no-secrets'], x);
  else {
    const secret = { x, checks: ['user-no-secrets'], requirements: ['user.no-secrets'], mode: 'secret-shown', pointer };
    notes.deviates(
      aspect({
        ...secret,
        expected: ABSENT,
        actual: '(a secret)',
        message: `The user has a secret at ${pointer}.`,
      }),
    );
  }
  return true;
}

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
