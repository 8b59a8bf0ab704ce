/** Reads what an operator gave by its schema. */

import type { z } from 'zod';
import { UsageError } from './process/args.ts';

/** How many mistakes are told at once. */
const MOST_TOLD = 10;

/** The names on the way to a part of a file; undefined if one may be anything else, such as a line of a file of another kind. */
export function namesOn(path: readonly PropertyKey[]): string | undefined {
  const names = path.map(String);
  return names.length > 0 && names.every((name) => /^[$\w-]{1,40}$/.test(name)) ? names.join('/') : undefined;
}

/**
 * Reads what was given.
 *
 * @param at where it, or a part of it, was given: the flag, the variable, or the place in the file
 * @throws UsageError with a line for each mistake
 */
export function read<T>(schema: z.ZodType<T>, given: unknown, at: (part: readonly PropertyKey[]) => string): T {
  const { data, error, success } = schema.safeParse(given);
  if (success) return data;
  const mistakes = error.issues.map((issue) => {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
    return `${at([...issue.path, ...unknown])}: ${issue.message}`;
  });
  throw new UsageError(...mistakes.slice(0, MOST_TOLD));
}
