import type { ApiRequest, Store } from '../../reference-server/rules.ts';
import type { Defect } from '../defect.ts';
import {
  answeredWith,
  isUpdate,
  noContentFor,
  refusedWith,
  sentId,
  sentKey,
  sentMembers,
  takenAs,
  withKey,
  type WhichRefusal,
} from './requests.ts';

function sendsExactly(request: ApiRequest, ...members: string[]): boolean {
  return Object.keys(sentMembers(request)).sort().join() === members.sort().join();
}

/** The first user of the seed, as the account that the restricted key belongs to. */
const OWN_ID = '1';

function isValid(request: ApiRequest): boolean {
  return typeof sentMembers(request).name !== 'number';
}

type Allows = (request: ApiRequest) => boolean;

/** The restricted key passes as the admin key where `allows` says so. */
function allowing(allows: Allows) {
  return takenAs((request: ApiRequest, { keys }: Store) =>
    isUpdate(request) && sentKey(request) === keys.restricted && allows(request)
      ? withKey(request, keys.admin)
      : request,
  );
}

type AllowedRow = readonly [fault: string, title: string, cases: readonly string[], allows: Allows];

const ALLOWED_ROWS: readonly AllowedRow[] = [
  [
    'own-name',
    'A key without the permission may change the name of its own account.',
    ['name'],
    (request) => sendsExactly(request, 'name') && sentId(request) === OWN_ID,
  ],
  [
    'email',
    'A key without the permission may change an e-mail address, if nothing else is sent.',
    ['email'],
    (request) => sendsExactly(request, 'email'),
  ],
  [
    'several-members',
    'The permission is asked for single members; a body with two passes.',
    ['name-email'],
    (request) => sendsExactly(request, 'name', 'email'),
  ],
  [
    'role',
    'A key without the permission may give a root role.',
    ['role'],
    (request) => sendsExactly(request, 'rootRole'),
  ],
  [
    'other-accounts',
    'The permission is asked for on the own account alone.',
    ['other-user'],
    (request) => sentId(request) !== OWN_ID,
  ],
  [
    'profile',
    'Name and e-mail address count as profile, which every valid key may change.',
    ['name', 'email', 'name-email'],
    (request) => !('rootRole' in sentMembers(request)) && isValid(request),
  ],
  [
    'everything',
    'Every valid key may update users.',
    ['name', 'email', 'name-email', 'role', 'other-user'],
    () => true,
  ],
];

const allowed: readonly Defect[] = ALLOWED_ROWS.map(([fault, title, cases, allows]) => ({
  id: `restricted-key-changes-${fault}`,
  title,
  breaks: ['permission.refused'],
  killedBy: Object.fromEntries(cases.map((each) => [`permission-${each}`, 'accepted'])),
  behaviour: allowing(allows),
}));

const denied: WhichRefusal = ({ status }) => status === 403;
const deniedTo =
  (allows: Allows): WhichRefusal =>
  (refusal) =>
    denied(refusal) && allows(refusal.request);

const otherStatuses: readonly Defect[] = (
  [
    [401, 'A key without the permission to update is taken for an unknown one.'],
    [404, 'Users are hidden from keys without the permission.'],
    [400, 'A missing permission makes the request an invalid one.'],
    [405, 'A key without the permission is told that there is no such method.'],
    [500, 'A missing permission makes the server fail.'],
  ] as const
).map(([status, title]) => ({
  id: `missing-permission-is-${status}`,
  title,
  breaks: ['permission.refused'],
  killedBy: { 'permission-name': 'wrong-status' },
  behaviour: refusedWith(denied, status),
}));

const INVALID: Allows = (request) => !isValid(request);

/** Source: Authentication, 3; Errors, 403. */
export const permissionDefects: readonly Defect[] = [
  ...allowed,
  ...otherStatuses,
  {
    id: 'missing-role-permission-is-400',
    title: 'To a key without the permission, a root role is an unknown member of the body.',
    breaks: ['permission.refused'],
    killedBy: { 'permission-role': 'wrong-status' },
    behaviour: refusedWith(
      deniedTo((request) => 'rootRole' in sentMembers(request)),
      400,
    ),
  },
  {
    id: 'other-user-hidden-without-permission',
    title: 'A key without the permission sees no account but its own.',
    breaks: ['permission.refused'],
    killedBy: { 'permission-other-user': 'wrong-status' },
    behaviour: refusedWith(
      deniedTo((request) => sentId(request) !== OWN_ID),
      404,
    ),
  },
  {
    id: 'missing-permission-ignored-silently',
    title: 'An update without the permission is answered with the user as it is, and 200.',
    breaks: ['permission.refused'],
    killedBy: { 'permission-name': 'accepted', 'permission-role': 'accepted' },
    behaviour: answeredWith(denied, ({ request, store }) => ({
      status: 200,
      body: store.users.get(Number(sentId(request))),
    })),
  },
  {
    id: 'missing-permission-is-202',
    title: 'An update without the permission is taken on, to be decided later, with 202.',
    breaks: ['permission.refused'],
    killedBy: { 'permission-name': 'accepted' },
    behaviour: answeredWith(denied, () => ({ status: 202, body: {} })),
  },
  {
    id: 'missing-permission-is-204',
    title: 'An update without the permission is answered 204.',
    breaks: ['permission.refused'],
    killedBy: { 'permission-name': 'accepted' },
    behaviour: noContentFor(403),
  },
  ...(['Forbidden', 'NoAccess', 'AuthenticationRequired'] as const).map((name) => ({
    id: `missing-permission-named-${name.toLowerCase()}`,
    title: `The 403 has the error name ${name}.`,
    breaks: ['permission.refused', 'errors.name'],
    killedBy: { 'permission-name': 'wrong-error-name', 'error-name-403': 'wrong-error-name' },
    behaviour: refusedWith(denied, 403, name),
  })),
  {
    id: 'restricted-key-and-invalid-body-crash',
    title: 'The check of the permission reads the name as a text, and fails on a number.',
    breaks: ['permission.refused'],
    killedBy: { 'permission-invalid-body': 'wrong-status' },
    behaviour: refusedWith(deniedTo(INVALID), 500),
  },
  {
    id: 'restricted-key-and-invalid-body-is-422',
    title: 'A body that breaks the schema is answered 422 to a key without the permission.',
    breaks: ['permission.refused'],
    killedBy: { 'permission-invalid-body': 'wrong-status' },
    behaviour: refusedWith(deniedTo(INVALID), 422),
  },
  {
    id: 'restricted-key-and-invalid-body-pass',
    title: 'A body without a valid member needs no permission, and is answered 200.',
    breaks: ['permission.refused'],
    killedBy: { 'permission-invalid-body': 'accepted' },
    behaviour: answeredWith(deniedTo(INVALID), ({ request, store }) => ({
      status: 200,
      body: store.users.get(Number(sentId(request))),
    })),
  },
];
