import { stringify } from 'yaml';
import {
  at,
  change,
  contract,
  contractYaml,
  drop,
  edited,
  membersReversed,
  put,
  textsReplaced,
  type Document,
  type Edit,
  type Json,
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
  type Outcome,
  type Pair,
} from './pair.ts';

const UPDATE = '/paths/~1api~1admin~1user-admin~1{id}/put';
const LIST = '/paths/~1api~1admin~1banners/get';
const BODY = '/components/schemas/updateUserSchema';
const USER = '/components/schemas/createUserResponseSchema';
const BANNERS = '/components/schemas/bannersSchema';
const BANNER = '/components/schemas/bannerSchema';
const ERROR = '/components/schemas/errorSchema';
const SCHEME = '/components/securitySchemes/apiKey';

/** Our contract as it is, and with the edits. */
const step = (name: string, edits: readonly Edit[], outcome: Outcome, why: string): Pair =>
  pair(`ours: ${name}`, contract, edited(contract, ...edits), outcome, why);
/** Our contract with the edits, and as it is. */
const stepTo = (name: string, edits: readonly Edit[], outcome: Outcome, why: string): Pair =>
  pair(`ours: ${name}`, edited(contract, ...edits), contract, outcome, why);

const without =
  (...gone: readonly Json[]) =>
  (value: Json): Json =>
    (value as readonly Json[]).filter((each) => !gone.includes(each));
const joined =
  (...more: readonly Json[]) =>
  (value: Json): Json => [...(value as readonly Json[]), ...more];
const replaced =
  (from: string, to: string) =>
  (value: Json): Json => {
    const text = value as string;
    if (!text.includes(from)) throw new Error(`"${from}" is not in: ${text}`);
    return text.replace(from, to);
  };

/** The pointer of the statement with this id, under the object at `holder`. */
function statement(holder: string, id: string, key: 'x-requirements' | 'x-open-points' = 'x-requirements'): string {
  const index = (at(contract, `${holder}/${key}`) as readonly JsonObject[]).findIndex((each) => each.id === id);
  if (index < 0) throw new Error(`no ${id} at ${holder}`);
  return `${holder}/${key}/${index}`;
}

