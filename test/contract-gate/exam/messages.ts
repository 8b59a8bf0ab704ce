import {
  api,
  edited,
  drop,
  jsonAnswer,
  jsonBody,
  listing,
  posting,
  put,
  querying,
  type JsonObject,
} from './documents.ts';
import {
  ADDITION,
  BOTH,
  CLIENTS,
  CLIENTS_AT_LEAST,
  IMPLEMENTERS,
  NOTHING,
  NOTICE,
  SAME,
  WORDING,
  pair,
  type Pair,
} from './pair.ts';

const S: JsonObject = { type: 'string' };
const I: JsonObject = { type: 'integer' };
const LIST: JsonObject = { type: 'array', items: S };
const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  ...(required.length > 0 ? { required } : {}),
  properties,
});
const answering = (responses: JsonObject): JsonObject => listing({ responses });
const body = (schema: JsonObject): JsonObject => posting({ requestBody: jsonBody(schema) });
const answer = (schema: JsonObject): JsonObject => posting({ responses: { '200': jsonAnswer(schema) } });
const OK = jsonAnswer(object({ id: S }, ['id']));
const PROBLEM: JsonObject = jsonAnswer(object({ code: S, hint: S }, ['code']));

const members: readonly Pair[] = [
  pair(
    'an optional member of a request added',
    body(object({ name: S })),
    body(object({ name: S, coupon: S })),
    IMPLEMENTERS,
    'A BASE server ignores `coupon`, HEAD wants it honoured.',
  ),
  pair(
    'a required member of a request added',
    body(object({ name: S }, ['name'])),
    body(object({ name: S, coupon: S }, ['name', 'coupon'])),
    CLIENTS_AT_LEAST,
    'A client that sends no `coupon` is refused.',
  ),
  pair(
    'an optional member of a request taken away',
    body(object({ name: S, coupon: S })),
    body(object({ name: S })),
    CLIENTS,
    'A client relies on its coupon being honoured; a server that still honours it does no harm.',
  ),
  pair(
    'an optional member of an answer added',
    answer(object({ id: S }, ['id'])),
    answer(object({ id: S, note: S }, ['id'])),
    ADDITION,
    'Clients ignore what they do not know; a server need not show `note`.',
  ),
  pair(
    'an optional member added deep inside an answer',
    answer(object({ lines: { type: 'array', items: object({ sku: S }, ['sku']) } })),
    answer(object({ lines: { type: 'array', items: object({ sku: S, colour: S }, ['sku']) } })),
    ADDITION,
    'Clients ignore `colour`; a server need not show it.',
  ),
  pair(
    'a required member of an answer added',
    answer(object({ id: S }, ['id'])),
    answer(object({ id: S, total: I }, ['id', 'total'])),
    IMPLEMENTERS,
    'A BASE server shows no `total`.',
  ),
  pair(
    'a required member of an answer taken away',
    answer(object({ id: S, total: I }, ['id', 'total'])),
    answer(object({ id: S }, ['id'])),
    CLIENTS,
    'A client reads `total`; a server that still shows it has an additional member.',
  ),
  pair(
    'an optional member of an answer taken away',
    answer(object({ id: S, note: S }, ['id'])),
    answer(object({ id: S }, ['id'])),
    CLIENTS,
    'A client that shows `note` as a text may get a number there, or never a note again.',
  ),
  pair(
    'a required member of an answer renamed',
    answer(object({ id: S, total: I }, ['id', 'total'])),
    answer(object({ id: S, sum: I }, ['id', 'sum'])),
    BOTH,
    'A client looks for `total`; a BASE server shows no `sum`.',
  ),
  pair(
    'a member of a request renamed',
    body(object({ coupon: S })),
    body(object({ voucher: S })),
    BOTH,
    'A client sends `coupon` in vain; a BASE server ignores `voucher`.',
  ),
  pair(
    'a member of an answer of another type',
    answer(object({ total: I }, ['total'])),
    answer(object({ total: S }, ['total'])),
    BOTH,
    'A client adds up texts; a BASE server shows integers.',
  ),
  pair(
    'a member named `description` of another type',
    answer(object({ description: S }, ['description'])),
    answer(object({ description: I }, ['description'])),
    BOTH,
    'Here `description` is a member on the wire, not a description.',
  ),
  pair(
    'a member named `example` taken away',
    answer(object({ id: S, example: S }, ['id', 'example'])),
    answer(object({ id: S }, ['id'])),
    CLIENTS,
    'Here `example` is a member that a client reads.',
  ),
  pair(
    'a member named `x-trace` required no more',
    answer(object({ 'x-trace': S }, ['x-trace'])),
    answer(object({ 'x-trace': S })),
    CLIENTS,
    'Here `x-trace` is a member that a client reads, not an extension.',
  ),
  pair(
    'a member named `required` made required',
    answer(object({ required: { type: 'boolean' } })),
    answer(object({ required: { type: 'boolean' } }, ['required'])),
    IMPLEMENTERS,
    'A BASE server may leave the member `required` out.',
  ),
  pair(
    'a default of a request member changed',
    body(object({ currency: { type: 'string', default: 'EUR' } })),
    body(object({ currency: { type: 'string', default: 'USD' } })),
    BOTH,
    'A client that says nothing counted on EUR; a BASE server takes EUR.',
  ),
  pair(
    'a default of a request member taken away',
    body(object({ currency: { type: 'string', default: 'EUR' } })),
    body(object({ currency: S })),
    CLIENTS,
    'A client that says nothing counted on EUR; a server may go on with EUR.',
  ),
  pair(
    'additional members of a closed request welcome',
    body({ ...object({ name: S }), additionalProperties: false }),
    body({ ...object({ name: S }), additionalProperties: { type: 'string' } }),
    IMPLEMENTERS,
    'A BASE server refuses a member `colour`.',
  ),
  pair(
    'an enum shared by request and answer grows',
    posting(
      {
        requestBody: jsonBody({ $ref: '#/components/schemas/Size' }),
        responses: { '200': jsonAnswer({ $ref: '#/components/schemas/Size' }) },
      },
      { components: { schemas: { Size: { type: 'string', enum: ['s', 'm'] } } } },
    ),
    posting(
      {
        requestBody: jsonBody({ $ref: '#/components/schemas/Size' }),
        responses: { '200': jsonAnswer({ $ref: '#/components/schemas/Size' }) },
      },
      { components: { schemas: { Size: { type: 'string', enum: ['s', 'm', 'l'] } } } },
    ),
    BOTH,
    'A client meets "l" for the first time; a BASE server refuses it.',
  ),
  pair(
    'an enum of other values in an answer',
    answer(object({ size: { type: 'string', enum: ['s', 'm'] } })),
    answer(object({ size: { type: 'string', enum: ['small', 'medium'] } })),
    BOTH,
    'A client meets "small"; a BASE server answers "s".',
  ),
  pair(
    'a pattern of a request exchanged for a disjoint one',
    body(object({ code: { type: 'string', pattern: '^[a-z]+$' } })),
    body(object({ code: { type: 'string', pattern: '^[0-9]+$' } })),
    BOTH,
    'A client sends "abc"; a BASE server refuses "123".',
  ),
  pair(
    'bounds of a request moved',
    body(object({ count: { type: 'integer', minimum: 1, maximum: 10 } })),
    body(object({ count: { type: 'integer', minimum: 5, maximum: 20 } })),
    BOTH,
    'A client sends 2; a BASE server refuses 15.',
  ),
  pair(
    'a member deprecated',
    answer(object({ id: S, note: S })),
    answer(object({ id: S, note: { ...S, deprecated: true } })),
    NOTICE,
    'It is still there and means the same.',
  ),
];

