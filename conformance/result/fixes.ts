import type { Check } from '../judging/check.ts';
import type { Deviation } from '../model/facts.ts';

/** What to do about ways to fail that any request may show. */
const ANYWHERE: Readonly<Record<string, string>> = {
  damaged:
    'After the request, valid requests to the user fail. Store only what can be read again, or refuse it with 400.',
};

/** What to do about a deviation, as one or two sentences. */
export function fixOf({ mode }: Deviation, check: Check | undefined): string {
  return check?.failureModes[mode] ?? ANYWHERE[mode] ?? '';
}
