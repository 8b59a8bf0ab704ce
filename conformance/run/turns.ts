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
 * The operations whose traffic must end before that of another begins. Operations that write come one after the other, in the
 * order of the list; besides what they are for, their traffic may update the users. So a read that shows what one of them may
 * write, by its schema or its path, comes after all of them. No two wait for each other.
 *
 * @param all in the order of the list
 */
export function earlierThan(turn: Turn, all: readonly Turn[]): readonly Turn[] {
  if (turn.writes) return all.slice(0, all.indexOf(turn)).filter(({ writes }) => writes);
  const writers = all.filter(({ writes }) => writes);
  return writers.some((other) => isRelated(turn, other)) ? writers : [];
}
