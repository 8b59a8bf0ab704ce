import { describe, expect, it } from 'vitest';
import type { Meant, RequestSpec, Subject } from '../../../conformance/http/exchange.ts';
import type { Inputs } from '../../../conformance/target/inputs.ts';
import { guardRequest, SuiteError } from '../../../conformance/target/request-guard.ts';
import { requestSchemaOf } from '../../../contract/document.ts';
import type { Validator } from '../../../contract/validators.ts';
import { operations } from '../../../conformance/operations/index.ts';
import { makeFreshValues, makeRequestBuilder } from '../../../conformance/target/requests.ts';
import {
  admin,
  bannersRequest,
  inputs,
  messageOf,
  updateRequest,
  validators,
  without,
} from '../../support/exchanges.ts';

function guard(request: RequestSpec, given: Inputs = inputs): void {
  guardRequest(request, given, validators);
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

const refused = (request: RequestSpec, given?: Inputs): string =>
  messageOf(SuiteError, () => {
    guard(request, given);
  });

describe('the path id', () => {
  it.each<[Subject, string]>([
    ['user', '4'],
    ['other-user', '5'],
    ['missing-user', '404404'],
  ])('passes where it is the id that was named for %s', (subject, id) => {
    passes(withId(id, 'valid', subject));
  });

  it.each<[what: string, subject: Subject, id: string]>([
    ['nobody named', 'user', '6'],
    ['was named for another', 'user', '5'],
    ['is missing', 'user', ''],
    ['is another spelling', 'user', '04'],
    ['is the existing user where the missing one is meant', 'missing-user', '4'],
    ['belongs to no user', 'invalid-id', '4'],
  ])('is refused as valid where it %s', (_what, subject, id) => {
    expect(refused(withId(id, 'valid', subject))).toContain('named');
  });

  it('is refused where the operator named no such user', () => {
    const given = without(inputs, 'otherUserId');
    expect(refused(withId('5', 'valid', 'other-user'), given)).toContain('5');
    expect(refused(withId('undefined', 'valid', 'other-user'), given)).toContain('named');
  });

  // Read as a number of a programming language, some of these are integers; their texts are none.
  it.each([
    ...['4abc', 'abc', 'abc4', '4.5', '4-abc', '', '%20', '%zz', '9007199254740993.5', '+9007199254740993.5'],
    ...['-9007199254740993.05', '9007199254740993.50', '%209007199254740993.5%20'],
  ])('passes as invalid where it is no integer: %j', (id) => {
    passes(withId(id, 'invalid', 'invalid-id'));
  });

  // What a lenient target may read as one, too.
  it.each([...['4', '6', '-1', '0', '04', '99999999999999999999', '9007199254740993.0', '4.5e1', '4e0', '%204%20']])(
    'is refused as invalid where it is an integer: %s',
    (id) => {
      expect(refused(withId(id, 'invalid', 'invalid-id'))).toContain('integer');
    },
  );

  // The ruling on the path id: whether these name user 4 is unspecified, so none of them may be called invalid.
  it.each(['+4', '4.0', '%34', '%2B4'])('is refused as invalid where a target may read it as an integer: %s', (id) => {
    expect(refused(withId(id, 'invalid', 'invalid-id'))).not.toBe('');
  });

  it.each(['04', '004', '4.0', '4.00', '+4', '4', '%34'])('passes as a spelling of the named id: %s', (id) => {
    passes(withId(id, 'unspecified'));
  });

  it.each(['05', '5.0', '+6', 'abc', '44', '40', '4+', '-04', '%zz'])('is refused as another spelling: %s', (id) => {
    expect(refused(withId(id, 'unspecified'))).toContain(id);
  });

  it.each([
    ['45', '4.05'],
    ['45', '4+5'],
    ['44', '404'],
    ['4', '-4'],
    ['-4', '4'],
  ])('is refused as unspecified where the user is %s and it spells another number: %s', (userId, id) => {
    expect(refused(withId(id, 'unspecified'), { ...inputs, userId })).toContain(id);
  });

  it('passes where it may be the id of a user that nobody named only with the body {}, or to read', () => {
    const odd = (body: string): RequestSpec => ({ ...withId('4294967300', 'unspecified', 'invalid-id'), body });
    passes(odd('{}'));
    expect(refused(odd('{"name":"Conformance"}'))).toContain('4294967300 may be the id of a user');
    passes({ ...odd('{"name":"Conformance"}'), method: 'GET' });
  });

  it('passes as unspecified where it spells a negative id with a leading zero', () => {
    passes(withId('-04', 'unspecified'), { ...inputs, userId: '-4' });
  });

  it('is refused as unspecified where only rounding makes it the named id', () => {
    const given = { ...inputs, userId: '9007199254740993' };
    passes(withId('09007199254740993', 'unspecified'), given);
    expect(refused(withId('9007199254740992', 'unspecified'), given)).toContain('9007199254740992');
  });

  it('is refused as unspecified where no user is meant', () => {
    expect(refused(withId('04', 'unspecified', 'invalid-id'))).toContain('04');
  });
});

describe('the body', () => {
  it.each([
    '{"name":"Ada"}',
    '{"email":"ada@example.com"}',
    '{"name":"Ada","email":"ada@example.com","rootRole":1}',
    '{"rootRole":{"id":3}}',
    '{}',
    '{"name":"Ada","conformanceProbe":true}',
  ])('passes where it is meant as valid and is: %s', (body) => {
    passes(withBody(body, 'valid'));
    passes(withBody(body, 'unspecified'));
  });

  it.each([
    ...['{"name":5}', '{"name":null}', '{"email":null}', '{"email":["a"]}', '[]', '"Ada"', 'null', '', '{"name":'],
    undefined,
  ])('is refused where it is meant as valid and is not: %s', (body) => {
    expect(refused(withBody(body, 'valid'))).toContain('An update');
    expect(refused(withBody(body, 'unspecified'))).toContain('An update');
  });

  it.each([
    ...['{"name":5}', '{"email":null}', '{"name":"Ada","email":5}', '{"rootRole":true}', '[]', 'null', '5', '', '{'],
    undefined,
  ])('passes where it is meant as invalid and is: %s', (body) => {
    passes(withBody(body, 'invalid'));
  });

  it.each(['{"name":"Ada"}', '{}', '{"rootRole":7}', ' {"email":"a@example.com"} '])(
    'is refused where it is meant as invalid and is not: %s',
    (body) => {
      expect(refused(withBody(body, 'invalid'))).toContain('valid');
    },
  );

  it.each([7, '1', null, true, { id: 1 }, { id: 3, name: 'x' }, [1]])(
    'is refused with the role %j that nobody declared',
    (rootRole) => {
      expect(refused(withBody(JSON.stringify({ name: 'Ada', rootRole }), 'valid'))).toContain('rootRole');
    },
  );

  it('is refused with any role where the operator declared none', () => {
    const given = without(inputs, 'roleIds');
    expect(refused(withBody('{"rootRole":1}', 'valid'), given)).toContain('rootRole');
  });

  it('passes with a text as role that the operator declared', () => {
    passes(withBody('{"rootRole":"Admin"}', 'valid'), { ...inputs, roleIds: ['Admin', 'Editor'] });
  });
});

it('a declared member counts for a schema that requires it', () => {
  const missing = { pointer: '', message: "must have required property 'rootRole'" };
  const updateUserSchema: Validator = (body) => (Object.hasOwn(body as object, 'rootRole') ? [] : [missing]);
  const strict = { ...validators, bodies: { ...validators.bodies, updateUserSchema } };
  const sending = (body: string) => () => {
    guardRequest(withBody(body, 'valid'), inputs, strict);
  };
  expect(sending('{"rootRole":1}')).not.toThrow();
  expect(sending('{"name":"Ada"}')).toThrow('required');
});

describe.each(operations.map(({ id, validRequests }) => [id, validRequests] as const))('%s', (id, all) => {
  const requests = makeRequestBuilder(inputs, makeFreshValues('run', 'example.com'), () => ({}));
  const built = all.flatMap(({ what, build }) => build(requests, { credential: admin, purpose: what }) ?? []);

  it('builds valid requests', () => {
    expect(built).not.toEqual([]);
    for (const request of built) passes(request);
  });

  it.runIf(requestSchemaOf(id) !== undefined)('has bodies that are held to its schema', () => {
    for (const request of built) expect(refused({ ...request, body: '[]' })).toContain('not a JSON object');
  });
});

describe('guardRequest', () => {
  it('says what is wrong with a body', () => {
    expect(refused(withBody('[]', 'valid'))).toBe('An update: the body is not a JSON object');
    expect(refused(withBody('{"name":5}', 'valid'))).toBe('An update: the body is invalid: /name must be string');
    expect(refused(withBody('{}', 'invalid'))).toBe('An update: the body is valid');
  });

  it('names the request that it refuses', () => {
    expect(refused({ ...withId('6', 'valid'), purpose: 'A request of some purpose' })).toMatch(
      /^A request of some purpose: /,
    );
  });

  it('lets a list of banners pass', () => {
    passes(bannersRequest());
  });
});
