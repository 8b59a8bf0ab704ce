import { atStatement, move, remove, replaceText, set, valueAt, type Edit } from './edits.ts';

/**
 * What is expected of a change: whom it breaks (`C` clients, `I` implementers, `CI` both, `-` nobody), and the bump.
 * What breaks clients is major and what breaks implementers alone is minor, but it is said for each pair all the same.
 */
export type Expected = `${'C' | 'CI'} major` | 'I minor' | `- ${'none' | 'patch' | 'minor'}`;

export interface Pair {
  readonly name: string;
  readonly on: 'things' | 'things-3.0' | 'contract';
  readonly edits: readonly Edit[];
  /** From the document as it is to the edited one. */
  readonly expected: Expected;
  /** The other way round, where that is a case of its own. */
  readonly back?: Expected;
}

const thing = {
  type: 'object',
  required: ['id', 'kind'],
  properties: {
    id: { type: 'integer', readOnly: true },
    kind: { type: 'string', enum: ['a', 'b'] },
    label: { type: 'string', maxLength: 20, minLength: 1 },
    note: { type: ['string', 'null'] },
    size: { type: 'number', minimum: 0, maximum: 100 },
    made: { type: 'string', format: 'date-time' },
    code: { type: 'string', pattern: '^[A-Z]+$' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
    part: { $ref: '#/components/schemas/Part' },
    secret: { type: 'string', writeOnly: true },
    extra: { type: 'object', additionalProperties: { type: 'integer' } },
  },
};

/** A small document with one thing of each kind. */
export const things = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1.0.0', contact: { name: 'Ada' } },
  servers: [{ url: 'https://things.example/v1', description: 'The one' }],
  security: [{ key: [] }],
  tags: [{ name: 'things', description: 'All about things' }],
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        summary: 'List',
        tags: ['things'],
        parameters: [
          { name: 'q', in: 'query', description: 'What to look for', schema: { type: 'string' } },
          { name: 'limit', in: 'query', required: true, schema: { type: 'integer', minimum: 1, default: 10 } },
          { name: 'ids', in: 'query', schema: { type: 'array', items: { type: 'integer' } } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
        ],
        responses: {
          '200': {
            description: 'Things',
            headers: {
              'X-Total': { required: true, schema: { type: 'integer' } },
              'X-Next': { schema: { type: 'string' } },
            },
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
                examples: { none: { value: [] } },
              },
              'text/csv': { schema: { type: 'string' } },
            },
          },
          '4XX': { $ref: '#/components/responses/Problem' },
          default: { description: 'Anything else' },
        },
      },
      post: {
        operationId: 'makeThing',
        security: [{ key: [] }, { token: ['write'] }],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Thing' } },
            'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/Part' } },
          },
        },
        responses: {
          '201': {
            description: 'Made',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          '400': { $ref: '#/components/responses/Problem' },
        },
        callbacks: {
          made: {
            '{$request.body#/url}': {
              post: {
                requestBody: {
                  content: {
                    'application/json': { schema: { type: 'object', properties: { at: { type: 'string' } } } },
                  },
                },
                responses: { '200': { description: 'Taken' } },
              },
            },
          },
        },
      },
    },
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        operationId: 'getThing',
        security: [],
        deprecated: false,
        responses: {
          '200': {
            description: 'Thing',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Shape' } } },
          },
          '404': { description: 'None' },
        },
      },
      patch: {
        operationId: 'changeThing',
        security: [{}, { key: [] }],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                additionalProperties: false,
                required: ['mode'],
                properties: {
                  mode: { type: 'string', enum: ['x', 'y'], default: 'x' },
                  count: { type: 'integer', format: 'int32', minimum: 1 },
                  label: { type: 'string', default: 'none' },
                  nested: { type: 'object', properties: { deep: { type: 'string' } } },
                  either: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
                },
              },
            },
          },
        },
        responses: { '204': { description: 'Changed' } },
      },
    },
  },
  webhooks: {
    thingMade: {
      post: {
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['id'],
                properties: { id: { type: 'integer' }, name: { type: 'string' } },
              },
            },
          },
        },
        responses: { '200': { description: 'Taken' } },
      },
    },
  },
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      token: {
        type: 'oauth2',
        flows: {
          clientCredentials: { tokenUrl: 'https://things.example/token', scopes: { write: 'Write', read: 'Read' } },
        },
      },
    },
    responses: {
      Problem: {
        description: 'A problem',
        'x-error-name': 'Problem',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
    schemas: {
      Thing: thing,
      Part: { type: 'object', properties: { name: { type: 'string' }, parent: { $ref: '#/components/schemas/Part' } } },
      Problem: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
      Shape: {
        oneOf: [{ $ref: '#/components/schemas/Round' }, { $ref: '#/components/schemas/Square' }],
        discriminator: { propertyName: 'form' },
      },
      Round: {
        type: 'object',
        required: ['form', 'radius'],
        properties: { form: { const: 'round' }, radius: { type: 'number' } },
      },
      Square: {
        type: 'object',
        required: ['form', 'side'],
        properties: { form: { const: 'square' }, side: { type: 'number' } },
      },
    },
  },
};

