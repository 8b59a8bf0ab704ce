import type { Result, CheckResult } from '../result/result.ts';
import { legibleJson, legibleValue } from '../../common/text.ts';
import { messageOf, standingOf, type Standing } from './content/check-standing.ts';
import { plainFailure } from './terminal/plain.ts';
import { verdictText } from './content/headline.ts';

type Status = 'passed' | 'failed' | 'skipped' | 'other';

/** What failed and does not decide is neither passed nor failed nor skipped. */
const STATUSES: Readonly<Record<Standing, Status>> = {
  passed: 'passed',
  failed: 'failed',
  error: 'other',
  'known-failure': 'skipped',
  tolerated: 'other',
  inconclusive: 'skipped',
  'not-applicable': 'skipped',
};

type Test = { readonly status: Status } & Readonly<Record<string, unknown>>;

function testOf(check: CheckResult, result: Result): Test {
  const { id, title, area, level, failure, curl, outcome, durationMs, requirements } = check;
  const standing = standingOf(check, result.selection);
  const { expected, actual, pointer, advice } = failure ?? {};
  return {
    testId: id,
    name: `${id}: ${title}`,
    status: STATUSES[standing],
    rawStatus: outcome,
    duration: Math.round(durationMs),
    suite: [area],
    tags: [level],
    labels: { requirements },
    type: 'conformance',
    message: messageOf(check, result) || undefined,
    trace: failure && plainFailure(check, result),
    snippet: curl,
    extra: { standing, expected, actual, pointer, advice },
  };
}

/** The verdict as a test of its own: a run in which nothing failed and yet something was not seen must not look green. */
function verdictTest(result: Result): Test {
  return {
    testId: 'verdict',
    name: 'The target conforms to the contract',
    status: result.verdict === 'passed' ? 'passed' : 'failed',
    rawStatus: result.verdict,
    duration: 0,
    suite: ['verdict'],
    type: 'conformance',
    message: verdictText(result),
  };
}

/** CTRF, the common format of test reports, as its actions and chat reporters read it. */
export function ctrfReport(given: Result): string {
  const { tool, target, contract, selection, restoration, observations, verdict } = given;
  const tests = [verdictTest(given), ...given.checks.map((check) => testOf(check, given))];
  const count = (status: Status): number => tests.filter((test) => test.status === status).length;
  const started = Date.parse(given.startedAt);
  const start = Number.isNaN(started) ? 0 : started;
  const stop = start + Math.round(given.durationMs);
  const report = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: new Date(stop).toISOString(),
    generatedBy: `${tool.name} ${tool.version}`,
    results: {
      tool: { name: tool.name, version: tool.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: count('other'),
        suites: new Set(given.checks.map(({ area }) => area)).size + 1,
        start,
        stop,
        duration: stop - start,
      },
      tests,
      extra: { verdict, target, contract, selection, observations, restoration },
    },
  };
  return legibleJson(legibleValue(report));
}
