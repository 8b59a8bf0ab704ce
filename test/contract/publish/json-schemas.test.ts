import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { contractDocument } from '../../../contract/document.ts';
import { validators } from '../../../contract/validators.ts';
import { schemaId, schemaNames, toJsonSchema } from '../../../contract/publish/json-schemas.ts';
import { defaultSeed } from '../../../reference-server/seed.ts';

/** A reader that knows JSON Schema and the usual formats only. */
function reader(options = {}): Ajv2020 {
  const ajv = new Ajv2020(options);
  addFormats.default(ajv);
  return ajv;
}

const ERROR = { id: '1', name: 'NotFoundError', message: 'There is no such user.' };
const [USER] = defaultSeed.users;
const BODIES: readonly object[] = [
  ...[{ name: 'Ada' }, { email: 'ada@example.com', rootRole: 2 }, { rootRole: { id: 1 }, more: [] }],
  ...[...defaultSeed.users, { id: 4, name: null, more: 1 }, ERROR, { banners: defaultSeed.banners }],
  ...[{ banners: [] }, { banners: [{}], total: 1 }, ...defaultSeed.banners, { id: 'a text', message: 5 }],
];

const ODD: readonly unknown[] = [
  ...[null, true, 5, 0.5, '', 'text', [], ['a', 'b'], {}, { id: 1 }, '2026-01-02T03:04:05Z', '2026-01-02 03:04:05Z'],
  ...['2026-01-02T03:04:05+0200', '2026-01-02T03:04:05', '2026-13-02T03:04:05Z', '2016-12-31T23:59:60Z'],
];

describe.each(schemaNames)('the published schema of %s', (name) => {
  const schema = toJsonSchema(name);

  it('is JSON Schema 2020-12 that stands alone', () => {
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: schemaId(name) });
    expect(JSON.stringify(schema)).not.toMatch(/"x-|#\/components\//);
  });

  it('says of each body, and of each with a member replaced or left out, what the contract says', () => {
    const validate = reader().compile(schema);
    const members = Object.keys(contractDocument.components.schemas[name].properties);
    const variations = BODIES.flatMap((body) => [
      body,
      ...members.flatMap((member) => [
        Object.fromEntries(Object.entries(body).filter(([each]) => each !== member)),
        ...ODD.map((value) => ({ ...body, [member]: value })),
      ]),
    ]);
    const verdicts = [...variations, ...ODD].map((body) => {
      const conforms = validators.bodies[name](body).length === 0;
      expect(validate(body), JSON.stringify(body)).toBe(conforms);
      return conforms;
    });
    expect(new Set(verdicts)).toEqual(new Set([true, false]));
  });
});

it('a published schema checks the form of a date even where formats are not checked', () => {
  const validate = reader({ validateFormats: false }).compile(toJsonSchema('createUserResponseSchema'));
  expect([validate({ ...USER, createdAt: 'yesterday' }), validate(USER)]).toEqual([false, true]);
});
