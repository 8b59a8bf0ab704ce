import { describe, expect, it } from 'vitest';
import type { RunOptions } from '../../../conformance/run/events.ts';
import { judgeTarget } from '../../../conformance/run/run.ts';
import { operationIds, tagsOf } from '../../../contract/document.ts';
import { defaultSeed } from '../../../reference-server/seed.ts';
import { withServer } from '../../support/target.ts';

/** Judges, on the banners alone, a server whose 401 to the list has another body. */
function judgeBanners(spoil: (body: Record<string, unknown>) => unknown, options: RunOptions) {
  return withServer(
    {
      around: (handle) => (request) => {
        const response = handle(request);
        const isList = request.method === 'GET' && response.status === 401;
        return isList ? { ...response, body: spoil(response.body as Record<string, unknown>) } : response;
      },
    },
    ({ url }) =>
      judgeTarget({ baseUrl: new URL(url), adminKey: defaultSeed.keys.admin, emailDomain: 'example.com' }, options),
  );
}

describe('the errors of the list of banners, where it is judged alone', () => {
  it.each([
    [{ only: ['banners'] }, ['listBanners']],
    [{ skip: ['users'] }, operationIds.filter((id) => !tagsOf(id).includes('users'))],
  ])('are judged without a user: %j', async (options, operations) => {
    const { verdict, checks, selection } = await judgeBanners((body) => body, options);
    expect(verdict).toBe('passed');
    expect(selection.scope?.operations).toEqual(operations);
    expect(checks.filter(({ area, outcome }) => area === 'errors' && outcome === 'passed').map(({ id }) => id)).toEqual(
      expect.arrayContaining(['error-body-401', 'error-id-distinct', 'error-name-401', 'json-error']),
    );
  });

  it.each([
    ['error-body-401', (body: Record<string, unknown>) => ({ ...body, message: undefined })],
    ['error-id-distinct', (body: Record<string, unknown>) => ({ ...body, id: 'the-same' })],
  ])('fail %s', async (id, spoil) => {
    const { checks } = await judgeBanners(spoil, { only: ['banners'] });
    expect(checks.find((check) => check.id === id)?.outcome).toBe('failed');
  });
});
