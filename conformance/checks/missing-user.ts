import type { Attempt, Check, Evidence, Judgement } from '../check.ts';
import { judgeRefusal, preconditionFailed, refusalFailure, REFUSAL_FAILURE_MODES } from './judging.ts';
import { refusalCheck } from './refusal.ts';
import { CONTROL_TRIALS } from './trials.ts';

const NOT_FOUND = [{ status: 404 }];

const TWICE: Attempt = {
  id: 'missing-user',
  lane: 'users',
  needs: ['adminKey', 'userId', 'missingUserId'],
  times: 2,
  build: (requests) =>
    requests.update({
      subject: 'missing-user',
      purpose: 'An update of the missing user',
      body: JSON.stringify({ name: requests.fresh.name() }),
      meantBody: 'valid',
    }),
};

function only(evidence: Evidence, choose: (index: number) => boolean): Evidence {
  const exchanges = (evidence.attempts.get(TWICE.id)?.exchanges ?? []).filter((_each, index) => choose(index));
  return { ...evidence, attempts: new Map([[TWICE.id, { exchanges }]]) };
}

function judgeFirst(evidence: Evidence): Judgement {
  return judgeRefusal(
    only(evidence, (index) => index % 2 === 0),
    [TWICE],
    NOT_FOUND,
    ['name'],
    'users',
  );
}

function judgeSecond(evidence: Evidence): Judgement {
  const [first] = evidence.attempts.get(TWICE.id)?.exchanges ?? [];
  if (first?.response && refusalFailure(first, NOT_FOUND)) {
    return preconditionFailed('the first update of the missing user was not answered as it should be', [first]);
  }
  return judgeRefusal(
    only(evidence, (index) => index % 2 === 1),
    [TWICE],
    NOT_FOUND,
    ['name'],
    'users',
  );
}

function check(id: string, requirement: string, title: string, judge: Check['judge']): Check {
  return {
    id,
    area: 'missing-user',
    level: 'must',
    requirements: [requirement],
    title,
    lane: 'users',
    needs: TWICE.needs,
    uses: [TWICE, CONTROL_TRIALS.name],
    failureModes: REFUSAL_FAILURE_MODES,
    judge,
  };
}

/** Which of the two comes first is open (open.error-precedence); to accept the request is not. */
const invalidBody = refusalCheck({
  id: 'missing-user-invalid-body',
  area: 'missing-user',
  requirements: ['missing-user.not-found'],
  title: 'An update of a missing user with an invalid body is refused with 404 or 400',
  needs: ['missingUserId'],
  requests: [
    (requests) =>
      requests.update({
        subject: 'missing-user',
        purpose: 'An update of the missing user with a number as name',
        body: JSON.stringify({ name: 5 }),
        meantBody: 'invalid',
      }),
  ],
  refusals: [{ status: 404 }, { status: 400 }],
  controls: ['name'],
});

/** Source: Endpoints, PUT user, responses, 404; Errors, 404. */
export const missingUserChecks: readonly Check[] = [
  invalidBody,
  check(
    'missing-user-refused',
    'missing-user.not-found',
    'An update of a missing user is refused with 404',
    judgeFirst,
  ),
  check(
    'missing-user-stays-missing',
    'missing-user.not-created',
    'A second update of a missing user is refused with 404 as well',
    judgeSecond,
  ),
];
