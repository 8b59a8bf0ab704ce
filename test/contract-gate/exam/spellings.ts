import { answered, api, edited, jsonAnswer, jsonBody, listing, posting, put, type JsonObject } from './documents.ts';
import { NOTHING, SAME, WORDING, pair, type Pair } from './pair.ts';

const S: JsonObject = { type: 'string' };
const THING: JsonObject = { type: 'object', required: ['a'], properties: { a: S } };
const ANSWER = '/paths/~1orders/post/responses/200';
const REQUEST = '/paths/~1orders/post/requestBody';
const SCHEMA = '/content/application~1json/schema';

const plain = posting(
  { requestBody: jsonBody(THING), responses: { '200': jsonAnswer(THING) }, tags: ['one', 'two'] },
  { tags: [{ name: 'one' }, { name: 'two' }] },
);
const referring = edited(
  plain,
  put('/components', { schemas: { Thing: THING } }),
  put(`${ANSWER}${SCHEMA}`, { $ref: '#/components/schemas/Thing' }),
);
const referring30 = edited(referring, put('/openapi', '3.0.3'));

const anchored = `
openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /a:
    get:
      operationId: a
      responses: &answers
        '200':
          description: >-
            All
            went well.
          content:
            application/json: { schema: { type: integer, minimum: 1.0, maximum: 1e3 } }
  /b:
    get:
      operationId: b
      responses: *answers
`;
const answersWrittenOut: JsonObject = {
  '200': {
    description: 'All went well.',
    content: { 'application/json': { schema: { type: 'integer', minimum: 1, maximum: 1000 } } },
  },
};

