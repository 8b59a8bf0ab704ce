import type { Document, Json, JsonObject, Schema } from './documents.ts';
import { answered, asked, exchanged } from './documents.ts';
import { CLIENTS, IMPLEMENTERS, SAME, pair, type Outcome, type Pair } from './pair.ts';

export type Step = 'request narrowed' | 'request widened' | 'answer narrowed' | 'answer widened';

/** Two schemas of which the narrow one accepts less. Test data proves it: see `exam.test.ts`. */
export interface Inclusion {
  readonly name: string;
  readonly wide: Schema;
  readonly narrow: Schema;
  /** A value that the wide schema accepts and the narrow one does not. */
  readonly onlyWide: Json;
  /** A value that both accept. */
  readonly both: Json;
  /** `components` of both documents, where the schemas refer to them. */
  readonly components?: JsonObject;
  /** Steps that are arguable, and therefore not asked. */
  readonly arguable?: readonly Step[];
}

/** Two schemas that accept the same values, written in two ways. */
export interface Equality {
  readonly name: string;
  readonly a: Schema;
  readonly b: Schema;
  /** Values near the border: both schemas accept each of them, or neither does. */
  readonly samples: readonly Json[];
  readonly componentsA?: JsonObject;
  readonly componentsB?: JsonObject;
  /** Why they are the same. */
  readonly why: string;
}

const S: Schema = { type: 'string' };
const I: Schema = { type: 'integer' };
const N: Schema = { type: 'number' };
const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  ...(required.length > 0 ? { required } : {}),
  properties,
});
const kind = (name: string, properties: JsonObject = {}): JsonObject =>
  object({ kind: { type: 'string', const: name }, ...properties }, ['kind']);
const tree = (value: Schema): JsonObject => ({
  schemas: {
    Node: object({ value, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } }, ['value']),
  },
});
const card: JsonObject = object({ kind: S, number: S });

