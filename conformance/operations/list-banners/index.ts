import { isRecord, rememberingEach } from '../../../common/json.ts';
import type { Operation } from '../../traffic/operation.ts';
import { bannerChecks, bannersDifference } from './checks.ts';
import { observers } from './observations.ts';
import { BANNERS_AGAIN, bannersOf, CONTROL, LIST_BANNERS, RESTRICTED_BANNERS } from './requests.ts';

const shownBanners = rememberingEach((banners: readonly unknown[]) =>
  banners.flatMap((value, index) => (isRecord(value) ? [{ value, pointer: `/banners/${index}` }] : [])),
);

/** The list of banners. Source: What the service does, 2; Endpoints, GET banners. */
export const listBanners: Operation = {
  id: LIST_BANNERS,
  slug: 'banners',
  shown: 'banners',
  shows: {
    object: 'banner',
    schema: 'bannerSchema',
    restsOn: ['banners-are-objects'],
    objects: (exchange) => {
      const banners = bannersOf(exchange);
      return banners && shownBanners(banners);
    },
  },
  control: CONTROL,
  authentication: {
    requests: [
      {
        what: 'A request for the banners',
        build: (requests, options) => requests.build(LIST_BANNERS, options),
      },
    ],
    controls: [CONTROL],
  },
  snapshot: {
    probe: BANNERS_AGAIN,
    difference: bannersDifference,
    restsOn: ['banners-is-list', 'banners-stable', 'banners-read-only'],
  },
  restrictedProbe: RESTRICTED_BANNERS,
  checks: bannerChecks,
  observers,
};
