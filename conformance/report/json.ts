import type { Result } from '../result/result.ts';

/** The result itself. */
export function jsonReport(result: Result): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}
