/** One of several parts of a list. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  /** How many shards there are. */
  readonly count: number;
}

/**
 * The items of a shard, in their order: every item is in exactly one shard, the sizes of two shards differ by one at most, and
 * neighbours go to different shards.
 */
export function shardOf<T>(items: readonly T[], { index, count }: Shard): T[] {
  return items.filter((_each, place) => place % count === index - 1);
}

/** A shard as it is written: `2/5`. */
export function shardText({ index, count }: Shard): string {
  return `${index}/${count}`;
}

/** Reads a shard; undefined if the text is none. */
export function shardFrom(text: string): Shard | undefined {
  const [, index, count] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  return shard.index <= shard.count ? shard : undefined;
}
