import { type Exchange, isAccepted, objectBody, sentBody } from '../../../http/exchange.ts';
import type { Check, Judgement } from '../../../judging/check.ts';
import type { Evidence, Round } from '../../../judging/evidence.ts';
import { blockedOrUnsent, failed, judgeNoResponse, notObservable, passed } from '../../../judging/outcomes.ts';
import { NAMED_USERS, UPDATABLE } from '../../../target/user.ts';
import { UPDATE_USER } from '../requests.ts';
import { type Subset, SUBSETS } from '../scenarios.ts';
import { bodySends, roundsOf, updateCheck, wordsOf } from './update-check.ts';

export const ACCEPTED_MODES = {
  refused: 'A valid update was refused. Every member of the body is optional; take any of them alone and any together.',
  'wrong-success-status':
    'A valid update was answered with another status of success than 200. Answer 200 with the updated user.',
  redirected:
    'A valid update was answered with a redirect. Answer it under the path of the contract, without a redirect.',
  'server-error': 'A valid update was answered with a 5xx status. Find in the log of the server why it failed.',
  'no-answer': 'The connection was closed without an answer to a valid update. Answer 200 with the updated user.',
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
    const message = `${wrong.request.purpose}: answered ${status}${why}, expected 200.`;
    return failed({ mode: acceptedMode(status), expected: 200, actual: status, message }, wrong);
  }
  const unanswered = exchanges.find(({ transportError }) => transportError);
  return unanswered ? judgeNoResponse(unanswered, evidence) : passed(exchanges);
}

/** Whether the target took any role; if it took none, the operator may have named roles that it does not know. */
function someRoleAccepted({ exchanges }: Evidence): boolean {
  return exchanges.some((exchange) => isAccepted(exchange) && bodySends(exchange, 'rootRole'));
}

function rolesRefused(rounds: readonly Round[]): Judgement {
  const detail = 'no update with a role was accepted; does the target take the values of CONFORMANCE_ROLE_IDS?';
  return {
    outcome: 'inconclusive',
    reason: 'control-refused',
    detail,
    exchanges: rounds.flatMap(({ updates }) => updates),
  };
}

export function acceptedCheck({ id, members, scenario }: Subset): Check {
  return updateCheck({
    id: `update-${id}-accepted`,
    requirements: ['update.success-is-200', 'update.fields-optional'],
    title: `A body with ${wordsOf(members)} and nothing else is answered 200`,
    scenarios: [scenario],
    failureModes: ACCEPTED_MODES,
    judge: (evidence) => {
      const rounds = roundsOf(evidence, scenario);
      if (rounds.length === 0)
        return blockedOrUnsent(evidence, UPDATE_USER, 'the run ended before the update was sent');
      if (members.includes('rootRole') && !someRoleAccepted(evidence)) return rolesRefused(rounds);
      return judgeAllAre200(
        rounds.flatMap(({ updates }) => updates),
        evidence,
      );
    },
  });
}

export const idMatches = updateCheck({
  id: 'update-answer-id',
  requirements: ['update.id-matches-path'],
  title: 'The `id` in the answer is the id in the path',
  scenarios: SUBSETS.filter(({ id }) => id === 'name').map(({ scenario }) => scenario),
  failureModes: {
    'other-id': 'The `id` in the answer is not the id in the path. Answer with the user that the path names.',
  },
  judge: (evidence) => {
    const named = evidence.exchanges.filter(({ request }) =>
      NAMED_USERS.some((subject) => subject === request.subject),
    );
    const plain = named.filter((exchange) => exchange.request.meant.id === 'valid' && isAccepted(exchange));
    const withId = plain.filter((each) => typeof objectBody(each)?.id === 'number');
    for (const exchange of withId) {
      const inPath = Number(exchange.request.path.split('/').at(-1));
      const actual = objectBody(exchange)?.id;
      if (actual === inPath) continue;
      const message = `The path has the id ${inPath}, the answer the id ${JSON.stringify(actual)}.`;
      return failed({ mode: 'other-id', expected: inPath, actual, pointer: '/id', message }, exchange);
    }
    if (withId.length > 0) return passed(withId.slice(0, 1));
    if (evidence.history('user').length === 0) return blockedOrUnsent(evidence, UPDATE_USER, 'no update was accepted');
    return notObservable('no answer carries an integer `id`');
  },
});

export const everyValidUpdate = updateCheck({
  id: 'update-always-200',
  requirements: ['update.success-is-200'],
  title: 'Every valid update of the run is answered 200',
  scenarios: SUBSETS.filter(({ id }) => id === 'name').map(({ scenario }) => scenario),
  failureModes: ACCEPTED_MODES,
  judge: (evidence) => {
    const rolesTaken = someRoleAccepted(evidence);
    const valid = evidence.exchanges.filter(({ request }) => {
      const named =
        NAMED_USERS.some((subject) => subject === request.subject && evidence.history(subject).length > 0) ||
        request.subject === 'user';
      if (!rolesTaken && Object.hasOwn(sentBody(request) ?? {}, 'rootRole')) return false;
      const sent = sentBody(request) ?? {};
      const known =
        Object.keys(sent).length > 0 &&
        Object.keys(sent).every((member) => (UPDATABLE as readonly string[]).includes(member));
      return (
        named &&
        known &&
        request.meant.body === 'valid' &&
        request.meant.id === 'valid' &&
        request.credential.role === 'admin'
      );
    });
    const obstacle = evidence.blocked[UPDATE_USER];
    if (obstacle?.exchange && valid.every(({ response }) => [401, 403, 404].includes(response?.status ?? 404))) {
      return blockedOrUnsent(evidence, UPDATE_USER, obstacle.detail);
    }
    if (valid.length === 0) return blockedOrUnsent(evidence, UPDATE_USER, 'no valid update was sent');
    return judgeAllAre200(valid, evidence);
  },
});
