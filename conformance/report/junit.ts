import type { Result, CheckResult } from '../result/result.ts';
import { escapeInvisible } from '../../common/text.ts';
import { messageOf, standingOf } from './content/check-standing.ts';
import { wholeFailureText } from './content/failure.ts';
import { headlineOf, verdictText } from './content/headline.ts';
import { shortened } from '../../common/text.ts';
import { groupedBy } from '../../common/text.ts';

const XML_NAMES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text of XML 1.0; what must not stand there is escaped as in JSON. */
function textNode(text: string): string {
  return escapeInvisible(text).replaceAll(/[&<>"]/g, (char) => XML_NAMES[char] ?? char);
}

/** A parser makes blanks of line ends and tabs in attributes, unless they are written as numbers. */
function attributeValue(text: string): string {
  return textNode(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

type Attributes = Readonly<Record<string, string | number>>;

/** What viewers show in one line; the whole stands in the text. */
function brief(message: string): string {
  return shortened(message, 1_000);
}

function element(name: string, attributes: Attributes, content: readonly string[] = []): string {
  const start = [
    name,
    ...Object.entries(attributes).map(([key, value]) => `${key}="${attributeValue(String(value))}"`),
  ];
  return content.length === 0 ? `<${start.join(' ')}/>` : `<${start.join(' ')}>${content.join('')}</${name}>`;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

type Kind = 'passed' | 'failure' | 'error' | 'skipped';

interface TestCase {
  readonly name: string;
  readonly kind: Kind;
  readonly durationMs: number;
  /** Elements within the case. */
  readonly content: readonly string[];
}

interface Suite {
  readonly name: string;
  readonly cases: readonly TestCase[];
  readonly properties: Attributes;
}

function outcomeOf(check: CheckResult, result: Result): Pick<TestCase, 'kind' | 'content'> {
  const { failure } = check;
  const standing = standingOf(check, result.selection);
  const message = brief(messageOf(check, result.selection));
  const texts = failure ? [textNode(wholeFailureText(check, result.requirements))] : [];
  switch (standing) {
    case 'passed':
      return { kind: 'passed', content: [] };
    case 'failed':
      return { kind: 'failure', content: [element('failure', { message, type: failure?.mode ?? 'failed' }, texts)] };
    case 'error':
      return { kind: 'error', content: [element('error', { message, type: 'error' })] };
    default:
      return {
        kind: 'skipped',
        content: [element('skipped', { message }), ...texts.map((text) => element('system-out', {}, [text]))],
      };
  }
}

function caseOf(check: CheckResult, result: Result): TestCase {
  const { id, title, level, durationMs } = check;
  const name = `${id}: ${title}${level === 'must' ? '' : ` (${level})`}`;
  return { name, durationMs, ...outcomeOf(check, result) };
}

/** The verdict as a suite of its own: a run in which nothing failed and yet something was not seen must not look green. */
function verdictSuite(result: Result): Suite {
  const { verdict, contract, target, tool, selection, summary, restoration, startedAt } = result;
  const attributes = { message: `${verdict}: ${headlineOf(result).words}`, type: verdict };
  const text = textNode(verdictText(result));
  const kind: Kind = verdict === 'passed' ? 'passed' : verdict === 'failed' ? 'failure' : 'error';
  const decision: TestCase = {
    name: 'The target conforms to the contract',
    kind,
    durationMs: 0,
    content: kind === 'passed' ? [element('system-out', {}, [text])] : [element(kind, attributes, [text])],
  };
  const problems = summary.baselineProblems.map(({ check, kind: type, message }): TestCase => ({
    name: `baseline: ${check}`,
    kind: 'failure',
    durationMs: 0,
    content: [element('failure', { message, type })],
  }));
  const properties = {
    verdict,
    tool: `${tool.name} ${tool.version}`,
    target: target.baseUrl,
    contract: `${contract.title} ${contract.version}`,
    'contract.digest': contract.digest,
    'contract.scoredSetDigest': contract.scoredSetDigest,
    'selection.only': selection.only.join(','),
    'selection.skip': selection.skip.join(','),
    'selection.failOn': selection.failOn,
    startedAt,
    requests: summary.requests,
    restoration: restoration.outcome,
  };
  return { name: 'verdict', cases: [decision, ...problems], properties };
}

function countOf(cases: readonly TestCase[], kind: Kind): number {
  return cases.filter((each) => each.kind === kind).length;
}

function countsOf(cases: readonly TestCase[]): Attributes {
  return { tests: cases.length, failures: countOf(cases, 'failure'), errors: countOf(cases, 'error') };
}

function suiteElement({ name, cases, properties }: Suite, timestamp: string): string {
  const fullName = `admin-api-conformance.${name}`;
  const attributes = {
    name: fullName,
    ...countsOf(cases),
    skipped: countOf(cases, 'skipped'),
    time: seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
    timestamp,
  };
  const propertyElements = Object.entries(properties).map(([key, value]) => element('property', { name: key, value }));
  const caseElements = cases.map((each) =>
    element('testcase', { classname: fullName, name: each.name, time: seconds(each.durationMs) }, each.content),
  );
  return element('testsuite', attributes, [
    ...(propertyElements.length === 0 ? [] : ['\n', element('properties', {}, propertyElements)]),
    ...caseElements.map((each) => `\n${each}`),
    '\n',
  ]);
}

/** JUnit XML, as Jenkins, GitLab, Azure DevOps and the like read it: a suite for the verdict, and one for each area. */
export function junitReport(result: Result): string {
  const areas = groupedBy(result.checks, ({ area }) => area).map(([name, checks]): Suite => ({
    name,
    cases: checks.map((check) => caseOf(check, result)),
    properties: {},
  }));
  const suites = [verdictSuite(result), ...areas];
  // To the second, without a zone: more than that the schemas in use do not allow.
  const timestamp = result.startedAt.replace(/(\.\d+)?Z$/, '');
  const root = element(
    'testsuites',
    {
      name: 'admin-api-conformance',
      ...countsOf(suites.flatMap(({ cases }) => cases)),
      time: seconds(result.durationMs),
    },
    suites.map((suite) => `\n${suiteElement(suite, timestamp)}`).concat('\n'),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}
