import { createHash } from 'node:crypto';
import type { User } from '../../contract/document.ts';
import { isRecord } from '../../common/json.ts';
import type { InconclusiveReason } from '../../conformance/judging/reasons.ts';
import { defaultSeed, updatableMembers } from '../../reference-server/seed.ts';
import { Refused } from '../../reference-server/rules.ts';
import type { Variant } from '../variant.ts';
import {
  adding,
  hiding,
  refusing,
  showing,
  showingByTurn,
  showingOnly,
  together,
  usersWith,
  writing,
  type Replacing,
} from './freedoms.ts';

const notSeen = (...globs: readonly string[]): Record<string, InconclusiveReason> =>
  Object.fromEntries(globs.map((glob) => [glob, 'not-observable']));

/** Where the role is never shown. */
const ROLE_UNSEEN = notSeen('update-*role-shown', 'update-*role-stored', 'update-*-keeps-role', 'update-*role-keeps-*');

/** Where no effect of an update, or of a refused one, can be seen. */
const EFFECTS_UNSEEN = notSeen(
  'refused-*-changes-nothing',
  'update-*-stored',
  'update-*-keeps-*',
  'update-*spares-*',
  'update-empty-body',
  'update-concurrent-*',
);
const NAMES_UNSEEN = notSeen('update-name-*', 'update-member-*');
const EMAIL_UNSEEN = notSeen('update-email-empty');
const ANSWERS_UNSEEN = notSeen('update-*-shown');
/** Where an update of name and e-mail cannot be seen to be stored, and so not either what it leaves alone. */
const UNTOUCHED_UNSEEN = notSeen('update-keeps-*');

