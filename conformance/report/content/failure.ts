import { shellWord } from '../../http/curl.ts';
import {
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
  readonly label: 'expected' | 'actual' | 'fix' | 'request' | 'response' | 'rerun' | 'explain';
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

/** An expected or actual value: as JSON where it stands in a body; words of the suite, in parentheses there, as they are. */
export function valueText(value: unknown, pointer = '', most?: number): string {
  const isSentence = typeof value === 'string' && value !== '' && (pointer === '' || /^\([a-z][a-z -]*\)$/.test(value));
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

/** The command that starts the program, and the one that judged the target, without what selects checks and writes reports. */
function commandsOf({ tool, target }: Pick<Result, 'tool' | 'target'>) {
  const run = tool.command ?? `npx ${tool.name} run ${shellWord(target.baseUrl)}`;
  return { program: run.replace(/ run( .*)?$/s, ''), run };
}

/** What a failed check and a finding say of the target. */
function deviationOf(failed: CheckResult | Finding) {
  if ('checks' in failed) return { ...failed, check: failed.checks[0] ?? '' };
  const { id, failure } = failed;
  return failure && { ...failure, fix: failure.advice, check: id };
}

/**
 * A finding or a failed check as every format shows it, in order: expected and actual, how to fix it, the last exchanges (those
 * that show it), and the commands that show it again and explain it.
 *
 * @param most characters of a value
 */
export function failureLines(failed: CheckResult | Finding, result: Result, most?: number): FailureLine[] {
  const shown = failed.exchanges.slice(-2).flatMap(exchangeLines);
  const deviation = deviationOf(failed);
  if (!deviation) return shown;
  const { expected, actual, pointer = '', fix, check } = deviation;
  const { program, run } = commandsOf(result);
  return [
    { label: 'expected', text: valueText(expected, pointer, most) },
    { label: 'actual', text: `${valueText(actual, pointer, most)}${pointer === '' ? '' : ` at ${pointer}`}` },
    { label: 'fix', text: fix },
    ...shown,
    { label: 'rerun', text: `${run} --only ${check}` },
    { label: 'explain', text: `${program} explain ${check}` },
  ];
}

/** How much shows a finding, and how much follows from it, in a few words each. */
export function findingFacts({ seen, sporadic, checks, consequences }: Finding): string[] {
  return [
    `seen ${sporadic === true ? 'now and then, ' : ''}in ${counted(seen, 'request')}`,
    counted(checks.length, 'failed check'),
    ...(consequences.length === 0 ? [] : [counted(consequences.length, 'consequence')]),
  ];
}

/** Lines as plain text. */
export function linesText(lines: readonly FailureLine[]): string {
  return lines
    .flatMap(({ label, text, body, cut }) => [
      `${label}: ${text}`,
      ...(body === undefined ? [] : [shortened(body)]),
      ...(cut === undefined ? [] : [`(${cut} more characters)`]),
    ])
    .join('\n');
}

/** The requirements of a finding or a check, of those that a result lists. */
export function requirementsOf(
  { requirements: ids }: CheckResult | Finding,
  { requirements }: Result,
): RequirementResult[] {
  return requirements.filter(({ id }) => ids.includes(id));
}
