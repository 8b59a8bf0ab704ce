import type {
  Change,
  CheckResult,
  ExchangeRecord,
  Finding,
  Outcome,
  RequirementResult,
  Result,
} from '../../conformance/facts/result.ts';
import { SCHEMA_VERSION } from '../../conformance/facts/result.ts';
import { countOutcomes } from '../../conformance/result/verdict.ts';

const BASE = 'http://127.0.0.1:4242';
const URL = `${BASE}/api/admin/user-admin/4`;

/** An update of user 4 and what came back; undefined: no response. */
export function exchange(
  sent: string,
  body?: string,
  status = 200,
  headers: Record<string, string> = {},
): ExchangeRecord {
  return {
    request: { method: 'PUT', url: URL, headers: { 'Content-Type': 'application/json' }, body: sent },
    ...(body === undefined
      ? { lost: 'the connection was closed' }
      : { response: { status, headers: { 'content-type': 'application/json', ...headers }, body } }),
    startedMs: 120.5,
    durationMs: 3.2,
    curl: `curl -i -X PUT '${URL}' -H 'Content-Type: application/json' -H "Authorization: $CONFORMANCE_ADMIN_KEY" --data-raw '${sent}'`,
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
    durationMs: 80,
    knownFailure: false,
    ...own,
  };
}

/** A finding of a `must`, but for what is given. */
export function findingOf(id: string, own: Partial<Finding> = {}): Finding {
  const { title = `What breaks ${id}`, expected = '200', actual = '500', checks = ['update-name'] } = own;
  const [check] = checks;
  return {
    ...{ id, kind: 'status', level: 'must', requirement: id, title, expected, actual, checks },
    failures: [{ ...(check !== undefined && { check }), title, expected, actual }],
    exchanges: [],
    fix: 'Catch it.',
    knownFailure: false,
    ...own,
  };
}

function requirementOf(id: string, outcome: Outcome, text: string): RequirementResult {
  return { id, level: id === 'banner.id' ? 'should' : 'must', text, outcome, checks: [] };
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
  const { requirements = [] } = own;
  const countsOf = (judged: readonly (CheckResult | RequirementResult)[]) => {
    const at = (level: string) => countOutcomes(judged.filter((each) => each.level === level));
    return { must: at('must'), should: at('should') };
  };
  return {
    schemaVersion: SCHEMA_VERSION,
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
    summary: { ...countsOf(checks), requirements: countsOf(requirements), requests: 612, baselineProblems: [] },
    findings: [...findings],
    requirements: [],
    checks: [...checks],
    workarounds: [],
    observations: [],
    restoration: { outcome: 'complete', users: [{ id: '4', members: [{ member: 'name', outcome: 'restored' }] }] },
    hints: [],
    ...own,
  };
}

const USER = JSON.stringify({ id: 4, name: 'Quiet Otter', email: '', username: 'ada', rootRole: 1, isAPI: false });

const FINDINGS: Finding[] = [
  findingOf('update.unsent-fields-keep', {
    kind: 'member',
    member: 'email',
    title: 'Updating only `name` cleared `email` (was "ada@example.com")',
    failures: [
      'Updating only `name` cleared `email` (was "ada@example.com")',
      'Updating `name` and `rootRole` cleared `email` (was "x@example.com")',
    ].map((title) => ({ check: 'update-in-a-row', title, expected: '"ada@example.com"', actual: '""' })),
    expected: '`email` as before: "ada@example.com"',
    actual: '`email` is ""',
    checks: ['update-name', 'update-in-a-row'],
    exchanges: [
      exchange('{"name":"Brisk Heron"}', USER),
      { ...exchange('{"rootRole":2}', USER), part: 'before' },
      exchange('{"rootRole":1}', USER),
    ],
    fix: 'Change only the members in the body: what is missing is not null. Leave the rest of the row alone, whatever your ORM proposes.',
  }),
  findingOf('errors.body', {
    kind: 'response',
    title: 'No error has an error body (400, 401, 403, 404)',
    expected: 'an object with the strings id, name and message',
    actual: '{"error":"Bad Request"}',
    checks: [],
    exchanges: [exchange('{"name":5}', '{"error":"Bad Request"}', 400)],
  }),
  findingOf('update.success-is-200', {
    title: '3 of 160 valid updates got 500; the same requests, sent again, were accepted',
    checks: ['update-email'],
    exchanges: [exchange('{"email":"quiet.otter@example.com"}')],
    seen: { times: 3, of: 160, what: 'requests' },
  }),
  findingOf('update.values-faithful', {
    kind: 'special',
    level: 'should',
    title: 'A name of 10,000 characters is cut',
    checks: ['value-name-long'],
    exchanges: [exchange('{"name":"…"}', `{"id":4,"name":"${'long '.repeat(51)}"}`)],
  }),
  findingOf('request-body.object', {
    title: 'A body that is an array is accepted',
    checks: ['body-array'],
    knownFailure: true,
  }),
];

