import { describe, expect, it } from 'vitest';
import type { Inputs } from '../../../conformance/resources/inputs.ts';
import { makeFreshValues, makeRequestBuilder, type RequestBuilder } from '../../../conformance/resources/requests.ts';
import { inputs } from '../../support/exchanges.ts';

function builder(given: Inputs = inputs, stored: Readonly<Record<string, unknown>> = {}): RequestBuilder {
  return makeRequestBuilder(given, makeFreshValues('run1', given.emailDomain), () => stored);
}

const bare: Inputs = { baseUrl: inputs.baseUrl, emailDomain: 'example.com' };

it('makeFreshValues makes unsuspicious values that all differ: ordinary names, lower-case addresses under the domain', () => {
  const valuesOf = (run: string) => {
    const fresh = makeFreshValues(run, 'mail.example.org');
    return Array.from({ length: 100 }, () => [fresh.name(), fresh.email()] as const);
  };
  const all = ['run1', 'run2'].flatMap(valuesOf);
  expect(new Set(all.flat()).size).toBe(400);
  for (const [name, email] of all) {
    expect(email).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*@mail\.example\.org$/);
    expect(name).toMatch(/^(?=.{1,49}$)[A-Za-z0-9]+( [A-Za-z0-9]+)*$/);
  }
});

describe('an update', () => {
  const options = { purpose: 'An update', body: '{}', meantBody: 'valid' } as const;

  it.each(['4abc', 'abc', '4.5', '%2e', '$&', '$1', "$'"])('puts the segment %s into the path as it is', (segment) => {
    const { path, meant } = builder().build('updateUser', {
      subject: 'invalid-id',
      ...options,
      segment,
      meantId: 'invalid',
    });
    expect(path).toBe(`/api/admin/user-admin/${segment}`);
    expect(meant).toEqual({ body: 'valid', id: 'invalid' });
  });

  it('is never built for a user that the operator did not name, or without a key', () => {
    for (const subject of ['user', 'other-user', 'missing-user', 'invalid-id'] as const) {
      expect(() => builder({ ...bare, adminKey: 'k' }).build('updateUser', { subject, ...options })).toThrow(subject);
    }
    expect(() => builder({ ...bare, userId: '4' }).build('updateUser', { subject: 'user', ...options })).toThrow(
      'admin key',
    );
  });
});

it('the credentials of a builder are refused where the key is missing, rather than sent empty', () => {
  expect(() => builder(bare).admin()).toThrow('admin key');
  expect(() => builder(bare).restricted()).toThrow('restricted key');
});

it('a request asks for every content coding that the client decodes', () => {
  const { headers } = builder().build('listBanners', { purpose: 'A list of banners', subject: 'none' });
  expect(headers['Accept-Encoding']).toBe('gzip, deflate, br');
});

it.each([
  [{ name: 'Ada', email: 'ada@x' }, { name: 'Ada' }],
  [{ name: null, email: 'ada@x' }, { email: 'ada@x' }],
  [{ rootRole: 'Admin', name: 'x'.repeat(2_000), email: undefined }, {}],
])('noChange of %j is %j: one text that is stored, and nothing that an update cannot set', (stored, body) =>
  expect(JSON.parse(builder(inputs, stored).noChange())).toEqual(body),
);
