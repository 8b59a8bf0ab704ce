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
export function turnOf(id: OperationId): Turn {
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
 * The operations whose traffic must end before that of another begins. A read comes after all that may write what it
 * shows: they share its schema or its path. Operations that write come one after the other, in the order of the list.
 * So no two wait for each other.
 *
 * @param all in the order of the list
 */
export function earlierThan(turn: Turn, all: readonly Turn[]): readonly Turn[] {
  const before = all.slice(0, all.indexOf(turn));
  return (turn.writes ? before : all).filter((other) => other.writes && (turn.writes || isRelated(turn, other)));
}
