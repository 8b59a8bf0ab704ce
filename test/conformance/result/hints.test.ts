import { describe, expect, it } from 'vitest';
import { diagnose, type Hint } from '../../../conformance/result/hints.ts';
import type { Exchange, RequestSpec } from '../../../conformance/http/exchange.ts';
import type { Inputs } from '../../../conformance/target/inputs.ts';
import { answered, bannersRequest, faulted, inputs, update, updateRequest } from '../../support/exchanges.ts';

function hints(exchanges: readonly Exchange[], given: Inputs = inputs, bearer?: Exchange): readonly Hint[] {
  return diagnose({ inputs: given, exchanges, bearer, timeout: 1_000 });
}

const ids = (...args: Parameters<typeof hints>): string[] => hints(...args).map(({ id }) => id);

const accepted = update({ name: 'Ada' }, { id: 4, name: 'Ada' });
const listed = answered(bannersRequest(), 200, { banners: [] });
const refusal = { id: 'e', name: 'AuthenticationRequired', message: 'No.' };
const refused = answered(updateRequest(), 401, refusal);

function unreachable(detail: string, request: RequestSpec = updateRequest()): Exchange {
  return { ...faulted(request, 'unreachable'), transportError: { kind: 'unreachable', detail } };
}

describe('diagnose', () => {
  it('gives no hint where nothing was sent, and where all is well', () => {
    expect(hints([])).toEqual([]);
    expect(hints([accepted, listed])).toEqual([]);
  });

  it('gives no hint on the address as long as one operation works', () => {
    expect(ids([accepted, answered(bannersRequest(), 404)])).toEqual([]);
    expect(ids([accepted, answered(bannersRequest(), 502)])).toEqual([]);
    expect(ids([listed, faulted(updateRequest(), 'timeout')])).toEqual([]);
  });

  it('ignores requests that must be refused, and those that were stopped', () => {
    const invalid = updateRequest({ meant: { body: 'invalid', id: 'valid' } });
    expect(ids([answered(invalid, 502)])).toEqual([]);
    expect(ids([faulted(updateRequest(), 'aborted')])).toEqual([]);
    expect(ids([faulted(updateRequest(), 'aborted'), faulted(updateRequest(), 'timeout')])).toEqual(['silence']);
  });

  it('gives no hint where two requests failed in different ways', () => {
    expect(ids([faulted(updateRequest(), 'timeout'), answered(bannersRequest(), 502)])).toEqual([]);
  });

  it.each([
    ['connect ECONNREFUSED 127.0.0.1:4242', 'connection-refused'],
    ['getaddrinfo ENOTFOUND target.example', 'unknown-host'],
    ['getaddrinfo EAI_AGAIN target.example', 'unknown-host'],
    ['the target does not speak TLS there; write http://', 'tls-unexpected'],
    ['self-signed certificate', 'certificate'],
    ["Hostname/IP does not match certificate's altnames", 'certificate'],
    ['connect EHOSTUNREACH 10.0.0.1:80', 'no-connection'],
  ])('takes "%s" for %s', (detail, id) => {
    expect(ids([unreachable(detail), unreachable(detail, bannersRequest())])).toEqual([id]);
  });

  it('names the port that a base URL implies', () => {
    const given = { ...inputs, baseUrl: new URL('https://target.example') };
    expect(hints([unreachable('connect ECONNREFUSED')], given)[0]?.text).toContain('target.example, port 443.');
  });

  it('recognizes that a TLS port refuses plain HTTP, with a response or without', () => {
    const answer = answered(updateRequest(), 400, 'The plain HTTP request was sent to HTTPS port');
    expect(ids([answer])).toEqual(['tls-expected']);
    expect(ids([faulted(updateRequest(), 'closed'), faulted(bannersRequest(), 'protocol')])).toEqual(['tls-expected']);
    expect(ids([faulted(updateRequest(), 'closed')], { ...inputs, baseUrl: new URL('https://t.example') })).toEqual([]);
    expect(ids([answered(updateRequest(), 400, refusal)])).toEqual([]);
  });

  it('distinguishes a missing user from a wrong address', () => {
    const notFound = { id: 'e', name: 'NotFoundError', message: 'No.' };
    const none = answered(updateRequest({ body: '{}' }), 404, notFound);
    expect(ids([none, listed])).toEqual(['user-not-found']);
    expect(ids([none])).toEqual(['user-not-found']);
    expect(ids([none, answered(bannersRequest(), 404, notFound)])).toEqual(['nothing-there']);
    expect(ids([answered(updateRequest(), 404)])).toEqual(['nothing-there']);
  });

  it('does not say that a missing user exists if it is missing', () => {
    const request = updateRequest({ subject: 'missing-user', path: '/api/admin/user-admin/404404', body: '{}' });
    expect(ids([accepted, answered(request, 404, refusal)])).toEqual([]);
    expect(ids([accepted, answered(request, 200, { id: 404404 })])).toEqual(['missing-user-exists']);
    // A target that mistakes the id for another user's responds with that user.
    expect(ids([accepted, answered(request, 200, { id: 4 })])).toEqual([]);
  });

  it('does not doubt the roles if one was accepted, or if nothing is', () => {
    const role = updateRequest({ body: '{"rootRole":2}' });
    const badRequest = { id: 'e', name: 'ValidationError', message: 'No.' };
    expect(ids([accepted, answered(role, 400, badRequest)])).toEqual(['roles-refused']);
    expect(ids([accepted, answered(role, 400, badRequest), update({ rootRole: 1 }, { id: 4 })])).toEqual([]);
    expect(ids([accepted, answered(role, 500)])).toEqual([]);
    expect(ids([answered(updateRequest(), 500), answered(role, 400, badRequest)])).toEqual([]);
  });

  it.each([
    ['Bearer', ['scheme-asked']],
    ['Bearer realm="x", error="invalid_token"', ['scheme-asked']],
    ['Basic realm="a", Negotiate', ['scheme-asked']],
    ['', []],
  ])('reads the schemes in WWW-Authenticate: %s', (value, expected) => {
    const { response } = refused;
    if (!response) throw new Error('It has a response.');
    const exchange = { ...refused, response: { ...response, headers: { 'www-authenticate': value } } };
    expect(ids([exchange])).toEqual(expected);
    if (value.startsWith('Basic')) expect(hints([exchange])[0]?.text).toContain('Basic or Negotiate (');
    if (value.startsWith('Bearer realm')) expect(hints([exchange])[0]?.text).toContain('scheme Bearer (');
  });

  it('says that "Bearer" is needed only if it was tried and accepted', () => {
    const tried = updateRequest({ body: '{}' });
    expect(ids([refused], inputs, answered(tried, 200, { id: 4 }))).toEqual(['bearer-needed']);
    expect(ids([refused], inputs, answered(tried, 401, refusal))).toEqual([]);
    expect(ids([refused], inputs, answered(tried, 200, 'page'))).toEqual([]);
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

  it('shows neither query nor fragment of a redirect, which may hold a secret', () => {
    const redirect = { ...answered(updateRequest(), 302) };
    const { response } = redirect;
    if (!response) throw new Error('It has a response.');
    const headers = { location: 'https://sso.example/authorize?token=s3cret#s3cret' };
    const [hint] = hints([{ ...redirect, response: { ...response, headers } }]);
    expect(hint?.id).toBe('redirect-login');
    expect(hint?.text).toContain('https://sso.example/authorize.');
    expect(hint?.text).not.toContain('s3cret');
  });

  describe('of a target that stops answering', () => {
    const at = (exchange: Exchange, startedAt: number, purpose: string): Exchange => ({
      ...exchange,
      startedAt,
      duration: 5,
      request: { ...exchange.request, purpose },
    });
    const lost = unreachable('connect ECONNREFUSED');
    const dead = [at(lost, 10, 'A null'), at(lost, 14, 'A list'), at(lost, 16, 'A later one')];

    it('names the requests under way, and none that began later', () => {
      const [hint] = hints([accepted, listed, ...dead]);
      expect(hint?.id).toBe('stopped-answering');
      expect(hint?.text).toContain('responded to 2 requests, then it was no longer reachable');
      expect(hint?.text).toContain('at one of these requests: A null; A list. Look at its log, or run with');
    });

    it('names the single request under way, and recognizes a target that hangs', () => {
      const silent = faulted(updateRequest(), 'timeout');
      const [hint] = hints([accepted, at(silent, 10, 'A null'), at(silent, 20, 'B'), at(silent, 30, 'C')]);
      expect(hint?.text).toContain('responded to 1 request, then it responded no more');
      expect(hint?.text).toContain('It looks as if it hangs at this request: A null. Look at its log.');
    });

    it('gives no hint for two lost requests, a target that responds again, and a stopped run', () => {
      expect(ids([accepted, ...dead.slice(1)])).toEqual([]);
      expect(ids([...dead, accepted])).toEqual([]);
      expect(ids([accepted, ...dead.map(({ request }) => faulted(request, 'aborted'))])).toEqual([]);
      expect(ids([accepted, ...dead.map(({ request }) => faulted(request, 'closed'))])).toEqual([]);
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
      const [hint] = hints([
        update({ email: 'a@b.example' }, { id: 4, email: 'a@b.example', name: 'Ada' }),
        ...shownAlways,
      ]);
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
    const { response } = answered(updateRequest(), 302);
    if (!response) throw new Error('It has a response.');
    expect(() => hints([{ ...refused, response: { ...response, headers: { location } } }])).not.toThrow();
  });
});
