import { isDeepStrictEqual } from 'node:util';
import type { Comparison } from '../resource.ts';
import { compareRoles } from '../roles.ts';

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
