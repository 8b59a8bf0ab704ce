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
