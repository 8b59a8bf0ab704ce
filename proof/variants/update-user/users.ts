import { hash } from 'node:crypto';
import type { User } from '../../../contract/document.ts';
import { defaultSeed } from '../../../reference-server/seed.ts';
import type { WrittenVariant } from '../../variant.ts';
import { adding, showing, unrestored, usersWith, writing } from '../freedoms.ts';
import type { Members } from '../../defects/requests.ts';
import { refusing } from '../../defects/update-user/updates.ts';
import { type Table, about, named, tableOf } from '../../table.ts';

const ODD_NAMES = ['"\\ \u0000\u001f\u2028 \ud83d\ude00 \ud800 e\u0301', '\u05d2\u05e8\u05d9\u05d9\u05e1 <b>&amp;'];

const values: readonly WrittenVariant[] = [
  ...about(['user.created-at', 'update.other-members-keep'], {
    'created-at-in-coarser-precision: The first responses show `createdAt` with microseconds, later ones the same moment rounded down to seconds.':
      {
        ...usersWith({ createdAt: '2025-06-01T08:00:00.123456Z' }),
        ...showing((user, _sent, turn) => (turn <= 2 ? user : { ...user, createdAt: '2025-06-01T08:00:00Z' })),
      },
    'created-at-in-changing-zones: `createdAt` is the same moment in a different time zone in each response.': showing(
      (user, _sent, turn) => {
        const hours = turn % 12;
        const local = new Date(Date.parse(user.createdAt ?? '') + hours * 3_600_000).toISOString().slice(0, 19);
        return { ...user, createdAt: `${local}+${String(hours).padStart(2, '0')}:00` };
      },
    ),
  }),
  ...about(['user.username', 'user.username-unique', 'user.seen-at'], {
    'null-username-and-seen-at: Both users have null as their username, and have never logged in.': usersWith({
      username: null,
      seenAt: null,
    }),
  }),
  ...about(
    ['user.name', 'user.email', 'user.image-url', 'user.invite-link', 'user.account-type', 'open.value-bounds'],
    {
      'empty-texts: Both users have empty strings wherever a string is allowed.': usersWith({
        name: '',
        email: '',
        imageUrl: '',
        inviteLink: '',
        accountType: '',
      }),
    },
  ),
  ...about(['user.name', 'open.value-bounds', 'update.values-faithful'], {
    'names-of-any-characters: Users have names with quotes, control characters, emoji, half a surrogate pair and right-to-left text.':
      usersWith((_user, index) => ({ name: ODD_NAMES[index] })),
    'names-that-are-long: Users have names of 20,000 characters.': usersWith((_user, index) => ({
      name: String(index).repeat(20_000),
    })),
  }),
  ...about(['update.addressed-user-only', 'user.username-unique'], {
    'users-that-are-alike: Both users have the same values in every member except `id`, `username` and `email`.':
      usersWith(({ id, username, email }) => ({ ...defaultSeed.users[0], id, username, email })),
  }),
  ...about(
    ['user.is-api', 'user.account-type', 'open.account-type-values', 'user.permissions', 'user.login-attempts'],
    {
      'service-accounts: Both users are service accounts with permissions of their own, and any number of failed logins.':
        usersWith((_user, index) => ({
          isAPI: true,
          accountType: 'Dienstkonto \ud83e\udd16',
          permissions: ['A', 'B'],
          loginAttempts: index === 0 ? -1 : 4_294_967_296,
        })),
    },
  ),
  ...about(['user.id', 'user.login-attempts', 'user.root-role', 'bodies.json'], {
    'integers-with-a-fraction-of-zero: Integers are written as `1.0`, and 0 as `0e0`.': writing((text) =>
      text.replaceAll(/:(\d+)(?=[,}])/g, (_all, digits) => `:${String(digits)}.0`),
    ),
  }),
  ...about(['user.image-url', 'user.seen-at', 'user.permissions', 'user.email-sent', 'update.other-members-keep'], {
    'derived-members: `imageUrl` is derived from the e-mail address, `permissions` from the role, `emailSent` from the last update, and `seenAt` is always later.':
      showing((user, sent, turn) => ({
        ...user,
        imageUrl: `https://images.example.com/${hash('sha256', user.email ?? '')}`,
        permissions: user.rootRole === 1 ? ['ADMIN'] : [],
        emailSent: sent.email === undefined,
        seenAt: new Date(Date.UTC(2026, 0, 1) + turn).toISOString(),
      })),
  }),
  ...about(['user.invite-link', 'update.other-members-keep', 'open.shown-members'], {
    'invite-link-once: `inviteLink` is different in each response, and missing from every second one.': showing(
      ({ inviteLink, ...user }, _sent, turn) =>
        turn % 2 === 0 ? user : { ...user, inviteLink: `${inviteLink ?? ''}?once=${turn}` },
    ),
  }),
  ...unrestored(['user.name'], {
    'null-name: Both users have null as their name.': usersWith({ name: null }),
  }),
  ...unrestored(['user.name', 'open.shown-members'], {
    'null-name-left-out: Neither user has a name, and a missing name is not shown.': usersWith({ name: undefined }),
  }),
  ...unrestored(['user.email', 'open.shown-members', 'open.email-required-note', 'update.fields-optional'], {
    'email-not-yet-there: Neither user has an e-mail address yet, and none is shown.': usersWith({ email: undefined }),
  }),
  ...unrestored(['user.root-role', 'open.shown-members', 'open.root-role-response'], {
    'role-not-yet-there: Neither user has a role yet, and none is shown.': usersWith({ rootRole: undefined }),
  }),
  ...unrestored(['user.name', 'open.value-bounds'], {
    'empty-name-cannot-return: Both users have an empty name, which the server now refuses in updates.': {
      ...usersWith({ name: '' }),
      ...refusing(({ name }) => name === ''),
    },
  }),
];

