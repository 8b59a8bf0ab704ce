import type { Defect } from '../../../defect.ts';
import { rows } from '../../../table.ts';
import { type Members, type Update, type Where, type WhichUpdate, updating, withAll } from '../updates.ts';
import { any, ofOther, withShape, withSomething } from './shapes.ts';

const slug = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-');

const hour = 3_600_000;

function laterBy(ms: number, time: string | undefined): string {
  return new Date(Date.parse(time ?? '') + ms).toISOString();
}

/** How an update changes a member that it cannot send. */
type SideEffect = readonly [
  id: string,
  title: string,
  which: WhichUpdate,
  change: (update: Update) => Members,
  where?: Where,
];

/** By the member, as in the id of the check. */
const SIDE_EFFECTS: Readonly<Record<string, readonly SideEffect[]>> = {
  username: rows({
    'username-follows-name: A new name changes the username.': [
      withAll('name'),
      ({ after }) => ({ username: slug(after.name) }),
    ],
    'username-follows-email: A new e-mail address changes the username.': [
      withAll('email'),
      ({ after }) => ({ username: slug(after.email) }),
    ],
    'username-nulled: An update sets the username to null.': [withSomething, () => ({ username: null })],
    'username-nulled-by-role: An update of only the role sets the username to null.': [
      withShape('role'),
      () => ({ username: null }),
    ],
    'username-nulled-in-answer: The response to an update shows null as username.': [
      withSomething,
      () => ({ username: null }),
      'in the response',
    ],
    'username-of-other-user-changed: An update of the second user appends to its username.': [
      (update) => ofOther(update) && withSomething(update),
      ({ after }) => ({ username: `${String(after.username)}-1` }),
    ],
  }),
  'created-at': rows({
    'creation-time-set-to-now: An update sets `createdAt` to now.': [
      withSomething,
      () => ({ createdAt: new Date().toISOString() }),
    ],
    'creation-time-shifted: Each update shifts `createdAt` by an hour, the difference between two time zones.': [
      withSomething,
      ({ after }) => ({ createdAt: laterBy(hour, after.createdAt) }),
    ],
    'creation-time-loses-zone: An update stores the local time of `createdAt` as if it were UTC.': [
      withSomething,
      ({ after }) => ({ createdAt: String(after.createdAt).replace(/[+-]\d\d:\d\d$/, 'Z') }),
    ],
    'creation-time-shifted-in-later-answers: After an update with a role, the server shows `createdAt` a day later.': [
      withAll('rootRole'),
      ({ after }) => ({ createdAt: laterBy(24 * hour, after.createdAt) }),
      'later',
    ],
  }),
  'account-type': rows({
    'account-type-becomes-service-account: An update with an API key turns the user into a service account.': [
      withSomething,
      () => ({ accountType: 'Service Account' }),
    ],
    'account-type-becomes-user: A new e-mail address turns an account into that of a person.': [
      withAll('email'),
      () => ({ accountType: 'User' }),
    ],
    'account-type-spelled-otherwise: An update stores the account type in capitals.': [
      withSomething,
      ({ after }) => ({ accountType: String(after.accountType).toUpperCase() }),
    ],
  }),
  'login-attempts': rows({
    'login-attempts-reset: An update sets the number of failed logins to 0.': [
      withSomething,
      () => ({ loginAttempts: 0 }),
    ],
    'login-attempts-reset-by-email: A new e-mail address sets the number of failed logins to 0.': [
      withShape('email'),
      () => ({ loginAttempts: 0 }),
    ],
    'login-attempts-counted: Every update counts as a failed login.': [
      any,
      ({ after }) => ({ loginAttempts: (after.loginAttempts ?? 0) + 1 }),
    ],
  }),
  'is-api': rows({
    'is-api-set: An update with an API key sets `isAPI`.': [withSomething, () => ({ isAPI: true })],
    'is-api-toggled: An update with a role toggles `isAPI`.': [
      withAll('rootRole'),
      ({ after }) => ({ isAPI: !after.isAPI }),
    ],
  }),
  'scim-id': rows({
    'scim-id-nulled: An update sets the SCIM id to null.': [withSomething, () => ({ scimId: null })],
    'scim-id-made: An update gives a SCIM id to a user that had none.': [
      withSomething,
      ({ before }) => ({ scimId: before.scimId ?? `scim-${before.id}` }),
    ],
    'scim-id-renewed: A new e-mail address changes the SCIM id.': [
      withAll('email'),
      ({ after }) => ({ scimId: slug(after.email) }),
    ],
  }),
};

/** An update changes members that it cannot send. */
export const otherMembersDefects: readonly Defect[] = Object.entries(SIDE_EFFECTS).flatMap(([member, effects]) =>
  effects.map(([id, title, which, change, where]) => ({
    id: `update-${id}`,
    title,
    breaks: ['update.other-members-keep'],
    killedBy: { [`update-keeps-${member}`]: 'changed' },
    behaviour: updating(which, change, where),
  })),
);
