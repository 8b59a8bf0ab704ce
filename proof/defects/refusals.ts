import { UPDATABLE } from '../../conformance/target/user.ts';
import type { Defect } from '../defect.ts';
import { isUpdate, refusedYet, sentId, sentKey, sentMembers, parsed, changeUser, type Refusal } from './requests.ts';

const USER = 1;
const OTHER = 2;

type Members = Record<string, unknown>;
type Act = (refusal: Refusal) => void;

/** Those members of a body that conform. */
function validMembers(members: Members): Members {
  const conforms = (member: string, value: unknown): boolean =>
    member === 'rootRole' ? Number.isInteger(value) : typeof value === 'string';
  return Object.fromEntries(
    UPDATABLE.filter((member) => conforms(member, members[member])).map((member) => [member, members[member]]),
  );
}

/** Stores what conforms of the body, for the user whose id the path begins or ends with; `only` these members. */
function apply(only: readonly string[] = UPDATABLE, of?: number): Act {
  return ({ request, store }) => {
    const id = of ?? parseInt(sentId(request).replace(/^[a-z]+/, ''), 10);
    const members = Object.entries(validMembers(sentMembers(request)));
    changeUser(store.users, id, Object.fromEntries(members.filter(([member]) => only.includes(member))));
  };
}

/** Stores the members, whatever was sent. */
function set(id: number, members: Members): Act {
  return ({ store }) => {
    changeUser(store.users, id, members);
  };
}

/** Stores of the body what `read` makes of its text. */
function applyText(read: (text: string) => Members | undefined): Act {
  return ({ request, store }) => {
    changeUser(store.users, USER, read(request.body.toString('utf8')) ?? {});
  };
}

const everyUser: Act = (refusal) => {
  for (const id of refusal.store.users.keys()) apply(UPDATABLE, id)(refusal);
};

const countLogin: Act = ({ store }) => {
  changeUser(store.users, USER, { loginAttempts: (store.users.get(USER)?.loginAttempts ?? 0) + 1 });
};

const swapRole: Act = ({ store }) => {
  changeUser(store.users, USER, { rootRole: store.users.get(USER)?.rootRole === 1 ? 2 : 1 });
};

type Which = (request: Refusal['request']) => boolean;

const any: Which = () => true;
const hasKey: Which = (request) => sentKey(request) !== '';
const sends =
  (member: string): Which =>
  (request) =>
    member in sentMembers(request);
const sendsInOrder =
  (...members: string[]): Which =>
  (request) =>
    Object.keys(sentMembers(request)).join() === members.join();
const sendsWrong =
  (member: string): Which =>
  (request) =>
    sends(member)(request) && !(member in validMembers(sentMembers(request)));
const addresses =
  (form: RegExp): Which =>
  (request) =>
    form.test(sentId(request));
const both =
  (...all: readonly Which[]): Which =>
  (request) =>
    all.every((which) => which(request));
const not =
  (which: Which): Which =>
  (request) =>
    !which(request);

const INTEGER = /^\d+$/;

type Row = readonly [fault: string, title: string, which: Which, act: Act, mode?: 'other-user-changed'];

function yet(group: string, status: number, ids: Which, rows: readonly Row[]): Defect[] {
  return rows.map(([fault, title, which, act, mode = 'changed-user']) => ({
    id: `refused-${group}-${fault}`,
    title,
    breaks: ['update.refused-changes-nothing'],
    killedBy: { [`refused-${group}-changes-nothing`]: mode },
    behaviour: refusedYet(
      (refusal) => refusal.status === status && isUpdate(refusal.request) && both(ids, which)(refusal.request),
      act,
    ),
  }));
}

