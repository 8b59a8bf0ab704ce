import { type Exchange, inWords, objectBody } from '../../http/exchange.ts';
import type { Notes } from '../../model/facts.ts';
import type { View } from '../../model/recording/view.ts';
import { aspect } from '../../model/responses.ts';

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
export function judgeUserBody(x: Exchange, _view: View, notes: Notes): boolean {
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
      pointer: `/${inner[0]}`,
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
        expected: 'no such member',
        actual: 'a secret',
        message: `The user has a secret at ${pointer}.`,
      }),
    );
  }
  return true;
}
