import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgementOf, type Verdict } from '../src/change.ts';
import { ownChanges } from '../src/classify.ts';
import { described, filledIn, reversed, type Document, type Json, type JsonObject } from './cases.ts';

/** Pairs of schemas that are tried: TEST_RUNS=10000 is what a change of the judge is tried with. */
const PAIRS = Number(process.env.TEST_RUNS ?? 400);

const TYPES = ['string', 'integer', 'number', 'boolean', 'null'] as const;
const NUMBERS = [-1, 0, 1, 1.5, 2, 2.5, 3, 4, 5];
const SCALARS: readonly Json[] = [null, true, false, ...NUMBERS, ...['', 'a', 'b', 'ab', 'abc', 'abcde']];
const LISTS: readonly Json[] = [[], [1], [1, 1], [1, 2], [1, 2, 3], ['a'], ['a', 1], [null], [1.5]];
const MEMBERS: readonly (Json | undefined)[] = [undefined, null, true, 0, 1, 1.5, 2, 'a', 'ab', 'abc'];

/** The values that every schema is asked about: those at the bounds that the schemas below can have, alone, in lists and in objects. */
const VALUES: readonly Json[] = [
  ...SCALARS,
  ...LISTS,
  ...LISTS.map((list): Json => [list]),
  ...LISTS.map((list): Json => ({ a: list })),
  ...MEMBERS.flatMap((a) =>
    MEMBERS.flatMap((b) =>
      [undefined, 1, 'a'].map((other): Json => JSON.parse(JSON.stringify({ a, b, other })) as JsonObject),
    ),
  ),
];

const small = fc.integer({ min: 0, max: 4 });
const scalar = fc.constantFrom<Json>('a', 'b', 'ab', 1, 2, null, true, false);
/** A schema with one bound, with a type or without. */
const bounded = (types: readonly string[], bounds: readonly string[]): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(fc.constantFrom(undefined, ...types), fc.constantFrom(...bounds), small)
    .map(([type, bound, at]) => ({ ...(type === undefined ? {} : { type }), [bound]: at }));

const leaf: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constant({}),
  fc.constantFrom(...TYPES).map((type) => ({ type })),
  fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }).map((type) => ({ type })),
  fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
  scalar.map((value) => ({ const: value })),
  bounded(['integer', 'number'], ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']),
  fc.tuple(small, small).map(([minimum, maximum]) => ({ type: 'integer', minimum, maximum })),
  bounded(['string'], ['minLength', 'maxLength']),
  fc.constantFrom<JsonObject>(
    { type: 'integer', multipleOf: 2 },
    { type: 'number', multipleOf: 0.5 },
    { type: 'string', pattern: '^a' },
    { enum: [1, 2, 3], minimum: 2 },
    { enum: ['a', 'b', 'abc'], minLength: 2 },
  ),
);

/**
 * Schemas made of smaller ones. Every object lists the same members: a member that one schema lists and the other does not is judged as
 * a member added or taken away, by what is in use and not by values alone.
 */
function grown(inner: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const others = fc.constantFrom<JsonObject>(
    ...[
      {},
      { additionalProperties: true },
      { additionalProperties: false },
      { additionalProperties: { type: 'integer' } },
    ],
  );
  const objects = fc
    .tuple(inner, inner, fc.subarray(['a', 'b']), others)
    .map(([a, b, required, more]): JsonObject => ({ type: 'object', properties: { a, b }, required, ...more }));
  return fc.oneof(
    { weight: 3, arbitrary: inner },
    { weight: 2, arbitrary: objects },
    fc
      .tuple(inner, small, small, fc.boolean())
      .map(([items, minItems, maxItems, uniqueItems]) => ({ type: 'array', items, minItems, maxItems, uniqueItems })),
    fc
      .tuple(fc.constantFrom('allOf', 'anyOf', 'oneOf'), fc.array(inner, { minLength: 1, maxLength: 3 }))
      .map(([keyword, schemas]): JsonObject => ({ [keyword]: schemas })),
    fc
      .tuple(leaf, fc.constantFrom('anyOf', 'oneOf'), fc.tuple(inner, inner))
      .map(([own, keyword, schemas]): JsonObject => ({ ...own, [keyword]: schemas })),
    inner.map((schema) => ({ not: schema })),
  );
}

const schema = grown(grown(leaf));
/** Two schemas: unlike each other, or one made of the other. */
const pairs: fc.Arbitrary<readonly [JsonObject, JsonObject]> = fc.oneof(
  fc.tuple(schema, schema),
  fc.tuple(schema, leaf).map(([one, more]) => [one, { allOf: [one, more] }] as const),
  fc.tuple(schema, leaf).map(([one, more]) => [one, { anyOf: [one, more] }] as const),
  fc.tuple(schema, leaf).map(([one, more]) => [{ ...one, ...more }, one] as const),
);

