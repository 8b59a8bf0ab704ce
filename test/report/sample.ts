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
import { casesBeside } from '../support/repository.ts';
import type { Level } from '../../contract/document.ts';

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

/** A failed result with a text wherever one of a target may stand. */
export function resultWith(text: string): Result {
  const texts = { title: text, expected: text, actual: text, fix: text };
  const shown = { ...exchange(text, text, 200, { 'content-type': text }), curl: text };
  const failed = checkOf('update-name', { outcome: 'failed', title: text });
  const open = checkOf('user-name', { outcome: 'inconclusive', detail: text });
  const observations = [{ id: 'open.a', observed: 'a', text, detail: [text] }];
  const own: Partial<Result> = { verdict: 'failed', observations, hints: [{ id: 'a', text }], message: text };
  return resultOf([failed, open], [findingOf('user.id', { ...texts, exchanges: [shown] })], own);
}

/** What sample.yaml says: of each exchange, what was sent and what came. */
interface Said {
  readonly findings: readonly (Omit<Partial<Finding>, 'exchanges'> & {
    readonly id: string;
    readonly exchanges?: readonly { sent: string; body?: string; status?: number; part?: 'before' }[];
  })[];
  readonly checks: readonly (Partial<CheckResult> & { readonly id: string })[];
  readonly requirements: readonly [id: string, level: Level, outcome: Outcome, text: string][];
  readonly baselineProblems: readonly string[];
  readonly changes: readonly (Partial<Change> & { readonly id: string })[];
  readonly members: Partial<Result>;
}

function sampleOf({ findings, checks, requirements: judged, baselineProblems, changes, members }: Said): Result {
  const requirements = judged.map(([id, level, outcome, text]) => ({ id, level, text, outcome, checks: [] }));
  const result = resultOf(
    checks.map(({ id, ...more }) => checkOf(id, more)),
    findings.map(({ id, exchanges = [], ...more }) =>
      findingOf(id, {
        ...more,
        exchanges: exchanges.map(({ sent, body, status, part }) => ({
          ...exchange(sent, body, status),
          ...(part && { part }),
        })),
      }),
    ),
    { ...members, requirements, again: changes.map(({ id, ...more }) => changeOf(id, more)) },
  );
  return { ...result, summary: { ...result.summary, baselineProblems: [...baselineProblems] } };
}

/** A failed run with every kind of content that a report shows. */
export const sample = sampleOf(casesBeside(import.meta.url) as Said);
