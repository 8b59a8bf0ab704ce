/** Proofs that texts of one alternative fit others, by their lengths and by the patterns that they fit. */
import { some, type Ternary } from './values/schema-values.ts';
import type { Shape } from './values/value-set.ts';
import { areTextsCovered } from './values/patterns.ts';
import { isComputed, meaningsOf, shapesIn, withMeanings } from './meanings.ts';

/** Patterns and listed texts together, beyond which nothing is proven of them. */
const MOST_PATTERNS = 50;

/** A text, by what tells whether an alternative allows it. */
interface Text {
  readonly length: number;
  readonly fits: (pattern: string) => boolean;
}

/** Whether it is proven that every text of an alternative fits one of others. */
export function areTextsOf(inner: Shape, cover: readonly Shape[]): boolean {
  const all = [inner, ...cover].flatMap(withMeanings);
  const lengths = [...new Set(all.flatMap(({ least, most }) => [least, most]))];
  const patterns = all.flatMap((shape) => [...shape.patterns, ...[...(shape.values ?? [])].map(literal)]);
  if (patterns.length > MOST_PATTERNS) return false;
  const { work } = inner.pointer.description;
  const bare = { ...inner, formats: new Set<string>() };
  const isCounterexample = (text: Text): boolean => {
    work.spend(1 + Math.ceil(cover.length / 10));
    return allows(bare, text) !== false && !cover.some((shape) => allows(shape, text) === true);
  };
  if (patterns.length > 0) return areTextsCovered({ patterns, lengths, work, isCounterexample });
  const near = [0, ...lengths.flatMap((each) => [each - 1, each, each + 1])];
  const possible = near.filter((each) => each >= 0 && each < Infinity);
  return !possible.some((length) => isCounterexample({ length, fits: () => false }));
}

function allows(shape: Shape, text: Text): Ternary {
  if (text.length < shape.least || text.length > shape.most || ![...shape.patterns].every(text.fits)) return false;
  if (shape.values !== undefined && ![...shape.values].some((value) => text.fits(literal(value)))) return false;
  const verdicts = meaningsOf(shape).map(([, meaning]) => {
    const fit = some(shapesIn(meaning).map((each) => allows(each, text)));
    return 'noneOf' in meaning && fit !== undefined ? !fit : fit;
  });
  if (verdicts.includes(false)) return false;
  const isKnown = !verdicts.includes(undefined) && isComputed(shape) && shape.formats.size === 0;
  return isKnown ? true : undefined;
}

/** A pattern that one text alone fits. */
function literal(json: string): string {
  return `^${String(JSON.parse(json)).replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;
}