const schemas: readonly Pair[] = [
  step(
    'an optional member of the user added',
    [put(`${USER}/properties/nickname`, { type: 'string' })],
    ADDITION,
    'Clients ignore what they do not know; a server need not show it.',
  ),
  step(
    'an optional member of the body added',
    [put(`${BODY}/properties/locale`, { type: 'string' })],
    IMPLEMENTERS,
    'A BASE server does not store `locale`.',
  ),
  step(
    '`email` of the body required',
    [put(`${BODY}/required`, ['email'])],
    CLIENTS,
    'A client sends a name alone; a BASE server takes an e-mail address.',
  ),
  step(
    '`email` of the body with a format',
    [put(`${BODY}/properties/email/format`, 'email')],
    CLIENTS,
    'A client sends an address that the format does not know.',
  ),
  step(
    '`name` of the body may be null',
    [put(`${BODY}/properties/name/type`, ['string', 'null'])],
    IMPLEMENTERS,
    'A BASE server refuses null.',
  ),
  step(
    '`rootRole` of the body may be a text',
    [change(`${BODY}/properties/rootRole/type`, joined('string'))],
    IMPLEMENTERS,
    'A BASE server may refuse a text as role.',
  ),
  step(
    '`rootRole` of the body no longer an object',
    [change(`${BODY}/properties/rootRole/type`, without('object'))],
    CLIENTS,
    'A client sends an object as role.',
  ),
  step(
    '`rootRole` of the user may be a text',
    [change(`${USER}/properties/rootRole/type`, joined('string'))],
    CLIENTS,
    'A client meets a text as role.',
  ),
  step(
    '`rootRole` of the user no longer an object',
    [change(`${USER}/properties/rootRole/type`, without('object'))],
    IMPLEMENTERS,
    'A BASE server may show an object.',
  ),
  step(
    '`rootRole` of the user as anyOf',
    [
      put(`${USER}/properties/rootRole`, {
        'x-requirements': at(contract, `${USER}/properties/rootRole/x-requirements`),
        'x-open-points': at(contract, `${USER}/properties/rootRole/x-open-points`),
        description: at(contract, `${USER}/properties/rootRole/description`),
        anyOf: [{ type: 'integer' }, { type: 'object', additionalProperties: true }],
      }),
    ],
    SAME,
    'Both accept integers and objects with whatever members.',
  ),
  step(
    '`name` of the user never null',
    [put(`${USER}/properties/name/type`, 'string')],
    IMPLEMENTERS,
    'A BASE server may show null.',
  ),
  step(
    '`email` of the user may be null',
    [put(`${USER}/properties/email/type`, ['string', 'null'])],
    CLIENTS,
    'A client meets null.',
  ),
  step(
    '`username` of the user as anyOf with null',
    [
      drop(`${USER}/properties/username/type`),
      put(`${USER}/properties/username/anyOf`, [{ type: 'string' }, { type: 'null' }]),
    ],
    SAME,
    'Both accept strings and null.',
  ),
  step(
    '`name` of the user required',
    [change(`${USER}/required`, joined('name'))],
    IMPLEMENTERS,
    'A BASE server may leave `name` out.',
  ),
  step('`id` of the user required no more', [put(`${USER}/required`, [])], CLIENTS, 'A client reads `id`.'),
  step(
    '`createdAt` of the user without a format',
    [drop(`${USER}/properties/createdAt/format`)],
    CLIENTS,
    'A client parses a date and meets "yesterday".',
  ),
  step(
    '`imageUrl` of the user with a format',
    [put(`${USER}/properties/imageUrl/format`, 'uri')],
    IMPLEMENTERS,
    'A BASE server may show a text that is no address.',
  ),
  step(
    '`accountType` of the user with an enum',
    [put(`${USER}/properties/accountType/enum`, ['User', 'Service Account'])],
    IMPLEMENTERS,
    'A BASE server may show another text.',
  ),
  step(
    '`loginAttempts` of the user may be any number',
    [put(`${USER}/properties/loginAttempts/type`, 'number')],
    CLIENTS,
    'A client meets 1.5.',
  ),
  step(
    '`permissions` of the user hold anything',
    [put(`${USER}/properties/permissions/items`, {})],
    CLIENTS,
    'A client meets a number in the list.',
  ),
  step(
    '`scimId` of the user taken away',
    [drop(`${USER}/properties/scimId`)],
    CLIENTS,
    'A client reads `scimId`; the must-requirement `user.scim-id` is gone as well.',
  ),
  step(
    '`unevaluatedProperties: true` taken away',
    [drop(`${USER}/unevaluatedProperties`), drop(`${ERROR}/unevaluatedProperties`)],
    SAME,
    'True is the default.',
  ),
  step(
    'the user closed',
    [put(`${USER}/unevaluatedProperties`, false)],
    IMPLEMENTERS,
    'A BASE server may show more members.',
  ),
  step(
    '`message` of an error optional',
    [change(`${ERROR}/required`, without('message'))],
    CLIENTS,
    'A client shows `message`.',
  ),
  step(
    'an optional member of the error added',
    [put(`${ERROR}/properties/details`, { type: 'object' })],
    ADDITION,
    'Clients ignore it; a server need not show it.',
  ),
  step(
    '`message` of a banner typed',
    [put(`${BANNER}/properties/message/type`, ['string', 'null'])],
    IMPLEMENTERS,
    'A BASE server may show a number.',
  ),
  step(
    'the list of banners holds texts',
    [put(`${BANNERS}/properties/banners/items`, { type: 'string' })],
    BOTH,
    'A client reads objects; a BASE server shows them.',
  ),
  step(
    '`banners` at most a hundred',
    [put(`${BANNERS}/properties/banners/maxItems`, 100)],
    IMPLEMENTERS,
    'A BASE server may list 101.',
  ),
  step(
    'the user wrapped in an allOf',
    [
      put(`${UPDATE}/responses/200/content/application~1json/schema`, {
        allOf: [{ $ref: '#/components/schemas/createUserResponseSchema' }],
      }),
    ],
    SAME,
    'An allOf of one is that one.',
  ),
  step(
    'the user, its members in another order',
    [change(`${USER}/properties`, (value) => Object.fromEntries(Object.entries(value as JsonObject).reverse()))],
    SAME,
    'Members have no order.',
  ),
  step(
    '`required` of the error in another order',
    [put(`${ERROR}/required`, ['message', 'name', 'id'])],
    SAME,
    'It is a set.',
  ),
  step(
    '`isAPI` no longer deprecated',
    [drop(`${USER}/properties/isAPI/deprecated`)],
    NOTICE,
    'It is still there and means the same.',
  ),
];

function renamed(from: string, to: string): Document {
  const whole = edited(
    contract,
    put(`/components/schemas/${to}`, at(contract, `/components/schemas/${from}`)),
    drop(`/components/schemas/${from}`),
  );
  return textsReplaced(whole, (text) =>
    text === `#/components/schemas/${from}` ? `#/components/schemas/${to}` : text,
  ) as Document;
}

