import { matchesOne } from '../common/glob.ts';

/**
 * Whether a name is chosen on the command line.
 *
 * @param globs in which `*` stands for any text; empty: every name is chosen
 */
export function chosenBy(globs: readonly string[]): (name: string) => boolean {
  return (name) => globs.length === 0 || matchesOne(globs, name);
}
