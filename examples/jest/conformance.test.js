import { afterAll, describe, test } from '@jest/globals';
import { assertCheck, assertVerdict, run, skipReason } from 'admin-api-conformance';
import { ADMIN_KEY, RESTRICTED_KEY, startServer } from '../server.mjs';

// jest cannot skip a test that has started. The run comes first, so that the tests to skip are known when they are declared.
const server = await startServer();
const result = await run({
  baseUrl: server.url,
  adminKey: ADMIN_KEY,
  restrictedKey: RESTRICTED_KEY,
  userId: 4,
  otherUserId: 5,
  missingUserId: 404404,
  roleIds: [1, 2],
  bannerIds: [1],
});

afterAll(() => server.close());

describe('the administrative API', () => {
  for (const { id, title } of result.checks) {
    const reason = skipReason(result, id);
    if (reason === undefined) test(`${id}: ${title}`, () => assertCheck(result, id));
    else test.skip(`${id}: ${title} (${reason})`, () => undefined);
  }

  test('the verdict', () => assertVerdict(result));
});
