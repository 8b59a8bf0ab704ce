import type { User } from '../../../contract/document.ts';
import { defaultSeed } from '../../../reference-server/seed.ts';
import { memberDefects, type MemberFault } from '../every-operation/members.ts';
import type { Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { alike, named, rows } from '../../table.ts';
import { sentId, sentMembers } from '../requests.ts';
import { type WhichResponse, page, sendingText, showing } from '../responses.ts';
import { updateWhere } from './updates.ts';

type Body = Readonly<Record<string, unknown>>;

/** Wrong forms of a date-time, each made from one in UTC such as `2025-06-01T08:00:00.000Z`. */
const TIMES: readonly (readonly [fault: string, what: string, write: (time: string) => unknown])[] = rows({
  'without-zone: has no time zone': (time) => time.replace('Z', ''),
  'without-seconds: has no seconds': (time) => time.replace(/:\d\d\.\d+Z/, 'Z'),
  'a-date: is a date without a time': (time) => time.slice(0, 10),
  'epoch-in-milliseconds: is a number of milliseconds': (time) => Date.parse(time),
  'epoch-in-seconds: is a number of seconds': (time) => Date.parse(time) / 1_000,
  'epoch-as-text: is a string with a number of milliseconds': (time) => String(Date.parse(time)),
  'of-http: has the date format of HTTP header fields': (time) => new Date(time).toUTCString(),
  'of-sql: has the date format of a database': (time) => time.replace('T', ' ').replace(/\.\d+Z/, ''),
  'with-name-of-zone: has the name of a time zone': (time) => time.replace('Z', ' UTC'),
  'with-offset-without-colon: has an offset without a colon': (time) => time.replace('Z', '+0000'),
  'with-offset-in-hours: has an offset in hours': (time) => time.replace('Z', '+00'),
  'in-basic-format: has no separators': (time) => time.replaceAll(/[-:]|\.\d+/g, ''),
  'with-day-first: has the day first': (time) => time.replace(/^(\d+)-(\d+)-(\d+)T/, '$3.$2.$1 '),
  'on-impossible-day: is on February 30': (time) => time.replace(/-\d\d-\d\dT/, '-02-30T'),
  'in-month-13: is in a thirteenth month': (time) => time.replace(/-\d\d-/, '-13-'),
  'in-hour-25: is in a twenty-fifth hour': (time) => time.replace(/T\d\d/, 'T25'),
  'with-two-digit-year: has a two-digit year': (time) => time.slice(2),
  'of-zeros: consists of zeros': () => '0000-00-00T00:00:00Z',
  'invalid-date: is the string `Invalid Date`': () => 'Invalid Date',
  'empty: is an empty string': () => '',
  'with-a-word-before: starts with a word': (time) => `at ${time}`,
  'with-parts: is an array of its parts': (time) => time.split(/\D/).map(Number),
});

const SAMPLE_TIME = '2025-06-01T08:00:00.000Z';

const times: readonly MemberFault[] = ['createdAt', 'seenAt'].flatMap((member) =>
  TIMES.map(([fault, what, write]): MemberFault => [
    member,
    fault,
    `The \`${member}\` of a user ${what}.`,
    () => write(SAMPLE_TIME),
  ]),
);

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
    'shown-as-own-text: The id of a user is a string of its digits.': ({ id }) => String(id),
    'text-for-second-user: The id of one of the users is a string.': [({ id }) => String(id), ofSecondUser],
    'text-after-role: The response to a new role shows the id as a string.': [
      ({ id }) => String(id),
      sending('rootRole'),
    ],
    'in-scientific-notation: The id of a user is a string in scientific notation.': ({ id }) => `${id}e0`,
  }),
  isAPI: rows({
    'shown-as-word: `isAPI` is its value as a string.': ({ isAPI }) => String(isAPI),
    'shown-as-bit: `isAPI` is 0 or 1.': ({ isAPI }) => Number(isAPI),
    'null-for-second-user: The `isAPI` of one of the users is null.': [() => null, ofSecondUser],
  }),
  name: rows({
    'shown-in-parts: The name is an object with first and last name.': ({ name }) => ({ full: name }),
    'shown-as-list: The name is inside an array.': ({ name }) => [name],
    'false-in-empty-update: The response to `{}` shows false as name.': [() => false, sending()],
  }),
  email: rows({
    'shown-with-state: The e-mail address is an object that contains it and its state.': ({ email }) => ({
      email,
      verified: true,
    }),
    'shown-as-list: The e-mail address is inside an array.': ({ email }) => [email],
    'null-for-second-user: The e-mail address of one of the users is null.': [() => null, ofSecondUser],
  }),
  username: rows({
    'shown-as-staff-number: The username is a number.': [({ id }) => id * 100, ofFirstUser],
    'false-for-second-user: The username of one of the users is false.': [() => false, ofSecondUser],
  }),
  imageUrl: rows({
    'shown-by-size: `imageUrl` is an object with a URL for each size.': ({ imageUrl }) => ({ small: imageUrl }),
    'null-after-email: After a new e-mail address, `imageUrl` is null.': [() => null, sending('email')],
    'null-for-second-user: The `imageUrl` of one of the users is null.': [() => null, ofSecondUser],
  }),
  inviteLink: rows({
    'null-for-second-user: The invite link of a user that has none is null.': [() => null, ofSecondUser],
    'false-where-none: The invite link of a user that has none is false.': [() => false, ofFirstUser],
  }),
  loginAttempts: rows({
    'shown-as-digits: The number of failed logins is a string.': ({ loginAttempts }) => String(loginAttempts),
    'null-where-zero: The number of failed logins is null instead of 0.': ({ loginAttempts }) =>
      loginAttempts === 0 ? null : loginAttempts,
    'text-for-second-user: The number of failed logins of one of the users is a string.': [() => '0', ofSecondUser],
  }),
  emailSent: rows({
    'shown-as-time: `emailSent` is the time when the e-mail was sent.': () => SAMPLE_TIME,
    'shown-as-bit: `emailSent` is 0 or 1.': ({ emailSent }) => Number(emailSent),
    'null-after-email: After a new e-mail address, `emailSent` is null.': [() => null, sending('email')],
  }),
  rootRole: rows({
    'shown-as-digits: The role is a string of its number.': ({ rootRole }) => JSON.stringify(rootRole),
    'shown-as-name: The role is its name.': ({ rootRole }) => (rootRole === 1 ? 'Admin' : 'Editor'),
    'shown-as-list: The role is inside an array.': ({ rootRole }) => [rootRole],
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
    'epoch-after-role: The response to a new role shows a number of milliseconds as `createdAt`.': [
      () => Date.parse(SAMPLE_TIME),
      sending('rootRole'),
    ],
  }),
  accountType: rows({
    'shown-as-code: The account type is a number.': ({ accountType }) => (accountType === 'User' ? 0 : 1),
    'null-for-people: The account type of a person is null.': [() => null, ofFirstUser],
    'shown-with-name: The account type is an object.': ({ accountType }) => ({ name: accountType }),
  }),
  permissions: rows({
    'in-one-text: The permissions are one string.': ({ permissions }) => (permissions ?? []).join(','),
    'shown-as-objects: The permissions are objects.': [
      ({ permissions }) => (permissions ?? []).map((name) => ({ name })),
      ofSecondUser,
    ],
    'shown-as-numbers: The permissions are numbers.': () => [1, 2],
    'with-null: One of the permissions is null.': () => ['READ', null],
    'nested: The permissions are grouped in arrays.': () => [['READ']],
    'by-name: The permissions are an object with flags.': () => ({ READ: true }),
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
  'of-json-api: The user is a JSON:API resource.': (body) => {
    const { id, ...attributes } = body as User;
    return { data: { type: 'users', id: String(id), attributes } };
  },
  'wrapped-after-role: The response to a new role has the user inside the member `user`.': [
    (user) => ({ user }),
    sending('rootRole'),
  ],
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

const TEXTS: readonly (readonly [id: string, title: string, text: string, which?: WhichResponse])[] = rows({
  'empty: The 200 response to an update has no body.': '',
  'empty-after-role: The 200 response to a new role has no body.': ['', sending('rootRole')],
  'html: The 200 response to an update is an HTML page.': page('User updated'),
  'plain-text: The 200 response to an update is plain text.': 'User updated.',
});

const any: WhichResponse = () => true;

const bodies: readonly Defect[] = [
  ...[...WRAPPED, ...NO_OBJECTS].map((row): Defect => {
    const [id, title, change, which = any] = row;
    return {
      id: `user-body-${id}`,
      title,
      breaks: ['user.object'],
      killedBy: { 'user-is-object': WRAPPED.includes(row) ? 'wrapped' : 'not-an-object' },
      behaviour: showing(updateWhere(which), change),
    };
  }),
  ...TEXTS.map(([id, title, text, which = any]) => ({
    id: `user-body-${id}`,
    title,
    breaks: ['bodies.json'],
    killedBy: { 'json-user': 'not-json' },
    behaviour: sendingText(updateWhere(which), () => text),
  })),
];

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
  'username-from-account-type: A wrong join shows the username of another user.': adding({
    username: defaultSeed.users[0]?.username,
  }),
});

/** Adds members to the user in responses. */
function adding(members: Body, which = any): Behaviour {
  return showing(updateWhere(which), (body) => ({ ...(body as User), ...members }));
}

const shownBy = (...members: readonly string[]): Defect['killedBy'] =>
  Object.fromEntries(members.map((member) => [`user-${member}`, 'wrong-type']));

/** A serializer that treats every member of a type alike: one fault, which each of these members shows. */
const serializers = named<Defect>({
  'user-has-numbers-as-texts: The numbers of a user are strings of their digits.': {
    breaks: ['user.id', 'user.root-role', 'user.login-attempts'],
    killedBy: shownBy('id', 'root-role', 'login-attempts'),
    behaviour: showing(updateWhere(any), (body) => {
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
  'user-shows-hash-after-email: The response to a new e-mail address shows the hash of the password.': adding(
    { password_hash: BCRYPT },
    sending('email'),
  ),
});

/** Source: Resources, User. */
export const userBodyDefects: readonly Defect[] = [
  ...memberDefects('user', 'createUserResponseSchema', [...times, ...odd]),
  ...bodies,
  ...missing,
  ...usernames,
  ...serializers,
  ...secrets,
];
