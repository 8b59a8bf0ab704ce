import { expect, it } from 'vitest';
import { diagnose, type Hint } from '../../../../conformance/result/hints/hints.ts';
import type { Exchange, RequestSpec } from '../../../../conformance/http/exchange.ts';
import { NEVER_SHOWN } from '../../../../conformance/traffic/keeping/restoration.ts';
import type { Inputs } from '../../../../conformance/resources/inputs.ts';
import { answered, bannersRequest, faulted, inputs, update, updateRequest } from '../../../support/exchanges.ts';

const UPDATE = updateRequest();
const LIST = bannersRequest();

function hints(exchanges: readonly Exchange[], given: Inputs = inputs, bearer?: Exchange): readonly Hint[] {
  return diagnose({ inputs: given, exchanges, bearer, timeout: 1_000 }).hints;
}

const accepted = update({ name: 'Ada' }, { id: 4, name: 'Ada' });
const listed = answered(LIST, 200, { banners: [] });
const refusal = { id: 'e', name: 'AuthenticationRequired', message: 'No.' };
const refused = answered(UPDATE, 401, refusal);

function unreachable(detail: string, request: RequestSpec = UPDATE): Exchange {
  return { ...faulted(request, 'unreachable'), transportError: { kind: 'unreachable', detail } };
}

const html = { 'content-type': 'text/html' };
const notFound = { id: 'e', name: 'NotFoundError', message: 'No.' };
const badRequest = { id: 'e', name: 'ValidationError', message: 'No.' };
const at = (baseUrl: string): Inputs => ({ ...inputs, baseUrl: new URL(baseUrl) });
const withKey = (adminKey: string): Inputs => ({ ...inputs, adminKey });
const restricted = { label: 'the restricted key', header: 'Restricted-key-2', role: 'restricted' } as const;
const ofRestricted = answered(bannersRequest({ credential: restricted }), 200, {});
const keyless = updateRequest({ credential: { label: 'no Authorization header' } });
const byRestricted = updateRequest({ credential: restricted });
const redirected = (status: number, location: string): Exchange => answered(UPDATE, status, {}, { location });
const missing = updateRequest({ subject: 'missing-user', path: '/api/admin/user-admin/404404', body: '{}' });
const other = updateRequest({ subject: 'other-user', path: '/api/admin/user-admin/5' });
const nulled = updateRequest({ body: '{"name":null}', meant: { id: 'valid', body: 'invalid' } });
const role = updateRequest({ body: '{"rootRole":2}' });
const elsewhere = bannersRequest({
  credential: { label: 'the admin key in other header fields', otherHeaders: { 'X-Api-Key': 'Admin-key-1' } },
});
const PATH = '/base/api/admin/user-admin/4';

const asking = (schemes: string): Exchange => answered(UPDATE, 401, refusal, { 'www-authenticate': schemes });
const basic = { 'www-authenticate': 'Basic realm="staging"', 'content-type': 'text/html' };
const keylessList = answered(bannersRequest({ credential: { label: 'no key' } }), 200, { banners: [] });
const example = { id: 4, name: 'string' };
const NOT_HTTP = 'Response does not match the HTTP/1.1 protocol';
const broken = (detail: string): Exchange => ({
  ...faulted(UPDATE, 'protocol'),
  transportError: { kind: 'protocol', detail },
});
const sentAt = (exchange: Exchange, startedAt: number, purpose = exchange.request.purpose): Exchange => {
  return { ...exchange, startedAt, duration: 5, request: { ...exchange.request, purpose } };
};
const lost = unreachable('connect ECONNREFUSED');
const dead = [sentAt(lost, 10, 'A null'), sentAt(lost, 14, 'A list'), sentAt(lost, 16, 'A later one')];
const silent = faulted(UPDATE, 'timeout');
const hung = [10, 20, 30].map((startedAt) => sentAt(silent, startedAt, `A ${startedAt}`));
const hanging = ['A null', 'A list', 'A number', 'A word', 'A word', 'A key'].map((purpose, at) =>
  sentAt(silent, at, purpose),
);
const inTurn = (...names: string[]): Exchange[] =>
  names.map((name, index) => sentAt(update({}, { id: 4, name }), 10 * (index + 1)));
