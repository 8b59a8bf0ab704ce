import type { z } from 'zod';
import { UsageError } from './process/args.ts';

/** How many mistakes are told at once. */
const MOST_TOLD = 10;

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
