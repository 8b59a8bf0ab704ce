import requirements from '../.data/requirements.json';

/** The address of a page of the site. */
export function to(path: string): string {
  return import.meta.env.BASE_URL.replace(/\/?$/, '/') + path;
}

/** Where a requirement or an open point is explained. */
export function placeOf(id: string): string {
  return to(`${id.startsWith('open.') ? 'open-points' : 'requirements'}/#${id}`);
}

/** The requirements by their id. */
export const requirementsById = new Map(requirements.map((each) => [each.id, each]));

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

/** Items by their area, in the order in which the areas first appear. */
export function byArea<T>(items: readonly T[], areaOf: (item: T) => string): [area: string, items: T[]][] {
  const areas = new Map<string, T[]>();
  for (const item of items) areas.set(areaOf(item), [...(areas.get(areaOf(item)) ?? []), item]);
  return [...areas];
}

/** Headings for the list "On this page". */
export function headingsOf(areas: readonly (readonly [area: string, ...unknown[]])[]) {
  return areas.map(([area]) => ({ depth: 2, slug: `area-${area}`, text: titleOf(area) }));
}
