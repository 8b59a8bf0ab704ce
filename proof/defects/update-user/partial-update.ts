import type { User } from '../../../contract/document.ts';
import { UPDATABLE, type Updatable } from '../../../conformance/target/user.ts';
import { Refused, type ApiResponse, type ApiRequest } from '../../../reference-server/rules.ts';
import { defaultSeed } from '../../../reference-server/seed.ts';
import type { Behaviour } from '../../behaviour.ts';
import type { Defect } from '../../defect.ts';
import { alike, named, rows } from '../../table.ts';
import { changeUser, hungUpOn, noContentFor, sentId, sentKey, sentMembers } from '../requests.ts';
import { type WhichResponse, answering, showing } from '../responses.ts';
import {
  type Body,
  type Members,
  type Update,
  type Where,
  type WhichUpdate,
  anUpdate,
  isUpdate,
  refusing,
  sent,
  updating,
  withAll,
} from './updates.ts';

/** The two users that the operator names. */
const USER = 1;
const OTHER = 2;

/** The bodies of a valid update, with the names that the ids of the checks use. */
const SHAPES = ['name', 'email', 'role', 'name-email', 'name-role', 'email-role', 'name-email-role'] as const;
type Shape = (typeof SHAPES)[number];

function membersOf(shape: Shape): Updatable[] {
  return UPDATABLE.filter((member) => shape.split('-').includes(shortOf(member)));
}

function shortOf(member: Updatable): string {
  return member === 'rootRole' ? 'role' : member;
}

function words(members: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(members.map((member) => `\`${member}\``));
}

const any: WhichUpdate = () => true;
const ofOther: WhichUpdate = ({ before }) => before.id === OTHER;
const withNothing: WhichUpdate = ({ body }) => sent(body).length === 0;
const withSomething: WhichUpdate = ({ body }) => sent(body).length > 0;

/** The members that an update can send, in the order of the body. */
function known(body: Body): [string, unknown][] {
  return Object.entries(body).filter(([member]) => UPDATABLE.some((each) => each === member));
}

function withShape(shape: Shape): WhichUpdate {
  return ({ body }) => sent(body).join() === membersOf(shape).join();
}

/** Changes the responses to updates that were carried out. */
function respondingToUpdates(which: WhichResponse, change: (answer: ApiResponse) => ApiResponse): Behaviour {
  return answering((answered) => anUpdate(answered) && which(answered), change);
}

function sends(request: ApiRequest): Updatable[] {
  return sent(sentMembers(request));
}

function requestShape(...shapes: readonly Shape[]): WhichResponse {
  return ({ request }) => shapes.some((shape) => sends(request).join() === membersOf(shape).join());
}

const KEEPS = 'update.unsent-fields-keep';
const OTHER_MEMBERS = 'update.other-members-keep';
const ADDRESSED = 'update.addressed-user-only';
const STORED = 'update.sent-fields-change';
const SHOWN = 'update.answer-shows-user';
const ACCEPTED = ['update.success-is-200', 'update.fields-optional'];
const SEQUENCE = 'update.earlier-updates-keep';

type Value = (member: Updatable, update: Update) => unknown;

const DEFAULTS: Readonly<Record<Updatable, unknown>> = { name: 'New user', email: 'nobody@example.com', rootRole: 3 };

function firstOf(member: Updatable, { before }: Update): unknown {
  return defaultSeed.users.find(({ id }) => id === before.id)?.[member];
}

const toNull: Value = () => null;
const toEmpty: Value = (member) => (member === 'rootRole' ? {} : '');
const toNothing: Value = () => undefined;
const toDefault: Value = (member) => DEFAULTS[member];
const toBefore: Value = (member, { before }) => before[member];

const LOSSES: readonly (readonly [fault: string, title: string, mode: string, value: Value, where?: Where])[] = rows({
  'removes: removes': ['removed', toNothing],
  'nulls: stores null in': ['nulled', toNull],
  'empties: stores an empty value in': ['emptied', toEmpty],
  'resets: stores a default value in': ['replaced', toDefault],
  'restores-first: restores the original value of': ['replaced', firstOf],
  'loses-afterwards: gets a correct response, but stores null in': ['nulled', toNull, 'later'],
  'shows-default-of: shows, only in its response, a default value of': ['replaced', toDefault, 'in the response'],
});

/** The losses that apply to a member. Whether an object without members is an empty role is unknown. */
function lossesOf(member: Updatable): typeof LOSSES {
  return LOSSES.filter(([fault]) => member !== 'rootRole' || fault !== 'empties');
}

/** One defect for each body and each member that it does not send. */
const losses: readonly Defect[] = SHAPES.flatMap((shape) =>
  UPDATABLE.filter((member) => !membersOf(shape).includes(member)).flatMap((member) =>
    lossesOf(member).map(([fault, title, mode, value, where]) => ({
      id: `${shape}-update-${fault}-${shortOf(member)}`,
      title: `An update of only ${words(membersOf(shape))} ${title} \`${member}\`.`,
      breaks: [KEEPS],
      killedBy: { [`update-${shape}-keeps-${shortOf(member)}`]: mode },
      behaviour: updating(withShape(shape), (update) => ({ [member]: value(member, update) }), where),
    })),
  ),
);

