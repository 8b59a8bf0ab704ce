import {
  ABSENT,
  NOT_SHOWN,
  transportErrorText,
  type CheckResult,
  type ExchangeRecord,
  type Finding,
  type RequirementResult,
  type Result,
} from '../../result/result.ts';
import { counted, shortened } from '../../../common/text.ts';

/** One part of a failure, under its label. */
export interface FailureLine {
  readonly label: 'expected' | 'actual' | 'request' | 'response' | 'fix' | 'rerun';
  /** One line. */
  readonly text: string;
  /** The body that was sent or received; absent if it is empty. */
  readonly body?: string;
  /** How many characters of the body the result does not have. */
  readonly cut?: number;
  /** Of a request or response. */
  readonly exchange?: ExchangeRecord;
}

/** The path of a URL, or all of a text that is no URL. */
function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

/** An expected or actual value: as JSON where it stands in a body; a sentence of the suite as it is. */
export function valueText(value: unknown, pointer = '', most?: number): string {
  const isSentence = typeof value === 'string' && (pointer === '' || value === ABSENT || value === NOT_SHOWN);
  return shortened(isSentence ? value : JSON.stringify(value ?? null), most);
}

function exchangeLines(exchange: ExchangeRecord): FailureLine[] {
  const { request, response, transportError, credential } = exchange;
  const cause = transportError ? `: ${transportErrorText(transportError)}` : '';
  const text = response
    ? `${response.status} ${response.headers['content-type'] ?? '(no Content-Type)'}`
    : `none${cause}`;
  return [
    {
      label: 'request',
      text: `${request.method} ${pathOf(request.url)} with ${credential}`,
      ...(request.body !== undefined && { body: request.body }),
      exchange,
    },
    {
      label: 'response',
      text,
      ...(response && response.body !== '' && { body: response.body }),
      ...(response?.cut !== undefined && { cut: response.cut }),
      exchange,
    },
  ];
}

/** What a failed check and a finding say of the target. */
function deviationOf(failed: CheckResult | Finding) {
  if ('checks' in failed) return { ...failed, check: failed.checks[0] ?? '' };
  const { id, failure } = failed;
  return failure && { ...failure, fix: failure.advice, check: id };
}

/**
 * A finding or a failed check as every format shows it, in order: expected and actual, the last exchanges (those that show it),
 * how to fix it and how to see it again. The title or message comes before these lines, the curl lines after them.
 *
 * @param most characters of a value
 */
export function failureLines(failed: CheckResult | Finding, most?: number): FailureLine[] {
  const shown = failed.exchanges.slice(-2).flatMap(exchangeLines);
  const deviation = deviationOf(failed);
  if (!deviation) return shown;
  const { expected, actual, pointer = '', fix, check } = deviation;
  return [
    { label: 'expected', text: valueText(expected, pointer, most) },
    { label: 'actual', text: `${valueText(actual, pointer, most)}${pointer === '' ? '' : ` at ${pointer}`}` },
    ...shown,
    { label: 'fix', text: fix },
    { label: 'rerun', text: `run --only ${check}, explain ${check}` },
  ];
}

/** How much shows a finding, and how much follows from it, in a few words each. */
export function findingFacts({ seen, checks, consequences }: Finding): string[] {
  return [
    `seen in ${counted(seen, 'request')}`,
    counted(checks.length, 'failed check'),
    ...(consequences.length === 0 ? [] : [counted(consequences.length, 'consequence')]),
  ];
}

/** The lines of a finding or a failed check as plain text. */
export function linesText(failed: CheckResult | Finding): string {
  const lines = failureLines(failed).map(({ label, text, body, cut }) => [
    `${label}: ${text}`,
    ...(body === undefined ? [] : [shortened(body)]),
    ...(cut === undefined ? [] : [`(${cut} more characters)`]),
  ]);
  return lines.flat().join('\n');
}

/** The requirements of a finding or a check, of those that a result lists. */
export function requirementsOf(
  { requirements: ids }: CheckResult | Finding,
  { requirements }: Result,
): RequirementResult[] {
  return requirements.filter(({ id }) => ids.includes(id));
}

/** A failed check as plain text that needs no other: with the requirements that it judges, its finding and the curl lines. */
export function wholeFailureText(check: CheckResult, result: Result): string {
  const { id, title, level, curl, failure } = check;
  const finding = result.findings.find(({ checks }) => checks.includes(id));
  return [
    `${title} (${level})`,
    ...requirementsOf(check, result).map((each) => `requirement: ${each.id}: ${each.text} Source: ${each.source}`),
    ...(finding ? [`finding: ${finding.id}: ${finding.title}`] : []),
    '',
    failure?.message ?? title,
    linesText(check),
    ...(curl === undefined ? [] : ['', curl]),
  ].join('\n');
}
