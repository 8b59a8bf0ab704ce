/** The requests that a finding prints show its fault on a server that was just started, in the order in which they are printed. */
import { expect, it } from 'vitest';
import { parsedJson } from '../../common/json.ts';
import type { ExchangeRecord } from '../../conformance/facts/result.ts';
import { defects } from '../../proof/catalogue.ts';
import { judgeServer } from '../../proof/judge.ts';
import { type Behaviour, withBehaviour } from '../../proof/servers/behaviour.ts';

/** Defects that show after an earlier request, and the checks that find them. */
const DEFECTS = [
  ['name-update-nulls-email', 'update-name'],
  ['name-of-any-user-kept', 'update-other-user'],
  ['name-escaped-by-later-update', 'name-escaped-once'],
  ['refused-400-rolls-last-update-back', 'refused-after-update'],
  ['role-update-answered-with-old-user', 'update-rootrole'],
  ['update-does-not-renew-cache', 'update-empty'],
  ['email-in-other-case-conflicts', 'email-other-case'],
  ['second-update-in-a-row-conflicts', 'first-updates'],
  ['update-resets-login-attempts', 'update-other-members'],
  ['banners-cached-for-everybody', 'auth-no-key-after-list'],
  ['missing-user-created-after-404', 'missing-user-not-created'],
  ['repeated-update-conflicts', 'update-again'],
] as const;

/** What a server that was just started responds to the last one of these requests, and the users that it has then. */
function played(behaviour: Behaviour, records: readonly ExchangeRecord[]) {
  return withBehaviour(behaviour, async ({ seed, store, transport }) => {
    let last: object = {};
    for (const { request } of records) {
      const { method, headers, body } = request;
      const path = request.url.slice(new URL(request.url).origin.length);
      const { Authorization } = headers;
      const key = Authorization?.replace('$CONFORMANCE_ADMIN_KEY', seed.keys.admin);
      const sent = { ...headers, ...(key !== undefined && { Authorization: key }) };
      const response = await transport?.({ method, path, headers: sent, body });
      const isSuccess = response?.status === 200;
      last = { status: response?.status, shows: isSuccess && parsedJson(response.bytes.toString()) };
    }
    return { ...last, users: [...store.users.values()] };
  });
}

it.concurrent.each(DEFECTS)('the defect %s is shown by the requests that are printed', async (id, check) => {
  const defect = defects.find((each) => each.id === id);
  const behaviour = defect?.behaviour ?? {};
  const { result } = await judgeServer({ behaviour }, { only: [check] });
  const [finding] = result.findings;
  const before = finding?.exchanges.filter(({ part }) => part === 'before') ?? [];
  const cause = finding?.exchanges.filter(({ part }) => part === 'cause') ?? [];
  expect(cause).toHaveLength(1);
  const conforming: Behaviour = behaviour.seed ? { seed: behaviour.seed } : {};
  const printed = [...before, ...cause];
  expect(await played(behaviour, printed)).not.toEqual(await played(conforming, printed));
});