/** Freedoms in which members are shown. */
const shown: readonly Variant[] = [
  {
    id: 'role-hidden',
    title: 'Answers never show `rootRole`.',
    about: ['open.shown-members', 'open.root-role-response'],
    inconclusive: ROLE_UNSEEN,
    notPutBack: true,
    behaviour: hiding('rootRole'),
  },
  {
    id: 'shows-id-only',
    title: 'Answers show a user as nothing but its `id`.',
    about: ['open.shown-members', 'user.object', 'user.id'],
    inconclusive: {
      ...EFFECTS_UNSEEN,
      ...ANSWERS_UNSEEN,
      ...NAMES_UNSEEN,
      ...EMAIL_UNSEEN,
      ...notSeen('update-repeated'),
    },
    notPutBack: true,
    behaviour: showingOnly('id'),
  },
  {
    id: 'shows-sent-members-only',
    title: 'Answers show the `id` and what was sent.',
    about: ['open.shown-members', 'update.answer-shows-user'],
    inconclusive: { ...EFFECTS_UNSEEN, ...notSeen('update-repeated') },
    notPutBack: true,
    behaviour: showing(({ id }, sent) => ({ ...sent, id })),
  },
  {
    id: 'shows-unsent-members-only',
    title: 'Answers show everything but what was sent.',
    about: ['open.shown-members', 'update.answer-shows-user'],
    inconclusive: ANSWERS_UNSEEN,
    behaviour: showing(({ id, ...user }, sent) => ({
      id,
      ...Object.fromEntries(Object.entries(user).filter(([member]) => !Object.hasOwn(sent, member))),
    })),
  },
  {
    id: 'shows-what-can-be-sent',
    title: 'Answers show `id`, `name`, `email` and `rootRole`, and no other member.',
    about: ['open.shown-members', 'open.account-type-values', 'update.other-members-keep', 'update.kept-members-shown'],
    behaviour: showingOnly('id', 'name', 'email', 'rootRole'),
  },
  {
    id: 'shows-name-only',
    title: 'Answers show `id` and `name`, and no other member.',
    about: ['open.shown-members'],
    inconclusive: { ...EFFECTS_UNSEEN, ...ANSWERS_UNSEEN, ...EMAIL_UNSEEN },
    notPutBack: true,
    behaviour: showingOnly('id', 'name'),
  },
  {
    id: 'shows-email-only',
    title: 'Answers show `id` and `email`, and no other member.',
    about: ['open.shown-members'],
    inconclusive: { ...EFFECTS_UNSEEN, ...ANSWERS_UNSEEN, ...NAMES_UNSEEN },
    notPutBack: true,
    behaviour: showingOnly('id', 'email'),
  },
  {
    id: 'name-hidden',
    title: 'Answers never show `name`.',
    about: ['open.shown-members', 'user.name'],
    inconclusive: { ...EFFECTS_UNSEEN, ...ANSWERS_UNSEEN, ...UNTOUCHED_UNSEEN, ...NAMES_UNSEEN },
    notPutBack: true,
    behaviour: hiding('name'),
  },
  {
    id: 'email-hidden',
    title: 'Answers never show `email`, as a matter of privacy.',
    about: ['open.shown-members', 'user.email'],
    inconclusive: { ...EFFECTS_UNSEEN, ...ANSWERS_UNSEEN, ...UNTOUCHED_UNSEEN, ...EMAIL_UNSEEN },
    notPutBack: true,
    behaviour: hiding('email'),
  },
  {
    id: 'shows-all-to-an-empty-body-only',
    title: 'The answer to `{}` shows the whole user; that to an update shows its `id`.',
    about: ['open.shown-members', 'open.empty-body'],
    inconclusive: ANSWERS_UNSEEN,
    behaviour: showing((user, sent) => (Object.keys(sent).length === 0 ? user : { id: user.id })),
  },
  {
    id: 'shows-id-only-to-an-empty-body',
    title: 'The answer to `{}` shows the `id` alone; that to an update shows the whole user.',
    about: ['open.shown-members', 'open.empty-body'],
    notPutBack: true,
    behaviour: showing((user, sent) =>
      updatableMembers.some((member) => Object.hasOwn(sent, member)) ? user : { id: user.id },
    ),
  },
  {
    id: 'shows-members-by-turns',
    title: 'Of the members that cannot be sent, every answer shows others.',
    about: ['open.shown-members', 'update.other-members-keep', 'user.invite-link', 'user.image-url'],
    behaviour: showingByTurn((user, turn) =>
      Object.fromEntries(
        Object.entries(user).filter(
          ([name], index) => ['id', 'name', 'email', 'rootRole'].includes(name) || (index + turn) % 3 === 0,
        ),
      ),
    ),
  },
  {
    id: 'members-in-changing-order',
    title: 'The members of a user come in another order in each answer.',
    about: ['user.object'],
    behaviour: showingByTurn((user, turn) => {
      const members = Object.entries(user);
      const at = turn % members.length;
      return Object.fromEntries([...members.slice(at), ...members.slice(0, at)]);
    }),
  },
  ...(
    [
      ['isAPI', 'user.is-api'],
      ['username', 'user.username'],
      ['imageUrl', 'user.image-url'],
      ['inviteLink', 'user.invite-link'],
      ['loginAttempts', 'user.login-attempts'],
      ['emailSent', 'user.email-sent'],
      ['seenAt', 'user.seen-at'],
      ['createdAt', 'user.created-at'],
      ['accountType', 'user.account-type'],
      ['permissions', 'user.permissions'],
      ['scimId', 'user.scim-id'],
    ] as const
  ).map(([member, requirement]): Variant => ({
    id: `hides-${member.replaceAll(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`)}`,
    title: `Answers never show \`${member}\`.`,
    about: ['open.shown-members', requirement],
    behaviour: hiding(member),
  })),
];

