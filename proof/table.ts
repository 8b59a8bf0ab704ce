import type { Behaviour } from './behaviour.ts';
import type { Defect, WrittenDefect } from './defect.ts';
import type { Variant, WrittenVariant } from './variant.ts';

/** Rows by `id: title`. */
export type Table<Row> = Readonly<Record<string, Row>>;

/** A server without what stands before its row. */
type Unnamed<Server> = Omit<Server, 'id' | 'title'>;

function split(key: string): readonly [id: string, title: string] {
  const at = key.indexOf(': ');
  return [key.slice(0, at), key.slice(at + 2)];
}

/** The rows of a table, each with its id and title. */
export function rows<Row>(table: Table<Row>): (readonly [id: string, title: string, row: Row])[] {
  return Object.entries(table).map(([key, row]) => [...split(key), row]);
}

/** Rows that are made by a rule, each under the key that another rule makes. */
export function tableOf<Each, Row>(
  all: readonly Each[],
  key: (each: Each) => string,
  row: (each: Each) => Row,
): Table<Row> {
  return Object.fromEntries(all.map((each) => [key(each), row(each)]));
}

function servers<Row, Server>(table: Table<Row>, make: (row: Row) => Server, frame: string) {
  const [ownId, ownTitle] = split(frame);
  return rows(table).map(([id, title, row]) => ({
    id: ownId.replace('*', () => id),
    title: ownTitle.replace('*', () => title),
    ...make(row),
  }));
}

/**
 * The defects of a table.
 *
 * @param make the defect of a row
 * @param frame the id and the title of each; `*` stands for what the table says: `error-*: An error *.`
 */
export function defectsOf<Row>(
  table: Table<Row>,
  make: (row: Row) => Unnamed<WrittenDefect>,
  frame = '*: *',
): WrittenDefect[] {
  return servers(table, make, frame);
}

/** The conforming variants of a table; `make` and `frame` as with `defectsOf`. */
export function variantsOf<Row>(
  table: Table<Row>,
  make: (row: Row) => Unnamed<WrittenVariant>,
  frame = '*: *',
): WrittenVariant[] {
  return servers(table, make, frame);
}

/** The servers of a table that has all of each. */
export function named<Server>(table: Table<Unnamed<Server>>): (Unnamed<Server> & Pick<Defect, 'id' | 'title'>)[] {
  return servers(table, (server) => server, '*: *');
}

/** Defects that break the same requirements. */
export function breaking(breaks: Defect['breaks'], frame?: string) {
  return (table: Table<Behaviour>): WrittenDefect[] => defectsOf(table, (behaviour) => ({ breaks, behaviour }), frame);
}

/** Conforming variants that use the same freedoms. */
export function about(ids: Variant['about'], table: Table<Behaviour>, frame?: string): WrittenVariant[] {
  return variantsOf(table, (behaviour) => ({ about: ids, behaviour }), frame);
}
