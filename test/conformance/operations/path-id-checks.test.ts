import { expect, it } from 'vitest';
import type { RequestSpec } from '../../../conformance/http/exchange.ts';
import { pathIdChecks } from '../../../conformance/operations/path-id-checks.ts';
import { operations } from '../../../conformance/operations/index.ts';
import type { Effect } from '../../../conformance/resources/effect.ts';
import { makeFreshValues, makeRequestBuilder } from '../../../conformance/resources/requests.ts';
import { inputs } from '../../support/exchanges.ts';

const requests = makeRequestBuilder(inputs, makeFreshValues('run', 'example.com'), () => ({}));

/** The bodies that are sent to ids which may be those of users that nobody named. */
function sentToUnnamed(effect: Effect): (string | undefined)[] {
  const { control } = operations.find(({ id }) => id === 'updateUser') ?? expect.fail('There is no such operation.');
  const built: RequestSpec[] = [];
  const checks = pathIdChecks({
    ...{ prefix: 'path-id', what: 'An update', effect, control },
    build: (_requests, options) => requests.build('updateUser', { body: '{"name":"Conformance"}', ...options }),
  });
  for (const traffic of checks.flatMap(({ uses }) => uses))
    if ('build' in traffic) built.push(...[traffic.build(requests, 0) ?? []].flat());
  return built.filter(({ meant }) => meant.id === 'unspecified').map(({ body }) => body);
}

it('to an id that may be of a user that nobody named, the body is sent that changes nothing, or no request', () => {
  expect(new Set(sentToUnnamed({ resource: 'user', neutral: '{"a":1}' }))).toEqual(new Set(['{"a":1}']));
  expect(sentToUnnamed({ resource: 'user' })).toEqual([]);
});
