import { hash } from 'node:crypto';
import { isRecord, objectOf } from '../../common/json.ts';
import type { UpdateUser } from '../../contract/document.ts';
import { defaultSeed, updatableMembers } from '../../reference-server/seed.ts';
import { Refused } from '../../reference-server/rules.ts';
import { about, unrestored, type Variant } from '../server.ts';
import type { Behaviour } from '../servers/behaviour.ts';
import { type Around, anUpdate, isUpdate, sentId, sentMembers, takenAs, toId } from '../servers/requests.ts';
import { adding, showing, writing } from '../servers/responses.ts';
import { reading, refusing, sent, usersWith } from '../servers/updates.ts';

/** Shows only the members of a user that are chosen, given what was sent, and the number of the response from 1. */
function choosing(isShown: (name: string, value: unknown, sent: UpdateUser, turn: number) => boolean): Around {
  return showing(anUpdate, (user, { request, count }) => {
    const shown = Object.entries(user).filter(([name, value]) => isShown(name, value, sentMembers(request), count));
    return Object.fromEntries(shown);
  });
}

const KNOWN = ['id', ...updatableMembers];
const isEmpty = (value: unknown): boolean => value === null || value === '';

/** Choices of which members of a user are shown. Source: Resources, User. */
export const shownVariants: readonly Variant[] = [
  ...about(['open.shown-members', 'update.other-members-keep'], {
    'shows-what-can-be-sent: Responses show only `id`, `name`, `email` and `rootRole`': choosing((name) =>
      KNOWN.includes(name),
    ),
    'shows-texts-by-turns: Every third response leaves out `name`, and every fourth one `email`': choosing(
      (name, _value, _sent, turn) => !(name === 'name' && turn % 3 === 0) && !(name === 'email' && turn % 4 === 0),
    ),
    'members-shown-only-with-a-value: Members that are null or empty are not shown': choosing(
      (_name, value) => !isEmpty(value),
    ),
    'shows-all-to-an-empty-body-only: The response to `{}` shows the whole user; the response to an update shows only its `id`':
      choosing((name, _value, sent) => name === 'id' || Object.keys(sent).length === 0),
  }),
  ...unrestored(['open.shown-members', 'open.root-role-response', 'open.empty-body', 'user.name', 'user.email'], {
    'role-hidden: Responses never show `rootRole`': choosing((name) => name !== 'rootRole'),
    'role-shown-only-when-sent: Responses show `rootRole` only if the request sent it': choosing(
      (name, _value, sent) => name !== 'rootRole' || Object.hasOwn(sent, 'rootRole'),
    ),
    'shows-id-only: Responses show only the `id` of a user': choosing((name) => name === 'id'),
    'shows-sent-members-only: Responses show only the `id` and what was sent': showing(
      anUpdate,
      ({ id }, { request }) => ({ ...sentMembers(request), id }),
    ),
    'email-hidden: Responses never show `email`, for privacy': choosing((name) => name !== 'email'),
    'email-shown-now-and-then: Every third response leaves `email` out': choosing(
      (name, _value, _sent, turn) => name !== 'email' || turn % 3 !== 0,
    ),
    'shows-id-only-to-an-empty-body: The response to `{}` shows only the `id`; the response to an update shows the whole user':
      choosing((name, _value, body) => name === 'id' || sent(body).length > 0),
  }),
];

const ODD_NAMES = ['"\\ \u0000\u001f\u2028 \ud83d\ude00 \ud800 e\u0301', '\u05d2\u05e8\u05d9\u05d9\u05e1 <b>&amp;'];
const SPELLINGS = [(digits: string) => `${digits}.0`, (digits: string) => `${digits}e0`, (digits: string) => digits];

/** Writes the integers of each response in another way. */
const integersRespelled = writing((text, turn) => {
  const write = SPELLINGS[turn % SPELLINGS.length] ?? String;
  return text.replaceAll(/:(\d+)(?=[,}])/g, (_all, digits: string) => `:${write(digits)}`);
});

/** No value is shown as null, as an empty text, or not at all. */
const noValueByTurns = showing(anUpdate, ({ scimId, inviteLink, ...user }, { count }) => ({
  ...user,
  ...(count % 2 === 0 && { scimId: isEmpty(scimId) ? '' : scimId, inviteLink: inviteLink ?? '' }),
}));

