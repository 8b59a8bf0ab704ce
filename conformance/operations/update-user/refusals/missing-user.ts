import type { Due } from '../../../http/due.ts';
import { type Exchange, isAccepted } from '../../../http/exchange.ts';
import type { Check, Judgement } from '../../../judging/check.ts';
import type { Evidence } from '../../../judging/evidence.ts';
import { negativeCheck } from '../../../judging/negative-check.ts';
import { judgeRefusal, REFUSAL_FAILURE_MODES } from '../../../judging/outcomes.ts';
import type { Probe } from '../../../judging/traffic.ts';
import { CONTROLS } from '../scenarios.ts';

const NOT_FOUND = [404];

const CONTROL_SHAPES = [CONTROLS.nameAndEmail].map(({ operation, members }) => ({ operation, members }));

function dueAt(time: number): Due {
  const [first, later] = [
    { requirements: ['missing-user.not-found'], checks: ['missing-user-refused'] },
    { requirements: ['missing-user.not-created'], checks: ['missing-user-stays-missing'] },
  ];
  const own = { class: 'refuse', level: 'must', controls: CONTROL_SHAPES, onceMissing: later } as const;
  // Whether `{}` is refused as empty is open (open.empty-body).
  return { ...own, statuses: time === 0 ? [404, 400] : NOT_FOUND, ...(time < 2 ? first : later) };
}

/** First `{}`: if the operator was wrong and the user exists, nothing of it is changed, and nothing else is sent to it. */
const THREE_TIMES: Probe = {
  id: 'missing-user',
  operation: 'updateUser',
  needs: ['adminKey', 'userId', 'missingUserId'],
  times: 3,
  untilAccepted: true,
  firstAhead: true,
  build: (requests, time) =>
    requests.build('updateUser', {
      subject: 'missing-user',
      purpose: 'An update of the missing user',
      body: JSON.stringify(time === 0 ? {} : { name: requests.fresh.name(), email: requests.fresh.email() }),
      meantBody: 'valid',
      due: dueAt(time),
    }),
};

function sentTo(evidence: Evidence): readonly Exchange[] {
  return evidence.probes.get(THREE_TIMES.id) ?? [];
}

function judgeOnly(evidence: Evidence, exchanges: readonly Exchange[]): Judgement {
  const probes = new Map([[THREE_TIMES.id, exchanges]]);
  return judgeRefusal({ ...evidence, probes }, [THREE_TIMES], NOT_FOUND, [CONTROLS.nameAndEmail]);
}

function nameUpdates(evidence: Evidence): readonly Exchange[] {
  return sentTo(evidence).filter(({ request }) => request.body !== '{}');
}

function judgeFirst(evidence: Evidence): Judgement {
  const [empty] = sentTo(evidence);
  const first = empty && isAccepted(empty) ? [empty] : nameUpdates(evidence).slice(0, 1);
  // Where the empty update was refused, an accepted one is another failure: something was created.
  const created = empty?.response?.status === 404 && first.some(isAccepted);
  const judgement = judgeOnly(evidence, created ? [empty] : first);
  if (judgement.outcome !== 'failed' || judgement.failure.mode !== 'accepted') return judgement;
  const message = `${judgement.failure.message} Or is there a user with the id CONFORMANCE_MISSING_USER_ID?`;
  return { ...judgement, failure: { ...judgement.failure, message } };
}

function judgeSecond(evidence: Evidence): Judgement {
  const [, second] = nameUpdates(evidence);
  const refusedAtFirst = sentTo(evidence)[0]?.response?.status === 404;
  const later = sentTo(evidence).find((exchange, index) => index > 0 && isAccepted(exchange));
  return judgeOnly(evidence, refusedAtFirst && later ? [later] : second ? [second] : []);
}

function check(
  id: string,
  requirement: string,
  title: string,
  judge: Check['judge'],
  restsOn: readonly string[] = [],
): Check {
  return {
    id,
    restsOn,
    area: 'missing-user',
    level: 'must',
    requirements: [requirement],
    title,
    operations: ['updateUser'],
    needs: THREE_TIMES.needs,
    uses: [THREE_TIMES, CONTROLS.nameAndEmail.traffic],
    failureModes: REFUSAL_FAILURE_MODES,
    judge,
  };
}

/** Which of the two errors wins is open (open.error-precedence); accepting the request is not. */
const invalidBody = negativeCheck({
  id: 'missing-user-invalid-body',
  area: 'missing-user',
  requirements: ['request-body.name-type'],
  restsOn: ['missing-user-refused', 'body-name-number'],
  title: 'An update of a missing user with an invalid body is refused with 404 or 400',
  needs: ['missingUserId'],
  requests: [
    (requests) =>
      requests.build('updateUser', {
        subject: 'missing-user',
        purpose: 'An update of the missing user with a number as name',
        body: JSON.stringify({ name: 5 }),
        meantBody: 'invalid',
      }),
  ],
  refusals: [404, 400],
  controls: [CONTROLS.name],
});

/** Source: Endpoints, PUT user, responses, 404; Errors, 404. */
export const missingUserChecks: readonly Check[] = [
  check(
    'missing-user-refused',
    'missing-user.not-found',
    'An update of a missing user is refused with 404',
    judgeFirst,
  ),
  check(
    'missing-user-stays-missing',
    'missing-user.not-created',
    'A second update of a missing user is also refused with 404',
    judgeSecond,
    ['missing-user-refused'],
  ),
  invalidBody,
];
