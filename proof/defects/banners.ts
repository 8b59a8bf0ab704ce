import type { Banners } from '../../contract/document.ts';
import { breaking, type Defect } from '../server.ts';
import type { Behaviour } from '../servers/behaviour.ts';
import { type Members, type Which, all, answered, any, isTo, success, withKeyOf } from '../servers/requests.ts';
import { type Act, answering, changes, countsLogin, followedBy, noContent, showing } from '../servers/responses.ts';
import { anUpdate, isUpdate } from '../servers/updates.ts';

const aList = success('listBanners');
const forRestricted = withKeyOf('restricted');

type Banner = Members;

/** Responds with another body than the list. */
function body(make: (banners: readonly Banner[], count: number) => unknown, which: Which = any): Behaviour {
  return showing<Banners>(all(aList, which), ({ banners }, { count }) => make(banners, count));
}

const listing = (make: (banners: readonly Banner[], count: number) => unknown, which?: Which): Behaviour =>
  body((banners, count) => ({ banners: make(banners, count) }), which);
const only = (keep: (banner: Banner, index: number) => boolean, which?: Which): Behaviour =>
  listing((banners) => banners.filter(keep), which);
const withStatus = (status: number, which: Which = any): Behaviour =>
  answering(all(aList, which), (answer) => ({ ...answer, status }));

/** Source: Resources, Banner; Endpoints, GET banners. */
export const bannerDefects: readonly Defect[] = [
  ...breaking('banners.shape', {
    'banners-in-bare-array: The body of the list is the array of banners': body((banners) => banners),
    'banners-in-object-on-first-call-only: Only the first list is in an object; later ones are bare arrays from a cache':
      body((banners, count) => (count === 1 ? { banners } : banners)),
    'first-list-is-null: The first list is null, as the cache is empty; later ones are right': body((banners, count) =>
      count === 1 ? null : { banners },
    ),
  }),
  ...breaking('banners.elements', {
    'banners-as-ids: The list contains the ids of the banners': listing((banners) => banners.map(({ id }) => id)),
  }),
  ...breaking('banners.success-is-200', {
    'banners-answered-204: A request for the banners gets 204': noContent(aList),
    'banners-answered-304: A request for the banners gets 304, though nobody asked': withStatus(304),
    'banners-answered-304-again: Every request for the banners but the first gets 304, though nobody asked': withStatus(
      304,
      ({ count }) => count > 1,
    ),
    'banners-answered-400: A request for the banners gets 400': withStatus(400),
    'banners-answered-500: The server fails on a request for the banners': withStatus(500),
    'banners-for-restricted-key-answered-500: The server fails on a request for the banners with the restricted key':
      withStatus(500, forRestricted),
  }),
  ...breaking('banners.read-only', {
    'banners-counted-in-message: The message of a banner says how often it was read': listing((banners, count) =>
      banners.map((banner) => ({ ...banner, message: `Read ${count} times.` })),
    ),
  }),
  ...breaking('banners.all-configured', {
    'banners-enabled-only: The list omits disabled banners': only(({ enabled }) => enabled === true),
    'banners-first-page-only: The list ends after two banners': only((_banner, index) => index < 2),
  }),
];

const adds: Act = ({ store: { banners } }) => banners.push({ ...banners[0], id: 1_000 + banners.length });
const refused = (...statuses: readonly number[]): Which => all(isUpdate, answered(...statuses));

/** What requests do beside what they are for. Source: Endpoints; RFC 9110, 9.2.1. */
export const sideEffectDefects: readonly Defect[] = [
  ...breaking('side-effects.of-updates', {
    'update-adds-banner: Every accepted update adds a banner': followedBy(anUpdate, adds),
    'update-of-missing-user-adds-banner: An update of a missing user adds a banner': followedBy(refused(404), adds),
  }),
  ...breaking('side-effects.of-reading', {
    'list-counted-as-login: A request for the banners counts as a failed login': followedBy(aList, countsLogin(1)),
    'refused-list-counted-as-login: A request for the banners with a wrong key counts as a failed login': followedBy(
      all(isTo('listBanners'), answered(401)),
      countsLogin(1),
    ),
    'list-empties-name-of-other-user: A request for the banners empties the name of a user': followedBy(
      aList,
      changes(2, { name: '' }),
    ),
  }),
  ...breaking('banners.stable', {
    'list-adds-banner: Each request for the banners adds one': followedBy(aList, adds),
  }),
];