const failed = { outcome: 'failed' } as const;
const CHECKS: CheckResult[] = [
  checkOf('update-name', failed),
  checkOf('update-in-a-row', failed),
  checkOf('update-email', failed),
  checkOf('update-role'),
  checkOf('body-array', { ...failed, area: 'bodies', knownFailure: true }),
  checkOf('body-null', { area: 'bodies' }),
  checkOf('value-name-long', { ...failed, area: 'values', level: 'should' }),
  ...['spelling-escapes', 'spelling-order'].map((id) =>
    checkOf(id, {
      ...{ outcome: 'inconclusive', reason: 'blocked', detail: '`update.unsent-fields-keep` is broken' },
      blockedBy: 'update.unsent-fields-keep',
    }),
  ),
  checkOf('banner-ids', {
    ...{ area: 'banners', level: 'should', outcome: 'inconclusive', reason: 'missing-input' },
    detail: 'CONFORMANCE_BANNER_IDS is not set',
    missing: ['CONFORMANCE_BANNER_IDS'],
  }),
  checkOf('user-username', {
    ...{ area: 'banners', outcome: 'not-applicable' },
    detail: 'the responses leave `username` out when it is empty',
  }),
];

const REQUIREMENTS: RequirementResult[] = [
  requirementOf('update.success-is-200', 'failed', 'A valid update gets a 200 response.'),
  requirementOf('update.unsent-fields-keep', 'failed', 'A member that is not sent keeps its value.'),
  requirementOf('errors.body', 'failed', 'The body of every error has the strings `id`, `name` and `message`.'),
  requirementOf('banner.id', 'inconclusive', 'The `id` of a banner is an integer.'),
  requirementOf('auth.key-not-shown', 'passed', 'No response repeats the key of the request.'),
];
const own = resultOf(CHECKS, [], { requirements: REQUIREMENTS }).summary;

/** A failed run with every kind of content that a report shows. */
export const sample: Result = resultOf(CHECKS, FINDINGS, {
  verdict: 'failed',
  selection: { only: [], skip: ['concurrent-*'], failOn: 'must' },
  summary: {
    ...own,
    baselineProblems: ['body-text is now passed, not failed; remove the entry.'],
  },
  again: [
    changeOf('body-null', { title: 'A body that is null is accepted' }),
    changeOf('update-role', { title: '2 of 9 rounds lost an update', became: 'not-seen-again' }),
  ],
  requirements: REQUIREMENTS,
  workarounds: [{ id: 'all-members', text: 'each update sends `name`, `email`.', checks: 2 }],
  observations: [
    {
      id: 'open.account-type-values',
      observed: 'values',
      text: 'The target shows these values of `accountType`.',
      detail: ['User', 'Service Account'],
    },
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
          { member: 'rootRole', outcome: 'unavailable', detail: 'the update got 503' },
        ],
      },
    ],
    journal: 'journal.json',
  },
  hints: [{ id: 'restricted-key-unknown', text: 'The restricted key is refused with 401.' }],
});