export const inclusions: readonly Inclusion[] = [
  { name: 'null taken away', wide: { type: ['string', 'null'] }, narrow: S, onlyWide: null, both: 'a' },
  { name: 'null in an anyOf taken away', wide: { anyOf: [I, { type: 'null' }] }, narrow: I, onlyWide: null, both: 1 },
  { name: 'number to integer', wide: N, narrow: I, onlyWide: 1.5, both: 1 },
  { name: 'any string to an enum', wide: S, narrow: { type: 'string', enum: ['a', 'b'] }, onlyWide: 'c', both: 'a' },
  {
    name: 'an enum value fewer',
    wide: { type: 'string', enum: ['new', 'paid', 'sent'] },
    narrow: { type: 'string', enum: ['sent', 'new'] },
    onlyWide: 'paid',
    both: 'new',
  },
  { name: 'enum to one const', wide: { enum: ['a', 'b'] }, narrow: { const: 'a' }, onlyWide: 'b', both: 'a' },
  {
    name: 'a longer least length',
    wide: { type: 'string', minLength: 1 },
    narrow: { type: 'string', minLength: 3 },
    onlyWide: 'ab',
    both: 'abc',
  },
  { name: 'a greatest length', wide: S, narrow: { type: 'string', maxLength: 3 }, onlyWide: 'abcd', both: 'abc' },
  { name: 'a pattern', wide: S, narrow: { type: 'string', pattern: '^[a-z]+$' }, onlyWide: 'A1', both: 'abc' },
  {
    name: 'a format',
    wide: S,
    narrow: { type: 'string', format: 'date-time' },
    onlyWide: 'soon',
    both: '2026-01-01T00:00:00Z',
  },
  {
    name: 'int64 to int32',
    wide: { type: 'integer', format: 'int64' },
    narrow: { type: 'integer', format: 'int32' },
    onlyWide: 3_000_000_000,
    both: 3,
  },
  {
    name: 'a higher minimum',
    wide: { type: 'integer', minimum: 0 },
    narrow: { type: 'integer', minimum: 1 },
    onlyWide: 0,
    both: 1,
  },
  {
    name: 'exclusiveMinimum 0 to minimum 1 on numbers',
    wide: { type: 'number', exclusiveMinimum: 0 },
    narrow: { type: 'number', minimum: 1 },
    onlyWide: 0.5,
    both: 1,
  },
  {
    name: 'an inclusive bound made exclusive',
    wide: { type: 'number', maximum: 10 },
    narrow: { type: 'number', exclusiveMaximum: 10 },
    onlyWide: 10,
    both: 9.9,
  },
  {
    name: 'multiples of 5 to multiples of 10',
    wide: { type: 'integer', multipleOf: 5 },
    narrow: { type: 'integer', multipleOf: 10 },
    onlyWide: 5,
    both: 10,
  },
  {
    name: 'fewer elements at most',
    wide: { type: 'array', items: S, maxItems: 3 },
    narrow: { type: 'array', items: S, maxItems: 2 },
    onlyWide: ['a', 'b', 'c'],
    both: ['a'],
  },
  {
    name: 'an empty array no more',
    wide: { type: 'array', items: S },
    narrow: { type: 'array', items: S, minItems: 1 },
    onlyWide: [],
    both: ['a'],
  },
  {
    name: 'equal elements no more',
    wide: { type: 'array', items: I },
    narrow: { type: 'array', items: I, uniqueItems: true },
    onlyWide: [1, 1],
    both: [1, 2],
  },
  {
    name: 'the type of the elements narrowed',
    wide: { type: 'array', items: N },
    narrow: { type: 'array', items: I },
    onlyWide: [0.5],
    both: [1],
  },
  {
    name: 'elements of any type to strings',
    wide: { type: 'array' },
    narrow: { type: 'array', items: S },
    onlyWide: [1],
    both: ['a'],
  },
  {
    name: 'an optional member made required',
    wide: object({ a: S, b: S }, ['a']),
    narrow: object({ a: S, b: S }, ['a', 'b']),
    onlyWide: { a: 'x' },
    both: { a: 'x', b: 'y' },
  },
  {
    name: 'a member required deep inside, under allOf and items',
    wide: { type: 'array', items: { allOf: [object({ id: I }, ['id']), object({ place: object({ city: S }) })] } },
    narrow: {
      type: 'array',
      items: { allOf: [object({ id: I }, ['id']), object({ place: object({ city: S }, ['city']) })] },
    },
    onlyWide: [{ id: 1, place: {} }],
    both: [{ id: 1, place: { city: 'Ulm' } }],
  },
  {
    name: 'required, but never listed among the properties',
    wide: object({ a: S }),
    narrow: { ...object({ a: S }), required: ['ghost'] },
    onlyWide: { a: 'x' },
    both: { ghost: 1 },
    // In a request it may be taken for a new member that has to be honoured.
    arguable: ['request narrowed', 'request widened'],
  },
  {
    name: 'additional members typed',
    wide: object({ a: S }),
    narrow: { ...object({ a: S }), additionalProperties: I },
    onlyWide: { z: 'text' },
    both: { a: 'x', z: 1 },
  },
  {
    name: 'the values of a map narrowed',
    wide: { type: 'object', additionalProperties: N },
    narrow: { type: 'object', additionalProperties: I },
    onlyWide: { z: 0.5 },
    both: { z: 1 },
  },
  {
    name: 'members by pattern narrowed',
    wide: { type: 'object', patternProperties: { '^n_': N } },
    narrow: { type: 'object', patternProperties: { '^n_': I } },
    onlyWide: { n_a: 0.5 },
    both: { n_a: 1, other: 'x' },
  },
  {
    name: 'members by pattern typed for the first time',
    wide: { type: 'object' },
    narrow: { type: 'object', patternProperties: { '^n_': I } },
    onlyWide: { n_a: 'x' },
    both: { n_a: 1 },
  },
  {
    name: 'an object closed',
    wide: object({ a: S }),
    narrow: { ...object({ a: S }), additionalProperties: false },
    onlyWide: { z: 1 },
    both: { a: 'x' },
    // Whether a client may count on there being no further members is a matter of taste.
    arguable: ['answer widened'],
  },
  {
    name: 'a composed object closed by unevaluatedProperties',
    wide: { allOf: [object({ a: S }), object({ b: S })] },
    narrow: { allOf: [object({ a: S }), object({ b: S })], unevaluatedProperties: false },
    onlyWide: { z: 1 },
    both: { a: 'x', b: 'y' },
    // Whether a client may count on there being no further members is a matter of taste.
    arguable: ['answer widened'],
  },
  {
    name: 'a closed object moved into one branch of an allOf, where it shuts out the other branch',
    wide: { ...object({ a: S, b: S }), additionalProperties: false },
    narrow: { allOf: [{ ...object({ a: S }), additionalProperties: false }, object({ b: S })] },
    onlyWide: { b: 'y' },
    both: { a: 'x' },
  },
  {
    name: 'names of members bound to a pattern',
    wide: { type: 'object', additionalProperties: S },
    narrow: { type: 'object', additionalProperties: S, propertyNames: { pattern: '^[a-z]+$' } },
    onlyWide: { A1: 'x' },
    both: { abc: 'x' },
  },
  {
    name: 'an empty object no more',
    wide: object({ a: S, b: S }),
    narrow: { ...object({ a: S, b: S }), minProperties: 1 },
    onlyWide: {},
    both: { a: 'x' },
  },
  {
    name: 'fewer members at most',
    wide: { type: 'object', maxProperties: 2 },
    narrow: { type: 'object', maxProperties: 1 },
    onlyWide: { a: 1, b: 2 },
    both: { a: 1 },
  },
  {
    name: 'one member that needs another',
    wide: object({ card: S, holder: S }),
    narrow: { ...object({ card: S, holder: S }), dependentRequired: { card: ['holder'] } },
    onlyWide: { card: '1' },
    both: { card: '1', holder: 'Ada' },
  },
  {
    name: 'a condition (if/then)',
    wide: card,
    narrow: {
      ...card,
      if: { properties: { kind: { const: 'card' } }, required: ['kind'] },
      then: { required: ['number'] },
    },
    onlyWide: { kind: 'card' },
    both: { kind: 'cash' },
  },
  {
    name: 'an element that has to be among them',
    wide: { type: 'array' },
    narrow: { type: 'array', contains: { const: 'main' } },
    onlyWide: ['side'],
    both: ['main', 'side'],
  },
  {
    name: 'the second place of a tuple narrowed',
    wide: { type: 'array', prefixItems: [S, N] },
    narrow: { type: 'array', prefixItems: [S, I] },
    onlyWide: ['a', 0.5],
    both: ['a', 1],
  },
  { name: 'strings shut out by not', wide: {}, narrow: { not: { type: 'string' } }, onlyWide: 'a', both: 1 },
  { name: 'any value to a string', wide: {}, narrow: S, onlyWide: 1, both: 'a' },
  {
    name: 'boolean to true alone',
    wide: { type: 'boolean' },
    narrow: { type: 'boolean', enum: [true] },
    onlyWide: false,
    both: true,
  },
  { name: 'a branch of an anyOf dropped', wide: { anyOf: [S, I] }, narrow: { anyOf: [S] }, onlyWide: 5, both: 'a' },
  {
    name: 'a branch of a oneOf dropped',
    wide: { oneOf: [kind('cash'), kind('card'), kind('bill')] },
    narrow: { oneOf: [kind('cash'), kind('bill')] },
    onlyWide: { kind: 'card' },
    both: { kind: 'cash' },
  },
  {
    name: 'oneOf of overlapping branches, which shuts out what lies in both',
    wide: N,
    narrow: { oneOf: [N, I] },
    onlyWide: 1,
    both: 0.5,
  },
  {
    name: 'anyOf of overlapping branches to oneOf',
    wide: {
      anyOf: [
        { type: 'string', minLength: 3 },
        { type: 'string', maxLength: 5 },
      ],
    },
    narrow: {
      oneOf: [
        { type: 'string', minLength: 3 },
        { type: 'string', maxLength: 5 },
      ],
    },
    onlyWide: 'abcd',
    both: 'a',
  },
  {
    name: 'one more branch of an allOf',
    wide: { allOf: [S, { minLength: 1 }] },
    narrow: { allOf: [S, { minLength: 1 }, { maxLength: 4 }] },
    onlyWide: 'abcde',
    both: 'abc',
  },
  {
    name: 'a keyword beside a $ref, which counts since 3.1',
    wide: { $ref: '#/components/schemas/Code' },
    narrow: { $ref: '#/components/schemas/Code', maxLength: 3 },
    onlyWide: 'abcd',
    both: 'abc',
    components: { schemas: { Code: S } },
  },
  {
    name: 'a minimum that cuts into an enum',
    wide: { type: 'integer', enum: [1, 2, 3] },
    narrow: { type: 'integer', enum: [1, 2, 3], minimum: 2 },
    onlyWide: 1,
    both: 2,
  },
];

