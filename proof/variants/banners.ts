import { gzipSync } from 'node:zlib';
import { without } from '../../common/json.ts';
import { defaultSeed, type Seed } from '../../reference-server/seed.ts';
import { kebab } from '../defects/members.ts';
import { about, type Variant } from '../server.ts';
import type { Behaviour } from '../servers/behaviour.ts';
import { type Members, isList } from '../servers/requests.ts';
import { listing, pagesAsHtml, responding, showingBanners } from '../servers/responses.ts';
import { asBytes, chunked } from '../wire/wire-server.ts';

const [SAMPLE = {}] = defaultSeed.banners;
const MEMBERS = Object.keys(SAMPLE);
const OF_MEMBERS = ['open.banner-fields', 'open.banner-values', ...MEMBERS.map((member) => `banner.${kebab(member)}`)];
const SIDE_EFFECTS = ['side-effects.of-updates', 'side-effects.of-reading', 'banners.read-only', 'banners.stable'];

/** The default seed with other banners. */
function banners(all: readonly Members[]): { seed: Seed } {
  return { seed: { ...defaultSeed, banners: all as unknown as Seed['banners'] } };
}

const many = (count: number): Members[] =>
  Array.from({ length: count }, (_each, index) => ({ ...SAMPLE, id: index + 1 }));

/** Every form of a date-time (RFC 3339, 5.6), and some of ISO 8601. */
const DATE_TIMES = [
  ...['2025-06-01t08:00:00z', '2025-06-01 08:00:00Z', '2025-06-01T08:00:00Z', '2025-06-01T08:00:00.123456789Z'],
  ...['2025-06-01T21:45:00+13:45', '2025-05-31T20:00:00.5-12:00', '2025-06-01T08:00:00-00:00'],
  ...['2016-12-31T23:59:60Z', '2017-01-01T00:59:60.999+01:00', '2024-02-29T23:59:59Z', '0001-01-01T00:00:00Z'],
  ...['20250601T080000Z', '20250601T0800+0200'],
  ...['9999-12-31T23:59:59.999999999Z', '2024-02-29T23:59Z', '2025-06-01T08:00:00,5+02', '2999-01-01T00:00:00-11:30'],
];

const VALUES: readonly Members[] = [
  { message: '', variant: '', icon: '', link: '', linkText: '', dialogTitle: '', dialog: '' },
  { message: '#'.repeat(100_000), dialog: '*'.repeat(100_000) },
  { variant: 'neon-\ud83d\udea8', icon: 'none', link: 'https://example.com/?a=b&c=<d>' },
  { enabled: false, sticky: false, id: -5 },
  { id: 0 },
  { id: 9_007_199_254_740_991 },
  ...DATE_TIMES.map((createdAt) => ({ createdAt })),
];

/** Somebody changes the message of a banner at every ninth request, whichever it is. */
const editedOften: Behaviour = {
  around: (handle, { banners: [banner] }) => {
    let count = 0;
    return (request) => {
      count += 1;
      if (banner && count % 9 === 0) banner.message = `Edited at ${count}.`;
      return handle(request);
    };
  },
};

/** Source: Resources, Banner; Endpoints, GET banners. */
export const bannerVariants: readonly Variant[] = [
  ...about(OF_MEMBERS, {
    'banners-none: There are no banners': banners([]),
    'banners-of-nulls: Every member of every banner is null': [
      banners([1, 2].map(() => Object.fromEntries(MEMBERS.map((member) => [member, null])))),
      { bannerIds: [] },
    ],
    'banners-without-another-member-each: Each banner lacks another member': [
      banners(many(MEMBERS.length).map((banner, at) => without(banner, MEMBERS[at] ?? ''))),
      { bannerIds: [2, 3] },
    ],
    'banners-without-id: No banner shows `id`': [
      banners(many(2).map((banner) => without(banner, 'id'))),
      { bannerIds: [1, 2] },
    ],
    'banners-with-any-values: Banners have odd ids, empty or long texts, values that no sample shows, and any form of date-time':
      banners(many(VALUES.length).map((banner, at) => ({ ...banner, ...VALUES[at] }))),
  }),
  ...about(['banners.all-configured', 'open.limits'], {
    'banners-many-in-gzip-and-chunks: There are 5,000 banners, in gzip and in chunks of 100 bytes': {
      ...banners(many(5_000)),
      deliver: asBytes((answer) => {
        const headers = [...answer.headers, ['Content-Encoding', 'gzip'] as const];
        return chunked({ ...answer, headers, body: gzipSync(answer.body) }, 100);
      }),
    },
  }),
  ...about(['open.extra-members', 'banners.shape', 'banners.elements', 'open.versioning'], {
    'banners-with-extra-members: Banners have more members, some with the names of others': showingBanners(
      (banner) => ({ ...banner, ID: 'x', banners: [], name: 5, roles: [1, { id: 2 }], constructor: null }),
    ),
    'banner-list-with-extra-members: The list has a version, a total, links and a counter of requests': listing(
      (all, { count }) => ({ version: 1, total: all.length, id: 'list', _links: {}, revision: count, banners: all }),
    ),
  }),
  ...about(['banners.all-configured', 'banners.shape', ...SIDE_EFFECTS], {
    'banners-in-changing-order: The list is in another order each time': listing((all, { count }) => ({
      banners: [...all.slice(count % 3), ...all.slice(0, count % 3)],
    })),
    'banners-show-who-made-them: A banner shows the name of the user who made it, as it is now': showingBanners(
      (banner, { store: { users } }) => ({ ...banner, createdByName: users.get(1)?.name }),
    ),
    'banners-edited-very-often: Somebody edits a banner at every ninth request': editedOften,
  }),
  ...about(['open.banners-permission', 'open.undocumented-statuses'], {
    'banners-refused-to-restricted-key-in-html: The restricted key gets 403 and an HTML page instead of the list': {
      ...pagesAsHtml(),
      ...responding((request, rules, store) =>
        isList({ request }) && rules.authenticate(request, store) === 'restricted'
          ? { status: 403, body: '<h1>Forbidden</h1>' }
          : undefined,
      ),
    },
  }),
];
