import {
  answered,
  api,
  at,
  contract,
  edited,
  jsonAnswer,
  jsonBody,
  listing,
  membersReversed,
  posting,
  put,
  drop,
  type Document,
  type JsonObject,
} from './documents.ts';
import { BOTH, CLIENTS, CLIENTS_AT_LEAST, IMPLEMENTERS, SAME, pair, type Pair } from './pair.ts';

const S: JsonObject = { type: 'string' };
const I: JsonObject = { type: 'integer' };
const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  ...(required.length > 0 ? { required } : {}),
  properties,
});
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** One schema is asked, one answered; both may refer to the components. */
const trade = (request: JsonObject, answer: JsonObject, schemas: JsonObject, more: JsonObject = {}): Document =>
  posting(
    { requestBody: jsonBody(request), responses: { '200': jsonAnswer(answer) } },
    { components: { schemas }, ...more },
  );

const order = object({ id: S, note: S }, ['id']);
const item = object({ sku: I, name: S }, ['sku']);
const getOrder = (name: string, schema: JsonObject): Document =>
  api({
    [`/orders/{${name}}`]: {
      get: {
        operationId: 'getOrder',
        parameters: [{ name, in: 'path', required: true, schema }],
        responses: { '200': jsonAnswer(order) },
      },
    },
  });

const KEY: JsonObject = { type: 'apiKey', in: 'header', name: 'X-Key' };
const TOKEN: JsonObject = { type: 'http', scheme: 'bearer' };
const guarded = (operation: JsonObject, root: JsonObject, schemes: JsonObject = { key: KEY, token: TOKEN }): Document =>
  listing(operation, { ...root, components: { securitySchemes: schemes } });

const cat = object({ pet: S, lives: I }, ['pet', 'lives']);
const dog = object({ pet: S, tricks: I }, ['pet', 'tricks']);
const pets = (mapping: JsonObject): Document =>
  posting(
    {
      responses: {
        '200': jsonAnswer({ oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'pet', mapping } }),
      },
    },
    { components: { schemas: { Cat: cat, Dog: dog } } },
  );

const UPDATE = '/paths/~1api~1admin~1user-admin~1{id}/put';
const MISSING_USER = `${UPDATE}/x-requirements/${(at(contract, `${UPDATE}/x-requirements`) as readonly JsonObject[]).findIndex(({ id }) => id === 'missing-user.not-found')}`;
const NOT_FOUND: JsonObject = { code: S, hint: S };
const errors = (wildcard: JsonObject, one: JsonObject): Document =>
  listing({ responses: { '200': jsonAnswer(order), '404': jsonAnswer(one), '4XX': jsonAnswer(wildcard) } });