/** Freedoms in the values of members. */
const values: readonly Variant[] = [
  {
    id: 'nulls-left-out',
    title: 'A member that is null is left out of the answer.',
    about: ['open.shown-members', 'user.seen-at', 'user.scim-id', 'user.username'],
    behaviour: {
      ...usersWith(() => ({ username: null, seenAt: null, scimId: null })),
      ...showing((user) => Object.fromEntries(Object.entries(user).filter(([, value]) => value !== null))),
    },
  },
  {
    id: 'null-name',
    title: 'Both users have null as their name.',
    about: ['user.name'],
    notPutBack: true,
    behaviour: usersWith(() => ({ name: null })),
  },
  {
    id: 'null-name-left-out',
    title: 'Both users have no name, and a name that is not there is not shown.',
    about: ['user.name', 'open.shown-members'],
    notPutBack: true,
    behaviour: usersWith(() => ({ name: undefined })),
  },
  {
    id: 'email-not-yet-there',
    title: 'Both users have no e-mail address yet, and none is shown.',
    about: ['user.email', 'open.shown-members', 'open.email-required-note', 'update.fields-optional'],
    notPutBack: true,
    behaviour: usersWith(() => ({ email: undefined })),
  },
  {
    id: 'role-not-yet-there',
    title: 'Both users have no role yet, and none is shown.',
    about: ['user.root-role', 'open.shown-members', 'open.root-role-response'],
    notPutBack: true,
    behaviour: usersWith(() => ({ rootRole: undefined })),
  },
  {
    id: 'null-username',
    title: 'Both users have null as their username.',
    about: ['user.username', 'user.username-unique'],
    behaviour: usersWith(() => ({ username: null })),
  },
  {
    id: 'null-seen-at',
    title: 'Both users have never logged in.',
    about: ['user.seen-at'],
    behaviour: usersWith(() => ({ seenAt: null })),
  },
  {
    id: 'empty-texts',
    title: 'Both users have empty texts wherever a text may stand.',
    about: ['user.name', 'user.email', 'user.image-url', 'user.invite-link', 'user.account-type', 'open.value-bounds'],
    behaviour: usersWith(() => ({ name: '', email: '', imageUrl: '', inviteLink: '', accountType: '' })),
  },
  {
    id: 'empty-name-cannot-return',
    title: 'Both users have an empty name from older times; such a name is refused now.',
    about: ['user.name', 'open.value-bounds'],
    notPutBack: true,
    behaviour: {
      ...usersWith(() => ({ name: '' })),
      ...refusing(({ name }) => (name === '' ? 'name must not be empty.' : undefined)),
    },
  },
  {
    id: 'names-of-any-characters',
    title: 'Users have names with quotes, controls, emoji, half a surrogate pair and right-to-left text.',
    about: ['user.name', 'open.value-bounds', 'update.values-faithful'],
    behaviour: usersWith((_user, index) => ({
      name:
        index === 0 ? '"\\ \u0000\u001f\u2028 \ud83d\ude00 \ud800 e\u0301' : '\u05d2\u05e8\u05d9\u05d9\u05e1 <b>&amp;',
    })),
  },
  {
    id: 'names-that-are-long',
    title: 'Users have names of 20,000 characters.',
    about: ['user.name', 'open.value-bounds'],
    behaviour: usersWith((_user, index) => ({ name: String(index).repeat(20_000) })),
  },
  {
    id: 'users-that-are-alike',
    title: 'Both users have the same values in every member but `id`, `username` and `email`.',
    about: ['update.addressed-user-only', 'user.username-unique'],
    behaviour: usersWith(({ id, username, email }) => ({ ...defaultSeed.users[0], id, username, email })),
  },
  {
    id: 'service-accounts',
    title: 'Both users are service accounts with permissions of their own.',
    about: ['user.is-api', 'user.account-type', 'open.account-type-values', 'user.permissions'],
    behaviour: usersWith(() => ({ isAPI: true, accountType: 'Dienstkonto \ud83e\udd16', permissions: ['A', 'B'] })),
  },
  {
    id: 'login-attempts-of-any-size',
    title: 'Users have a negative and a very large count of failed logins.',
    about: ['user.login-attempts'],
    behaviour: usersWith((_user, index) => ({ loginAttempts: index === 0 ? -1 : 4_294_967_296 })),
  },
  {
    id: 'integers-with-a-fraction-of-zero',
    title: 'Integers are written as `1.0`, and 0 as `0e0`.',
    about: ['user.id', 'user.login-attempts', 'user.root-role', 'bodies.json'],
    behaviour: writing((text) => text.replaceAll(/:(\d+)(?=[,}])/g, (_all, digits) => `:${String(digits)}.0`)),
  },
  {
    id: 'image-from-email',
    title: '`imageUrl` is made from the e-mail address.',
    about: ['user.image-url', 'update.other-members-keep'],
    behaviour: adding(({ email = '' }) => ({
      imageUrl: `https://images.example.com/${createHash('sha256').update(email).digest('hex')}`,
    })),
  },
  {
    id: 'seen-at-moves',
    title: '`seenAt` is later in every answer.',
    about: ['user.seen-at', 'update.other-members-keep'],
    behaviour: showingByTurn((user, turn) => ({
      ...user,
      seenAt: new Date(Date.UTC(2026, 0, 1) + turn).toISOString(),
    })),
  },
  {
    id: 'permissions-follow-role',
    title: '`permissions` are those of the role.',
    about: ['user.permissions', 'update.other-members-keep'],
    behaviour: adding(({ rootRole }) => ({ permissions: rootRole === 1 ? ['ADMIN'] : [] })),
  },
  {
    id: 'invite-link-once',
    title: '`inviteLink` is another one in each answer, and is missing from every second one.',
    about: ['user.invite-link', 'update.other-members-keep', 'open.shown-members'],
    behaviour: showingByTurn(({ inviteLink, ...user }, turn) =>
      turn % 2 === 0 ? user : { ...user, inviteLink: `${inviteLink ?? ''}?once=${turn}` },
    ),
  },
  {
    id: 'welcome-email-after-change',
    title: '`emailSent` becomes false with a new e-mail address and true with the next answer.',
    about: ['user.email-sent', 'update.other-members-keep'],
    behaviour: showing((user, sent) => ({ ...user, emailSent: sent.email === undefined })),
  },
  {
    id: 'created-at-in-coarser-precision',
    title:
      'The first answer shows `createdAt` in microseconds, later ones in seconds: the same moment as it is stored.',
    about: ['user.created-at', 'update.other-members-keep'],
    behaviour: {
      ...usersWith(() => ({ createdAt: '2025-06-01T08:00:00.123456Z' })),
      ...showingByTurn((user, turn) => (turn <= 2 ? user : { ...user, createdAt: '2025-06-01T08:00:00Z' })),
    },
  },
  {
    id: 'created-at-in-changing-zones',
    title: '`createdAt` is the same moment in another time zone in each answer.',
    about: ['user.created-at', 'update.other-members-keep'],
    behaviour: showingByTurn((user, turn) => {
      const hours = turn % 12;
      const local = new Date(Date.parse(user.createdAt ?? '') + hours * 3_600_000).toISOString().slice(0, 19);
      return { ...user, createdAt: `${local}+${String(hours).padStart(2, '0')}:00` };
    }),
  },
];

