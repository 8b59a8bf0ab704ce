import { responseSchemaOf } from '../../contract/document.ts';
import { type Exchange, objectBody } from '../http/exchange.ts';
import { acrossOperations, type Check, controlsOf, type OwnCheck } from '../judging/check.ts';
import type { Evidence } from '../judging/evidence.ts';
import { anyBlockedOrUnsent, distinctBodies, failed, notApplicable, passed, successes } from '../judging/outcomes.ts';
import { operations } from '../operations/index.ts';
import { shownIdCheck } from './shown-id.ts';

/** The operations whose 200 shows a user. */
const SHOWING = operations.filter(({ id }) => responseSchemaOf(id) === 'createUserResponseSchema');
const IDS = SHOWING.map(({ id }) => id);

function userBodyCheck(given: Omit<OwnCheck, 'needs'>): Check {
  return acrossOperations(controlsOf(SHOWING), { area: 'user', level: 'must', ...given });
}

/** The 200 responses of the run that should show a user. */
function shownUsers(evidence: Evidence): Exchange[] {
  return distinctBodies(IDS.flatMap((id) => successes(evidence, id)));
}

const isObject = userBodyCheck({
  id: 'user-is-object',
  requirements: ['user.object'],
  title: 'The body of a 200 response about a user is a user object',
  failureModes: {
    'not-an-object': 'A response about a user is not a JSON object. Respond with the user as an object.',
    wrapped: 'The user is inside a member of the body. Respond with the user itself, without an envelope.',
  },
  judge: (evidence) => {
    const all = shownUsers(evidence);
    const readable = all.filter(({ response }) => response?.json.ok);
    const bodies = readable.length > 0 ? readable : all;
    for (const exchange of bodies) {
      const { json, text } = exchange.response ?? {};
      const body = objectBody(exchange);
      if (!body) {
        const isJson = json?.ok === true;
        const actual = isJson ? json.value : (text ?? '');
        const message = isJson ? 'The 200 body is JSON, but not an object.' : 'No 200 body can be read.';
        const failure = { mode: 'not-an-object', expected: 'an object with an id', actual, message };
        return { ...failed(failure, exchange), restsOn: isJson ? [] : SHOWING.map(({ shown }) => `json-${shown}`) };
      }
      if (Object.hasOwn(body, 'id')) continue;
      const inner = Object.entries(body).find(
        ([name, value]) => typeof value === 'object' && value !== null && 'id' in value && name !== 'rootRole',
      );
      if (inner) {
        const message = `The user is in the member ${JSON.stringify(inner[0])} of the body; the body itself must be the user.`;
        return failed(
          { mode: 'wrapped', expected: 'the user itself', actual: body, pointer: `/${inner[0]}`, message },
          exchange,
        );
      }
    }
    if (bodies.length === 0) return anyBlockedOrUnsent(evidence, IDS, 'no such request got the response 200');
    return passed(bodies.slice(0, 1));
  },
});

/** Some servers show an empty text where there is none. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

const uniqueUsername: Check = {
  ...userBodyCheck({
    id: 'user-username-unique',
    requirements: ['user.username-unique'],
    title: 'The two users that the operator named do not show the same `username`',
    restsOn: [shownIdCheck.id],
    failureModes: { 'same-username': 'Two users have the same `username`. Give each user its own.' },
    judge: (evidence) => {
      const shown = (['user', 'other-user'] as const).map((subject) =>
        evidence.history(subject).find((exchange) => isText(objectBody(exchange)?.username)),
      );
      const [first, second] = shown;
      if (!first || !second) {
        if (evidence.history('user').length === 0) return anyBlockedOrUnsent(evidence, IDS, 'no update was accepted');
        return notApplicable('the target does not show a `username` of both users');
      }
      const [one, other] = [objectBody(first)?.username, objectBody(second)?.username];
      if (one !== other) return passed([first, second]);
      const message = `Both users have the username ${JSON.stringify(one)}.`;
      return failed(
        { mode: 'same-username', expected: 'another username', actual: one, pointer: '/username', message },
        first,
        second,
      );
    },
  }),
  needs: ['adminKey', 'userId', 'otherUserId'],
};

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

const noSecrets = userBodyCheck({
  level: 'should',
  id: 'user-no-secrets',
  requirements: ['user.no-secrets'],
  title: 'No response shows a password or a hash of one',
  failureModes: {
    'secret-shown': 'A response shows the password of a user, or the hash or salt of one. Leave it out.',
  },
  judge: (evidence) => {
    const bodies = shownUsers(evidence).filter((exchange) => objectBody(exchange));
    for (const exchange of bodies) {
      const pointer = findSecret(objectBody(exchange));
      if (pointer === undefined) continue;
      const message = `The user has a secret at ${pointer}.`;
      return failed(
        { mode: 'secret-shown', expected: 'no such member', actual: 'a secret', pointer, message },
        exchange,
      );
    }
    if (bodies.length === 0) return anyBlockedOrUnsent(evidence, IDS, 'no response showed a user');
    return passed(bodies.slice(0, 1));
  },
});

/** What every user in a 200 response must look like, beside its members. Source: Resources, User. */
export const userSchemaChecks: readonly Check[] = [isObject, uniqueUsername, noSecrets];
