import { isRecord, rememberingEach } from '../../../common/json.ts';
import type { Recording } from '../../model/recording/recording.ts';
import { byStatus, distinct, type Observers, respondedTo } from '../../model/observer.ts';
import type { Operation } from '../../traffic/operation.ts';
import { bannerChecks, judgeBannersBody, judgeBannersKept } from './checks.ts';
import { BANNERS, BANNERS_AGAIN, CONTROL, RESTRICTED_BANNERS } from './requests.ts';
import { bannerMembers, bannersOf, bannersDifference } from '../../resources/banners/banners.ts';

const shownBanners = rememberingEach((banners: readonly unknown[]) =>
  banners.flatMap((value, index) => (isRecord(value) ? [{ value, pointer: `/banners/${index}` }] : [])),
);

/** The banners of the first list that got a response; undefined if it shows none. */
function bannersIn(recording: Recording): Record<string, unknown>[] | undefined {
  const [exchange] = respondedTo(recording, BANNERS.id);
  return exchange && bannersOf(exchange)?.filter(isRecord);
}

/** The open points about the list of banners. */
const observers: Observers = {
  'open.banners-permission': byStatus(RESTRICTED_BANNERS, { accepted: 'listed', 403: 'refused' }),
  'open.banner-fields': {
    uses: [BANNERS],
    observe: (recording) => {
      const banners = bannersIn(recording);
      if (!banners) return undefined;
      if (banners.length === 0) return 'no-banners';
      const leftOut = bannerMembers.filter((member) =>
        banners.some((banner) => banner[member] === undefined || banner[member] === null),
      );
      return leftOut.length > 0 ? { observed: 'some-left-out', detail: leftOut } : 'all-shown';
    },
  },
  'open.banner-values': {
    uses: [BANNERS],
    observe: (recording) => {
      const banners = bannersIn(recording);
      if (!banners) return undefined;
      const valuesOf = (member: string): unknown[] =>
        distinct(banners.map((banner) => banner[member]).filter((value) => typeof value === 'string'));
      const detail = { variant: valuesOf('variant'), icon: valuesOf('icon'), link: valuesOf('link') };
      return Object.values(detail).some((values) => values.length > 0) ? { observed: 'values', detail } : 'absent';
    },
  },
};

/** The list of banners. Source: What the service does, 2; Endpoints, GET banners. */
export const listBanners: Operation = {
  id: 'listBanners',
  slug: 'banners',
  shown: 'banners',
  shows: {
    object: 'banner',
    resource: 'banner',
    schema: 'bannerSchema',
    objects: (exchange) => {
      const banners = bannersOf(exchange);
      return banners && shownBanners(banners);
    },
  },
  judgeBody: judgeBannersBody,
  judgeRun: judgeBannersKept,
  control: CONTROL,
  validRequests: [
    { what: 'A request for the banners', build: (requests, options) => requests.build('listBanners', options) },
  ],
  snapshot: {
    probe: BANNERS_AGAIN,
    difference: bannersDifference,
  },
  restrictedProbe: RESTRICTED_BANNERS,
  checks: bannerChecks,
  observers,
};
