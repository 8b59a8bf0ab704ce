import type { Exchange } from '../../../http/exchange.ts';
import type { Evidence } from '../../../judging/evidence.ts';
import { blockedOrUnsent, eitherFailure, failed, judgeNoResponse, passed } from '../../../judging/outcomes.ts';
import { NAMED_USERS, UPDATABLE } from '../../../target/user.ts';
import { EMPTY_BODY } from '../scenarios.ts';
import { damage, EMPTY_BODY_CHECK } from './causes.ts';
import { kept, LOST_MODES } from './effects.ts';
import { roundsOf, UNSENT, updateCheck, updatesOf } from './update-check.ts';

/** Whether it is the body `{}` for a user that could be updated. */
function isReading({ request }: Exchange, { history }: Evidence): boolean {
  const { operation, body, credential, subject } = request;
  const isNamed = NAMED_USERS.some((each) => each === subject && history(each).length > 0);
  return operation === 'updateUser' && body === '{}' && credential.role === 'admin' && isNamed;
}

export const emptyBody = updateCheck({
  id: EMPTY_BODY_CHECK,
  requirements: ['update.empty-body-changes-nothing'],
  title: 'The body `{}` gets the response 200 or 400 and changes nothing',
  scenarios: [EMPTY_BODY],
  failureModes: {
    ...LOST_MODES,
    'wrong-status':
      'The response to the body `{}` is neither 200 nor 400. Accept it with 200 and change nothing, or refuse it with 400.',
    'no-answer': 'The connection was closed without a response to the body `{}`. Respond with 200 or 400.',
  },
  restsOn: [
    ...['always-200', 'name-email-stored', 'name-email-keeps-role', 'name-keeps-email', 'email-keeps-name'],
    ...['role-keeps-name', 'role-keeps-email'],
  ].map((what) => `update-${what}`),
  judge: (evidence) => {
    const rounds = roundsOf(evidence, EMPTY_BODY).map((round) => ({ ...round, updates: round.updates.slice(1) }));
    const empties = updatesOf(rounds);
    if (empties.length === 0) return blockedOrUnsent(evidence, 'updateUser', UNSENT);
    for (const exchange of empties) {
      const unanswered = judgeNoResponse([exchange], evidence);
      if (unanswered) return unanswered;
      const found = eitherFailure(exchange, evidence);
      if (found) return failed(found, exchange);
    }
    const damaged = damage(evidence);
    const elsewhere = evidence.exchanges.find(
      (exchange) =>
        !damaged.has(exchange) &&
        isReading(exchange, evidence) &&
        exchange.response !== undefined &&
        ![200, 400].includes(exchange.response.status),
    );
    if (elsewhere) {
      const actual = elsewhere.response?.status;
      const message = `${elsewhere.request.purpose} with \`{}\`: the response is ${actual ?? ''}, expected 200 or 400.`;
      return failed({ mode: 'wrong-status', expected: '200 or 400', actual, message }, elsewhere);
    }
    const judgements = UPDATABLE.map((member) => kept('user', member)(rounds, evidence));
    const failure = judgements.find(({ outcome }) => outcome === 'failed');
    const undecided = judgements.slice(0, 2).find(({ outcome }) => outcome === 'inconclusive');
    return failure ?? undecided ?? passed(empties);
  },
});
