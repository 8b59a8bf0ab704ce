/** Proofs that numbers of one alternative fit others, by the numbers of which one is a counterexample if any is. */
import { withBoundsOfFormats } from './values/formats.ts';
import { admits, anyAdmits, type Reading } from './values/schema-values.ts';
import type { Shape } from './values/value-set.ts';
import { withMeanings } from './meanings.ts';

/** Numbers that are tried, beyond which nothing is proven. */
const MOST_POINTS = 5_000;

/** Whether it is proven that every number of an alternative fits one of others. */
export function areNumbersCovered(inner: Shape, cover: readonly Shape[], read: Reading): boolean {
  const { work } = inner.pointer.description;
  const bare = { ...withBoundsOfFormats(inner), formats: new Set<string>() };
  const shapes = [bare, ...cover].flatMap(withMeanings);
  work.spend(shapes.length + 10 * shapes.reduce((sum, { multiples }) => sum + multiples.length, 0));
  const points = samplePoints(shapes);
  return (
    points?.every((value) => {
      work.spend(1 + Math.ceil(cover.length / 10));
      return admits(bare, value, read) === false || anyAdmits(cover, value, read) === true;
    }) === true
  );
}

/** The bounds, what is between them, and the multiples there; undefined if these are too many. */
function samplePoints(shapes: readonly Shape[]): readonly number[] | undefined {
  const listed = shapes.flatMap(({ values }) => [...(values ?? [])].map(Number));
  const bounds = shapes.flatMap(({ minimum, maximum }) => [minimum?.value ?? [], maximum?.value ?? []].flat());
  const edges = [...new Set([...bounds, ...listed])].sort((a, b) => a - b);
  const steps = [...new Set(shapes.flatMap(({ multiples }) => multiples))].filter((each) => each > 0);
  const period = steps.reduce(leastCommonMultiple, 1);
  const points = [...edges, 0];
  const from = [(edges[0] ?? 0) - 2 * period - 2, ...edges];
  const to = [...edges, (edges.at(-1) ?? 0) + 2 * period + 2];
  for (const [index, start] of from.entries()) {
    const end = to[index] ?? start;
    points.push(start + (end - start) * 0.618033988, start + Math.min(end - start, 1) * 0.314159265);
    for (const step of steps) {
      const multiples = multiplesBetween(start, Math.min(end, start + period + step), step);
      if (multiples === undefined || points.length + multiples.length > MOST_POINTS) return undefined;
      points.push(...multiples);
    }
  }
  return points;
}

function multiplesBetween(start: number, end: number, step: number): readonly number[] | undefined {
  const many = Math.ceil((end - start) / step);
  // Beyond this, numbers are too far apart to tell multiples from others.
  if (Math.abs(start / step) > Number.MAX_SAFE_INTEGER || !(many <= MOST_POINTS)) return undefined;
  const first = Math.ceil(start / step);
  return Array.from({ length: many + 1 }, (_each, index) => rounded((first + index) * step));
}

/** A number without the error of adding fractions. */
function rounded(value: number): number {
  return Number.isSafeInteger(value) ? value : Number(value.toPrecision(12));
}

/** Of fractions too, up to six places behind the point. */
function leastCommonMultiple(a: number, b: number): number {
  const [one, other] = [Math.round(a * PRECISION), Math.round(b * PRECISION)];
  const divisor = greatestCommonDivisor(one, other);
  return divisor === 0 ? a * b : ((one / divisor) * other) / PRECISION;
}

const PRECISION = 1e6;

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
