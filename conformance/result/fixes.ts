import type { Problem } from '../engine/outcome.ts';

/** What to change in a server for a problem, where the check does not say it. */
export function fixOf({ requirement, aspect }: Problem): string {
  return `${requirement} ${aspect}`;
}
