import type { Due } from '../../../http/due.ts';
import type { Check } from '../../../model/check.ts';
import { negativeCheck, REFUSAL_FAILURE_MODES } from '../../negative-check.ts';
import type { Probe } from '../../../model/recording/items.ts';
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
  build: (requests, time) =>
    requests.build('updateUser', {
      subject: 'missing-user',
      purpose: 'An update of the missing user',
      body: JSON.stringify(time === 0 ? {} : { name: requests.fresh.name(), email: requests.fresh.email() }),
      meantBody: 'valid',
      due: dueAt(time),
    }),
};

function check(id: string, requirement: string, title: string): Check {
  return {
    id,
    area: 'missing-user',
    level: 'must',
    requirements: [requirement],
    title,
    operations: ['updateUser'],
    needs: THREE_TIMES.needs,
    uses: [THREE_TIMES, CONTROLS.nameAndEmail.traffic],
    failureModes: REFUSAL_FAILURE_MODES,
  };
}

/** Which of the two errors wins is open (open.error-precedence); accepting the request is not. */
const invalidBody = negativeCheck({
  id: 'missing-user-invalid-body',
  area: 'missing-user',
  requirements: ['request-body.name-type'],
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
  check('missing-user-refused', 'missing-user.not-found', 'An update of a missing user is refused with 404'),
  check(
    'missing-user-stays-missing',
    'missing-user.not-created',
    'A second update of a missing user is also refused with 404',
  ),
  invalidBody,
];
