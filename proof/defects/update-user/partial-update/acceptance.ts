import { Refused } from '../../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../../behaviour.ts';
import type { WrittenDefect } from '../../../defect.ts';
import { type Table, breaking, defectsOf, tableOf } from '../../../table.ts';
import { type Which, all, sendsText, sentId, sentMembers, withId, withKeyOf } from '../../requests.ts';
import { answering, hungUpOn, noContent } from '../../responses.ts';
import { type Body, USER, anUpdate, isUpdate, refusing, sent } from '../updates.ts';
import { SHAPES, type Shape, isOf, withStatus, words } from './shapes.ts';

const ALWAYS = 'update.success-is-200';
const ACCEPTED = [ALWAYS, 'update.fields-optional'];

/** Which bodies the server refuses, although they have a member that an update can send. */
const REFUSED: Table<(body: Body) => boolean> = {
  ...tableOf(
    SHAPES,
    (shape) => `${shape}-update-refused: The server responds 400 to an update of only ${words(shape)}.`,
    (shape) => (body) => isOf(shape, body),
  ),
  'update-needs-all-members: The server requires all three members in an update.': (body) => sent(body).length < 3,
  'update-needs-email: The server requires the e-mail address in an update.': (body) => !('email' in body),
  'update-needs-name: The server requires the name in an update.': (body) => !('name' in body),
  'update-needs-role: The server requires the role in an update.': (body) => !('rootRole' in body),
  'update-takes-one-member-at-a-time: The server accepts only one member in an update.': (body) =>
    sent(body).length > 1,
  'update-needs-two-members: The server requires two members in an update.': (body) => sent(body).length === 1,
  'update-takes-no-role-with-email: The server refuses the role and the e-mail address in one update.': (body) =>
    'rootRole' in body && 'email' in body,
};

const STATUSES: readonly (readonly [status: number, shape: Shape])[] = [
  [201, 'role'],
  [202, 'email'],
  [206, 'name-email'],
  [302, 'name-role'],
  [303, 'email-role'],
  [404, 'name-email-role'],
  [409, 'email'],
  [422, 'role'],
  [500, 'name'],
  [501, 'name-role'],
];

const everyUpdate: Which = all(anUpdate, ({ request }) => sent(sentMembers(request)).length > 0);
const updateOfOther: Which = all(everyUpdate, withId(/^2$/));

/** Refuses an update right after another one of the same user. */
const refusingTheNext: Behaviour = replacing('applyUpdate', (apply) => {
  const last = new Map<number, boolean>();
  return (store, user, body) => {
    const conflict = last.get(user.id) === true && sent(body).length > 0;
    last.set(user.id, !conflict && sent(body).length > 0);
    if (conflict) throw new Refused(409, 'The user was changed in the meantime.');
    return apply(store, user, body);
  };
});

/** Keeps the caller of a request where other requests find it. */
const stickingToRestricted: Behaviour = replacing('authorize', (authorize) => {
  let sticks = false;
  return (caller) => {
    sticks ||= caller === 'restricted';
    authorize(sticks ? 'restricted' : caller);
  };
});

const seventh: Which = ({ count }) => count % 7 === 0;
const afterTwenty: Which = ({ request, count }) => count > 20 && sentId(request) === String(USER);

const HUNG_UP_ON: readonly (readonly [shape: Shape, words: string, form: RegExp])[] = [
  ['name', 'name', /^\{"name":"[^"]*"\}$/],
  ['role', 'rootRole', /^\{"rootRole":\d+\}$/],
  ['name-email-role', 'name, email and rootRole', /(?=.*"name")(?=.*"email")(?=.*"rootRole")/],
];

/** A valid update is not responded to with 200. */
export const acceptanceDefects: readonly WrittenDefect[] = [
  ...defectsOf(REFUSED, (isRefused) => ({
    breaks: ACCEPTED,
    behaviour: refusing((body) => sent(body).length > 0 && isRefused(body)),
  })),
  // Responds to one body with another status.
  ...STATUSES.map(([status, shape]) => ({
    id: `${shape}-update-answered-${status}`,
    title: `The server responds ${status} to an update of only ${words(shape)}.`,
    breaks: ACCEPTED,
    behaviour: answering(
      all(anUpdate, ({ request }) => isOf(shape, sentMembers(request))),
      withStatus(status),
    ),
  })),
  ...breaking([ALWAYS])({
    ...tableOf(
      [201, 202, 206],
      (status) => `every-update-answered-${status}: The server responds ${status} to every update.`,
      (status) => answering(everyUpdate, withStatus(status)),
    ),
    'every-update-answered-204: The server responds 204, without a body, to every update.': noContent(anUpdate),
    'seventh-update-fails: The server fails on every seventh valid update.': answering(
      all(anUpdate, seventh),
      withStatus(500),
    ),
    'update-of-other-user-fails: The server fails on updates of one of the users.': answering(
      updateOfOther,
      withStatus(500),
    ),
    'second-update-in-a-row-conflicts: The server refuses an update right after another one of the same user as a conflict.':
      refusingTheNext,
    'restricted-key-sticks: Once the server has seen the restricted key, it takes every caller for that one.':
      stickingToRestricted,
    'user-gone-after-updates: The server no longer finds a user after its twentieth update.': answering(
      all(anUpdate, afterTwenty),
      withStatus(404),
    ),
    'every-update-redirected: The server carries out every update and then redirects to the user.': answering(
      everyUpdate,
      ({ body }) => ({ status: 303, body, headers: { location: '/api/admin/user-admin/1' } }),
    ),
    'every-update-fails: The server fails on every update.': answering(everyUpdate, withStatus(500)),
    'update-of-other-user-answered-201: The server responds 201 to updates of one of the users.': answering(
      updateOfOther,
      withStatus(201),
    ),
  }),
  ...HUNG_UP_ON.map(([shape, what, form]) => ({
    id: `${shape}-update-hung-up-on`,
    title: `The server closes the connection instead of responding to an update of ${what}.`,
    breaks: ACCEPTED,
    behaviour: hungUpOn(all(isUpdate, withKeyOf('admin'), sendsText(form))),
  })),
];
