import type { User } from '../../../contract/document.ts';
import { defaultSeed } from '../../../reference-server/seed.ts';
import { memberDefects, type MemberFault } from '../every-operation/members.ts';
import type { Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { alike, named, rows } from '../../table.ts';
import { sentId, sentMembers } from '../requests.ts';
import { type WhichResponse, showing } from '../responses.ts';
import { anUpdate, updateWhere } from './updates.ts';

type Body = Readonly<Record<string, unknown>>;

const SAMPLE_TIME = '2025-06-01T08:00:00.000Z';

const ofSecondUser: WhichResponse = ({ request }) => sentId(request) === '2';
const ofFirstUser: WhichResponse = ({ request }) => sentId(request) === '1';
const sending =
  (...members: readonly string[]): WhichResponse =>
  ({ request }) =>
    Object.keys(sentMembers(request)).sort().join() === members.join();

type OddRow = readonly [fault: string, title: string, value: (user: User) => unknown, which?: WhichResponse];

/** Faults of serializers, drivers and incomplete migrations, some of them only in some responses; by member. */
const ODD_VALUES: Readonly<Record<string, readonly OddRow[]>> = {
  id: rows({
    'text-for-second-user: The id of one of the users is a string.': [({ id }) => String(id), ofSecondUser],
    'in-scientific-notation: The id of a user is a string in scientific notation.': ({ id }) => `${id}e0`,
  }),
  isAPI: rows({
    'null-for-second-user: The `isAPI` of one of the users is null.': [() => null, ofSecondUser],
  }),
  name: rows({
    'false-in-empty-update: The response to `{}` shows false as name.': [() => false, sending()],
  }),
  email: rows({
    'null-for-second-user: The e-mail address of one of the users is null.': [() => null, ofSecondUser],
  }),
  username: rows({
    'shown-as-staff-number: The username is a number.': [({ id }) => id * 100, ofFirstUser],
    'false-for-second-user: The username of one of the users is false.': [() => false, ofSecondUser],
  }),
  imageUrl: rows({
    'null-after-email: After a new e-mail address, `imageUrl` is null.': [() => null, sending('email')],
    'null-for-second-user: The `imageUrl` of one of the users is null.': [() => null, ofSecondUser],
  }),
  inviteLink: rows({
    'null-for-second-user: The invite link of a user that has none is null.': [() => null, ofSecondUser],
    'false-where-none: The invite link of a user that has none is false.': [() => false, ofFirstUser],
  }),
  loginAttempts: rows({
    'null-where-zero: The number of failed logins is null instead of 0.': ({ loginAttempts }) =>
      loginAttempts === 0 ? null : loginAttempts,
    'text-for-second-user: The number of failed logins of one of the users is a string.': [() => '0', ofSecondUser],
  }),
  emailSent: rows({
    'null-after-email: After a new e-mail address, `emailSent` is null.': [() => null, sending('email')],
  }),
  rootRole: rows({
    'shown-as-name: The role is its name.': ({ rootRole }) => (rootRole === 1 ? 'Admin' : 'Editor'),
    'text-for-second-user: The role of one of the users is a string.': [() => '2', ofSecondUser],
  }),
  seenAt: rows({
    'never: The `seenAt` of a user that never logged in is a word.': ({ seenAt }) => seenAt ?? 'never',
    'empty-where-none: The `seenAt` of a user that never logged in is an empty string.': ({ seenAt }) => seenAt ?? '',
    'false-where-none: The `seenAt` of a user that never logged in is false.': ({ seenAt }) => seenAt ?? false,
    'shown-as-ago: `seenAt` says how long ago the login was.': [() => '3 days ago', ofFirstUser],
  }),
  createdAt: rows({
    'an-object: `createdAt` is an object such as a database exports.': () => ({ $date: SAMPLE_TIME }),
    'local-for-second-user: The `createdAt` of one of the users has no time zone.': [
      () => SAMPLE_TIME.slice(0, 19),
      ofSecondUser,
    ],
  }),
  accountType: rows({
    'null-for-people: The account type of a person is null.': [() => null, ofFirstUser],
  }),
  permissions: rows({
    'shown-as-numbers: The permissions are numbers.': () => [1, 2],
    'with-null: One of the permissions is null.': () => ['READ', null],
    'nested: The permissions are grouped in arrays.': () => [['READ']],
    'null-where-none: The permissions of a user that has none are null.': [() => null, ofFirstUser],
  }),
  scimId: rows({
    'shown-as-own-number: The SCIM id is a number.': [({ id }) => id, ofSecondUser],
    'false-where-none: The SCIM id of a user that has none is false.': ({ scimId }) => scimId ?? false,
  }),
};

const odd = Object.entries(ODD_VALUES).flatMap(([member, faults]) =>
  faults.map(([fault, title, value, which]): MemberFault => [
    member,
    fault,
    title,
    (user) => value(user as unknown as User),
    which,
  ]),
);

type BodyRow = readonly [id: string, title: string, change: (body: unknown) => unknown, which?: WhichResponse];

const WRAPPED: readonly BodyRow[] = rows({
  'wrapped-in-user: The user is inside the member `user`.': (user) => ({ user }),
  'wrapped-in-data: The user is inside the member `data`.': (data) => ({ data }),
  'wrapped-beside-flag: The user is inside a member next to a success flag.': (result) => ({ success: true, result }),
  'wrapped-for-second-user: One of the users is inside the member `user`.': [(user) => ({ user }), ofSecondUser],
});

const NO_OBJECTS: readonly BodyRow[] = rows({
  'in-array: The user is inside an array, as a database returns rows.': (user) => [user],
  'a-number: The body of the response is the number of changed users.': () => 1,
  'true: The body of the response is true.': () => true,
  'null: The body of the response is null.': () => null,
  'a-text: The body of the response is the string OK.': () => 'OK',
  'json-in-text: The body of the response is a string that contains the user as JSON.': (user) => JSON.stringify(user),
  'null-after-email: The response to a new e-mail address is null.': [() => null, sending('email')],
  'an-array-after-empty-update: The response to `{}` is an array.': [(user) => [user], sending()],
});

const any: WhichResponse = () => true;

const bodies: readonly Defect[] = [...WRAPPED, ...NO_OBJECTS].map((row) => {
  const [id, title, change, which = any] = row;
  return {
    id: `user-body-${id}`,
    title,
    breaks: ['user.object'],
    killedBy: { 'user-is-object': WRAPPED.includes(row) ? 'wrapped' : 'not-an-object' },
    behaviour: showing(updateWhere(which), change),
  };
});

const MISSING_IDS: readonly (readonly [
  id: string,
  title: string,
  shown: (user: Body) => Body,
  which?: WhichResponse,
])[] = rows({
  'left-out: A user has no `id`.': (user) => user,
  'called-user-id: The id of a user has the name `userId`.': (user) => ({ ...user, userId: user.id }),
  'called-as-in-database: The id of a user has the name `_id`.': (user) => ({ ...user, _id: user.id }),
  'in-capitals: The id of a user has the name `ID`.': (user) => ({ ...user, ID: user.id }),
  'left-out-for-second-user: One of the users has no `id`.': [(user) => user, ofSecondUser],
  'left-out-after-role: The response to a new role has no `id`.': [(user) => user, sending('rootRole')],
  'only-with-changes: The response to `{}` is an empty object.': [() => ({}), sending()],
});

const missing: readonly Defect[] = MISSING_IDS.map(([id, title, shown, which = any]) => ({
  id: `user-id-${id}`,
  title,
  breaks: ['user.id'],
  killedBy: { 'user-id': 'missing' },
  behaviour: showing(updateWhere(which), (body) => ({ ...shown(body as Body), id: undefined })),
}));

const usernames = alike(['user.username-unique'], { 'user-username-unique': 'same-username' })({
  'username-of-two-users-stored: Two users have the same username.': {
    seed: { ...defaultSeed, users: defaultSeed.users.map((user) => ({ ...user, username: 'ada' })) },
  },
  'username-of-key-shown: Every user is shown with the username of the key.': adding({ username: 'admin' }),
});

/** Adds members to the user in responses. */
function adding(members: Body): Behaviour {
  return showing(anUpdate, (body) => ({ ...(body as User), ...members }));
}

const shownBy = (...members: readonly string[]): Defect['killedBy'] =>
  Object.fromEntries(members.map((member) => [`user-${member}`, 'wrong-type']));

/** A serializer that treats every member of a type alike: one fault, which each of these members shows. */
const serializers = named<Defect>({
  'user-has-numbers-as-texts: The numbers of a user are strings of their digits.': {
    breaks: ['user.id', 'user.root-role', 'user.login-attempts'],
    killedBy: shownBy('id', 'root-role', 'login-attempts'),
    behaviour: showing(anUpdate, (body) => {
      const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);
      return Object.fromEntries(Object.entries(body as User).map(([member, value]) => [member, asText(value)]));
    }),
  },
  'user-has-null-where-absent: Members that a user does not have are null.': {
    breaks: ['user.image-url', 'user.invite-link', 'user.permissions'],
    killedBy: shownBy('image-url', 'invite-link', 'permissions'),
    behaviour: adding({ imageUrl: null, inviteLink: null, permissions: null }),
  },
  'user-has-times-of-sql: The times of a user have the format of a database.': {
    breaks: ['user.created-at', 'user.seen-at'],
    killedBy: shownBy('created-at', 'seen-at'),
    behaviour: adding({ createdAt: '2025-06-01 08:00:00', seenAt: '2025-06-01 08:00:00' }),
  },
});

const BCRYPT = '$2b$10$' + 'KixY0wq1Yd3vQe7uS9aBcO' + 'fGh1jKl2mNo3pQr4sTu5vWx6yZa7bC8';

const secrets = alike(['user.no-secrets'], { 'user-no-secrets': 'secret-shown' })({
  'user-shows-password-hash: A user shows the hash of the password.': adding({ passwordHash: BCRYPT }),
  'user-shows-hash-under-another-name: A user shows the hash of the password as `credential`.': adding({
    credential: BCRYPT,
  }),
  'user-shows-hash-in-settings: A user shows the hash of the password inside its settings.': adding({
    settings: { login: [BCRYPT] },
  }),
  'user-shows-password: A user shows the password.': adding({ password: 'correct horse battery staple' }),
  'user-shows-salt: A user shows the salt of the password.': adding({ salt: 'b1946ac92492d234' }),
});

/** Source: Resources, User. */
export const userBodyDefects: readonly Defect[] = [
  ...memberDefects('user', 'createUserResponseSchema', odd),
  ...bodies,
  ...missing,
  ...usernames,
  ...serializers,
  ...secrets,
];
