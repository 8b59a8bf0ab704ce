import { countOutcomes, type CheckResult, type Finding, type Result } from '../../conformance/result/result.ts';
import { worst } from '../../conformance/result/verdict.ts';

/** Texts that a hostile target may send: markup, ends of blocks, control characters, halves of characters, marks of direction. */
export const HOSTILE_TEXTS = [
  '<script>alert(1)</script>',
  '</pre></details><img src=http://127.0.0.1:9/x onerror=alert(1)>',
  '"><svg/onload=alert(1)>\'',
  ']]>&amp;<!--',
  'nul\u0000 escape\u001b[31m bell\u0007 c1\u0085 del\u007f',
  'half\ud800 other\udc00 nobody\ufffe\uffff',
  'left\u202eright\u2066isolated\u2069 mark\u200e\u061c soft\u00ad blank\u200b\ufeff',
  'lines\u2028and\u2029more\r\nand\rmore\nmore',
  '``` \n</details>\n# title | cell | @everyone #1 www.example.com',
  '::error title=x::y\n::stop-commands::z\n##[error]w',
  'Ждан 東京 שלום 😀 👩🏽‍🚀',
  'x'.repeat(20_000),
] as const;

/** What no report shows as it is: control characters but for line ends, marks of direction, separators, halves of characters. */
export const UNSEEN = /(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b\u202a-\u202e\u2066-\u2069]/u;

/** A check that passed; what is given takes the place of its members. */
export function checkResult(own: Partial<CheckResult> & { readonly scored?: boolean } = {}): CheckResult {
  return {
    id: 'update-name-stored',
    area: 'update',
    level: 'must',
    title: 'The name that was sent is stored',
    requirements: ['update.sent-fields-change'],
    outcome: 'passed',
    knownFailure: false,
    exchanges: [],
    durationMs: 12.5,
    ...own,
  };
}

/** A check that was inconclusive for this reason, in words. */
export function unseenCheck(detail: string, own: Partial<CheckResult> = {}): CheckResult {
  return checkResult({ outcome: 'inconclusive', reason: 'missing-input', detail, ...own });
}

/** What is said of a check that lacks an input. */
export const NO_ROLES = 'not given: CONFORMANCE_ROLE_IDS (two roles)';

/** A failure in which every text that comes from the target is the one given. */
export function failedCheck(text: string, own: Partial<CheckResult> & { readonly scored?: boolean } = {}): CheckResult {
  return checkResult({
    outcome: 'failed',
    failure: {
      mode: 'not-stored',
      message: `name is ${text}`,
      expected: { name: 'Ada', list: [1, 2] },
      actual: { name: text, list: [1, 3] },
      pointer: '/name',
      advice: 'Store what `name` is sent as.',
    },
    exchanges: [
      {
        purpose: 'An update of the name',
        credential: 'the admin key',
        request: {
          method: 'PUT',
          url: 'http://127.0.0.1:4242/api/admin/user-admin/1',
          headers: { 'Content-Type': 'application/json' },
          body: '{"name":"Ada"}',
        },
        response: {
          status: 200,
          headers: { 'content-type': text, 'x-own': text },
          body: text,
        },
        durationMs: 3,
      },
      {
        purpose: 'A reading',
        credential: 'the admin key',
        request: { method: 'PUT', url: 'http://127.0.0.1:4242/api/admin/user-admin/1', headers: {}, body: '{}' },
        transportError: { kind: 'closed', detail: text },
        durationMs: 3,
      },
    ],
    curl: 'curl -i -X PUT \'http://127.0.0.1:4242/api/admin/user-admin/1\' --data-raw \'{"name":"Ada"}\'',
    ...own,
  });
}