function unsent({ body }: Update): Updatable[] {
  return UPDATABLE.filter((member) => !(member in body));
}

function unsentBecome(value: Value): (update: Update) => Members {
  return (update) => Object.fromEntries(unsent(update).map((member) => [member, value(member, update)]));
}

function roleText({ rootRole }: User): string {
  return JSON.stringify(rootRole);
}

const broadLosses: readonly Defect[] = named<Defect>({
  'update-replaces-user: An update replaces the user; everything that was not sent is gone.': {
    breaks: [KEEPS],
    killedBy: {
      'update-name-keeps-email': 'removed',
      'update-email-keeps-name': 'removed',
      'update-role-keeps-name': 'removed',
    },
    behaviour: updating(withSomething, unsentBecome(toNothing)),
  },
  'update-nulls-what-is-not-sent: An update sets the members that were not sent to null.': {
    breaks: [KEEPS],
    killedBy: {
      'update-name-keeps-email': 'nulled',
      'update-email-keeps-role': 'nulled',
      'update-role-keeps-email': 'nulled',
    },
    behaviour: updating(withSomething, unsentBecome(toNull)),
  },
  'update-empties-what-is-not-sent: An update sets the members that were not sent to the empty value of their type.': {
    breaks: [KEEPS],
    killedBy: {
      'update-name-keeps-email': 'emptied',
      'update-email-keeps-name': 'emptied',
      'update-role-keeps-name': 'emptied',
    },
    behaviour: updating(withSomething, unsentBecome(toEmpty)),
  },
  'update-fills-in-defaults: An update sets the members that were not sent to the defaults of a new user.': {
    breaks: [KEEPS],
    killedBy: { 'update-name-keeps-role': 'replaced', 'update-email-keeps-name': 'replaced' },
    behaviour: updating(withSomething, unsentBecome(toDefault)),
  },
  'update-starts-from-first-state: The server applies each update to the user as it was when it was created.': {
    breaks: [KEEPS, SEQUENCE],
    killedBy: {
      'update-name-keeps-email': 'replaced',
      'update-email-keeps-name': 'replaced',
      'update-second-keeps-first': 'reverted',
    },
    behaviour: updating(withSomething, unsentBecome(firstOf)),
  },
  'update-loses-role-unless-sent: An update that does not send the role sets it to the lowest one.': {
    breaks: [KEEPS],
    killedBy: { 'update-name-keeps-role': 'replaced', 'update-name-email-keeps-role': 'replaced' },
    behaviour: updating(
      ({ body }) => sent(body).length > 0 && !('rootRole' in body),
      () => ({ rootRole: 0 }),
    ),
  },
  'email-confirmation-hides-old-address: An update that does not send the e-mail address empties it until it is confirmed again.':
    {
      breaks: [KEEPS],
      killedBy: { 'update-name-keeps-email': 'emptied', 'update-role-keeps-email': 'emptied' },
      behaviour: updating(
        ({ body }) => sent(body).length > 0 && !('email' in body),
        () => ({ email: '' }),
      ),
    },
  'new-email-resets-name: A new e-mail address without a name sets the name to the local part of the address.': {
    breaks: [KEEPS],
    killedBy: { 'update-email-keeps-name': 'replaced', 'update-email-role-keeps-name': 'replaced' },
    behaviour: updating(
      ({ body }) => 'email' in body && !('name' in body),
      ({ after }) => ({ name: String(after.email).split('@')[0] }),
    ),
  },
  'new-name-makes-email: A new name without an e-mail address sets the address to one derived from the name.': {
    breaks: [KEEPS],
    killedBy: { 'update-name-keeps-email': 'replaced', 'update-name-role-keeps-email': 'replaced' },
    behaviour: updating(
      ({ body }) => 'name' in body && !('email' in body),
      ({ after }) => ({ email: `${String(after.name).toLowerCase().replaceAll(' ', '.')}@example.com` }),
    ),
  },
  'new-role-resets-account: A new role replaces the name and the e-mail address with those of the role.': {
    breaks: [KEEPS],
    killedBy: { 'update-role-keeps-name': 'replaced', 'update-role-keeps-email': 'replaced' },
    behaviour: updating(withShape('role'), ({ after }) => ({
      name: `Role ${roleText(after)}`,
      email: `role-${roleText(after)}@example.com`,
    })),
  },
});

/** The bodies with several members, each paired with every member that the server could ignore. */
const PARTS = SHAPES.filter((shape) => membersOf(shape).length > 1).flatMap((shape) =>
  membersOf(shape).map((member) => ({ shape, member })),
);