const messages: readonly Pair[] = [
  pair(
    'ours: the schema of the error renamed',
    contract,
    renamed('errorSchema', 'problem'),
    SAME,
    'The name of the component is not on the wire.',
  ),
  step(
    'the answer 404 inlined',
    [
      change(`${UPDATE}/responses/404`, () => at(contract, '/components/responses/NotFoundError')),
      drop('/components/responses/NotFoundError'),
    ],
    SAME,
    'A reference means what it refers to.',
  ),
  step(
    'the security of the operations left to the root',
    [drop(`${UPDATE}/security`), drop(`${LIST}/security`)],
    SAME,
    'The root says the same.',
  ),
  step(
    'the security of the root left to the operations',
    [drop('/security')],
    SAME,
    'Both operations say it themselves.',
  ),
  step(
    'the banner list open to everybody',
    [put(`${LIST}/security`, [])],
    IMPLEMENTERS,
    'A BASE server refuses requests without a key.',
  ),
  stepTo('the banner list no longer open', [put(`${LIST}/security`, [{}])], CLIENTS_AT_LEAST, 'A client has no key.'),
  step(
    'the key in another header',
    [put(`${SCHEME}/name`, 'X-Api-Key')],
    BOTH,
    'A client sends Authorization; a BASE server looks there.',
  ),
  step(
    'a bearer token instead of a key',
    [drop(`${SCHEME}/in`), drop(`${SCHEME}/name`), put(`${SCHEME}/type`, 'http'), put(`${SCHEME}/scheme`, 'bearer')],
    BOTH,
    'A client sends the bare key; a BASE server takes no Bearer before it.',
  ),
  step(
    'the security scheme renamed',
    [
      put('/components/securitySchemes', { adminKey: at(contract, SCHEME) }),
      put('/security', [{ adminKey: [] }]),
      put(`${UPDATE}/security`, [{ adminKey: [] }]),
      put(`${LIST}/security`, [{ adminKey: [] }]),
    ],
    SAME,
    'The name of the component is not on the wire.',
  ),
  step(
    'the path parameter renamed',
    [
      put('/paths/~1api~1admin~1user-admin~1{userId}', at(contract, '/paths/~1api~1admin~1user-admin~1{id}')),
      drop('/paths/~1api~1admin~1user-admin~1{id}'),
      put('/paths/~1api~1admin~1user-admin~1{userId}/put/parameters/0/name', 'userId'),
    ],
    SAME,
    'The name is not on the wire.',
  ),
  step(
    'the path id a text',
    [put(`${UPDATE}/parameters/0/schema/type`, 'string')],
    IMPLEMENTERS,
    'A BASE server refuses `abc`.',
  ),
  step(
    'the parameter moved to its path',
    [
      put('/paths/~1api~1admin~1user-admin~1{id}/parameters', at(contract, `${UPDATE}/parameters`)),
      drop(`${UPDATE}/parameters`),
    ],
    SAME,
    'The path has this one operation.',
  ),
  step(
    'the answer 403 taken away',
    [drop(`${UPDATE}/responses/403`)],
    CLIENTS_AT_LEAST,
    'A client reads the body of 403.',
  ),
  step(
    '202 as a second success',
    [put(`${UPDATE}/responses/202`, { description: 'Later.' })],
    CLIENTS,
    'A client meets 202.',
  ),
  step(
    'the update by PATCH',
    [put('/paths/~1api~1admin~1user-admin~1{id}', { patch: at(contract, UPDATE) })],
    BOTH,
    'A client sends PUT; a BASE server does not know PATCH.',
  ),
  step(
    'a read operation added',
    [
      put('/paths/~1api~1admin~1user-admin~1{id}/get', {
        operationId: 'getUser',
        parameters: at(contract, `${UPDATE}/parameters`),
        responses: {
          '200': {
            description: 'The user.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/createUserResponseSchema' } } },
          },
        },
      }),
      drop('/paths/~1api~1admin~1user-admin~1{id}/get/parameters/0/x-requirements'),
      drop('/paths/~1api~1admin~1user-admin~1{id}/get/parameters/0/x-open-points'),
    ],
    IMPLEMENTERS,
    'A BASE server does not know it.',
  ),
  step('the banner list taken away', [drop('/paths/~1api~1admin~1banners')], CLIENTS, 'A client lists banners.'),
  step(
    'an optional filter of the banner list added',
    [put(`${LIST}/parameters`, [{ name: 'enabled', in: 'query', schema: { type: 'boolean' } }])],
    IMPLEMENTERS,
    'A BASE server does not honour it.',
  ),
  step(
    'a header of the list promised',
    [put(`${LIST}/responses/200/headers`, { ETag: { required: true, schema: { type: 'string' } } })],
    IMPLEMENTERS,
    'A BASE server sends no ETag.',
  ),
  step(
    'another error name',
    [put('/components/responses/NotFoundError/x-error-name', 'UserNotFound')],
    BOTH,
    'A client waits for NotFoundError; a BASE server sends it.',
  ),
  step(
    'the operations in another order',
    [change('/paths', (value) => Object.fromEntries(Object.entries(value as JsonObject).reverse()))],
    SAME,
    'Paths have no order.',
  ),
  step(
    'a second media type of the body',
    [
      put(
        `${UPDATE}/requestBody/content/application~1merge-patch+json`,
        at(contract, `${UPDATE}/requestBody/content/application~1json`),
      ),
    ],
    IMPLEMENTERS,
    'A BASE server may refuse it.',
  ),
];

