import { createHash } from 'node:crypto';

/**
 * The items in another order, the same for the same seed.
 *
 * @param nameOf a text that no two items share
 * @param seed an integer
 */
export function shuffle<T>(items: readonly T[], nameOf: (item: T) => string, seed: number): T[] {
  const rank = (item: T): string =>
    createHash('sha256')
      .update(`${seed} ${nameOf(item)}`)
      .digest('hex');
  return items
    .map((item) => ({ item, key: rank(item) }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ item }) => item);
}
