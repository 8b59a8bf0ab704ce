import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../common/json.ts';

/** What a comparison of two values gives; `unclear` where the contract does not say what counts as equal. */
export type Comparison = 'same' | 'different' | 'unclear';

/**
 * Whether two values name the same role. Roles come as integers or as objects (ruling on `rootRole`); an object with an `id`
 * is compared by it. Other ids in other forms may still mean the same role: what the members of the object are is not shown.
 */
export function compareRoles(left: unknown, right: unknown): Comparison {
  if (isDeepStrictEqual(left, right)) return 'same';
  const idOf = (role: unknown): unknown => (isRecord(role) ? role.id : role);
  const [leftId, rightId] = [idOf(left), idOf(right)];
  if (Number.isInteger(leftId) && Number.isInteger(rightId)) {
    if (leftId === rightId) return 'same';
    return isRecord(left) === isRecord(right) ? 'different' : 'unclear';
  }
  const isRole = (role: unknown): boolean => Number.isInteger(role) || isRecord(role) || typeof role === 'string';
  return isRole(left) && isRole(right) ? 'unclear' : 'different';
}

/** ms. A date-time may be stored less precisely than it was shown first. */
const COARSEST_CLOCK = 1_000;

/** Whether two values of a member are the same for the contract. */
export function compareMember(member: string, left: unknown, right: unknown): Comparison {
  if (member === 'rootRole') return compareRoles(left, right);
  if (isDeepStrictEqual(left, right)) return 'same';
  if (member === 'createdAt' && typeof left === 'string' && typeof right === 'string') {
    const apart = Math.abs(Date.parse(left) - Date.parse(right));
    if (Number.isNaN(apart)) return 'unclear';
    return apart < COARSEST_CLOCK ? 'same' : 'different';
  }
  return 'different';
}
