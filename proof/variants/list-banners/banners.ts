import { without } from '../../../common/json.ts';
import type { Banners } from '../../../contract/document.ts';
import { kebab } from '../../defects/every-operation/members.ts';
import { type Members, success } from '../../defects/requests.ts';
import { showing } from '../../defects/responses.ts';
import { gzipSync } from 'node:zlib';
import { asBytes, chunked } from '../../wire/deliveries.ts';
import { defaultSeed } from '../../../reference-server/seed.ts';
import type { WrittenVariant } from '../../variant.ts';
import { answering, banners, htmlTexts, writing } from '../freedoms.ts';
import { about, named } from '../../table.ts';

const [SAMPLE = {}] = defaultSeed.banners;
const MEMBERS = Object.keys(SAMPLE);

const many = (count: number): Members[] =>
  Array.from({ length: count }, (_each, index) => ({ ...SAMPLE, id: index + 1 }));
const withMembers = (members: Members) => banners(many(3).map((banner) => ({ ...banner, ...members })));

const byTurn = (change: (all: readonly unknown[], turn: number) => unknown) =>
  showing<Banners>(success('listBanners'), (list, { count }) => change(list.banners, count));

const NESTED_EXTRA = (depth: number) =>
  writing((text) => text.replace('{"banners":[', `{"tree":${'['.repeat(depth)}${']'.repeat(depth)},"banners":[`));

const VALUES = ['open.banner-fields', 'banner.message', 'banner.variant', 'banner.icon', 'banner.link'];

const VALUES_SHOWN: readonly Members[] = [
  { message: '', variant: '', icon: '', link: '', linkText: '', dialogTitle: '', dialog: '' },
  { message: '#'.repeat(100_000), dialog: '*'.repeat(100_000) },
  { variant: 'neon-\ud83d\udea8', icon: 'none', link: 'https://example.com/?a=b&c=<d>' },
  { enabled: false, sticky: false },
  { createdAt: '2999-01-01T00:00:00-11:30' },
  { createdAt: '2024-02-29T23:59Z' },
  { createdAt: '2025-06-01T08:00:00,5+02' },
];

/** Source: Resources, Banner; Endpoints, GET banners. */
export const bannersVariants: readonly WrittenVariant[] = [
  ...about(['banners.shape', 'banners.elements', 'open.banner-fields', 'open.banner-values'], {
    'banners-none: There are no banners.': banners([]),
  }),
  ...about(['banners.shape', 'banner.id-unique'], {
    'banners-one: There is one banner.': banners(many(1)),
  }),
  ...about(['open.banner-fields', 'banners.elements'], {
    'banners-without-members: Banners have no members.': banners([{}, {}, {}]),
  }),
  ...named<WrittenVariant>({
    'banners-of-nulls: Every member of every banner is null.': {
      about: ['open.banner-fields', 'banner.id', 'banner.message', 'banner.created-at', 'banner.link-text'],
      behaviour: banners([1, 2].map(() => Object.fromEntries(MEMBERS.map((member) => [member, null])))),
      inputs: { bannerIds: [] },
    },
  }),
  ...about(['open.banner-fields', ...MEMBERS.map((member) => `banner.${kebab(member)}`)], {
    'banners-without-another-member-each: Each banner lacks another member.': banners(
      many(MEMBERS.length).map((banner, at) => without(banner, MEMBERS[at] ?? '')),
    ),
  }).map((variant) => ({ ...variant, inputs: { bannerIds: [2, 3] } })),
  ...about(['open.banner-fields', 'banner.id'], {
    'banners-without-id: No banner shows `id`.': banners(many(2).map((banner) => without(banner, 'id'))),
  }).map((variant) => ({ ...variant, inputs: { bannerIds: [1, 2] } })),
  ...about([...VALUES, 'open.banner-values', 'banner.enabled', 'banner.sticky', 'banner.created-at'], {
    'banners-with-any-values: Banners have empty or very long strings, values that no sample shows, false, a time in the future, or in other forms of ISO 8601.':
      banners(many(VALUES_SHOWN.length).map((banner, at) => ({ ...banner, ...VALUES_SHOWN[at] }))),
  }),
  ...about(['banners.all-configured', 'open.limits', 'open.banner-fields'], {
    'banners-many-in-gzip-and-chunks: There are 5,000 banners, in gzip and in chunks of 100 bytes.': {
      ...banners(many(5_000)),
      deliver: asBytes((answer) => {
        const headers = [...answer.headers, ['Content-Encoding', 'gzip'] as const];
        return chunked({ ...answer, headers, body: gzipSync(answer.body) }, { size: 100 });
      }),
    },
  }),
  ...about(['banner.id', 'banner.id-unique'], {
    'banners-with-odd-ids: The ids of banners are negative, zero and large.': banners(
      [-5, 0, 9_007_199_254_740_991].map((id) => ({ ...SAMPLE, id })),
    ),
  }),
  ...about('banner.id-unique', {
    'banners-alike-but-for-id: Banners differ only in their id.': banners(many(20)),
  }),
  ...about(['open.extra-members', 'open.banner-fields'], {
    'banners-with-extra-members: Banners have members that the contract does not list, some with the names of other members.':
      withMembers({ ID: 'x', banners: [], name: 5, targeting: { roles: [1, { id: 2 }] }, constructor: null }),
  }),
  ...about(['open.extra-members', 'banners.elements'], {
    'banners-with-proto: Banners have a member `__proto__`.': writing((text) =>
      text.replaceAll('{"id":', '{"__proto__":{"id":1,"enabled":"yes"},"id":'),
    ),
  }),
  ...about(['open.extra-members', 'banners.shape', 'open.versioning'], {
    'banner-list-with-extra-members: The list has other members besides `banners`: a version, a total, links.': byTurn(
      (all) => ({ version: 1, total: all.length, id: 'list', _links: { next: null }, banners: all }),
    ),
  }),
  ...about(['open.extra-members', 'banners.shape', 'bodies.json'], {
    'banner-list-with-deep-extra-member: The list has an extra member that is nested 150 levels deep.':
      NESTED_EXTRA(150),
    'banner-list-with-deeper-extra-member: The list has an extra member that is nested 300 levels deep, more than a parser must accept.':
      NESTED_EXTRA(300),
  }),
  ...about(['banners.all-configured', 'banners.shape', 'banners.stable', 'banners.read-only'], {
    'banners-in-changing-order: The list is in a different order each time.': byTurn((all, turn) => ({
      banners: [...all.slice(turn % 3), ...all.slice(0, turn % 3)],
    })),
  }),
  ...about(['open.banners-permission', 'open.undocumented-statuses'], {
    'banners-refused-to-restricted-key-in-html: responds 403 with an HTML page to a request for the banners with the restricted key':
      {
        ...htmlTexts,
        ...answering((request, rules, store) =>
          request.path.endsWith('/banners') && rules.authenticate(request, store) === 'restricted'
            ? { status: 403, body: '<h1>Forbidden</h1>' }
            : undefined,
        ),
      },
  }),
  ...about(['open.states', 'banners.all-configured', 'banners.stable'], {
    'banners-come-while-asked: Somebody configures another banner during the run.': byTurn((all, turn) => ({
      banners: [...all, ...(turn < 7 ? [] : many(1)).map((banner) => ({ ...banner, id: 1_000 }))],
    })),
  }),
  ...named<WrittenVariant>({
    'banners-beyond-the-limit: The list of banners is larger than the operator allows the suite to read.': {
      about: ['open.limits', 'banners.all-configured'],
      behaviour: banners(many(2_000)),
      limits: { maxBody: 100_000 },
    },
  }),
];