const recursive = (value: JsonObject, more: JsonObject = {}, required: readonly string[] = ['value']): JsonObject => ({
  schemas: {
    Node: object(
      { value, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } }, ...more },
      required,
    ),
  },
});
const node: JsonObject = { $ref: '#/components/schemas/Node' };
const askingTrees = (components: JsonObject): JsonObject => posting({ requestBody: jsonBody(node) }, { components });
const answeringTrees = (components: JsonObject): JsonObject =>
  posting({ responses: { '200': jsonAnswer(node) } }, { components });

const mutual = (leaf: JsonObject): JsonObject => ({
  schemas: {
    Folder: object({ files: { type: 'array', items: { $ref: '#/components/schemas/File' } } }, ['files']),
    File: object({ size: leaf, parent: { $ref: '#/components/schemas/Folder' } }, ['size']),
  },
});
const answeringFolders = (components: JsonObject): JsonObject =>
  posting({ responses: { '200': jsonAnswer({ $ref: '#/components/schemas/Folder' }) } }, { components });

const composition: readonly Pair[] = [
  pair(
    'a recursive answer with one more optional member',
    answeringTrees(recursive(S)),
    answeringTrees(recursive(S, { colour: S })),
    ADDITION,
    'Clients ignore `colour`; a server need not show it.',
  ),
  pair(
    'a recursive request with an optional member made required',
    askingTrees(recursive(S, { colour: S })),
    askingTrees(recursive(S, { colour: S }, ['value', 'colour'])),
    CLIENTS,
    'A client sends nodes without `colour`; a BASE server takes nodes with it.',
  ),
  pair(
    'a recursive answer with null at its leaves',
    answeringTrees(recursive(S)),
    answeringTrees(recursive({ type: ['string', 'null'] })),
    CLIENTS,
    'A client meets a null value in a child.',
  ),
  pair(
    'two schemas that refer to each other, a leaf narrowed',
    answeringFolders(mutual({ type: 'number' })),
    answeringFolders(mutual(I)),
    IMPLEMENTERS,
    'A BASE server may answer with a size of 1.5.',
  ),
  pair(
    'two schemas that refer to each other, a description changed',
    answeringFolders(mutual({ ...I, description: 'Bytes.' })),
    answeringFolders(mutual({ ...I, description: 'The size in bytes.' })),
    WORDING,
    'Only a description is other than before.',
  ),
  pair(
    'exotic keywords untouched, a description changed',
    body({
      ...object({ a: S }),
      description: 'One',
      if: { required: ['a'] },
      then: { minProperties: 2 },
      else: { maxProperties: 1 },
      contentMediaType: 'text/plain',
    }),
    body({
      ...object({ a: S }),
      description: 'Two',
      if: { required: ['a'] },
      then: { minProperties: 2 },
      else: { maxProperties: 1 },
      contentMediaType: 'text/plain',
    }),
    WORDING,
    'What cannot be compared is the same on both sides.',
  ),
  ...((): readonly Pair[] => {
    const animal = (name: string, own: JsonObject): JsonObject =>
      object({ pet: { type: 'string', const: name }, ...own }, ['pet']);
    const cat = animal('cat', { lives: I });
    const dog = animal('dog', { tricks: I });
    const fish = animal('fish', { fins: I });
    const plainCat = object({ pet: S, lives: I }, ['pet', 'lives']);
    const plainDog = object({ pet: S, tricks: I }, ['pet', 'tricks']);
    const pet = (names: readonly string[], mapping?: JsonObject): JsonObject => ({
      oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
      discriminator: { propertyName: 'pet', ...(mapping ? { mapping } : {}) },
    });
    const pets: JsonObject = { components: { schemas: { cat, dog, fish } } };
    const asks = (schema: JsonObject): JsonObject => posting({ requestBody: jsonBody(schema) }, pets);
    const answers = (schema: JsonObject): JsonObject => posting({ responses: { '200': jsonAnswer(schema) } }, pets);
    return [
      pair(
        'a kind more in a discriminated answer',
        answers(pet(['cat', 'dog'])),
        answers(pet(['cat', 'dog', 'fish'])),
        CLIENTS,
        'A client meets a fish.',
      ),
      pair(
        'a kind less in a discriminated answer',
        answers(pet(['cat', 'dog', 'fish'])),
        answers(pet(['cat', 'dog'])),
        IMPLEMENTERS,
        'A BASE server may answer with a fish.',
      ),
      pair(
        'a kind more in a discriminated request',
        asks(pet(['cat', 'dog'])),
        asks(pet(['cat', 'dog', 'fish'])),
        IMPLEMENTERS,
        'A BASE server refuses a fish.',
      ),
      pair(
        'a kind less in a discriminated request',
        asks(pet(['cat', 'dog', 'fish'])),
        asks(pet(['cat', 'dog'])),
        CLIENTS,
        'A client sends a fish.',
      ),
      pair(
        'the kinds of a discriminated answer in another order',
        answers(pet(['cat', 'dog'])),
        answers(pet(['dog', 'cat'])),
        SAME,
        'The order of kinds means nothing.',
      ),
      pair(
        'the mapping that is implied, said',
        answers(pet(['cat', 'dog'])),
        answers(pet(['cat', 'dog'], { cat: '#/components/schemas/cat', dog: '#/components/schemas/dog' })),
        SAME,
        'The names of the components are the values without a mapping too.',
      ),
      pair(
        'a discriminated component renamed without a mapping',
        posting(
          { responses: { '200': jsonAnswer(pet(['cat', 'dog'])) } },
          { components: { schemas: { cat: plainCat, dog: plainDog } } },
        ),
        posting(
          { responses: { '200': jsonAnswer(pet(['tomcat', 'dog'])) } },
          { components: { schemas: { tomcat: plainCat, dog: plainDog } } },
        ),
        BOTH,
        'The name of the component is the value on the wire: clients wait for "cat", BASE servers send it.',
      ),
      pair(
        'a discriminated component renamed, with a mapping that keeps the value',
        answers(pet(['cat', 'dog'], { cat: '#/components/schemas/cat', dog: '#/components/schemas/dog' })),
        posting(
          {
            responses: {
              '200': jsonAnswer(
                pet(['tomcat', 'dog'], { cat: '#/components/schemas/tomcat', dog: '#/components/schemas/dog' }),
              ),
            },
          },
          { components: { schemas: { tomcat: cat, dog, fish } } },
        ),
        SAME,
        'The value on the wire is still "cat".',
      ),
    ];
  })(),
  pair(
    'a schema referred to by its place in another operation',
    api({
      '/a': { get: { operationId: 'a', responses: { '200': OK } } },
      '/b': { get: { operationId: 'b', responses: { '200': OK } } },
    }),
    api({
      '/a': { get: { operationId: 'a', responses: { '200': OK } } },
      '/b': {
        get: {
          operationId: 'b',
          responses: { '200': jsonAnswer({ $ref: '#/paths/~1a/get/responses/200/content/application~1json/schema' }) },
        },
      },
    }),
    SAME,
    'A reference means what it refers to, wherever that is.',
  ),
  pair(
    'an unused component added',
    body(object({ a: S })),
    edited(body(object({ a: S })), put('/components', { schemas: { Spare: object({ z: S }, ['z']) } })),
    SAME,
    'Nothing refers to it.',
  ),
  pair(
    'an unused component taken away',
    edited(body(object({ a: S })), put('/components', { schemas: { Spare: object({ z: S }, ['z']) } })),
    body(object({ a: S })),
    SAME,
    'Nothing referred to it.',
  ),
  pair(
    'an unused component made stricter',
    edited(body(object({ a: S })), put('/components', { schemas: { Spare: object({ z: S }) } })),
    edited(body(object({ a: S })), put('/components', { schemas: { Spare: object({ z: I }, ['z']) } })),
    SAME,
    'Nothing refers to it.',
  ),
];

