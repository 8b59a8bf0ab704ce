import {
  answered,
  api,
  asked,
  edited,
  jsonAnswer,
  jsonBody,
  listing,
  posting,
  put,
  querying,
  drop,
  type Document,
  type Json,
  type JsonObject,
} from './documents.ts';
import {
  ADDITION,
  BOTH,
  CLIENTS,
  CLIENTS_AT_LEAST,
  IMPLEMENTERS,
  NOTICE,
  SAME,
  WORDING,
  pair,
  type Pair,
} from './pair.ts';

const S: JsonObject = { type: 'string' };
const I: JsonObject = { type: 'integer' };
const REQUEST = '/paths/~1orders/post/requestBody';
const ANSWER = '/paths/~1orders/get/responses/200';

const fields: JsonObject = {
  type: 'object',
  required: ['note'],
  properties: { note: S, meta: { type: 'object', properties: { a: I } }, count: I },
};
const sent = (type: string, media: JsonObject, rest: JsonObject = {}): Document =>
  posting({ requestBody: { required: true, content: { [type]: media } } }, rest);
const form = (media: JsonObject = {}): Document => sent('multipart/form-data', { schema: fields, ...media });
const got = (type: string, schema: JsonObject): Document =>
  listing({ responses: { '200': { description: 'Done.', content: { [type]: { schema } } } } });
const statuses = (...names: readonly string[]): Document =>
  listing({ responses: Object.fromEntries(names.map((name): [string, Json] => [name, jsonAnswer(S)])) });
const linked = (links?: JsonObject): Document =>
  listing({ responses: { '200': jsonAnswer({ type: 'object' }, links === undefined ? {} : { links }) } });
const calling = (callbacks: JsonObject): Document => posting({ callbacks });
const callback: JsonObject = {
  done: {
    '{$request.body#/url}': { post: { requestBody: jsonBody(fields), responses: { '204': { description: '' } } } },
  },
};
const hosted = (variable: JsonObject): Document =>
  listing({}, { servers: [{ url: 'https://{region}.example.com', variables: { region: variable } }] });
const old = (document: Document): Document => edited(document, put('/openapi', '3.0.3'));
const upload = (schema: JsonObject): Document => sent('application/octet-stream', { schema });

