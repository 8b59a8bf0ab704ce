import { html as xml, type Html } from '../../common/html.ts';
import { groupedBy, shortened } from '../../common/text.ts';
import type { Result } from '../result/result.ts';
import { decides, type Item, itemsOf } from '../result/verdict.ts';
import { itemText } from './assertions.ts';
import { quietReport } from './terminal.ts';
import { headlineOf } from './words.ts';

interface TestCase {
  readonly name: string;
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped';
  /** What viewers show in one line. */
  readonly message?: string;
  /** The whole, for those who open the case. */
  readonly text?: string;
}

function caseOf(item: Item, result: Result): TestCase {
  const { id, title, outcome, knownFailure, detail = '', reason = outcome, findings } = item;
  const name = `${id}: ${title}`;
  if (outcome === 'passed') return { name, kind: 'passed' };
  if (outcome === 'error') return { name, kind: 'error', message: detail };
  if (outcome !== 'failed') return { name, kind: 'skipped', message: detail === '' ? reason : `${reason}: ${detail}` };
  const fault = findings[0]?.title ?? title;
  const text = itemText(item, result);
  if (decides(item, result.selection.failOn)) return { name, kind: 'failure', message: fault, text };
  return { name, kind: 'skipped', message: `${knownFailure ? 'known failure' : 'failed should'}: ${fault}`, text };
}

/** The verdict as a test of its own: a run in which nothing failed, but not everything was observed, must not look green. */
function verdictCase(result: Result): TestCase {
  const { verdict } = result;
  const kind = verdict === 'passed' ? 'passed' : verdict === 'failed' ? 'failure' : 'error';
  const message = `${verdict}: ${headlineOf(result).words}`;
  return { name: 'The target conforms to the contract', kind, message, text: quietReport(result) };
}

function caseElement({ name, kind, message = '', text }: TestCase, classname: string): Html {
  const brief = shortened(message, 1_000);
  const content = {
    passed: false,
    skipped: [xml`<skipped message="${brief}"/>`, text !== undefined && xml`<system-out>${text}</system-out>`],
    failure: xml`<failure message="${brief}" type="failure">${text}</failure>`,
    error: xml`<error message="${brief}" type="error">${text}</error>`,
  } as const;
  return xml`<testcase classname="${classname}" name="${name}" time="0">${content[kind]}</testcase>\n`;
}

function countsOf(cases: readonly TestCase[]) {
  const count = (wanted: TestCase['kind']): number => cases.filter(({ kind }) => kind === wanted).length;
  return { tests: cases.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') };
}

/** JUnit XML, as Jenkins, GitLab and Azure DevOps read it: a suite for the verdict, and one for each area. */
export function junitReport(result: Result): string {
  const suites: readonly (readonly [area: string, cases: TestCase[]])[] = [
    ['verdict', [verdictCase(result)]],
    ...groupedBy(itemsOf(result), ({ area }) => area).map(
      ([area, items]) => [area, items.map((item) => caseOf(item, result))] as const,
    ),
  ];
  // To the second, without a zone: more than that the schemas in use do not allow.
  const timestamp = result.startedAt.replace(/(?:\.\d{1,9})?Z$/, '');
  const time = (result.durationMs / 1_000).toFixed(3);
  const attributes = ({ tests, failures, errors }: ReturnType<typeof countsOf>): Html =>
    xml`tests="${tests}" failures="${failures}" errors="${errors}"`;
  const elements = suites.map(([area, cases]) => {
    const name = `admin-api-conformance.${area}`;
    const counts = countsOf(cases);
    return xml`<testsuite name="${name}" ${attributes(counts)} skipped="${counts.skipped}" time="${area === 'verdict' ? time : 0}" timestamp="${timestamp}">
${cases.map((each) => caseElement(each, name))}</testsuite>\n`;
  });
  const all = countsOf(suites.flatMap(([, cases]) => cases));
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="admin-api-conformance" ${attributes(all)} time="${time}">
${elements}</testsuites>\n`.text;
}