const listsMembers = (one: JsonObject): boolean => JSON.stringify(one).includes('"properties"');
const ajv = new Ajv2020({ strict: false, logger: false });

interface Reading {
  readonly accepted: ReadonlySet<Json>;
  readonly refused: ReadonlySet<Json>;
}

/**
 * What a schema says of the values, by a validator that knows nothing of the judge. A list or an object that fits several
 * alternatives of a `oneOf` is neither accepted nor refused: nobody means that it is refused.
 */
function readingOf(one: JsonObject): Reading {
  const [strict, lenient] = [ajv.compile(one), ajv.compile(leniently(one) as JsonObject)];
  const [accepted, refused] = [new Set<Json>(), new Set<Json>()];
  for (const value of VALUES) {
    const isContainer = typeof value === 'object' && value !== null;
    const isAccepted = strict(value);
    if (isAccepted && lenient(value)) accepted.add(value);
    if (!isAccepted && !(isContainer && lenient(value))) refused.add(value);
  }
  return { accepted, refused };
}

/** A schema in which a value may fit several alternatives of a `oneOf`. */
function leniently(node: Json): Json {
  if (Array.isArray(node)) return (node as readonly Json[]).map(leniently);
  if (typeof node !== 'object' || node === null) return node;
  const { oneOf, ...rest } = node as JsonObject;
  const members = Object.entries(rest).map(([key, each]): [string, Json] => [key, leniently(each)]);
  const both = oneOf === undefined ? {} : { allOf: [{ anyOf: leniently(oneOf) }] };
  return { ...Object.fromEntries(members), ...both };
}

function judged(base: Document, head: Document): { readonly clients: Verdict; readonly implementers: Verdict } {
  return judgementOf(ownChanges(described('base', base), described('head', head)));
}

/** Whom the way from one schema to another breaks, in a request and in a response. */
function bothPlaces(base: JsonObject, head: JsonObject) {
  const [request, response] = ['sent value', 'received value'].map((place) =>
    judged(filledIn(place, { value: base }), filledIn(place, { value: head })),
  );
  return { request, response };
}

it('two schemas are never called compatible where a value shows that they are not', () => {
  fc.assert(
    fc.property(pairs, ([base, head]) => {
      fc.pre(listsMembers(base) === listsMembers(head));
      const [before, after] = [readingOf(base), readingOf(head)];
      fc.pre(before.accepted.size > 0 && after.accepted.size > 0);
      const gone = [...before.accepted].filter((value) => after.refused.has(value));
      const come = [...after.accepted].filter((value) => before.refused.has(value));
      const { request, response } = bothPlaces(base, head);
      const contradictions = [
        { what: 'clients can no longer send', values: gone, verdict: request?.clients },
        { what: 'servers have to take', values: come, verdict: request?.implementers },
        { what: 'clients meet for the first time', values: come, verdict: response?.clients },
        { what: 'servers may no longer send', values: gone, verdict: response?.implementers },
      ].filter(({ values, verdict }) => values.length > 0 && verdict === 'compatible');
      expect(contradictions).toEqual([]);
    }),
    // Without looking for a smaller one, which takes longer than all others.
    { numRuns: PAIRS, seed: 20261121, endOnFailure: true },
  );
});

it('a schema that is extracted, wrapped, or written in another order is the same', () => {
  fc.assert(
    fc.property(schema, (one) => {
      const written: readonly (readonly [JsonObject, JsonObject?])[] = [
        [{ $ref: '#/components/schemas/One' }, { One: one }],
        [{ $ref: '#/components/schemas/Two' }, { Two: { $ref: '#/components/schemas/One' }, One: one }],
        [{ allOf: [one] }],
        [{ anyOf: [one] }],
        [{ oneOf: [one] }],
        // What is listed within `not` says of no member what it means.
        [listsMembers(one) ? one : { not: { not: one } }],
        [reversed(one) as JsonObject],
      ];
      for (const [value, schemas = {}] of written) {
        const [base, head] = [
          filledIn('exchanged value', { value: one, components: {} }),
          filledIn('exchanged value', { value, components: { schemas } }),
        ];
        expect({ value, ...judged(base, head) }).toMatchObject({ clients: 'compatible', implementers: 'compatible' });
      }
    }),
    { numRuns: 60, seed: 20261123 },
  );
});
