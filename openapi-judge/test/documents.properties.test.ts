import { readFileSync } from 'node:fs';
import { arrayOf, atPointer, below, isRecord } from '../../common/json.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { judgementOf } from '../src/change.ts';
import { ownChanges } from '../src/classify.ts';
import { described, edited, start, type Document, type Json, type JsonObject } from './cases.ts';

type Schemas = Readonly<Record<string, JsonObject>>;

const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const runs = (numRuns: number) => ({ numRuns, seed: Number(process.env.TEST_SEED ?? 20261126) });

/** A member of an object, which may hold one of the kinds. */
const member = fc.oneof(
  fc.constantFrom<JsonObject>(
    { type: 'string' },
    { type: 'integer' },
    { type: 'string', enum: ['a', 'b', 'c'] },
    { type: 'string', format: 'date-time' },
    { type: 'array', items: { type: 'string' } },
    { type: 'object', additionalProperties: { type: 'string' } },
    { oneOf: [{ type: 'integer' }, { type: 'string', format: 'uuid' }] },
    { type: 'array', items: reference('Union') },
  ),
  fc.constant(reference('Part')).map((part): JsonObject => ({ anyOf: [part, { nullable: true }] })),
  fc.constant(reference('Part')).map((part): JsonObject => ({ allOf: [part], nullable: true })),
);

const members = (...names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), member, { minKeys: 1, maxKeys: 4 });
const own = members('a', 'b', 'c', 'd');

/** Components of which some are made of a base, and a union of them, as services write them. */
const inheritance: fc.Arbitrary<Schemas> = fc
  .record({
    base: members('e', 'f'),
    kinds: fc.array(own, { minLength: 2, maxLength: 4 }),
    part: own,
    required: fc.boolean(),
    isTagged: fc.boolean(),
    keyword: fc.constantFrom('oneOf', 'anyOf'),
    isTold: fc.boolean(),
    baseTells: fc.boolean(),
    isInline: fc.boolean(),
    groups: fc.constantFrom<JsonObject>({}, { oneOf: [{ required: ['a'] }, { required: ['x'] }] }),
  })
  .map(({ base, kinds, part, required, isTagged, keyword, isTold, baseTells, isInline, groups }) => {
    const madeOf = (own: JsonObject, index: number): JsonObject => {
      const tag: JsonObject = isTagged || isTold ? { kind: { type: 'string', enum: [`Kind${index}`] } } : {};
      const named = [...Object.keys(tag), ...(required ? Object.keys(own).slice(0, 1) : [])];
      const more = { type: 'object', properties: { ...own, ...tag }, ...(named.length > 0 ? { required: named } : {}) };
      return { allOf: [reference('Base'), more] };
    };
    const all = kinds.map(madeOf);
    const listed = all.map((schema, index) => (isInline && !isTold ? schema : reference(`Kind${index}`)));
    const { a, b, ...others } = part;
    const mapping = Object.fromEntries(
      all.map((_each, index) => [`Kind${index}`, `#/components/schemas/Kind${index}`]),
    );
    const told: JsonObject =
      baseTells && (isTagged || isTold) ? { discriminator: { propertyName: 'kind', mapping } } : {};
    return {
      ...Object.fromEntries(all.map((schema, index) => [`Kind${index}`, schema])),
      Base: { type: 'object', required: ['id'], properties: { id: { type: 'string' }, ...base }, ...told },
      Part: {
        type: 'object',
        properties: { ...others, ...(a && b ? { a, b } : {}), x: { type: 'string' } },
        ...groups,
      },
      Union: { [keyword]: listed, ...(isTold ? { discriminator: { propertyName: 'kind' } } : {}) },
    };
  });

/** A document whose only operation takes, or shows, the union. */
function documentOf(schemas: Schemas, place: 'request' | 'response'): Document {
  const content = { 'application/json': { schema: reference('Union') } };
  const responses = { '200': { description: 'Done', ...(place === 'response' ? { content } : {}) } };
  const post = { ...(place === 'request' ? { requestBody: { required: true, content } } : {}), responses };
  return { openapi: '3.0.3', info: { title: 't', version: '1' }, paths: { '/a': { post } }, components: { schemas } };
}