export const equalities: readonly Equality[] = [
  {
    name: 'type [string, null] as anyOf with null',
    a: { type: ['string', 'null'] },
    b: { anyOf: [S, { type: 'null' }] },
    samples: ['a', null, 1],
    why: 'Both accept strings and null.',
  },
  {
    name: 'anyOf with null as oneOf with null',
    a: { anyOf: [object({ a: S }), { type: 'null' }] },
    b: { oneOf: [{ type: 'null' }, object({ a: S })] },
    samples: [{ a: 'x' }, { a: 1 }, null],
    why: 'The branches cannot both hold, so any and one are the same.',
  },
  { name: 'allOf of one', a: S, b: { allOf: [S] }, samples: ['a', 1], why: 'An allOf of one is that one.' },
  {
    name: 'a $ref in an allOf of one',
    a: { $ref: '#/components/schemas/Item' },
    b: { allOf: [{ $ref: '#/components/schemas/Item' }] },
    componentsA: { schemas: { Item: object({ a: S }, ['a']) } },
    componentsB: { schemas: { Item: object({ a: S }, ['a']) } },
    samples: [{ a: 'x' }, {}],
    why: 'An allOf of one is that one.',
  },
  {
    name: 'a $ref written out',
    a: { $ref: '#/components/schemas/Item' },
    b: object({ a: S }, ['a']),
    componentsA: { schemas: { Item: object({ a: S }, ['a']) } },
    samples: [{ a: 'x' }, {}],
    why: 'A reference means what it refers to.',
  },
  {
    name: 'a chain of $refs shortened',
    a: { $ref: '#/components/schemas/Alias' },
    b: { $ref: '#/components/schemas/Item' },
    componentsA: { schemas: { Alias: { $ref: '#/components/schemas/Item' }, Item: object({ a: S }) } },
    componentsB: { schemas: { Item: object({ a: S }) } },
    samples: [{ a: 'x' }, { a: 1 }],
    why: 'A reference to a reference means what the last one refers to.',
  },
  {
    name: 'a component renamed',
    a: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
    b: { type: 'array', items: { $ref: '#/components/schemas/OrderLine' } },
    componentsA: { schemas: { Item: object({ a: S }) } },
    componentsB: { schemas: { OrderLine: object({ a: S }) } },
    samples: [[{ a: 'x' }], [{ a: 1 }]],
    why: 'Names of components are not on the wire.',
  },
  {
    name: 'a recursive component renamed',
    a: { $ref: '#/components/schemas/Node' },
    b: { $ref: '#/components/schemas/Tree' },
    componentsA: tree(S),
    componentsB: {
      schemas: {
        Tree: object({ value: S, children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } }, [
          'value',
        ]),
      },
    },
    samples: [
      { value: 'a', children: [{ value: 'b' }] },
      { value: 'a', children: [{}] },
    ],
    why: 'The same trees; only the name of the component is another.',
  },
  {
    name: 'a recursive schema unrolled once',
    a: { $ref: '#/components/schemas/Node' },
    b: object({ value: S, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } }, ['value']),
    componentsA: tree(S),
    componentsB: tree(S),
    samples: [
      { value: 'a', children: [{ value: 'b' }] },
      { value: 'a', children: [{}] },
    ],
    why: 'The outermost node is written out, the trees are the same.',
  },
  {
    name: 'members of required, enum and type in another order',
    a: { ...object({ a: S, b: { type: ['integer', 'string'], enum: [1, 'x', 2] } }, ['a', 'b']), title: 'T' },
    b: { ...object({ b: { type: ['string', 'integer'], enum: [2, 1, 'x'] }, a: S }, ['b', 'a']), title: 'T' },
    samples: [{ a: 'x', b: 1 }, { a: 'x' }, { b: 2 }],
    why: 'These lists are sets.',
  },
  {
    name: 'type: [x] as type: x',
    a: { type: ['string'] },
    b: S,
    samples: ['a', 1],
    why: 'A list of one type is that type.',
  },
  {
    name: 'type [string, integer] as anyOf',
    a: { type: ['string', 'integer'] },
    b: { anyOf: [S, I] },
    samples: ['a', 1, 1.5, null],
    why: 'Both accept strings and integers.',
  },
  {
    name: 'anyOf of disjoint types as oneOf',
    a: { anyOf: [S, I] },
    b: { oneOf: [I, S] },
    samples: ['a', 1, 1.5],
    why: 'No value is both a string and an integer.',
  },
  {
    name: 'a subset beside its superset in an anyOf',
    a: S,
    b: { anyOf: [S, { type: 'string', enum: ['a', 'b'] }] },
    samples: ['a', 'z', 1],
    why: 'The enum adds no string to the strings.',
  },
  {
    name: 'integer beside number in a type list',
    a: N,
    b: { type: ['number', 'integer'] },
    samples: [1, 1.5, 'a'],
    why: 'Every integer is a number.',
  },
  {
    name: 'a nested anyOf flattened',
    a: { anyOf: [{ anyOf: [S, I] }, { type: 'boolean' }] },
    b: { anyOf: [S, I, { type: 'boolean' }] },
    samples: ['a', 1, true, null],
    why: 'Any of any is any.',
  },
  {
    name: 'exclusiveMinimum 0 as minimum 1 on integers',
    a: { type: 'integer', exclusiveMinimum: 0 },
    b: { type: 'integer', minimum: 1 },
    samples: [0, 1, -1],
    why: 'No integer lies between 0 and 1.',
  },
  {
    name: 'multipleOf 1 as integer',
    a: { type: 'number', multipleOf: 1 },
    b: I,
    samples: [1, 1.5, 'a'],
    why: 'The multiples of 1 are the integers.',
  },
  {
    name: 'enum of one as const',
    a: { type: 'string', enum: ['a'] },
    b: { type: 'string', const: 'a' },
    samples: ['a', 'b'],
    why: 'One allowed value either way.',
  },
  {
    name: 'type said beside an enum that says it already',
    a: { enum: ['a', 'b'] },
    b: { type: 'string', enum: ['a', 'b'] },
    samples: ['a', 'c', 1],
    why: 'Every value of the enum is a string.',
  },
  {
    name: 'boolean as enum of true and false',
    a: { type: 'boolean' },
    b: { enum: [true, false] },
    samples: [true, false, 0, 'true'],
    why: 'There are no other booleans.',
  },
  {
    name: 'minLength 0 said',
    a: S,
    b: { type: 'string', minLength: 0 },
    samples: ['', 'a', 1],
    why: 'Every string is at least empty.',
  },
  {
    name: 'minItems 0 and uniqueItems false said',
    a: { type: 'array', items: S },
    b: { type: 'array', items: S, minItems: 0, uniqueItems: false },
    samples: [[], ['a', 'a'], [1]],
    why: 'These are the defaults.',
  },
  {
    name: 'an empty list of required members taken away',
    a: { type: 'object', required: [], properties: { a: S } },
    b: object({ a: S }),
    samples: [{}, { a: 1 }],
    why: 'No member was required before or is now.',
  },
  {
    name: 'additionalProperties: true said',
    a: object({ a: S }),
    b: { ...object({ a: S }), additionalProperties: true },
    samples: [{ z: 1 }, { a: 1 }],
    why: 'True is the default.',
  },
  {
    name: 'additionalProperties true as {}',
    a: { type: 'object', additionalProperties: true },
    b: { type: 'object', additionalProperties: {} },
    samples: [{ z: 1 }, 1],
    why: 'The empty schema accepts everything, as true does.',
  },
  {
    name: 'unevaluatedProperties: true taken away',
    a: { ...object({ a: S }), unevaluatedProperties: true },
    b: object({ a: S }),
    samples: [{ z: 1 }, { a: 1 }],
    why: 'True is the default.',
  },
  {
    name: 'unevaluatedProperties false as additionalProperties false where nothing is composed',
    a: { ...object({ a: S }), unevaluatedProperties: false },
    b: { ...object({ a: S }), additionalProperties: false },
    samples: [{ a: 'x' }, { z: 1 }],
    why: 'Without composition both shut out the same members.',
  },
  {
    name: 'items: {} said',
    a: { type: 'array' },
    b: { type: 'array', items: {} },
    samples: [[1, 'a'], 1],
    why: 'The empty schema accepts every element.',
  },
  {
    name: 'two open objects of an allOf merged',
    a: { allOf: [object({ a: S }, ['a']), object({ b: I }, ['b'])] },
    b: object({ a: S, b: I }, ['a', 'b']),
    samples: [{ a: 'x', b: 1 }, { a: 'x' }, { b: 1 }, { a: 'x', b: 'y' }],
    why: 'What holds in both branches holds of the whole.',
  },
  {
    name: 'a bound moved into an allOf',
    a: { type: 'string', minLength: 1 },
    b: { allOf: [S, { minLength: 1 }] },
    samples: ['', 'a', 1],
    why: 'Keywords side by side all hold, as the branches of an allOf do.',
  },
  {
    name: 'a branch that accepts everything, in an allOf',
    a: { allOf: [S] },
    b: { allOf: [S, {}] },
    samples: ['a', 1],
    why: 'It shuts nothing out.',
  },
  {
    name: 'maxLength on an integer',
    a: I,
    b: { type: 'integer', maxLength: 5 },
    samples: [1, 1_000_000, 'a'],
    why: 'maxLength speaks of strings only.',
  },
  {
    name: 'minimum on a string',
    a: S,
    b: { type: 'string', minimum: 5 },
    samples: ['a', 1, 6],
    why: 'minimum speaks of numbers only.',
  },
  {
    name: 'a minimum that every value of the enum has',
    a: { type: 'integer', enum: [6, 7] },
    b: { type: 'integer', enum: [6, 7], minimum: 5 },
    samples: [5, 6, 7],
    why: 'The bound cuts no value off.',
  },
  {
    name: 'a second upper bound behind the first',
    a: { type: 'integer', maximum: 10 },
    b: { type: 'integer', maximum: 10, exclusiveMaximum: 20 },
    samples: [10, 11, 19],
    why: 'The first bound is the one that cuts.',
  },
  {
    name: 'a nullable enum as anyOf',
    a: { type: ['string', 'null'], enum: ['a', null] },
    b: { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    samples: ['a', 'b', null],
    why: 'Both accept "a" and null.',
  },
  {
    name: 'an enum as oneOf of consts with titles',
    a: { type: 'string', enum: ['a', 'b'] },
    b: {
      oneOf: [
        { const: 'a', title: 'Ay' },
        { const: 'b', title: 'Bee' },
      ],
    },
    samples: ['a', 'b', 'c', 1],
    why: 'The two texts are allowed, and nothing else.',
  },
  {
    name: 'the same member required in both branches',
    a: { allOf: [object({ a: S }, ['a']), object({ b: S })] },
    b: { allOf: [object({ a: S }, ['a']), object({ b: S }, ['a'])] },
    samples: [{}, { a: 'x' }],
    why: 'Required twice is required.',
  },
  {
    name: 'a false schema as not {}',
    a: object({ a: S, banned: false }),
    b: object({ a: S, banned: { not: {} } }),
    samples: [{ a: 'x' }, { banned: 1 }],
    why: 'Neither accepts any value.',
  },
];

