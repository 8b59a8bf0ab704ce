import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { isRecord } from '../../common/json.ts';
import { valuesUnder } from '../../common/openapi.ts';
import { contractDocument, type JsonSchema, type SchemaName } from '../../contract/document.ts';
import { validators } from '../../contract/validators.ts';
import { plainSchema, schemaFile, schemaId, schemaNames, toJsonSchema } from '../../contract-publish/json-schemas.ts';
import { defaultSeed } from '../../reference-server/seed.ts';

const { bodies } = validators;

/** A reader that knows JSON Schema and the usual formats only. */
function reader(): Ajv2020 {
  const ajv = new Ajv2020({ allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv;
}

const read = Object.fromEntries(
  schemaNames.map((name) => [name, reader().compile(toJsonSchema(name))]),
) as unknown as Record<SchemaName, ValidateFunction>;

/** Bodies beside those in the examples of the contract. */
const MORE: Partial<Record<SchemaName, readonly object[]>> = {
  updateUserSchema: [{}, { name: 'Ada' }, { email: 'ada@example.com', rootRole: 2 }, { rootRole: { id: 1 }, more: [] }],
  createUserResponseSchema: [...defaultSeed.users, { id: 4 }, { id: 4, name: null, more: 1 }],
  bannersSchema: [{ banners: defaultSeed.banners }, { banners: [] }, { banners: [{}], total: 1 }],
  bannerSchema: [{ id: 'a text', message: 5 }],
  errorSchema: [{ id: '', name: '', message: '', details: null }],
};

/** A body, and the objects inside it that have a schema of the contract of their own. */
function objectsIn(value: unknown, { $ref, properties, items }: JsonSchema): [schema: string, object: object][] {
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) as SchemaName;
    return [[name, value as object], ...objectsIn(value, contractDocument.components.schemas[name])];
  }
  if (Array.isArray(value)) return value.flatMap((each) => objectsIn(each, items as JsonSchema));
  return Object.entries((properties ?? {}) as Record<string, JsonSchema>).flatMap(([member, schema]) =>
    isRecord(value) && member in value ? objectsIn(value[member], schema) : [],
  );
}

const examples = valuesUnder('content', contractDocument).flatMap(({ value: content }) =>
  Object.values(
    content as Record<string, { schema: JsonSchema; examples?: Record<string, { value: unknown }> }>,
  ).flatMap(({ schema, examples: all = {} }) => Object.values(all).flatMap(({ value }) => objectsIn(value, schema))),
);

function conforming(name: SchemaName): object[] {
  return [...examples.flatMap(([schema, object]) => (schema === name ? [object] : [])), ...(MORE[name] ?? [])];
}

const ODD: readonly unknown[] = [
  ...[null, true, 5, 0.5, 1.0, '', 'text', [], [1], ['a', 'b'], {}, { id: 1 }],
  ...['2026-01-02T03:04:05Z', '2026-01-02t03:04:05.25+14:00', '2026-01-02 03:04:05Z', '2026-01-02T03:04:05+0200'],
  ...['2026-01-02T03:04:05', '2026-13-02T03:04:05Z', '2025-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
  ...['2016-12-31T23:59:60Z', '2026-01-02'],
];

/** Every body with each of its members replaced by each odd value, or left out; and every odd value by itself. */
function variations(name: SchemaName): unknown[] {
  const members = Object.keys(contractDocument.components.schemas[name].properties);
  return conforming(name).flatMap((body) => [
    ...ODD,
    ...members.flatMap((member) => [
      Object.fromEntries(Object.entries(body).filter(([each]) => each !== member)),
      ...ODD.map((value) => ({ ...body, [member]: value })),
    ]),
  ]);
}

function keysOf(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, child]) => [key, ...keysOf(child)]);
}

describe.each(schemaNames)('the published schema of %s', (name) => {
  it('is JSON Schema 2020-12 that stands alone', () => {
    const schema = toJsonSchema(name);
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schema.$id).toBe(schemaId(name));
    expect(keysOf(schema).filter((key) => key.startsWith('x-'))).toEqual([]);
    expect(JSON.stringify(schema)).not.toContain('#/components/');
  });

  it('accepts the examples of the contract, and what the reference server sends and accepts', () => {
    for (const body of conforming(name)) expect(read[name](body), JSON.stringify(body)).toBe(true);
  });

  it('says of each body what the validators of the contract say', () => {
    const verdicts = variations(name).map((body) => {
      const conforms = bodies[name](body).length === 0;
      expect(read[name](body), JSON.stringify(body)).toBe(conforms);
      return conforms;
    });
    expect(new Set(verdicts)).toEqual(new Set([true, false]));
  });
});

describe('the published schemas', () => {
  it('can be known to one reader together, by their ids', () => {
    const ajv = reader();
    for (const name of schemaNames) ajv.addSchema(toJsonSchema(name));
    expect(ajv.getSchema(schemaId('bannersSchema'))?.({ banners: [5] })).toBe(false);
    expect(new Set(schemaNames.map(schemaFile)).size).toBe(schemaNames.length);
  });

  it('check the form of a date even where formats are not checked', () => {
    const ajv = new Ajv2020({ allowUnionTypes: true, validateFormats: false });
    const validate = ajv.compile(toJsonSchema('createUserResponseSchema'));
    expect(validate({ id: 1, createdAt: 'yesterday' })).toBe(false);
    expect(validate({ id: 1, seenAt: null, createdAt: '2026-01-02T03:04:05Z' })).toBe(true);
  });

  it('demand nothing of the members of a banner, which only a sample shows', () => {
    const { properties } = toJsonSchema('bannerSchema') as { properties: Record<string, JsonSchema> };
    for (const member of Object.values(properties)) expect(Object.keys(member)).toEqual(['description']);
  });

  it('lose the keywords of OpenAPI, and no member of that name', () => {
    const schema = {
      type: 'object',
      example: {},
      xml: {},
      'x-note': 1,
      properties: { example: { type: 'string', 'x-note': 1 }, 'x-note': { $ref: '#/components/schemas/errorSchema' } },
      anyOf: [{ example: 1, minProperties: 1 }],
      default: { 'x-note': 1 },
    };
    expect(plainSchema(schema)).toEqual({
      type: 'object',
      properties: { example: { type: 'string' }, 'x-note': { $ref: '#/$defs/error' } },
      anyOf: [{ minProperties: 1 }],
      default: { 'x-note': 1 },
    });
  });

  it('cannot be made of a reference to anything but a schema', () =>
    expect(() => plainSchema({ $ref: 'other.yaml#/thing' })).toThrow('other.yaml#/thing'));
});