const byId = (name: string, schema: JsonObject = I): JsonObject => ({ name, in: 'path', required: true, schema });
const getOrder = (path: string, parameters: readonly JsonObject[], item: JsonObject = {}): JsonObject =>
  api({
    [path]: {
      ...item,
      get: { operationId: 'getOrder', ...(parameters.length > 0 ? { parameters } : {}), responses: { '200': OK } },
    },
  });
const header = (name: string, required = true): JsonObject => ({ name, in: 'header', required, schema: S });

const parameters: readonly Pair[] = [
  pair(
    'an optional query parameter added',
    listing({}),
    querying({ schema: S }),
    IMPLEMENTERS,
    'A BASE server ignores `q`, HEAD wants it honoured.',
  ),
  pair(
    'a required query parameter added',
    listing({}),
    querying({ required: true, schema: S }),
    CLIENTS_AT_LEAST,
    'A client that sends no `q` is refused.',
  ),
  pair(
    'a query parameter taken away',
    querying({ schema: S }),
    listing({}),
    CLIENTS,
    'A client relies on `q` being honoured.',
  ),
  pair(
    'a query parameter made required',
    querying({ schema: S }),
    querying({ required: true, schema: S }),
    CLIENTS,
    'A client sends no `q`.',
  ),
  pair(
    'a query parameter made optional',
    querying({ required: true, schema: S }),
    querying({ schema: S }),
    IMPLEMENTERS,
    'A BASE server refuses a request without `q`.',
  ),
  pair(
    '`required: false` of a query parameter said',
    querying({ schema: S }),
    querying({ required: false, schema: S }),
    SAME,
    'It is the default.',
  ),
  pair(
    'style and explode of a query parameter said',
    querying({ schema: LIST }),
    querying({ schema: LIST, style: 'form', explode: true }),
    SAME,
    'These are the defaults for a query parameter.',
  ),
  pair(
    'explode of a list taken back',
    querying({ schema: LIST }),
    querying({ schema: LIST, explode: false }),
    BOTH,
    'A client sends q=a&q=b, HEAD wants q=a,b; a BASE server reads the first form.',
  ),
  pair(
    'explode of a plain text taken back',
    querying({ schema: S }),
    querying({ schema: S, explode: false }),
    SAME,
    'A plain value is written q=a either way.',
  ),
  pair(
    'a list separated by blanks, then by pipes',
    querying({ schema: LIST, style: 'spaceDelimited', explode: false }),
    querying({ schema: LIST, style: 'pipeDelimited', explode: false }),
    BOTH,
    'A client sends q=a%20b; a BASE server does not split at pipes.',
  ),
  pair(
    'a query parameter moved to a header',
    querying({ schema: S }),
    listing({ parameters: [{ name: 'q', in: 'header', schema: S }] }),
    BOTH,
    'A client sends it in the query; a BASE server looks there.',
  ),
  pair(
    'an object in the query written as JSON',
    querying({ schema: object({ a: S }) }),
    listing({
      parameters: [{ name: 'q', in: 'query', content: { 'application/json': { schema: object({ a: S }) } } }],
    }),
    BOTH,
    'A client sends a=x, HEAD wants q={"a":"x"}; a BASE server reads the first form.',
  ),
  pair(
    'an enum of a query parameter grows',
    querying({ schema: { type: 'string', enum: ['up'] } }),
    querying({ schema: { type: 'string', enum: ['up', 'down'] } }),
    IMPLEMENTERS,
    'A BASE server refuses "down".',
  ),
  pair(
    'an enum of a query parameter shrinks',
    querying({ schema: { type: 'string', enum: ['up', 'down'] } }),
    querying({ schema: { type: 'string', enum: ['up'] } }),
    CLIENTS,
    'A client sends "down".',
  ),
  pair(
    'a lower maximum of a query parameter',
    querying({ schema: { type: 'integer', maximum: 100 } }),
    querying({ schema: { type: 'integer', maximum: 50 } }),
    CLIENTS,
    'A client asks for 100.',
  ),
  pair(
    'a default of a query parameter changed',
    querying({ schema: { type: 'integer', default: 20 } }),
    querying({ schema: { type: 'integer', default: 50 } }),
    BOTH,
    'A client that says nothing counted on 20; a BASE server takes 20.',
  ),
  pair(
    'integer to text in the query',
    querying({ schema: I }),
    querying({ schema: S }),
    IMPLEMENTERS,
    'A BASE server refuses q=abc; every integer is still a text.',
  ),
  pair(
    'text to integer in the query',
    querying({ schema: S }),
    querying({ schema: I }),
    CLIENTS,
    'A client sends q=abc.',
  ),
  pair(
    'a parameter deprecated',
    querying({ schema: S }),
    querying({ schema: S, deprecated: true }),
    NOTICE,
    'It is still honoured.',
  ),
  pair(
    'a description of a parameter',
    querying({ schema: S }),
    querying({ schema: S, description: 'What to look for.' }),
    WORDING,
    'Only a description is other than before.',
  ),
  pair(
    'an example of a parameter',
    querying({ schema: S, example: 'a' }),
    querying({ schema: S, example: 'b' }),
    WORDING,
    'Examples bind nobody.',
  ),
  pair(
    'parameters in another order',
    listing({
      parameters: [
        { name: 'a', in: 'query', schema: S },
        { name: 'b', in: 'query', required: true, schema: I },
      ],
    }),
    listing({
      parameters: [
        { name: 'b', in: 'query', required: true, schema: I },
        { name: 'a', in: 'query', schema: S },
      ],
    }),
    SAME,
    'Parameters are a set of (name, in).',
  ),
  pair(
    'a parameter inlined',
    listing(
      { parameters: [{ $ref: '#/components/parameters/Limit' }] },
      { components: { parameters: { Limit: { name: 'limit', in: 'query', schema: I } } } },
    ),
    listing({ parameters: [{ name: 'limit', in: 'query', schema: I }] }),
    SAME,
    'A reference means what it refers to.',
  ),
  pair(
    'a parameter moved to its path',
    getOrder('/orders/{id}', [byId('id')]),
    getOrder('/orders/{id}', [], { parameters: [byId('id')] }),
    SAME,
    'The path has this one operation.',
  ),
  pair(
    'a parameter of the path narrowed',
    getOrder('/orders/{id}', [], { parameters: [byId('id', S)] }),
    getOrder('/orders/{id}', [], { parameters: [byId('id', { type: 'string', maxLength: 8 })] }),
    CLIENTS,
    'A client asks for an id of nine letters.',
  ),
  pair(
    'a required parameter at the path, for all its operations',
    getOrder('/orders/{id}', [byId('id')]),
    getOrder('/orders/{id}', [byId('id')], { parameters: [header('X-Tenant')] }),
    CLIENTS_AT_LEAST,
    'A client sends no X-Tenant.',
  ),
  pair(
    'a parameter of the path that the operation overrides',
    getOrder('/orders/{id}', [byId('id')], { parameters: [byId('id', S)] }),
    getOrder('/orders/{id}', [byId('id')]),
    SAME,
    'The operation had replaced it by its own.',
  ),
  pair(
    'a path parameter renamed',
    getOrder('/orders/{id}', [byId('id')]),
    getOrder('/orders/{orderId}', [byId('orderId')]),
    SAME,
    'The name is not on the wire.',
  ),
  pair(
    'two path parameters renamed',
    getOrder('/shops/{a}/orders/{b}', [byId('a', S), byId('b')]),
    getOrder('/shops/{shop}/orders/{order}', [byId('order'), byId('shop', S)]),
    SAME,
    'The same types at the same places.',
  ),
  pair(
    'two path parameters exchanged in the path alone',
    getOrder('/shops/{a}/orders/{b}', [byId('a', S), byId('b')]),
    getOrder('/shops/{b}/orders/{a}', [byId('a', S), byId('b')]),
    BOTH,
    'The first place takes integers now: a client sends /shops/ulm/…; a BASE server wants an integer at the second.',
  ),
  pair(
    'integer to text in the path',
    getOrder('/orders/{id}', [byId('id')]),
    getOrder('/orders/{id}', [byId('id', S)]),
    IMPLEMENTERS,
    'A BASE server refuses /orders/abc.',
  ),
  pair(
    'text to integer in the path',
    getOrder('/orders/{id}', [byId('id', S)]),
    getOrder('/orders/{id}', [byId('id')]),
    CLIENTS,
    'A client asks for /orders/abc.',
  ),
  pair(
    'a required header of the request added',
    listing({}),
    listing({ parameters: [header('X-Tenant')] }),
    CLIENTS_AT_LEAST,
    'A client sends no X-Tenant.',
  ),
  pair(
    'a header of the request made optional',
    listing({ parameters: [header('X-Tenant')] }),
    listing({ parameters: [header('X-Tenant', false)] }),
    IMPLEMENTERS,
    'A BASE server refuses a request without it.',
  ),
  pair(
    'a header of the request in other letter case',
    listing({ parameters: [header('X-Tenant')] }),
    listing({ parameters: [header('x-tenant')] }),
    SAME,
    'Names of headers have no letter case.',
  ),
  pair(
    'a required parameter that names the header Accept',
    listing({}),
    listing({ parameters: [header('Accept')] }),
    SAME,
    'OpenAPI says that such a parameter is ignored.',
  ),
  pair(
    'a cookie renamed',
    listing({ parameters: [{ name: 'sid', in: 'cookie', required: true, schema: S }] }),
    listing({ parameters: [{ name: 'session', in: 'cookie', required: true, schema: S }] }),
    BOTH,
    'A client sends sid; a BASE server looks for sid.',
  ),
];

