import { parsedJson } from '../../../common/json.ts';
import { UPDATABLE } from '../../../conformance/target/user.ts';
import type { Defect } from '../../defect.ts';
import { rows } from '../../table.ts';
import { type Refusal, changeUser, refusedYet, sentId, sentKey, sentMembers } from '../requests.ts';
import { isUpdate } from './updates.ts';

const USER = 1;
const OTHER = 2;

type Members = Record<string, unknown>;
type Act = (refusal: Refusal) => void;

/** The members of a body that conform. */
function validMembers(members: Members): Members {
  const conforms = (member: string, value: unknown): boolean =>
    member === 'rootRole' ? Number.isInteger(value) : typeof value === 'string';
  return Object.fromEntries(
    UPDATABLE.filter((member) => conforms(member, members[member])).map((member) => [member, members[member]]),
  );
}

/** Stores the conforming members of the body (`only` these) for the user whose id the path begins or ends with. */
function apply(only: readonly string[] = UPDATABLE, of?: number): Act {
  return ({ request, store }) => {
    const id = of ?? parseInt(sentId(request).replace(/^[a-z]+/, ''), 10);
    const members = Object.entries(validMembers(sentMembers(request)));
    changeUser(store.users, id, Object.fromEntries(members.filter(([member]) => only.includes(member))));
  };
}

/** Stores the given members, whatever was sent. */
function set(id: number, members: Members): Act {
  return ({ store }) => {
    changeUser(store.users, id, members);
  };
}

/** Stores what `read` makes of the text of the body. */
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

/** Never the same one again, however many requests do it. */
const nextRole: Act = ({ store }) => {
  changeUser(store.users, USER, { rootRole: Number(store.users.get(USER)?.rootRole) + 1 });
};

type Which = (request: Refusal['request']) => boolean;

const any: Which = () => true;
const hasKey: Which = (request) => sentKey(request) !== '';
const sends =
  (member: string): Which =>
  (request) =>
    member in sentMembers(request);
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

const unauthenticated = yet(
  '401',
  401,
  any,
  rows({
    'stored: The server stores an update before it checks the key, and then refuses it.': [any, apply()],
    'stores-role: A separate component stores a root role without checking the key.': [
      sends('rootRole'),
      apply(['rootRole']),
    ],
    'stores-name: The server stores a name before it checks the key.': [any, apply(['name'])],
    'stores-email: The server stores an e-mail address before it checks the key.': [any, apply(['email'])],
    'stored-with-any-key: If a key is sent, the server stores the update while it still verifies the key.': [
      hasKey,
      apply(),
    ],
    'stored-without-key: If no key is sent, the server stores the update although it responds with a refusal.': [
      not(hasKey),
      apply(),
    ],
    'stored-with-key-in-query: The server refuses a key in the query, but stores the update.': [
      ({ query }) => query !== '',
      apply(),
    ],
    'stored-for-other-user: The server refuses an update without a valid key, but stores it for another user.': [
      any,
      apply(UPDATABLE, OTHER),
      'other-user-changed',
    ],
  }),
);

const denied = yet(
  '403',
  403,
  any,
  rows({
    'stored: The server stores an update before it checks the permission.': [any, apply()],
    'stores-name: The server stores a name before it checks the permission.': [any, apply(['name'])],
    'stores-email: The server stores an e-mail address before it checks the permission.': [any, apply(['email'])],
    'stores-role: The server stores a root role before it checks the permission.': [any, apply(['rootRole'])],
    'stores-all-but-role: The server refuses an update without the permission, but stores everything except the root role.':
      [not(sends('rootRole')), apply()],
    'stored-for-other-user: The server refuses an update without the permission, but stores it for the user after the addressed one.':
      [addresses(/^1$/), apply(UPDATABLE, OTHER), 'other-user-changed'],
    'stored-for-foreign-user: The server refuses an update without the permission, but stores it unless the account belongs to the key.':
      [addresses(/^2$/), apply(), 'other-user-changed'],
  }),
);