const judged = (base: Document, head: Document) => {
  const { clients, implementers, changes } = judgementOf(ownChanges(described('base', base), described('head', head)));
  const said = changes.filter((each) => each.clients === 'breaking' || each.implementers === 'breaking');
  return { clients, implementers, said: said.map(({ message }) => message) };
};

const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'enum', 'required', 'type']);

/** A value with the members of every object, and every list whose order means nothing, the other way round. */
function turned(value: Json, key = ''): Json {
  if (Array.isArray(value)) {
    const list = (value as readonly Json[]).map((each) => turned(each));
    return LISTS.has(key) ? list.reverse() : list;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .map(([name, each]): [string, Json] => [name, turned(each, name)])
      .reverse(),
  );
}

/** The same with one more optional member in each object with a list of members. */
function grown(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(grown);
  if (typeof value !== 'object' || value === null) return value;
  const inside = Object.fromEntries(Object.entries(value as JsonObject).map(([name, each]) => [name, grown(each)]));
  return isRecord(inside.properties) && inside.type === 'object'
    ? { ...inside, properties: { ...inside.properties, added: { type: 'string' } } }
    : inside;
}

/** The union with other alternatives. */
function withAlternatives(schemas: Schemas, change: (listed: readonly Json[]) => readonly Json[]): Schemas {
  const { Union: union = {} } = schemas;
  const changed = Object.entries(union).map(([key, value]) => [
    key,
    LISTS.has(key) ? change(arrayOf(value) as Json[]) : value,
  ]);
  return { ...schemas, Union: Object.fromEntries(changed) as JsonObject };
}

describe('documents with inheritance', () => {
  const nobody = { clients: 'compatible', implementers: 'compatible', said: [] };

  it.each(['request', 'response'] as const)('break nobody if lists in a %s are put in another order', (place) =>
    fc.assert(
      fc.property(inheritance, (schemas) => {
        const document = documentOf(schemas, place);
        expect(judged(document, turned(document) as Document)).toEqual(nobody);
      }),
      runs(150),
    ),
  );

  it.each(['request', 'response'] as const)('break no client if objects in a %s get an optional member', (place) =>
    fc.assert(
      fc.property(inheritance, (schemas) => {
        const document = documentOf(schemas, place);
        const more = documentOf(grown(turned(schemas)) as Schemas, place);
        expect(judged(document, more)).toMatchObject({ clients: 'compatible' });
        if (place === 'response') expect(judged(document, more)).toEqual(nobody);
      }),
      runs(150),
    ),
  );

  it('break no client if a request gets an alternative, or a response loses one', () =>
    fc.assert(
      fc.property(inheritance, (schemas) => {
        const less = withAlternatives(schemas, ([, ...rest]) => rest);
        for (const [base, head] of [
          [documentOf(less, 'request'), documentOf(schemas, 'request')],
          [documentOf(schemas, 'response'), documentOf(turned(less) as Schemas, 'response')],
        ] as const)
          expect(judged(base, head)).toMatchObject({ clients: 'compatible' });
      }),
      runs(150),
    ));
});

it('of a union of 58 alternatives with nulls in each other, the member that changed is named', () => {
  const orNull = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: 'null' }] });
  const names = Array.from({ length: 58 }, (_each, index) => `Kind${index}`);
  const union = (type: string): Document => {
    const kinds = names.map((name) => {
      const kind = { type: 'object', required: ['kind'], properties: { kind: { type: 'string', enum: [name] } } };
      const part = { type: 'object', properties: { x: orNull({ type: name === 'Kind7' ? type : 'string' }) } };
      const own = { type: 'object', properties: { part: orNull(part), next: orNull(reference('Union')) } };
      return [name, { allOf: [kind, own] }] as const;
    });
    const told = { oneOf: names.map(reference), discriminator: { propertyName: 'kind' } };
    return { ...documentOf({ ...Object.fromEntries(kinds), Union: told }, 'request'), openapi: '3.1.0' };
  };
  expect(judged(union('string'), union('integer')).said).toEqual([
    'Kind7.part.x: the type changes from string to number',
  ]);
});