const text = (schema: JsonObject): JsonObject => ({ 'text/plain': { schema } });
const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
const taking = (content: JsonObject, required = true): JsonObject => posting({ requestBody: { required, content } });
const rate = (required: boolean, schema: JsonObject = I): JsonObject =>
  answering({ '200': { ...OK, headers: { 'X-Rate': { required, schema } } } });

const messages: readonly Pair[] = [
  pair(
    'a media type more in a request',
    taking(json(S)),
    taking({ ...json(S), ...text(S) }),
    IMPLEMENTERS,
    'A BASE server refuses text/plain.',
  ),
  pair(
    'a media type less in a request',
    taking({ ...json(S), ...text(S) }),
    taking(json(S)),
    CLIENTS,
    'A client sends text/plain.',
  ),
  pair(
    'media types of a request in another order',
    taking({ ...json(S), ...text(S) }),
    taking({ ...text(S), ...json(S) }),
    SAME,
    'They are a set.',
  ),
  pair(
    'one of two media types narrowed',
    taking({ ...json(S), ...text(S) }),
    taking({ ...json(S), ...text({ type: 'string', maxLength: 9 }) }),
    CLIENTS,
    'A client sends a long text as text/plain.',
  ),
  pair(
    'a request body made optional',
    taking(json(S)),
    taking(json(S), false),
    IMPLEMENTERS,
    'A BASE server refuses a request without a body.',
  ),
  pair('a request body made required', taking(json(S), false), taking(json(S)), CLIENTS, 'A client sends no body.'),
  pair(
    '`required: false` of a body taken away',
    taking(json(S), false),
    edited(taking(json(S), false), drop('/paths/~1orders/post/requestBody/required')),
    SAME,
    'It is the default.',
  ),
  pair(
    'another media type in an answer',
    answering({ '200': { description: 'Done.', content: json(S) } }),
    answering({ '200': { description: 'Done.', content: text(S) } }),
    BOTH,
    'A client parses JSON; a BASE server sends it.',
  ),
  pair(
    'a media type less in an answer',
    answering({ '200': { description: 'Done.', content: { ...json(S), ...text(S) } } }),
    answering({ '200': { description: 'Done.', content: json(S) } }),
    CLIENTS_AT_LEAST,
    'A client asks for text/plain.',
  ),
  pair(
    'a success status exchanged',
    answering({ '200': OK }),
    answering({ '201': OK }),
    BOTH,
    'A client waits for 200; a BASE server sends it.',
  ),
  pair(
    'a success status more',
    answering({ '200': OK }),
    answering({ '200': OK, '202': { description: 'Later.' } }),
    CLIENTS,
    'A client takes 202 for done, or for an error.',
  ),
  pair(
    'an error status no longer promised',
    answering({ '200': OK, '404': PROBLEM }),
    answering({ '200': OK }),
    CLIENTS_AT_LEAST,
    'A client reads the body of 404.',
  ),
  pair(
    'the body of an answer taken away',
    answering({ '200': OK }),
    answering({ '200': { description: 'Done.' } }),
    CLIENTS_AT_LEAST,
    'A client reads `id`.',
  ),
  pair(
    'a member of an error taken away',
    answering({ '200': OK, '404': PROBLEM }),
    answering({ '200': OK, '404': jsonAnswer(object({ code: S }, ['code'])) }),
    CLIENTS,
    'A client shows `hint`.',
  ),
  pair(
    'a member of the default answer required no more',
    answering({ '200': OK, default: PROBLEM }),
    answering({ '200': OK, default: jsonAnswer(object({ code: S, hint: S })) }),
    CLIENTS,
    'A client reads `code` of an error.',
  ),
  pair(
    'a member of a wildcard answer made required',
    answering({ '200': OK, '4XX': PROBLEM }),
    answering({ '200': OK, '4XX': jsonAnswer(object({ code: S, hint: S }, ['code', 'hint'])) }),
    IMPLEMENTERS,
    'A BASE server leaves `hint` out.',
  ),
  pair(
    'a member of a wildcard answer required no more',
    answering({ '200': OK, '4XX': PROBLEM }),
    answering({ '200': OK, '4XX': jsonAnswer(object({ code: S, hint: S })) }),
    CLIENTS,
    'A client reads `code` of a 409.',
  ),
  pair(
    'an error written out beside a default that says the same',
    answering({ '200': OK, default: PROBLEM }),
    answering({ '200': OK, '404': PROBLEM, default: PROBLEM }),
    { clients: 'compatible', implementers: 'compatible' },
    'A 404 had this body before, by the default.',
  ),
  pair(
    'an error written out beside a wildcard that says the same',
    answering({ '200': OK, '4XX': PROBLEM }),
    answering({ '200': OK, '404': PROBLEM, '4XX': PROBLEM }),
    { clients: 'compatible', implementers: 'compatible' },
    'A 404 had this body before, by the wildcard.',
  ),
  pair(
    'a description of an answer',
    answering({ '200': OK }),
    answering({ '200': { ...OK, description: 'All went well.' } }),
    WORDING,
    'Only a description is other than before.',
  ),
  pair(
    'an answer inlined',
    listing(
      { responses: { '200': { $ref: '#/components/responses/Done' } } },
      { components: { responses: { Done: OK } } },
    ),
    answering({ '200': OK }),
    SAME,
    'A reference means what it refers to.',
  ),
  pair(
    'a required header of an answer added',
    answering({ '200': OK }),
    rate(true),
    IMPLEMENTERS,
    'A BASE server sends no X-Rate.',
  ),
  pair(
    'an optional header of an answer added',
    answering({ '200': OK }),
    rate(false),
    ADDITION,
    'A server need not send it; clients ignore what they do not know.',
  ),
  pair(
    'a required header of an answer taken away',
    rate(true),
    answering({ '200': OK }),
    CLIENTS,
    'A client reads X-Rate.',
  ),
  pair('a header of an answer required no more', rate(true), rate(false), CLIENTS, 'A client reads X-Rate.'),
  pair(
    'a header of an answer of another type',
    rate(true),
    rate(true, { type: 'boolean' }),
    BOTH,
    'A client reads a number; a BASE server sends one.',
  ),
  pair(
    'a header of an answer in other letter case',
    rate(true),
    answering({ '200': { ...OK, headers: { 'x-rate': { required: true, schema: I } } } }),
    SAME,
    'Names of headers have no letter case.',
  ),
  pair(
    'a header Content-Type described at an answer',
    answering({ '200': OK }),
    answering({
      '200': { ...OK, headers: { 'Content-Type': { required: true, schema: { type: 'string', enum: ['x/y'] } } } },
    }),
    SAME,
    'OpenAPI says that such a header is ignored.',
  ),
  pair(
    'a status that is a number in the YAML',
    'openapi: 3.1.0\ninfo: { title: T, version: 1.0.0 }\npaths:\n  /a:\n    get:\n      responses:\n        200: { description: Done. }\n',
    "openapi: 3.1.0\ninfo: { title: T, version: 1.0.0 }\npaths:\n  /a:\n    get:\n      responses:\n        '200': { description: Done. }\n",
    NOTHING,
    'Both are the member "200" of the responses.',
  ),
];