/** Changes that bind somebody, hidden among such as bind nobody; and harmless ones that look like them. */
export const mixedPairs: readonly Pair[] = [
  pair(
    'a component renamed, and a member of it required',
    trade(S, ref('Order'), { Order: order }),
    trade(S, ref('Purchase'), { Purchase: object({ id: S, note: S }, ['id', 'note']) }),
    IMPLEMENTERS,
    'A BASE server may leave `note` out.',
  ),
  pair(
    'a component written out, and a member of it required no more',
    trade(S, ref('Order'), { Order: order }),
    trade(S, object({ id: S, note: S }), {}),
    CLIENTS,
    'A client reads `id`.',
  ),
  pair(
    'the names of two components exchanged, and the references with them',
    trade(ref('Item'), ref('Order'), { Order: order, Item: item }),
    trade(ref('Order'), ref('Item'), { Order: item, Item: order }),
    SAME,
    'The request is still an item, the answer still an order.',
  ),
  pair(
    'the names of two components exchanged, the references left',
    trade(ref('Item'), ref('Order'), { Order: order, Item: item }),
    trade(ref('Item'), ref('Order'), { Order: item, Item: order }),
    BOTH,
    'The request is an order now and the answer an item.',
  ),
  pair(
    'a reference turned to another component',
    trade(S, ref('Order'), { Order: order, Item: item }),
    trade(S, ref('Item'), { Order: order, Item: item }),
    BOTH,
    'A client reads `id`; a BASE server shows no `sku`.',
  ),
  pair(
    'a path parameter renamed and made an integer',
    getOrder('id', S),
    getOrder('orderId', I),
    CLIENTS,
    'A client asks for /orders/abc.',
  ),
  pair(
    'a path parameter renamed, and a member of the answer taken away',
    getOrder('id', S),
    edited(
      getOrder('orderId', S),
      put('/paths/~1orders~1{orderId}/get/responses/200', jsonAnswer(object({ note: S }))),
    ),
    CLIENTS,
    'A client reads `id`; the renaming is no reason to look away.',
  ),
  pair(
    'null as anyOf, and the text longer',
    answered({ type: ['string', 'null'], maxLength: 5 }),
    answered({ anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }] }),
    CLIENTS,
    'A client meets a text of nine letters.',
  ),
  pair(
    'wrapped in an allOf, and a member of another type',
    answered(object({ a: S }, ['a'])),
    answered({ allOf: [object({ a: I }, ['a'])] }),
    BOTH,
    'A client reads a text; a BASE server shows one.',
  ),
  pair(
    'security moved to the root, and an alternative dropped',
    guarded({ security: [{ key: [] }, { token: [] }] }, {}),
    guarded({}, { security: [{ key: [] }] }),
    CLIENTS,
    'A client has a token only.',
  ),
  pair(
    'security moved to the root, and an alternative added',
    guarded({ security: [{ key: [] }] }, {}),
    guarded({}, { security: [{ token: [] }, { key: [] }] }),
    IMPLEMENTERS,
    'A BASE server refuses a token.',
  ),
  pair(
    'a security scheme renamed, and its header too',
    guarded({ security: [{ key: [] }] }, {}),
    guarded({ security: [{ admin: [] }] }, {}, { admin: { ...KEY, name: 'X-Admin' } }),
    BOTH,
    'A client sends X-Key; a BASE server looks there.',
  ),
  pair(
    'the definitions of two security schemes exchanged',
    guarded({ security: [{ key: [] }] }, {}),
    guarded({ security: [{ key: [] }] }, {}, { key: TOKEN, token: KEY }),
    BOTH,
    'A client sends X-Key; a BASE server refuses a token.',
  ),
  pair(
    'security of the root changed under an operation that says nothing',
    guarded({}, { security: [{ key: [] }] }),
    guarded({}, { security: [{ key: [], token: [] }] }),
    CLIENTS_AT_LEAST,
    'A client has no token.',
  ),
  pair(
    '3.0 to 3.1, and an enum that grows',
    trade(S, object({ state: { type: 'string', nullable: true, enum: ['new', null] } }), {}, { openapi: '3.0.3' }),
    trade(S, object({ state: { type: ['string', 'null'], enum: ['new', 'paid', null] } }), {}),
    CLIENTS,
    'A client meets "paid".',
  ),
  pair(
    'members in another order, and an enum that shrinks',
    trade(object({ size: { type: 'string', enum: ['s', 'm'] }, name: S }), order, {}),
    membersReversed(trade(object({ size: { type: 'string', enum: ['s'] }, name: S }), order, {})) as Document,
    CLIENTS,
    'A client sends "m".',
  ),
  pair(
    'the values of a mapping exchanged',
    pets({ a: '#/components/schemas/Cat', b: '#/components/schemas/Dog' }),
    pets({ a: '#/components/schemas/Dog', b: '#/components/schemas/Cat' }),
    BOTH,
    'A client takes "a" for a cat; a BASE server sends cats as "a".',
  ),
  pair(
    'an own status narrowed beside a wildcard',
    errors(object(NOT_FOUND), object(NOT_FOUND)),
    errors(object(NOT_FOUND), object(NOT_FOUND, ['code'])),
    IMPLEMENTERS,
    'A BASE server may answer 404 without `code`.',
  ),
  pair(
    'a request and an answer both widened',
    trade({ type: 'string', maxLength: 5 }, { type: 'string', maxLength: 5 }, {}),
    trade({ type: 'string', maxLength: 9 }, { type: 'string', maxLength: 9 }, {}),
    BOTH,
    'A client meets nine letters; a BASE server refuses them.',
  ),
  pair(
    'a request widened, an answer narrowed',
    trade({ type: 'string', maxLength: 5 }, { type: 'string', maxLength: 9 }, {}),
    trade({ type: 'string', maxLength: 9 }, { type: 'string', maxLength: 5 }, {}),
    IMPLEMENTERS,
    'A BASE server refuses what is longer, and may answer with it; a client is only better off.',
  ),
  pair(
    'a request narrowed, an answer widened',
    trade({ type: 'string', maxLength: 9 }, { type: 'string', maxLength: 5 }, {}),
    trade({ type: 'string', maxLength: 5 }, { type: 'string', maxLength: 9 }, {}),
    CLIENTS,
    'A client sends and meets what it may not; a server can go on as it is.',
  ),
  pair(
    'ours: a requirement moved, and its status changed',
    contract,
    edited(
      contract,
      put(`${UPDATE}/responses/404`, {
        ...(at(contract, '/components/responses/NotFoundError') as JsonObject),
        'x-requirements': [
          {
            id: 'missing-user.not-found',
            level: 'must',
            text: 'An update of a user that does not exist is answered 410 with the error `NotFoundError`.',
            source: 'Errors, 404',
          },
        ],
      }),
      drop(MISSING_USER),
    ),
    BOTH,
    'A client waits for 404; a BASE server sends it.',
  ),
  pair(
    'ours: descriptions rewritten, and a format dropped',
    contract,
    edited(
      contract,
      put('/info/description', 'Two operations.'),
      put(`${UPDATE}/description`, 'Changes a user.'),
      drop('/components/schemas/createUserResponseSchema/properties/seenAt/format'),
    ),
    CLIENTS,
    'A client parses a date and meets "yesterday".',
  ),
];
