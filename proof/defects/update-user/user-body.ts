import type { User } from '../../../contract/document.ts';
import { defaultSeed } from '../../../reference-server/seed.ts';
import { memberDefects, type MemberFault } from '../every-operation/members.ts';
import type { WrittenDefect } from '../../defect.ts';
import { type Table, breaking, mapped } from '../../table.ts';
import { type Members, type Which, all, any, sendsOnly, withId } from '../requests.ts';
import { adding, showing } from '../responses.ts';
import { anUpdate } from './updates.ts';

const ofOther = withId(/^2$/);

/** Faults of serializers, drivers and incomplete migrations, some of them only in some responses. */
const ODD_VALUES: Table<MemberFault<User>> = {
  'id text-for-second-user: The id of one of the users is a string.': [({ id }) => String(id), ofOther],
  'name false-in-empty-update: The response to `{}` shows false as name.': [() => false, sendsOnly()],
  'loginAttempts null-where-zero: The number of failed logins is null instead of 0.': [
    ({ loginAttempts }) => (loginAttempts === 0 ? null : loginAttempts),
  ],
  'emailSent null-after-email: After a new e-mail address, `emailSent` is null.': [() => null, sendsOnly('email')],
  'permissions shown-as-numbers: The permissions are numbers.': [() => [1, 2]],
};

/** What is shown in place of a user, and when. */
type Shown<Body> = readonly [change: (user: Body) => unknown, which?: Which];

const BODIES: Table<Shown<unknown>> = {
  'wrapped-in-user: The user is inside the member `user`.': [(user) => ({ user })],
  'in-array: The user is inside an array, as a database returns rows.': [(user) => [user]],
  'json-in-text: The body of the response is a string that contains the user as JSON.': [
    (user) => JSON.stringify(user),
  ],
  'an-array-after-empty-update: The response to `{}` is an array.': [(user) => [user], sendsOnly()],
};

const MISSING_IDS: Table<Shown<Members>> = {
  'left-out: A user has no `id`.': [(user) => user],
  'only-with-changes: The response to `{}` is an empty object.': [() => ({}), sendsOnly()],
};

const BCRYPT = '$2b$10$' + 'KixY0wq1Yd3vQe7uS9aBcO' + 'fGh1jKl2mNo3pQr4sTu5vWx6yZa7bC8';

const SECRETS: Table<Members> = {
  'password-hash: the hash of the password': { passwordHash: BCRYPT },
  'hash-in-settings: the hash of the password inside its settings': { settings: { login: [BCRYPT] } },
  'password: the password': { password: 'correct horse battery staple' },
};

/** Source: Resources, User. */
export const userBodyDefects: readonly WrittenDefect[] = [
  ...memberDefects('user', 'createUserResponseSchema', ODD_VALUES),
  ...breaking('user.object', BODIES, 'user-body-*: *', ([change, which = any]) =>
    showing(all(anUpdate, which), change),
  ),
  ...breaking(
    'user.id',
    mapped(MISSING_IDS, ([shown, which = any]) =>
      showing<Members>(all(anUpdate, which), (body) => ({ ...(shown(body) as Members), id: undefined })),
    ),
    'user-id-*: *',
  ),
  ...breaking('user.username-unique', {
    'username-of-two-users-stored: Two users have the same username.': {
      seed: { ...defaultSeed, users: defaultSeed.users.map((user) => ({ ...user, username: 'ada' })) },
    },
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
  ...breaking('user.no-secrets', SECRETS, 'user-shows-*: A user shows *.', (members) => adding(anUpdate, members)),
];
