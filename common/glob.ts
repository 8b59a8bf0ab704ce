/** A text as a regular expression that matches it alone. */
const literal = (text: string): string => text.replaceAll(/[^\w-]/g, '\\$&');

/** Whether a name fits one of some globs, in which `*` stands for any text. */
export function matchesOne(globs: readonly string[], name: string): boolean {
  return globs.some((glob) => new RegExp(`^${glob.split('*').map(literal).join('.*')}$`).test(name));
}