const invalid = yet(
  '400',
  400,
  addresses(INTEGER),
  rows({
    'half-stored: The server refuses a body with an invalid member, but stores the valid ones.': [any, apply()],
    'stores-name-beside-wrong-email: The server stores a name before it finds that the e-mail address is invalid.': [
      sendsWrong('email'),
      apply(['name']),
    ],
    'stores-email-beside-wrong-role: The server stores an e-mail address before it finds that the root role is invalid.':
      [sendsWrong('rootRole'), apply(['email'])],
    'stores-wrong-name: The server stores a name of a wrong type as a string, and then refuses it.': [
      sendsWrong('name'),
      ({ request, store }) => {
        changeUser(store.users, USER, { name: String(sentMembers(request).name) });
      },
    ],
    'removes-wrong-email: The server refuses an e-mail address of a wrong type, but loses the old one.': [
      sendsWrong('email'),
      set(USER, { email: undefined }),
    ],
    'resets-role: The server refuses a root role of a wrong type, but gives the user another role.': [
      sendsWrong('rootRole'),
      nextRole,
    ],
    'resets-name-without-body: The server refuses an update without a body, but empties the name.': [
      ({ body }) => body.length === 0,
      set(USER, { name: '' }),
    ],
    'stores-broken-off-body: The server stores each member as it reads it, even from a body that is cut off.': [
      any,
      applyText((text) =>
        parsedJson(text) === undefined ? (parsedJson(`${text}}`) as Members | undefined) : undefined,
      ),
    ],
    'stores-form: The server stores a form, and then refuses it because it is not JSON.': [
      any,
      applyText((text) => (text.startsWith('name=') ? { name: new URLSearchParams(text).get('name') } : undefined)),
    ],
    'stores-first-of-two-values: The server stores the first JSON value of a body, and then refuses what follows it.': [
      any,
      applyText((text) =>
        text.includes('}{') ? (parsedJson(text.slice(0, text.indexOf('}') + 1)) as Members) : undefined,
      ),
    ],
    'stores-element-of-array: The server refuses an array as body, but stores its first element.': [
      any,
      applyText((text) => {
        const body = parsedJson(text);
        return Array.isArray(body) ? (body[0] as Members | undefined) : undefined;
      }),
    ],
    'stored-for-other-user: The server refuses an invalid body, but stores its valid members for another user.': [
      any,
      apply(UPDATABLE, OTHER),
      'other-user-changed',
    ],
    'counts-as-failed-login: An invalid update counts as a failed login.': [sends('name'), countLogin],
  }),
);

const notFound = yet(
  '404',
  404,
  any,
  rows({
    'stored-for-first-user: The server responds 404 to an update of a missing user, but stores it for the first user.':
      [any, apply(UPDATABLE, USER)],
    'stored-for-last-user: The server responds 404 to an update of a missing user, but stores it for the last user.': [
      any,
      apply(UPDATABLE, OTHER),
      'other-user-changed',
    ],
    'resets-role: An update of a missing user changes the role of the first user.': [any, nextRole],
    'counts-as-failed-login: An update of a missing user counts as a failed login of the first user.': [
      any,
      countLogin,
    ],
  }),
);

const pathId = yet(
  'path-id',
  400,
  not(addresses(INTEGER)),
  rows({
    'stored-by-parse-int: The server refuses a path id that is not an integer, but stores the update for the user whose id it begins with.':
      [addresses(/^\d/), apply()],
    'stored-behind-letters: The server refuses a path id with letters before an id, but stores the update for the user with that id.':
      [addresses(/^[a-z]+\d/), apply()],
    'stored-for-fraction: The server refuses a fraction as path id, but stores the update for the user with the id below it.':
      [addresses(/\./), apply()],
    'stored-for-rounded-id: The server refuses a fraction as path id, but stores the update for the user with the nearest id.':
      [addresses(/\./), apply(UPDATABLE, OTHER), 'other-user-changed'],
    'stored-for-every-user: An update with a word as id changes every user.': [addresses(/^[a-z]+$/), everyUser],
    'word-stored-for-first-user: The server refuses an update with a word as id, but stores it for the first user.': [
      addresses(/^[a-z]+$/),
      apply(UPDATABLE, USER),
    ],
  }),
);

/** Source: Endpoints, PUT user, responses; Errors. */
export const refusalsDefects: readonly Defect[] = [...unauthenticated, ...denied, ...invalid, ...notFound, ...pathId];
