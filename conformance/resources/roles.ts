import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../common/json.ts';
import type { Comparison } from './resource.ts';

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
