import { ABSENT, NOT_SHOWN, transportErrorText, type CheckResult, type ExchangeRecord } from '../../result/result.ts';
import type { RequirementResult } from '../../result/result.ts';
import { shortened } from '../../../common/text.ts';

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

/**
 * A failed check as every format shows it, in order: expected and actual, the last exchanges (those that show the failure), how
 * to fix it and how to rerun it. The message comes before these lines, the curl lines after them.
 *
 * @param most characters of a value
 */
export function failureLines({ id, failure, exchanges }: CheckResult, most?: number): FailureLine[] {
  const shown = exchanges.slice(-2).flatMap(exchangeLines);
  if (!failure) return shown;
  const { expected, actual, pointer = '', advice } = failure;
  return [
    { label: 'expected', text: valueText(expected, pointer, most) },
    { label: 'actual', text: `${valueText(actual, pointer, most)}${pointer === '' ? '' : ` at ${pointer}`}` },
    ...shown,
    { label: 'fix', text: advice },
    { label: 'rerun', text: `run --only ${id}` },
  ];
}

/** A failed check as plain text: message and lines. */
export function failureText(check: CheckResult): string {
  const lines = failureLines(check).map(({ label, text, body, cut }) => [
    `${label}: ${text}`,
    ...(body === undefined ? [] : [shortened(body)]),
    ...(cut === undefined ? [] : [`(${cut} more characters)`]),
  ]);
  return [check.failure?.message ?? check.title, ...lines.flat()].join('\n');
}

/** A failed check as plain text that needs no other: with the requirements that it judges and the curl lines. */
export function wholeFailureText(check: CheckResult, requirements: readonly RequirementResult[]): string {
  const { title, level, curl } = check;
  const judged = requirements.filter(({ id }) => check.requirements.includes(id));
  return [
    `${title} (${level})`,
    ...judged.map(({ id, text, source }) => `requirement: ${id}: ${text} Source: ${source}`),
    '',
    failureText(check),
    ...(curl === undefined ? [] : ['', curl]),
  ].join('\n');
}
