import leven from 'leven';

/** Characters. Nobody mistypes a longer name. */
const LONGEST = 100;

/** The distance of a known name from a given one. A name that begins with it, or contains it, is near. */
function distance(name: string, known: string): number {
  if (known.startsWith(name)) return 1;
  return known.includes(name) ? 2 : leven(name, known);
}

/** The known name that is nearest to a given one, if it is near enough to have been meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name === '' || name.length > LONGEST) return undefined;
  const ranked = known
    .map((each) => ({ each, far: distance(name, each) }))
    .sort((left, right) => left.far - right.far || left.each.length - right.each.length);
  const [best] = ranked;
  return best && best.far < name.length && best.far <= Math.max(2, name.length / 3) ? best.each : undefined;
}

/** " Did you mean X?", or nothing. */
export function hint(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}