const sentAda = sentAt(accepted, 0);
/** A target may have converted these to the text that it shows. */
const numbers = [15, 35].map((startedAt) => sentAt(update({ name: 1.5 }, { id: 4 }), startedAt));
const refusedBo = (status: number, body: unknown) => answered(updateRequest({ body: '{"name":"Bo"}' }), status, body);
const gone = refusedBo(404, notFound);
const goneEmail = answered(updateRequest({ body: '{"email":"a@b.example"}' }), 404, notFound);
const bare = update({}, { id: 4 });
const ofEmail = update({ email: 'a@b.example' }, { id: 4, email: 'a@b.example' });
const thrice = (exchange: Exchange): Exchange[] => [exchange, exchange, exchange];
const rest = { id: 4, username: 'ada', isAPI: false, loginAttempts: 0 };
const ofName = update({ name: 'Ada' }, { ...rest, name: 'Ada' });
const ofNothing = update({ email: 'a@b.example' }, { ...rest, email: 'a@b.example' });
const both = { id: 4, name: 'Ada', email: 'a@b.example' };
const ofBoth = update({ email: 'a@b.example' }, both);

type Case = readonly [what: string, exchanges: readonly Exchange[], given?: Inputs, bearer?: Exchange];

const ofRedirects: Case[] = [
  ['a slash at the end', [redirected(308, `${PATH}/`)]],
  ['the same address', [redirected(301, `https://t.example${PATH}`)], at('https://t.example/base')],
  ['https', [redirected(301, `https://target.example${PATH}`)]],
  ['a login', [redirected(302, '/login?next=/')]],
  ['a login elsewhere, with a secret', [redirected(302, 'https://sso.example/authorize?token=s3cret#s3cret')]],
  ['the same path elsewhere', [redirected(307, `http://a.example/v2${PATH}`)]],
  ['another path, with a secret', [redirected(302, '/?secret=1')]],
  ...['', 'http://', 'not a url at all: %', 'mailto:a@b.example', 'tel:1'].map((to): Case => [
    `"${to}"`,
    [redirected(302, to)],
  ]),
];

const ofConnections: Case[] = [
  ...[
    ...['connect ECONNREFUSED 127.0.0.1:4242', 'getaddrinfo ENOTFOUND target.example', 'getaddrinfo EAI_AGAIN t'],
    ...['the target does not speak TLS there; write http://', 'self-signed certificate', 'certificate has expired'],
    ...["Hostname/IP does not match certificate's altnames", 'the target speaks HTTP/2 only'],
    ...['the proxy refused the connection (403)', 'connect EHOSTUNREACH 10.0.0.1:80', 'this machine has no more files'],
  ].map((detail): Case => [detail, [unreachable(detail), unreachable(detail, LIST)]]),
  ['connect ECONNREFUSED, for https', [unreachable('connect ECONNREFUSED')], at('https://t.example')],
  ['closed, for http', [faulted(UPDATE, 'closed'), faulted(LIST, 'protocol')], at('http://t.example')],
  ['closed, for https', [faulted(UPDATE, 'closed')], at('https://t.example')],
  ['a response of a TLS port', [answered(UPDATE, 400, 'The plain HTTP request was sent to HTTPS port')]],
  ['no HTTP, for http', [broken(`${NOT_HTTP} (Expected HTTP/, RTSP/ or ICE/)`)], at('http://t.example')],
  ['broken HTTP', [broken(`${NOT_HTTP} (Missing expected CR after response line)`)]],
  ['a length that is there twice', [broken("Parse Error: Content-Length can't be present twice")]],
  ['one response that is not HTTP', [broken(NOT_HTTP), accepted]],
  ['silence', [faulted(UPDATE, 'aborted'), silent]],
  ['one silent operation', [listed, faulted(UPDATE, 'timeout')]],
  ['two requests that failed differently', [faulted(UPDATE, 'timeout'), answered(LIST, 502)]],
  ['a request that was stopped', [faulted(UPDATE, 'aborted')]],
  ['the end of the target', [accepted, listed, ...dead]],
  ['the end at one request', [accepted, ...hung]],
  ['two lost requests', [accepted, ...dead.slice(1)]],
  ['a target that responds again', [...dead, accepted]],
  ['a run that was stopped', [accepted, ...dead.map(({ request }) => faulted(request, 'aborted'))]],
  ['closed connections', [accepted, ...dead.map(({ request }) => faulted(request, 'closed'))]],
  ['requests that hang', [accepted, ...hanging, sentAt(accepted, 10)]],
  ['two requests that hang', [accepted, ...hanging.slice(0, 2), sentAt(accepted, 0)]],
];

