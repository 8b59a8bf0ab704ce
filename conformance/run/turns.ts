import { type OperationId, responseSchemaOf, route } from '../../contract/document.ts';
import { isSafe } from '../http/exchange.ts';

/** What decides when an operation may run. */
export interface Turn {
  readonly id: string;
  readonly writes: boolean;
  /** The schema that it shows. */
  readonly shows: string | undefined;
  /** The path template. */
  readonly path: string;
}

/** What an operation does, as far as the contract says. */
export function turnOf({ id }: { readonly id: OperationId }): Turn {
  const { method, path } = route(id);
  return { id, writes: !isSafe({ method }), shows: responseSchemaOf(id), path };
}

/** The path of the collection: `/users/{id}/role` belongs to `/users`. */
function familyOf({ path }: Turn): string {
  return path.split('/{')[0] ?? path;
}

function isRelated(one: Turn, other: Turn): boolean {
  return (one.shows !== undefined && one.shows === other.shows) || familyOf(one) === familyOf(other);
}

/**
 * The operations whose traffic must end before that of another begins. Operations that write come one after the other, in the
 * order of the list. A read that shows what the first of them writes, by its schema or its path, comes after all of them; one
 * that shows what only later ones write comes before these, beside the first. No two wait for each other.
 *
 * @param all in the order of the list
 */
export function earlierThan(turn: Turn, all: readonly Turn[]): readonly Turn[] {
  const writers = all.filter(({ writes }) => writes);
  const comesAfter = (read: Turn): boolean => writers[0] !== undefined && isRelated(read, writers[0]);
  if (!turn.writes) return comesAfter(turn) ? writers : [];
  const reads = all.filter((each) => !each.writes && !comesAfter(each) && isRelated(each, turn));
  return [...reads, ...writers.slice(0, writers.indexOf(turn))];
}
