import { documentedStatuses } from '../../contract/document.ts';
import { isAccepted } from '../http/exchange.ts';
import type { Check, Judgement } from '../judging/check.ts';
import type { Evidence } from '../judging/evidence.ts';
import { negativeCheck } from '../judging/negative-check.ts';
import { operations } from '../operations/index.ts';
import type { PermissionRequest } from '../traffic/operation.ts';

const FORBIDDEN = [403];

/** They show whether the restricted key is valid: the contract leaves their response open, and both 200 and 403 prove it. */
const RESTRICTED_PROBES = operations.flatMap(({ restrictedProbe }) => restrictedProbe ?? []);

/** A 401 for the restricted key is a failure only if the key is known to be valid: the operator may have mistyped it. */
function unlessKeyIsUnknown(evidence: Evidence, judgement: Judgement): Judgement {
  if (judgement.outcome !== 'failed' || !judgement.exchanges.some(({ response }) => response?.status === 401))
    return judgement;
  const probed = RESTRICTED_PROBES.flatMap(({ id }) => evidence.probes.get(id) ?? []);
  if (probed.some((exchange) => isAccepted(exchange) || exchange.response?.status === 403)) return judgement;
  const detail =
    probed.length > 0
      ? 'the response to the restricted key was 401 for every operation; check CONFORMANCE_RESTRICTED_KEY'
      : 'the response to the restricted key was 401, and no other operation showed that it is valid; check CONFORMANCE_RESTRICTED_KEY';
  return { outcome: 'inconclusive', reason: 'control-refused', detail, exchanges: judgement.exchanges };
}

function permissionCheck(given: PermissionRequest, slug: string): Check {
  const { id, what, needs = [], control, refusals = FORBIDDEN, restsOn = [], build } = given;
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
    restsOn,
    // Who takes any key for the admin's does not look at keys.
    sameFaultAs: [`auth-${slug}-unknown-key`],
  });
  return {
    ...check,
    uses: [...check.uses, ...RESTRICTED_PROBES],
    judge: (evidence) => unlessKeyIsUnknown(evidence, check.judge(evidence)),
  };
}

/** What every operation that documents 403 must refuse. Source: Authentication, 3; Errors, 403. */
export const permissionChecks: readonly Check[] = operations
  .filter(({ id }) => documentedStatuses(id).includes(403))
  .flatMap(({ slug, permission = [] }) => permission.map((each) => permissionCheck(each, slug)));