/** What leaves fewer values of a schema; a list of them is empty where there is nothing to take away. */
function narrower(schema: JsonObject): readonly JsonObject[] {
  const { type, enum: values, required = [], properties, nullable } = schema;
  const optional = Object.keys((properties ?? {}) as JsonObject).filter((name) => !arrayOf(required).includes(name));
  const found: (JsonObject | false)[] = [
    Array.isArray(values) && values.length > 1 && { ...schema, enum: values.slice(1) as Json[] },
    type === 'string' && values === undefined && { ...schema, minLength: 21, maxLength: 22 },
    (type === 'integer' || type === 'number') && values === undefined && { ...schema, minimum: 77, maximum: 78 },
    type === 'array' && { ...schema, minItems: 77, maxItems: 78 },
    nullable === true && type !== undefined && { ...schema, nullable: false },
    Array.isArray(type) && type.length > 1 && { ...schema, type: type.slice(1) as Json[] },
    ...optional.slice(0, 1).map((name) => ({ ...schema, required: [...(arrayOf(required) as Json[]), name] })),
  ];
  return found.filter((each) => each !== false);
}

/** Every schema that the operations of a document lead to, by its place. */
function schemasIn(document: Document): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown, pointer: string, isSchema: boolean): void => {
    if (!isRecord(value) || found.has(pointer)) return;
    if (isSchema) found.add(pointer);
    const { $ref: target } = value;
    if (typeof target === 'string') visit(atPointer(document, target.slice(1)), target.slice(1), isSchema);
    for (const [key, each] of Object.entries(value)) {
      const at = below(pointer, key);
      if (key === 'schema' || (isSchema && /^(items|additionalProperties)$/.test(key))) visit(each, at, true);
      else if (isSchema && key === 'properties')
        Object.entries(each as object).forEach(([name, one]) => visit(one, below(at, name), true));
      else if (Array.isArray(each))
        each.forEach((one, index) => visit(one, below(at, index), isSchema && LISTS.has(key)));
      else if (!isSchema && !key.startsWith('x-') && !/^examples?$/.test(key)) visit(each, at, false);
    }
  };
  visit(document.paths, '/paths', false);
  return found;
}

describe('a single narrowing', () => {
  const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as Document;
  it.each([
    ['the contract of this repository', contract],
    ['the document of most cases', start.documents.things ?? {}],
  ])('anywhere in %s is found, and so is the way back', (_name, document) => {
    const silent = [...schemasIn(document)].flatMap((pointer) =>
      narrower(atPointer(document, pointer) as JsonObject).flatMap((schema) => {
        const narrowed = edited(document, [['put', pointer, schema]]);
        const [there, back] = [judged(document, narrowed), judged(narrowed, document)];
        return there.said.length > 0 && back.said.length > 0 ? [] : [`${pointer}: ${JSON.stringify(schema)}`];
      }),
    );
    expect(silent).toEqual([]);
  });

  it('anywhere in alternatives that are told apart breaks clients of a request, and of a response on the way back', () =>
    fc.assert(
      fc.property(inheritance, fc.nat(), (schemas, choice) => {
        const [request, response] = [documentOf(schemas, 'request'), documentOf(schemas, 'response')];
        fc.pre(JSON.stringify(schemas.Kind0).includes('"kind"'));
        const places = [...schemasIn(request)].flatMap((pointer) => {
          // Of alternatives without a tag, another one may allow what is taken away here.
          const isOpen = /(any|one)Of\/\d+$/.test(pointer);
          return isOpen
            ? []
            : narrower(atPointer(request, pointer) as JsonObject).map((schema) => ({ pointer, schema }));
        });
        const { pointer, schema } = places[choice % places.length] ?? { pointer: '', schema: {} };
        fc.pre(pointer !== '');
        const sent = judged(request, edited(request, [['put', pointer, schema]]));
        const shown = judged(edited(response, [['put', pointer, schema]]), response);
        expect({ pointer, schema, sent, shown }).toMatchObject({
          sent: { clients: 'breaking' },
          shown: { clients: 'breaking' },
        });
      }),
      runs(300),
    ));
});
