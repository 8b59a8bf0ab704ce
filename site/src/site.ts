import { getCollection, type CollectionEntry } from 'astro:content';

type Requirement = CollectionEntry<'requirements'>['data'];

/** The address of a page of the site. */
export function to(path: string): string {
  return import.meta.env.BASE_URL.replace(/\/?$/, '/') + path;
}

/** Where a requirement or an open point is explained. */
export function placeOf(id: string): string {
  return to(`${id.startsWith('open.') ? 'open-points' : 'requirements'}/#${id}`);
}

/** A text of the contract as HTML: what stands between backticks is code. */
export function prose(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return escaped.replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}

/** An id of an area as people say it. */
export function titleOf(area: string): string {
  const words = area === 'auth' ? 'authentication' : area.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Items by a key, in the order in which the keys first appear. */
export function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): [key: string, items: T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups];
}

/** The area of a requirement: what stands before the dot of its id. */
export function areaOf({ id }: Pick<Requirement, 'id'>): string {
  return id.split('.')[0] ?? id;
}

/** The entries of a collection as data, in the order of their file. */
export async function all<Name extends 'requirements' | 'openPoints' | 'checks' | 'changes'>(
  name: Name,
): Promise<CollectionEntry<Name>['data'][]> {
  return (await getCollection(name)).map(({ data }) => data);
}

/** Headings for the list "On this page". */
export function headingsOf(areas: readonly (readonly [area: string, ...unknown[]])[]) {
  return areas.map(([area]) => ({ depth: 2, slug: area, text: titleOf(area) }));
}

/** The recorded results with what was judged, those with the fewest findings first. */
export async function implementations() {
  const abouts = await getCollection('implementations');
  const results = await getCollection('results');
  const judged = abouts.flatMap(({ id, data: about }) => {
    const result = results.find((each) => each.id === id)?.data;
    return result ? [{ id, about, result }] : [];
  });
  return judged.sort((left, right) => left.result.findings.length - right.result.findings.length);
}