/** The same in the older dialect, as far as it differs. */
export const oldThings = {
  openapi: '3.0.3',
  info: { title: 'Things', version: '1.0.0' },
  paths: {
    '/things': {
      get: {
        parameters: [
          { name: 'size', in: 'query', schema: { type: 'integer', minimum: 0, exclusiveMinimum: true } },
          { name: 'page', in: 'query', schema: { type: 'number', maximum: 9, exclusiveMaximum: true } },
        ],
        responses: {
          '200': {
            description: 'Things',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    name: { type: 'string', nullable: true },
                    rest: { allOf: [{ $ref: '#/components/schemas/Rest' }] },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
  components: { schemas: { Rest: { type: 'object', properties: { a: { type: 'string' } } } } },
};

// Places in `things`. Thing stands in a request and in answers; the others in one of them.
const LIST = '/paths/~1things/get';
const MAKE = '/paths/~1things/post';
const ONE = '/paths/~1things~1{id}';
const GET = `${ONE}/get`;
const PATCH = `${ONE}/patch`;
const SENT = `${PATCH}/requestBody/content/application~1json/schema`;
const SENT_MEMBERS = `${SENT}/properties`;
const SCHEMAS = '/components/schemas';
const THING = `${SCHEMAS}/Thing`;
const PROBLEM = `${SCHEMAS}/Problem`;
const ROUND = `${SCHEMAS}/Round`;
const HOOK = '/webhooks/thingMade/post';
const HOOK_BODY = `${HOOK}/requestBody/content/application~1json/schema`;
const CALLED = `${MAKE}/callbacks/made/{$request.body#~1url}/post/requestBody/content/application~1json/schema`;

function on(place: Pair['on']) {
  return (name: string, edits: Edit | readonly Edit[], expected: Expected, back?: Expected): Pair => ({
    name,
    on: place,
    edits: typeof edits === 'function' ? [edits] : edits,
    expected,
    ...(back === undefined ? {} : { back }),
  });
}

const pair = on('things');
const old = on('things-3.0');
const own = on('contract');

const sameMeaning: readonly Pair[] = [
  pair('nothing at all', [], '- none'),
  pair('info.version alone', set('/info/version', '9.9.9'), '- none'),
  pair('the order of `required`', set(`${THING}/required`, ['kind', 'id']), '- none'),
  pair('the order of enum values', set(`${THING}/properties/kind/enum`, ['b', 'a']), '- none'),
  pair('a required member named twice', set(`${THING}/required`, ['kind', 'id', 'kind']), '- none'),
  pair(
    'null by anyOf instead of by type',
    set(`${THING}/properties/note`, { anyOf: [{ type: 'string' }, { type: 'null' }] }),
    '- patch',
    '- patch',
  ),
  pair(
    'null by oneOf instead of by type',
    set(`${THING}/properties/note`, { oneOf: [{ type: 'null' }, { type: 'string' }] }),
    '- patch',
    '- patch',
  ),
  pair(
    'a reference in an allOf',
    set(`${THING}/properties/part`, { allOf: [{ $ref: `#${SCHEMAS}/Part` }] }),
    '- patch',
    '- patch',
  ),
  pair(
    'an object split by allOf',
    set(PROBLEM, {
      allOf: [{ type: 'object', required: ['message'] }, { properties: { message: { type: 'string' } } }],
    }),
    '- patch',
    '- patch',
  ),
  pair('const instead of a list of one', set(`${ROUND}/properties/form`, { enum: ['round'] }), '- patch', '- patch'),
  pair(
    'type and const together',
    set(`${ROUND}/properties/form`, { type: 'string', const: 'round' }),
    '- patch',
    '- patch',
  ),
  pair(
    'a component renamed',
    [move(PROBLEM, `${SCHEMAS}/Trouble`), replaceText('schemas/Problem', 'schemas/Trouble')],
    '- patch',
    '- patch',
  ),
  pair(
    'a schema inlined',
    (document) => {
      set(`${LIST}/responses/200/content/application~1json/schema/items`, valueAt(document, THING))(document);
    },
    '- patch',
    '- patch',
  ),
  pair('security at the root written at the operation', set(`${LIST}/security`, [{ key: [] }]), '- patch', '- patch'),
  pair(
    'a security scheme renamed',
    [
      move('/components/securitySchemes/key', '/components/securitySchemes/apiKey'),
      replaceText('"key":[]', '"apiKey":[]'),
    ],
    '- patch',
    '- patch',
  ),
  pair('the letter case of a key header', set('/components/securitySchemes/key/name', 'x-key'), '- patch', '- patch'),
  pair('the letter case of a header parameter', set(`${LIST}/parameters/3/name`, 'x-trace'), '- patch', '- patch'),
  pair(
    'the order of parameters',
    (document) => {
      (valueAt(document, `${LIST}/parameters`) as unknown[]).reverse();
    },
    '- none',
  ),
  pair(
    'a path parameter renamed',
    [move(ONE, '/paths/~1things~1{thingId}'), set('/paths/~1things~1{thingId}/parameters/0/name', 'thingId')],
    '- patch',
    '- patch',
  ),
  pair(
    'an integer bound that is exclusive',
    set(`${SENT_MEMBERS}/count`, { type: 'integer', format: 'int32', exclusiveMinimum: 0 }),
    '- patch',
    '- patch',
  ),
  pair('`additionalProperties: true` written out', set(`${THING}/additionalProperties`, true), '- patch', '- patch'),
  pair('`required: false` written out', set(`${LIST}/parameters/0/required`, false), '- patch', '- patch'),
  pair('the usual style written out', set(`${LIST}/parameters/2/style`, 'form'), '- patch', '- patch'),
  pair('explode of a plain value', set(`${LIST}/parameters/0/explode`, false), '- patch', '- patch'),
  pair(
    'alternatives in another order',
    set(`${SCHEMAS}/Shape/oneOf`, [{ $ref: `#${SCHEMAS}/Square` }, { $ref: `#${SCHEMAS}/Round` }]),
    '- patch',
    '- patch',
  ),
  pair(
    'anyOf instead of oneOf where alternatives cannot overlap',
    [
      remove(`${SCHEMAS}/Shape/oneOf`),
      set(`${SCHEMAS}/Shape/anyOf`, [{ $ref: `#${SCHEMAS}/Round` }, { $ref: `#${SCHEMAS}/Square` }]),
    ],
    '- patch',
    '- patch',
  ),
  pair('an unused component', set(`${SCHEMAS}/Unused`, { type: 'string' }), '- patch', '- patch'),
  pair(
    'a parameter moved up to the path',
    [
      (document) => {
        set(`${ONE}/parameters/-`, { name: 'v', in: 'query', schema: { type: 'string' } })(document);
      },
      remove(`${ONE}/parameters/1`),
    ],
    '- none',
  ),
  pair('a description', set(`${LIST}/description`, 'Lists the things.'), '- patch', '- patch'),
  pair('a summary', set(`${LIST}/summary`, 'List all'), '- patch'),
  pair('the title', set('/info/title', 'The things'), '- patch'),
  pair('an example', set(`${LIST}/responses/200/content/application~1json/examples/none/value`, [{}]), '- patch'),
  pair('a tag', set(`${LIST}/tags`, ['other']), '- patch', '- patch'),
  pair('the contact', remove('/info/contact'), '- patch', '- patch'),
  pair('the description of a server', set('/servers/0/description', 'Still the one'), '- patch'),
  pair('a slash at the end of a server', set('/servers/0/url', 'https://things.example/v1/'), '- patch'),
  pair('the title of a schema', set(`${THING}/title`, 'Thing'), '- patch', '- patch'),
  pair(
    'the description of a member called description',
    set(`${SCHEMAS}/Part/properties/name/description`, 'Its name'),
    '- patch',
    '- patch',
  ),
];

const operations: readonly Pair[] = [
  pair(
    'an operation added',
    set(`${ONE}/delete`, { responses: { '204': { description: 'Gone' } } }),
    'I minor',
    'C major',
  ),
  pair(
    'a path added',
    set('/paths/~1others', { get: { responses: { '200': { description: 'Others' } } } }),
    'I minor',
    'C major',
  ),
  pair('a path renamed', move('/paths/~1things', '/paths/~1items'), 'CI major', 'CI major'),
  pair('a method changed', move(PATCH, `${ONE}/put`), 'CI major', 'CI major'),
  pair('an operation id', set(`${LIST}/operationId`, 'list'), '- minor', '- minor'),
  pair('an operation deprecated', set(`${GET}/deprecated`, true), '- minor', '- minor'),
  pair('a member deprecated', set(`${THING}/properties/label/deprecated`, true), '- minor', '- minor'),
  pair('an unknown extension', set(`${GET}/x-internal`, true), '- minor', '- minor'),
  pair('another server address', set('/servers/0/url', 'https://things.example/v2'), 'CI major', 'CI major'),
  pair('a further server', set('/servers/-', { url: 'https://spare.example/v1' }), '- minor', 'C major'),
  pair(
    'a webhook added',
    set('/webhooks/thingGone', { post: { responses: { '200': { description: 'Taken' } } } }),
    'I minor',
    'C major',
  ),
  pair('a webhook sends a member more', set(`${HOOK_BODY}/properties/more`, { type: 'string' }), '- minor', 'C major'),
  pair('a webhook no longer promises a member', set(`${HOOK_BODY}/required`, []), 'C major', 'I minor'),
  pair(
    'a webhook sends another type',
    set(`${HOOK_BODY}/properties/id/type`, ['integer', 'string']),
    'C major',
    'I minor',
  ),
  pair('a callback sends a value less', set(`${CALLED}/properties/at/enum`, ['a']), 'I minor', 'C major'),
  pair('a callback removed', remove(`${MAKE}/callbacks`), 'C major', 'I minor'),
  pair('a callback no longer sends a member', remove(`${CALLED}/properties/at`), 'C major', '- minor'),
];

const parameters: readonly Pair[] = [
  pair(
    'an optional parameter added',
    set(`${LIST}/parameters/-`, { name: 'sort', in: 'query', schema: { type: 'string' } }),
    'I minor',
    'C major',
  ),
  pair(
    'a required parameter added',
    set(`${LIST}/parameters/-`, { name: 'sort', in: 'query', required: true, schema: { type: 'string' } }),
    'CI major',
    'CI major',
  ),
  pair(
    'a required header added',
    set(`${GET}/parameters`, [{ name: 'X-Tenant', in: 'header', required: true, schema: { type: 'string' } }]),
    'CI major',
    'CI major',
  ),
  pair('a parameter required', set(`${LIST}/parameters/0/required`, true), 'C major', 'I minor'),
  pair('a parameter moved to a header', set(`${LIST}/parameters/0/in`, 'header'), 'CI major', 'CI major'),
  pair('a query parameter renamed', set(`${LIST}/parameters/0/name`, 'query'), 'CI major', 'CI major'),
  pair('the type of a path parameter', set(`${ONE}/parameters/0/schema/type`, 'string'), 'I minor', 'C major'),
  pair('a bound of a parameter tightened', set(`${LIST}/parameters/1/schema/minimum`, 2), 'C major', 'I minor'),
  pair('the default of a parameter', set(`${LIST}/parameters/1/schema/default`, 20), 'CI major', 'CI major'),
  pair('a parameter with a list of values', set(`${LIST}/parameters/0/schema/enum`, ['a']), 'C major', 'I minor'),
  pair('a list written with commas', set(`${LIST}/parameters/2/explode`, false), 'CI major', 'CI major'),
  pair('the style of a list', set(`${LIST}/parameters/2/style`, 'pipeDelimited'), 'CI major', 'CI major'),
  pair(
    'a parameter by content',
    set(`${LIST}/parameters/0`, {
      name: 'q',
      in: 'query',
      content: { 'application/json': { schema: { type: 'string' } } },
    }),
    'CI major',
    'CI major',
  ),
  pair(
    'a header parameter that OpenAPI ignores',
    set(`${LIST}/parameters/-`, { name: 'Accept', in: 'header', required: true, schema: { type: 'string' } }),
    '- patch',
    '- patch',
  ),
  pair('a parameter deprecated', set(`${LIST}/parameters/0/deprecated`, true), '- minor'),
  pair('the pattern of a parameter', set(`${LIST}/parameters/0/schema/pattern`, '^a'), 'C major', 'I minor'),
];

const requests: readonly Pair[] = [
  pair(
    'an optional member added to a closed request',
    set(`${SENT_MEMBERS}/fresh`, { type: 'string' }),
    'I minor',
    'C major',
  ),
  pair(
    'a required member added to a request',
    [set(`${SENT_MEMBERS}/fresh`, { type: 'string' }), set(`${SENT}/required`, ['mode', 'fresh'])],
    'CI major',
    'CI major',
  ),
  pair('a member of a request required', set(`${SENT}/required`, ['mode', 'count']), 'C major', 'I minor'),
  pair('a value of a request enum removed', set(`${SENT_MEMBERS}/mode/enum`, ['x']), 'C major', 'I minor'),
  pair('an integer becomes a number', set(`${SENT_MEMBERS}/count/type`, 'number'), 'I minor', 'C major'),
  pair('a request type changed', set(`${SENT_MEMBERS}/label/type`, 'integer'), 'CI major', 'CI major'),
  pair('null taken in addition', set(`${SENT_MEMBERS}/label/type`, ['string', 'null']), 'I minor', 'C major'),
  pair('a wider format', set(`${SENT_MEMBERS}/count/format`, 'int64'), 'I minor', 'C major'),
  pair('a format dropped', remove(`${SENT_MEMBERS}/count/format`), 'I minor', 'C major'),
  pair('a multiple demanded', set(`${SENT_MEMBERS}/count/multipleOf`, 5), 'C major', 'I minor'),
  pair('a multiple of a multiple', set(`${THING}/properties/size/multipleOf`, 1), 'CI major', 'CI major'),
  pair('a request opened', remove(`${SENT}/additionalProperties`), 'I minor', 'C major'),
  pair('a nested request closed', set(`${SENT_MEMBERS}/nested/additionalProperties`, false), 'C major', 'I minor'),
  pair(
    'a nested request closed by unevaluatedProperties',
    set(`${SENT_MEMBERS}/nested/unevaluatedProperties`, false),
    'C major',
    'I minor',
  ),
  pair(
    'a nested member typed otherwise',
    set(`${SENT_MEMBERS}/nested/properties/deep/type`, 'boolean'),
    'CI major',
    'CI major',
  ),
  pair(
    'an alternative of a request added',
    set(`${SENT_MEMBERS}/either/oneOf/-`, { type: 'boolean' }),
    'I minor',
    'C major',
  ),
  pair(
    'alternatives written as a list of types',
    set(`${SENT_MEMBERS}/either`, { type: ['string', 'integer'] }),
    '- patch',
    '- patch',
  ),
  pair('the default of a member', set(`${SENT_MEMBERS}/label/default`, 'some'), 'CI major', 'CI major'),
  pair('a default removed', remove(`${SENT_MEMBERS}/label/default`), 'C major', 'I minor'),
  pair('the body required', set(`${PATCH}/requestBody/required`, true), 'C major', 'I minor'),
  pair(
    'a media type taken in addition',
    set(`${PATCH}/requestBody/content/application~1xml`, { schema: { type: 'object' } }),
    'I minor',
    'C major',
  ),
  pair(
    'a vendor media type instead',
    move(`${PATCH}/requestBody/content/application~1json`, `${PATCH}/requestBody/content/application~1vnd.things+json`),
    'CI major',
    'CI major',
  ),
  pair(
    'a body where there was none',
    set(`${GET}/requestBody`, { content: { 'application/json': { schema: { type: 'object' } } } }),
    'I minor',
    'C major',
  ),
  pair('a `not` added to a request', set(`${SENT_MEMBERS}/label/not`, { const: 'bad' }), 'C major', 'I minor'),
  pair(
    'a condition added to a request',
    [
      set(`${SENT_MEMBERS}/nested/if`, { required: ['deep'] }),
      set(`${SENT_MEMBERS}/nested/then`, { minProperties: 2 }),
    ],
    'C major',
    'I minor',
  ),
  pair(
    'dependent members in a request',
    set(`${SENT_MEMBERS}/nested/dependentRequired`, { deep: ['deeper'] }),
    'C major',
    'I minor',
  ),
  pair('an object bounded in number of members', set(`${SENT_MEMBERS}/nested/maxProperties`, 3), 'C major', 'I minor'),
];

const answers: readonly Pair[] = [
  pair(
    'an optional member added to an answer',
    set(`${PROBLEM}/properties/hint`, { type: 'string' }),
    '- minor',
    'C major',
  ),
  pair(
    'a required member added to an answer',
    [set(`${PROBLEM}/properties/hint`, { type: 'string' }), set(`${PROBLEM}/required`, ['message', 'hint'])],
    'I minor',
    'C major',
  ),
  pair('a member of an answer no longer required', set(`${PROBLEM}/required`, []), 'C major', 'I minor'),
  pair('null in an answer', set(`${PROBLEM}/properties/message/type`, ['string', 'null']), 'C major', 'I minor'),
  pair(
    'the type of a member of an error',
    set(`${PROBLEM}/properties/message/type`, 'integer'),
    'CI major',
    'CI major',
  ),
  pair('a bound in an answer', set(`${PROBLEM}/properties/message/maxLength`, 100), 'I minor', 'C major'),
  pair('a format in an answer', set(`${ROUND}/properties/radius/format`, 'float'), 'I minor', 'C major'),
  pair('whole numbers only in an answer', set(`${ROUND}/properties/radius/type`, 'integer'), 'I minor', 'C major'),
  pair('a list of values in an answer', set(`${PROBLEM}/properties/message/enum`, ['a', 'b']), 'I minor', 'C major'),
  pair('an answer closed', set(`${PROBLEM}/additionalProperties`, false), 'I minor', 'C major'),
  pair(
    'an alternative of an answer added',
    [
      set(`${SCHEMAS}/Flat`, { type: 'object', required: ['form'], properties: { form: { const: 'flat' } } }),
      set(`${SCHEMAS}/Shape/oneOf/-`, { $ref: `#${SCHEMAS}/Flat` }),
    ],
    'C major',
    'I minor',
  ),
  pair('another discriminator', set(`${SCHEMAS}/Shape/discriminator/propertyName`, 'kind'), 'CI major', 'CI major'),
  pair('the tag of an alternative', set(`${ROUND}/properties/form/const`, 'circle'), 'CI major', 'CI major'),
  pair('a member of an alternative no longer required', set(`${ROUND}/required`, ['form']), 'C major', 'I minor'),
  pair('a new success status', set(`${GET}/responses/206`, { description: 'Part' }), 'C major', 'CI major'),
  pair('a success status changed', move(`${MAKE}/responses/201`, `${MAKE}/responses/200`), 'CI major', 'CI major'),
  pair('a new error status', set(`${GET}/responses/410`, { description: 'Gone' }), '- minor', 'CI major'),
  pair(
    'an error status that a range had',
    set(`${LIST}/responses/404`, { $ref: '#/components/responses/Problem' }),
    '- patch',
    'C major',
  ),
  pair(
    'an error status that a range had, with less in it',
    set(`${LIST}/responses/404`, { description: 'None' }),
    'CI major',
  ),
  pair('an answer without a body', remove(`${GET}/responses/200/content`), 'CI major', 'I minor'),
  pair('a media type of an answer removed', remove(`${LIST}/responses/200/content/text~1csv`), 'CI major', 'I minor'),
  pair(
    'a required header added to an answer',
    set(`${GET}/responses/200/headers`, { ETag: { required: true, schema: { type: 'string' } } }),
    'I minor',
    'C major',
  ),
  pair(
    'an optional header added to an answer',
    set(`${GET}/responses/200/headers`, { ETag: { schema: { type: 'string' } } }),
    '- minor',
    'C major',
  ),
  pair('a header whose name starts with x-', remove(`${LIST}/responses/200/headers/X-Next`), 'C major', '- minor'),
  pair(
    'a header of an answer required',
    set(`${LIST}/responses/200/headers/X-Next/required`, true),
    'I minor',
    'C major',
  ),
  pair(
    'the type of a header',
    set(`${LIST}/responses/200/headers/X-Total/schema/type`, 'string'),
    'C major',
    'I minor',
  ),
  pair('an error name', set('/components/responses/Problem/x-error-name', 'Trouble'), 'CI major', 'CI major'),
  pair('an error name removed', remove('/components/responses/Problem/x-error-name'), 'C major', 'I minor'),
  pair(
    'elements that must differ',
    set(`${LIST}/responses/200/content/application~1json/schema/uniqueItems`, true),
    'I minor',
    'C major',
  ),
  pair('the default of an answer', set(`${PROBLEM}/properties/message/default`, 'none'), '- patch', '- patch'),
];

const shared: readonly Pair[] = [
  pair(
    'a read-only member required: answers only',
    set(`${THING}/properties/made/readOnly`, true),
    'C major',
    'I minor',
  ),
  pair('a member of a shared schema no longer required', set(`${THING}/required`, ['id']), 'CI major', 'CI major'),
  pair('a read-only member no longer required', set(`${THING}/required`, ['kind']), 'C major', 'I minor'),
  pair('a write-only member required', set(`${THING}/required`, ['id', 'kind', 'secret']), 'C major', 'I minor'),
  pair(
    'an enum value added in both directions',
    set(`${THING}/properties/kind/enum`, ['a', 'b', 'c']),
    'CI major',
    'CI major',
  ),
  pair('a length loosened in both directions', set(`${THING}/properties/label/maxLength`, 30), 'CI major', 'CI major'),
  pair('the type of elements', set(`${THING}/properties/tags/items/type`, 'integer'), 'CI major', 'CI major'),
  pair(
    'the type of unnamed members',
    set(`${THING}/properties/extra/additionalProperties/type`, 'string'),
    'CI major',
    'CI major',
  ),
  pair('a pattern changed', set(`${THING}/properties/code/pattern`, '^[A-Z0-9]+$'), 'CI major', 'CI major'),
  pair(
    'a member in a schema that contains itself',
    set(`${SCHEMAS}/Part/properties/name/type`, 'integer'),
    'CI major',
    'CI major',
  ),
  pair('a member removed from a shared schema', remove(`${THING}/properties/label`), 'C major', 'I minor'),
  pair('no sense in a display format', set(`${THING}/properties/label/format`, 'password'), '- patch', '- patch'),
];

const security: readonly Pair[] = [
  pair('a key asked for', set(`${GET}/security`, [{ key: [] }]), 'CI major', 'I minor'),
  pair('an override removed, so that the root asks for a key', remove(`${GET}/security`), 'CI major', 'I minor'),
  pair('the way without a key removed', set(`${PATCH}/security`, [{ key: [] }]), 'CI major', 'I minor'),
  pair('an alternative key', set(`${LIST}/security`, [{ key: [] }, { token: ['read'] }]), 'I minor', 'C major'),
  pair('both keys at once', set(`${MAKE}/security`, [{ key: [], token: ['write'] }]), 'CI major', 'I minor'),
  pair('another scope', set(`${MAKE}/security/1/token`, ['write', 'read']), 'CI major', 'I minor'),
  pair('another header for the key', set('/components/securitySchemes/key/name', 'X-Api-Key'), 'CI major', 'CI major'),
  pair('the key in the query', set('/components/securitySchemes/key/in', 'query'), 'CI major', 'CI major'),
  pair(
    'another kind of scheme',
    set('/components/securitySchemes/key', { type: 'http', scheme: 'bearer' }),
    'CI major',
    'CI major',
  ),
  pair(
    'another token address',
    set('/components/securitySchemes/token/flows/clientCredentials/tokenUrl', 'https://other.example/token'),
    'CI major',
    'CI major',
  ),
];

const OLD_NAME = '/paths/~1things/get/responses/200/content/application~1json/schema/properties/name';

const dialects: readonly Pair[] = [
  old(
    'nullable written as a type',
    [
      set('/openapi', '3.1.0'),
      set(OLD_NAME, { type: ['string', 'null'] }),
      set('/paths/~1things/get/parameters/0/schema', { type: 'integer', exclusiveMinimum: 0 }),
      set('/paths/~1things/get/parameters/1/schema', { type: 'number', exclusiveMaximum: 9 }),
    ],
    '- patch',
    '- patch',
  ),
  old('nullable removed', remove(`${OLD_NAME}/nullable`), 'I minor', 'C major'),
  old(
    'an exclusive bound that is inclusive',
    set('/paths/~1things/get/parameters/1/schema/exclusiveMaximum', false),
    'I minor',
    'C major',
  ),
  old(
    'a reference without its allOf',
    set('/paths/~1things/get/responses/200/content/application~1json/schema/properties/rest', {
      $ref: '#/components/schemas/Rest',
    }),
    '- patch',
    '- patch',
  ),
  old(
    'what stands beside a reference in 3.0 means nothing',
    set('/paths/~1things/get/responses/200/content/application~1json/schema/properties/rest', {
      $ref: '#/components/schemas/Rest',
      minProperties: 3,
    }),
    '- patch',
    '- patch',
  ),
];

const USER = `${SCHEMAS}/createUserResponseSchema`;
const UPDATE = `${SCHEMAS}/updateUserSchema`;
const requirement = (id: string, text: string, level = 'must') => ({ id, level, text, source: 'somewhere' });

const contract: readonly Pair[] = [
  own('nothing at all', [], '- none'),
  own(
    'a typo in a requirement',
    atStatement('bodies.json', (at) =>
      set(`${at}/text`, 'The body of every documented answer is JSON, and its Content-Type names a JSON meda type.'),
    ),
    '- patch',
    '- patch',
  ),
  own(
    'punctuation of a requirement',
    atStatement('bodies.json', (at) =>
      set(`${at}/text`, 'the body of every documented answer is JSON and its Content-Type names a JSON media type'),
    ),
    '- patch',
  ),
  own(
    'a requirement in other words',
    atStatement('update.other-members-keep', (at) =>
      set(
        `${at}/text`,
        'An update does nothing to `id`, `username`, `createdAt`, `accountType`, `loginAttempts`, `isAPI` and `scimId`.',
      ),
    ),
    'CI major',
  ),
  own(
    'a requirement in other words of the same weight',
    atStatement('bodies.json', (at) =>
      set(`${at}/text`, 'The content of every documented answer is JSON, and its Content-Type says a JSON media type.'),
    ),
    '- minor',
    '- minor',
  ),
  own(
    'a code span of a requirement',
    atStatement('user.id', (at) => set(`${at}/text`, '`ID` is present and an integer.')),
    'CI major',
    'CI major',
  ),
  own(
    'a status in a requirement',
    atStatement('missing-user.not-found', (at) =>
      set(`${at}/text`, 'An update of a user that does not exist is answered 410 with the error `NotFoundError`.'),
    ),
    'CI major',
    'CI major',
  ),
  own(
    'a negation in a requirement',
    atStatement('update.earlier-updates-keep', (at) =>
      set(`${at}/text`, 'An update does take back what an earlier update of other members stored.'),
    ),
    'CI major',
    'CI major',
  ),
  own(
    'a type in a requirement',
    atStatement('user.is-api', (at) => set(`${at}/text`, '`isAPI`, where present, is a string.')),
    'CI major',
    'CI major',
  ),
  own(
    'a must added',
    set(`${UPDATE}/x-requirements/-`, requirement('update.new', 'Something holds.')),
    'I minor',
    'C major',
  ),
  own(
    'a should added',
    set(`${UPDATE}/x-requirements/-`, requirement('update.new', 'Something holds.', 'should')),
    '- minor',
    '- minor',
  ),
  own(
    'a must becomes a should',
    atStatement('user.name', (at) => set(`${at}/level`, 'should')),
    'C major',
    'I minor',
  ),
  own(
    'a requirement renamed',
    atStatement('user.name', (at) => set(`${at}/id`, 'user.called')),
    'CI major',
    'CI major',
  ),
  own(
    'a should renamed',
    atStatement('banner.icon', (at) => set(`${at}/id`, 'banner.picture')),
    '- minor',
    '- minor',
  ),
  own(
    'a should with another meaning',
    atStatement('banner.icon', (at) =>
      set(`${at}/text`, '`icon` of a banner, where present and not null, is an integer.'),
    ),
    '- minor',
  ),
  own(
    'a requirement moved',
    (document) => {
      const [moved] = valueAt(document, '/x-requirements') as unknown[];
      set(`${UPDATE}/x-requirements/-`, moved)(document);
      remove('/x-requirements')(document);
    },
    '- patch',
    '- patch',
  ),
  own(
    'the source of a requirement',
    atStatement('user.name', (at) => set(`${at}/source`, 'Resources')),
    '- patch',
  ),
  own(
    'an open point added',
    set('/x-open-points/-', {
      id: 'open.new',
      kind: 'silent',
      text: 'Whether.',
      source: 'Nowhere',
      ruling: 'Free.',
      observations: [],
    }),
    '- minor',
    '- minor',
  ),
  own(
    'another ruling',
    atStatement('open.empty-body', (at) => set(`${at}/ruling`, '200 with nothing changed.')),
    '- minor',
    '- minor',
  ),
  own(
    'a typo in a ruling',
    atStatement('open.states', (at) =>
      set(`${at}/ruling`, 'No state is asumed. A user that the operator names can be updated at any time.'),
    ),
    '- patch',
    '- patch',
  ),
  own(
    'an observation removed',
    atStatement('open.empty-body', (at) => remove(`${at}/observations/2`)),
    '- minor',
    '- minor',
  ),
  own(
    'an open point that becomes a must',
    [
      atStatement('open.content-type-absent', (at) => remove(at)),
      set(
        `${UPDATE}/x-requirements/-`,
        requirement('request-body.content-type', 'A body without a Content-Type is answered 415.'),
      ),
    ],
    'I minor',
    'C major',
  ),
  own('an error name', set('/components/responses/NotFoundError/x-error-name', 'MissingError'), 'CI major', 'CI major'),
  own(
    'a sample type',
    set(`${SCHEMAS}/bannerSchema/properties/id/x-sample-type`, { type: 'string' }),
    '- minor',
    '- minor',
  ),
  own('null for a member of the user', set(`${USER}/properties/email/type`, ['string', 'null']), 'C major', 'I minor'),
  own('a member of the user promised', set(`${USER}/required`, ['id', 'name']), 'I minor', 'C major'),
  own(
    'a role that is an integer only, sent and shown',
    [set(`${USER}/properties/rootRole/type`, 'integer'), set(`${UPDATE}/properties/rootRole/type`, 'integer')],
    'CI major',
    'CI major',
  ),
  own('banners without `banners`', remove(`${SCHEMAS}/bannersSchema/required`), 'C major', 'I minor'),
  own(
    'a new answer 403 to the list',
    set('/paths/~1api~1admin~1banners/get/responses/403', { $ref: '#/components/responses/NoAccessError' }),
    '- minor',
    'CI major',
  ),
  own('the key in the query', set('/components/securitySchemes/apiKey/in', 'query'), 'CI major', 'CI major'),
  own('the list opened', set('/paths/~1api~1admin~1banners/get/security', [{}]), 'I minor', 'CI major'),
  own(
    'the address of the sample server',
    set('/servers/0/variables/baseUrl/default', 'http://localhost:8080'),
    'CI major',
  ),
  own(
    'the name of a server variable',
    [set('/servers/0/url', '{base}'), move('/servers/0/variables/baseUrl', '/servers/0/variables/base')],
    '- patch',
    '- patch',
  ),
];

export const pairs: readonly Pair[] = [
  ...sameMeaning,
  ...operations,
  ...parameters,
  ...requests,
  ...answers,
  ...shared,
  ...security,
  ...dialects,
  ...contract,
];
