import { summaryOf } from '../../../contract/document.ts';
import type { Result } from '../../result/result.ts';

type Selection = Result['selection'];

/** Whether less than the whole contract was judged. */
export function isPartial({ only, skip, scope }: Selection): boolean {
  return scope ? scope.checks < scope.of : only.length + skip.length > 0;
}

/** What was judged, and what was not, in sentences; none if all was judged. */
export function scopeWords(selection: Selection): string[] {
  if (!isPartial(selection)) return [];
  const { scope } = selection;
  if (!scope) return ['Judged on a selection of the checks.'];
  const { checks, of, leftOut } = scope;
  const judged =
    checks === 0
      ? 'No check that counts was selected: those that were are newer than the scored set of this contract version.'
      : `Judged on a selection of ${checks} of ${of} checks.`;
  return [judged, ...leftOut.map((each) => `Nothing was sent to ${each} (${summaryOf(each)}).`)];
}
