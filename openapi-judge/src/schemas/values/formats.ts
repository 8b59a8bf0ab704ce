/** Formats: which hold the values of which, and the bounds that some have. */
import { tighterMaximum, tighterMinimum, type Shape } from './value-set.ts';

/** For some formats, those that have all of its values, too. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  int8: ['int16'],
  int16: ['int32'],
  int32: ['int64'],
  uint8: ['int16'],
  float: ['double'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
  uri: ['iri', 'uri-reference'],
  'uri-reference': ['iri-reference'],
};

/** Whether every value of a format is one of another. */
export function fitsFormat(inner: string, outer: string): boolean {
  return inner === outer || (WITHIN[inner] ?? []).some((wider) => fitsFormat(wider, outer));
}

/** The bits of whole numbers of a format. */
const INTEGERS = { int8: 8, int16: 16, int32: 32, int64: 64 };

/** The formats that the values of an alternative have: those that it names, or the least one that holds its bounds. */
export function formatsHeld({ formats, minimum, maximum, multiples }: Shape): ReadonlySet<string> {
  if (formats.size > 0 || !minimum || !maximum || !multiples.some(Number.isInteger)) return formats;
  const holding = Object.entries(INTEGERS).find(
    ([, bits]) => minimum.value >= -(2 ** (bits - 1)) && maximum.value < 2 ** (bits - 1),
  );
  return new Set(holding ? [holding[0]] : []);
}

/** An alternative with the bounds of the whole numbers that its formats have. */
export function withBoundsOfFormats(shape: Shape): Shape {
  return [...shape.formats].reduce((each, format) => {
    const bits = Object.entries(INTEGERS).find(([name]) => name === format)?.[1];
    if (bits === undefined) return each;
    const minimum = tighterMinimum(each.minimum, { value: -(2 ** (bits - 1)), exclusive: false });
    return { ...each, minimum, maximum: tighterMaximum(each.maximum, { value: 2 ** (bits - 1), exclusive: true }) };
  }, shape);
}
