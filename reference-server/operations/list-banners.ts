import type { Handler } from '../rules.ts';

/** `GET /api/admin/banners`. */
export const listBanners: Handler = (request, store, rules) => {
  rules.authenticate(request, store);
  return rules.succeed(rules.presentBanners(store.banners));
};
