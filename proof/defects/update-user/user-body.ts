import type { User } from '../../../contract/document.ts';
import { defaultSeed } from '../../../reference-server/seed.ts';
import { memberDefects, type MemberFault } from '../every-operation/members.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, mapped } from '../../table.ts';
import { type Members, type Which, all, any, sendsOnly, withId } from '../requests.ts';
import { adding, sendingText, showing } from '../responses.ts';
import { anUpdate } from './updates.ts';

const SAMPLE_TIME = '2025-06-01T08:00:00.000Z';

const ofUser = withId(/^1$/);
const ofOther = withId(/^2$/);

/** Faults of serializers, drivers and incomplete migrations, some of them only in some responses. */
const ODD_VALUES: Table<MemberFault<User>> = {
  'id text-for-second-user: The id of one of the users is a string.': [({ id }) => String(id), ofOther],
  'id in-scientific-notation: The id of a user is a string in scientific notation.': [({ id }) => `${id}e0`],
  'isAPI null-for-second-user: The `isAPI` of one of the users is null.': [() => null, ofOther],
  'name false-in-empty-update: The response to `{}` shows false as name.': [() => false, sendsOnly()],
  'email null-for-second-user: The e-mail address of one of the users is null.': [() => null, ofOther],
  'username shown-as-staff-number: The username is a number.': [({ id }) => id * 100, ofUser],
  'username false-for-second-user: The username of one of the users is false.': [() => false, ofOther],
  'imageUrl null-after-email: After a new e-mail address, `imageUrl` is null.': [() => null, sendsOnly('email')],
  'imageUrl null-for-second-user: The `imageUrl` of one of the users is null.': [() => null, ofOther],
  'inviteLink null-for-second-user: The invite link of a user that has none is null.': [() => null, ofOther],
  'inviteLink false-where-none: The invite link of a user that has none is false.': [() => false, ofUser],
  'loginAttempts null-where-zero: The number of failed logins is null instead of 0.': [
    ({ loginAttempts }) => (loginAttempts === 0 ? null : loginAttempts),
  ],
  'loginAttempts text-for-second-user: The number of failed logins of one of the users is a string.': [
    () => '0',
    ofOther,
  ],
  'emailSent null-after-email: After a new e-mail address, `emailSent` is null.': [() => null, sendsOnly('email')],
  'rootRole shown-as-name: The role is its name.': [({ rootRole }) => (rootRole === 1 ? 'Admin' : 'Editor')],
  'rootRole text-for-second-user: The role of one of the users is a string.': [() => '2', ofOther],
  'seenAt never: The `seenAt` of a user that never logged in is a word.': [({ seenAt }) => seenAt ?? 'never'],
  'seenAt empty-where-none: The `seenAt` of a user that never logged in is an empty string.': [
    ({ seenAt }) => seenAt ?? '',
  ],
  'seenAt false-where-none: The `seenAt` of a user that never logged in is false.': [({ seenAt }) => seenAt ?? false],
  'seenAt shown-as-ago: `seenAt` says how long ago the login was.': [() => '3 days ago', ofUser],
  'createdAt an-object: `createdAt` is an object such as a database exports.': [() => ({ $date: SAMPLE_TIME })],
  'createdAt local-for-second-user: The `createdAt` of one of the users has no time zone.': [
    () => SAMPLE_TIME.slice(0, 19),
    ofOther,
  ],
  'accountType null-for-people: The account type of a person is null.': [() => null, ofUser],
  'permissions shown-as-numbers: The permissions are numbers.': [() => [1, 2]],
  'permissions with-null: One of the permissions is null.': [() => ['READ', null]],
  'permissions nested: The permissions are grouped in arrays.': [() => [['READ']]],
  'permissions null-where-none: The permissions of a user that has none are null.': [() => null, ofUser],
  'scimId shown-as-own-number: The SCIM id is a number.': [({ id }) => id, ofOther],
  'scimId false-where-none: The SCIM id of a user that has none is false.': [({ scimId }) => scimId ?? false],
};

/** What is shown in place of a user, and when. */
type Shown<Body> = readonly [change: (user: Body) => unknown, which?: Which];

