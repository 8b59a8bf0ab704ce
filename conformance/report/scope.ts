import { type OperationId, operationIds, summaryOf, tagsOf } from '../../contract/document.ts';
import type { Result, Scope } from '../result/result.ts';

type Selection = Result['selection'];

/** The tag of an operation if no other operation has it; or else its id. */
export function nameOf(operation: OperationId): string {
  const isShared = (tag: string): boolean => operationIds.filter((each) => tagsOf(each).includes(tag)).length > 1;
  return tagsOf(operation).find((tag) => !isShared(tag)) ?? operation;
}

/** The only operation that was judged, if it was judged in full and nothing was sent to the others. */
function onlyOperation({ only, skip, scope }: Selection): OperationId | undefined {
  const [operation, another] = scope?.operations ?? [];
  if (operation === undefined || another !== undefined || scope?.leftOut.length === 0) return undefined;
  const names = (each: OperationId): string[] => [each, nameOf(each)];
  const others = operationIds.filter((each) => each !== operation).flatMap(names);
  const byName =
    only.every((entry) => names(operation).includes(entry)) && skip.every((entry) => others.includes(entry));
  return byName ? operation : undefined;
}

/** Whether less than the whole contract was judged. */
export function isPartial({ only, skip, scope }: Selection): boolean {
  return scope ? scope.checks < scope.of : only.length + skip.length > 0;
}

/** A name of a partial selection, to stand after the verdict; undefined if all was judged. */
export function scopeName(selection: Selection): string | undefined {
  if (!isPartial(selection)) return undefined;
  const operation = onlyOperation(selection);
  return operation === undefined ? 'selection' : `${nameOf(operation)} only`;
}

function judgedOn({ operations, checks, of }: Scope): string {
  if (checks === 0)
    return 'No check that counts was selected: those that were are newer than the scored set of this contract version.';
  const part = `Judged on a selection of ${checks} of ${of} checks`;
  return operations.length === 1 ? `${part}; all of these judge ${operations[0] ?? ''}.` : `${part}.`;
}

/** What was judged, and what was not, in sentences; none if all was judged. */
export function scopeWords(selection: Selection): string[] {
  if (!isPartial(selection)) return [];
  const { scope } = selection;
  if (!scope) return ['Judged on a selection of the checks.'];
  const operation = onlyOperation(selection);
  const judged =
    operation === undefined ? judgedOn(scope) : `Judged on ${operation} only (${scope.checks} of ${scope.of} checks).`;
  return [judged, ...scope.leftOut.map((each) => `Nothing was sent to ${each} (${summaryOf(each)}).`)];
}