const effects: readonly Defect[] = [
  ...SHAPES.flatMap((shape): Defect[] => [
    {
      id: `${shape}-update-not-stored`,
      title: `The server echoes an update of ${words(membersOf(shape))}, but does not store it.`,
      breaks: [STORED],
      killedBy: { [`update-${shape}-stored`]: 'not-stored' },
      behaviour: updating(withShape(shape), ({ before }) => ({ ...before }), 'later'),
    },
    {
      id: `${shape}-update-answered-with-old-user`,
      title: `The response to an update of ${words(membersOf(shape))} shows the user as it was before.`,
      breaks: [SHOWN],
      killedBy: { [`update-${shape}-shown`]: 'stale-answer' },
      behaviour: updating(withShape(shape), ({ before }) => ({ ...before }), 'in the response'),
    },
    {
      id: `${shape}-update-refused`,
      title: `The server responds 400 to an update of only ${words(membersOf(shape))}.`,
      breaks: ACCEPTED,
      killedBy: { [`update-${shape}-accepted`]: 'refused' },
      behaviour: refusing((body) => sent(body).join() === membersOf(shape).join(), 'The body is not complete.'),
    },
  ]),
  ...PARTS.map(({ shape, member }) => ({
    id: `${shape}-update-passes-over-${shortOf(member)}`,
    title: `The server ignores \`${member}\` in an update of ${words(membersOf(shape))}.`,
    breaks: [STORED, SHOWN],
    killedBy: { [`update-${shape}-stored`]: 'not-stored', [`update-${shape}-shown`]: 'stale-answer' },
    behaviour: updating(withShape(shape), (update) => ({ [member]: toBefore(member, update) })),
  })),
];

/** Stores the effect of an update only when so many later ones have come. */
function storingLate(late: number): Behaviour {
  return {
    replace: (rules) => {
      const pending: (() => void)[] = [];
      return {
        applyUpdate: (store, before, body) => {
          const after = rules.applyUpdate(store, before, body);
          if (sent(body).length === 0) return after;
          store.users.set(before.id, before);
          pending.push(() => {
            changeUser(store.users, before.id, body);
          });
          if (pending.length > late) pending.shift()?.();
          return after;
        },
      };
    },
  };
}

/** Reverts an update of a user with the next request for that user. */
function rollingBack(which: (body: Body) => boolean): Behaviour {
  return {
    replace: (rules, store) => {
      const pending = new Map<number, User>();
      return {
        findUser: (users, id) => {
          const before = pending.get(id);
          if (before) store.users.set(id, before);
          pending.delete(id);
          return rules.findUser(users, id);
        },
        applyUpdate: (users, before, body) => {
          if (which(body)) pending.set(before.id, before);
          return rules.applyUpdate(users, before, body);
        },
      };
    },
  };
}

/** Shows users from a cache that some updates do not refresh. */
function cachedUnless(renews: (body: Body) => boolean): Behaviour {
  return {
    replace: (rules) => {
      const cache = new Map<number, User>();
      return {
        applyUpdate: (store, before, body) => {
          const after = rules.applyUpdate(store, before, body);
          const shown = cache.get(before.id) ?? before;
          if (sent(body).length === 0) return shown;
          cache.set(before.id, renews(body) ? after : shown);
          return after;
        },
      };
    },
  };
}

