import { rememberingEach, type JsonObject } from '../../../common/json.ts';
import { isUpdatable, SHOWN_ID_CHECK } from '../../target/user.ts';
import { objectBody } from '../../http/exchange.ts';
import { pathIdChecks } from '../../judging/path-id-checks.ts';
import type { Operation } from '../../traffic/operation.ts';
import { runUsersTraffic } from '../../traffic/users-traffic.ts';
import { explorationCheck } from './exploration.ts';
import { judgeUserBody } from './body.ts';
import { EMPTY_UPDATE, READING_UPDATE, validUpdate } from './due.ts';
import { observers } from './observations.ts';
import { judgeExistenceHidden, updateAuthenticationChecks } from './refusals/authentication.ts';
import { missingUserChecks } from './refusals/missing-user.ts';
import { permissionRequests } from './refusals/permission.ts';
import { requestBodyChecks } from './refusals/request-body.ts';
import { COMBINED_UPDATES, CONTROLS, slugOf } from './scenarios.ts';
import { partialUpdateChecks } from './updates/partial-update.ts';
import { repetitionChecks } from './updates/repetition.ts';
import { ISOLATION_CHECKS, lossChecks } from './updates/causes.ts';
import { unlistedMembers } from './updates/unlisted-members.ts';
import { COMBINED_BODIES, unusualBodyChecks } from './updates/unusual-bodies.ts';

const nonIntegerIdChecks = pathIdChecks({
  prefix: 'path-id',
  what: 'An update',
  build: (requests, options) =>
    requests.build('updateUser', { body: JSON.stringify({ name: requests.fresh.name() }), ...options }),
  control: CONTROLS.name,
  restsOn: [...missingUserChecks.map(({ id }) => id), 'update-empty-body'],
});

/** What is judged of an object is remembered for this list. */
const shownObjects = rememberingEach((value: JsonObject) => [{ value, pointer: '' }]);

/** The partial update of a user. Source: What the service does, 1; Endpoints, PUT user. */
export const updateUser: Operation = {
  id: 'updateUser',
  slug: 'update',
  shown: 'user',
  shows: {
    object: 'user',
    schema: 'createUserResponseSchema',
    restsOn: ['user-is-object'],
    hiddenBy: ['auth-update-operation-exists', 'update-always-200', 'user-is-object', SHOWN_ID_CHECK],
    explainedBy: (member, why) => {
      if (why === 'lost') return lossChecks(member);
      if (why === 'late') return isUpdatable(member) ? [`update-${slugOf(member)}-stored`] : [];
      return member === 'id' ? [...ISOLATION_CHECKS, unlistedMembers.id] : [];
    },
    objects: (exchange) => {
      const value = objectBody(exchange);
      return value && shownObjects(value);
    },
  },
  judgeBody: judgeUserBody,
  judgeRun: judgeExistenceHidden,
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
  run: runUsersTraffic,
  combinations: [...COMBINED_UPDATES, ...COMBINED_BODIES],
  restoresUsers: true,
  updates: { valid: validUpdate, empty: EMPTY_UPDATE, reading: READING_UPDATE },
  checks: [
    ...updateAuthenticationChecks,
    ...partialUpdateChecks,
    ...requestBodyChecks,
    ...nonIntegerIdChecks,
    ...missingUserChecks,
    unlistedMembers,
    ...repetitionChecks,
    ...unusualBodyChecks,
  ],
  exploration: explorationCheck,
  observers,
};