const two = api({
  '/a': { get: { operationId: 'a', responses: { '200': OK } } },
  '/b': {
    get: { operationId: 'b', responses: { '200': OK } },
    delete: { operationId: 'dropB', responses: { '200': OK } },
  },
});

const operations: readonly Pair[] = [
  pair(
    'an operation added',
    edited(two, drop('/paths/~1b/delete')),
    two,
    IMPLEMENTERS,
    'A BASE server does not know DELETE /b.',
  ),
  pair(
    'an operation taken away',
    two,
    edited(two, drop('/paths/~1b/delete')),
    CLIENTS,
    'A client sends DELETE /b; a server that still takes it does no harm.',
  ),
  pair('a path added', edited(two, drop('/paths/~1b')), two, IMPLEMENTERS, 'A BASE server does not know /b.'),
  pair('a path taken away', two, edited(two, drop('/paths/~1b')), CLIENTS, 'A client sends GET /b.'),
  pair(
    'a path renamed',
    two,
    edited(two, put('/paths/~1c', { get: { operationId: 'a', responses: { '200': OK } } }), drop('/paths/~1a')),
    BOTH,
    'A client sends GET /a; a BASE server does not know /c.',
  ),
  pair(
    'another method',
    two,
    edited(two, put('/paths/~1a/post', { operationId: 'a', responses: { '200': OK } }), drop('/paths/~1a/get')),
    BOTH,
    'A client sends GET /a; a BASE server does not know POST /a.',
  ),
  pair(
    'an operationId changed',
    two,
    edited(two, put('/paths/~1a/get/operationId', 'readA')),
    { clients: 'compatible', implementers: 'compatible' },
    'It is not on the wire.',
  ),
  pair('an operation deprecated', two, edited(two, put('/paths/~1a/get/deprecated', true)), NOTICE, 'It still works.'),
  pair(
    '`deprecated: false` said',
    two,
    edited(two, put('/paths/~1a/get/deprecated', false)),
    SAME,
    'It is the default.',
  ),
  pair(
    'a summary at a path',
    two,
    edited(two, put('/paths/~1a/summary', 'All about a.')),
    WORDING,
    'Only a summary is other than before.',
  ),
  pair(
    'tags at an operation',
    two,
    edited(two, put('/paths/~1a/get/tags', ['letters'])),
    WORDING,
    'Tags sort the pages.',
  ),
  pair(
    'an extension that nobody knows',
    two,
    edited(two, put('/paths/~1a/get/x-owner', 'team-a')),
    { clients: 'compatible', implementers: 'compatible' },
    'It binds nobody.',
  ),
  pair(
    'a link added to an answer',
    two,
    edited(two, put('/paths/~1a/get/responses/200/links', { b: { operationId: 'b' } })),
    { clients: 'compatible', implementers: 'compatible' },
    'A link is a hint.',
  ),
  pair(
    'info: title, contact, terms',
    two,
    edited(
      two,
      put('/info/title', 'Letters'),
      put('/info/contact', { email: 'a@example.com' }),
      put('/info/termsOfService', 'https://shop.example.com/terms'),
    ),
    WORDING,
    'Only what people read is other than before.',
  ),
  pair(
    'the version alone',
    two,
    edited(two, put('/info/version', '2.0.0')),
    NOTHING,
    'The number says something of the document, not of the API.',
  ),
  pair('the same document', two, two, NOTHING, 'Nothing is other than before.'),
  pair(
    'openapi 3.1.0 as 3.1.1',
    two,
    edited(two, put('/openapi', '3.1.1')),
    SAME,
    'The patch version of OpenAPI changes no meaning.',
  ),
];

