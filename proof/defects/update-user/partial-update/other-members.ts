import type { WrittenDefect } from '../../../defect.ts';
import { type Table, defectsOf } from '../../../table.ts';
import { any } from '../../requests.ts';
import { type Update, type Where, type WhichUpdate, ofOther, updating, withAll, withSomething } from '../updates.ts';
import { withShape } from './shapes.ts';

const slug = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-');

const hour = 3_600_000;

function laterBy(ms: number, time: string | undefined): string {
  return new Date(Date.parse(time ?? '') + ms).toISOString();
}

/** How an update changes a member that it cannot send. Without a condition, every update that sends something does it. */
type SideEffect = readonly [value: (update: Update) => unknown, which?: WhichUpdate, where?: Where];

const SIDE_EFFECTS: Readonly<Record<string, Table<SideEffect>>> = {
  username: {
    'username-follows-name: A new name changes the username.': [({ after }) => slug(after.name), withAll('name')],
    'username-nulled: An update sets the username to null.': [() => null],
    'username-nulled-by-role: An update of only the role sets the username to null.': [() => null, withShape('role')],
    'username-nulled-in-answer: The response to an update shows null as username.': [
      () => null,
      withSomething,
      'in the response',
    ],
    'username-of-other-user-changed: An update of the second user appends to its username.': [
      ({ after }) => `${String(after.username)}-1`,
      (update) => ofOther(update) && withSomething(update),
    ],
  },
  createdAt: {
    'creation-time-set-to-now: An update sets `createdAt` to now.': [() => new Date().toISOString()],
    'creation-time-shifted: Each update shifts `createdAt` by an hour, the difference between two time zones.': [
      ({ after }) => laterBy(hour, after.createdAt),
    ],
    'creation-time-loses-zone: An update stores the local time of `createdAt` as if it were UTC.': [
      ({ after }) => String(after.createdAt).replace(/[+-]\d\d:\d\d$/, 'Z'),
    ],
    'creation-time-shifted-in-later-answers: After an update with a role, the server shows `createdAt` a day later.': [
      ({ after }) => laterBy(24 * hour, after.createdAt),
      withAll('rootRole'),
      'later',
    ],
  },
  accountType: {
    'account-type-becomes-service-account: An update with an API key turns the user into a service account.': [
      () => 'Service Account',
    ],
    'account-type-spelled-otherwise: An update stores the account type in capitals.': [
      ({ after }) => String(after.accountType).toUpperCase(),
    ],
  },
  loginAttempts: {
    'login-attempts-reset: An update sets the number of failed logins to 0.': [() => 0],
    'login-attempts-counted: Every update counts as a failed login.': [
      ({ after }) => (after.loginAttempts ?? 0) + 1,
      any,
    ],
  },
  isAPI: {
    'is-api-set: An update with an API key sets `isAPI`.': [() => true],
    'is-api-toggled: An update with a role toggles `isAPI`.': [({ after }) => !after.isAPI, withAll('rootRole')],
  },
  scimId: {
    'scim-id-nulled: An update sets the SCIM id to null.': [() => null],
    'scim-id-made: An update gives a SCIM id to a user that had none.': [
      ({ before }) => before.scimId ?? `scim-${before.id}`,
    ],
    'scim-id-renewed: A new e-mail address changes the SCIM id.': [({ after }) => slug(after.email), withAll('email')],
  },
};

/** An update changes members that it cannot send. */
export const otherMembersDefects: readonly WrittenDefect[] = Object.entries(SIDE_EFFECTS).flatMap(([member, effects]) =>
  defectsOf(
    effects,
    ([value, which = withSomething, where]) => ({
      breaks: ['update.other-members-keep'],
      behaviour: updating(which, (update) => ({ [member]: value(update) }), where),
    }),
    'update-*: *',
  ),
);
