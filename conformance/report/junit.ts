import { escapeInvisible, groupedBy, shortened } from '../../common/text.ts';
import type { Result } from '../result/result.ts';
import { decides, type Item, itemsOf } from '../result/verdict.ts';
import { itemText } from './assertions.ts';
import { quietReport } from './terminal.ts';
import { headlineOf } from './words.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // In attributes, parsers turn these into blanks unless they are written as numbers.
  '\n': '&#10;',
  '\t': '&#9;',
};

/** A text of XML 1.0; characters that it does not allow are escaped as in JSON. */
function escaped(text: string): string {
  return escapeInvisible(text).replaceAll(/[&<>"\n\t]/g, (sign) => ENTITIES[sign] ?? sign);
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: readonly string[] = [],
): string {
  const own = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  return content.length === 0 ? `<${name}${own.join('')}/>` : `<${name}${own.join('')}>${content.join('')}</${name}>`;
}

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

function caseElement({ name, kind, message = '', text }: TestCase, classname: string): string {
  const brief = { message: shortened(message, 1_000) };
  const whole = text === undefined ? [] : [escaped(text)];
  const content = {
    passed: [],
    skipped: [element('skipped', brief), ...(text === undefined ? [] : [element('system-out', {}, whole)])],
    failure: [element('failure', { ...brief, type: kind }, whole)],
    error: [element('error', { ...brief, type: kind }, whole)],
  }[kind];
  return element('testcase', { classname, name, time: '0' }, content);
}

/** The verdict as a test of its own: a run in which nothing failed, but not everything was observed, must not look green. */
function verdictCase(result: Result): TestCase {
  const { verdict } = result;
  const kind = verdict === 'passed' ? 'passed' : verdict === 'failed' ? 'failure' : 'error';
  const message = `${verdict}: ${headlineOf(result).words}`;
  return { name: 'The target conforms to the contract', kind, message, text: quietReport(result) };
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
  const elements = suites.map(([area, cases]) => {
    const name = `admin-api-conformance.${area}`;
    const own = { name, ...countsOf(cases), time: area === 'verdict' ? time : '0', timestamp };
    return `\n${element('testsuite', own, [...cases.map((each) => `\n${caseElement(each, name)}`), '\n'])}`;
  });
  const { tests, failures, errors } = countsOf(suites.flatMap(([, cases]) => cases));
  const root = { name: 'admin-api-conformance', tests, failures, errors, time };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', root, [...elements, '\n'])}\n`;
}