const versioned = (server: string, path: string): JsonObject => ({
  ...api({ [path]: { get: { operationId: 'a', responses: { '200': OK } } } }),
  servers: [{ url: server }],
});
const regions = (...names: readonly string[]): JsonObject =>
  edited(
    two,
    put('/servers', [{ url: 'https://{region}.example.com', variables: { region: { default: 'eu', enum: names } } }]),
  );

const servers: readonly Pair[] = [
  pair(
    'the base path of the only server changed',
    versioned('https://shop.example.com/v1', '/a'),
    versioned('https://shop.example.com/v2', '/a'),
    BOTH,
    'A client sends to /v1/a; a BASE server has no /v2/a.',
  ),
  pair(
    'one of two servers taken away',
    edited(two, put('/servers/-', { url: 'https://eu.example.com' })),
    two,
    CLIENTS,
    'A client talks to eu.example.com.',
  ),
  pair(
    'a region of a server variable taken away',
    regions('eu', 'us'),
    regions('eu'),
    CLIENTS,
    'A client talks to us.example.com.',
  ),
  pair(
    'a description of a server',
    two,
    edited(two, put('/servers/0/description', 'The one.')),
    WORDING,
    'Only a description is other than before.',
  ),
  pair(
    'servers left out as `/`',
    edited(two, put('/servers', [{ url: '/' }])),
    edited(two, drop('/servers')),
    SAME,
    '`/` is the default.',
  ),
  pair(
    'the servers of the document written at its only path',
    versioned('https://shop.example.com', '/a'),
    edited(
      versioned('https://shop.example.com', '/a'),
      put('/paths/~1a/servers', [{ url: 'https://shop.example.com' }]),
    ),
    SAME,
    'The same server.',
  ),
  pair(
    'the base path moved from the server into the path',
    versioned('https://shop.example.com/v1', '/a'),
    versioned('https://shop.example.com', '/v1/a'),
    SAME,
    'The same address on the wire.',
  ),
];

const KEY: JsonObject = { type: 'apiKey', in: 'header', name: 'X-Key' };
const TOKEN: JsonObject = { type: 'http', scheme: 'bearer' };
const OAUTH: JsonObject = {
  type: 'oauth2',
  flows: { clientCredentials: { tokenUrl: 'https://id.example.com/token', scopes: { read: 'Read', write: 'Write' } } },
};
const SCHEMES: JsonObject = { key: KEY, token: TOKEN, oauth: OAUTH };
/** `GET /orders` with the requirements of the operation and of the document; `null` for none. */
function secured(
  operation: readonly JsonObject[] | null,
  root: readonly JsonObject[] | null = null,
  schemes: JsonObject = SCHEMES,
): JsonObject {
  return listing(operation === null ? {} : { security: operation }, {
    ...(root === null ? {} : { security: root }),
    components: { securitySchemes: schemes },
  });
}
const key: JsonObject = { key: [] };
const token: JsonObject = { token: [] };
const oauth = (...scopes: readonly string[]): JsonObject => ({ oauth: scopes });

