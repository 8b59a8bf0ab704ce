/** Compares two alternatives of one type. */
import { moved, OVERLAP_CHANGES, type CompareShapes } from './difference.ts';
import { compareItems, compareMembers } from './members-diff.ts';
import { isPlainList } from './values/schema-values.ts';
import { OVERLAP } from './values/value-set.ts';
import { compareBounds, compareValues } from './values-diff.ts';

export const compareShapes: CompareShapes = (pair, context) => {
  const { base, head } = pair;
  const at = head.pointer.pointer === '' ? base.pointer : head.pointer;
  const placed = { ...pair, at };
  const values = compareValues(placed, context);
  const isWritten = [base, head].some(({ asWritten }) => asWritten.size > 0);
  const listing = [base, head].filter((shape) => shape.values !== undefined);
  if (listing.length > 0 && listing.every(isPlainList) && !isWritten) return values;
  const others = [compareBounds, compareItems, compareMembers, compareWritten];
  return [...values, ...others.flatMap((each) => each(placed, context))];
};

/** Keywords that are compared as they stand: one demand more narrows, one less widens, another one does both. */
const compareWritten: CompareShapes = ({ base, head, at }) => {
  const keywords = new Set([...base.asWritten.keys(), ...head.asWritten.keys()]);
  // Whether alternatives exclude each other is asked where all of them are known.
  keywords.delete(OVERLAP);
  return [...keywords].flatMap((keyword) => {
    const before = base.asWritten.get(keyword) ?? new Set<string>();
    const after = head.asWritten.get(keyword) ?? new Set<string>();
    const moves = { narrows: lacks(before, after), widens: lacks(after, before) };
    if (keyword === 'oneOf') return moved('alternatives-exclusive', at, OVERLAP_CHANGES, moves);
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
