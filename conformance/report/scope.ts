import type { OperationId } from '../../contract/document.ts';
import type { Result, Scope } from '../result/result.ts';

type Selection = Result['selection'];

const WHAT: Readonly<Record<OperationId, { readonly name: string; readonly text: string }>> = {
  updateUser: { name: 'users', text: 'the update of a user' },
  listBanners: { name: 'banners', text: 'the list of banners' },
};

/** One operation, judged in full, and nothing of the other. */
function onlyOperation({ only, skip, scope }: Selection): OperationId | undefined {
  const [operation, another] = scope?.operations ?? [];
  if (operation === undefined || another !== undefined || scope?.leftOut.length === 0) return undefined;
  const word = WHAT[operation].name;
  const others = Object.values(WHAT).map(({ name }) => name);
  const byName =
    only.every((entry) => entry === word) && skip.every((entry) => entry !== word && others.includes(entry));
  return byName ? operation : undefined;
}

/** Whether less than the whole contract was judged. */
export function isPartial({ only, skip, scope }: Selection): boolean {
  return scope ? scope.checks < scope.of : only.length + skip.length > 0;
}

/** A name of a partial selection that fits beside the verdict; undefined if all was judged. */
export function scopeName(selection: Selection): string | undefined {
  if (!isPartial(selection)) return undefined;
  const operation = onlyOperation(selection);
  return operation === undefined ? 'selection' : `${WHAT[operation].name} only`;
}

function judgedOn({ operations, checks, of }: Scope): string {
  if (checks === 0) return 'No check that counts was selected.';
  const part = `Judged on a selection of ${checks} of ${of} checks`;
  return operations.length === 1 ? `${part}; all of these judge ${operations[0] ?? ''}.` : `${part}.`;
}

/** What was judged, and what was not looked at: a sentence each; none if all was judged. */
export function scopeWords(selection: Selection): string[] {
  if (!isPartial(selection)) return [];
  const { scope } = selection;
  if (!scope) return ['Judged on a selection of the checks.'];
  const operation = onlyOperation(selection);
  const judged =
    operation === undefined ? judgedOn(scope) : `Judged on ${operation} alone (${scope.checks} of ${scope.of} checks).`;
  const unseen = scope.leftOut.map((each) => `Nothing was sent to ${each}, ${WHAT[each].text}.`);
  return [judged, ...unseen];
}