const security: readonly Pair[] = [
  pair('security added', secured(null), secured([key]), CLIENTS_AT_LEAST, 'A client has no key.'),
  pair(
    'security taken away',
    secured([key]),
    secured(null),
    IMPLEMENTERS,
    'A BASE server refuses requests without a key.',
  ),
  pair(
    'security moved from the operation to the root',
    secured([key]),
    secured(null, [key]),
    SAME,
    'The root speaks for operations that say nothing.',
  ),
  pair(
    'security of the root repeated at the operation',
    secured(null, [key]),
    secured([key], [key]),
    SAME,
    'The same requirement.',
  ),
  pair(
    'security at the root that the operation overrides',
    secured([key]),
    secured([key], [token]),
    SAME,
    'The operation says its own.',
  ),
  pair('`security: []` where the root has none', secured(null), secured([]), SAME, 'No key either way.'),
  pair(
    '`security: [{}]` as `security: []` under a root that asks for a key',
    secured([{}], [key]),
    secured([], [key]),
    SAME,
    'No key either way.',
  ),
  pair(
    'the override `security: [{}]` taken away',
    secured([{}], [key]),
    secured(null, [key]),
    CLIENTS_AT_LEAST,
    'A client without a key is refused now.',
  ),
  pair(
    'the override `security: []` taken away',
    secured([], [key]),
    secured(null, [key]),
    CLIENTS_AT_LEAST,
    'A client without a key is refused now.',
  ),
  pair(
    'an override `security: []` added',
    secured(null, [key]),
    secured([], [key]),
    IMPLEMENTERS,
    'A BASE server refuses requests without a key.',
  ),
  pair(
    'going without a key allowed as an alternative',
    secured([key]),
    secured([key, {}]),
    IMPLEMENTERS,
    'A BASE server refuses requests without a key.',
  ),
  pair(
    'going without a key allowed no more',
    secured([{}, key]),
    secured([key]),
    CLIENTS_AT_LEAST,
    'A client has no key.',
  ),
  pair('an alternative more', secured([key]), secured([key, token]), IMPLEMENTERS, 'A BASE server refuses a token.'),
  pair('an alternative less', secured([key, token]), secured([key]), CLIENTS, 'A client has a token only.'),
  pair('alternatives in another order', secured([key, token]), secured([token, key]), SAME, 'Any of them does.'),
  pair(
    'both of two where one did',
    secured([key]),
    secured([{ ...key, ...token }]),
    CLIENTS_AT_LEAST,
    'A client has no token.',
  ),
  pair(
    'one of two where both were needed',
    secured([{ ...key, ...token }]),
    secured([key]),
    IMPLEMENTERS,
    'A BASE server refuses a key without a token.',
  ),
  pair(
    'both needed, in another order',
    secured([{ ...key, ...token }]),
    secured([{ ...token, ...key }]),
    SAME,
    'Both are needed either way.',
  ),
  pair(
    'either where both were needed',
    secured([{ ...key, ...token }]),
    secured([key, token]),
    IMPLEMENTERS,
    'A BASE server refuses a key alone; a client that sends both is served.',
  ),
  pair(
    'an alternative that asks for more than another does',
    secured([key]),
    secured([key, { ...key, ...token }]),
    SAME,
    'Who has the key needs no token: the second alternative opens nothing.',
  ),
  pair(
    'a scope more',
    secured([oauth('read')]),
    secured([oauth('read', 'write')]),
    CLIENTS_AT_LEAST,
    'A client has the scope read only.',
  ),
  pair(
    'a scope less',
    secured([oauth('read', 'write')]),
    secured([oauth('read')]),
    IMPLEMENTERS,
    'A BASE server refuses the scope read alone.',
  ),
  pair(
    'scopes in another order',
    secured([oauth('read', 'write')]),
    secured([oauth('write', 'read')]),
    SAME,
    'They are a set.',
  ),
  pair(
    'a security scheme renamed',
    secured([key]),
    secured([{ apiKey: [] }], null, { apiKey: KEY, token: TOKEN, oauth: OAUTH }),
    SAME,
    'The name of the component is not on the wire.',
  ),
  pair(
    'the header of the key changed',
    secured([key]),
    secured([key], null, { ...SCHEMES, key: { ...KEY, name: 'X-Api-Key' } }),
    BOTH,
    'A client sends X-Key; a BASE server looks for X-Key.',
  ),
  pair(
    'the header of the key in other letter case',
    secured([key]),
    secured([key], null, { ...SCHEMES, key: { ...KEY, name: 'x-key' } }),
    SAME,
    'Names of headers have no letter case.',
  ),
  pair(
    'the key moved to the query',
    secured([key]),
    secured([key], null, { ...SCHEMES, key: { ...KEY, in: 'query' } }),
    BOTH,
    'A client sends a header; a BASE server looks there.',
  ),
  pair(
    'basic to bearer',
    secured([token], null, { token: { type: 'http', scheme: 'basic' } }),
    secured([token], null, { token: TOKEN }),
    BOTH,
    'A client sends Basic; a BASE server refuses Bearer.',
  ),
  pair(
    'the hint bearerFormat',
    secured([token]),
    secured([token], null, { ...SCHEMES, token: { ...TOKEN, bearerFormat: 'JWT' } }),
    { clients: 'compatible', implementers: 'compatible' },
    'OpenAPI calls it a hint for the documentation.',
  ),
  pair(
    'a description of a security scheme',
    secured([key]),
    secured([key], null, { ...SCHEMES, key: { ...KEY, description: 'Ask us.' } }),
    WORDING,
    'Only a description is other than before.',
  ),
  pair(
    'an unused security scheme taken away',
    secured([key]),
    secured([key], null, { key: KEY }),
    SAME,
    'No operation asks for it.',
  ),
];

const calling = (schema: JsonObject): JsonObject =>
  posting({
    requestBody: jsonBody(object({ url: S }, ['url'])),
    callbacks: {
      paid: {
        '{$request.body#/url}': {
          post: { requestBody: jsonBody(schema), responses: { '204': { description: 'Seen.' } } },
        },
      },
    },
  });
const hooking = (schema: JsonObject): JsonObject =>
  edited(
    two,
    put('/webhooks', {
      paid: {
        post: { operationId: 'paid', requestBody: jsonBody(schema), responses: { '204': { description: 'Seen.' } } },
      },
    }),
  );

const turnedRound: readonly Pair[] = [
  pair(
    'a member of a callback made required',
    calling(object({ id: S, sum: I }, ['id'])),
    calling(object({ id: S, sum: I }, ['id', 'sum'])),
    IMPLEMENTERS,
    'In a callback the server sends the body: a BASE server may leave `sum` out.',
  ),
  pair(
    'a member of a callback made optional',
    calling(object({ id: S, sum: I }, ['id', 'sum'])),
    calling(object({ id: S, sum: I }, ['id'])),
    CLIENTS,
    'The client receives the body and reads `sum`.',
  ),
  pair(
    'an enum of a callback grows',
    calling(object({ state: { type: 'string', enum: ['paid'] } })),
    calling(object({ state: { type: 'string', enum: ['paid', 'late'] } })),
    CLIENTS,
    'The client meets "late".',
  ),
  pair(
    'a member of a webhook made optional',
    hooking(object({ id: S, sum: I }, ['id', 'sum'])),
    hooking(object({ id: S, sum: I }, ['id'])),
    CLIENTS,
    'The client receives the body and reads `sum`.',
  ),
  pair(
    'null for a member of a webhook taken away',
    hooking(object({ id: { type: ['string', 'null'] } })),
    hooking(object({ id: S })),
    IMPLEMENTERS,
    'A BASE server may send null.',
  ),
  pair(
    'a description in a callback',
    calling(object({ id: S })),
    calling(object({ id: { ...S, description: 'The order.' } })),
    WORDING,
    'Only a description is other than before.',
  ),
];

/** A document of OpenAPI 3.0 in which one schema is asked and answered. */
const old = (schema: JsonObject): JsonObject =>
  posting(
    {
      requestBody: jsonBody({ $ref: '#/components/schemas/Order' }),
      responses: { '200': jsonAnswer({ $ref: '#/components/schemas/Order' }) },
    },
    { openapi: '3.0.3', components: { schemas: { Order: schema } } },
  );
const oldAnswer = (schema: JsonObject): JsonObject =>
  posting({ responses: { '200': jsonAnswer(object({ value: schema }, ['value'])) } }, { openapi: '3.0.3' });