const broadEffects: readonly Defect[] = [
  ...alike([STORED], { 'update-name-stored': 'not-stored', 'update-email-stored': 'not-stored' })({
    'update-echoes-only: The server echoes every update and stores none.': updating(
      withSomething,
      ({ before }) => ({ ...before }),
      'later',
    ),
    'update-rolled-back-by-next-request: The server does not commit an update; the next request for the user rolls it back.':
      rollingBack((body) => sent(body).length > 0),
  }),
  ...alike([STORED, SHOWN], { 'update-email-stored': 'not-stored', 'update-email-shown': 'stale-answer' })({
    'update-never-changes-email: The server accepts an e-mail address, but never changes it.': updating(
      withAll('email'),
      ({ before }) => ({ email: before.email }),
    ),
    'update-cuts-tag-of-email: The server cuts off what follows a hyphen in the local part of an e-mail address.':
      updating(withAll('email'), ({ after }) => ({ email: String(after.email).replace(/-.*@/, '@') })),
  }),
  ...alike([STORED], { 'update-name-stored': 'not-stored' })({
    'update-cuts-name: The server cuts a name after 12 characters.': updating(withAll('name'), ({ after }) => ({
      name: String(after.name).slice(0, 12),
    })),
    'update-spells-name-in-capitals: The server stores a name in capitals.': updating(withAll('name'), ({ after }) => ({
      name: String(after.name).toUpperCase(),
    })),
    'update-stored-late: The server stores an update only after fifty later ones.': storingLate(50),
    'update-does-not-renew-cache: The server shows users from a cache that updates do not refresh.': cachedUnless(
      () => false,
    ),
  }),
  ...alike([STORED, SHOWN], { 'update-name-stored': 'not-stored', 'update-name-shown': 'stale-answer' })({
    'update-strips-digits-of-name: The server removes the digits of a name.': updating(
      withAll('name'),
      ({ after }) => ({ name: String(after.name).replaceAll(/\d/g, '') }),
    ),
    'update-stored-under-wrong-name: The server stores `name` in a member that nothing reads.': updating(
      withAll('name'),
      ({ before, body }) => ({ name: before.name, fullName: body.name }),
    ),
  }),
  ...alike([STORED], { 'update-name-role-stored': 'not-stored' })({
    'role-echoed-and-never-stored: The server echoes a role, but never stores it.': updating(
      withAll('rootRole'),
      ({ before }) => ({ rootRole: before.rootRole }),
      'later',
    ),
    'role-update-rolled-back-by-next-request: The server does not commit an update with a role; the next request for the user rolls it back.':
      rollingBack((body) => 'rootRole' in body),
  }),
  ...named<Defect>({
    'update-does-nothing: The server responds 200 to every update, with the user as it was before, and stores none.': {
      breaks: [STORED, SHOWN],
      killedBy: {
        'update-name-stored': 'not-stored',
        'update-name-shown': 'stale-answer',
        'update-email-shown': 'stale-answer',
      },
      behaviour: updating(withSomething, ({ before }) => ({ ...before })),
    },
    'update-answers-with-old-user: The response to an update shows the user as it was before.': {
      breaks: [SHOWN],
      killedBy: { 'update-name-shown': 'stale-answer', 'update-role-shown': 'stale-answer' },
      behaviour: updating(withSomething, ({ before }) => ({ ...before }), 'in the response'),
    },
    'update-applies-first-member-only: The server stores only the first member of a body.': {
      breaks: [STORED, SHOWN],
      killedBy: { 'update-name-email-stored': 'not-stored', 'update-name-email-role-shown': 'stale-answer' },
      behaviour: updating(withSomething, ({ body, before }) => ({
        ...before,
        ...Object.fromEntries(known(body).slice(0, 1)),
      })),
    },
    'update-applies-last-member-only: The server stores only the last member of a body.': {
      breaks: [STORED, SHOWN],
      killedBy: { 'update-name-email-stored': 'not-stored', 'update-email-role-shown': 'stale-answer' },
      behaviour: updating(withSomething, ({ body, before }) => ({
        ...before,
        ...Object.fromEntries(known(body).slice(-1)),
      })),
    },
    'update-never-changes-role: The server accepts a role, but never changes it.': {
      breaks: [STORED, SHOWN],
      killedBy: {
        'update-role-stored': 'not-stored',
        'update-role-shown': 'stale-answer',
        'update-name-role-stored': 'not-stored',
      },
      behaviour: updating(withAll('rootRole'), ({ before }) => ({ rootRole: before.rootRole })),
    },
    'update-swaps-name-and-email: If both are sent, the server stores the name as the e-mail address and the address as the name.':
      {
        breaks: [STORED, SHOWN],
        killedBy: { 'update-name-email-stored': 'not-stored', 'update-name-email-shown': 'stale-answer' },
        behaviour: updating(withAll('name', 'email'), ({ after }) => ({
          name: after.email,
          email: String(after.name),
        })),
      },
    'update-stores-name-as-username: The server stores the name as the username.': {
      breaks: [STORED, OTHER_MEMBERS],
      killedBy: { 'update-name-stored': 'not-stored', 'update-keeps-username': 'changed' },
      behaviour: updating(withAll('name'), ({ before, body }) => ({ name: before.name, username: body.name })),
    },
    'update-masks-email-in-answer: The response to an update masks the e-mail address that was sent.': {
      breaks: [SHOWN],
      killedBy: { 'update-email-shown': 'stale-answer' },
      behaviour: updating(
        withAll('email'),
        ({ after }) => ({ email: String(after.email).replace(/^(.).*@/, '$1***@') }),
        'in the response',
      ),
    },
    'update-stores-next-role: The server stores a role as an index that counts from 0.': {
      breaks: [STORED],
      killedBy: { 'update-role-stored': 'not-stored' },
      behaviour: updating(withAll('rootRole'), ({ after }) => ({ rootRole: Number(after.rootRole) - 1 })),
    },
    'email-update-does-not-renew-cache: The server shows users from a cache that updates without a name do not refresh.':
      {
        breaks: [STORED],
        killedBy: { 'update-email-stored': 'not-stored' },
        behaviour: cachedUnless((body) => 'name' in body),
      },
  }),
];

type Needing = readonly [id: string, title: string, lacks: (body: Body) => boolean, shapes: readonly Shape[]];

