import type { Banners } from '../../../contract/document.ts';
import { defaultSeed } from '../../../reference-server/seed.ts';
import type { Behaviour } from '../../servers/behaviour.ts';
import type { WrittenDefect } from '../../defect.ts';
import { memberDefects } from '../every-operation/members.ts';
import { type Table, breaking } from '../../table.ts';
import { type Members, type Which, all, answered, any, hasKey, isTo, success, withKeyOf } from '../requests.ts';
import { answeredWith, answering, noContent, showing } from '../responses.ts';

const theBanners = success('listBanners');

type List = readonly Members[];

const forRestricted = withKeyOf('restricted');
const forAdmin = withKeyOf('admin');

/** Responds with something other than the list; the count is over all changed responses. */
function listing(change: (banners: List, count: number) => unknown, which: Which = any): Behaviour {
  return showing<Banners>(all(theBanners, which), ({ banners }, { count }) => change(banners, count));
}

/** Responds with an object whose `banners` is something other than the list. */
function listed(change: (banners: List, count: number) => unknown, which?: Which): Behaviour {
  return listing((banners, count) => ({ banners: change(banners, count) }), which);
}

function eachBanner(change: (banner: List[number], index: number) => unknown, which?: Which): Behaviour {
  return listed((banners) => banners.map(change), which);
}

function only(keep: (banner: List[number], index: number) => boolean, which?: Which): Behaviour {
  return listed((banners) => banners.filter(keep), which);
}

const withStatus = (status: number): Behaviour => answering(theBanners, (answer) => ({ ...answer, status }));

const banners = (requirement: string, table: Table<Behaviour>): WrittenDefect[] =>
  breaking(requirement, table, 'banners-*: *');

/** Source: Resources, Banner; Endpoints, GET banners. */
export const bannersDefects: readonly WrittenDefect[] = [
  ...banners('banners.shape', {
    'in-bare-array: The body of the list is the array of banners, not an object that contains it.': listing(
      (banners) => banners,
    ),
    'left-out: The body of the list has no `banners`.': listing(() => ({})),
    'as-null: The body of the list is null.': listing(() => null),
    'bare-for-one-key: For one of two keys, the body of the list is a bare array.': listing(
      (banners) => banners,
      forRestricted,
    ),
    'in-object-on-first-call-only: Only the first list is in an object; later ones are bare arrays from a cache.':
      listing((banners, count) => (count === 1 ? { banners } : banners)),
    'null-where-none: If there are no banners, `banners` is null.': {
      ...listed(() => null),
      seed: { ...defaultSeed, banners: [] },
    },
  }),
  ...banners('banners.elements', {
    'as-ids: The list contains the ids of the banners instead of the banners.': eachBanner(({ id }) => id),
  }),
  ...banners('banners.success-is-200', {
    'answered-201: responds 201 to a request for the banners': withStatus(201),
    'answered-302: redirects a request for the banners': withStatus(302),
    'answered-400: responds 400 to a request for the banners, as if a parameter were missing': withStatus(400),
    'answered-500: fails on a request for the banners': withStatus(500),
    'answered-204: responds 204, without a body, to a request for the banners': noContent(theBanners),
  }),
  ...memberDefects('banner', 'bannerSchema', {
    'id text-in-last: The id of the last banner is a string.': [({ id }, at) => (at === 2 ? String(id) : id)],
    'id text-for-one-key: For one of two keys, the ids are strings.': [({ id }) => String(id), forRestricted],
    'sticky empty-where-none: A `sticky` that is not set is an empty string.': [({ sticky }) => sticky ?? ''],
    'createdAt local-in-second: The `createdAt` of the second banner has no time zone.': [
      ({ createdAt }, at) => (at === 1 ? '2026-02-11T10:00:00' : createdAt),
    ],
  }),
  ...banners('banners.all-configured', {
    'enabled-only: The list omits disabled banners.': only(({ enabled }) => enabled === true),
    'first-page-only: The list ends after two banners.': only((_banner, index) => index < 2),
    'own-of-key-only: A key gets only the banners that were created with it.': only(({ id }) => id === 3, forAdmin),
    'last-for-no-key: For one of two keys, the list omits the last banner.': only(({ id }) => id !== 3, forRestricted),
  }),
  ...banners('banners.stable', {
    'renumbered: The banners have different ids in each list.': listed(
      (banners, count) => banners.map((banner, index) => ({ ...banner, id: 10 * count + index })),
      forAdmin,
    ),
  }),
  ...banners('banners.read-only', {
    'counted-in-message: The message of a banner says how often it was read.': listed((banners, count) =>
      banners.map((banner) => ({ ...banner, message: `Read ${count} times.` })),
    ),
  }),
  ...banners('banner.id-unique', {
    'doubled: A wrong join lists every banner twice.': listed((banners) => banners.flatMap((each) => [each, each])),
  }),
  ...banners('auth.key-valid', {
    'unknown-key-gets-empty-list: responds to an unknown key with an empty list of banners': answeredWith(
      all(answered(401), isTo('listBanners'), hasKey),
      () => ({ status: 200, body: { banners: [] } }),
    ),
  }),
];
