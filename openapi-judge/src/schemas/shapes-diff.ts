/** Compares two alternatives of one type. */
import { effectOn } from '../change.ts';
import { difference, isMoving, moved, STILL } from './difference.ts';
import type { CompareShapes, SchemaDifference } from './difference.ts';
import { compareItems, compareMembers } from './members-diff.ts';
import { isPlainList } from './values/schema-values.ts';
import { OVERLAP } from './values/value-set.ts';
import { compareBounds, compareValues } from './values-diff.ts';

export const compareShapes: CompareShapes = (pair, context) => {
  const { base, head } = pair;
  const at = head.pointer.pointer === '' ? base.pointer : head.pointer;
  const placed = { ...pair, at };
  const values = compareValues(placed, context);
  const listing = [base, head].filter((shape) => shape.values !== undefined);
  const isWritten = [base, head].some(({ asWritten }) => asWritten.size > 0);
  if (listing.length > 0 && listing.every(isPlainList) && !isWritten) return values;
  const others = [compareBounds, compareItems, compareMembers, compareWritten];
  return [...values, ...others.flatMap((each) => each(placed, context))];
};

/** Keywords that are compared as they stand: one demand more narrows, one less widens, another one does both. */
const compareWritten: CompareShapes = (pair, { sender }) => {
  const { base, head, at } = pair;
  const keywords = new Set([...base.asWritten.keys(), ...head.asWritten.keys()]);
  return [...keywords].flatMap((keyword): readonly SchemaDifference[] => {
    const before = base.asWritten.get(keyword) ?? new Set<string>();
    const after = head.asWritten.get(keyword) ?? new Set<string>();
    const overlapping = 'the values that fit more than one alternative of a `oneOf` change';
    if (keyword === OVERLAP) {
      const moves = { narrows: before.size === 0, widens: after.size === 0 };
      const also = effectOn(sender, moves);
      return isMoving(moves) ? [difference('alternatives-exclusive', at, overlapping, { moves: STILL, also })] : [];
    }
    const moves = { narrows: lacks(before, after), widens: lacks(after, before) };
    if (keyword === 'oneOf') return moved('alternatives-exclusive', at, overlapping, moves);
    return moved('constraint-changed', at, changed(keyword, before, after), moves);
  });
};

function lacks(demands: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...others].some((demand) => !demands.has(demand));
}

function changed(keyword: string, before: ReadonlySet<string>, after: ReadonlySet<string>): string {
  const only = (some: ReadonlySet<string>, others: ReadonlySet<string>): string =>
    [...some].filter((text) => !others.has(text)).join(' and ') || 'nothing more';
  return `\`${keyword}\` demands ${only(after, before)}, where it was ${only(before, after)}`;
}
