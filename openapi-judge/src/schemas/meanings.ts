/** The demands of alternatives whose meaning is computed, beside bounds, lists and members. */
import { fitsFormat, formatsHeld } from './values/formats.ts';
import type { Meaning, Shape } from './values/value-set.ts';

/** The meanings of an alternative, by their keyword. */
export function meaningsOf({ asWritten, meanings }: Shape): readonly [keyword: string, Meaning][] {
  return [...asWritten].flatMap(([keyword, texts]) =>
    [...texts].flatMap((text): [string, Meaning][] => {
      const meaning = meanings.get(text);
      return meaning === undefined ? [] : [[keyword, meaning]];
    }),
  );
}

/** The alternatives of which one, or none, has to fit. */
export function shapesIn(meaning: Meaning): readonly Shape[] {
  if ('anyOf' in meaning) return meaning.anyOf;
  return 'noneOf' in meaning ? meaning.noneOf : [];
}

/** An alternative, and all that its meanings speak of. */
export function withMeanings(shape: Shape): readonly Shape[] {
  const inner = meaningsOf(shape).flatMap(([, meaning]) => shapesIn(meaning));
  return [shape, ...inner.flatMap(withMeanings)];
}

/** Whether all that an alternative demands is computed. */
export function isComputed({ asWritten, meanings }: Shape): boolean {
  return [...asWritten.values()].every((texts) => [...texts].every((text) => meanings.has(text)));
}

/** An alternative without what another one demands, too, where that is not computed; none if it demands more of that kind. */
export function usable(shape: Shape, inner: Shape): readonly Shape[] {
  if (shape.formats.size === 0 && shape.asWritten.size === 0) return [shape];
  const held = [...formatsHeld(inner)];
  const formats = [...shape.formats].filter((each) => !held.some((own) => fitsFormat(own, each)));
  if (formats.length > 0) return [];
  const left = [...shape.asWritten].map(([keyword, texts]): [string, ReadonlySet<string>] => {
    const own = inner.asWritten.get(keyword);
    return [keyword, new Set([...texts].filter((text) => own?.has(text) !== true))];
  });
  const bare = { ...shape, formats: new Set<string>(), asWritten: new Map(left.filter(([, texts]) => texts.size > 0)) };
  return isComputed(bare) ? [bare] : [];
}
