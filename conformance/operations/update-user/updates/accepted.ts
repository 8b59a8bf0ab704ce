import { type Exchange, isAccepted, objectBody, sends, sentBody } from '../../../http/exchange.ts';
import type { Check, Judgement } from '../../../judging/check.ts';
import type { Evidence, Round } from '../../../judging/evidence.ts';
import { blockedOrUnsent, everywhere, failed, judgeNoResponse, passed } from '../../../judging/outcomes.ts';
import { isUpdatable, NAMED_USERS } from '../../../target/user.ts';
import { CONTROLS, type Subset, SUBSETS } from '../scenarios.ts';
import { damage } from './causes.ts';
import { roundsOf, UNSENT, updateCheck, updatesOf, wordsOf } from './update-check.ts';

const ACCEPTED_MODES = {
  refused: 'A valid update was refused. Every member of the body is optional; accept each by itself and all together.',
  'wrong-success-status':
    'The response to a valid update has a 2xx status other than 200. Respond with 200 and the updated user.',
  redirected:
    'The response to a valid update is a redirect. Respond under the path of the contract, without a redirect.',
  'server-error': 'The response to a valid update has a 5xx status. The log of the server may say why.',
  'no-answer': 'The connection was closed without a response to a valid update. Respond with 200 and the updated user.',
} as const;

function acceptedMode(status: number): keyof typeof ACCEPTED_MODES {
  if (status < 300) return 'wrong-success-status';
  if (status < 400) return 'redirected';
  return status < 500 ? 'refused' : 'server-error';
}

function judgeAllAre200(exchanges: readonly Exchange[], evidence: Evidence): Judgement {
  const wrong = exchanges.find(({ response }) => response && response.status !== 200);
  if (wrong?.response) {
    const { status, text } = wrong.response;
    const said = objectBody(wrong)?.message;
    const why = typeof said === 'string' ? ` ("${said}")` : text === '' ? ' (no body)' : '';
    const message = `${wrong.request.purpose}: the response is ${status}${why}, expected 200.`;
    const mode = acceptedMode(status);
    // Only a refusal of the body says something of its members.
    const requirements = status === 400 || status === 422 ? {} : { requirements: ['update.success-is-200'] };
    const deviation = everywhere(status, evidence) ?? `update.success-is-200.${status}`;
    return failed({ mode, expected: 200, actual: status, message, deviation, ...requirements }, wrong);
  }
  return judgeNoResponse(exchanges, evidence) ?? passed(exchanges);
}

/** Whether the target accepted any role; if not, it may not know the roles that the operator named. */
function someRoleAccepted({ exchanges }: Evidence): boolean {
  return exchanges.some(
    (exchange) => exchange.request.operation === 'updateUser' && isAccepted(exchange) && sends(exchange, 'rootRole'),
  );
}

function rolesRefused(rounds: readonly Round[]): Judgement {
  const detail = 'no update with a role was accepted; does the target accept the values of CONFORMANCE_ROLE_IDS?';
  return { outcome: 'inconclusive', reason: 'control-refused', detail, exchanges: updatesOf(rounds) };
}

/** Whether an update with these members, and more, was accepted: then one of the others is required. */
function isMoreAccepted({ members: own }: Subset, evidence: Evidence): boolean {
  return SUBSETS.some(
    ({ members, scenario }) =>
      members.length > own.length &&
      own.every((member) => members.includes(member)) &&
      updatesOf(roundsOf(evidence, scenario)).some(isAccepted),
  );
}

export function acceptedCheck(subset: Subset): Check {
  const { id, members, scenario } = subset;
  return updateCheck({
    id: `update-${id}-accepted`,
    requirements: ['update.success-is-200', 'update.fields-optional'],
    title: `An update with ${wordsOf(members)} and nothing else gets the response 200`,
    scenarios: [scenario],
    failureModes: ACCEPTED_MODES,
    judge: (evidence) => {
      const rounds = roundsOf(evidence, scenario);
      if (rounds.length === 0) return blockedOrUnsent(evidence, 'updateUser', UNSENT);
      if (members.includes('rootRole') && !someRoleAccepted(evidence)) return rolesRefused(rounds);
      const judgement = judgeAllAre200(updatesOf(rounds), evidence);
      const isOfBody = judgement.outcome === 'failed' && judgement.failure.deviation !== undefined;
      if (!isOfBody || judgement.failure.requirements || !isMoreAccepted(subset, evidence)) return judgement;
      const requirements = ['update.fields-optional', 'update.success-is-200'];
      return { ...judgement, failure: { ...judgement.failure, requirements } };
    },
  });
}

export const everyValidUpdate = updateCheck({
  id: 'update-always-200',
  requirements: ['update.success-is-200'],
  title: 'Every valid update of the run gets the response 200',
  scenarios: [CONTROLS.name.traffic],
  failureModes: ACCEPTED_MODES,
  judge: (evidence) => {
    const rolesAccepted = someRoleAccepted(evidence);
    const damaged = damage(evidence);
    const valid = evidence.exchanges.filter((exchange) => {
      if (damaged.has(exchange)) return false;
      const { operation, subject, meant, credential } = exchange.request;
      const isOfNamedUser = NAMED_USERS.some((each) => each === subject) && meant.id === 'valid';
      if (operation !== 'updateUser' || !isOfNamedUser || meant.body !== 'valid' || credential.role !== 'admin')
        return false;
      if (subject === 'other-user' && evidence.history(subject).length === 0) return false;
      const sent = Object.keys(sentBody(exchange.request) ?? {});
      return sent.length > 0 && sent.every((member) => isUpdatable(member) && (rolesAccepted || member !== 'rootRole'));
    });
    const obstacle = evidence.blocked.updateUser;
    const ofUser = valid.filter(({ request }) => request.subject === 'user');
    if (obstacle?.exchange && ofUser.every(({ response }) => [401, 403, 404].includes(response?.status ?? 404))) {
      return blockedOrUnsent(evidence, 'updateUser', obstacle.detail);
    }
    if (valid.length === 0) return blockedOrUnsent(evidence, 'updateUser', 'no valid update was sent');
    return judgeAllAre200(valid, evidence);
  },
});
