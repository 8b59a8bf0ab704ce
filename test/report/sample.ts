import type {
  Change,
  CheckResult,
  ExchangeRecord,
  Finding,
  Outcome,
  RequirementResult,
  Result,
} from '../../conformance/result/result.ts';
import { countOutcomes } from '../../conformance/result/verdict.ts';

const BASE = 'http://127.0.0.1:4242';
const PATH = '/api/admin/user-admin/4';

/** An update of user 4 and what came back; undefined: no response. */
export function exchange(
  sent: string,
  body?: string,
  status = 200,
  headers: Record<string, string> = {},
): ExchangeRecord {
  return {
    request: {
      method: 'PUT',
      url: BASE + PATH,
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        Authorization: '$CONFORMANCE_ADMIN_KEY',
      },
      body: sent,
    },
    ...(body === undefined
      ? { lost: 'the connection was closed' }
      : { response: { status, headers: { 'content-type': 'application/json', ...headers }, body } }),
    startedMs: 120.5,
    durationMs: 3.2,
    curl: `curl -i -X PUT '${BASE}${PATH}' -H 'Accept: application/json' -H 'Content-Type: application/json' -H "Authorization: $CONFORMANCE_ADMIN_KEY" --data-raw '${sent}'`,
  };
}

/** A check that passed, but for what is given. */
export function checkOf(id: string, own: Partial<CheckResult> = {}): CheckResult {
  return {
    id,
    area: 'updates',
    level: 'must',
    title: `What ${id} shows`,
    requirement: 'update.success-is-200',
    outcome: 'passed',
    knownFailure: false,
    ...own,
  };
}

/** A finding of a `must`, but for what is given. */
export function findingOf(id: string, own: Partial<Finding> = {}): Finding {
  return {
    id,
    level: 'must',
    requirement: id,
    title: `What breaks ${id}`,
    expected: '200',
    actual: '500',
    checks: ['update-name'],
    exchanges: [],
    fix: 'Catch it.',
    knownFailure: false,
    ...own,
  };
}

function requirementOf(id: string, outcome: Outcome, text: string, ...checks: string[]): RequirementResult {
  return { id, level: id === 'banner.id' ? 'should' : 'must', text, outcome, checks };
}

/** A check that was fixed, but for what is given. */
export function changeOf(id: string, own: Partial<Change> = {}): Change {
  return { id, title: '', level: 'must', from: 'failed', to: 'passed', became: 'fixed', counts: true, ...own };
}

/** A result that passed, with these checks and findings; what is given takes the place of its members. */
export function resultOf(
  checks: readonly CheckResult[],
  findings: readonly Finding[] = [],
  own: Partial<Result> = {},
): Result {
  const at = (level: string) => countOutcomes(checks.filter((check) => check.level === level));
  return {
    schemaVersion: 2,
    tool: { name: 'admin-api-conformance', version: '0.1.0' },
    contract: { title: 'Administrative API', version: '1.1.0', digest: 'a'.repeat(64) },
    target: {
      baseUrl: BASE,
      userId: '4',
      roleIds: [1, 2],
      adminKey: true,
      restrictedKey: false,
      emailDomain: 'a.example',
    },
    selection: { only: [], skip: [], failOn: 'must' },
    startedAt: '2026-11-21T07:44:00.138Z',
    durationMs: 1234,
    verdict: 'passed',
    summary: { must: at('must'), should: at('should'), requests: 612, baselineProblems: [] },
    findings: [...findings],
    requirements: [],
    checks: [...checks],
    observations: [],
    restoration: { outcome: 'complete', users: [{ id: '4', members: [{ member: 'name', outcome: 'restored' }] }] },
    hints: [],
    ...own,
  };
}

const MORE = {
  imageUrl: 'https://images.example.com/4.png',
  createdAt: '2024-01-31T09:00:00Z',
  isAPI: false,
  scimId: null,
};
const USER = JSON.stringify({ id: 4, name: 'Quiet Otter', email: '', username: 'ada', rootRole: 1, ...MORE });