/** Choices for the values of a user. Source: Resources, User. */
export const valueVariants: readonly Variant[] = [
  ...about(['user.created-at', 'user.seen-at', 'update.other-members-keep'], {
    'created-at-in-coarser-precision: The first responses show `createdAt` with microseconds, later ones with seconds':
      {
        ...usersWith({ createdAt: '2025-06-01T08:00:00.123456Z', seenAt: '2016-12-31T23:59:60Z' }),
        ...adding(anUpdate, (_user, { count }) => (count <= 2 ? {} : { createdAt: '2025-06-01T08:00:00Z' })),
      },
  }),
  ...about(['user.username', 'user.username-unique', 'user.seen-at'], {
    'null-username-and-seen-at: Users have no username and no `seenAt`': usersWith({
      username: null,
      seenAt: null,
    }),
  }),
  ...about(['user.name', 'user.email', 'user.image-url', 'user.invite-link', 'user.scim-id', 'open.value-bounds'], {
    'empty-texts: Users have empty texts wherever a text is allowed': usersWith({
      name: '',
      email: '',
      imageUrl: '',
      inviteLink: '',
      accountType: '',
    }),
    'empty-texts-for-no-value: What has no value is shown as an empty text in some responses, and not at all in others':
      { ...usersWith({ scimId: null, inviteLink: undefined }), ...noValueByTurns },
    'names-of-any-characters: Users have names with quotes, control characters, half a surrogate pair and right-to-left text':
      usersWith((_user, index) => ({ name: ODD_NAMES[index] })),
    'email-in-its-own-case: E-mail addresses have capital letters, and keep them': usersWith(({ email = '' }) => ({
      email: email.toUpperCase(),
    })),
  }),
  ...about(['update.addressed-user-only', 'user.username-unique'], {
    'users-that-are-alike: Users differ only in `id`, `username` and `email`': usersWith(({ id, username, email }) => ({
      ...defaultSeed.users[0],
      id,
      username,
      email,
    })),
  }),
  ...about(['user.id', 'user.login-attempts', 'user.root-role', 'bodies.json'], {
    'integers-in-other-spellings: Integers are written as `0`, `0.0` and `0e0`, by turns': integersRespelled,
  }),
  ...about(['user.image-url', 'user.seen-at', 'user.permissions', 'user.email-sent', 'user.invite-link'], {
    'derived-members: `imageUrl`, `permissions`, `emailSent` and `seenAt` follow from the rest, or from what happens':
      adding(anUpdate, (user, { request, count }) => ({
        imageUrl: `https://images.example.com/${hash('sha256', user.email ?? '')}`,
        permissions: user.rootRole === 1 ? ['ADMIN'] : [],
        emailSent: sentMembers(request).email === undefined,
        seenAt: new Date(Date.UTC(2026, 0, 1) + count).toISOString(),
      })),
  }),
  ...unrestored(['user.name', 'user.email', 'user.root-role', 'open.shown-members', 'open.email-required-note'], {
    'null-name: Users have null as their name': usersWith({ name: null }),
    'email-not-yet-there: Users have no e-mail address yet, and none is shown': usersWith({ email: undefined }),
    'role-not-yet-there: Users have no role yet, and none is shown': usersWith({ rootRole: undefined }),
    'old-name-cannot-return: Users have names that the bounds of today no longer allow': {
      ...usersWith((_user, at) => ({ name: `R2-D${at}` })),
      ...refusing(({ name = '' }) => /\d/.test(name)),
    },
  }),
];

/** Ids beyond a double, and those that the server keeps in their place. */
const BIG_IDS = { '9007199254740993': 1, '9007199254740995': 2 };

const beyondDoubles: Behaviour = {
  ...takenAs(isUpdate, (request) => {
    const small = new Map(Object.entries(BIG_IDS)).get(sentId(request));
    return small === undefined ? request : toId(request, small);
  }),
  ...writing((text) =>
    Object.entries(BIG_IDS).reduce(
      (rest, [big, id]) => rest.replace(`{"id":${id},"isAPI"`, `{"id":${big},"isAPI"`),
      text,
    ),
  ),
};

const withIds = (...ids: readonly number[]): Behaviour => usersWith((_user, index) => ({ id: ids[index] }));

/** Choices for the ids of users. */
export const idVariants: readonly Variant[] = about(['user.id', 'path-id.integer', 'update.id-matches-path'], {
  'ids-zero-and-negative: Ids are 0 and -1': withIds(0, -1),
  'ids-that-begin-alike: Ids are 1 and 11': withIds(1, 11),
  'ids-beyond-53-bits: Ids are larger than a double represents': [
    beyondDoubles,
    { userId: '9007199254740993', otherUserId: '9007199254740995' },
  ],
  'missing-id-beyond-64-bits: The id of the missing user exceeds 64 bits, and gets 404': [
    {},
    { missingUserId: '99999999999999999999999' },
  ],
});

const deep: unknown = JSON.parse('['.repeat(100) + ']'.repeat(100));

