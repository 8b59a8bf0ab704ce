import { describe, expect, it } from 'vitest';
import { diagnose, type Hint } from '../../../conformance/result/hints.ts';
import type { Exchange, RequestSpec } from '../../../conformance/http/exchange.ts';
import type { Inputs } from '../../../conformance/target/inputs.ts';
import { answered, bannersRequest, faulted, inputs, update, updateRequest } from '../../support/exchanges.ts';

const UPDATE = updateRequest();
const LIST = bannersRequest();

function hints(exchanges: readonly Exchange[], given: Inputs = inputs, bearer?: Exchange): readonly Hint[] {
  return diagnose({ inputs: given, exchanges, bearer, timeout: 1_000 });
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
const role = updateRequest({ body: '{"rootRole":2}' });
const elsewhere = bannersRequest({
  credential: { label: 'the admin key in other header fields', otherHeaders: { 'X-Api-Key': 'Admin-key-1' } },
});
const PATH = '/base/api/admin/user-admin/4';

describe('diagnose', () => {
  it.each<[id: string, says: RegExp, exchanges: readonly Exchange[], given?: Inputs]>([
    ['connection-refused', /on t\.example, port 443\./, [unreachable('connect ECONNREFUSED')], at('https://t.example')],
    ['tls-unexpected', /Write http:\/\/t\.example in/, [unreachable('does not speak TLS')], at('https://t.example')],
    ['tls-expected', /try https:\/\/t\.example/, [faulted(UPDATE, 'closed')], at('http://t.example')],
    ['silence', /within 1000 ms/, [faulted(UPDATE, 'timeout')]],
    ['gateway', /got 502\. .* proxy/, [answered(UPDATE, 502), answered(LIST, 504)]],
    ['redirect-slash', /with a slash at its end/, [redirected(308, `${PATH}/`)]],
    [
      'redirect-loop',
      /to the same address/,
      [redirected(301, `https://t.example${PATH}`)],
      at('https://t.example/base'),
    ],
    ['redirect-https', /give https:\/\/target.* as base/, [redirected(301, `https://target.example${PATH}`)]],
    ['redirect-login', /looks like a login/, [redirected(302, '/login?next=/')]],
    ['redirect-elsewhere', /http:\/\/a\.example\/v2\/base the/, [redirected(307, `http://a.example/v2${PATH}`)]],
    ['redirect-elsewhere', /redirect to http:\/\/target\.example:4242\/\./, [redirected(302, '/?secret=1')]],
    ['html-page', /serves its page for every path/, [answered(UPDATE, 200, '<div id="root">', html)]],
    ['login-page', /looks like a login page/, [answered(UPDATE, 200, '<input type=password>', html)]],
    ['nothing-there', /at another address/, [answered(UPDATE, 404)], at('http://t.example/v2')],
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
    ['restricted-key-permitted', /does not check permissions/, [accepted, answered(byRestricted, 200)]],
    ['user-not-found', /no user 4\. Set CONFORMANCE_USER_ID/, [answered(UPDATE, 404, notFound), listed]],
    ['other-user-not-found', /no user 5\. .*_OTHER_USER_ID/, [accepted, answered(other, 404, notFound)]],
    ['missing-user-exists', /_MISSING_USER_ID to an id/, [accepted, answered(missing, 200, { id: 404404 })]],
    ['roles-refused', /the roles \[1,2,\{"id":3\}\]/, [accepted, answered(role, 400, badRequest)]],
  ])('gives the hint %s, %s', (id, says, exchanges, given) => {
    expect(hints(exchanges, given)).toEqual([{ id, text: expect.stringMatching(says) as string }]);
  });

  it.each(['/api/admin', '/api/admin/', '/api', '/api/admin/banners'])('knows a base URL that ends in %s', (suffix) => {
    const [hint] = hints([answered(UPDATE, 404)], at(`http://t.example${suffix}`));
    expect(hint?.id).toBe('base-url-suffix');
    expect(hint?.text).toContain('the base URL should be http://t.example.');
  });

  it.each<[what: string, exchanges: readonly Exchange[]]>([
    ['nothing was sent', []],
    ['all is well', [accepted, listed]],
    ['one operation works, and the other is not there', [accepted, answered(LIST, 404)]],
    ['one operation works, and the other is behind a gateway', [accepted, answered(LIST, 502)]],
    ['one operation works, and the other is silent', [listed, faulted(UPDATE, 'timeout')]],
    ['a request that must be refused is', [answered(updateRequest({ meant: { body: 'invalid', id: 'valid' } }), 502)]],
    ['a request was stopped', [faulted(UPDATE, 'aborted')]],
    ['two requests failed differently', [faulted(UPDATE, 'timeout'), answered(LIST, 502)]],
    ['a body is refused', [answered(UPDATE, 400, refusal)]],
    ['the missing user is missing', [accepted, answered(missing, 404, refusal)]],
    ['the id of the missing user is taken for another', [accepted, answered(missing, 200, { id: 4 })]],
    ['one role is accepted', [accepted, answered(role, 400, badRequest), update({ rootRole: 1 }, { id: 4 })]],
    ['a role crashes the target', [accepted, answered(role, 500)]],
    ['no update is accepted', [answered(UPDATE, 500), answered(role, 400, badRequest)]],
  ])('gives no hint where %s', (_what, exchanges) => {
    expect(ids(exchanges)).toEqual([]);
  });

  it('ignores stopped requests next to others', () => {
    expect(ids([faulted(UPDATE, 'aborted'), faulted(UPDATE, 'timeout')])).toEqual(['silence']);
  });

  it.each([
    ['connect ECONNREFUSED 127.0.0.1:4242', 'connection-refused'],
    ['getaddrinfo ENOTFOUND target.example', 'unknown-host'],
    ['getaddrinfo EAI_AGAIN target.example', 'unknown-host'],
    ['the target does not speak TLS there; write http://', 'tls-unexpected'],
    ['self-signed certificate', 'certificate'],
    ["Hostname/IP does not match certificate's altnames", 'certificate-host'],
    ['certificate has expired', 'certificate-expired'],
    ['the target speaks HTTP/2 only', 'http2-only'],
    ['the proxy refused the connection (403)', 'proxy'],
    ['connect EHOSTUNREACH 10.0.0.1:80', 'no-connection'],
  ])('takes "%s" for %s', (detail, id) => {
    expect(ids([unreachable(detail), unreachable(detail, LIST)])).toEqual([id]);
  });

  it('recognizes that a TLS port refuses plain HTTP, with a response or without', () => {
    const response = answered(UPDATE, 400, 'The plain HTTP request was sent to HTTPS port');
    expect(ids([response])).toEqual(['tls-expected']);
    expect(ids([faulted(UPDATE, 'closed'), faulted(LIST, 'protocol')])).toEqual(['tls-expected']);
    expect(ids([faulted(UPDATE, 'closed')], at('https://t.example'))).toEqual([]);
  });

  it('distinguishes a missing user from a wrong address', () => {
    const none = answered(updateRequest({ body: '{}' }), 404, notFound);
    expect(ids([none])).toEqual(['user-not-found']);
    expect(ids([none, answered(LIST, 404, notFound)])).toEqual(['nothing-there']);
  });

  it.each([
    ['Bearer', /scheme Bearer \(/],
    ['Bearer realm="x", error="invalid_token"', /scheme Bearer \(/],
    ['Basic realm="a", Negotiate', /Basic or Negotiate \(/],
  ])('reads the schemes in WWW-Authenticate: %s', (value, says) => {
    const found = hints([answered(UPDATE, 401, refusal, { 'www-authenticate': value })]);
    expect(found).toMatchObject([{ id: 'scheme-asked', text: expect.stringMatching(says) as string }]);
  });

  it('says that "Bearer" is needed only if it was tried and accepted', () => {
    const tried = updateRequest({ body: '{}' });
    expect(ids([refused], inputs, answered(tried, 200, { id: 4 }))).toEqual(['bearer-needed']);
    expect(ids([refused], inputs, answered(tried, 401, refusal))).toEqual([]);
    expect(ids([refused], inputs, answered(tried, 200, 'page'))).toEqual([]);
    expect(ids([answered(UPDATE, 401, refusal, { 'www-authenticate': '' })])).toEqual([]);
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
    'finds nothing wrong with the key %s',
    (adminKey) => {
      expect(ids([refused], { ...inputs, adminKey })).toEqual([]);
    },
  );

  it.each([
    'Response does not match the HTTP/1.1 protocol (Missing expected CR after response line)',
    "Parse Error: Content-Length can't be present twice",
  ])('says what is wrong with the header of each response: %s', (detail) => {
    const broken: Exchange = { ...faulted(UPDATE, 'protocol'), transportError: { kind: 'protocol', detail } };
    const [hint, ...others] = hints([broken, broken]);
    expect([hint?.id, others]).toEqual(['not-http-1.1', []]);
    expect(hint?.text).toMatch(
      /: (Missing expected CR after response line|Content-Length can't be present twice)\. Is/,
    );
    expect(ids([broken, accepted])).toEqual([]);
  });

  it('takes what does not begin as HTTP for another protocol', () => {
    const detail = 'Response does not match the HTTP/1.1 protocol (Expected HTTP/, RTSP/ or ICE/)';
    const noise: Exchange = { ...faulted(UPDATE, 'protocol'), transportError: { kind: 'protocol', detail } };
    expect(ids([noise, noise], at('http://t.example'))).toEqual(['tls-expected']);
  });

  it('shows neither query nor fragment of a redirect, which may hold a secret', () => {
    const [hint] = hints([redirected(302, 'https://sso.example/authorize?token=s3cret#s3cret')]);
    expect(hint?.id).toBe('redirect-login');
    expect(hint?.text).toContain('https://sso.example/authorize.');
    expect(hint?.text).not.toContain('s3cret');
  });

  describe('of a target that stops responding', () => {
    const sentAt = (exchange: Exchange, startedAt: number, purpose: string): Exchange => ({
      ...exchange,
      startedAt,
      duration: 5,
      request: { ...exchange.request, purpose },
    });
    const lost = unreachable('connect ECONNREFUSED');
    const dead = [sentAt(lost, 10, 'A null'), sentAt(lost, 14, 'A list'), sentAt(lost, 16, 'A later one')];

    it('names the requests under way, and none that began later', () => {
      const [hint] = hints([accepted, listed, ...dead]);
      expect(hint?.id).toBe('stopped-answering');
      expect(hint?.text).toContain('responded to 2 requests, then it was no longer reachable');
      expect(hint?.text).toContain('at one of these requests: A null; A list. Look at its log, or run with');
    });

    it('names the single request under way, and recognizes a target that hangs', () => {
      const silent = faulted(UPDATE, 'timeout');
      const [hint] = hints([accepted, sentAt(silent, 10, 'A null'), sentAt(silent, 20, 'B'), sentAt(silent, 30, 'C')]);
      expect(hint?.text).toContain('responded to 1 request, then it responded no more');
      expect(hint?.text).toContain('It looks as if it hangs at this request: A null. Look at its log.');
    });

    it('names requests at which it hangs, if it responds to later ones', () => {
      const hung = ['A null', 'A list', 'A number', 'A word', 'A word', 'A key'].map((purpose, at) =>
        sentAt(faulted(UPDATE, 'timeout'), at, purpose),
      );
      const [hint] = hints([accepted, ...hung, sentAt(accepted, 10, 'A name')]);
      expect(hint?.id).toBe('hangs');
      expect(hint?.text).toContain('no response to 6 requests, but to others that were sent later');
      expect(hint?.text).toContain(': A null; A list; A number; and 2 more. Does');
      expect(ids([accepted, ...hung.slice(0, 2), sentAt(accepted, 0, 'A name')])).toEqual([]);
    });

    it('gives no hint for two lost requests, a target that responds again, and a stopped run', () => {
      expect(ids([accepted, ...dead.slice(1)])).toEqual([]);
      expect(ids([...dead, accepted])).toEqual([]);
      expect(ids([accepted, ...dead.map(({ request }) => faulted(request, 'aborted'))])).toEqual([]);
      expect(ids([accepted, ...dead.map(({ request }) => faulted(request, 'closed'))])).toEqual([]);
    });
  });

  describe('of a target that shows values in turn', () => {
    const inTurn = (...names: string[]): Exchange[] =>
      names.map((name, index) => ({ ...update({}, { id: 4, name }), startedAt: 10 * (index + 1), duration: 5 }));
    const sentAda = { ...accepted, startedAt: 0, duration: 5 };

    it('names them', () => {
      const before = { ...update({}, { id: 4, name: 'Bo' }), startedAt: -10, duration: 5 };
      const [hint] = hints([before, sentAda, ...inTurn('Ada', 'Bo', 'Ada', 'Bo')]);
      expect(hint?.id).toBe('values-in-turn');
      expect(hint?.text).toContain('shows "Bo" as name, then "Ada", then the first one again');
    });

    it('gives no hint for a value that comes back once, and for one that was sent again', () => {
      expect(ids([sentAda, ...inTurn('Ada', 'Bo', 'Ada')])).toEqual([]);
      expect(ids([...inTurn('Ada', 'Bo', 'Ada', 'Bo'), { ...accepted, startedAt: 35, duration: 1 }])).toEqual([]);
    });

    it('gives no hint for a value that an update may have been converted to', () => {
      const numbers = [15, 35].map((startedAt) => ({ ...update({ name: 1.5 }, { id: 4 }), startedAt, duration: 1 }));
      expect(ids([sentAda, ...numbers, ...inTurn('Ada', '1.5', 'Ada', '1.5')])).toEqual([]);
    });
  });

  describe('of a target whose user is there in turn', () => {
    const gone = answered(updateRequest({ body: '{"name":"Bo"}' }), 404, notFound);

    it('says how to tell whether concurrent requests are the cause', () => {
      const [hint] = hints([accepted, gone, accepted]);
      expect(hint?.id).toBe('user-in-turn');
      expect(hint?.text).toMatch(/^A valid update of user 4 got 404, .* --concurrency 1/);
    });

    it('gives no hint if the user is gone from then on, or only updates of other members are refused', () => {
      expect(ids([accepted, accepted, gone])).toEqual([]);
      expect(
        ids([accepted, answered(updateRequest({ body: '{"email":"a@b.example"}' }), 404, notFound), accepted]),
      ).toEqual([]);
      for (const [status, body] of [
        [400, badRequest],
        [500, {}],
      ] as const)
        expect(ids([accepted, answered(gone.request, status, body), accepted])).toEqual([]);
    });
  });

  describe('of a target that shows a member only where it is sent', () => {
    const ofName = update({ name: 'Ada' }, { id: 4, name: 'Ada' });
    const ofEmail = update({ email: 'a@b.example' }, { id: 4, email: 'a@b.example' });
    const bare = update({}, { id: 4 });

    it('says which members', () => {
      const [hint] = hints([bare, ofName, ofName, ofName, ofEmail, ofEmail, ofEmail]);
      expect(hint?.id).toBe('shown-where-sent-only');
      expect(hint?.text).toContain('shows name and email only in responses to updates that send them');
    });

    it('names only the hidden member', () => {
      const shownAlways = [1, 2, 3].map(() => update({ name: 'Ada' }, { id: 4, name: 'Ada' }));
      const both = update({ email: 'a@b.example' }, { id: 4, email: 'a@b.example', name: 'Ada' });
      const [hint] = hints([both, ...shownAlways]);
      expect(hint?.text).toContain('shows email only in responses to updates that send it');
    });

    it('gives no hint if the member is shown once when not sent, never, or was hardly sent', () => {
      const shown = update({}, { id: 4, name: 'Ada', email: 'a@b.example' });
      expect(ids([shown, bare, bare, bare, ofName, ofEmail])).toEqual([]);
      expect(ids([bare, bare, bare, bare])).toEqual([]);
      expect(ids([bare, bare, ofName])).toEqual([]);
    });
  });

  it.each(['', 'http://', 'not a url at all: %', 'mailto:a@b.example'])('survives the Location %j', (location) => {
    expect(() => hints([redirected(302, location)])).not.toThrow();
  });
});