const NEEDING: readonly Needing[] = rows({
  'update-needs-all-members: The server requires all three members in an update.': [
    (body) => sent(body).length < 3,
    ['name', 'email', 'role', 'name-email', 'name-role', 'email-role'],
  ],
  'update-needs-email: The server requires the e-mail address in an update.': [
    (body) => !('email' in body),
    ['name', 'role', 'name-role'],
  ],
  'update-needs-email-or-username: The server requires the e-mail address in an update because the body has no username.':
    [(body) => !('email' in body) && !('username' in body), ['name', 'role']],
  'update-needs-name: The server requires the name in an update.': [
    (body) => !('name' in body),
    ['email', 'role', 'email-role'],
  ],
  'update-needs-role: The server requires the role in an update.': [
    (body) => !('rootRole' in body),
    ['name', 'email', 'name-email'],
  ],
  'update-needs-name-or-email-with-role: The server accepts a role only together with a name or an e-mail address.': [
    (body) => sent(body).join() === 'rootRole',
    ['role'],
  ],
  'update-takes-one-member-at-a-time: The server accepts only one member in an update.': [
    (body) => sent(body).length > 1,
    ['name-email', 'name-role', 'email-role', 'name-email-role'],
  ],
  'update-needs-two-members: The server requires two members in an update.': [
    (body) => sent(body).length === 1,
    ['name', 'email', 'role'],
  ],
  'update-takes-no-role-with-email: The server refuses the role and the e-mail address in one update.': [
    (body) => 'rootRole' in body && 'email' in body,
    ['email-role', 'name-email-role'],
  ],
});

const requiredMembers: readonly Defect[] = NEEDING.map(([id, title, lacks, shapes]) => ({
  id,
  title,
  breaks: ACCEPTED,
  killedBy: Object.fromEntries(shapes.map((shape) => [`update-${shape}-accepted`, 'refused'])),
  behaviour: refusing((body) => sent(body).length > 0 && lacks(body), title),
}));

/** Responds to successful updates with another status. */
function withStatus(status: number): (answer: ApiResponse) => ApiResponse {
  return (answer) => ({
    ...answer,
    status,
    ...(status < 400 ? {} : { body: { id: 'e-1', name: 'Error', message: 'No.' } }),
  });
}

const STATUSES: readonly (readonly [status: number, mode: string, shape: Shape])[] = [
  [201, 'wrong-success-status', 'role'],
  [202, 'wrong-success-status', 'email'],
  [206, 'wrong-success-status', 'name-email'],
  [302, 'redirected', 'name-role'],
  [303, 'redirected', 'email-role'],
  [404, 'refused', 'name-email-role'],
  [409, 'refused', 'email'],
  [422, 'refused', 'role'],
  [500, 'server-error', 'name'],
  [501, 'server-error', 'name-role'],
];

const ALWAYS_OTHER = { 'update-name-accepted': 'wrong-success-status', 'update-always-200': 'wrong-success-status' };
const everyUpdate: WhichResponse = ({ request }) => sends(request).length > 0;

