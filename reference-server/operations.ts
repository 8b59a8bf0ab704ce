import type { ApiRequest, ApiResponse, Rules, Store } from './rules.ts';

/** `PUT /api/admin/user-admin/{id}`: the rules in the order of the contract; 401 comes first. */
export function updateUser(request: ApiRequest, idSegment: string, store: Store, rules: Rules): ApiResponse {
  const caller = rules.authenticate(request, store);
  rules.authorizeUpdate(caller);
  const id = rules.parseUserId(idSegment);
  rules.requireJsonMediaType(request);
  const update = rules.validateUpdate(rules.parseBody(request.body));
  const user = rules.findUser(store, id);
  return rules.succeed(rules.presentUser(rules.applyUpdate(store, user, update)));
}

/** `GET /api/admin/banners`. */
export function listBanners(request: ApiRequest, store: Store, rules: Rules): ApiResponse {
  rules.authenticate(request, store);
  return rules.succeed(rules.presentBanners(store.banners));
}
