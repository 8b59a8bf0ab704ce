import type { User } from '../../contract/document.ts';
import { UPDATABLE, type Updatable } from '../../conformance/target/user.ts';
import { Refused, type Answer, type ApiRequest } from '../../reference-server/rules.ts';
import { defaultSeed } from '../../reference-server/seed.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Defect } from '../defect.ts';
import { answering, anUpdate, showing, type WhichResponse } from './answers.ts';
import { changeUser, hungUpOn, isUpdate, noContentFor, sentId, sentMembers } from './requests.ts';
import {
  refusing,
  sent,
  updating,
  withAll,
  type Body,
  type Members,
  type Update,
  type WhichUpdate,
  type Where,
} from './updates.ts';

/** The two users that the operator names. */
const USER = 1;
const OTHER = 2;

/** The bodies of a valid update, as the ids of the checks name them. */
const SHAPES = ['name', 'email', 'role', 'name-email', 'name-role', 'email-role', 'name-email-role'] as const;
type Shape = (typeof SHAPES)[number];

function membersOf(shape: Shape): Updatable[] {
  return UPDATABLE.filter((member) => shape.split('-').includes(shortOf(member)));
}

function shortOf(member: Updatable): string {
  return member === 'rootRole' ? 'role' : member;
}

function words(members: readonly string[]): string {
  return members.map((member) => `\`${member}\``).join(' and ');
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

/** Answers updates otherwise that were carried out. */
function answeringUpdates(which: WhichResponse, change: (answer: Answer) => Answer): Behaviour {
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

const LOSSES: readonly (readonly [fault: string, title: string, mode: string, value: Value, where?: Where])[] = [
  ['removes', 'removes', 'removed', toNothing],
  ['nulls', 'makes null of', 'nulled', toNull],
  ['empties', 'empties', 'emptied', toEmpty],
  ['resets', 'resets to a default', 'replaced', toDefault],
  ['restores-first', 'restores the first value of', 'replaced', firstOf],
  ['loses-afterwards', 'shows rightly, and then makes null of', 'nulled', toNull, 'later'],
  ['shows-default-of', 'keeps, and yet shows a default of', 'replaced', toDefault, 'in the answer'],
];

/** What an object without members says of a role is not known. */
function lossesOf(member: Updatable): typeof LOSSES {
  return LOSSES.filter(([fault]) => member !== 'rootRole' || fault !== 'empties');
}

/** Each for one body and one member that it does not send. */
const losses: readonly Defect[] = SHAPES.flatMap((shape) =>
  UPDATABLE.filter((member) => !membersOf(shape).includes(member)).flatMap((member) =>
    lossesOf(member).map(([fault, title, mode, value, where]) => ({
      id: `${shape}-update-${fault}-${shortOf(member)}`,
      title: `An update with ${words(membersOf(shape))} alone ${title} \`${member}\`.`,
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

type Row = readonly [
  id: string,
  title: string,
  breaks: readonly string[],
  killedBy: Defect['killedBy'],
  behaviour: Behaviour,
];

function fromRow([id, title, breaks, killedBy, behaviour]: Row): Defect {
  return { id, title, breaks, killedBy, behaviour };
}

function roleText({ rootRole }: User): string {
  return JSON.stringify(rootRole);
}

const broadLosses: readonly Row[] = [
  [
    'update-replaces-user',
    'An update replaces the user; all else is gone.',
    [KEEPS],
    { 'update-name-keeps-email': 'removed', 'update-email-keeps-name': 'removed', 'update-role-keeps-name': 'removed' },
    updating(withSomething, unsentBecome(toNothing)),
  ],
  [
    'update-nulls-what-is-not-sent',
    'What was not sent becomes null.',
    [KEEPS],
    { 'update-name-keeps-email': 'nulled', 'update-email-keeps-role': 'nulled', 'update-role-keeps-email': 'nulled' },
    updating(withSomething, unsentBecome(toNull)),
  ],
  [
    'update-empties-what-is-not-sent',
    'What was not sent becomes the empty value of its type.',
    [KEEPS],
    { 'update-name-keeps-email': 'emptied', 'update-email-keeps-name': 'emptied', 'update-role-keeps-name': 'emptied' },
    updating(withSomething, unsentBecome(toEmpty)),
  ],
  [
    'update-fills-in-defaults',
    'What was not sent gets the default of a new user.',
    [KEEPS],
    { 'update-name-keeps-role': 'replaced', 'update-email-keeps-name': 'replaced' },
    updating(withSomething, unsentBecome(toDefault)),
  ],
  [
    'update-starts-from-first-state',
    'Each update is applied to the user as it was when it was created.',
    [KEEPS, SEQUENCE],
    {
      'update-name-keeps-email': 'replaced',
      'update-email-keeps-name': 'replaced',
      'update-second-keeps-first': 'reverted',
    },
    updating(withSomething, unsentBecome(firstOf)),
  ],
  [
    'update-loses-role-unless-sent',
    'The role falls back to the lowest one wherever it is not sent.',
    [KEEPS],
    { 'update-name-keeps-role': 'replaced', 'update-name-email-keeps-role': 'replaced' },
    updating(
      ({ body }) => sent(body).length > 0 && !('rootRole' in body),
      () => ({ rootRole: 0 }),
    ),
  ],
  [
    'email-confirmation-hides-old-address',
    'The e-mail address is empty after an update without it, until it is confirmed again.',
    [KEEPS],
    { 'update-name-keeps-email': 'emptied', 'update-role-keeps-email': 'emptied' },
    updating(
      ({ body }) => sent(body).length > 0 && !('email' in body),
      () => ({ email: '' }),
    ),
  ],
  [
    'new-email-resets-name',
    'A new e-mail address without a name beside it makes its local part the name.',
    [KEEPS],
    { 'update-email-keeps-name': 'replaced', 'update-email-role-keeps-name': 'replaced' },
    updating(
      ({ body }) => 'email' in body && !('name' in body),
      ({ after }) => ({ name: String(after.email).split('@')[0] }),
    ),
  ],
  [
    'new-name-makes-email',
    'A new name without an e-mail address beside it makes an address of the name.',
    [KEEPS],
    { 'update-name-keeps-email': 'replaced', 'update-name-role-keeps-email': 'replaced' },
    updating(
      ({ body }) => 'name' in body && !('email' in body),
      ({ after }) => ({ email: `${String(after.name).toLowerCase().replaceAll(' ', '.')}@example.com` }),
    ),
  ],
  [
    'new-role-resets-account',
    'A new role gives the account its name and address from the role.',
    [KEEPS],
    { 'update-role-keeps-name': 'replaced', 'update-role-keeps-email': 'replaced' },
    updating(withShape('role'), ({ after }) => ({
      name: `Role ${roleText(after)}`,
      email: `role-${roleText(after)}@example.com`,
    })),
  ],
];

/** Shapes with the members of each that could be passed over beside the others. */
const PARTS = SHAPES.filter((shape) => membersOf(shape).length > 1).flatMap((shape) =>
  membersOf(shape).map((member) => ({ shape, member })),
);

const effects: readonly Defect[] = [
  ...SHAPES.flatMap((shape): Defect[] => [
    {
      id: `${shape}-update-not-stored`,
      title: `An update with ${words(membersOf(shape))} is echoed, but not stored.`,
      breaks: [STORED],
      killedBy: { [`update-${shape}-stored`]: 'not-stored' },
      behaviour: updating(withShape(shape), ({ before }) => ({ ...before }), 'later'),
    },
    {
      id: `${shape}-update-answered-with-old-user`,
      title: `The answer to an update with ${words(membersOf(shape))} shows the user as it was before.`,
      breaks: [SHOWN],
      killedBy: { [`update-${shape}-shown`]: 'stale-answer' },
      behaviour: updating(withShape(shape), ({ before }) => ({ ...before }), 'in the answer'),
    },
    {
      id: `${shape}-update-refused`,
      title: `An update with ${words(membersOf(shape))} and nothing else is refused with 400.`,
      breaks: ACCEPTED,
      killedBy: { [`update-${shape}-accepted`]: 'refused' },
      behaviour: refusing((body) => sent(body).join() === membersOf(shape).join(), 'The body is not complete.'),
    },
  ]),
  ...PARTS.map(({ shape, member }) => ({
    id: `${shape}-update-passes-over-${shortOf(member)}`,
    title: `Of an update with ${words(membersOf(shape))}, \`${member}\` is passed over.`,
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

/** Takes an update of a user back as soon as the user is addressed again. */
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

/** Shows users from a cache that an update of some members does not renew. */
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

const broadEffects: readonly Row[] = [
  [
    'update-echoes-only',
    'Every update is echoed, and none is stored.',
    [STORED],
    { 'update-name-stored': 'not-stored', 'update-email-stored': 'not-stored' },
    updating(withSomething, ({ before }) => ({ ...before }), 'later'),
  ],
  [
    'update-does-nothing',
    'Every update is answered 200 with the user as it was, and none is stored.',
    [STORED, SHOWN],
    { 'update-name-stored': 'not-stored', 'update-name-shown': 'stale-answer', 'update-email-shown': 'stale-answer' },
    updating(withSomething, ({ before }) => ({ ...before })),
  ],
  [
    'update-answers-with-old-user',
    'The answer shows the user as it was before the update.',
    [SHOWN],
    { 'update-name-shown': 'stale-answer', 'update-role-shown': 'stale-answer' },
    updating(withSomething, ({ before }) => ({ ...before }), 'in the answer'),
  ],
  [
    'update-applies-first-member-only',
    'Of the members of a body only the first is stored.',
    [STORED, SHOWN],
    { 'update-name-email-stored': 'not-stored', 'update-name-email-role-shown': 'stale-answer' },
    updating(withSomething, ({ body, before }) => ({
      ...before,
      ...Object.fromEntries(known(body).slice(0, 1)),
    })),
  ],
  [
    'update-applies-last-member-only',
    'Of the members of a body only the last is stored.',
    [STORED, SHOWN],
    { 'update-name-email-stored': 'not-stored', 'update-email-role-shown': 'stale-answer' },
    updating(withSomething, ({ body, before }) => ({
      ...before,
      ...Object.fromEntries(known(body).slice(-1)),
    })),
  ],
  [
    'update-never-changes-role',
    'The role is taken without a word, and never changed.',
    [STORED, SHOWN],
    {
      'update-role-stored': 'not-stored',
      'update-role-shown': 'stale-answer',
      'update-name-role-stored': 'not-stored',
    },
    updating(withAll('rootRole'), ({ before }) => ({ rootRole: before.rootRole })),
  ],
  [
    'update-never-changes-email',
    'The e-mail address is taken without a word, and never changed.',
    [STORED, SHOWN],
    { 'update-email-stored': 'not-stored', 'update-email-shown': 'stale-answer' },
    updating(withAll('email'), ({ before }) => ({ email: before.email })),
  ],
  [
    'update-swaps-name-and-email',
    'Where both are sent, the name is stored as the e-mail address and the address as the name.',
    [STORED, SHOWN],
    { 'update-name-email-stored': 'not-stored', 'update-name-email-shown': 'stale-answer' },
    updating(withAll('name', 'email'), ({ after }) => ({ name: after.email, email: String(after.name) })),
  ],
  [
    'update-stores-name-as-username',
    'The name is stored as the username.',
    [STORED, OTHER_MEMBERS],
    { 'update-name-stored': 'not-stored', 'update-keeps-username': 'changed' },
    updating(withAll('name'), ({ before, body }) => ({ name: before.name, username: body.name })),
  ],
  [
    'update-cuts-name',
    'A name is cut after 12 characters.',
    [STORED],
    { 'update-name-stored': 'not-stored' },
    updating(withAll('name'), ({ after }) => ({ name: String(after.name).slice(0, 12) })),
  ],
  [
    'update-spells-name-in-capitals',
    'A name is stored in capitals.',
    [STORED],
    { 'update-name-stored': 'not-stored' },
    updating(withAll('name'), ({ after }) => ({ name: String(after.name).toUpperCase() })),
  ],
  [
    'update-strips-digits-of-name',
    'The digits of a name are taken out.',
    [STORED, SHOWN],
    { 'update-name-stored': 'not-stored', 'update-name-shown': 'stale-answer' },
    updating(withAll('name'), ({ after }) => ({ name: String(after.name).replaceAll(/\d/g, '') })),
  ],
  [
    'update-cuts-tag-of-email',
    'What follows a hyphen in the local part of an e-mail address is cut off.',
    [STORED, SHOWN],
    { 'update-email-stored': 'not-stored', 'update-email-shown': 'stale-answer' },
    updating(withAll('email'), ({ after }) => ({ email: String(after.email).replace(/-.*@/, '@') })),
  ],
  [
    'update-bodySends-email-in-answer',
    'The answer to an update bodySends the e-mail address that was sent.',
    [SHOWN],
    { 'update-email-shown': 'stale-answer' },
    updating(
      withAll('email'),
      ({ after }) => ({ email: String(after.email).replace(/^(.).*@/, '$1***@') }),
      'in the answer',
    ),
  ],
  [
    'update-stores-next-role',
    'The role is stored as an index that counts from 0.',
    [STORED],
    { 'update-role-stored': 'not-stored' },
    updating(withAll('rootRole'), ({ after }) => ({ rootRole: Number(after.rootRole) - 1 })),
  ],
  [
    'role-echoed-and-never-stored',
    'A role is echoed, and never stored.',
    [STORED],
    { 'update-name-role-stored': 'not-stored' },
    updating(withAll('rootRole'), ({ before }) => ({ rootRole: before.rootRole }), 'later'),
  ],
  [
    'update-stored-late',
    'An update is stored only after fifty later ones.',
    [STORED],
    { 'update-name-stored': 'not-stored' },
    storingLate(50),
  ],
  [
    'update-rolled-back-by-next-request',
    'An update is not committed; the next request for the user rolls it back.',
    [STORED],
    { 'update-name-stored': 'not-stored', 'update-email-stored': 'not-stored' },
    rollingBack((body) => sent(body).length > 0),
  ],
  [
    'role-update-rolled-back-by-next-request',
    'An update with a role is not committed; the next request for the user rolls it back.',
    [STORED],
    { 'update-name-role-stored': 'not-stored' },
    rollingBack((body) => 'rootRole' in body),
  ],
  [
    'update-does-not-renew-cache',
    'Users are shown from a cache that updates do not renew.',
    [STORED],
    { 'update-name-stored': 'not-stored' },
    cachedUnless(() => false),
  ],
  [
    'email-update-does-not-renew-cache',
    'Users are shown from a cache that updates without a name do not renew.',
    [STORED],
    { 'update-email-stored': 'not-stored' },
    cachedUnless((body) => 'name' in body),
  ],
  [
    'update-stored-under-wrong-name',
    'What is sent as `name` is stored in a member that nobody reads.',
    [STORED, SHOWN],
    { 'update-name-stored': 'not-stored', 'update-name-shown': 'stale-answer' },
    updating(withAll('name'), ({ before, body }) => ({ name: before.name, fullName: body.name })),
  ],
];

function needing(
  id: string,
  title: string,
  missing: (body: Body) => boolean,
  message: string,
  ...shapes: Shape[]
): Row {
  const killedBy = Object.fromEntries(shapes.map((shape) => [`update-${shape}-accepted`, 'refused']));
  return [id, title, ACCEPTED, killedBy, refusing((body) => sent(body).length > 0 && missing(body), message)];
}

const requiredMembers: readonly Row[] = [
  needing(
    'update-needs-all-members',
    'An update needs all three members.',
    (body) => sent(body).length < 3,
    'Send name, email and rootRole.',
    'name',
    'email',
    'role',
    'name-email',
    'name-role',
    'email-role',
  ),
  needing(
    'update-needs-email',
    'An update needs the e-mail address.',
    (body) => !('email' in body),
    'email is required.',
    'name',
    'role',
    'name-role',
  ),
  needing(
    'update-needs-email-or-username',
    'An update needs the e-mail address, since there is no username in the body.',
    (body) => !('email' in body) && !('username' in body),
    'email must be provided if username is not provided.',
    'name',
    'role',
  ),
  needing(
    'update-needs-name',
    'An update needs the name.',
    (body) => !('name' in body),
    'name is required.',
    'email',
    'role',
    'email-role',
  ),
  needing(
    'update-needs-role',
    'An update needs the role.',
    (body) => !('rootRole' in body),
    'rootRole is required.',
    'name',
    'email',
    'name-email',
  ),
  needing(
    'update-needs-name-or-email-with-role',
    'A role is taken only beside a name or an e-mail address.',
    (body) => sent(body).join() === 'rootRole',
    'Send name or email with the role.',
    'role',
  ),
  needing(
    'update-takes-one-member-at-a-time',
    'An update may have one member.',
    (body) => sent(body).length > 1,
    'Send one member at a time.',
    'name-email',
    'name-role',
    'email-role',
    'name-email-role',
  ),
  needing(
    'update-needs-two-members',
    'An update needs two members.',
    (body) => sent(body).length === 1,
    'Send at least two members.',
    'name',
    'email',
    'role',
  ),
  needing(
    'update-takes-no-role-with-email',
    'The role and the e-mail address cannot be changed together.',
    (body) => 'rootRole' in body && 'email' in body,
    'Change the role by itself.',
    'email-role',
    'name-email-role',
  ),
];

/** Answers with another status what succeeded. */
function withStatus(status: number): (answer: Answer) => Answer {
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

const everyUpdate: WhichResponse = ({ request }) => sends(request).length > 0;

const statuses: readonly Row[] = [
  ...STATUSES.map(([status, mode, shape]): Row => [
    `${shape}-update-answered-${status}`,
    `An update with ${words(membersOf(shape))} and nothing else is answered ${status}.`,
    ACCEPTED,
    { [`update-${shape}-accepted`]: mode },
    answeringUpdates(requestShape(shape), withStatus(status)),
  ]),
  ...([201, 202, 206] as const).map((status): Row => [
    `every-update-answered-${status}`,
    `Every update is answered ${status}.`,
    ['update.success-is-200'],
    { 'update-name-accepted': 'wrong-success-status', 'update-always-200': 'wrong-success-status' },
    answeringUpdates(everyUpdate, withStatus(status)),
  ]),
  [
    'every-update-answered-204',
    'Every update is answered 204, without a body.',
    ['update.success-is-200'],
    { 'update-name-accepted': 'wrong-success-status', 'update-always-200': 'wrong-success-status' },
    noContentFor(200),
  ],
  [
    'every-update-redirected',
    'Every update is carried out, and then redirected to the user.',
    ['update.success-is-200'],
    { 'update-name-accepted': 'redirected' },
    answeringUpdates(everyUpdate, ({ body }) => ({
      status: 303,
      body,
      headers: { location: '/api/admin/user-admin/1' },
    })),
  ],
  [
    'every-update-fails',
    'Every update makes the server fail.',
    ['update.success-is-200'],
    { 'update-name-accepted': 'server-error' },
    answeringUpdates(everyUpdate, withStatus(500)),
  ],
  [
    'seventh-update-fails',
    'Every seventh valid update makes the server fail.',
    ['update.success-is-200'],
    { 'update-always-200': 'server-error' },
    answeringUpdates(({ count }) => count % 7 === 0, withStatus(500)),
  ],
  [
    'update-of-other-user-fails',
    'Updates of one of the users make the server fail.',
    ['update.success-is-200'],
    { 'update-always-200': 'server-error' },
    answeringUpdates(({ request }) => sentId(request) === String(OTHER) && sends(request).length > 0, withStatus(500)),
  ],
  [
    'update-of-other-user-answered-201',
    'Updates of one of the users are answered 201.',
    ['update.success-is-200'],
    { 'update-always-200': 'wrong-success-status' },
    answeringUpdates(({ request }) => sentId(request) === String(OTHER) && sends(request).length > 0, withStatus(201)),
  ],
  [
    'second-update-in-a-row-conflicts',
    'An update right after another one of the same user is refused as a conflict.',
    ['update.success-is-200'],
    { 'update-always-200': 'refused' },
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
  ],
  [
    'user-gone-after-updates',
    'After its twentieth update a user is not found any more.',
    ['update.success-is-200'],
    { 'update-always-200': 'refused' },
    answeringUpdates(({ request, count }) => count > 20 && sentId(request) === String(USER), withStatus(404)),
  ],
  ...(
    [
      ['name', 'name', /^\{"name":"[^"]*"\}$/],
      ['role', 'rootRole', /^\{"rootRole":\d+\}$/],
      ['name-email-role', 'name, email and rootRole', /(?=.*"name")(?=.*"email")(?=.*"rootRole")/],
    ] as const
  ).map(([shape, what, form]): Row => [
    `${shape}-update-hung-up-on`,
    `The connection is closed in place of an answer to an update with ${what}.`,
    ACCEPTED,
    { [`update-${shape}-accepted`]: 'no-answer' },
    hungUpOn(({ method, body, headers }) => {
      return method === 'PUT' && headers.authorization === defaultSeed.keys.admin && form.test(body.toString('utf8'));
    }),
  ]),
];

const slug = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-');

const hour = 3_600_000;

function laterBy(ms: number, time: string | undefined): string {
  return new Date(Date.parse(time ?? '') + ms).toISOString();
}

/** Members that an update cannot send, and how it changes them all the same. */
const SIDE_EFFECTS: readonly (readonly [
  id: string,
  title: string,
  check: string,
  which: WhichUpdate,
  change: (update: Update) => Members,
  where?: Where,
])[] = [
  [
    'username-follows-name',
    'A new name makes a new username.',
    'username',
    withAll('name'),
    ({ after }) => ({ username: slug(after.name) }),
  ],
  [
    'username-follows-email',
    'A new e-mail address makes a new username.',
    'username',
    withAll('email'),
    ({ after }) => ({ username: slug(after.email) }),
  ],
  ['username-nulled', 'An update makes null of the username.', 'username', withSomething, () => ({ username: null })],
  [
    'username-nulled-by-role',
    'A new role by itself makes null of the username.',
    'username',
    withShape('role'),
    () => ({ username: null }),
  ],
  [
    'username-nulled-in-answer',
    'The answer to an update shows null as username.',
    'username',
    withSomething,
    () => ({ username: null }),
    'in the answer',
  ],
  [
    'username-of-other-user-changed',
    'An update of the second user appends to its username.',
    'username',
    (update) => ofOther(update) && withSomething(update),
    ({ after }) => ({ username: `${String(after.username)}-1` }),
  ],
  [
    'creation-time-set-to-now',
    'An update sets `createdAt` to now.',
    'created-at',
    withSomething,
    () => ({ createdAt: new Date().toISOString() }),
  ],
  [
    'creation-time-shifted',
    'Each update shifts `createdAt` by the hour between two time zones.',
    'created-at',
    withSomething,
    ({ after }) => ({ createdAt: laterBy(hour, after.createdAt) }),
  ],
  [
    'creation-time-loses-zone',
    'An update stores the local time of `createdAt` as if it were UTC.',
    'created-at',
    withSomething,
    ({ after }) => ({ createdAt: String(after.createdAt).replace(/[+-]\d\d:\d\d$/, 'Z') }),
  ],
  [
    'creation-time-shifted-in-later-answers',
    'After an update with a role `createdAt` is shown a day later.',
    'created-at',
    withAll('rootRole'),
    ({ after }) => ({ createdAt: laterBy(24 * hour, after.createdAt) }),
    'later',
  ],
  [
    'account-type-becomes-service-account',
    'Who is updated with an API key becomes a service account.',
    'account-type',
    withSomething,
    () => ({ accountType: 'Service Account' }),
  ],
  [
    'account-type-becomes-user',
    'An account that gets an e-mail address becomes that of a person.',
    'account-type',
    withAll('email'),
    () => ({ accountType: 'User' }),
  ],
  [
    'account-type-spelled-otherwise',
    'An update stores the account type in capitals.',
    'account-type',
    withSomething,
    ({ after }) => ({ accountType: String(after.accountType).toUpperCase() }),
  ],
  [
    'login-attempts-reset',
    'An update sets the count of failed logins to 0.',
    'login-attempts',
    withSomething,
    () => ({ loginAttempts: 0 }),
  ],
  [
    'login-attempts-reset-by-email',
    'A new e-mail address sets the count of failed logins to 0.',
    'login-attempts',
    withShape('email'),
    () => ({ loginAttempts: 0 }),
  ],
  [
    'login-attempts-counted',
    'Every update counts as a failed login.',
    'login-attempts',
    any,
    ({ after }) => ({ loginAttempts: (after.loginAttempts ?? 0) + 1 }),
  ],
  ['is-api-set', 'An update with an API key sets `isAPI`.', 'is-api', withSomething, () => ({ isAPI: true })],
  [
    'is-api-toggled',
    'An update with a role toggles `isAPI`.',
    'is-api',
    withAll('rootRole'),
    ({ after }) => ({ isAPI: !after.isAPI }),
  ],
  [
    'scim-id-nulled',
    'An update by hand makes null of the SCIM id.',
    'scim-id',
    withSomething,
    () => ({ scimId: null }),
  ],
  [
    'scim-id-made',
    'An update gives a user a SCIM id that had none.',
    'scim-id',
    withSomething,
    ({ before }) => ({ scimId: before.scimId ?? `scim-${before.id}` }),
  ],
  [
    'scim-id-renewed',
    'A new e-mail address makes a new SCIM id.',
    'scim-id',
    withAll('email'),
    ({ after }) => ({ scimId: slug(after.email) }),
  ],
];

const sideEffects: readonly Row[] = SIDE_EFFECTS.map(([id, title, check, which, change, where]) => [
  `update-${id}`,
  title,
  [OTHER_MEMBERS],
  { [`update-keeps-${check}`]: 'changed' },
  updating(which, change, where),
]);

/** Lets an update do something with the users beside what it should do. */
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

/** Carries every update out at another user, and answers as if it were the addressed one. */
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

/** The id in the body, where there is one. */
function idIn(body: Members): number | undefined {
  return typeof body.id === 'number' ? body.id : undefined;
}

function toAll({ store, body }: Update, members: readonly Updatable[] = UPDATABLE): void {
  const values = Object.fromEntries(sent(body).flatMap((each) => (members.includes(each) ? [[each, body[each]]] : [])));
  for (const id of store.users.keys()) changeUser(store.users, id, values);
}

const SPARED = 'other-user-changed';

const addressed: readonly Row[] = [
  [
    'update-changes-all-users',
    'An update lacks its condition, and changes every user.',
    [ADDRESSED],
    { 'update-spares-other-user': SPARED, 'update-other-user-spares-user': SPARED },
    besides(any, (update) => {
      toAll(update);
    }),
  ],
  [
    'role-update-changes-all-users',
    'A new role is given to every user.',
    [ADDRESSED],
    { 'update-spares-other-user': SPARED },
    besides(withAll('rootRole'), (update) => {
      toAll(update, ['rootRole']);
    }),
  ],
  [
    'name-update-changes-all-users',
    'A new name by itself is given to every user.',
    [ADDRESSED],
    { 'update-spares-other-user': SPARED },
    besides(withShape('name'), (update) => {
      toAll(update);
    }),
  ],
  [
    'update-changes-first-user-too',
    'An update of any user changes the first one, too.',
    [ADDRESSED],
    { 'update-other-user-spares-user': SPARED },
    besides(ofOther, ({ store, body }) => {
      changeUser(store.users, USER, body);
    }),
  ],
  [
    'update-changes-last-user-too',
    'An update of the first user changes the last one, too.',
    [ADDRESSED],
    { 'update-spares-other-user': SPARED },
    besides(
      ({ before }) => before.id === USER,
      ({ store, body }) => {
        changeUser(store.users, OTHER, Object.fromEntries(sent(body).map((each) => [each, body[each]])));
      },
    ),
  ],
  [
    'update-counts-login-of-other-user',
    'An update of one user counts a failed login of the other.',
    [ADDRESSED],
    { 'update-spares-other-user': SPARED },
    besides(
      ({ before, body }) => before.id === USER && sent(body).length > 0,
      ({ store }) => {
        changeUser(store.users, OTHER, { loginAttempts: (store.users.get(OTHER)?.loginAttempts ?? 0) + 1 });
      },
    ),
  ],
  [
    'update-hands-email-on',
    'The e-mail address that a user gives up goes to the other user.',
    [ADDRESSED],
    { 'update-spares-other-user': SPARED },
    besides(
      ({ before, body }) => before.id === USER && 'email' in body,
      ({ store, before }) => {
        changeUser(store.users, OTHER, { email: before.email });
      },
    ),
  ],
  [
    'update-swaps-users',
    'An update goes to the other one of two users.',
    [ADDRESSED, STORED],
    { 'update-spares-other-user': SPARED, 'update-name-stored': 'not-stored' },
    misdirecting(twin),
  ],
  [
    'update-of-second-user-goes-to-first',
    'An update of the second user is stored with the first one.',
    [ADDRESSED],
    { 'update-other-user-stored': 'not-stored', 'update-other-user-spares-user': SPARED },
    misdirecting(() => USER),
  ],
  [
    'update-of-second-user-not-stored',
    'An update of the second user is stored nowhere.',
    [ADDRESSED, STORED],
    { 'update-other-user-stored': 'not-stored' },
    updating(ofOther, ({ before }) => ({ ...before }), 'later'),
  ],
  [
    'update-of-second-user-stores-name-only',
    'Of an update of the second user only the name is stored.',
    [ADDRESSED, STORED],
    { 'update-other-user-stored': 'not-stored' },
    updating(ofOther, ({ before }) => ({ email: before.email }), 'later'),
  ],
  [
    'update-goes-to-id-in-body',
    'The id in the body decides who is updated.',
    [ADDRESSED],
    { 'update-body-id-spares-other-user': SPARED },
    misdirecting((id, body) => idIn(body) ?? id),
  ],
  [
    'update-goes-to-id-in-body-too',
    'The user whose id is in the body is updated beside the one in the path.',
    [ADDRESSED],
    { 'update-body-id-spares-other-user': SPARED },
    besides(
      ({ body }) => idIn(body) !== undefined,
      ({ store, body }) => {
        changeUser(store.users, idIn(body) ?? 0, { name: body.name });
      },
    ),
  ],
  [
    'id-in-body-replaces-user',
    'The body is merged into the user with its id, and stored under that.',
    [ADDRESSED],
    { 'update-body-id-spares-other-user': SPARED },
    besides(
      ({ body }) => idIn(body) !== undefined,
      ({ store, after, body }) => {
        const id = idIn(body) ?? 0;
        store.users.set(id, { ...after, id });
      },
    ),
  ],
];

const ids: readonly Row[] = (
  [
    ['always-1', 'The answer carries the id 1, whoever is updated.', ofOtherRequest, () => 1],
    ['an-index', 'The answer carries an index into the list of users.', anUpdate, (id) => id - 1],
    ['an-internal-number', 'The answer carries a number from inside in place of the id.', anUpdate, (id) => id + 1_000],
    ['of-another-user', 'The answer carries the id of another user.', anUpdate, twin],
    ['negative', 'The answer carries the id with a minus.', anUpdate, (id) => -id],
    ['zero-after-role', 'The answer to an update with a role carries the id 0.', sendsRole, () => 0],
    [
      'of-another-user-after-email',
      'The answer to a new e-mail address carries the id of another user.',
      sendsEmail,
      twin,
    ],
    ['with-another-key', 'The answer to an update without a name carries the id of the key.', sendsNoName, () => 77],
  ] as const satisfies readonly (readonly [string, string, WhichResponse, (id: number) => number])[]
).map(([id, title, which, other]) => [
  `answer-id-${id}`,
  title,
  ['update.id-matches-path'],
  { 'update-answer-id': 'other-id' },
  showing(
    (answered) => anUpdate(answered) && which(answered),
    (body) => ({ ...(body as User), id: other((body as User).id) }),
  ),
]);

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

/** Takes back what the update right before stored, where the two have these bodies. */
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

const sequences: readonly Row[] = [
  [
    'update-starts-from-stale-copy',
    'An update starts from a copy that does not have what the one right before stored.',
    [SEQUENCE],
    { 'update-second-keeps-first': TAKEN_BACK, 'update-second-keeps-role': TAKEN_BACK },
    takingBack((previous, now) => previous !== '' && now !== ''),
  ],
  [
    'name-takes-email-back',
    'A new name right after a new e-mail address takes the address back.',
    [SEQUENCE],
    { 'update-second-keeps-first': TAKEN_BACK },
    takingBack((previous, now) => previous === 'email' && now === 'name'),
  ],
  [
    'email-takes-name-back',
    'A new e-mail address right after a new name takes the name back.',
    [SEQUENCE],
    { 'update-second-keeps-first': TAKEN_BACK },
    takingBack((previous, now) => previous === 'name' && now === 'email'),
  ],
  [
    'name-takes-role-back',
    'A new name right after a new role takes the role back.',
    [SEQUENCE],
    { 'update-second-keeps-role': TAKEN_BACK },
    takingBack((previous, now) => previous === 'rootRole' && now === 'name'),
  ],
  [
    'role-takes-email-back',
    'A new role right after a new e-mail address takes the address back.',
    [SEQUENCE],
    { 'update-second-keeps-role': TAKEN_BACK },
    takingBack((previous, now) => previous === 'email' && now === 'rootRole'),
  ],
];

const EMPTY = 'update.empty-body-changes-nothing';

function emptyBody(id: string, title: string, mode: string, behaviour: Behaviour): Row {
  return [`empty-body-${id}`, title, [EMPTY], { 'update-empty-body': mode }, behaviour];
}

const emptyAnswered: WhichResponse = ({ request }) => isUpdate(request) && request.body.toString('utf8') === '{}';

const emptyBodies: readonly Row[] = [
  ...UPDATABLE.flatMap((member) => [
    emptyBody(
      `nulls-${shortOf(member)}`,
      `The body \`{}\` makes null of \`${member}\`.`,
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
    'The body `{}` replaces the user.',
    'removed',
    updating(withNothing, () => ({ name: undefined, email: undefined, rootRole: undefined })),
  ),
  emptyBody(
    'restores-first-state',
    'The body `{}` gives the user the values of its creation.',
    'replaced',
    updating(withNothing, unsentBecome(firstOf)),
  ),
  ...([201, 202, 404, 409, 422, 500] as const).map((status) =>
    emptyBody(
      `answered-${status}`,
      `The body \`{}\` is answered ${status}.`,
      'wrong-status',
      answeringUpdates(emptyAnswered, withStatus(status)),
    ),
  ),
  emptyBody(
    'refused-with-another-name',
    'The body `{}` is refused with 400 and an error name of its own.',
    'wrong-error-name',
    answeringUpdates(emptyAnswered, () => ({
      status: 400,
      body: { id: 'e-1', name: 'EmptyBody', message: 'Send a member.' },
    })),
  ),
  emptyBody(
    'hung-up-on',
    'The connection is closed in place of an answer to the body `{}`.',
    'no-answer',
    hungUpOn(({ method, body, headers }) => {
      return method === 'PUT' && headers.authorization === defaultSeed.keys.admin && body.toString('utf8') === '{}';
    }),
  ),
];

/** Answers with few members, and beside them with what was sent. */
function showingFew(...few: readonly (keyof User)[]): Behaviour {
  return showing(anUpdate, (body, { request }) => {
    const user = body as User;
    return Object.fromEntries([...few, ...sends(request)].map((member) => [member, user[member]]));
  });
}

const shownWhenSent: readonly Row[] = (
  [
    ['with-username', 'Answers show the id, the username and what was sent.', ['id', 'username']],
    ['with-times', 'Answers show the id, two points in time and what was sent.', ['id', 'createdAt', 'seenAt']],
    [
      'and-email',
      'Answers show the id, the e-mail address, the account type and what was sent.',
      ['id', 'email', 'accountType'],
    ],
  ] as const
).map(([id, title, few]) => [
  `shows-what-was-sent-${id}`,
  title,
  ['update.kept-members-shown'],
  { 'update-kept-members-shown': 'only-when-sent' },
  showingFew(...few),
]);

const servers: readonly Defect[] = [
  ...losses,
  ...effects,
  ...[
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
  ].map(fromRow),
];

/** Roles that no user has and no fault gives: then no role that is sent is there by chance. */
const inputs = { roleIds: [21, 22] };

/** Source: What the service does, 1; Endpoints, PUT user, rule. */
export const partialUpdateDefects: readonly Defect[] = servers.map((server) => ({ ...server, inputs }));