const oldRequest = (schema: JsonObject): JsonObject =>
  posting({ requestBody: jsonBody(object({ value: schema }, ['value'])) }, { openapi: '3.0.3' });
const ro = (schema: JsonObject): JsonObject => ({ ...schema, readOnly: true });
const wo = (schema: JsonObject): JsonObject => ({ ...schema, writeOnly: true });
const EQUAL: Pick<Pair, 'clients' | 'implementers'> = { clients: 'compatible', implementers: 'compatible' };

const oldDocuments: readonly Pair[] = [
  pair(
    '3.0: nullable in an answer',
    oldAnswer(S),
    oldAnswer({ ...S, nullable: true }),
    CLIENTS,
    'A client meets null.',
  ),
  pair(
    '3.0: nullable no more in an answer',
    oldAnswer({ ...S, nullable: true }),
    oldAnswer(S),
    IMPLEMENTERS,
    'A BASE server may answer null.',
  ),
  pair(
    '3.0: nullable in a request',
    oldRequest(S),
    oldRequest({ ...S, nullable: true }),
    IMPLEMENTERS,
    'A BASE server refuses null.',
  ),
  pair(
    '3.0: nullable no more in a request',
    oldRequest({ ...S, nullable: true }),
    oldRequest(S),
    CLIENTS,
    'A client sends null.',
  ),
  pair('3.0: `nullable: false` said', oldAnswer(S), oldAnswer({ ...S, nullable: false }), SAME, 'It is the default.'),
  pair(
    '3.0: a keyword beside a $ref',
    edited(
      old(object({ a: S })),
      put('/paths/~1orders/post/responses/200/content/application~1json/schema', {
        $ref: '#/components/schemas/Order',
      }),
    ),
    edited(
      old(object({ a: S })),
      put('/paths/~1orders/post/responses/200/content/application~1json/schema', {
        $ref: '#/components/schemas/Order',
        minProperties: 1,
      }),
    ),
    SAME,
    'In 3.0 what stands beside a $ref is ignored.',
  ),
  pair(
    '3.0: an exclusive bound as the next integer',
    oldAnswer({ type: 'integer', minimum: 0, exclusiveMinimum: true }),
    oldAnswer({ type: 'integer', minimum: 1 }),
    SAME,
    'No integer lies between 0 and 1.',
  ),
  pair(
    '3.0: a bound made exclusive',
    oldRequest({ type: 'number', minimum: 0 }),
    oldRequest({ type: 'number', minimum: 0, exclusiveMinimum: true }),
    CLIENTS,
    'A client sends 0.',
  ),
  pair(
    '3.0 to 3.1: nullable as a list of types',
    oldAnswer({ ...S, nullable: true }),
    edited(oldAnswer({ type: ['string', 'null'] }), put('/openapi', '3.1.0')),
    EQUAL,
    'Both accept strings and null.',
  ),
  pair(
    '3.0 to 3.1: an exclusive bound',
    oldRequest({ type: 'number', minimum: 0, exclusiveMinimum: true }),
    edited(oldRequest({ type: 'number', exclusiveMinimum: 0 }), put('/openapi', '3.1.0')),
    EQUAL,
    'Both accept numbers above 0.',
  ),
  pair(
    '3.0 to 3.1 with nothing to translate',
    oldAnswer(S),
    edited(oldAnswer(S), put('/openapi', '3.1.0')),
    EQUAL,
    'The schemas mean the same in both.',
  ),
  pair(
    '3.0 to 3.1: nullable left behind',
    oldAnswer({ ...S, nullable: true }),
    edited(oldAnswer({ ...S, nullable: true }), put('/openapi', '3.1.0')),
    IMPLEMENTERS,
    '3.1 knows no `nullable`: a BASE server may answer null, which is no string.',
  ),
  pair(
    '3.0 to 3.1: nullable no more, in a request',
    oldRequest({ ...S, nullable: true }),
    edited(oldRequest(S), put('/openapi', '3.1.0')),
    CLIENTS,
    'A client sends null.',
  ),
  pair(
    'a required member that is read only added',
    old(object({ a: S }, ['a'])),
    old(object({ a: S, id: ro(S) }, ['a', 'id'])),
    IMPLEMENTERS,
    'Clients need not send it; a BASE server does not show it.',
  ),
  pair(
    'an optional member that is read only added',
    old(object({ a: S })),
    old(object({ a: S, id: ro(S) })),
    ADDITION,
    'No request has it, and no server need show it.',
  ),
  pair(
    'an optional member that is write only added',
    old(object({ a: S })),
    old(object({ a: S, pin: wo(S) })),
    IMPLEMENTERS,
    'A BASE server does not honour `pin`; no answer has it.',
  ),
  pair(
    'a required member that is write only added',
    old(object({ a: S })),
    old(object({ a: S, pin: wo(S) }, ['pin'])),
    CLIENTS_AT_LEAST,
    'A client sends no `pin`.',
  ),
  pair(
    'an enum that is read only grows',
    old(object({ state: ro({ type: 'string', enum: ['new'] }) })),
    old(object({ state: ro({ type: 'string', enum: ['new', 'paid'] }) })),
    CLIENTS,
    'A client meets "paid"; it is in no request.',
  ),
  pair(
    'an enum that is read only shrinks',
    old(object({ state: ro({ type: 'string', enum: ['new', 'paid'] }) })),
    old(object({ state: ro({ type: 'string', enum: ['new'] }) })),
    IMPLEMENTERS,
    'A BASE server may answer "paid"; it is in no request.',
  ),
  pair(
    'an enum that is write only grows',
    old(object({ mode: wo({ type: 'string', enum: ['fast'] }) })),
    old(object({ mode: wo({ type: 'string', enum: ['fast', 'slow'] }) })),
    IMPLEMENTERS,
    'A BASE server refuses "slow"; it is in no answer.',
  ),
  pair(
    'an enum that is write only shrinks',
    old(object({ mode: wo({ type: 'string', enum: ['fast', 'slow'] }) })),
    old(object({ mode: wo({ type: 'string', enum: ['fast'] }) })),
    CLIENTS,
    'A client sends "slow"; it is in no answer.',
  ),
  pair(
    'a read-only member made required',
    old(object({ a: S, id: ro(S) })),
    old(object({ a: S, id: ro(S) }, ['id'])),
    IMPLEMENTERS,
    'A BASE server may leave it out; a request never has it.',
  ),
  pair(
    'a write-only member made required',
    old(object({ a: S, pin: wo(S) })),
    old(object({ a: S, pin: wo(S) }, ['pin'])),
    CLIENTS,
    'A client sends no `pin`; a BASE server takes it.',
  ),
];

export const messagePairs: readonly Pair[] = [
  ...members,
  ...composition,
  ...parameters,
  ...messages,
  ...operations,
  ...servers,
  ...security,
  ...turnedRound,
  ...oldDocuments,
];