const unauthenticated = yet('401', 401, any, [
  ['stored', 'An update is stored before the key is looked at, and then refused.', any, apply()],
  [
    'stores-role',
    'A root role is stored by a component of its own that looks at no key.',
    sends('rootRole'),
    apply(['rootRole']),
  ],
  ['stores-name', 'A name is stored before the key is looked at.', any, apply(['name'])],
  ['stores-email', 'An e-mail address is stored before the key is looked at.', any, apply(['email'])],
  [
    'stored-with-any-key',
    'Where some key is sent, the update is stored while the key is still being verified.',
    hasKey,
    apply(),
  ],
  [
    'stored-without-key',
    'Where no key is sent, the update is stored, and the refusal only sent.',
    not(hasKey),
    apply(),
  ],
  [
    'stores-role-with-any-key',
    'Where some key is sent, a root role is stored before the key is verified.',
    hasKey,
    apply(['rootRole']),
  ],
  [
    'stored-with-key-in-query',
    'A key in the query opens the store, but not the answer.',
    ({ query }) => query !== '',
    apply(),
  ],
  [
    'clears-name',
    'An update without a key takes the name of the first user away.',
    not(hasKey),
    set(USER, { name: null }),
  ],
  [
    'stored-for-other-user',
    'An update without a key is stored for another user.',
    any,
    apply(UPDATABLE, OTHER),
    'other-user-changed',
  ],
  [
    'stored-for-missing-user',
    'An update of a missing user without a key is stored for the first user.',
    addresses(/^\d{3,}$/),
    apply(UPDATABLE, USER),
  ],
]);

const denied = yet('403', 403, any, [
  ['stored', 'An update is stored before the permission is asked for.', any, apply()],
  ['stores-name', 'A name is stored before the permission is asked for.', any, apply(['name'])],
  ['stores-email', 'An e-mail address is stored before the permission is asked for.', any, apply(['email'])],
  ['stores-role', 'A root role is stored before the permission is asked for.', any, apply(['rootRole'])],
  ['stores-all-but-role', 'Without the permission all but the root role is stored.', not(sends('rootRole')), apply()],
  [
    'stored-for-other-user',
    'An update without the permission is stored for the user after the addressed one.',
    addresses(/^1$/),
    apply(UPDATABLE, OTHER),
    'other-user-changed',
  ],
  [
    'stored-for-foreign-user',
    'An update without the permission is stored where it is not the own account.',
    addresses(/^2$/),
    apply(),
    'other-user-changed',
  ],
  [
    'stores-invalid-name',
    'A name of a wrong type is stored before the permission is asked for.',
    sendsWrong('name'),
    set(USER, { name: '5' }),
  ],
  ['stored-for-every-user', 'An update without the permission is stored for every user.', sends('email'), everyUser],
]);

const invalid = yet('400', 400, addresses(INTEGER), [
  ['half-stored', 'Of a body with an invalid member the valid ones are stored.', any, apply()],
  [
    'stored-up-to-invalid-member',
    'The members are stored one by one, until one is found to be invalid.',
    (request) => {
      const members = Object.keys(sentMembers(request));
      const valid = Object.keys(validMembers(sentMembers(request)));
      return members.length > 1 && valid.includes(members[0] ?? '');
    },
    apply(),
  ],
  [
    'stored-after-invalid-member',
    'An invalid member is noted, and the ones behind it are stored.',
    (request) => sendsInOrder('email', 'name')(request) || sendsInOrder('name', 'email')(request),
    (refusal) => {
      const [first = ''] = Object.keys(sentMembers(refusal.request));
      apply(UPDATABLE.filter((member) => member !== first))(refusal);
    },
  ],
  [
    'stores-name-beside-wrong-email',
    'A name is stored, and the e-mail address beside it then found to be invalid.',
    sendsWrong('email'),
    apply(['name']),
  ],
  [
    'stores-email-beside-wrong-name',
    'An e-mail address is stored, and the name beside it then found to be invalid.',
    sendsWrong('name'),
    apply(['email']),
  ],
  [
    'stores-name-beside-wrong-role',
    'A name is stored, and the root role beside it then found to be invalid.',
    sendsWrong('rootRole'),
    apply(['name']),
  ],
  [
    'stores-email-beside-wrong-role',
    'An e-mail address is stored, and the root role beside it then found to be invalid.',
    sendsWrong('rootRole'),
    apply(['email']),
  ],
  [
    'stores-wrong-name',
    'A name of a wrong type is stored as a text, and then found to be invalid.',
    sendsWrong('name'),
    ({ request, store }) => {
      changeUser(store.users, USER, { name: String(sentMembers(request).name) });
    },
  ],
  [
    'stores-array-as-name',
    'The first element of an array as name is stored, and the array refused.',
    sendsWrong('name'),
    ({ request, store }) => {
      const { name } = sentMembers(request);
      if (Array.isArray(name) && name.length > 0) changeUser(store.users, USER, { name: name[0] as unknown });
    },
  ],
  [
    'stores-null-as-name',
    'A null takes the name away before it is refused.',
    (request) => sentMembers(request).name === null,
    set(USER, { name: null }),
  ],
  [
    'empties-email',
    'A null empties the e-mail address before it is refused.',
    (request) => sentMembers(request).email === null,
    set(USER, { email: '' }),
  ],
  [
    'removes-wrong-email',
    'An e-mail address of a wrong type is refused, and the old one is gone.',
    sendsWrong('email'),
    set(USER, { email: undefined }),
  ],
  [
    'resets-role',
    'A root role of a wrong type is refused, and the default role given.',
    sendsWrong('rootRole'),
    swapRole,
  ],
  [
    'resets-name-without-body',
    'An update without a body is refused, and the name emptied.',
    ({ body }) => body.length === 0,
    set(USER, { name: '' }),
  ],
  [
    'stores-broken-off-body',
    'The members of a body are stored as they are read, also of one that breaks off.',
    any,
    applyText((text) => (parsed(text) === undefined ? (parsed(`${text}}`) as Members | undefined) : undefined)),
  ],
  [
    'stores-form',
    'A form is stored, and then refused because it is not JSON.',
    any,
    applyText((text) => (text.startsWith('name=') ? { name: new URLSearchParams(text).get('name') } : undefined)),
  ],
  [
    'stores-first-of-two-values',
    'The first JSON value of a body is stored, and what follows it refused.',
    any,
    applyText((text) => (text.includes('}{') ? (parsed(text.slice(0, text.indexOf('}') + 1)) as Members) : undefined)),
  ],
  [
    'stores-element-of-array',
    'Of an array as body each element is stored, and the array refused.',
    any,
    applyText((text) => {
      const body = parsed(text);
      return Array.isArray(body) ? (body[0] as Members | undefined) : undefined;
    }),
  ],
  [
    'stored-for-other-user',
    'The valid members of an invalid body are stored for another user.',
    any,
    apply(UPDATABLE, OTHER),
    'other-user-changed',
  ],
  ['counts-as-failed-login', 'An invalid update counts as a failed login.', sends('name'), countLogin],
]);

