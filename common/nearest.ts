import leven from 'leven';

/** Characters. Nobody mistypes a longer name. */
const LONGEST = 100;

/** How far a known name is from one that was given; what begins with it, or has it within, is near. */
function distance(name: string, known: string): number {
  if (known.startsWith(name)) return 1;
  return known.includes(name) ? 2 : leven(name, known);
}

/** The known name that is most like a given one, if any is near enough to have been meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name === '' || name.length > LONGEST) return undefined;
  const ranked = known
    .map((each) => ({ each, far: distance(name, each) }))
    .sort((left, right) => left.far - right.far || left.each.length - right.each.length);
  const [best] = ranked;
  return best && best.far <= Math.max(2, name.length / 3) ? best.each : undefined;
}

/** " Did you mean X?", or nothing. */
export function hint(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}
