import { matchesOne } from '../common/glob.ts';

/** A part of the proof: for how many servers it holds, and for which it does not. */
export interface Gate {
  readonly title: string;
  readonly of: number;
  /** Those for which it is known, with the reason, that it does not hold. */
  readonly known: readonly string[];
  /** All others, with what was seen. */
  readonly faults: readonly string[];
}

/**
 * A gate over servers.
 *
 * @param miss says what is wrong with one; undefined: nothing
 * @param excuse says why that is known
 */
export function gate<Each>(
  title: string,
  all: readonly Each[],
  miss: (each: Each) => string | undefined,
  excuse: (each: Each) => string | undefined = () => undefined,
): Gate {
  const missed = all.filter((each) => miss(each) !== undefined);
  const known = missed.flatMap((each) => excuse(each) ?? []);
  const faults = missed.filter((each) => excuse(each) === undefined).flatMap((each) => miss(each) ?? []);
  return { title, of: all.length, known, faults };
}

/** A gate in lines. What is known counts as missed, too. */
export function linesOf({ title, of, known, faults }: Gate): string[] {
  const first = `${faults.length === 0 ? '✓' : '✗'} ${title.padEnd(46)} ${of - known.length - faults.length} of ${of}`;
  return [first, ...faults.map((each) => `  ✗ ${each}`), ...known.map((each) => `    ${each}`)];
}

/**
 * Whether a name is chosen on the command line.
 *
 * @param globs in which `*` stands for any text; empty: every name is chosen
 */
export function chosenBy(globs: readonly string[]): (name: string) => boolean {
  return (name) => globs.length === 0 || matchesOne(globs, name);
}
