import type { Due } from '../../http/due.ts';
import type { Control, Probe } from '../../model/recording/items.ts';

/** Source: Endpoints, GET banners, responses. */
const LISTED: Due = {
  class: 'accept',
  statuses: [200],
  requirements: ['banners.success-is-200'],
  level: 'must',
  checks: ['banners-accepted'],
};

export const BANNERS: Probe = {
  id: 'banners',
  operation: 'listBanners',
  needs: ['adminKey'],
  due: LISTED,
  phase: 'control',
  build: (requests) => requests.build('listBanners', { purpose: 'A request for the banners' }),
};

/** Shows whether the restricted key is a valid one (open.banners-permission: 200 and 403 both say so). */
export const RESTRICTED_BANNERS: Probe = {
  id: 'banners-restricted',
  operation: 'listBanners',
  needs: ['restrictedKey'],
  phase: 'control',
  build: (requests) =>
    requests.build('listBanners', {
      credential: requests.restricted(),
      purpose: 'A request for the banners with the restricted key',
    }),
};

/** How many consecutive lists are requested. */
export const LISTS = 4;

export const BANNERS_AGAIN: Probe = {
  id: 'banners-again',
  operation: 'listBanners',
  needs: ['adminKey'],
  times: LISTS,
  due: { ...LISTED, role: 'snapshot' },
  phase: 'control',
  build: (requests) => requests.build('listBanners', { purpose: 'A repeated request for the banners' }),
};

/** The accepted request that negative checks rest on. */
export const CONTROL: Control = {
  what: 'a request for the banners',
  operation: 'listBanners',
  members: [],
  traffic: BANNERS,
  check: 'banners-accepted',
};
