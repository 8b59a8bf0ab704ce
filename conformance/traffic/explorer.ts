import type * as FastCheck from 'fast-check';
import { ExplorerMissing } from './explore-options.ts';

/** The library for random sequences; loaded only by a run that explores. */
export type Explorer = typeof FastCheck;

/**
 * Loads fast-check.
 *
 * @throws ExplorerMissing if it is not installed
 */
export async function loadExplorer(): Promise<Explorer> {
  try {
    return await import('fast-check');
  } catch {
    throw new ExplorerMissing('Random sequences need the package fast-check; install it next to this one.');
  }
}
