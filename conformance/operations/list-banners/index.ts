import type { Operation } from '../../traffic/operation.ts';
import { bannerChecks } from './checks.ts';
import { observers } from './observations.ts';
import { bannersShown, CONTROL, LIST_BANNERS, listBanners as request, RESTRICTED_BANNERS } from './requests.ts';

/** The list of banners. Source: What the service does, 2; Endpoints, GET banners. */
export const listBanners: Operation = {
  id: LIST_BANNERS,
  slug: 'banners',
  shown: 'banners',
  shows: { object: 'banner', schema: 'bannerSchema', objects: (exchange) => bannersShown(exchange) ?? [] },
  control: CONTROL,
  authentication: {
    requests: [
      {
        what: 'A request for the banners',
        build: (requests, { credential, purpose }) => request(requests, credential, purpose),
      },
    ],
    controls: [CONTROL],
  },
  restrictedProbe: RESTRICTED_BANNERS,
  checks: bannerChecks,
  observers,
};