/** Every form of a date-time (RFC 3339, 5.6). */
const DATE_TIMES: readonly (readonly [id: string, what: string, text: string])[] = [
  ['lower-case', 'with t and z in lower case', '2025-06-01t08:00:00z'],
  ['space', 'with a space between date and time', '2025-06-01 08:00:00Z'],
  ['seconds', 'without a fraction', '2025-06-01T08:00:00Z'],
  ...Array.from({ length: 9 }, (_each, index) => {
    const digits = '123456789'.slice(0, index + 1);
    return [`fraction-${index + 1}`, `with ${index + 1} digits of a second`, `2025-06-01T08:00:00.${digits}Z`] as const;
  }),
  ['offset-east', 'with an offset to the east', '2025-06-01T21:45:00+13:45'],
  ['offset-west', 'with an offset to the west', '2025-05-31T20:00:00.5-12:00'],
  ['offset-unknown', 'with an unknown offset', '2025-06-01T08:00:00-00:00'],
  ['leap-second', 'in a leap second', '2016-12-31T23:59:60Z'],
  ['leap-second-east', 'in a leap second, in another zone', '2017-01-01T00:59:60.999+01:00'],
  ['leap-day', 'on a leap day', '2024-02-29T23:59:59Z'],
  ['first', 'in the year 1', '0001-01-01T00:00:00Z'],
  ['last', 'in the year 9999', '9999-12-31T23:59:59.999999999Z'],
];

const dates: readonly Variant[] = DATE_TIMES.map(([id, what, text]) => ({
  id: `date-time-${id}`,
  title: `Date-times come ${what}.`,
  about: ['user.seen-at', 'user.created-at', 'banner.created-at'],
  behaviour: {
    seed: {
      ...usersWith(() => ({ seenAt: text, createdAt: text })).seed,
      banners: defaultSeed.banners.map((banner) => ({ ...banner, createdAt: text })),
    },
  },
}));

/** Freedoms in the ids of users. */
const IDS: readonly (readonly [id: string, what: string, ids: readonly [number, number]])[] = [
  ['of-32-bits', 'just beyond 32 bits', [2_147_483_648, 4_294_967_296]],
  ['of-53-bits', 'the largest that a double holds exactly', [9_007_199_254_740_991, 9_007_199_254_740_990]],
  ['negative', 'negative', [-1, -2]],
  ['zero', '0 and 1', [0, 1]],
  ['that-begin-alike', '1 and 11, one a prefix of the other', [1, 11]],
];

const ids: readonly Variant[] = [
  ...IDS.map(([id, what, both]): Variant => ({
    id: `ids-${id}`,
    title: `The ids of the users are ${what}.`,
    about: ['user.id', 'path-id.integer', 'update.id-matches-path'],
    behaviour: usersWith((_user, index) => ({ id: both[index] })),
  })),
  {
    id: 'missing-id-negative',
    title: 'The id that no user has is negative, and refused with 404 like any other.',
    about: ['missing-user.not-found', 'path-id.integer'],
    behaviour: {},
    inputs: { missingUserId: '-7' },
  },
  {
    id: 'missing-id-beyond-64-bits',
    title: 'The id that no user has is larger than any column holds, and still answered 404.',
    about: ['missing-user.not-found', 'path-id.integer'],
    behaviour: {},
    inputs: { missingUserId: '99999999999999999999999' },
  },
];

