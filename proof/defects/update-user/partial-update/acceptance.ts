import { defaultSeed } from '../../../../reference-server/seed.ts';
import { Refused } from '../../../../reference-server/rules.ts';
import { replacing, type Behaviour } from '../../../behaviour.ts';
import type { Defect } from '../../../defect.ts';
import { alike, breaking, rows } from '../../../table.ts';
import { hungUpOn, noContentFor, sentId, sentKey } from '../../requests.ts';
import type { WhichResponse } from '../../responses.ts';
import { type Body, isUpdate, refusing, sent } from '../updates.ts';
import {
  SHAPES,
  USER,
  type Shape,
  membersOf,
  respondingToUpdates,
  sends,
  toOther,
  withStatus,
  words,
} from './shapes.ts';

const ALWAYS = 'update.success-is-200';
const ACCEPTED = [ALWAYS, 'update.fields-optional'];

function notAccepted(mode: string, ...shapes: readonly Shape[]): Defect['killedBy'] {
  return Object.fromEntries(shapes.map((shape) => [`update-${shape}-accepted`, mode]));
}

/** Refuses one body, and accepts all others. */
const refusals: readonly Defect[] = SHAPES.map((shape) => ({
  id: `${shape}-update-refused`,
  title: `The server responds 400 to an update of only ${words(membersOf(shape))}.`,
  breaks: ACCEPTED,
  killedBy: notAccepted('refused', shape),
  behaviour: refusing((body) => sent(body).join() === membersOf(shape).join(), 'The body is not complete.'),
}));

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
  'update-needs-name: The server requires the name in an update.': [
    (body) => !('name' in body),
    ['email', 'role', 'email-role'],
  ],
  'update-needs-role: The server requires the role in an update.': [
    (body) => !('rootRole' in body),
    ['name', 'email', 'name-email'],
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
  killedBy: notAccepted('refused', ...shapes),
  behaviour: refusing((body) => sent(body).length > 0 && lacks(body), title),
}));

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

/** Responds to one body with another status. */
const statuses: readonly Defect[] = STATUSES.map(([status, mode, shape]) => ({
  id: `${shape}-update-answered-${status}`,
  title: `The server responds ${status} to an update of only ${words(membersOf(shape))}.`,
  breaks: ACCEPTED,
  killedBy: notAccepted(mode, shape),
  behaviour: respondingToUpdates(
    ({ request }) => sends(request).join() === membersOf(shape).join(),
    withStatus(status),
  ),
}));

const everyUpdate: WhichResponse = ({ request }) => sends(request).length > 0;
const updateOfOther: WhichResponse = (answered) => toOther(answered) && everyUpdate(answered);

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

const broadStatuses: readonly Defect[] = [
  ...alike([ALWAYS], {
    ...notAccepted('wrong-success-status', 'name'),
    'update-always-200': 'wrong-success-status',
  })({
    ...Object.fromEntries(
      [201, 202, 206].map((status) => [
        `every-update-answered-${status}: The server responds ${status} to every update.`,
        respondingToUpdates(everyUpdate, withStatus(status)),
      ]),
    ),
    'every-update-answered-204: The server responds 204, without a body, to every update.': noContentFor(200, isUpdate),
  }),
  ...breaking([ALWAYS])({
    'seventh-update-fails: The server fails on every seventh valid update.': [
      { 'update-always-200': 'server-error' },
      respondingToUpdates(({ count }) => count % 7 === 0, withStatus(500)),
    ],
    'update-of-other-user-fails: The server fails on updates of one of the users.': [
      { 'update-always-200': 'server-error' },
      respondingToUpdates(updateOfOther, withStatus(500)),
    ],
    'second-update-in-a-row-conflicts: The server refuses an update right after another one of the same user as a conflict.':
      [{ 'update-always-200': 'refused' }, refusingTheNext],
    'user-gone-after-updates: The server no longer finds a user after its twentieth update.': [
      { 'update-always-200': 'refused' },
      respondingToUpdates(({ request, count }) => count > 20 && sentId(request) === String(USER), withStatus(404)),
    ],
    'every-update-redirected: The server carries out every update and then redirects to the user.': [
      notAccepted('redirected', 'name'),
      respondingToUpdates(everyUpdate, ({ body }) => ({
        status: 303,
        body,
        headers: { location: '/api/admin/user-admin/1' },
      })),
    ],
    'every-update-fails: The server fails on every update.': [
      notAccepted('server-error', 'name'),
      respondingToUpdates(everyUpdate, withStatus(500)),
    ],
    'update-of-other-user-answered-201: The server responds 201 to updates of one of the users.': [
      { 'update-always-200': 'wrong-success-status' },
      respondingToUpdates(updateOfOther, withStatus(201)),
    ],
  }),
];

const HUNG_UP_ON: readonly (readonly [shape: Shape, words: string, form: RegExp])[] = [
  ['name', 'name', /^\{"name":"[^"]*"\}$/],
  ['role', 'rootRole', /^\{"rootRole":\d+\}$/],
  ['name-email-role', 'name, email and rootRole', /(?=.*"name")(?=.*"email")(?=.*"rootRole")/],
];

const noResponses: readonly Defect[] = HUNG_UP_ON.map(([shape, what, form]) => ({
  id: `${shape}-update-hung-up-on`,
  title: `The server closes the connection instead of responding to an update of ${what}.`,
  breaks: ACCEPTED,
  killedBy: notAccepted('no-answer', shape),
  behaviour: hungUpOn(
    (request) =>
      isUpdate(request) && sentKey(request) === defaultSeed.keys.admin && form.test(request.body.toString('utf8')),
  ),
}));

/** A valid update is not responded to with 200. */
export const acceptanceDefects: readonly Defect[] = [
  ...refusals,
  ...requiredMembers,
  ...statuses,
  ...broadStatuses,
  ...noResponses,
];
