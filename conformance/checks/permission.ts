import { documentedStatuses } from '../../contract/document.ts';
import type { Check } from '../model/check.ts';
import { negativeCheck } from '../operations/negative-check.ts';
import { operations } from '../operations/index.ts';
import type { PermissionRequest } from '../traffic/operation.ts';

const FORBIDDEN = [403];

/** They show whether the restricted key is valid: the contract leaves their response open, and both 200 and 403 prove it. */
const RESTRICTED_PROBES = operations.flatMap(({ restrictedProbe }) => restrictedProbe ?? []);

function permissionCheck({ id, what, needs = [], control, refusals = FORBIDDEN, build }: PermissionRequest): Check {
  const check = negativeCheck({
    id: `permission-${id}`,
    area: 'permission',
    requirements: ['permission.refused'],
    title: `${what}, sent with a key without the permission, is refused with ${refusals.join(' or ')}`,
    needs: ['restrictedKey', ...needs],
    requests: [
      (requests) =>
        build(requests, { credential: requests.restricted(), purpose: `${what}, sent with the restricted key` }),
    ],
    refusals,
    controls: [control],
  });
  return { ...check, uses: [...check.uses, ...RESTRICTED_PROBES] };
}

/** What every operation that documents 403 must refuse. Source: Authentication, 3; Errors, 403. */
export const permissionChecks: readonly Check[] = operations
  .filter(({ id }) => documentedStatuses(id).includes(403))
  .flatMap(({ permission = [] }) => permission.map(permissionCheck));
