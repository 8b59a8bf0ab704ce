import type { Located } from '../description.ts';

/** An operation with the path item that it stands in. */
export interface Operation {
  readonly path: string;
  readonly name: string;
  readonly item: Located;
  /** What of the path stands in the addresses of the servers; the other document has it in the path. */
  readonly moved: string;
  readonly operation: Located;
}
