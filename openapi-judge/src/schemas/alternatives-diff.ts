/** Compares the alternatives that two schemas leave for one type. */
import { effectOn, movesOf, type Moves } from '../change.ts';
import type { Located } from '../documents/description.ts';
import type { Rule } from '../rules.ts';
import { labelsOf, matchAlternatives, type Matching } from './alternatives-match.ts';
import {
  difference,
  isMoving,
  listOf,
  movesOfAll,
  NARROWS,
  OVERLAP_CHANGES,
  STILL,
  WIDENS,
  within,
} from './difference.ts';
import type { Comparison, SchemaDifference } from './difference.ts';
import { allowsNothing } from './forms.ts';
import { compareShapes } from './shapes-diff.ts';
import { OVERLAP, overlaps, type JsonType, type Shape } from './values/value-set.ts';

/** The alternatives for one type in both documents; `at` is the place to report. */
export interface Alternatives {
  readonly before: readonly Shape[];
  readonly after: readonly Shape[];
  readonly type: JsonType;
  readonly at: Located;
}

/** The same the other way round, and how values move then. */
function reversed({ before, after, ...rest }: Alternatives): Alternatives {
  return { before: after, after: before, ...rest };
}

export function compareAlternatives(both: Alternatives, context: Comparison): readonly SchemaDifference[] {
  const { before, after, type } = both;
  const [only] = before;
  const [newOnly] = after;
  if (only !== undefined && newOnly !== undefined && before.length === 1 && after.length === 1)
    return compareShapes({ base: only, head: newOnly, type, at: both.at }, context);
  const matching = matchAlternatives(before, after, type);
  const found = [
    ...comparePaired(both, matching, context),
    ...refusedBy(both, context, NARROWS),
    ...refusedBy(reversed(both), context, WIDENS),
  ];
  const gone = uncovered(matching.removed, both, context, 'narrows');
  const come = uncovered(matching.added, reversed(both), context, 'widens');
  const others = (all: readonly Shape[], moving: readonly Shape[]): readonly Shape[] =>
    all.filter((shape) => !moving.includes(shape));
  return [
    ...found,
    ...told('alternative-removed', gone, both, context),
    ...told('alternative-added', come, both, context),
    ...told('alternative-unlisted', others(matching.removed, gone), both, context),
    ...told('alternative-listed', others(matching.added, come), both, context),
  ];
}

function comparePaired(both: Alternatives, matching: Matching, context: Comparison): readonly SchemaDifference[] {
  const { pairs, removed, added } = matching;
  const { type, at } = both;
  const labels = labelsOf(both.after);
  const found = pairs.flatMap(([base, head]) => {
    return within(type === 'object' ? `(${labels(head)})` : '', compareShapes({ base, head, type, at }, context));
  });
  // Where alternatives come or go, what that means is said of them, and not of the values that fit several of them.
  return removed.length + added.length > 0 ? found : [...found, ...compareExclusion(both, context)];
}

/** Compares whether alternatives exclude each other. Where they do, it is nothing new that they overlap. */
function compareExclusion({ before, after, at }: Alternatives, context: Comparison): readonly SchemaDifference[] {
  const [wereExclusive, areExclusive] = [before, after].map((some) =>
    some.some(({ asWritten }) => asWritten.has(OVERLAP)),
  );
  if (wereExclusive === areExclusive) return [];
  if (!(areExclusive ? after : before).some(overlaps)) return [];
  const also = effectOn(context.sender, areExclusive ? NARROWS : WIDENS);
  return [difference('alternatives-exclusive', at, OVERLAP_CHANGES, { moves: STILL, also })];
}

/** Alternatives whose values a `oneOf` of the other document refuses, since they fit several branches. */
function refusedBy({ before, after, type }: Alternatives, context: Comparison, moves: Moves) {
  const refused = before.filter((shape) => context.inclusion.isRefused(shape, after, type));
  const fact = 'what fits several alternatives of the `oneOf` is refused';
  return refused.map(({ pointer }) => difference('alternatives-exclusive', pointer, fact, { moves }));
}

/** Those of some alternatives that hold a value which none of the others allows, and which differ from each in that way. */
function uncovered(
  some: readonly Shape[],
  { before, after, type, at }: Alternatives,
  context: Comparison,
  way: keyof Moves,
) {
  return some.filter((shape) => {
    if (context.inclusion.isCovered([shape], after, type)) return false;
    // Where several became several, each was compared with the one that it is most like.
    if (before.length > 1 && after.length > 1) return true;
    return after.every((other) => {
      const [base, head] = way === 'narrows' ? [shape, other] : [other, shape];
      const found = compareShapes({ base, head, type, at }, context);
      return movesOfAll(found)[way] || movesOfAll(found, 'meaning')[way];
    });
  });
}

/** What is said of alternatives that came or went, by the rule that tells it. */
const TOLD = {
  'alternative-removed': { is: 'gone', from: 'before', meaning: NARROWS },
  'alternative-added': { is: 'allowed now', from: 'after', meaning: WIDENS },
  'alternative-unlisted': { is: 'gone; its values stay allowed', from: 'before', meaning: NARROWS },
  'alternative-listed': { is: 'new; its values were allowed', from: 'after', meaning: WIDENS },
} as const satisfies Partial<Record<Rule, unknown>>;

function told(
  rule: keyof typeof TOLD,
  shapes: readonly Shape[],
  both: Alternatives,
  { sender }: Comparison,
): readonly SchemaDifference[] {
  const { is, from, meaning } = TOLD[rule];
  const others = from === 'before' ? both.after : both.before;
  const labels = labelsOf(both[from]);
  // Of a response, alternatives may go with all that they have, if one stays as it is.
  const isLost = sender === 'client' || both[from].every((each) => unknownTo(others, each).length > 0);
  return shapes.flatMap((shape) => {
    const unknown = isLost ? unknownTo(others, shape) : [];
    const fact = `the alternative ${labels(shape)} is ${is}`;
    if (unknown.length > 0) {
      const moves = movesOf(rule);
      return [difference(rule, shape.pointer, `${fact}, and with it ${listOf(unknown)}`, { moves, meaning })];
    }
    const isTold = shape.name !== undefined || isMoving(movesOf(rule));
    return isTold ? [difference(rule, shape.pointer, fact)] : [];
  });
}

/** Members of an object that others know nothing of. */
function unknownTo(others: readonly Shape[], { properties: members }: Shape): readonly string[] {
  const known = (name: string): boolean =>
    others.some(({ properties, required }) => properties.has(name) || required.has(name));
  return [...members].flatMap(([name, schema]) => (known(name) || allowsNothing(schema, 'client') ? [] : [name]));
}
