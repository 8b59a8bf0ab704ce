import { describe, expect, it } from 'vitest';
import type { Meant, RequestSpec } from '../../../conformance/http/exchange.ts';
import type { Inputs, Subject } from '../../../conformance/resources/inputs.ts';
import { guardRequest, SuiteError } from '../../../conformance/resources/request-guard.ts';
import type { Validator } from '../../../contract/validators.ts';
import type { Effect } from '../../../conformance/resources/effect.ts';
import { effectOf } from '../../../conformance/operations/index.ts';
import { bannersRequest, inputs, messageOf, updateRequest, validators, without } from '../../support/exchanges.ts';

function guard(request: RequestSpec, given: Inputs = inputs): void {
  guardRequest(request, given, validators, effectOf(request.operation));
}

const passes = (request: RequestSpec, given?: Inputs): void => {
  expect(() => {
    guard(request, given);
  }).not.toThrow();
};

function withId(segment: string, id: Meant, subject: Subject = 'user'): RequestSpec {
  return updateRequest({ path: `/api/admin/user-admin/${segment}`, subject, meant: { body: 'valid', id } });
}

function withBody(body: string | undefined, meantBody: Meant): RequestSpec {
  const rest = without(updateRequest({ meant: { body: meantBody, id: 'valid' } }), 'body');
  return body === undefined ? rest : { ...rest, body };
}

const refused = (request: RequestSpec, given?: Inputs): string => messageOf(SuiteError, () => guard(request, given));

type Row = [id: string, meant: Meant, subject?: Subject, given?: Inputs];
const rows = (meant: Meant, subject: Subject, ...ids: readonly string[]): Row[] =>
  ids.map((id) => [id, meant, subject]);
const ofUser = (userId: string, id: string): Row => [id, 'unspecified', 'user', { ...inputs, userId }];

describe('the path id', () => {
  it.each<Row>([
    ['4', 'valid'],
    ['5', 'valid', 'other-user'],
    ['404404', 'valid', 'missing-user'],
    // Read as a number of a programming language, some of these are integers; their texts are none.
    ...rows('invalid', 'invalid-id', '4abc', '4.5', '', '%20', '%zz', '9007199254740993.5', '-9007199254740993.05'),
    ...rows('invalid', 'invalid-id', '%209007199254740993.50%20'),
    ...rows('unspecified', 'user', '004', '4.00', '+4', '4', '%34'),
    ofUser('-4', '-04'),
    ofUser('9007199254740993', '09007199254740993'),
  ])('%s passes as %s', (id, meant, subject, given) => passes(withId(id, meant, subject), given));

  it.each<Row>([
    // Nobody named it, it was named for another user, or it is another spelling of it.
    ...rows('valid', 'user', '6', '5', '', '04'),
    ['4', 'valid', 'missing-user'],
    ['5', 'valid', 'other-user', without(inputs, 'otherUserId')],
    // A lenient target may read it as an integer, or the ruling on the path id leaves open whether it names user 4.
    ...rows('invalid', 'invalid-id', '4', '6', '-1', '0', '04', '99999999999999999999', '9007199254740993.0'),
    ...rows('invalid', 'invalid-id', '4.5e1', '4e0', '%204%20', '+4', '4.0', '%34', '%2B4'),
    ...rows('unspecified', 'user', '05', '5.0', '+6', 'abc', '44', '40', '4+', '-04', '%zz'),
    ['04', 'unspecified', 'invalid-id'],
    ...[ofUser('45', '4.05'), ofUser('45', '4+5'), ofUser('44', '404'), ofUser('4', '-4'), ofUser('-4', '4')],
    // Only rounding makes it the named id.
    ofUser('9007199254740993', '9007199254740992'),
  ])('%s is refused as %s', (id, meant, subject, given) => {
    const words = { valid: 'named', invalid: 'may be read as an integer', unspecified: id }[meant];
    expect(refused(withId(id, meant, subject), given)).toContain(words);
  });

  it('passes where it may be the id of a user that nobody named only with the body {}, or to read', () => {
    const odd = (body: string): RequestSpec => ({ ...withId('4294967300', 'unspecified', 'invalid-id'), body });
    passes(odd('{}'));
    expect(refused(odd('{"name":"Conformance"}'))).toContain('4294967300 may be the id of a user');
    passes({ ...odd('{"name":"Conformance"}'), method: 'GET' });
  });
});

