import type { Behaviour } from './behaviour.ts';
import type { Defect } from './defect.ts';
import type { Variant } from './variant.ts';

/** The columns after the first two; the third alone if it is no array and no other is required. */
type Tail<Row> = Row extends readonly [string, string, infer First, ...infer Others]
  ? readonly [First, ...Others] | ([] extends Others ? Exclude<First, readonly unknown[]> : never)
  : never;

function split(key: string): readonly [id: string, title: string] {
  const at = key.indexOf(': ');
  return [key.slice(0, at), key.slice(at + 2)];
}

/**
 * The rows of a table.
 *
 * @param table the columns after the first two, by `id: title`; a single column needs no array
 */
export function rows<Row extends readonly [string, string, ...unknown[]]>(
  table: Readonly<Record<string, Tail<Row>>>,
): Row[] {
  return Object.entries<unknown>(table).map(
    ([key, rest]) => [...split(key), ...(Array.isArray(rest) ? (rest as unknown[]) : [rest])] as unknown as Row,
  );
}

/** The servers of a table, by `id: title`. */
export function named<Server extends { readonly id: string; readonly title: string }>(
  table: Readonly<Record<string, Omit<Server, 'id' | 'title'>>>,
): Server[] {
  return Object.entries(table).map(([key, server]) => {
    const [id, title] = split(key);
    return { id, title, ...server } as Server;
  });
}

/** Defects that break the same requirements and are killed by the same checks, by `id: title`. */
export function alike(breaks: Defect['breaks'], killedBy: Defect['killedBy']) {
  return (table: Readonly<Record<string, Behaviour>>): Defect[] =>
    Object.entries(table).map(([key, behaviour]) => {
      const [id, title] = split(key);
      return { id, title, breaks, killedBy, behaviour };
    });
}

/** Defects that break the same requirements, each with the checks that kill it, by `id: title`. */
export function breaking(breaks: Defect['breaks']) {
  return (table: Readonly<Record<string, readonly [killedBy: Defect['killedBy'], behaviour: Behaviour]>>): Defect[] =>
    Object.entries(table).flatMap(([key, [killedBy, behaviour]]) => alike(breaks, killedBy)({ [key]: behaviour }));
}

/** Conforming variants that use the same freedoms, by `id: title`. */
export function about(ids: Variant['about'], table: Readonly<Record<string, Behaviour>>): Variant[] {
  return Object.entries(table).map(([key, behaviour]) => {
    const [id, title] = split(key);
    return { id, title, about: ids, behaviour };
  });
}