/** Kinds of changes that the other parts of the exam leave out. */
export const furtherPairs: readonly Pair[] = [
  pair(
    'a part of a form of another media type',
    form({ encoding: { meta: { contentType: 'application/json' } } }),
    form({ encoding: { meta: { contentType: 'application/xml' } } }),
    BOTH,
    'A client sends the part as JSON; a BASE server reads JSON.',
  ),
  pair(
    'the media type that a part has anyway, said',
    form(),
    form({ encoding: { meta: { contentType: 'application/json' }, note: { contentType: 'text/plain' } } }),
    SAME,
    'It is the default for objects and for texts.',
  ),
  pair('an empty encoding said', form(), form({ encoding: {} }), SAME, 'It says nothing.'),
  pair(
    'an encoding beside a JSON body',
    sent('application/json', { schema: fields }),
    sent('application/json', { schema: fields, encoding: { meta: { contentType: 'application/xml' } } }),
    SAME,
    'An encoding speaks of forms only.',
  ),
  pair(
    'a number of a form a text',
    sent('application/x-www-form-urlencoded', { schema: fields }),
    edited(
      sent('application/x-www-form-urlencoded', { schema: fields }),
      put(`${REQUEST}/content/application~1x-www-form-urlencoded/schema/properties/count`, S),
    ),
    IMPLEMENTERS,
    'In a form every number is a text; a BASE server refuses count=abc.',
  ),
  pair(
    'a number deep inside a part of a form a text',
    form(),
    edited(form(), put(`${REQUEST}/content/multipart~1form-data/schema/properties/meta/properties/a`, S)),
    BOTH,
    'The part is JSON: a client sends {"a":1}, a BASE server reads a number.',
  ),
  pair('a callback added', calling({}), calling(callback), IMPLEMENTERS, 'A BASE server calls nobody.'),
  pair('a callback taken away', calling(callback), calling({}), CLIENTS, 'A client waits to be called.'),
  pair(
    'the default of a server variable changed',
    hosted({ default: 'eu', enum: ['eu', 'us'] }),
    hosted({ default: 'us', enum: ['eu', 'us'] }),
    CLIENTS_AT_LEAST,
    'A client that leaves the region out finds another server.',
  ),
  pair(
    'the name of a server variable changed',
    hosted({ default: 'eu' }),
    listing({}, { servers: [{ url: 'https://{zone}.example.com', variables: { zone: { default: 'eu' } } }] }),
    SAME,
    'The same addresses.',
  ),
  pair(
    'a link taken away',
    linked({ next: { operationId: 'listOrders' } }),
    linked(),
    { clients: 'compatible', implementers: 'compatible' },
    'A link describes; nothing on the wire differs.',
  ),
  pair(
    'a description of a link',
    linked({ next: { operationId: 'listOrders' } }),
    linked({ next: { operationId: 'listOrders', description: 'The next.' } }),
    NOTICE,
    'It binds nobody.',
  ),
  pair(
    'a media type with a charset that JSON has anyway',
    got('application/json', S),
    got('application/json; charset=utf-8', S),
    SAME,
    'JSON is UTF-8.',
  ),
  pair(
    'a media type in other letter case',
    got('application/json', S),
    got('Application/JSON', S),
    SAME,
    'Letter case does not count there.',
  ),
  pair(
    'JSON to problem JSON',
    got('application/json', S),
    got('application/problem+json', S),
    BOTH,
    'A client looks for application/json; a BASE server sends it.',
  ),
  pair(
    'a member of problem JSON required no more',
    got('application/problem+json', fields),
    edited(
      got('application/problem+json', fields),
      drop(`${ANSWER}/content/application~1problem+json/schema/required`),
    ),
    CLIENTS,
    'A client reads `note`.',
  ),
  pair(
    'a text in CSV of another type',
    got('text/csv', S),
    got('text/csv', { type: 'string', maxLength: 5 }),
    IMPLEMENTERS,
    'A BASE server may answer with more.',
  ),
  pair(
    'one example as several',
    answered({ ...S, example: 'a' }),
    answered({ ...S, examples: ['a'] }),
    WORDING,
    'Examples bind nobody.',
  ),
  pair(
    'example of a body as examples',
    sent('application/json', { schema: S, example: 'a' }),
    sent('application/json', { schema: S, examples: { one: { value: 'a' } } }),
    WORDING,
    'Examples bind nobody.',
  ),
  pair(
    'const as an enum of one, beside its type',
    asked({ ...S, const: 'a' }),
    asked({ enum: ['a'] }),
    SAME,
    'Only "a".',
  ),
  pair(
    'a const and an enum that holds it',
    asked({ const: 'a', enum: ['a', 'b'] }),
    asked({ const: 'a' }),
    SAME,
    'Only "a".',
  ),
  pair(
    'a pattern of names added to a closed request',
    asked({ type: 'object', additionalProperties: false }),
    asked({ type: 'object', additionalProperties: false, patternProperties: { '^x-': S } }),
    IMPLEMENTERS,
    'A BASE server refuses {"x-a":"b"}.',
  ),
  pair(
    'a second pattern of names that meets the first',
    asked({ type: 'object', additionalProperties: false, patternProperties: { a: { type: ['string', 'integer'] } } }),
    asked({
      type: 'object',
      additionalProperties: false,
      patternProperties: { a: { type: ['string', 'integer'] }, b: S },
    }),
    BOTH,
    'A client sends {"ab":1}; a BASE server refuses {"b":"c"}.',
  ),
  pair(
    'the same type for other members, said by a pattern',
    asked({ type: 'object', additionalProperties: S }),
    asked({ type: 'object', additionalProperties: S, patternProperties: { '^x-': S } }),
    SAME,
    'A text either way.',
  ),
  pair(
    'a least number of elements',
    asked({ type: 'array', items: S }),
    asked({ type: 'array', items: S, minItems: 1 }),
    CLIENTS,
    'A client sends [].',
  ),
  pair(
    'a least number of elements of 0 said',
    asked({ type: 'array', items: S }),
    asked({ type: 'array', items: S, minItems: 0, uniqueItems: false }),
    SAME,
    'It is the default.',
  ),
  pair(
    'elements of an answer that must differ',
    answered({ type: 'array', items: S }),
    answered({ type: 'array', items: S, uniqueItems: true }),
    IMPLEMENTERS,
    'A BASE server may answer with ["a","a"].',
  ),
  pair(
    'a longer tuple',
    answered({ type: 'array', prefixItems: [S], unevaluatedItems: false }),
    answered({ type: 'array', prefixItems: [S, S], unevaluatedItems: false }),
    CLIENTS,
    'A client meets a second element.',
  ),
  pair(
    'a tuple closed by `items`, then by `unevaluatedItems`',
    answered({ type: 'array', prefixItems: [S], items: false }),
    answered({ type: 'array', prefixItems: [S], unevaluatedItems: false }),
    SAME,
    'No second element.',
  ),
  pair(
    '`contains` added to a request',
    asked({ type: 'array' }),
    asked({ type: 'array', contains: S }),
    CLIENTS,
    'A client sends [1].',
  ),
  pair(
    '`minContains` without `contains`',
    asked({ type: 'array' }),
    asked({ type: 'array', minContains: 2 }),
    SAME,
    'Alone it says nothing.',
  ),
  pair(
    '`then` without `if`',
    asked(fields),
    asked({ ...fields, then: { required: ['meta'] } }),
    SAME,
    'Alone it says nothing.',
  ),
  pair(
    'one dependency of members more',
    asked({ type: 'object', dependentRequired: { a: ['b'] } }),
    asked({ type: 'object', dependentRequired: { a: ['b', 'c'] } }),
    CLIENTS,
    'A client sends {"a":1,"b":1}.',
  ),
  pair(
    'one dependency of members less in an answer',
    answered({ type: 'object', dependentRequired: { a: ['b', 'c'] } }),
    answered({ type: 'object', dependentRequired: { a: ['b'] } }),
    CLIENTS,
    'A client meets `a` without `c`.',
  ),
  pair(
    'a forbidden value more',
    asked({ ...S, not: { enum: ['a'] } }),
    asked({ ...S, not: { enum: ['a', 'b'] } }),
    CLIENTS,
    'A client sends "b".',
  ),
  pair(
    'a forbidden type as the types that are left',
    asked({ not: { type: 'string' } }),
    asked({ type: ['null', 'boolean', 'number', 'array', 'object'] }),
    SAME,
    'Anything but a text.',
  ),
  pair(
    'a range of whole numbers as an enum',
    asked({ type: 'integer', minimum: 1, maximum: 3 }),
    asked({ enum: [1, 2, 3] }),
    SAME,
    'Three numbers.',
  ),
  pair(
    'a bound beside a type in another branch',
    asked({ allOf: [I, { minimum: 0.5 }] }),
    asked({ type: 'integer', minimum: 1 }),
    SAME,
    'The first whole number is 1.',
  ),
  pair(
    'the encoding of a text added',
    asked(S),
    asked({ ...S, contentEncoding: 'base64' }),
    CLIENTS_AT_LEAST,
    'A client sends "?".',
  ),
  pair(
    'a name in XML beside a JSON body',
    asked(S),
    asked({ ...S, xml: { name: 'v' } }),
    { clients: 'compatible', implementers: 'compatible' },
    'Nothing is XML here.',
  ),
  pair(
    'a name in XML',
    got('application/xml', fields),
    edited(
      got('application/xml', fields),
      put(`${ANSWER}/content/application~1xml/schema/properties/note/xml`, { name: 'n' }),
    ),
    BOTH,
    'A client reads <note>; a BASE server writes it.',
  ),
  pair('200 as 2XX', statuses('200'), statuses('2XX'), CLIENTS, 'A client meets 201.'),
  pair('2XX as 200', statuses('2XX'), statuses('200'), IMPLEMENTERS, 'A BASE server may answer 201.'),
  pair(
    'a slash at the end of a path',
    listing({}),
    edited(listing({}), put('/paths', { '/orders/': (listing({}).paths as JsonObject)['/orders'] ?? {} })),
    BOTH,
    'A client asks for /orders; a BASE server knows nothing else.',
  ),
  pair(
    'a path item as a component',
    listing({}),
    edited(
      listing({}),
      put('/components', { pathItems: { Orders: (listing({}).paths as JsonObject)['/orders'] ?? {} } }),
      put('/paths/~1orders', { $ref: '#/components/pathItems/Orders' }),
    ),
    SAME,
    'The same operation.',
  ),
  pair(
    'a request body as a component',
    posting({}),
    edited(
      posting({}),
      put('/components', { requestBodies: { Order: jsonBody({ type: 'object' }) } }),
      put(REQUEST, { $ref: '#/components/requestBodies/Order' }),
    ),
    SAME,
    'The same body.',
  ),
  pair(
    'a description beside a reference',
    answered({ $ref: '#/components/schemas/A' }, { schemas: { A: S } }),
    answered({ $ref: '#/components/schemas/A', description: 'An A.' }, { schemas: { A: S } }),
    WORDING,
    'It binds nobody.',
  ),
  pair(
    'a schema of its own $defs as a component',
    answered({ $ref: '#/components/schemas/A/$defs/B' }, { schemas: { A: { $defs: { B: S } } } }),
    answered({ $ref: '#/components/schemas/B' }, { schemas: { B: S } }),
    SAME,
    'A text either way.',
  ),
  pair(
    '`required: false` of a header of an answer said',
    listing({ responses: { '200': jsonAnswer(S, { headers: { 'X-A': { schema: S } } }) } }),
    listing({
      responses: {
        '200': jsonAnswer(S, { headers: { 'X-A': { required: false, style: 'simple', explode: false, schema: S } } }),
      },
    }),
    SAME,
    'These are the defaults.',
  ),
  pair(
    'a number in a header of an answer a text',
    listing({ responses: { '200': jsonAnswer(S, { headers: { 'X-A': { required: true, schema: I } } }) } }),
    listing({ responses: { '200': jsonAnswer(S, { headers: { 'X-A': { required: true, schema: S } } }) } }),
    CLIENTS,
    'A client reads a number and meets "abc"; on the wire every number is a text.',
  ),
  pair(
    'numbers of a list in the query texts',
    querying({ schema: { type: 'array', items: I } }),
    querying({ schema: { type: 'array', items: S } }),
    IMPLEMENTERS,
    'A BASE server refuses q=abc.',
  ),
  pair(
    'a number in a JSON parameter a text',
    querying({ content: { 'application/json': { schema: I } } }),
    querying({ content: { 'application/json': { schema: S } } }),
    BOTH,
    'A client sends 1 and would have to send "1"; a BASE server reads a number.',
  ),
  pair(
    'a default of the query as a text',
    querying({ schema: { type: 'integer', default: 1 } }),
    querying({ schema: { type: ['integer', 'string'], default: '1' } }),
    IMPLEMENTERS,
    'A BASE server refuses q=abc; the default is the same on the wire.',
  ),
  pair(
    '3.0 to 3.1: base64 by format, then by encoding',
    old(asked({ ...S, format: 'byte' })),
    asked({ ...S, contentEncoding: 'base64' }),
    SAME,
    'The same texts.',
  ),
  pair(
    '3.0 to 3.1: a file by format, then by nothing',
    old(upload({ ...S, format: 'binary' })),
    upload({}),
    SAME,
    'Any bytes either way.',
  ),
  pair(
    '3.0 to 3.1: an enum with null',
    old(answered({ ...S, nullable: true, enum: ['a', null] })),
    answered({ enum: ['a', null] }),
    SAME,
    'The same two values.',
  ),
  pair(
    '3.0 to 3.1: example as examples',
    old(answered({ ...S, example: 'a' })),
    answered({ ...S, examples: ['a'] }),
    { clients: 'compatible', implementers: 'compatible', bump: ['none', 'patch'] },
    'Examples bind nobody.',
  ),
  pair(
    '3.0 to 3.1: a bound kept exclusive',
    old(asked({ type: 'number', minimum: 0, exclusiveMinimum: true })),
    asked({ type: 'number', exclusiveMinimum: 0 }),
    SAME,
    'Above 0.',
  ),
  pair(
    'an overlapping alternative of a request with one more optional member',
    asked({ oneOf: [fields, { type: 'object', properties: { other: S } }] }),
    asked({
      oneOf: [
        { ...fields, properties: { ...(fields.properties as JsonObject), more: S } },
        { type: 'object', properties: { other: S } },
      ],
    }),
    IMPLEMENTERS,
    'A BASE server does not know `more`.',
  ),
  pair(
    'alternatives that may overlap, then any of them',
    answered({
      oneOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    }),
    answered({
      anyOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    }),
    CLIENTS,
    'A client meets {"a":1,"b":1}.',
  ),
  pair(
    'alternatives told apart by a member with values of its own, then any of them',
    answered({
      oneOf: [
        { type: 'object', required: ['k'], properties: { k: { const: 1 } } },
        { type: 'object', required: ['k'], properties: { k: { minimum: 2 } } },
      ],
    }),
    answered({
      anyOf: [
        { type: 'object', required: ['k'], properties: { k: { const: 1 } } },
        { type: 'object', required: ['k'], properties: { k: { minimum: 2 } } },
      ],
    }),
    SAME,
    'No value fits both.',
  ),
  pair(
    'an alias in a mapping',
    answered(
      { oneOf: [{ $ref: '#/components/schemas/A' }], discriminator: { propertyName: 'k', mapping: { a: 'A' } } },
      { schemas: { A: { type: 'object', required: ['k'], properties: { k: S } } } },
    ),
    answered(
      {
        oneOf: [{ $ref: '#/components/schemas/A' }],
        discriminator: { propertyName: 'k', mapping: { a: 'A', b: 'A' } },
      },
      { schemas: { A: { type: 'object', required: ['k'], properties: { k: S } } } },
    ),
    CLIENTS,
    'A client does not know what "b" stands for.',
  ),
  pair(
    'a webhook added',
    api({}),
    api(
      {},
      { webhooks: { done: { post: { requestBody: jsonBody(fields), responses: { '204': { description: '' } } } } } },
    ),
    IMPLEMENTERS,
    'A BASE server reports nothing.',
  ),
  pair(
    'a tag described',
    listing({}, { tags: [{ name: 'a' }] }),
    listing({}, { tags: [{ name: 'a', description: 'All of a.' }] }),
    WORDING,
    'It binds nobody.',
  ),
  pair(
    'an extension added to an operation',
    listing({}),
    listing({ 'x-owner': 'shop' }),
    { ...ADDITION, bump: ['patch', 'minor'] },
    'Nobody has to read it.',
  ),
];
