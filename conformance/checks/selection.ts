import { matchesOne } from '../../common/glob.ts';
import { hint } from '../../common/nearest.ts';
import { UsageError } from '../../common/process/args.ts';
import { requirements, tagsOf } from '../../contract/document.ts';
import type { Check } from '../engine/check.ts';

/** A selection that names something unknown, or that leaves nothing to run. The message is one line. */
export class InvalidSelection extends UsageError {
  override readonly name = 'InvalidSelection';
}

/** The names by which a check is selected: its own, those of its requirement, area and level, and those of its operation. */
function namesOf({ id, area, level, requirement, operation }: Check): readonly string[] {
  return [id, requirement, area, level, operation, ...tagsOf(operation)];
}

/** Where a requirement is judged that no check is about, completing "it is judged …". */
export function whereJudged(requirement: string): string {
  return requirement.startsWith('update.') ? 'with every update' : 'in every response';
}

/** Why an entry of a selection matches no check. */
function problemOf(option: string, glob: string, known: readonly string[]): string {
  const judged = requirements.find(({ id }) => matchesOne([glob], id));
  if (judged)
    return `${option} ${glob}: ${judged.id} has no check of its own; it is judged ${whereJudged(judged.id)}, whatever is selected.`;
  return `${option} ${glob}: no check, requirement, area or operation has that name.${hint(glob, known) || ' "list" shows them.'}`;
}

/**
 * The checks that `only` leaves and `skip` does not take away. Both hold ids or globs (`*`) of checks, requirements, areas and
 * levels, or an operation by its `operationId` or tag.
 *
 * @param only empty: all checks
 * @throws InvalidSelection if an entry matches nothing, or nothing is left
 */
export function selectChecks(
  checks: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
): readonly Check[] {
  const known = [...new Set(checks.flatMap(namesOf))];
  for (const [option, globs] of [['--only', only] as const, ['--skip', skip] as const])
    for (const glob of globs)
      if (!known.some((name) => matchesOne([glob], name))) throw new InvalidSelection(problemOf(option, glob, known));
  const isNamed = (check: Check, globs: readonly string[]): boolean =>
    namesOf(check).some((name) => matchesOne(globs, name));
  const selected = checks.filter((check) => (only.length === 0 || isNamed(check, only)) && !isNamed(check, skip));
  if (selected.length === 0) throw new InvalidSelection('--only and --skip together leave no check to run.');
  return selected;
}
