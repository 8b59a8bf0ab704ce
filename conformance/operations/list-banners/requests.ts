import type { OperationId } from '../../../contract/document.ts';
import { type Exchange, objectBody } from '../../http/exchange.ts';
import type { Control, Probe } from '../../judging/traffic.ts';

/** `GET /api/admin/banners` (source: Endpoints, GET banners). */
export const LIST_BANNERS = 'listBanners' satisfies OperationId;

export const BANNERS: Probe = {
  id: 'banners',
  operation: LIST_BANNERS,
  needs: ['adminKey'],
  build: (requests) => requests.build(LIST_BANNERS, { purpose: 'A request for the banners' }),
};

/** Shows whether the restricted key is a valid one (open.banners-permission: 200 and 403 both say so). */
export const RESTRICTED_BANNERS: Probe = {
  id: 'banners-restricted',
  operation: LIST_BANNERS,
  needs: ['restrictedKey'],
  build: (requests) =>
    requests.build(LIST_BANNERS, {
      credential: requests.restricted(),
      purpose: 'A request for the banners with the restricted key',
    }),
};

/** How many consecutive lists are requested. */
export const LISTS = 4;

export const BANNERS_AGAIN: Probe = {
  id: 'banners-again',
  operation: LIST_BANNERS,
  needs: ['adminKey'],
  times: LISTS,
  build: (requests) => requests.build(LIST_BANNERS, { purpose: 'A repeated request for the banners' }),
};

/** The accepted request that negative checks rest on. */
export const CONTROL: Control = {
  what: 'a request for the banners',
  operation: LIST_BANNERS,
  members: [],
  traffic: BANNERS,
};

/** The elements of the array `banners` of a response; undefined if it has no such array. */
export function bannersOf(exchange: Exchange): readonly unknown[] | undefined {
  const banners = objectBody(exchange)?.banners;
  return Array.isArray(banners) ? (banners as unknown[]) : undefined;
}
