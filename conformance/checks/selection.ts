import { hint } from '../../common/nearest.ts';
import { OPERATION_OF_LANE, type Check, type Lane } from '../judging/check.ts';

/** A selection that names something unknown, or that leaves nothing to run. */
export class InvalidSelection extends Error {}

function toPattern(glob: string): RegExp {
  const escaped = glob.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`);
}

/** Whether a name fits a glob, in which `*` stands for any text. */
export function matchesGlob(glob: string, name: string): boolean {
  return toPattern(glob).test(name);
}

function namesOf(check: Check): string[] {
  return [check.id, check.area, check.lane, ...check.requirements];
}

/**
 * The checks that `only` leaves and `skip` does not take away. Both hold ids or globs (`*`) of checks, requirements,
 * areas, or `users` and `banners`.
 *
 * @param only empty: all checks
 * @throws InvalidSelection if an entry matches nothing, or nothing is left
 */
export function selectChecks(checks: readonly Check[], only: readonly string[], skip: readonly string[]): Check[] {
  const known = [...new Set(checks.flatMap(namesOf))];
  const patterns = (option: string, globs: readonly string[]): RegExp[] =>
    globs.map((glob) => {
      const pattern = toPattern(glob);
      if (known.some((name) => pattern.test(name))) return pattern;
      throw new InvalidSelection(
        `${option} ${glob}: no check, requirement or area is called so.${hint(glob, known) || ' "list" shows them.'}`,
      );
    });
  const wanted = patterns('--only', only);
  const unwanted = patterns('--skip', skip);
  const isSelected = (check: Check): boolean => {
    const matches = (list: readonly RegExp[]): boolean =>
      namesOf(check).some((name) => list.some((each) => each.test(name)));
    return (wanted.length === 0 || matches(wanted)) && !matches(unwanted);
  };
  const selected = checks.flatMap((check) => {
    if (isSelected(check)) return [check];
    const onBanners = check.onBanners && { ...check, lane: 'banners' as const, ...check.onBanners };
    return onBanners && isSelected(onBanners) ? [onBanners] : [];
  });
  if (selected.length === 0) throw new InvalidSelection('--only and --skip together leave no check to run.');
  return selected;
}

const LANES = Object.keys(OPERATION_OF_LANE) as Lane[];

/** What a selection means for the traffic on each of the two operations. */
export interface LaneScope {
  /** Nothing at all is sent there: the operator chose the other operation, or skipped this one, by its name. */
  readonly leftOut: ReadonlySet<Lane>;
  /** Open points are looked at there: the operation was not narrowed to single checks. */
  readonly observed: ReadonlySet<Lane>;
}

/**
 * Which operations a selection leaves out. A check may rest on traffic to the operation that it does not judge (a list of
 * banners shows that a key is valid); only where an operation was left out by name, `users` or `banners`, this is not sent.
 *
 * @param selected what `selectChecks` gives for `only` and `skip`
 */
export function laneScope(selected: readonly Check[], only: readonly string[], skip: readonly string[]): LaneScope {
  const named = (list: readonly string[], lane: Lane): boolean => list.some((glob) => matchesGlob(glob, lane));
  const isLeftOut = (lane: Lane): boolean =>
    selected.every((check) => check.lane !== lane) &&
    (named(skip, lane) || LANES.some((other) => other !== lane && named(only, other)));
  const isObserved = (lane: Lane): boolean => (only.length === 0 || named(only, lane)) && !named(skip, lane);
  return { leftOut: new Set(LANES.filter(isLeftOut)), observed: new Set(LANES.filter(isObserved)) };
}