/** Every form of a date-time (RFC 3339, 5.6). */
const DATE_TIMES = [
  '2025-06-01t08:00:00z',
  '2025-06-01 08:00:00Z',
  '2025-06-01T08:00:00Z',
  ...['1', '12', '123', '1234', '12345', '123456', '1234567', '12345678', '123456789'].map(
    (digits) => `2025-06-01T08:00:00.${digits}Z`,
  ),
  '2025-06-01T21:45:00+13:45',
  '2025-05-31T20:00:00.5-12:00',
  '2025-06-01T08:00:00-00:00',
  '2016-12-31T23:59:60Z',
  '2017-01-01T00:59:60.999+01:00',
  '2024-02-29T23:59:59Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
];

/** Each form at a user once, and at a banner. */
const dates = about(
  ['user.seen-at', 'user.created-at', 'banner.created-at'],
  tableOf(
    [0, 4, 8, 12, 16],
    (first) => `date-times-from-${first + 1}: Users and banners have date-times in the forms from number ${first + 1}.`,
    (first) => {
      const [one = '', two = '', three = '', four = ''] = DATE_TIMES.slice(first, first + 4);
      const { users } = usersWith((_user, at) => ({ createdAt: [one, two][at], seenAt: [three, four][at] })).seed;
      const banners = [one, two, three, four].map((createdAt, at) => ({
        ...defaultSeed.banners[0],
        id: at + 1,
        createdAt,
      }));
      return { seed: { ...defaultSeed, users, banners } };
    },
  ),
);

/** Choices for the ids of users. */
const IDS: Table<readonly [number, number]> = {
  'of-32-bits: just beyond 32 bits': [2_147_483_648, 4_294_967_296],
  'of-53-bits: the largest that a double can represent exactly': [9_007_199_254_740_991, 9_007_199_254_740_990],
  'negative: negative': [-1, -2],
  'zero: 0 and 1': [0, 1],
  'that-begin-alike: 1 and 11, one a prefix of the other': [1, 11],
};

const BIG_IDS: readonly (readonly [big: string, small: string])[] = [
  ['9007199254740993', '1'],
  ['9007199254740995', '2'],
];

const ids: readonly WrittenVariant[] = [
  ...about(
    ['user.id', 'path-id.integer', 'update.id-matches-path'],
    IDS,
    'ids-*: The ids of the users are *.',
    (both) => usersWith((_user, index) => ({ id: both[index] })),
  ),
  ...named<WrittenVariant>({
    'ids-beyond-53-bits: The ids of the users are larger than a double can represent exactly.': {
      about: ['user.id', 'update.id-matches-path', 'update.addressed-user-only'],
      behaviour: {
        toService: (target) =>
          BIG_IDS.reduce((rest, [big, small]) => rest.replace(new RegExp(`/${big}(?=$|[/?])`), `/${small}`), target),
        ...writing((text) =>
          BIG_IDS.reduce((rest, [big, small]) => rest.replace(`{"id":${small},"isAPI"`, `{"id":${big},"isAPI"`), text),
        ),
      },
      inputs: { userId: '9007199254740993', otherUserId: '9007199254740995' },
    },
    'missing-id-negative: The id of the missing user is negative, and the server responds 404 to it.': {
      about: ['missing-user.not-found', 'path-id.integer'],
      behaviour: {},
      inputs: { missingUserId: '-7' },
    },
    'missing-id-beyond-64-bits: The id of the missing user exceeds 64 bits, and the server still responds 404.': {
      about: ['missing-user.not-found', 'path-id.integer'],
      behaviour: {},
      inputs: { missingUserId: '99999999999999999999999' },
    },
  }),
];

/** Objects, links, names of others in another case or of every JavaScript object, numbers at the limits of a double. */
const EXTRAS = ({ id }: User): Members => ({
  groups: [{ id: 1, members: [[], {}, [null]] }],
  _links: { self: { href: `/users/${id}` } },
  user: { id: 999 },
  banners: [],
  message: 'fine',
  error: null,
  ...{ big: 1e308, small: 5e-324, negativeZero: -0 },
  ...{ biography: 'x'.repeat(200_000), tree: JSON.parse('['.repeat(100) + ']'.repeat(100)) as unknown },
  ...{ ID: 'x', Name: 5, EMAIL: null, rootrole: [], UserName: {}, createdat: 'yesterday', is_api: 'no' },
  ...{ constructor: null, toString: 1, hasOwnProperty: 'no', length: -1 },
});

const extras: readonly WrittenVariant[] = [
  ...about(['open.extra-members', 'user.object'], {
    'extra-user-members: A user has members that the contract does not list: nested, huge, deep, in other case, or with names of every object.':
      adding(EXTRAS),
    'extra-user-members-proto: A user has a member `__proto__` with other values.': writing((text) =>
      text.replace(/^\{"id"/, '{"__proto__":{"id":99,"name":"other"},"id"'),
    ),
  }),
  ...about(['open.extra-members', 'bodies.json'], {
    'extra-user-members-numbers-beyond-double: A user has numbers that overflow a double or lose digits in one.':
      writing((text) => text.replace(/^\{"id"/, '{"huge":1e999,"exact":12345678901234567890.123,"id"')),
  }),
  ...about(['open.extra-members', 'update.other-members-keep', 'open.states'], {
    'extra-user-members-updated-at: A user has a member that changes with every update.': showing(
      (user, _sent, turn) => ({ ...user, updatedAt: turn, state: turn % 2 === 0 ? 'old' : 'new' }),
    ),
  }),
];

/** Choices for the user in a response. Source: Resources, User. */
export const userVariants: readonly WrittenVariant[] = [...values, ...dates, ...ids, ...extras];
