import { readFileSync } from 'node:fs';
import { UsageError } from '../../common/process/args.ts';
import { isRecord } from '../../common/json.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { judgementOf } from '../src/change.ts';
import { ownChanges } from '../src/classify.ts';
import { cases, described, type Document, type Json } from './cases.ts';

const fields = parse(readFileSync(new URL('fields.yaml', import.meta.url), 'utf8')) as { readonly document: Document };
const documents: readonly Document[] = [
  fields.document,
  ...cases.filter((_each, index) => index % 33 === 0).flatMap(({ base }) => (typeof base === 'string' ? [] : [base])),
];

/** Every place of a document, as the object or list that holds it and its key. */
function placesIn(root: unknown): [holder: Record<string, unknown>, key: string][] {
  if (typeof root !== 'object' || root === null) return [];
  const holder = root as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [
    [holder, key] as [Record<string, unknown>, string],
    ...placesIn(holder[key]),
  ]);
}

/** One change of a document: at some place, another value, one from elsewhere, or nothing. */
const mutation = fc.record({
  place: fc.nat(),
  from: fc.nat(),
  what: fc.constantFrom('put', 'copy', 'drop', 'refer'),
  value: fc.oneof(
    fc.constantFrom<Json>(null, true, false, '', 'string', 'object', 0, -1, 1.5, 1e300, [], {}, [[]], [{}]),
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  ),
});

it('no document makes it fail otherwise than in one line, and every document is the same as itself', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...documents),
      fc.array(mutation, { minLength: 1, maxLength: 5 }),
      (document, edits) => {
        const changed = structuredClone(document);
        for (const { place, from, what, value } of edits) {
          const places = placesIn(changed);
          const [holder, key] = places[place % places.length] ?? [{}, ''];
          const [other, otherKey] = places[from % places.length] ?? [{}, ''];
          if (what === 'drop') Reflect.deleteProperty(holder, key);
          else if (what === 'copy') holder[key] = structuredClone(other[otherKey]);
          else if (what === 'refer') holder[key] = { $ref: '#/components/schemas/S' };
          else holder[key] = structuredClone(value);
        }
        try {
          const [before, after, again] = [
            described('base', document),
            described('head', changed),
            described('base', changed),
          ];
          expect(judgementOf(ownChanges(before, after)).clients).toMatch(/^(breaking|compatible)$/);
          expect(ownChanges(again, described('head', document)).every(isRecord)).toBe(true);
          expect(ownChanges(again, after)).toEqual([]);
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
          expect(error.message).not.toContain('\n');
        }
      },
    ),
    { numRuns: 400, seed: Number(process.env.TEST_SEED ?? 1) },
  );
});
