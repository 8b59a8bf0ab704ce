import { html as xml, type Html } from '../../common/html.ts';
import { groupedBy, shortened } from '../../common/text.ts';
import type { Result } from '../facts/result.ts';
import { decides, type Item, itemsOf } from '../result/verdict.ts';
import { itemText } from './assertions.ts';
import { quietReport } from './terminal.ts';
import { headlineOf } from './words.ts';

interface TestCase {
  readonly area: string;
  readonly name: string;
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped';
  /** How long it took; ms. */
  readonly durationMs: number;
  /** What viewers show in one line. */
  readonly message?: string;
  /** The whole, for those who open the case. */
  readonly text?: string;
}

function caseOf(item: Item, result: Result): TestCase {
  const { id, area, title, outcome, knownFailure, detail = '', reason = outcome, findings, durationMs = 0 } = item;
  const about = { area, name: `${id}: ${title}`, durationMs };
  if (outcome === 'passed') return { ...about, kind: 'passed' };
  if (outcome === 'error') return { ...about, kind: 'error', message: detail };
  if (outcome !== 'failed') return { ...about, kind: 'skipped', message: detail ? `${reason}: ${detail}` : reason };
  const fault = findings[0]?.title ?? title;
  const text = itemText(item, result);
  if (decides(item, result.selection.failOn)) return { ...about, kind: 'failure', message: fault, text };
  return { ...about, kind: 'skipped', message: `${knownFailure ? 'known failure' : 'failed should'}: ${fault}`, text };
}

/**
 * The verdict as a test of its own: a run in which nothing failed, but not everything was observed, must not look green. It took
 * what no check did, such as restoring the users.
 */
function verdictCase(result: Result): TestCase {
  const { verdict } = result;
  const failure = verdict === 'failed' ? 'failure' : 'error';
  const kind = verdict === 'passed' ? 'passed' : failure;
  const message = `${verdict}: ${headlineOf(result).words}`;
  const name = 'The target conforms to the contract';
  const durationMs = Math.max(0, result.durationMs - timeOf(result.checks));
  return { area: 'verdict', name, kind, durationMs, message, text: quietReport(result) };
}

function timeOf(parts: readonly { readonly durationMs?: number | undefined }[]): number {
  return parts.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3);

function caseElement({ area, name, kind, durationMs, message = '', text }: TestCase): Html {
  const brief = shortened(message, 1_000);
  const content = {
    passed: false,
    skipped: [xml`<skipped message="${brief}"/>`, text !== undefined && xml`<system-out>${text}</system-out>`],
    failure: xml`<failure message="${brief}" type="failure">${text}</failure>`,
    error: xml`<error message="${brief}" type="error">${text}</error>`,
  } as const;
  const time = seconds(durationMs);
  return xml`<testcase classname="admin-api-conformance.${area}" name="${name}" time="${time}">${content[kind]}</testcase>\n`;
}

/** JUnit XML, as Jenkins, GitLab and Azure DevOps read it: a suite for the verdict, and one for each area. */
export function junitReport(result: Result): string {
  const all = [verdictCase(result), ...itemsOf(result).map((item) => caseOf(item, result))];
  // To the second, without a zone: more than that the schemas in use do not allow.
  const timestamp = result.startedAt.replace(/(?:\.\d{1,9})?Z$/, '');
  const count = (cases: readonly TestCase[], wanted: TestCase['kind']): number =>
    cases.filter(({ kind }) => kind === wanted).length;
  const counts = (cases: readonly TestCase[]): Html =>
    xml`tests="${cases.length}" failures="${count(cases, 'failure')}" errors="${count(cases, 'error')}"`;
  const suites = groupedBy(all, ({ area }) => area).map(
    ([area, cases]) =>
      xml`<testsuite name="admin-api-conformance.${area}" ${counts(cases)} skipped="${count(cases, 'skipped')}" time="${seconds(timeOf(cases))}" timestamp="${timestamp}">
${cases.map(caseElement)}</testsuite>\n`,
  );
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="admin-api-conformance" ${counts(all)} time="${seconds(result.durationMs)}">
${suites}</testsuites>\n`.text;
}