/** The steps between a wide schema and a narrow one, but the arguable. */
function steps({ name, wide, narrow, onlyWide, arguable = [], components = {} }: Inclusion): readonly Pair[] {
  const value = JSON.stringify(onlyWide);
  const all: Readonly<Record<Step, readonly [base: Document, head: Document, outcome: Outcome, why: string]>> = {
    'request narrowed': [
      asked(wide, components),
      asked(narrow, components),
      CLIENTS,
      `A client that sends ${value} may be refused by a HEAD server; a BASE server accepts all that HEAD asks for.`,
    ],
    'request widened': [
      asked(narrow, components),
      asked(wide, components),
      IMPLEMENTERS,
      `A BASE server may refuse ${value}; HEAD lets clients send it.`,
    ],
    'answer narrowed': [
      answered(wide, components),
      answered(narrow, components),
      IMPLEMENTERS,
      `A BASE server may answer with ${value}; HEAD does not let it. A client sees nothing new.`,
    ],
    'answer widened': [
      answered(narrow, components),
      answered(wide, components),
      CLIENTS,
      `A client of BASE never met ${value}; a HEAD server may answer with it.`,
    ],
  };
  return (Object.keys(all) as Step[])
    .filter((step) => !arguable.includes(step))
    .map((step) => pair(`${step}: ${name}`, ...all[step]));
}

export const schemaPairs: readonly Pair[] = [
  ...inclusions.flatMap(steps),
  ...equalities.map(({ name, a, b, componentsA, componentsB, why }) =>
    pair(`rewritten: ${name}`, exchanged(a, componentsA), exchanged(b, componentsB), SAME, why),
  ),
];
