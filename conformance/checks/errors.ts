import { documentedStatuses, errorName, errorStatuses, type OperationId, schema } from '../../contract/document.ts';
import { acrossOperations, type Check } from '../model/check.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../traffic/operation.ts';
import { authenticationChecks } from './authentication.ts';
import { permissionChecks } from './permission.ts';

/**
 * The check whose traffic makes a target respond with an error status, for each operation that documents it. A test names an
 * operation that has none.
 */
function provoking(status: number): Readonly<Partial<Record<OperationId, Check>>> {
  const checkOf = ({ slug, permission, negativeChecks }: Operation): Check | undefined => {
    if (status === 401) return authenticationChecks.find(({ id }) => id === `auth-${slug}-no-header`);
    if (status === 403) return permissionChecks.find(({ id }) => id === `permission-${permission?.[0]?.id ?? 'none'}`);
    return new Map(Object.entries(negativeChecks ?? {})).get(String(status))?.checks[0];
  };
  return Object.fromEntries(
    operations
      .filter(({ id }) => documentedStatuses(id).includes(status))
      .map((operation) => [operation.id, checkOf(operation)] as const)
      .filter(([, check]) => check),
  );
}

const STATUSES = errorStatuses.map((status) => ({ status, byOperation: provoking(status) }));
/** What provokes an error of each operation, by any status. */
const ANY_ERROR = provoking(401);
const NAMES = errorStatuses.map((status) => `${status} \`${errorName(status) ?? ''}\``).join(', ');
const ERROR_MEMBERS = schema('errorSchema').required ?? [];

const bodies: Check[] = STATUSES.flatMap(({ status, byOperation }) => [
  acrossOperations(byOperation, {
    id: `error-body-${status}`,
    alongside: 'all',
    area: 'errors',
    level: 'must',
    requirements: ['errors.body'],
    title: `Every ${status} response has an error body with the strings ${ERROR_MEMBERS.join(', ')}`,
    failureModes: {
      'wrong-error-body':
        'The body of an error is not an object with the strings `id`, `name` and `message`. Make it in one place for all errors, those of the router, the parser and the validator of a framework too.',
    },
  }),
  acrossOperations(byOperation, {
    id: `error-name-${status}`,
    alongside: 'all',
    area: 'errors',
    level: 'must',
    requirements: ['errors.name'],
    title: `Every ${status} response has the error name ${errorName(status) ?? ''}`,
    failureModes: {
      'wrong-error-name': `The \`name\` in an error body does not match the status. Use the name that the contract gives to each status: ${NAMES}.`,
    },
  }),
]);

const JSON_BODY = {
  alongside: 'all',
  area: 'errors',
  level: 'must',
  requirements: ['bodies.json'],
  failureModes: {
    'not-json': 'The body of a response is not JSON. Send JSON in UTF-8, and nothing before or after it.',
    'wrong-media-type':
      'The Content-Type of a response is missing, or is not that of JSON. Send `Content-Type: application/json`.',
  },
} as const;

/** Source: Resources, Error body; Errors; opening paragraph. */
export const errorChecks: readonly Check[] = [
  ...bodies,
  ...operations.map(({ id, shown, control }): Check => ({
    ...JSON_BODY,
    id: `json-${shown}`,
    title: `Every 200 response of ${id} is JSON by its Content-Type and its body`,
    operations: [id],
    needs: control.traffic.needs,
    uses: [control.traffic],
  })),
  acrossOperations(ANY_ERROR, {
    ...JSON_BODY,
    id: 'json-error',
    title: 'Every documented error response is JSON by its Content-Type and its body',
  }),
  acrossOperations(ANY_ERROR, {
    id: 'error-id-distinct',
    alongside: 'all',
    area: 'errors',
    level: 'should',
    requirements: ['errors.id-per-instance'],
    title: 'No two error responses have the same `id`',
    failureModes: { 'repeated-id': 'Two error responses have the same `id`. Make a new id for each error.' },
  }),
  acrossOperations(ANY_ERROR, {
    id: 'error-message-given',
    alongside: 'all',
    area: 'errors',
    level: 'should',
    requirements: ['errors.message'],
    title: 'The `message` of an error is not empty',
    failureModes: { empty: 'An error has an empty `message`. Say what was wrong with the request.' },
  }),
  acrossOperations(ANY_ERROR, {
    id: 'error-shows-no-internals',
    alongside: 'all',
    area: 'errors',
    level: 'should',
    requirements: ['errors.no-internals'],
    title: 'No error shows a stack trace, a query or a message of the database',
    failureModes: {
      'internals-shown':
        'An error shows how the server works inside. Write it to the log, and describe the request instead.',
    },
  }),
];
