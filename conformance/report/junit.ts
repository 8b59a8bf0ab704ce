import type { Result, CheckResult } from '../result/result.ts';
import { escapeInvisible, groupedBy, shortened } from '../../common/text.ts';
import { messageOf, standingOf, type Standing } from './content/check-standing.ts';
import { headlineOf, verdictText } from './content/headline.ts';
import { plainFailure } from './terminal/plain.ts';

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

const KINDS: Readonly<Partial<Record<Standing, Kind>>> = { passed: 'passed', failed: 'failure', error: 'error' };

interface TestCase {
  readonly name: string;
  readonly kind: Kind;
  readonly type: string;
  /** What viewers show in one line. */
  readonly message: string;
  /** The whole, for those who open the case. */
  readonly text?: string;
  readonly durationMs?: number;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly TestCase[];
  readonly properties?: Attributes;
}

/** Checks rest on the same exchanges, which are sent concurrently: the times of all cases add up to no more than that of the run. */
function timeShare({ checks, durationMs }: Result): number {
  return Math.min(1, durationMs / checks.reduce((sum, check) => sum + check.durationMs, 1));
}

function caseOf(check: CheckResult, result: Result, share: number): TestCase {
  const { id, title, level, failure } = check;
  const standing = standingOf(check, result.selection);
  return {
    name: `${id}: ${title}${level === 'must' ? '' : ` (${level})`}`,
    kind: KINDS[standing] ?? 'skipped',
    type: failure?.mode ?? standing,
    message: messageOf(check, result),
    ...(failure ? { text: plainFailure(check, result) } : {}),
    durationMs: Math.floor(check.durationMs * share),
  };
}

function caseElement({ name, kind, type, message, text, durationMs = 0 }: TestCase, classname: string): string {
  const whole = text === undefined ? [] : [textNode(text)];
  const output = whole.map((each) => element('system-out', {}, [each]));
  const brief = { message: shortened(message, 1_000) };
  const failed = kind === 'failure' || kind === 'error';
  const content = failed
    ? [element(kind, { ...brief, type }, whole)]
    : [...(kind === 'skipped' ? [element(kind, brief)] : []), ...output];
  return element('testcase', { classname, name, time: seconds(durationMs) }, content);
}

/** The verdict as a suite of its own: a run in which nothing failed and yet something was not seen must not look green. */
function verdictSuite(result: Result): Suite {
  const { verdict, contract, target, tool, selection, summary, restoration, startedAt } = result;
  const decision: TestCase = {
    name: 'The target conforms to the contract',
    kind: verdict === 'passed' ? 'passed' : verdict === 'failed' ? 'failure' : 'error',
    type: verdict,
    message: `${verdict}: ${headlineOf(result).words}`,
    text: verdictText(result),
  };
  const problems = summary.baselineProblems.map(({ id, kind: type, message }): TestCase => {
    return { name: `baseline: ${id}`, kind: 'failure', type, message };
  });
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

function countsOf(cases: readonly TestCase[]) {
  const count = (wanted: Kind): number => cases.filter(({ kind }) => kind === wanted).length;
  return { tests: cases.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') };
}

function suiteElement({ name, cases, properties = {} }: Suite, timestamp: string): string {
  const fullName = `admin-api-conformance.${name}`;
  const time = seconds(cases.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0));
  const propertyElements = Object.entries(properties).map(([key, value]) => element('property', { name: key, value }));
  return element('testsuite', { name: fullName, ...countsOf(cases), time, timestamp }, [
    ...(propertyElements.length === 0 ? [] : ['\n', element('properties', {}, propertyElements)]),
    ...cases.map((each) => `\n${caseElement(each, fullName)}`),
    '\n',
  ]);
}

/** JUnit XML, as Jenkins, GitLab, Azure DevOps and the like read it: a suite for the verdict, and one for each area. */
export function junitReport(result: Result): string {
  const share = timeShare(result);
  const areas = groupedBy(result.checks, ({ area }) => area).map(([name, checks]): Suite => {
    return { name, cases: checks.map((check) => caseOf(check, result, share)) };
  });
  const suites = [verdictSuite(result), ...areas];
  // To the second, without a zone: more than that the schemas in use do not allow.
  const timestamp = result.startedAt.replace(/(\.\d+)?Z$/, '');
  const { tests, failures, errors } = countsOf(suites.flatMap(({ cases }) => cases));
  const root = element(
    'testsuites',
    { name: 'admin-api-conformance', tests, failures, errors, time: seconds(result.durationMs) },
    suites.map((suite) => `\n${suiteElement(suite, timestamp)}`).concat('\n'),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`;
}
