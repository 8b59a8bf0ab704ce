import type { Behaviour } from './servers/behaviour.ts';
import type { WrittenDefect } from './defect.ts';
import type { WrittenVariant } from './variant.ts';

/** Rows by `id: title`. */
export type Table<Row> = Readonly<Record<string, Row>>;

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

/** The same table with what is made of each row. */
export function mapped<Row, Made>(table: Table<Row>, make: (row: Row) => Made): Table<Made> {
  return Object.fromEntries(Object.entries(table).map(([key, row]) => [key, make(row)]));
}

/**
 * Deals the rows of a table to places that are alike, in turn: each row has a place, and each place has a row.
 */
export function dealt<Place, Row>(
  table: Table<Row>,
  places: readonly Place[],
): (readonly [place: Place, table: Table<Row>])[] {
  const all = Object.entries(table);
  const deals = Array.from({ length: Math.max(all.length, places.length) }, (_, index) => index);
  return places.map((place, at) => {
    const own = deals.filter((index) => index % places.length === at);
    return [place, Object.fromEntries(own.flatMap((index) => all.slice(index % all.length).slice(0, 1)))];
  });
}

/** A title as a sentence: what begins with a small letter says what the server does. */
function sentence(title: string): string {
  const whole = /^[a-z]/.test(title) ? `The server ${title}` : title;
  return whole.endsWith('.') ? whole : `${whole}.`;
}

/**
 * The servers of a table. A title that begins with a small letter completes "The server …".
 *
 * @param frame the id and the title of each; `*` stands for what the table says: `error-*: An error *.`
 */
export function named<Server extends WrittenDefect | WrittenVariant>(
  table: Table<Omit<Server, 'id' | 'title'>>,
  frame = '*: *',
): (Omit<Server, 'id' | 'title'> & Pick<Server, 'id' | 'title'>)[] {
  const [ownId, ownTitle] = split(frame);
  return rows(table).map(([id, title, server]) => ({
    id: ownId.replace('*', () => id),
    title: sentence(ownTitle.replace('*', () => title)),
    ...server,
  }));
}

type Ids = string | readonly string[];

/**
 * Defects that break the same requirement, or the same ones.
 *
 * @param make what makes the behaviour of a row that is none
 */
export function breaking(ids: Ids, table: Table<Behaviour>, frame?: string): WrittenDefect[];
export function breaking<R>(ids: Ids, table: Table<R>, frame: string, make: (row: R) => Behaviour): WrittenDefect[];
export function breaking<R>(ids: Ids, table: Table<R>, frame?: string, make = (row: R) => row as Behaviour) {
  return named<WrittenDefect>(
    mapped(table, (row) => ({ breaks: [ids].flat(), behaviour: make(row) })),
    frame,
  );
}

/** Conforming variants that use the same freedoms. */
export function about(ids: Ids, table: Table<Behaviour>, frame?: string): WrittenVariant[];
export function about<R>(ids: Ids, table: Table<R>, frame: string, make: (row: R) => Behaviour): WrittenVariant[];
export function about<R>(ids: Ids, table: Table<R>, frame?: string, make = (row: R) => row as Behaviour) {
  return named<WrittenVariant>(
    mapped(table, (row) => ({ about: [ids].flat(), behaviour: make(row) })),
    frame,
  );
}
