import { pathIdChecks } from '../path-id-checks.ts';
import type { Effect } from '../../resources/effect.ts';
import type { Operation } from '../../traffic/operation.ts';
import { explorationCheck, judgeExploration } from './exploration.ts';
import { EMPTY_UPDATE, READING_UPDATE, validUpdate } from './due.ts';
import { observers } from './observations.ts';
import { judgeExistenceHidden, updateAuthenticationChecks } from './refusals/authentication.ts';
import { missingUserChecks } from './refusals/missing-user.ts';
import { permissionRequests } from './refusals/permission.ts';
import { requestBodyChecks } from './refusals/request-body.ts';
import { COMBINED_UPDATES, CONTROLS } from './scenarios.ts';
import { updateRows } from './updates/rows.ts';
import { COMBINED_BODIES, unusualBodyChecks } from './updates/unusual-bodies.ts';
import { userUpdates } from '../../traffic/users/updates.ts';
import { judgeUsers } from '../../model/user/users.ts';
import { showingUser, shownUserChecks } from './shown.ts';

const EFFECT: Effect = {
  resource: 'user',
  neutral: '{}',
  refused: { requirement: 'update.refused-changes-nothing', parts: ['name', 'email'] },
};

const nonIntegerIdChecks = pathIdChecks({
  prefix: 'path-id',
  what: 'An update',
  effect: EFFECT,
  alias: { username: ({ shown }) => shown('username'), 'e-mail address': ({ shown }) => shown('email') },
  build: (requests, options) =>
    requests.build('updateUser', { body: JSON.stringify({ name: requests.fresh.name() }), ...options }),
  control: CONTROLS.name,
});

/** The partial update of a user. Source: What the service does, 1; Endpoints, PUT user. */
export const updateUser: Operation = {
  id: 'updateUser',
  slug: 'update',
  effect: EFFECT,
  shown: 'user',
  ...showingUser,
  judgeState: judgeUsers,
  judgeRun: (view, notes) => {
    judgeExistenceHidden(view, notes);
    judgeExploration(view, notes);
  },
  control: CONTROLS.nameAndEmail,
  validRequests: [
    {
      what: 'An update',
      build: (requests, options) => {
        const { fresh } = requests;
        const body = JSON.stringify({ name: fresh.name(), email: fresh.email() });
        return requests.build('updateUser', { ...options, subject: 'user', body });
      },
    },
    {
      what: 'An update of the role',
      build: (requests, options) => {
        const rootRole = requests.otherRole();
        if (rootRole === undefined) return undefined;
        return requests.build('updateUser', { ...options, subject: 'user', body: JSON.stringify({ rootRole }) });
      },
    },
  ],
  permission: permissionRequests,
  negativeChecks: {
    400: { what: 'Updates refused with 400', checks: requestBodyChecks },
    404: { what: 'Updates of a missing user', checks: missingUserChecks },
    'path-id': { what: 'Updates with a path id that is not an integer', checks: nonIntegerIdChecks },
  },
  combinations: [...COMBINED_UPDATES, ...COMBINED_BODIES],
  updates: userUpdates({ valid: validUpdate, empty: EMPTY_UPDATE, reading: READING_UPDATE }),
  checks: [
    ...updateAuthenticationChecks,
    ...updateRows,
    ...requestBodyChecks,
    ...nonIntegerIdChecks,
    ...missingUserChecks,
    ...unusualBodyChecks,
  ],
  shownChecks: shownUserChecks,
  exploration: explorationCheck,
  observers,
};
