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

function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_each, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

/** The known name that is most like a given one, if any is near enough to have been meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((each) => ({ each, far: each.startsWith(name) ? 1 : each.includes(name) ? 2 : distance(name, each) }))
    .sort((left, right) => left.far - right.far || left.each.length - right.each.length);
  const [best] = ranked;
  return best && best.far <= Math.max(2, name.length / 3) ? best.each : undefined;
}

/** " Did you mean X?", or nothing. */
export function hint(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
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