const ofAddresses: Case[] = [
  ['a gateway', [answered(UPDATE, 502), answered(LIST, 504)]],
  ['a gateway before one operation', [accepted, answered(LIST, 502)]],
  ['a gateway at what must be refused', [answered(nulled, 502)]],
  ['a gate', [answered(UPDATE, 401, '<h1>401</h1>', basic)]],
  ['another server', [answered(LIST, 404, '-', html), answered(UPDATE, 501, '')]],
  ['a page', [answered(UPDATE, 200, '<div id="root">', html)]],
  [
    'a page for one operation, and nothing for the other',
    [answered(LIST, 200, '<p>', html), answered(UPDATE, 404, '')],
  ],
  ['a page with a password', [answered(UPDATE, 200, '<input type=password>', html)]],
  ['nothing', [answered(UPDATE, 404)], at('http://t.example/v2')],
  ['nothing, with the error of the contract', [answered(UPDATE, 404, notFound), answered(LIST, 404, notFound)]],
  ['one operation that is not there', [accepted, answered(LIST, 404)]],
  ...['/api/admin', '/api/admin/', '/api', '/api/admin/banners'].map((suffix): Case => {
    return [`nothing below ${suffix}`, [answered(UPDATE, 404)], at(`http://t.example${suffix}`)];
  }),
  ['a method that is not offered', [answered(UPDATE, 405, {}), listed]],
];

const ofKeys: Case[] = [
  ['a key', [refused]],
  ['a key that is accepted after Bearer', [refused], inputs, answered(updateRequest({ body: '{}' }), 200, { id: 4 })],
  ['a key that is refused after Bearer', [refused], inputs, answered(updateRequest({ body: '{}' }), 401, refusal)],
  ['a key that gets a page after Bearer', [refused], inputs, answered(updateRequest({ body: '{}' }), 200, 'page')],
  ...[
    ...['$KEY', '${KEY}', '%KEY%', '<key>', '{{key}}', 'your-api-key', 'changeme', '"abcdefgh"', "'abcdefgh'"],
    ...['Bearer abc', 'Authorization:abc', 'a1b2c3d4e5', '*:development.64a1', 'sk_live_x<y>z', 'key$with$dollars'],
  ].map((key): Case => [`the key ${key}`, [refused], withKey(key)]),
  ['the key $KEY, which is accepted', [accepted, listed], withKey('$KEY')],
  ['a key that is taken elsewhere', [refused, answered(elsewhere, 200)]],
  ['the name of another header', [answered(UPDATE, 401, 'X-Api-Key is missing')]],
  ...['Bearer', 'Bearer realm="x", error="invalid_token"', 'Basic realm="a", Negotiate'].map((schemes): Case => {
    return [`the schemes ${schemes}`, [asking(schemes)]];
  }),
  ['403', [answered(UPDATE, 403), answered(keyless, 401)]],
  ['403 without a key, too', [answered(UPDATE, 403), answered(keyless, 403), listed]],
  ['a CSRF token, of Django', [answered(UPDATE, 403, '<h1>CSRF verification failed.</h1>'), listed]],
  ['a CSRF token, of Laravel', [answered(UPDATE, 419, { message: 'Page expired.' }), listed]],
  ['a CSRF token, of Rails', [answered(UPDATE, 422, '<h1>The change you wanted was rejected.</h1>'), listed]],
  ['no key', [accepted, answered(keyless, 200, { id: 4 }), keylessList]],
  ['one status', [accepted, answered(nulled, 401), answered(byRestricted, 401)]],
  [
    'one status, with no update',
    [listed, refusedBo(400, badRequest), answered(nulled, 400), answered(byRestricted, 400)],
  ],
  ['an unknown restricted key', [accepted, answered(byRestricted, 401)]],
  [
    'an unknown restricted key, and an open operation',
    [accepted, answered(byRestricted, 401), ofRestricted, keylessList],
  ],
  ['a restricted key that is known elsewhere', [accepted, answered(byRestricted, 401), ofRestricted]],
  ['a restricted key that may update', [accepted, answered(byRestricted, 200)]],
  ['every key from then on', [accepted, answered(byRestricted, 401), refusedBo(401, refusal)]],
];

