import { errorName } from '../../../contract/document.ts';

const BOTH = { name: 'Peer 1', email: 'peer-1@example.com' };
const NAME = { name: 'Peer 2' };
const EMAIL = { email: 'peer-2@example.com' };
const WRONG_KEY = 'not-a-key';

/**
 * The tests of the tools that are told what to send: the workflows of arazzo.yaml, a test of each documented status and of each
 * obvious way to it, as somebody would write them in an hour. They are sent one after the other.
 *
 * @returns of each, what is sent (a `body` that is no text is sent as JSON), the expected status, and the members of the body
 *   with the values that are expected there
 */
export function casesFor({ adminKey, restrictedKey, userId, missingUserId, roleIds: [role] }) {
  const update = { operation: 'updateUser', id: userId, key: adminKey };
  const list = { operation: 'listBanners', key: adminKey };
  const accepted = (name, body, shows) => ({
    ...update,
    name,
    body,
    status: 200,
    shows: { id: Number(userId), ...shows },
  });
  const refused = (name, status, request) => ({
    body: { ...NAME, ...EMAIL },
    ...request,
    name,
    status,
    shows: { name: errorName(status) },
  });
  const invalid = (name, body) => refused(name, 400, { ...update, body });
  return [
    accepted('both', BOTH, BOTH),
    accepted('name alone', NAME, { ...BOTH, ...NAME }),
    accepted('e-mail address alone', EMAIL, { ...NAME, ...EMAIL }),
    accepted('role alone', { rootRole: role }, { ...NAME, ...EMAIL }),
    accepted('both again', BOTH, BOTH),
    refused('no key', 401, { ...update, key: undefined }),
    refused('wrong key', 401, { ...update, key: WRONG_KEY }),
    refused('key without permission', 403, { ...update, key: restrictedKey }),
    refused('missing user', 404, { ...update, id: missingUserId }),
    refused('missing user again', 404, { ...update, id: missingUserId }),
    refused('id that is no integer', 400, { ...update, id: 'abc' }),
    invalid('name that is a number', { name: 5 }),
    invalid('name that is null', { name: null }),
    invalid('e-mail address that is a number', { ...NAME, email: 5 }),
    invalid('body that is an array', []),
    invalid('body that is not JSON', '{"name":'),
    accepted('role alone, after the refused requests', { rootRole: role }, BOTH),
    { ...list, name: 'banners', status: 200, shows: {} },
    refused('no key for banners', 401, { ...list, key: undefined, body: undefined }),
    refused('wrong key for banners', 401, { ...list, key: WRONG_KEY, body: undefined }),
  ];
}
