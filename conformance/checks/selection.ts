import { hint } from '../../common/nearest.ts';
import { type OperationId, operationIds, tagsOf } from '../../contract/document.ts';
import { type Check, narrowedTo } from '../model/check.ts';
import { RunRefused } from '../traffic/run-refused.ts';

/** A selection that names something unknown, or that leaves nothing to run. */
export class InvalidSelection extends RunRefused {}

function toPattern(glob: string): RegExp {
  const escaped = glob.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`);
}

/** Whether a name fits a glob, in which `*` stands for any text. */
export function matchesGlob(glob: string, name: string): boolean {
  return toPattern(glob).test(name);
}

/** The names of an operation: its id, and its tags. */
function namesOfOperation(operation: OperationId): readonly string[] {
  return [operation, ...tagsOf(operation)];
}

/** The names of a check other than those of its operations. */
function ownNames(check: Check): readonly string[] {
  return [check.id, check.area, check.level, ...check.requirements];
}

function matches(patterns: readonly RegExp[], names: readonly string[]): boolean {
  return names.some((name) => patterns.some((pattern) => pattern.test(name)));
}

/**
 * The checks that `only` leaves and `skip` does not take away. Both hold ids or globs (`*`) of checks, requirements, areas and levels, or
 * an operation by its `operationId` or tag. A check over several operations is narrowed to those that are left.
 *
 * @param only empty: all checks
 * @throws InvalidSelection if an entry matches nothing, or nothing is left
 */
export function selectChecks(
  checks: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
): readonly Check[] {
  if (only.length + skip.length === 0) return checks;
  const known = [
    ...new Set([...checks.flatMap(ownNames), ...checks.flatMap((check) => check.operations.flatMap(namesOfOperation))]),
  ];
  const patterns = (option: string, globs: readonly string[]): RegExp[] =>
    globs.map((glob) => {
      const pattern = toPattern(glob);
      if (known.some((name) => pattern.test(name))) return pattern;
      throw new InvalidSelection(
        `${option} ${glob}: no check, requirement, area or operation has that name.${hint(glob, known) || ' "list" shows them.'}`,
      );
    });
  const wanted = patterns('--only', only);
  const unwanted = patterns('--skip', skip);
  const selected = checks.flatMap((check) => {
    if (matches(unwanted, ownNames(check))) return [];
    const whole = wanted.length === 0 || matches(wanted, ownNames(check));
    const left = check.operations.filter((operation) => {
      const names = namesOfOperation(operation);
      return !matches(unwanted, names) && (whole || matches(wanted, names));
    });
    return narrowedTo(check, left) ?? [];
  });
  if (selected.length === 0) throw new InvalidSelection('--only and --skip together leave no check to run.');
  return selected;
}

/** What a selection means for the traffic on each operation. */
export interface OperationScope {
  /** Nothing at all is sent there: the operator chose other operations, or skipped this one, by name. */
  readonly leftOut: ReadonlySet<OperationId>;
  /** Open points are looked at there: the operation was not narrowed to single checks. */
  readonly observed: ReadonlySet<OperationId>;
}

/**
 * Which operations a selection leaves out. A check may rest on traffic to an operation that it does not judge (a list of
 * banners shows that a key is valid); it is not sent only if the operation was left out by name.
 *
 * @param selected what `selectChecks` gives for `only` and `skip`
 * @param operations those that there are
 */
export function operationScope(
  selected: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
  operations: readonly OperationId[] = operationIds,
): OperationScope {
  const named = (list: readonly string[], operation: OperationId): boolean =>
    matches(list.map(toPattern), namesOfOperation(operation));
  const isLeftOut = (operation: OperationId): boolean =>
    selected.every((check) => !check.operations.includes(operation)) &&
    (named(skip, operation) || operations.some((other) => other !== operation && named(only, other)));
  const isObserved = (operation: OperationId): boolean =>
    (only.length === 0 || named(only, operation)) && !named(skip, operation);
  return {
    leftOut: new Set(operations.filter(isLeftOut)),
    observed: new Set(operations.filter(isObserved)),
  };
}
