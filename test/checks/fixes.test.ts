import { describe, expect, test } from 'vitest';
import { checks } from '../../conformance/checks/catalogue.ts';
import type { Aspect, Problem } from '../../conformance/engine/outcome.ts';
import type { Exchange } from '../../conformance/http/exchange.ts';
import { fixOf } from '../../conformance/result/fixes.ts';
import { requirements } from '../../contract/document.ts';

const ASPECTS: readonly Aspect[] = ['status', 'accepted', 'stored', 'shown', 'kept', 'other'];

interface Sent {
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly message?: string;
}

/** The exchange that a problem shows. */
function exchangeOf(status: number, { body, headers = {}, message }: Sent): Exchange {
  const json = message === undefined ? undefined : { id: 'x', name: 'ValidationError', message };
  return {
    request: { operation: 'updateUser', path: '/api/admin/user-admin/1', headers, body },
    response: { status, headers: {}, text: message ?? '', json },
    startedMs: 0,
    durationMs: 1,
  };
}

const problem = (more: Partial<Problem>): Problem => ({
  ...{ check: 'a-check', requirement: 'update.success-is-200', aspect: 'other', exchanges: [] },
  ...{ title: 'A fault', expected: 'this', actual: 'that' },
  ...more,
});

/** A request that got a wrong status. */
function wrong(requirement: string, expected: string, actual: number, sent: Sent = {}): string {
  const title = `A request got ${actual}, not ${expected}`;
  const exchanges = [exchangeOf(actual, sent)];
  return fixOf(problem({ requirement, title, expected, actual: String(actual), exchanges }));
}

test.each(requirements.map(({ id }) => id))(
  '%s has a fix for every way to fail, in a few plain sentences',
  (requirement) => {
    for (const aspect of ASPECTS) {
      const fix = fixOf(problem({ requirement, aspect }));
      expect(fix).toMatch(/^[A-Z].{20,400}[.)]$/);
      expect(fix.split(/\. /).length, fix).toBeLessThanOrEqual(4);
    }
  },
);

test('what is no member has a fix of its own, or each of its checks has', () => {
  const ofMembers = fixOf(problem({ requirement: 'user.nothing' }));
  for (const { id } of requirements.filter((each) => !/^(user|banner)\./.test(each.id))) {
    const own = checks.filter(({ requirement }) => requirement === id);
    const isSaid = own.length > 0 && own.every(({ fix }) => fix !== undefined);
    if (!isSaid) expect(fixOf(problem({ requirement: id })), id).not.toBe(ofMembers);
  }
});

test('every fix of a check is plain sentences', () => {
  for (const { id, fix } of checks) if (fix !== undefined) expect(fix, id).toMatch(/^[A-Z].{20,400}\.$/);
});

describe('a fix follows the status that', () => {
  test.each([
    ['request-body.name-type', '400', 500, {}, /raises an error .* into a 500.* Respond with 400\./],
    ['request-body.name-type', '400', 422, {}, /422 is the default/],
    ['request-body.object', '400', 401, {}, /error page that itself needs a key/],
    ['auth.key-required', '401', 403, {}, /no way to log in/],
    ['auth.key-required', '401', 404, {}, /before the body is read/],
    ['auth.key-valid', '401', 302, {}, /login page/],
    ['auth.key-valid', '401', 200, {}, /issued/],
    ['permission.refused', '403', 404, {}, /not with the status of the contract/],
  ] as const)('refuses for another reason: %s, %s, %i', (requirement, expected, actual, sent, fix) => {
    expect(wrong(requirement, expected, actual, sent)).toMatch(fix);
  });

  test.each([
    [
      'update.success-is-200',
      '200',
      415,
      { headers: { 'Content-Type': 'application/json' } },
      /Content-Type: application/,
    ],
    ['update.accept-forms', '200', 406, { headers: { Accept: '*/*' } }, /Accept: \*\/\*/],
    [
      'update.success-is-200',
      '200',
      400,
      { body: '{"name":"x"}', message: 'id must be a number' },
      /parse the id as an integer/,
    ],
    ['update.fields-optional', '200', 400, { body: '{"name":"x"}', message: 'email is required' }, /optional/],
    ['update.success-is-200', '200', 404, {}, /as a number/],
    ['update.success-is-200', '200', 204, {}, /not with 204/],
    ['update.success-is-200', '200', 500, {}, /at a valid request/],
    ['banners.success-is-200', '200', 304, {}, /If-None-Match/],
    ['update.values-faithful', '200 or 400', 500, {}, /unique index/],
    ['update.values-faithful', '200 or 400', 409, {}, /not with 409/],
    ['update.unlisted-members', '200 or 400', 500, {}, /FAIL_ON_UNKNOWN/],
    ['update.empty-body-changes-nothing', '200 or 400', 500, {}, /SET/],
    ['update.concurrent-fields', '200, 409, 423, 429 or 503', 500, {}, /collide/],
  ] as const)('refuses what is valid: %s, %s, %i', (requirement, expected, actual, sent, fix) => {
    expect(wrong(requirement, expected, actual, sent)).toMatch(fix);
  });

  test('is missing, because the connection was closed', () => {
    const actual = 'no response (the connection was closed)';
    const title = `A request got ${actual}, not 400`;
    expect(fixOf(problem({ requirement: 'request-body.object', title, expected: '400', actual }))).toMatch(/closed/);
  });
});

describe('a fix of a body that is accepted', () => {
  test.each([
    ['request-body.name-type', '{"name":null}', /`null`/],
    ['request-body.email-type', '{"email":true}', /Python/],
    ['request-body.name-type', '{"name":["x"]}', /array/],
    ['request-body.root-role-type', '{"rootRole":false}', /boolean/],
    ['request-body.root-role-type', '{"rootRole":{}}', /type of what was sent/],
    ['request-body.strict-json', '{"name":"x",}', /strict mode/],
  ])('%s, %s', (requirement, body, fix) => {
    expect(wrong(requirement, '400', 200, { body })).toMatch(fix);
  });
});

describe('a fix of what', () => {
  const framework = { requirement: 'bodies.json', exchanges: [exchangeOf(404, {})] };
  const twice = '{"id":"x","name":"AuthenticationRequired"}{"banners":[]}';
  const seen = { times: 3, of: 160, what: 'requests' };
  const [own, failing] = [{ fix: 'Of the check.' }, { title: 'It got 500', expected: '401', actual: '500' }];

  test.each<[string, Partial<Problem>, RegExp]>([
    ['comes now and then looks at the log, whatever the check says', { ...own, seen }, /locked database/],
    ['a check knows better is that of the check', own, /^Of the check\.$/],
    ['a check knows better follows the status all the same, if that tells more', { ...own, ...failing }, /500/],
    ['the framework responds names the framework', framework, /The framework writes/],
    ['is no JSON speaks of UTF-8', { ...framework, exchanges: [exchangeOf(200, {})] }, /UTF-8/],
    [
      'follows a refusal in the same body is code that kept running',
      { ...framework, exchanges: [exchangeOf(401, { message: twice })] },
      /kept running/,
    ],
    ['is a date in another form names the serializer', { requirement: 'user.created-at' }, /WRITE_DATES_AS_TIMESTAMPS/],
    ['is another text does not', { requirement: 'user.image-url' }, /^(?!.*Jackson)/],
  ])('%s', (_what, given, fix) => expect(fixOf(problem(given))).toMatch(fix));
});