const FINDINGS: Finding[] = [
  findingOf('update.unsent-fields-keep', {
    title: 'Updating only `name` cleared `email` (was "ada@example.com")',
    expected: '`email` as before: "ada@example.com"',
    actual: '`email` is ""',
    checks: ['update-name', 'update-name-and-role', 'update-in-a-row'],
    exchanges: [exchange('{"name":"Brisk Heron"}', USER), exchange('{"rootRole":1}', USER)],
    fix: 'Change only the members that are in the body: tell a member that is missing from one that is `null` or empty, and leave the rest of the row alone.',
  }),
  findingOf('errors.body', {
    title: 'No error has an error body (400, 401, 403, 404)',
    expected: 'an object with the strings id, name and message',
    actual: '{"error":"Bad Request"}',
    checks: [],
    exchanges: [exchange('{"name":5}', '{"error":"Bad Request"}', 400)],
    fix: "This error is the framework's own (its body parser). Give it an error handler that sends id, name and message.",
  }),
  findingOf('update.success-is-200', {
    title: '3 of 160 valid updates got 500; the same requests, sent again, were accepted',
    expected: '200',
    actual: '500',
    checks: ['update-email'],
    exchanges: [exchange('{"email":"quiet.otter@example.com"}')],
    fix: "Look at your server's log for these requests. Usual causes: a locked database, a deadlock, a lost connection, an open transaction.",
    seen: { times: 3, of: 160, what: 'requests' },
  }),
  findingOf('update.values-faithful', {
    level: 'should',
    title: 'A name of 10,000 characters is cut',
    expected: 'the name as sent, or a 400 response with nothing changed',
    actual: 'the first 255 characters',
    checks: ['value-name-long'],
    exchanges: [exchange('{"name":"…"}', `{"id":4,"name":"${'long '.repeat(51)}"}`)],
    fix: 'Refuse what does not fit with 400.',
  }),
  findingOf('request-body.object', {
    title: 'A body that is an array is accepted',
    checks: ['body-array'],
    knownFailure: true,
  }),
];

const CHECKS: CheckResult[] = [
  checkOf('update-name', { outcome: 'failed', requirement: 'update.unsent-fields-keep' }),
  checkOf('update-name-and-role', { outcome: 'failed', requirement: 'update.unsent-fields-keep' }),
  checkOf('update-in-a-row', { outcome: 'failed', requirement: 'update.unsent-fields-keep' }),
  checkOf('update-email', { outcome: 'failed' }),
  checkOf('update-role'),
  checkOf('body-array', { area: 'bodies', outcome: 'failed', requirement: 'request-body.object', knownFailure: true }),
  checkOf('body-null', { area: 'bodies' }),
  checkOf('value-name-long', {
    area: 'values',
    level: 'should',
    outcome: 'failed',
    requirement: 'update.values-faithful',
  }),
  checkOf('value-name-emoji', { area: 'values', level: 'should' }),
  ...['spelling-escapes', 'spelling-order', 'spelling-blanks'].map((id) =>
    checkOf(id, { outcome: 'inconclusive', reason: 'blocked', blockedBy: 'update.unsent-fields-keep' }),
  ),
  checkOf('banner-ids', {
    area: 'banners',
    level: 'should',
    outcome: 'inconclusive',
    reason: 'missing-input',
    detail: 'CONFORMANCE_BANNER_IDS is not set',
  }),
  checkOf('user-username', {
    area: 'banners',
    outcome: 'not-applicable',
    detail: 'the responses leave `username` out when it is empty',
  }),
];

/** A failed run with every kind of content that a report shows. */
export const sample: Result = resultOf(CHECKS, FINDINGS, {
  verdict: 'failed',
  selection: { only: [], skip: ['concurrent-*'], failOn: 'must' },
  summary: {
    must: countOutcomes(CHECKS.filter(({ level }) => level === 'must')),
    should: countOutcomes(CHECKS.filter(({ level }) => level === 'should')),
    requests: 1612,
    baselineProblems: [
      { id: 'body-text', kind: 'stale', message: 'body-text is now passed, not failed; remove the entry.' },
    ],
  },
  again: [
    changeOf('update-name', { title: 'Updating only `name` cleared `email`', became: 'still-there', to: 'failed' }),
    changeOf('body-null', { title: 'A body that is null is accepted' }),
    changeOf('update-role', { title: '2 of 9 rounds lost an update', became: 'not-seen-again' }),
  ],
  requirements: [
    requirementOf('update.success-is-200', 'failed', 'A valid update gets a 200 response.', 'update-email'),
    requirementOf('update.unsent-fields-keep', 'failed', 'A member that is not sent keeps its value.', 'update-name'),
    requirementOf('errors.body', 'failed', 'The body of every error has the strings `id`, `name` and `message`.'),
    requirementOf('banner.id', 'inconclusive', 'The `id` of a banner is an integer.', 'banner-ids'),
    requirementOf('auth.key-not-shown', 'passed', 'No response repeats the key of the request.'),
  ],
  observations: [
    {
      id: 'open.account-type-values',
      observed: 'values',
      text: 'The target shows these values of `accountType`.',
      detail: ['User', 'Service Account'],
    },
    { id: 'open.empty-body', observed: 'accepted', text: 'The target accepts `{}` and changes nothing.' },
    { id: 'open.limits', text: 'The target limits the rate of requests.' },
  ],
  restoration: {
    outcome: 'partial',
    users: [
      {
        id: '4',
        members: [
          { member: 'name', outcome: 'restored' },
          { member: 'email', outcome: 'never-shown', detail: 'the target never showed the old value' },
        ],
      },
      { id: '5', members: [{ member: 'name', outcome: 'not-restored', detail: 'it is "Brisk Heron"' }] },
    ],
    journal: 'journal.json',
  },
  hints: [
    {
      id: 'value-taken',
      text: `PUT ${PATH} got 400, and the response says that a value is taken. Does your uniqueness check compare the user with itself?`,
    },
  ],
});
