import type { Handler } from '../rules.ts';

/** `PUT /api/admin/user-admin/{id}`: the rules in the order of the contract; 401 comes first. */
export const updateUser: Handler = (request, store, rules, [idSegment = '']) => {
  const caller = rules.authenticate(request, store);
  rules.authorize(caller);
  const id = rules.parseUserId(idSegment);
  rules.requireJsonMediaType(request);
  const update = rules.validateUpdate(rules.parseBody(request.body));
  const user = rules.findUser(store, id);
  return rules.succeed(rules.presentUser(rules.applyUpdate(store, user, update)));
};
