import { after, before, describe, test } from 'node:test';
import { assertCheck, assertVerdict, checks, run } from 'admin-api-conformance';
import { ADMIN_KEY, RESTRICTED_KEY, startServer } from '../server.mjs';

describe('the administrative API', () => {
  let server;
  let result;

  before(async () => {
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
  });

  after(() => server?.close());

  for (const { id, title } of checks) {
    test(`${id}: ${title}`, (context) => assertCheck(result, id, (reason) => context.skip(reason)));
  }

  test('the verdict', () => assertVerdict(result));
});
