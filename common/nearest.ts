/** The smallest number of letters to insert, delete, replace or swap with their neighbour. */
export function editDistance(a: string, b: string): number {
  const [from, to] = [Array.from(a), Array.from(b)];
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_each, index) => index);
  from.forEach((letter, row) => {
    const current = [row + 1];
    to.forEach((other, column) => {
      const same = letter === other ? 0 : 1;
      let best = Math.min((last[column] ?? 0) + same, (last[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1);
      if (row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === other)
        best = Math.min(best, (beforeLast[column - 1] ?? 0) + 1);
      current.push(best);
    });
    beforeLast = last;
    last = current;
  });
  return last.at(-1) ?? 0;
}

/** The known name that is most like a given one, if any is near enough to have been meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((each) => ({ each, far: each.startsWith(name) ? 1 : each.includes(name) ? 2 : editDistance(name, each) }))
    .sort((left, right) => left.far - right.far || left.each.length - right.each.length);
  const [best] = ranked;
  return best && best.far <= Math.max(2, name.length / 3) ? best.each : undefined;
}

/** " Did you mean X?", or nothing. */
export function hint(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}