/** Members that the contract does not list. */
export const extraVariants: readonly Variant[] = about(
  ['open.extra-members', 'user.object', 'bodies.json', 'open.states'],
  {
    'extra-user-members: Users have nested, huge and deep members, some with the names of others in other case, of methods or of keywords':
      adding(anUpdate, ({ id }) => ({
        ...{
          groups: [{ id: 1, members: [[], {}, [null]] }],
          _links: { self: { href: `/users/${id}` } },
          user: { id: 999 },
        },
        ...{ banners: [], message: 'fine', error: null, big: 1e308, negativeZero: -0, biography: 'x'.repeat(200_000) },
        ...{ ID: 'x', Name: 5, EMAIL: null, rootrole: [], UserName: {}, is_api: 'no', tree: deep },
        ...{ constructor: null, toString: 1, hasOwnProperty: 'no', length: -1, then: 'later', toJSON: 5, valueOf: {} },
        ...{ $ref: '#/x', $schema: 'x', '': 0, '0': [], 'a.b': { 'c[0]': { id: '7', name: null } }, status: 500 },
      })),
    'extra-user-members-proto: Users have a member `__proto__` with other values': writing((text) =>
      text.replace(/^\{"id"/, '{"__proto__":{"id":99,"name":"other"},"id"'),
    ),
    'extra-user-members-beyond-double: Users have numbers that overflow a double or lose digits in one': writing(
      (text) => text.replace(/^\{"id"/, '{"huge":1e999,"exact":12345678901234567890.123,"id"'),
    ),
  },
);

const ROLE_NAMES: readonly unknown[] = ['Admin', 'Editor'];
const roleName = (role: unknown): unknown => ROLE_NAMES[Number(role) - 1] ?? 'Viewer';
const known = (role: unknown): number | undefined => (role === 1 || role === 2 ? role : undefined);
const idOfName = (role: unknown): number | undefined => known(ROLE_NAMES.indexOf(role) + 1);
const idOfObject = (role: unknown): number | undefined =>
  isRecord(role) && Number.isInteger(role.id) ? Number(role.id) : undefined;

/** Accepts roles in another form than it stores them. `read` returns undefined for a value that is no role. */
function takingRoles(read: (role: unknown) => number | undefined): Behaviour {
  return reading((body) => {
    if (!isRecord(body) || !Object.hasOwn(body, 'rootRole')) return body;
    const rootRole = read(body.rootRole);
    if (rootRole === undefined) throw new Refused(400, 'rootRole is no role.');
    return { ...body, rootRole };
  });
}

const roleShownAs = (show: (role: unknown, turn: number) => unknown): Behaviour =>
  adding(anUpdate, ({ rootRole }, { count }) => ({ rootRole: show(rootRole, count) }));
const OBJECTS = [{ id: 1 }, { id: 2 }];

/** Keeps the role of a user in a row of its own, which each change of the role replaces. */
const newRows: Behaviour = {
  around: (handle, { users }) => {
    const rows = new Map<number, { id: number; roleId: unknown }>();
    let last = 700;
    return (request) => {
      const answer = handle(request);
      const { id } = objectOf(answer.body);
      if (answer.status !== 200 || typeof id !== 'number') return answer;
      const roleId = users.get(id)?.rootRole;
      const row = rows.get(id);
      const now = row?.roleId === roleId && row ? row : { id: (last += 1), roleId };
      rows.set(id, now);
      return { ...answer, body: { ...objectOf(answer.body), rootRole: now } };
    };
  },
};

/** Choices for the role. Source: Resources, User; Endpoints, PUT user, request body. */
export const roleVariants: readonly Variant[] = [
  ...about(['open.root-role-response', 'open.root-role-request', 'user.root-role', 'request-body.root-role-type'], {
    'role-object-with-name: Responses show the role as an object with `id`, `name` and more': roleShownAs((id) => ({
      id,
      name: roleName(id),
      description: null,
      permissions: [],
    })),
    'role-object-with-id-of-row: Responses show the role as an object whose `id` is that of a row, beside the `roleId`':
      roleShownAs((roleId) => ({ id: Number(roleId) + 1, roleId })),
    'role-object-with-new-id: Responses show the role as an object with an `id` of its own each time it changes':
      newRows,
    'roles-taken-as-objects: A role is accepted as an object': [takingRoles(idOfObject), { roleIds: OBJECTS }],
    'declared-role-gets-400: One of the three roles that the operator declared gets 400': [
      refusing(({ rootRole }) => rootRole === 3),
      { roleIds: [1, 2, 3] },
    ],
    'declared-role-gets-403: The first of the roles that the operator declared gets 403': [
      refusing(({ rootRole }) => rootRole === 7, 403),
      { roleIds: [7, 1, 2] },
    ],
    'roles-of-any-integer: Roles are negative and large integers': [
      usersWith({ rootRole: -1 }),
      { roleIds: [-1, 0, 9_007_199_254_740_991] },
    ],
  }),
  ...unrestored(['open.root-role-response', 'open.root-role-request', 'user.root-role'], {
    'role-object-without-id: Responses show the role as an object with a name and no `id`': {
      ...takingRoles(known),
      ...roleShownAs((role) => ({ name: roleName(role) })),
    },
    'roles-taken-as-names: A role is accepted by its name': [takingRoles(idOfName), { roleIds: [...ROLE_NAMES] }],
  }),
];
