import { hash } from 'node:crypto';

/**
 * The items in another order, the same for the same seed.
 *
 * @param nameOf a text that no two items share
 * @param seed an integer
 */
export function shuffle<T>(items: readonly T[], nameOf: (item: T) => string, seed: number): T[] {
  return items
    .map((item) => ({ item, key: hash('sha256', `${seed} ${nameOf(item)}`) }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ item }) => item);
}
