import { breaking, type Defect } from '../server.ts';
import type { Behaviour } from '../servers/behaviour.ts';
import {
  type Members,
  type Which,
  aList,
  all,
  answered,
  anUpdate,
  isList,
  isUpdate,
  withKeyOf,
} from '../servers/requests.ts';
import { type Deliver, plain } from '../wire/wire-server.ts';
import {
  type Act,
  answeringWith,
  countsLogin,
  followedBy,
  hungUpOn,
  listing,
  sending,
  showingBanners,
} from '../servers/responses.ts';

const only = (keep: (banner: Members, index: number) => boolean): Behaviour =>
  listing((banners) => ({ banners: banners.filter(keep) }));

/** Sends the start of each list, and closes the connection. */
const cuttingLists: Deliver = ({ request, answer, socket }) => {
  if (request.method === 'GET' && answer.status === 200) socket.end(plain(answer).subarray(0, -5));
  else socket.write(plain(answer));
};

/** Source: Resources, Banner; Endpoints, GET banners. */
export const bannerDefects: readonly Defect[] = [
  ...breaking('banners.shape', {
    'banners-in-bare-array: The body of the list is the array of banners': listing((banners) => banners),
  }),
  ...breaking('banners.elements', {
    'banners-as-ids: The list contains the ids of the banners': showingBanners(({ id }) => id),
  }),
  ...breaking('banners.success-is-200', {
    'banners-answered-204: A request for the banners gets 204': sending(aList, () => ({
      ...{ status: 204, reason: 'No Content', headers: [], body: Buffer.alloc(0) },
    })),
    'banners-answered-304: A request for the banners gets 304, though nobody asked': answeringWith(aList, 304),
    'banners-cut: The list ends before its end': { deliver: cuttingLists },
    'banners-refuse-admin-key: The admin key gets 403 for the banners': answeringWith(
      all(aList, withKeyOf('admin')),
      403,
    ),
    'banners-do-not-know-admin-key: The admin key gets 401 for the banners': answeringWith(
      all(aList, withKeyOf('admin')),
      401,
    ),
    'banners-answered-500: It fails on a request for the banners': answeringWith(aList, 500),
    'banners-for-restricted-key-answered-500: It fails on a request for the banners with the restricted key':
      answeringWith(all(aList, withKeyOf('restricted')), 500),
  }),
  ...breaking(['banners.success-is-200', 'auth.key-required'], {
    'banners-answered-503: The list gets 503, while updates work': answeringWith(isList, 503),
    'banners-hung-up-on: It closes the connection on each request for the banners': hungUpOn(isList),
  }),
  ...breaking('banners.read-only', {
    'banners-counted-in-message: The message of a banner says how often it was read': showingBanners(
      (banner, { count }) => ({ ...banner, message: `Read ${count} times.` }),
    ),
  }),
  ...breaking('banners.all-configured', {
    'banners-enabled-only: The list omits disabled banners': only(({ enabled }) => enabled === true),
    'banners-first-page-only: The list ends after two banners': only((_banner, index) => index < 2),
  }),
];

const adds: Act = ({ store: { banners } }) => banners.push({ ...banners[0], id: 1_000 + banners.length });
const missing: Which = all(isUpdate, answered(404));

/** Side effects of requests. Source: Endpoints; RFC 9110, 9.2.1. */
export const sideEffectDefects: readonly Defect[] = [
  ...breaking('side-effects.of-updates', {
    'update-adds-banner: Every accepted update adds a banner': followedBy(anUpdate, adds),
    'update-of-missing-user-adds-banner: An update of a missing user adds a banner': followedBy(missing, adds),
  }),
  ...breaking('side-effects.of-reading', {
    'list-counted-as-login: A request for the banners counts as a failed login': followedBy(aList, countsLogin(1)),
    'refused-list-counted-as-login: A request for the banners with a wrong key counts as a failed login': followedBy(
      all(isList, answered(401)),
      countsLogin(1),
    ),
  }),
  ...breaking('banners.stable', {
    'list-adds-banner: Each request for the banners adds one': followedBy(aList, adds),
  }),
];
