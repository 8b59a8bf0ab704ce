import { assertCheck, assertVerdict, checks, run } from 'admin-api-conformance';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { ADMIN_KEY, RESTRICTED_KEY, startServer } from '../server.mjs';

describe('the administrative API', () => {
  let server;
  let result;

  beforeAll(async () => {
    server = await startServer();
    result = await run({
      baseUrl: server.url,
      adminKey: ADMIN_KEY,
      restrictedKey: RESTRICTED_KEY,
      userId: 4,
      otherUserId: 5,
      missingUserId: 404404,
      roleIds: [1, 2],
      bannerIds: [1],
    });
  }, 330_000);

  afterAll(() => server?.close());

  for (const { id, title } of checks) {
    test(`${id}: ${title}`, ({ skip }) => assertCheck(result, id, skip));
  }

  test('the verdict', () => assertVerdict(result));
});