/** Documents that mean the same and are spelt otherwise, or differ in words alone. */
export const spellingPairs: readonly Pair[] = [
  pair(
    'YAML with anchors, a folded text and numbers spelt otherwise',
    anchored,
    {
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1.0.0' },
      paths: {
        '/a': { get: { operationId: 'a', responses: answersWrittenOut } },
        '/b': { get: { operationId: 'b', responses: answersWrittenOut } },
      },
    },
    NOTHING,
    'The same document once it is read.',
  ),
  pair(
    'tags in another order',
    plain,
    edited(plain, put('/tags', [{ name: 'two' }, { name: 'one' }]), put('/paths/~1orders/post/tags', ['two', 'one'])),
    SAME,
    'Their order is a matter of the page.',
  ),
  pair(
    'an example moved from the schema to the media type',
    edited(plain, put(`${ANSWER}${SCHEMA}/example`, { a: 'x' })),
    edited(plain, put(`${ANSWER}/content/application~1json/example`, { a: 'x' })),
    SAME,
    'Examples bind nobody.',
  ),
  pair(
    'an example as a named one',
    edited(plain, put(`${ANSWER}/content/application~1json/example`, { a: 'x' })),
    edited(plain, put(`${ANSWER}/content/application~1json/examples`, { one: { value: { a: 'x' } } })),
    SAME,
    'Examples bind nobody.',
  ),
  pair(
    'an example whose members are named as keywords',
    plain,
    edited(
      plain,
      put(`${ANSWER}/content/application~1json/example`, { a: 'x', required: ['b'], type: 'integer', security: [] }),
    ),
    WORDING,
    'Examples bind nobody, whatever they hold.',
  ),
  pair(
    'a title of a schema',
    plain,
    edited(plain, put(`${REQUEST}${SCHEMA}/title`, 'Thing')),
    WORDING,
    'Only a title is other than before.',
  ),
  pair(
    'a comment of a schema',
    plain,
    edited(plain, put(`${REQUEST}${SCHEMA}/$comment`, 'See the minutes.')),
    SAME,
    'A comment is for the authors.',
  ),
  pair(
    'other documentation elsewhere',
    plain,
    edited(plain, put('/externalDocs', { url: 'https://docs.example.com' })),
    WORDING,
    'A pointer for readers.',
  ),
  pair(
    'a description of a request body',
    plain,
    edited(plain, put(`${REQUEST}/description`, 'What to order.')),
    WORDING,
    'Only a description is other than before.',
  ),
  pair(
    '3.1: a description beside a $ref',
    referring,
    edited(referring, put(`${ANSWER}${SCHEMA}/description`, 'The thing.')),
    WORDING,
    'Only a description is other than before.',
  ),
  pair(
    '3.0: a $ref in an allOf, to describe it',
    referring30,
    edited(
      referring30,
      put(`${ANSWER}${SCHEMA}`, { allOf: [{ $ref: '#/components/schemas/Thing' }], description: 'The thing.' }),
    ),
    WORDING,
    'The usual way in 3.0 to describe a reference.',
  ),
  pair(
    'branches of an allOf in another order',
    answered({ allOf: [S, { minLength: 1 }, { maxLength: 9 }] }),
    answered({ allOf: [{ maxLength: 9 }, S, { minLength: 1 }] }),
    SAME,
    'All of them hold in any order.',
  ),
  pair(
    'a request body moved to the components',
    plain,
    edited(
      plain,
      put('/components', { requestBodies: { Order: jsonBody(THING) } }),
      put(REQUEST, { $ref: '#/components/requestBodies/Order' }),
    ),
    SAME,
    'A reference means what it refers to.',
  ),
  pair(
    'a header moved to the components',
    edited(plain, put(`${ANSWER}/headers`, { ETag: { required: true, schema: S } })),
    edited(
      plain,
      put('/components', { headers: { ETag: { required: true, schema: S } } }),
      put(`${ANSWER}/headers`, { ETag: { $ref: '#/components/headers/ETag' } }),
    ),
    SAME,
    'A reference means what it refers to.',
  ),
  pair(
    'a parameter of the components renamed',
    listing(
      { parameters: [{ $ref: '#/components/parameters/A' }] },
      { components: { parameters: { A: { name: 'q', in: 'query', schema: S } } } },
    ),
    listing(
      { parameters: [{ $ref: '#/components/parameters/B' }] },
      { components: { parameters: { B: { name: 'q', in: 'query', schema: S } } } },
    ),
    SAME,
    'The name of the component is not on the wire.',
  ),
  pair(
    'the empty content of a 204 said',
    listing({ responses: { '204': { description: 'Done.' } } }),
    listing({ responses: { '204': { description: 'Done.', content: {} } } }),
    SAME,
    'No body either way.',
  ),
  pair(
    'the empty schema of a body said',
    posting({ requestBody: { content: { 'application/json': {} } } }),
    posting({ requestBody: { content: { 'application/json': { schema: {} } } } }),
    SAME,
    'Any JSON either way.',
  ),
  pair(
    'a list of parameters left out that was empty',
    listing({ parameters: [] }),
    listing({}),
    SAME,
    'No parameters either way.',
  ),
  pair('empty components left out', edited(plain, put('/components', {})), plain, SAME, 'Nothing was there.'),
  pair(
    'one component for two equal schemas',
    plain,
    edited(referring, put(`${REQUEST}${SCHEMA}`, { $ref: '#/components/schemas/Thing' })),
    SAME,
    'A reference means what it refers to.',
  ),
  pair(
    'two servers in another order',
    edited(plain, put('/servers/-', { url: 'https://eu.example.com' })),
    edited(plain, put('/servers', [{ url: 'https://eu.example.com' }, { url: 'https://shop.example.com' }])),
    { clients: 'compatible', implementers: 'compatible' },
    'The same servers.',
  ),
  pair(
    'a parameter copied from the path to its operations',
    api({
      '/a/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: S }],
        get: { operationId: 'a', responses: { '204': { description: 'Done.' } } },
        delete: { operationId: 'b', responses: { '204': { description: 'Done.' } } },
      },
    }),
    api({
      '/a/{id}': {
        get: {
          operationId: 'a',
          parameters: [{ name: 'id', in: 'path', required: true, schema: S }],
          responses: { '204': { description: 'Done.' } },
        },
        delete: {
          operationId: 'b',
          parameters: [{ name: 'id', in: 'path', required: true, schema: S }],
          responses: { '204': { description: 'Done.' } },
        },
      },
    }),
    SAME,
    'Each operation has it either way.',
  ),
];
