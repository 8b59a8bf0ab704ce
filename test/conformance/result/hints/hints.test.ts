import { describe, expect, it } from 'vitest';
import { diagnose, type Hint } from '../../../../conformance/result/hints/hints.ts';
import type { Exchange, RequestSpec } from '../../../../conformance/http/exchange.ts';
import type { Inputs } from '../../../../conformance/resources/inputs.ts';
import { answered, bannersRequest, faulted, inputs, update, updateRequest } from '../../../support/exchanges.ts';

const UPDATE = updateRequest();
const LIST = bannersRequest();

function hints(exchanges: readonly Exchange[], given: Inputs = inputs, bearer?: Exchange): readonly Hint[] {
  return diagnose({ inputs: given, exchanges, bearer, timeout: 1_000 }).hints;
}

const ids = (...args: Parameters<typeof hints>): string[] => hints(...args).map(({ id }) => id);

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

describe('diagnose', () => {
  type Row = [id: string, says: RegExp, exchanges: readonly Exchange[], given?: Inputs];
  it.each<Row>([
    ['tls-expected', /try https:\/\/t\.example/, [faulted(UPDATE, 'closed')], at('http://t.example')],
    ['tls-expected', /./, [answered(UPDATE, 400, 'The plain HTTP request was sent to HTTPS port')]],
    ['tls-expected', /./, [faulted(UPDATE, 'closed'), faulted(LIST, 'protocol')]],
    ['silence', /within 1000 ms/, [faulted(UPDATE, 'timeout')]],
    ['gateway', /got 502\. .* proxy/, [answered(UPDATE, 502), answered(LIST, 504)]],
    ['basic-in-front', /in front of the API/, [answered(UPDATE, 401, '<h1>401</h1>', basic)]],
    ['another-server', /got 404, PUT .* got 501, and no/, [answered(LIST, 404, '-', html), answered(UPDATE, 501, '')]],
    ['method-refused', /got 405: .* offer PUT/, [answered(UPDATE, 405, {}), listed]],
    ['no-authentication', /got 200 without a key/, [accepted, answered(keyless, 200, { id: 4 }), keylessList]],
    ['one-status', /gets 401, whatever/, [accepted, answered(nulled, 401), answered(byRestricted, 401)]],
    ['stores-nothing', /shows the name "string", whatever/, ['A', 'B', 'C'].map((name) => update({ name }, example))],
    ['update-not-found', /not with the error of the contract/, [answered(UPDATE, 404), listed]],
    ['key-unknown', /the target does not know it/, [refused]],
    ['redirect-slash', /with a slash at its end/, [redirected(308, `${PATH}/`)]],
    [
      'redirect-loop',
      /to the same address/,
      [redirected(301, `https://t.example${PATH}`)],
      at('https://t.example/base'),
    ],
    ['redirect-https', /give https:\/\/target.* as base/, [redirected(301, `https://target.example${PATH}`)]],
    ['redirect-login', /looks like a login/, [redirected(302, '/login?next=/')]],
    [
      'redirect-login',
      /to https:\/\/sso\.example\/authorize\. It/,
      [redirected(302, 'https://sso.example/authorize?s3cret')],
    ],
    ['redirect-elsewhere', /http:\/\/a\.example\/v2\/base the/, [redirected(307, `http://a.example/v2${PATH}`)]],
    ['redirect-elsewhere', /redirect to http:\/\/target\.example:4242\/\./, [redirected(302, '/?secret=1')]],
    ['html-page', /serves its page for every path/, [answered(UPDATE, 200, '<div id="root">', html)]],
    ['login-page', /looks like a login page/, [answered(UPDATE, 200, '<input type=password>', html)]],
    ['nothing-there', /at another address/, [answered(UPDATE, 404)], at('http://t.example/v2')],
    ['nothing-there', /./, [answered(UPDATE, 404, notFound), answered(LIST, 404, notFound)]],
    ['key-with-scheme', /begins with another word/, [refused], withKey('Bearer abc')],
    ['key-with-field-name', /begins with the name of the header/, [refused], withKey('Authorization:abc')],
    ['key-taken-elsewhere', /the admin key in other header fields/, [refused, answered(elsewhere, 200)]],
    ['other-header-named', /names X-Api-Key/, [answered(UPDATE, 401, 'X-Api-Key is missing')]],
    ['admin-key-forbidden', /swapped/, [answered(UPDATE, 403)]],
    ['csrf-token-asked', /Exempt these/, [answered(UPDATE, 403, '<h1>CSRF verification failed.</h1>'), listed]],
    ['csrf-token-asked', /speaks of a CSRF token/, [answered(UPDATE, 419, { message: 'Page expired.' }), listed]],
    ['csrf-token-asked', /default of/, [answered(UPDATE, 422, '<h1>The change you wanted was rejected.</h1>'), listed]],
    ['refused-before-key', /403 without a key as well/, [answered(UPDATE, 403), answered(keyless, 403), listed]],
    ['admin-key-forbidden', /swapped/, [answered(UPDATE, 403), answered(keyless, 401)]],
    ['restricted-key-refused', /the target does not know it/, [accepted, answered(byRestricted, 401)]],
    [
      'restricted-key-refused',
      /./,
      [
        ...[accepted, answered(byRestricted, 401), answered(bannersRequest({ credential: restricted }), 200, {})],
        answered(bannersRequest({ credential: { label: 'no key' } }), 200, {}),
      ],
    ],
    ['restricted-key-permitted', /does not check permissions/, [accepted, answered(byRestricted, 200)]],
    ['user-not-found', /no user 4\. Set CONFORMANCE_USER_ID/, [answered(UPDATE, 404, notFound), listed]],
    ['other-user-not-found', /no user 5\. .*_OTHER_USER_ID/, [accepted, answered(other, 404, notFound)]],
    ['missing-user-exists', /_MISSING_USER_ID to an id/, [accepted, answered(missing, 200, { id: 404404 })]],
    ['roles-refused', /the roles \[1,2,\{"id":3\}\]/, [accepted, answered(role, 400, badRequest)]],
    ...['/api/admin', '/api/admin/', '/api', '/api/admin/banners'].map((suffix): Row => {
      const given = at(`http://t.example${suffix}`);
      return ['base-url-suffix', /the base URL should be http:\/\/t\.example\./, [answered(UPDATE, 404)], given];
    }),
    ['scheme-asked', /scheme Bearer \(/, [asking('Bearer')]],
    ['scheme-asked', /scheme Bearer \(/, [asking('Bearer realm="x", error="invalid_token"')]],
    ['scheme-asked', /Basic or Negotiate \(/, [asking('Basic realm="a", Negotiate')]],
    [
      'not-http-1.1',
      /: Missing expected CR after response line\. Is/,
      [broken(`${NOT_HTTP} (Missing expected CR after response line)`)],
    ],
    [
      'not-http-1.1',
      /: Content-Length can't be present twice\. Is/,
      [broken("Parse Error: Content-Length can't be present twice")],
    ],
    ['tls-expected', /./, [broken(`${NOT_HTTP} (Expected HTTP/, RTSP/ or ICE/)`)], at('http://t.example')],
    ['silence', /./, [faulted(UPDATE, 'aborted'), silent]],
    [
      'stopped-answering',
      /responded to 2 requests, then it was no longer reachable.* at one of these requests: A null; A list\. Look at its log, or run with/,
      [accepted, listed, ...dead],
    ],
    [
      'stopped-answering',
      /responded to 1 request, then it responded no more.*It looks as if it hangs at this request: A 10\. Look at its log\./,
      [accepted, ...hung],
    ],
    [
      'hangs',
      /no response to 6 requests, but to others that were sent later.*: A null; A list; A number; and 2 more\. Does/,
      [accepted, ...hanging, sentAt(accepted, 10)],
    ],
    [
      'values-in-turn',
      /shows "Bo" as name, then "Ada", then the first one again/,
      [sentAt(update({}, { id: 4, name: 'Bo' }), -10), sentAda, ...inTurn('Ada', 'Bo', 'Ada', 'Bo')],
    ],
    ['user-in-turn', /^A valid update of user 4 got 404, .* --concurrency 1/, [accepted, gone, accepted]],
    [
      'body-left-unread',
      /^A valid request got 501, .* left unread/,
      [accepted, answered(UPDATE, 501, '<p>', html), accepted],
    ],
    [
      'user-locked',
      /^A request to user 4 got 409 .*lists no 409/,
      [answered(nulled, 409), answered(nulled, 400, badRequest)],
    ],
    ['user-locked', / got 500 .*fails now and then/, [answered(nulled, 500), answered(nulled, 400, badRequest)]],
    [
      'shown-where-sent-only',
      /shows name and email only in responses to updates that send them/,
      [bare, ...thrice(accepted), ...thrice(ofEmail)],
    ],
    ['shown-where-sent-only', /shows email only in responses to updates that send it/, [ofBoth, ...thrice(accepted)]],
  ])('gives the hint %s, %s', (id, says, exchanges, given) => {
    const found = hints(exchanges, given);
    expect(found).toEqual([{ id, text: expect.stringMatching(says) as string }]);
    expect(found[0]?.text, 'a word in braces was not filled in').not.toMatch(/\{\w+\}/);
  });

  it.each<[what: string, exchanges: readonly Exchange[]]>([
    ['nothing was sent', []],
    ['all is well', [accepted, listed]],
    ['one operation works, and the other is not there', [accepted, answered(LIST, 404)]],
    ['one operation works, and the other is behind a gateway', [accepted, answered(LIST, 502)]],
    ['one operation works, and the other is silent', [listed, faulted(UPDATE, 'timeout')]],
    ['a request that must be refused is', [answered(updateRequest({ meant: { body: 'invalid', id: 'valid' } }), 502)]],
    ['a request was stopped', [faulted(UPDATE, 'aborted')]],
    [
      'the restricted key is refused for updates alone',
      [accepted, answered(byRestricted, 401), answered(bannersRequest({ credential: restricted }), 200, {})],
    ],
    ['the rest of the user is shown without what was sent', [ofName, ...thrice(ofNothing)]],
    ['two requests failed differently', [faulted(UPDATE, 'timeout'), answered(LIST, 502)]],
    ['a body is refused', [answered(UPDATE, 400, refusal)]],
    ['the missing user is missing', [accepted, answered(missing, 404, refusal)]],
    ['the id of the missing user is taken for another', [accepted, answered(missing, 200, { id: 4 })]],
    ['one role is accepted', [accepted, answered(role, 400, badRequest), update({ rootRole: 1 }, { id: 4 })]],
    ['a role crashes the target', [accepted, answered(role, 500)]],
    ['no update is accepted', [answered(UPDATE, 500), answered(role, 400, badRequest)]],
    ['one response is not HTTP', [broken(NOT_HTTP), accepted]],
    ['two requests are lost', [accepted, ...dead.slice(1)]],
    ['it responds again', [...dead, accepted]],
    ['the run was stopped', [accepted, ...dead.map(({ request }) => faulted(request, 'aborted'))]],
    ['connections are closed', [accepted, ...dead.map(({ request }) => faulted(request, 'closed'))]],
    ['two requests hang', [accepted, ...hanging.slice(0, 2), sentAt(accepted, 0)]],
    ['a value comes back once', [sentAda, ...inTurn('Ada', 'Bo', 'Ada')]],
    ['a value that comes back was sent again', [...inTurn('Ada', 'Bo', 'Ada', 'Bo'), sentAda, sentAt(accepted, 35)]],
    ['a value may be a number that was sent', [sentAda, ...numbers, ...inTurn('Ada', '1.5', 'Ada', '1.5')]],
    ['the user is gone from then on', [accepted, accepted, gone]],
    ['only updates of other members are refused', [accepted, goneEmail, accepted]],
    ['an update is refused otherwise', [accepted, refusedBo(400, badRequest), accepted]],
    ['an update crashes', [accepted, refusedBo(500, {}), accepted]],
    ['a member is shown once when it is not sent', [update({}, both), ...thrice(bare), accepted, ofEmail]],
    ['members are never shown', [...thrice(bare), bare]],
    ['a member was hardly sent', [bare, bare, accepted]],
    ['every key is refused from then on', [accepted, answered(byRestricted, 401), refusedBo(401, refusal)]],
    [
      'no update was accepted at all',
      [listed, refusedBo(400, badRequest), answered(nulled, 400, badRequest), answered(byRestricted, 400)],
    ],
  ])('gives no hint where %s', (_what, exchanges) => {
    expect(ids(exchanges)).toEqual([]);
  });

  it.each([
    ['connect ECONNREFUSED 127.0.0.1:4242', 'connection-refused', 'on target.example, port 4242.'],
    ['getaddrinfo ENOTFOUND target.example', 'unknown-host'],
    ['getaddrinfo EAI_AGAIN target.example', 'unknown-host'],
    ['the target does not speak TLS there; write http://', 'tls-unexpected', 'Write http://target.example:4242 in'],
    ['self-signed certificate', 'certificate'],
    ["Hostname/IP does not match certificate's altnames", 'certificate-host'],
    ['certificate has expired', 'certificate-expired'],
    ['the target speaks HTTP/2 only', 'http2-only'],
    ['the proxy refused the connection (403)', 'proxy'],
    ['connect EHOSTUNREACH 10.0.0.1:80', 'no-connection'],
  ])('takes "%s" for %s', (detail, id, says = '') => {
    const text = expect.stringContaining(says) as string;
    expect(hints([unreachable(detail), unreachable(detail, LIST)])).toEqual([{ id, text }]);
  });

  it.each([
    ['removed', {}],
    ['null', { name: null }],
  ])('says that a target erases what an update does not send: it is %s', (_what, gone) => {
    const exchanges = [
      ...[update({}, { ...rest, ...gone }), update({ name: 'Ada' }, { ...rest, name: 'Ada' })],
      update({ email: 'a@b.example' }, { ...rest, email: 'a@b.example', ...gone }),
    ];
    const [hint] = hints(exchanges);
    expect(hint).toMatchObject({
      id: 'erased',
      text: expect.stringMatching(/^Lost: name of user 4\. .*erases/) as string,
    });
    expect(ids([update({}, { ...rest, ...gone }), ofName, ofBoth])).not.toContain('erased');
  });

  it('says which members a run left in the users', () => {
    const members = [{ member: 'Name', outcome: 'remains' }] as const;
    const users = [{ subject: 'user', id: '4', members }] as const;
    const { hints: found } = diagnose({
      ...{ inputs, exchanges: [accepted], timeout: 1_000 },
      restoration: { outcome: 'partial', users },
    });
    expect(found).toMatchObject([
      { id: 'members-left', text: expect.stringContaining('remove: Name of user 4') as string },
    ]);
  });

  it('says that "Bearer" is needed only if it was tried and accepted', () => {
    const tried = updateRequest({ body: '{}' });
    expect(ids([refused], inputs, answered(tried, 200, { id: 4 }))).toEqual(['bearer-needed']);
    expect(ids([refused], inputs, answered(tried, 401, refusal))).toEqual(['key-unknown']);
    expect(ids([refused], inputs, answered(tried, 200, 'page'))).toEqual(['key-unknown']);
  });

  it.each(['$KEY', '${KEY}', '%KEY%', '<key>', '{{key}}', 'your-api-key', 'changeme', '"abcdefgh"', "'abcdefgh'"])(
    'doubts the key %s if it is refused, and does not print it',
    (adminKey) => {
      const [hint] = hints([refused], { ...inputs, adminKey });
      expect(hint?.id).toMatch(/^key-(placeholder|quoted)$/);
      expect(hint?.text).not.toContain(adminKey);
      expect(ids([accepted, listed], { ...inputs, adminKey })).toEqual([]);
    },
  );

  it.each(['a1b2c3d4e5', '*:development.64a1', 'sk_live_x<y>z', 'key$with$dollars', 'eyJh.eyJz.sig'])(
    'finds nothing wrong with the form of the key %s',
    (adminKey) => {
      expect(ids([refused], { ...inputs, adminKey })).toEqual(['key-unknown']);
    },
  );

  it.each(['', 'http://', 'not a url at all: %', 'mailto:a@b.example'])('survives the Location %j', (location) => {
    expect(() => hints([redirected(302, location)])).not.toThrow();
  });
});
