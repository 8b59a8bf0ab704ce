/** Compares what two objects say of members that neither of them names. */
import { difference, within } from './difference.ts';
import type { CompareShapes, Comparison, SchemaDifference } from './difference.ts';
import { allowsEverything, allowsNothing } from './forms.ts';
import type { Conjunction, Shape } from './values/value-set.ts';

function isOpenObject({ additional }: Shape): boolean {
  return additional === undefined || allowsEverything(additional);
}

export const compareOtherMembers: CompareShapes = (pair, context) => [
  ...comparePatterns(pair.base, pair.head, context),
  ...compareUnlisted(pair, context),
];

/** Compares what members may be that no pattern names either. */
const compareUnlisted: CompareShapes = ({ base, head, at }, context) => {
  const [before, after] = [base.additional ?? [], head.additional ?? []];
  const [place = at] = [...after, ...before];
  const [wasClosed, isClosed] = [allowsNothing(before, context.sender), allowsNothing(after, context.sender)];
  if (!wasClosed && isClosed)
    return [difference('other-members-forbidden', place, 'members that are not listed are forbidden now')];
  if (wasClosed && !isClosed)
    return [difference('other-members-allowed', place, 'members that are not listed are allowed now')];
  return isOpenObject(base) && isOpenObject(head) ? [] : within('.*', context.compare(before, after, context));
};

/** Compares the members whose names fit a pattern. */
function comparePatterns(base: Shape, head: Shape, context: Comparison): readonly SchemaDifference[] {
  const patterns = new Set([...base.byPattern.keys(), ...head.byPattern.keys()]);
  return [...patterns].flatMap((pattern) => {
    const [before, after] = [base.byPattern.get(pattern), head.byPattern.get(pattern)];
    const found = [...context.compare(before ?? base.additional ?? [], after ?? head.additional ?? [], context)];
    // A name that fits another pattern, too, has to be what both say.
    if (before === undefined && after !== undefined)
      for (const own of besidePattern(pattern, base)) found.push(...context.compare(own, [...own, ...after], context));
    if (after === undefined && before !== undefined)
      for (const own of besidePattern(pattern, head)) found.push(...context.compare([...own, ...before], own, context));
    return within(`./${pattern}/`, found);
  });
}

/** What an object says of the members whose names may fit a pattern of its own beside another one. */
function besidePattern(pattern: string, { byPattern, pointer }: Shape): readonly Conjunction[] {
  pointer.description.work.spend(10 * byPattern.size);
  return [...byPattern].flatMap(([other, schema]) => (other === pattern ? [] : [schema]));
}