const ofUsers: Case[] = [
  ['the user', [answered(UPDATE, 404, notFound), listed]],
  ['the other user', [accepted, answered(other, 404, notFound)]],
  ['a user, without the error of the contract', [answered(UPDATE, 404), listed]],
  ['the missing user, who is there', [accepted, answered(missing, 200, { id: 404404 })]],
  ['the missing user', [accepted, answered(missing, 404, refusal)]],
  ['the missing user, taken for another', [accepted, answered(missing, 200, { id: 4 })]],
  ['every role', [accepted, answered(role, 400, badRequest)]],
  ['one role', [accepted, answered(role, 400, badRequest), update({ rootRole: 1 }, { id: 4 })]],
  ['a role, by a crash', [accepted, answered(role, 500)]],
  ['every update', [answered(UPDATE, 500), answered(role, 400, badRequest)]],
  ['a body', [answered(UPDATE, 400, refusal)]],
  ['nothing is stored', ['A', 'B', 'C'].map((name) => update({ name }, example))],
  ['values in turn', [sentAt(update({}, { id: 4, name: 'Bo' }), -10), sentAda, ...inTurn('Ada', 'Bo', 'Ada', 'Bo')]],
  ['a value that comes back once', [sentAda, ...inTurn('Ada', 'Bo', 'Ada')]],
  ['a value that was sent again', [...inTurn('Ada', 'Bo', 'Ada', 'Bo'), sentAda, sentAt(accepted, 35)]],
  ['a value that may be a number', [sentAda, ...numbers, ...inTurn('Ada', '1.5', 'Ada', '1.5')]],
  ['a user in turn', [accepted, gone, accepted]],
  ['a user who is gone from then on', [accepted, accepted, gone]],
  ['only other members', [accepted, goneEmail, accepted]],
  ['400 in turn', [accepted, refusedBo(400, badRequest), accepted]],
  ['500 in turn', [accepted, refusedBo(500, {}), accepted]],
  ['a body that was left unread', [accepted, answered(UPDATE, 501, '<p>', html), accepted]],
  ['a user who is locked', [answered(nulled, 409), answered(nulled, 400, badRequest)]],
  ['a target that fails now and then', [answered(nulled, 500), answered(nulled, 400, badRequest)]],
  ['two members shown only where they are sent', [bare, ...thrice(accepted), ...thrice(ofEmail)]],
  ['one member shown only where it is sent', [ofBoth, ...thrice(accepted)]],
  ['a member that is shown once', [update({}, both), ...thrice(bare), accepted, ofEmail]],
  ['members that are never shown', [...thrice(bare), bare]],
  ['a member that was hardly sent', [bare, bare, accepted]],
  ['the rest of the user', [ofName, ...thrice(ofNothing)]],
  ...[{}, { name: null }].flatMap((erased): Case[] => {
    const [start, end] = [
      update({}, { ...rest, ...erased }),
      update({ email: 'a@b.example' }, { ...rest, email: 'a@b.example', ...erased }),
    ];
    const how = JSON.stringify(erased);
    return [
      [`a name that is erased: ${how}`, [start, ofName, end]],
      [`a name that was not there: ${how}`, [start, ofName, ofBoth]],
    ];
  }),
];

/** `npx vitest -u` writes them again; review each change as somebody whose run this is. */
it.each<[about: string, cases: readonly Case[]]>([
  ['redirects', ofRedirects],
  ['connections', ofConnections],
  ['addresses', [['a target that is sent nothing', []], ['a good target', [accepted, listed]], ...ofAddresses]],
  ['keys', ofKeys],
  ['users', ofUsers],
])('hints on %s are as they were reviewed', async (about, cases) => {
  expect(new Set(cases.map(([what]) => what)).size).toBe(cases.length);
  const texts = cases.map(
    ([what, ...given]) =>
      `${what}\n${hints(...given)
        .map(({ id, text }) => `  ${id}: ${text}\n`)
        .join('')}`,
  );
  await expect(texts.join('\n')).toMatchFileSnapshot(`golden/${about}.txt`);
  expect(texts.join(), 'a word in braces was not filled in').not.toMatch(/: .*\{[a-zA-Z]+\}/);
});

it('says which members a run left in the users, and how to restore them', () => {
  const told = (outcome: 'remains' | 'not-restored' | typeof NEVER_SHOWN, ...exchanges: Exchange[]) => {
    const member = outcome === NEVER_SHOWN ? ({ outcome: 'not-restored', detail: outcome } as const) : { outcome };
    const users = [{ subject: 'user', id: '4', members: [{ member: 'Name', ...member }] }] as const;
    const restoration = { outcome: 'partial', users, journal: '/tmp/j.json' } as const;
    return diagnose({ inputs, exchanges, timeout: 1_000, restoration }).hints.map(({ text }) => text.slice(0, 110));
  };
  const of = 'Name of user 4. To try again: admin-api-conformance restore /tmp/j.json';
  expect(told('remains', accepted)[0]).toContain('that no update can remove: Name of user 4. The target');
  expect(told('not-restored', accepted, sentAda, ...inTurn('Bo'))).toEqual([`Not restored: ${of}`]);
  const banner = [
    { subject: 'banner' as never, id: '1', members: [{ member: 'message', outcome: 'not-restored' }] },
  ] as const;
  const restoration = { outcome: 'partial', users: banner } as const;
  const { hints } = diagnose({ inputs, exchanges: [accepted], timeout: 1_000, restoration });
  expect(hints[0]?.text).toContain('as before: message of banner 1');
  expect(told(NEVER_SHOWN, accepted, sentAda, ...inTurn('Bo'))[0]).toMatch(
    /^Not restored: .* before the first update, so/,
  );
  expect(told('not-restored', accepted)[0]).toMatch(
    /^No value of this run was seen, but it is not known .* as before: Name of/,
  );
});
