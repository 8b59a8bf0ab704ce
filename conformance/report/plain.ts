import { transportErrorText } from '../http/exchange.ts';
import type { ExchangeRecord, Result, CheckResult } from '../result/result.ts';
import { shortened } from '../../common/text.ts';
import { decisiveExchanges, valueText } from './standing.ts';

function exchangeText({ request, response, transportError, credential }: ExchangeRecord): string {
  const got = response
    ? `${response.status} ${response.headers['content-type'] ?? '(no Content-Type)'}`
    : transportError
      ? `no answer: ${transportErrorText(transportError)}`
      : 'no answer';
  return [
    `${request.method} ${request.url}  with ${credential}`,
    ...(request.body === undefined ? [] : [shortened(request.body)]),
    `→ ${got}`,
    ...(response === undefined || response.body === '' ? [] : [shortened(response.body)]),
    ...(response?.cut === undefined ? [] : [`(${response.cut} more characters)`]),
  ].join('\n');
}

/** What was found wrong, as lines of plain text: message, expected, got, what to mend, the exchanges. */
export function findingText(check: CheckResult): string {
  const { failure } = check;
  return [
    ...(failure
      ? [
          failure.message,
          `expected: ${valueText(failure.expected, failure.pointer)}`,
          `got: ${valueText(failure.actual, failure.pointer)}`,
          ...(failure.pointer === undefined || failure.pointer === '' ? [] : [`at: ${failure.pointer}`]),
          `to mend: ${failure.advice}`,
          `alone: run --only ${check.id}`,
          '',
        ]
      : []),
    ...decisiveExchanges(check).map(exchangeText),
  ].join('\n');
}

/** A failed check as lines of plain text: the sentences that it judges, what was found wrong, the curl lines. */
export function failureText(check: CheckResult, { requirements }: Result): string {
  const { curl, level, title } = check;
  const broken = requirements.filter(({ id }) => check.requirements.includes(id));
  return [
    `${title} (${level})`,
    ...broken.map(({ id, text, source }) => `${id}: ${text} Source: ${source}`),
    '',
    findingText(check),
    ...(curl === undefined ? [] : ['', curl]),
  ].join('\n');
}