it.each<[string, Effect | undefined, string]>([
  ['of another resource', { resource: 'banner' }, '4 is not a banner that the operator named'],
  ['of a resource that is not declared', undefined, 'updateUser does not declare which resource its {id} names'],
])('the id of a user does not pass as that %s', (_what, effect, why) => {
  expect(() => {
    guardRequest(withId('4', 'valid'), inputs, validators, effect);
  }).toThrow(why);
});

it('the body {} does not pass to an unnamed id where no body changes nothing', () => {
  const odd = { ...withId('4294967300', 'unspecified', 'invalid-id'), body: '{}' };
  expect(() => guardRequest(odd, inputs, validators, { resource: 'user' })).toThrow('may be the id of a user');
});

describe('the body', () => {
  it.each([
    '{"name":"Ada","email":"ada@example.com","rootRole":1}',
    '{"rootRole":{"id":3}}',
    '{}',
    '{"name":"Ada","conformanceProbe":true}',
  ])('passes where it is meant as valid and is: %s', (body) => {
    passes(withBody(body, 'valid'));
    passes(withBody(body, 'unspecified'));
  });

  it.each([...['{"name":5}', '{"email":["a"]}', '[]', '', '{"name":', undefined]])(
    'is refused where it is meant as valid and is not: %s',
    (body) => {
      expect(refused(withBody(body, 'valid'))).toContain('An update');
      expect(refused(withBody(body, 'unspecified'))).toContain('An update');
    },
  );

  it.each([...['{"email":null}', '{"name":"Ada","email":5}', '{"rootRole":true}', '[]', '', '{', undefined]])(
    'passes where it is meant as invalid and is: %s',
    (body) => passes(withBody(body, 'invalid')),
  );

  it.each(['{"name":"Ada"}', '{}', '{"rootRole":7}', ' {"email":"a@example.com"} '])(
    'is refused where it is meant as invalid and is not: %s',
    (body) => expect(refused(withBody(body, 'invalid'))).toContain('valid'),
  );

  it.each([7, '1', null, true, { id: 1 }, { id: 3, name: 'x' }, [1]])(
    'is refused with the role %j that nobody declared',
    (rootRole) => expect(refused(withBody(JSON.stringify({ name: 'Ada', rootRole }), 'valid'))).toContain('rootRole'),
  );

  it('is refused with any role where the operator declared none, and passes with a text that was declared', () => {
    expect(refused(withBody('{"rootRole":1}', 'valid'), without(inputs, 'roleIds'))).toContain('rootRole');
    passes(withBody('{"rootRole":"Admin"}', 'valid'), { ...inputs, roleIds: ['Admin', 'Editor'] });
  });
});

it('a declared member counts for a schema that requires it', () => {
  const missing = { pointer: '', message: "must have required property 'rootRole'", expected: '' };
  const updateUserSchema: Validator = (body) => (Object.hasOwn(body as object, 'rootRole') ? [] : [missing]);
  const strict = { ...validators, bodies: { ...validators.bodies, updateUserSchema } };
  const sending = (body: string) => () => guardRequest(withBody(body, 'valid'), inputs, strict, effectOf('updateUser'));
  expect(sending('{"rootRole":1}')).not.toThrow();
  expect(sending('{"name":"Ada"}')).toThrow('required');
});

it('guardRequest says which request it refuses and what is wrong with it, and lets a list of banners pass', () => {
  const named = { ...withId('6', 'valid'), purpose: 'Some request' };
  expect(refused(named)).toBe('Some request: 6 is not a user that the operator named');
  expect(refused(bannersRequest({ path: '/api/admin/banners/{bannerId}' }))).toContain(
    '{bannerId} is left in the path',
  );
  expect(refused(withBody('[]', 'valid'))).toBe('An update: the body is not a JSON object');
  expect(refused(withBody('{"name":5}', 'valid'))).toBe('An update: the body is invalid: /name must be string');
  expect(refused(withBody('{}', 'invalid'))).toBe('An update: the body is valid');
  passes(bannersRequest());
});