/** Freedoms of extra members. */
const EXTRAS: readonly (readonly [id: string, what: string, members: (user: User) => Record<string, unknown>])[] = [
  [
    'nested',
    'objects and arrays',
    () => ({ groups: [{ id: 1, members: [[], {}, [null]] }], settings: { a: { b: 1 } } }),
  ],
  ['huge', 'a text of 200,000 characters', () => ({ biography: 'x'.repeat(200_000) })],
  [
    'deep',
    'an array nested a hundred times',
    () => ({ tree: JSON.parse('['.repeat(100) + ']'.repeat(100)) as unknown }),
  ],
  [
    'in-other-case',
    'members named like those of the contract in another case, of other types',
    () => ({ ID: 'x', Name: 5, EMAIL: null, rootrole: [], UserName: {}, createdat: 'yesterday', is_api: 'no' }),
  ],
  [
    'of-objects',
    'members named like those of every JavaScript object',
    () => ({ constructor: null, toString: 1, hasOwnProperty: 'no', length: -1 }),
  ],
  [
    'links',
    'links and an embedded user',
    ({ id }) => ({ _links: { self: { href: `/users/${id}` } }, user: { id: 999 } }),
  ],
  ['numbers', 'numbers beyond what a double holds', () => ({ big: 1e308, small: 5e-324, negativeZero: -0 })],
  ['banners', 'a member `banners` and the members of an error', () => ({ banners: [], message: 'fine', error: null })],
];

