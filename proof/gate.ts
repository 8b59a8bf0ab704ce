/** A part of the proof: of how many servers it holds, and where it does not. */
export interface Gate {
  readonly title: string;
  readonly of: number;
  /** Where it does not hold, with what was seen. */
  readonly missed: readonly string[];
  /** Those of them that may not be. */
  readonly faults: readonly string[];
}

/**
 * A gate over servers.
 *
 * @param miss says what is wrong with one; undefined: nothing
 * @param isExcused whether it is known, with the reason, that it does not hold for one
 */
export function gate<Each>(
  title: string,
  all: readonly Each[],
  miss: (each: Each) => string | undefined,
  isExcused: (each: Each) => boolean = () => false,
): Gate {
  const missing = all.flatMap((each) => {
    const said = miss(each);
    return said === undefined ? [] : [{ said, isKnown: isExcused(each) }];
  });
  const missed = missing.map(({ said }) => said);
  return { title, of: all.length, missed, faults: missing.filter(({ isKnown }) => !isKnown).map(({ said }) => said) };
}

/** A gate in lines, those that may not be with a mark. */
export function linesOf({ title, of, missed, faults }: Gate): string[] {
  const first = `${faults.length === 0 ? '✓' : '✗'} ${title.padEnd(46)} ${of - missed.length} of ${of}`;
  return [first, ...missed.map((each) => `  ${faults.includes(each) ? '✗' : ' '} ${each}`)];
}

/** A text as a regular expression that matches it alone. */
function literal(text: string): string {
  return text.replaceAll(/[^\w-]/g, '\\$&');
}

/**
 * Whether a name is chosen on the command line.
 *
 * @param globs in which `*` stands for any text; empty: every name is chosen
 */
export function chosenBy(globs: readonly string[]): (name: string) => boolean {
  const patterns = globs.map((glob) => new RegExp(`^${glob.split('*').map(literal).join('.*')}$`));
  return (name) => patterns.length === 0 || patterns.some((pattern) => pattern.test(name));
}
