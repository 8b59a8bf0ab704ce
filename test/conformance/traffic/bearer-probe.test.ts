import { describe, expect, it } from 'vitest';
import { bearerProbe, isKeyRefused, mayNeedScheme } from '../../../conformance/traffic/bearer-probe.ts';
import type { Exchange, RequestSpec } from '../../../conformance/http/exchange.ts';
import type { Inputs } from '../../../conformance/resources/inputs.ts';
import { guardRequest } from '../../../conformance/resources/request-guard.ts';
import { effectOf, operations } from '../../../conformance/operations/index.ts';
import { makeFreshValues, makeRequestBuilder } from '../../../conformance/resources/requests.ts';
import { answered, bannersRequest, inputs, updateRequest, validators, without } from '../../support/exchanges.ts';

const listed = answered(bannersRequest(), 200, { banners: [] });
const refused = answered(updateRequest(), 401, { id: 'e', name: 'AuthenticationRequired', message: 'No.' });

const bad = answered(updateRequest(), 400, 'The header must be "Bearer" and a token.');
const keyless = answered(updateRequest({ credential: { label: 'no key' } }), 401);

it.each<[what: string, exchanges: readonly Exchange[], isRefused: boolean, mayNeed: boolean]>([
  ['a 401 to every request with the key', [refused], true, true],
  ['nothing', [], false, false],
  ['a 401 to some', [refused, listed], false, false],
  ['a 401 to a request without the key', [keyless], false, false],
  ['a 400, also to one that has only the key', [bad, answered(bannersRequest(), 400)], false, true],
  ['a 400 to an update', [bad], false, false],
])('the key may be refused, or need a scheme, by %s', (_what, exchanges, isRefused, mayNeed) =>
  expect([isKeyRefused(exchanges), mayNeedScheme(exchanges)]).toEqual([isRefused, mayNeed]),
);

describe('the request with "Bearer"', () => {
  const probe = (ids: readonly RequestSpec['operation'][], given: Inputs = inputs): RequestSpec | undefined =>
    bearerProbe(
      makeRequestBuilder(given, makeFreshValues('x', 'example.com'), () => ({})),
      operations.filter(({ id }) => ids.includes(id)),
    );

  it('reads if an operation reads, or sends an empty update; both pass the guard', () => {
    const list = probe(['updateUser', 'listBanners']);
    expect(list).toMatchObject({ method: 'GET', path: '/api/admin/banners' });
    const empty = probe(['updateUser']);
    expect(empty).toMatchObject({ method: 'PUT', path: '/api/admin/user-admin/4', body: '{}' });
    for (const request of [list, empty]) {
      expect(request?.credential).toMatchObject({
        header: 'Bearer Admin-key-1',
        shell: 'Bearer $CONFORMANCE_ADMIN_KEY',
      });
      if (request) guardRequest(request, inputs, validators, effectOf(request.operation));
    }
  });

  it('does not exist without a key, with a key that has a scheme, and without a user to address', () => {
    expect(probe(['listBanners'], without(inputs, 'adminKey'))).toBeUndefined();
    expect(probe(['listBanners'], { ...inputs, adminKey: 'Bearer abc' })).toBeUndefined();
    expect(probe(['updateUser'], without(inputs, 'userId'))).toBeUndefined();
  });
});