const extras: readonly Variant[] = [
  ...EXTRAS.map(([id, what, members]): Variant => ({
    id: `extra-user-members-${id}`,
    title: `A user shows members beyond the contract: ${what}.`,
    about: ['open.extra-members', 'user.object'],
    behaviour: adding(members),
  })),
  {
    id: 'extra-user-members-proto',
    title: 'A user shows a member `__proto__` with other values.',
    about: ['open.extra-members', 'user.object'],
    behaviour: writing((text) => text.replace(/^\{"id"/, '{"__proto__":{"id":99,"name":"other"},"id"')),
  },
  {
    id: 'extra-user-members-numbers-beyond-double',
    title: 'A user shows numbers that overflow a double or lose digits in one.',
    about: ['open.extra-members', 'bodies.json'],
    behaviour: writing((text) => text.replace(/^\{"id"/, '{"huge":1e999,"exact":12345678901234567890.123,"id"')),
  },
  {
    id: 'extra-user-members-updated-at',
    title: 'A user shows a member that changes with every update.',
    about: ['open.extra-members', 'update.other-members-keep', 'open.states'],
    behaviour: showingByTurn((user, turn) => ({ ...user, updatedAt: turn, state: turn % 2 === 0 ? 'old' : 'new' })),
  },
];

const ROLE_NAMES = ['Admin', 'Editor'] as const;
const roleName = (role: unknown): string => ROLE_NAMES[Number(role) - 1] ?? 'Viewer';

/** Takes roles in another form than it stores them. `read` gives undefined for a value that is no role. */
function takingRoles(read: (role: unknown) => number | undefined): Replacing {
  return {
    replace: (rules) => ({
      validateUpdate: (value) => {
        if (!isRecord(value) || !Object.hasOwn(value, 'rootRole')) return rules.validateUpdate(value);
        const rootRole = read(value.rootRole);
        if (rootRole === undefined) throw new Refused(400, 'rootRole is no role.');
        return rules.validateUpdate({ ...value, rootRole });
      },
    }),
  };
}

const idOfObject = (role: unknown): number | undefined =>
  isRecord(role) && Number.isInteger(role.id) ? Number(role.id) : undefined;
const idOfName = (role: unknown): number | undefined => {
  const at = ROLE_NAMES.findIndex((name) => name === role);
  return at === -1 ? undefined : at + 1;
};
const known = (role: unknown): number | undefined => (role === 1 || role === 2 ? role : undefined);

/** Freedoms of the role. */
const roles: readonly Variant[] = [
  {
    id: 'role-object-with-id',
    title: '`rootRole` is shown as an object with an `id`.',
    about: ['open.root-role-response', 'user.root-role'],
    behaviour: adding(({ rootRole }) => ({ rootRole: { id: rootRole } })),
  },
  {
    id: 'role-object-with-name',
    title: '`rootRole` is shown as an object with `id`, `name` and more.',
    about: ['open.root-role-response', 'user.root-role'],
    behaviour: adding(({ rootRole }) => ({
      rootRole: { id: rootRole, name: roleName(rootRole), description: null, permissions: [] },
    })),
  },
  {
    id: 'role-object-with-moving-members',
    title: '`rootRole` is shown as an object of which all but the `id` differs from answer to answer.',
    about: ['open.root-role-response', 'user.root-role'],
    behaviour: showingByTurn((user, turn) => ({ ...user, rootRole: { id: user.rootRole, users: turn } })),
  },
  {
    id: 'role-object-without-id',
    title: '`rootRole` is shown as an object with a name and no `id`.',
    about: ['open.root-role-response', 'user.root-role'],
    inconclusive: notSeen(
      'update-*role-shown',
      'update-*role-stored',
      'update-*role-keeps-*',
      'update-second-keeps-role',
    ),
    notPutBack: true,
    behaviour: together(
      takingRoles(known),
      adding(({ rootRole }) => ({ rootRole: { name: roleName(rootRole) } })),
    ),
  },
  {
    id: 'role-object-with-text-id',
    title: '`rootRole` is shown as an object whose `id` is a text.',
    about: ['open.root-role-response', 'user.root-role'],
    inconclusive: notSeen(
      'update-*role-shown',
      'update-*role-stored',
      'update-*role-keeps-*',
      'update-second-keeps-role',
    ),
    notPutBack: true,
    behaviour: together(
      takingRoles(known),
      adding(({ rootRole }) => ({ rootRole: { id: `role-${JSON.stringify(rootRole)}` } })),
    ),
  },
  {
    id: 'role-object-empty',
    title: '`rootRole` is shown as an empty object.',
    about: ['open.root-role-response', 'user.root-role'],
    inconclusive: notSeen(
      'update-*role-shown',
      'update-*role-stored',
      'update-*role-keeps-*',
      'update-second-keeps-role',
    ),
    notPutBack: true,
    behaviour: together(
      takingRoles(known),
      adding(() => ({ rootRole: {} })),
    ),
  },
  {
    id: 'roles-taken-as-objects',
    title: 'A role is taken as an object with its `id`, and shown as an integer.',
    about: ['open.root-role-request', 'open.root-role-response', 'request-body.root-role-type'],
    behaviour: takingRoles(idOfObject),
    inputs: { roleIds: [{ id: 1 }, { id: 2 }] },
  },
  {
    id: 'roles-as-objects-both-ways',
    title: 'A role is taken and shown as an object with its `id`.',
    about: ['open.root-role-request', 'open.root-role-response', 'user.root-role'],
    behaviour: together(
      takingRoles(idOfObject),
      adding(({ rootRole }) => ({ rootRole: { id: rootRole } })),
    ),
    inputs: { roleIds: [{ id: 1 }, { id: 2 }] },
  },
  {
    id: 'roles-taken-in-any-form',
    title: 'A role is taken as an integer, an object or a name, and shown as an integer.',
    about: ['open.root-role-request', 'request-body.root-role-type'],
    behaviour: takingRoles((role) => known(role) ?? idOfObject(role) ?? idOfName(role)),
  },
  {
    id: 'roles-taken-as-names',
    title: 'A role is taken as its name, and shown as an integer; the operator declares the names.',
    about: ['open.root-role-request', 'open.root-role-response'],
    inconclusive: notSeen(
      'update-*role-shown',
      'update-*role-stored',
      'update-*role-keeps-*',
      'update-second-keeps-role',
    ),
    notPutBack: true,
    behaviour: takingRoles(idOfName),
    inputs: { roleIds: ROLE_NAMES },
  },
  {
    id: 'roles-of-any-integer',
    title: 'Roles are negative and large integers.',
    about: ['open.root-role-request', 'user.root-role'],
    behaviour: usersWith(() => ({ rootRole: -1 })),
    inputs: { roleIds: [-1, 0, 9_007_199_254_740_991] },
  },
  {
    id: 'roles-unknown-refused',
    title: 'A role that does not exist is refused with 400.',
    about: ['open.root-role-request', 'open.value-bounds'],
    behaviour: takingRoles(known),
  },
];

/** Freedoms of the user in an answer. Source: Resources, User. */
export const userVariants: readonly Variant[] = [...shown, ...values, ...dates, ...ids, ...extras, ...roles];