const BODIES: Table<Shown<unknown>> = {
  'wrapped-in-user: The user is inside the member `user`.': [(user) => ({ user })],
  'wrapped-in-data: The user is inside the member `data`.': [(data) => ({ data })],
  'wrapped-beside-flag: The user is inside a member next to a success flag.': [(result) => ({ success: true, result })],
  'wrapped-for-second-user: One of the users is inside the member `user`.': [(user) => ({ user }), ofOther],
  'in-array: The user is inside an array, as a database returns rows.': [(user) => [user]],
  'a-number: The body of the response is the number of changed users.': [() => 1],
  'true: The body of the response is true.': [() => true],
  'null: The body of the response is null.': [() => null],
  'a-text: The body of the response is the string OK.': [() => 'OK'],
  'json-in-text: The body of the response is a string that contains the user as JSON.': [
    (user) => JSON.stringify(user),
  ],
  'null-after-email: The response to a new e-mail address is null.': [() => null, sendsOnly('email')],
  'an-array-after-empty-update: The response to `{}` is an array.': [(user) => [user], sendsOnly()],
};

const MISSING_IDS: Table<Shown<Members>> = {
  'left-out: A user has no `id`.': [(user) => user],
  'called-user-id: The id of a user has the name `userId`.': [(user) => ({ ...user, userId: user.id })],
  'called-as-in-database: The id of a user has the name `_id`.': [(user) => ({ ...user, _id: user.id })],
  'in-capitals: The id of a user has the name `ID`.': [(user) => ({ ...user, ID: user.id })],
  'left-out-for-second-user: One of the users has no `id`.': [(user) => user, ofOther],
  'left-out-after-role: The response to a new role has no `id`.': [(user) => user, sendsOnly('rootRole')],
  'only-with-changes: The response to `{}` is an empty object.': [() => ({}), sendsOnly()],
};

const BCRYPT = '$2b$10$' + 'KixY0wq1Yd3vQe7uS9aBcO' + 'fGh1jKl2mNo3pQr4sTu5vWx6yZa7bC8';

const SECRETS: Table<Members> = {
  'password-hash: the hash of the password': { passwordHash: BCRYPT },
  'hash-under-another-name: the hash of the password as `credential`': { credential: BCRYPT },
  'hash-in-settings: the hash of the password inside its settings': { settings: { login: [BCRYPT] } },
  'password: the password': { password: 'correct horse battery staple' },
  'salt: the salt of the password': { salt: 'b1946ac92492d234' },
};

/** Source: Resources, User. */
export const userBodyDefects: readonly WrittenDefect[] = [
  ...memberDefects('user', 'createUserResponseSchema', ODD_VALUES),
  ...breaking(
    'user.object',
    mapped(BODIES, ([change, which = any]) => showing(all(anUpdate, which), change)),
    'user-body-*: *',
  ),
  ...breaking(
    'user.id',
    mapped(MISSING_IDS, ([shown, which = any]) =>
      showing<Members>(all(anUpdate, which), (body) => ({ ...(shown(body) as Members), id: undefined })),
    ),
    'user-id-*: *',
  ),
  ...breaking('bodies.json', {
    'user-with-raw-control-characters: The control characters of a name are not escaped in a response.': sendingText(
      anUpdate,
      (json) => json.replaceAll(/\\u00([01].)/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    ),
  }),
  ...breaking('user.username-unique', {
    'username-of-two-users-stored: Two users have the same username.': {
      seed: { ...defaultSeed, users: defaultSeed.users.map((user) => ({ ...user, username: 'ada' })) },
    },
    'username-of-key-shown: Every user is shown with the username of the key.': adding(anUpdate, { username: 'admin' }),
  }),
  // A serializer that treats every member of a type alike: one fault, which each of these members shows.
  ...breaking(['user.id', 'user.root-role', 'user.login-attempts'], {
    'user-has-numbers-as-texts: The numbers of a user are strings of their digits.': showing<User>(anUpdate, (body) =>
      mapped({ ...body }, (value: unknown) => (typeof value === 'number' ? String(value) : value)),
    ),
  }),
  ...breaking(['user.image-url', 'user.invite-link', 'user.permissions'], {
    'user-has-null-where-absent: Members that a user does not have are null.': adding(anUpdate, {
      imageUrl: null,
      inviteLink: null,
      permissions: null,
    }),
  }),
  ...breaking(['user.created-at', 'user.seen-at'], {
    'user-has-times-of-sql: The times of a user have the format of a database.': adding(anUpdate, {
      createdAt: '2025-06-01 08:00:00',
      seenAt: '2025-06-01 08:00:00',
    }),
  }),
  ...breaking(
    'user.no-secrets',
    mapped(SECRETS, (members) => adding(anUpdate, members)),
    'user-shows-*: A user shows *.',
  ),
];