/** Checks of which each bears on the run in another way; the ids say how. */
export function everyStanding(): CheckResult[] {
  return [
    checkResult({ id: 'passed' }),
    failedCheck('Bob', { id: 'failed', requirements: ['r.a'] }),
    failedCheck('Bob', { id: 'should', level: 'should', requirements: ['r.b'] }),
    failedCheck('Bob', { id: 'unscored', scored: false, requirements: ['r.c'] }),
    failedCheck('Bob', { id: 'known', knownFailure: true, requirements: ['r.d'] }),
    unseenCheck('late', { id: 'unseen', reason: 'deadline' }),
    unseenCheck('late', { id: 'unseen-known', reason: 'deadline', knownFailure: true }),
    checkResult({ id: 'inapplicable', outcome: 'not-applicable', detail: 'no banner' }),
    checkResult({ id: 'error', outcome: 'error', detail: 'it broke' }),
  ];
}

/** The finding that a failed check shows, alone. */
export function findingOf({ id, level, requirements, failure, exchanges, curl = '', ...check }: CheckResult): Finding {
  const { message: title = '', expected, actual, pointer, advice: fix = '' } = failure ?? {};
  return {
    ...{ id: `finding-${id}`, level, requirement: requirements[0] ?? '', requirements, title, expected, actual },
    ...(pointer === undefined ? {} : { pointer }),
    ...{ checks: [id], seen: exchanges.length, exchanges, curl, fix, consequences: [] },
    ...{ knownFailure: check.knownFailure, scored: check.scored ?? true },
  };
}

/** A result that consists of these checks; each that failed is a finding. */
export function resultOf(checks: readonly CheckResult[], own: Partial<Result> = {}): Result {
  const ids = [...new Set(checks.flatMap(({ requirements }) => requirements))];
  return {
    schemaVersion: 1,
    tool: { name: 'admin-api-conformance', version: '0.1.0' },
    contract: {
      title: 'Administrative API',
      version: '1.1.0',
      digest: 'a'.repeat(64),
      scoredSetDigest: 'b'.repeat(64),
    },
    target: { baseUrl: 'http://127.0.0.1:4242', adminKey: true, restrictedKey: false, emailDomain: 'example.com' },
    selection: { only: [], skip: [], failOn: 'must' },
    startedAt: '2026-11-21T07:44:00.138Z',
    durationMs: 1234,
    verdict: 'passed',
    summary: {
      must: countOutcomes(checks.filter(({ level }) => level === 'must')),
      should: countOutcomes(checks.filter(({ level }) => level === 'should')),
      requests: 17,
      baselineProblems: [],
    },
    findings: checks.filter(({ failure }) => failure).map(findingOf),
    requirements: ids.map((id) => {
      const own = checks.filter(({ requirements }) => requirements.includes(id));
      const outcome = worst(own.map((check) => check.outcome));
      const level = own.some((check) => check.level === 'must') ? 'must' : 'should';
      return { id, level, text: `What \`${id}\` says.`, source: 'Rule', outcome, checks: own.map((check) => check.id) };
    }),
    checks,
    observations: [],
    restoration: { outcome: 'none', users: [] },
    ...own,
  };
}

/** A result in which a text of the target stands wherever one can stand. */
export function hostileResult(text: string): Result {
  return resultOf(
    [
      failedCheck(text),
      failedCheck(text, { id: 'update-name-emoji', level: 'should', requirements: ['update.values-faithful'] }),
      failedCheck(text, { id: 'user-id', area: 'user', knownFailure: true, requirements: ['user.id'] }),
      unseenCheck(text, { id: 'user-scim-id', area: 'user', reason: 'precondition-failed' }),
      checkResult({ id: 'user-name', area: 'user', outcome: 'not-applicable', detail: text }),
    ],
    {
      verdict: 'failed',
      hints: [{ id: 'hint', text }],
      observations: [
        { id: 'open.account-type-values', observed: 'values', text: 'The target shows these values.', detail: [text] },
        { id: 'open.limits', observed: undefined, text: 'Not seen.' },
      ],
      restoration: {
        outcome: 'partial',
        journal: '/tmp/journal.json',
        users: [
          { subject: 'user', id: '1', members: [{ member: 'name', outcome: 'not-restored', detail: text }] },
          { subject: 'other-user', id: '2', members: [{ member: 'email', outcome: 'restored' }] },
        ],
      },
    },
  );
}