const notFound = yet('404', 404, any, [
  [
    'stored-for-first-user',
    'An update of a missing user is stored for the first one, and answered 404.',
    any,
    apply(UPDATABLE, USER),
  ],
  [
    'stored-for-last-user',
    'An update of a missing user is stored for the last one, and answered 404.',
    any,
    apply(UPDATABLE, OTHER),
    'other-user-changed',
  ],
  ['stored-for-every-user', 'An update of a missing user has no condition, and changes every user.', any, everyUser],
  ['clears-name', 'An update of a missing user takes the name of the first one away.', any, set(USER, { name: null })],
  ['resets-role', 'An update of a missing user gives the first one another role.', any, swapRole],
  ['counts-as-failed-login', 'An update of a missing user counts as a failed login of the first one.', any, countLogin],
]);

const pathId = yet('path-id', 400, not(addresses(INTEGER)), [
  [
    'stored-by-parse-int',
    'An update is stored for the user whose id the path begins with, and then refused.',
    addresses(/^\d/),
    apply(),
  ],
  [
    'stored-behind-letters',
    'An update is stored for the user whose id stands behind letters, and then refused.',
    addresses(/^[a-z]+\d/),
    apply(),
  ],
  [
    'stored-for-fraction',
    'An update is stored for the user of the integer below the id, and then refused.',
    addresses(/\./),
    apply(),
  ],
  [
    'stored-for-rounded-id',
    'An update is stored for the user of the integer next to the id, and then refused.',
    addresses(/\./),
    apply(UPDATABLE, OTHER),
    'other-user-changed',
  ],
  [
    'stored-for-every-user',
    'An update with a word as id has no condition, and changes every user.',
    addresses(/^[a-z]+$/),
    everyUser,
  ],
  [
    'word-stored-for-first-user',
    'An update with a word as id is stored for the first user.',
    addresses(/^[a-z]+$/),
    apply(UPDATABLE, USER),
  ],
  [
    'word-clears-name',
    'An update with a word as id takes the name of the first user away.',
    addresses(/^[a-z]+$/),
    set(USER, { name: null }),
  ],
]);

/** Source: Endpoints, PUT user, responses; Errors. */
export const refusalsDefects: readonly Defect[] = [...unauthenticated, ...denied, ...invalid, ...notFound, ...pathId];