const statuses: readonly Defect[] = [
  ...STATUSES.map(([status, mode, shape]): Defect => ({
    id: `${shape}-update-answered-${status}`,
    title: `The server responds ${status} to an update of only ${words(membersOf(shape))}.`,
    breaks: ACCEPTED,
    killedBy: { [`update-${shape}-accepted`]: mode },
    behaviour: respondingToUpdates(requestShape(shape), withStatus(status)),
  })),
  ...([201, 202, 206] as const).flatMap((status) =>
    alike(
      ['update.success-is-200'],
      ALWAYS_OTHER,
    )({
      [`every-update-answered-${status}: The server responds ${status} to every update.`]: respondingToUpdates(
        everyUpdate,
        withStatus(status),
      ),
    }),
  ),
  ...alike(['update.success-is-200'], { 'update-always-200': 'server-error' })({
    'seventh-update-fails: The server fails on every seventh valid update.': respondingToUpdates(
      ({ count }) => count % 7 === 0,
      withStatus(500),
    ),
    'update-of-other-user-fails: The server fails on updates of one of the users.': respondingToUpdates(
      ({ request }) => sentId(request) === String(OTHER) && sends(request).length > 0,
      withStatus(500),
    ),
  }),
  ...alike(['update.success-is-200'], { 'update-always-200': 'refused' })({
    'second-update-in-a-row-conflicts: The server refuses an update right after another one of the same user as a conflict.':
      {
        replace: (rules) => {
          const last = new Map<number, boolean>();
          return {
            applyUpdate: (store, user, body) => {
              const conflict = last.get(user.id) === true && sent(body).length > 0;
              last.set(user.id, !conflict && sent(body).length > 0);
              if (conflict) throw new Refused(409, 'The user was changed in the meantime.');
              return rules.applyUpdate(store, user, body);
            },
          };
        },
      },
    'user-gone-after-updates: The server no longer finds a user after its twentieth update.': respondingToUpdates(
      ({ request, count }) => count > 20 && sentId(request) === String(USER),
      withStatus(404),
    ),
  }),
  ...named<Defect>({
    'every-update-answered-204: The server responds 204, without a body, to every update.': {
      breaks: ['update.success-is-200'],
      killedBy: { 'update-name-accepted': 'wrong-success-status', 'update-always-200': 'wrong-success-status' },
      behaviour: noContentFor(200),
    },
    'every-update-redirected: The server carries out every update and then redirects to the user.': {
      breaks: ['update.success-is-200'],
      killedBy: { 'update-name-accepted': 'redirected' },
      behaviour: respondingToUpdates(everyUpdate, ({ body }) => ({
        status: 303,
        body,
        headers: { location: '/api/admin/user-admin/1' },
      })),
    },
    'every-update-fails: The server fails on every update.': {
      breaks: ['update.success-is-200'],
      killedBy: { 'update-name-accepted': 'server-error' },
      behaviour: respondingToUpdates(everyUpdate, withStatus(500)),
    },
    'update-of-other-user-answered-201: The server responds 201 to updates of one of the users.': {
      breaks: ['update.success-is-200'],
      killedBy: { 'update-always-200': 'wrong-success-status' },
      behaviour: respondingToUpdates(
        ({ request }) => sentId(request) === String(OTHER) && sends(request).length > 0,
        withStatus(201),
      ),
    },
  }),
  ...(
    [
      ['name', 'name', /^\{"name":"[^"]*"\}$/],
      ['role', 'rootRole', /^\{"rootRole":\d+\}$/],
      ['name-email-role', 'name, email and rootRole', /(?=.*"name")(?=.*"email")(?=.*"rootRole")/],
    ] as const
  ).map(([shape, what, form]): Defect => ({
    id: `${shape}-update-hung-up-on`,
    title: `The server closes the connection instead of responding to an update of ${what}.`,
    breaks: ACCEPTED,
    killedBy: { [`update-${shape}-accepted`]: 'no-answer' },
    behaviour: hungUpOn(
      (request) =>
        isUpdate(request) && sentKey(request) === defaultSeed.keys.admin && form.test(request.body.toString('utf8')),
    ),
  })),
];

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

const sideEffects: readonly Defect[] = Object.entries(SIDE_EFFECTS).flatMap(([member, effectsOfIt]) =>
  effectsOfIt.map(([id, title, which, change, where]) => ({
    id: `update-${id}`,
    title,
    breaks: [OTHER_MEMBERS],
    killedBy: { [`update-keeps-${member}`]: 'changed' },
    behaviour: updating(which, change, where),
  })),
);

/** Gives an update a side effect on the users. */
function besides(which: WhichUpdate, act: (update: Update) => void): Behaviour {
  return {
    replace: (rules) => ({
      applyUpdate: (store, before, body) => {
        const after = rules.applyUpdate(store, before, body);
        const update = { body, before, after, store };
        if (which(update)) act(update);
        return after;
      },
    }),
  };
}

/** Applies every update to another user, and responds as if it were the addressed one. */
function misdirecting(target: (id: number, body: Members) => number): Behaviour {
  return {
    replace: () => ({
      applyUpdate: (store, before, body) => {
        changeUser(
          store.users,
          target(before.id, body),
          Object.fromEntries(sent(body).map((each) => [each, body[each]])),
        );
        return { ...before, ...store.users.get(before.id), ...body, id: before.id };
      },
    }),
  };
}

function twin(id: number): number {
  return id === USER ? OTHER : USER;
}

/** The id in the body, if there is one. */
function idIn(body: Members): number | undefined {
  return typeof body.id === 'number' ? body.id : undefined;
}

function toAll({ store, body }: Update, members: readonly Updatable[] = UPDATABLE): void {
  const values = Object.fromEntries(sent(body).flatMap((each) => (members.includes(each) ? [[each, body[each]]] : [])));
  for (const id of store.users.keys()) changeUser(store.users, id, values);
}

const SPARED = 'other-user-changed';

const addressed: readonly Defect[] = [
  ...alike([ADDRESSED], { 'update-spares-other-user': SPARED })({
    'role-update-changes-all-users: A new role is stored for every user.': besides(withAll('rootRole'), (update) => {
      toAll(update, ['rootRole']);
    }),
    'name-update-changes-all-users: An update of only the name is stored for every user.': besides(
      withShape('name'),
      (update) => {
        toAll(update);
      },
    ),
    'update-changes-last-user-too: An update of the first user also changes the last one.': besides(
      ({ before }) => before.id === USER,
      ({ store, body }) => {
        changeUser(store.users, OTHER, Object.fromEntries(sent(body).map((each) => [each, body[each]])));
      },
    ),
    'update-counts-login-of-other-user: An update of one user counts as a failed login of the other.': besides(
      ({ before, body }) => before.id === USER && sent(body).length > 0,
      ({ store }) => {
        changeUser(store.users, OTHER, { loginAttempts: (store.users.get(OTHER)?.loginAttempts ?? 0) + 1 });
      },
    ),
    'update-hands-email-on: The old e-mail address of an updated user is stored for the other user.': besides(
      ({ before, body }) => before.id === USER && 'email' in body,
      ({ store, before }) => {
        changeUser(store.users, OTHER, { email: before.email });
      },
    ),
  }),
  ...alike([ADDRESSED, STORED], { 'update-other-user-stored': 'not-stored' })({
    'update-of-second-user-not-stored: The server does not store an update of the second user.': updating(
      ofOther,
      ({ before }) => ({ ...before }),
      'later',
    ),
    'update-of-second-user-stores-name-only: The server does not store the e-mail address in an update of the second user.':
      updating(ofOther, ({ before }) => ({ email: before.email }), 'later'),
  }),
  ...alike([ADDRESSED], { 'update-body-id-spares-other-user': SPARED })({
    'update-goes-to-id-in-body: The server updates the user whose id is in the body.': misdirecting(
      (id, body) => idIn(body) ?? id,
    ),
    'update-goes-to-id-in-body-too: The server updates the user whose id is in the body as well as the one in the path.':
      besides(
        ({ body }) => idIn(body) !== undefined,
        ({ store, body }) => {
          changeUser(store.users, idIn(body) ?? 0, { name: body.name });
        },
      ),
    'id-in-body-replaces-user: The server also stores the updated user under the id in the body.': besides(
      ({ body }) => idIn(body) !== undefined,
      ({ store, after, body }) => {
        const id = idIn(body) ?? 0;
        store.users.set(id, { ...after, id });
      },
    ),
  }),
  ...named<Defect>({
    'update-changes-all-users: An update changes every user.': {
      breaks: [ADDRESSED],
      killedBy: { 'update-spares-other-user': SPARED, 'update-other-user-spares-user': SPARED },
      behaviour: besides(any, (update) => {
        toAll(update);
      }),
    },
    'update-changes-first-user-too: An update of any user also changes the first one.': {
      breaks: [ADDRESSED],
      killedBy: { 'update-other-user-spares-user': SPARED },
      behaviour: besides(ofOther, ({ store, body }) => {
        changeUser(store.users, USER, body);
      }),
    },
    'update-swaps-users: The server stores an update for the other one of two users.': {
      breaks: [ADDRESSED, STORED],
      killedBy: { 'update-spares-other-user': SPARED, 'update-name-stored': 'not-stored' },
      behaviour: misdirecting(twin),
    },
    'update-of-second-user-goes-to-first: The server stores an update of the second user for the first one.': {
      breaks: [ADDRESSED],
      killedBy: { 'update-other-user-stored': 'not-stored', 'update-other-user-spares-user': SPARED },
      behaviour: misdirecting(() => USER),
    },
  }),
];

const ids: readonly Defect[] = rows<readonly [string, string, WhichResponse, (id: number) => number]>({
  'always-1: The response to an update has the id 1, whichever user is updated.': [ofOtherRequest, () => 1],
  'an-index: The response to an update has an index into the list of users as id.': [anUpdate, (id) => id - 1],
  'an-internal-number: The response to an update has an internal number as id.': [anUpdate, (id) => id + 1_000],
  'of-another-user: The response to an update has the id of another user.': [anUpdate, twin],
  'negative: The response to an update has the negated id.': [anUpdate, (id) => -id],
  'zero-after-role: The response to an update with a role has the id 0.': [sendsRole, () => 0],
  'of-another-user-after-email: The response to a new e-mail address has the id of another user.': [sendsEmail, twin],
  'with-another-key: The response to an update without a name has the id of the key.': [sendsNoName, () => 77],
}).map(([id, title, which, other]) => ({
  id: `answer-id-${id}`,
  title,
  breaks: ['update.id-matches-path'],
  killedBy: { 'update-answer-id': 'other-id' },
  behaviour: showing(
    (answered) => anUpdate(answered) && which(answered),
    (body) => ({ ...(body as User), id: other((body as User).id) }),
  ),
}));

function ofOtherRequest({ request }: { readonly request: ApiRequest }): boolean {
  return sentId(request) === String(OTHER);
}

function sendsRole({ request }: { readonly request: ApiRequest }): boolean {
  return sends(request).includes('rootRole');
}

function sendsEmail({ request }: { readonly request: ApiRequest }): boolean {
  return sends(request).join() === 'email';
}

function sendsNoName({ request }: { readonly request: ApiRequest }): boolean {
  return !sends(request).includes('name');
}

interface Previous {
  readonly shape: string;
  readonly before: User;
}

/** Reverts what the previous update stored if the two have these bodies. */
function takingBack(
  which: (previous: string, now: string) => boolean,
  members: readonly Updatable[] = UPDATABLE,
): Behaviour {
  return {
    replace: (rules) => {
      const previous = new Map<number, Previous>();
      return {
        applyUpdate: (store, user, body) => {
          const after = rules.applyUpdate(store, user, body);
          const shape = sent(body).join();
          const last = previous.get(user.id);
          previous.set(user.id, { shape, before: user });
          if (!last || !which(last.shape, shape)) return after;
          const lost = members.filter((member) => !(member in body));
          const wrong = { ...after, ...Object.fromEntries(lost.map((member) => [member, last.before[member]])) };
          store.users.set(user.id, wrong);
          return wrong;
        },
      };
    },
  };
}

const TAKEN_BACK = 'reverted';

const sequences: readonly Defect[] = [
  ...alike([SEQUENCE], { 'update-second-keeps-first': TAKEN_BACK })({
    'name-takes-email-back: A new name right after a new e-mail address reverts the address.': takingBack(
      (previous, now) => previous === 'email' && now === 'name',
    ),
    'email-takes-name-back: A new e-mail address right after a new name reverts the name.': takingBack(
      (previous, now) => previous === 'name' && now === 'email',
    ),
  }),
  ...alike([SEQUENCE], { 'update-second-keeps-role': TAKEN_BACK })({
    'name-takes-role-back: A new name right after a new role reverts the role.': takingBack(
      (previous, now) => previous === 'rootRole' && now === 'name',
    ),
    'role-takes-email-back: A new role right after a new e-mail address reverts the address.': takingBack(
      (previous, now) => previous === 'email' && now === 'rootRole',
    ),
  }),
  ...named<Defect>({
    'update-starts-from-stale-copy: An update starts from a stale copy and so reverts the update right before it.': {
      breaks: [SEQUENCE],
      killedBy: { 'update-second-keeps-first': TAKEN_BACK, 'update-second-keeps-role': TAKEN_BACK },
      behaviour: takingBack((previous, now) => previous !== '' && now !== ''),
    },
  }),
];

const EMPTY = 'update.empty-body-changes-nothing';

function emptyBody(id: string, title: string, mode: string, behaviour: Behaviour): Defect {
  return { id: `empty-body-${id}`, title, breaks: [EMPTY], killedBy: { 'update-empty-body': mode }, behaviour };
}

const toEmptyBody: WhichResponse = ({ request }) => isUpdate(request) && request.body.toString('utf8') === '{}';

const emptyBodies: readonly Defect[] = [
  ...UPDATABLE.flatMap((member) => [
    emptyBody(
      `nulls-${shortOf(member)}`,
      `The body \`{}\` sets \`${member}\` to null.`,
      'nulled',
      updating(withNothing, () => ({ [member]: null })),
    ),
    emptyBody(
      `resets-${shortOf(member)}`,
      `The body \`{}\` resets \`${member}\` to a default.`,
      'replaced',
      updating(withNothing, () => ({ [member]: DEFAULTS[member] })),
    ),
  ]),
  emptyBody(
    'empties-user',
    'The body `{}` removes name, e-mail address and role.',
    'removed',
    updating(withNothing, () => ({ name: undefined, email: undefined, rootRole: undefined })),
  ),
  emptyBody(
    'restores-first-state',
    'The body `{}` restores the original values of the user.',
    'replaced',
    updating(withNothing, unsentBecome(firstOf)),
  ),
  ...([201, 202, 404, 409, 422, 500] as const).map((status) =>
    emptyBody(
      `answered-${status}`,
      `The server responds ${status} to the body \`{}\`.`,
      'wrong-status',
      respondingToUpdates(toEmptyBody, withStatus(status)),
    ),
  ),
  emptyBody(
    'refused-with-another-name',
    'The 400 response to the body `{}` has an error name that is not documented.',
    'wrong-error-name',
    respondingToUpdates(toEmptyBody, () => ({
      status: 400,
      body: { id: 'e-1', name: 'EmptyBody', message: 'Send a member.' },
    })),
  ),
  emptyBody(
    'hung-up-on',
    'The server closes the connection instead of responding to the body `{}`.',
    'no-answer',
    hungUpOn(
      (request) => isUpdate(request) && sentKey(request) === defaultSeed.keys.admin && request.body.toString() === '{}',
    ),
  ),
];

/** Responds with a few members and those that were sent. */
function showingFew(...few: readonly (keyof User)[]): Behaviour {
  return showing(anUpdate, (body, { request }) => {
    const user = body as User;
    return Object.fromEntries([...few, ...sends(request)].map((member) => [member, user[member]]));
  });
}

const shownWhenSent: readonly Defect[] = rows<readonly [string, string, readonly (keyof User)[]]>({
  'with-username: Responses show only the id, the username and the members that were sent.': [['id', 'username']],
  'with-times: Responses show only the id, two points in time and the members that were sent.': [
    ['id', 'createdAt', 'seenAt'],
  ],
  'and-email: Responses show only the id, the e-mail address, the account type and the members that were sent.': [
    ['id', 'email', 'accountType'],
  ],
}).map(([id, title, few]) => ({
  id: `shows-what-was-sent-${id}`,
  title,
  breaks: ['update.kept-members-shown'],
  killedBy: { 'update-kept-members-shown': 'only-when-sent' },
  behaviour: showingFew(...few),
}));

const servers: readonly Defect[] = [
  ...losses,
  ...effects,
  ...broadLosses,
  ...broadEffects,
  ...requiredMembers,
  ...statuses,
  ...sideEffects,
  ...addressed,
  ...ids,
  ...sequences,
  ...emptyBodies,
  ...shownWhenSent,
];

/** Roles that no user has and no fault sets, so that a role that is sent is never there by chance. */
const inputs = { roleIds: [21, 22] };

/** Source: What the service does, 1; Endpoints, PUT user, rule. */
export const partialUpdateDefects: readonly Defect[] = servers.map((server) => ({ ...server, inputs }));