const texts: readonly Pair[] = [
  step(
    'a phrase of the description',
    [change('/info/description', replaced('changes some fields', 'changes some of the fields'))],
    WORDING,
    'Only a description is other than before.',
  ),
  step('a summary', [put(`${LIST}/summary`, 'List every banner')], WORDING, 'Only a summary is other than before.'),
  step(
    'a description inside a schema',
    [put(`${USER}/properties/name/description`, 'What the user is called.')],
    WORDING,
    'Only a description is other than before.',
  ),
  step(
    'an example',
    [put(`${UPDATE}/responses/200/content/application~1json/examples/minimal/value/id`, 5)],
    WORDING,
    'Examples bind nobody.',
  ),
  step(
    'an example more',
    [
      put(`${UPDATE}/requestBody/content/application~1json/examples/longName`, {
        summary: 'A long name',
        value: { name: 'Ada, Countess of Lovelace' },
      }),
    ],
    WORDING,
    'Examples bind nobody.',
  ),
  step(
    'a description of a tag',
    [put('/tags/0/description', 'People and services.')],
    WORDING,
    'Only a description is other than before.',
  ),
  step(
    'a description of the server variable',
    [put('/servers/0/variables/baseUrl/description', 'Where it answers.')],
    WORDING,
    'Only a description is other than before.',
  ),
  step(
    'the version alone',
    [put('/info/version', '9.9.9')],
    NOTHING,
    'The number says something of the document, not of the API.',
  ),
  step(
    'an operationId',
    [put(`${UPDATE}/operationId`, 'patchUser')],
    { clients: 'compatible', implementers: 'compatible' },
    'It is not on the wire.',
  ),
  pair('ours: YAML and JSON', contractYaml, contract, NOTHING, 'The same document in two notations.'),
  pair(
    'ours: YAML in another style and order',
    contractYaml,
    stringify(membersReversed(contract), { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE' }),
    NOTHING,
    'Quotes, line breaks and the order of members mean nothing.',
  ),
  pair(
    'ours: YAML with comments',
    contractYaml,
    `# A comment.\n${contractYaml}# Another.\n`,
    NOTHING,
    'Comments are not part of the document.',
  ),
];

const requirement = (
  id: string,
  level: 'must' | 'should',
  text = 'A user shows when it was changed last.',
): JsonObject => ({
  id,
  level,
  text,
  source: 'Resources, User',
});
const idMatches = statement(UPDATE, 'update.id-matches-path');
const concurrent = statement(UPDATE, 'update.concurrent-users');
const notFound = statement(UPDATE, 'missing-user.not-found');
const notCreated = statement(UPDATE, 'missing-user.not-created');
const bannersStable = statement(LIST, 'banners.stable');
const object = statement(USER, 'user.object');
const headerOnly = statement(SCHEME, 'auth.header-only');

const requirements: readonly Pair[] = [
  step(
    'a must added',
    [put(`${USER}/x-requirements/-`, requirement('user.changed-at', 'must'))],
    IMPLEMENTERS,
    'A BASE server shows no such date.',
  ),
  step('a must taken away', [drop(idMatches)], CLIENTS, 'A client relies on the id in the answer.'),
  step(
    'a must lowered to should',
    [put(`${idMatches}/level`, 'should')],
    CLIENTS,
    'A client relies on the id in the answer; a server that obeys still conforms.',
  ),
  step(
    'a should raised to must',
    [put(`${concurrent}/level`, 'must')],
    IMPLEMENTERS,
    'A BASE server may lose an update.',
  ),
  step(
    'a should added',
    [put(`${USER}/x-requirements/-`, requirement('user.changed-at', 'should'))],
    ADDITION,
    'Nobody has to follow it, but it is more than words.',
  ),
  step('a should taken away', [drop(concurrent)], ADDITION, 'Nobody could rely on it, but it is more than words.'),
  step(
    'the id of a must changed',
    [put(`${idMatches}/id`, 'update.id-as-in-path')],
    BOTH,
    'A frozen id is gone and another came: removed and added.',
  ),
  step(
    'the id of a should changed',
    [put(`${bannersStable}/id`, 'banners.steady')],
    ADDITION,
    'A should is gone and another came: neither binds.',
  ),
  step(
    'a requirement moved with its text',
    [put(`${UPDATE}/responses/200/x-requirements`, [at(contract, object)]), drop(object)],
    WORDING,
    'The same sentence with the same id at another place.',
  ),
  step(
    'requirements in another order',
    [change(`${UPDATE}/x-requirements`, (value) => [...(value as readonly Json[])].reverse())],
    SAME,
    'Their order means nothing.',
  ),
  stepTo(
    'a typo in a must mended',
    [change(`${idMatches}/text`, replaced('body is', 'bodi is'))],
    WORDING,
    'One letter, no word that carries meaning.',
  ),
  step(
    'letter case and full stop of a must',
    [change(`${headerOnly}/text`, (value) => (value as string).replace('A key', 'a key').replace(/\.$/, ''))],
    WORDING,
    'Nothing but letter case and punctuation.',
  ),
  step(
    'blanks in a must',
    [change(`${notCreated}/text`, replaced('creates none; the', 'creates none;  the'))],
    SAME,
    'Nothing but a blank.',
  ),
  step(
    'a status in a must changed',
    [change(`${notFound}/text`, replaced('404', '410'))],
    BOTH,
    'A client waits for 404; a BASE server sends it.',
  ),
  step(
    'a code span in a must changed',
    [change(`${notFound}/text`, replaced('`NotFoundError`', '`NotFound`'))],
    BOTH,
    'A client waits for NotFoundError; a BASE server sends it.',
  ),
  step(
    'a negation in a must dropped',
    [change(`${headerOnly}/text`, replaced('does not open', 'does open'))],
    BOTH,
    'The sentence says the opposite.',
  ),
  step(
    'a negation in a must added',
    [change(`${idMatches}/text`, replaced('is the id', 'is not the id'))],
    BOTH,
    'The sentence says the opposite.',
  ),
  step(
    'a type in a must changed',
    [change(`${statement(`${USER}/properties/email`, 'user.email')}/text`, replaced('a string', 'an integer'))],
    BOTH,
    'A client reads a text; a BASE server shows one.',
  ),
  step(
    'the source of a requirement',
    [put(`${idMatches}/source`, 'Resources, User')],
    WORDING,
    'Where a sentence comes from binds nobody.',
  ),
  step(
    'an open point added',
    [
      put('/x-open-points/-', {
        id: 'open.time-zone',
        kind: 'silent',
        text: 'Which time zone a server shows.',
        source: 'Resources',
        ruling: 'Any.',
        observations: [],
      }),
    ],
    ADDITION,
    'A freedom that was there is named.',
  ),
  step(
    'an open point taken away',
    [drop(statement('', 'open.events', 'x-open-points'))],
    ADDITION,
    'The point is silent again, nobody is bound.',
  ),
  step(
    'an open point made a must',
    [
      drop(statement('', 'open.states', 'x-open-points')),
      put(
        '/x-requirements/-',
        requirement('users.no-states', 'must', 'A user that exists can be updated at any time.'),
      ),
    ],
    IMPLEMENTERS,
    'A BASE server may refuse to update some users.',
  ),
  step(
    'an observation added',
    [
      put(`${statement(UPDATE, 'open.empty-body', 'x-open-points')}/observations/-`, {
        id: 'slow',
        text: '`{}` is answered late.',
      }),
    ],
    ADDITION,
    'One more thing is noted, none is judged.',
  ),
  step(
    'an observation taken away',
    [drop(`${statement('', 'open.extra-members', 'x-open-points')}/observations/1`)],
    ADDITION,
    'One thing less is noted, none was judged.',
  ),
  step(
    'a sample type changed',
    [put(`${BANNER}/properties/icon/x-sample-type`, { type: 'integer' })],
    ADDITION,
    'It is a should-level hint.',
  ),
];

export const ourPairs: readonly Pair[] = [...schemas, ...messages, ...texts, ...requirements];
