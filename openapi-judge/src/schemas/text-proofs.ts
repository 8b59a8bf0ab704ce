/** Proofs that texts of one alternative fit others, by their lengths and by the patterns that they fit. */
import type { DFA } from 'refa';
import { isComputed, meaningsOf, shapesIn } from './meanings.ts';
import { automatonOf, bothOf, isProvenEmpty, noneOf, textsOf } from './values/patterns.ts';
import { demandsNothing, type Meaning, type Shape } from './values/value-set.ts';

function hasLengths({ values, least, most }: Shape, ...lengths: readonly number[]): boolean {
  return values === undefined && lengths.every((length) => least <= length && length <= most);
}

/** Whether it is proven that every text of an alternative fits one of others. */
export function areTextsOf(inner: Shape, cover: readonly Shape[]): boolean {
  // Most often the lengths alone decide, and to build automata takes a hundred times as long.
  const isOfLengths = (shape: Shape): boolean => demandsNothing(shape, ['least', 'most', 'formats']);
  const whole = cover.filter((shape) => shape.formats.size === 0 && isOfLengths(shape));
  if (whole.some((shape) => hasLengths(shape, inner.least, inner.most))) return true;
  const bounds = [inner.least, inner.most];
  if (isOfLengths(inner) && !bounds.every((bound) => cover.some((shape) => hasLengths(shape, bound)))) return false;
  const both = bothOf(inner.pointer.description.work);
  return isProvenEmpty(() =>
    cover.reduce((left, each) => both(left, noneOf(accepting(each, false))), accepting(inner, true)),
  );
}

/**
 * The automaton of the texts that an alternative allows.
 *
 * @param otherwise whether what is not known of a text counts as allowed
 */
function accepting(shape: Shape, otherwise: boolean): DFA {
  const both = bothOf(shape.pointer.description.work);
  const listed = shape.values === undefined ? [] : [listing(shape.values)];
  const patterns = [...shape.patterns, ...listed].map(automatonOf);
  const known = patterns.filter((each) => each !== undefined);
  const isKnown = known.length === patterns.length && isComputed(shape) && shape.formats.size === 0;
  if (!isKnown && !otherwise) return noneOf(textsOf(0, Infinity));
  const meant = meaningsOf(shape).map(([, meaning]) => meeting(meaning, otherwise, both));
  return [...known, ...meant].reduce(both, textsOf(shape.least, shape.most));
}

function meeting(meaning: Meaning, otherwise: boolean, both: (one: DFA, other: DFA) => DFA): DFA {
  const areRefused = 'noneOf' in meaning;
  const refused = shapesIn(meaning)
    .map((shape) => noneOf(accepting(shape, otherwise !== areRefused)))
    .reduce(both, textsOf(0, Infinity));
  return areRefused ? refused : noneOf(refused);
}

/** A pattern that some texts alone fit. */
function listing(values: ReadonlySet<string>): string {
  const literals = [...values].map((json) => String(JSON.parse(json)).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return `^(?:${literals.join('|')})$`;
}
