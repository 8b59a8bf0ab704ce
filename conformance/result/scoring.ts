import { byText } from '../../common/text.ts';
import { requirements } from '../../contract/document.ts';
import { toCurl } from '../http/curl.ts';
import type { Exchange } from '../http/exchange.ts';
import { redactedStart, redactedValue } from '../http/redact.ts';
import type { Check, Failure, Judgement } from '../judging/check.ts';
import type { Evidence } from '../judging/evidence.ts';
import { INPUT_HELP, missingInputs } from '../target/inputs.ts';
import { SuiteError } from '../target/request-guard.ts';
import { type CheckResult, type ExchangeRecord, isScored, type RequirementResult, toExchangeRecord } from './result.ts';
import { type Outcome, type ScoredCheck, worst } from './verdict.ts';

/** What is said of a check: its judgement on the target, or that the suite itself went wrong. */
export type Said = Judgement | { readonly outcome: 'error'; readonly detail: string };

export interface JudgedCheck {
  readonly check: Check;
  readonly said: Said;
}

function judge(check: Check, evidence: Evidence, error: SuiteError | undefined): Said {
  const missing = missingInputs(evidence.inputs, check.needs);
  if (missing.length > 0) {
    const detail = missing.map((name) => `${INPUT_HELP[name].variable} (${INPUT_HELP[name].meaning})`).join(', ');
    return { outcome: 'inconclusive', reason: 'missing-input', detail: `not given: ${detail}`, exchanges: [] };
  }
  if (error) return { outcome: 'error', detail: error.message };
  try {
    return asStopped(check.judge(evidence), evidence);
  } catch (thrown) {
    return { outcome: 'error', detail: (thrown as Error).message };
  }
}

/** After a stop, what was not seen was not sent: that is the reason, whatever the check makes of it. */
function asStopped(judgement: Judgement, { stopped }: Evidence): Judgement {
  if (!stopped || judgement.outcome !== 'inconclusive') return judgement;
  if (judgement.reason !== 'not-observable' && judgement.reason !== 'precondition-failed') return judgement;
  return { ...judgement, reason: 'deadline', detail: 'the run ended before this could be seen' };
}

/** Lets every check judge the evidence. A check that throws is an error of the suite. */
export function judgeAll(
  checks: readonly Check[],
  evidence: Evidence,
  error: SuiteError | undefined,
): readonly JudgedCheck[] {
  return checks.map((check) => ({ check, said: judge(check, evidence, error) }));
}

export function toScored(judged: readonly JudgedCheck[]): ScoredCheck[] {
  return judged.map(({ check: { id, level }, said: { outcome } }) => ({ id, level, outcome }));
}

const MAX_EXCHANGES = 4;

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** What is shown of a judgement, without keys. */
export interface Presentation {
  readonly baseUrl: string;
  readonly redact: (text: string) => string;
  readonly knownFailures: ReadonlySet<string>;
  /** Ids of the checks that do not count. */
  readonly unscored: ReadonlySet<string>;
}

function presentFailure(
  check: Check,
  failure: Failure,
  redact: Presentation['redact'],
): NonNullable<CheckResult['failure']> {
  const { mode, pointer, message, expected, actual } = failure;
  return {
    mode,
    message: redactedStart(message, redact).text,
    expected: redactedValue(expected, redact),
    actual: redactedValue(actual, redact),
    ...(pointer === undefined ? {} : { pointer: redact(pointer) }),
    advice: check.failureModes[mode] ?? '',
  };
}

function curlOf(exchanges: readonly Exchange[], baseUrl: string, redact: Presentation['redact']): { curl?: string } {
  // The body first: once it is quoted for a shell, a key in it would not be found.
  const lines = exchanges.map(({ request }) => {
    const body = request.body === undefined ? {} : { body: redact(request.body) };
    return redact(toCurl({ ...request, ...body }, baseUrl));
  });
  return lines.length === 0 ? {} : { curl: lines.join('\n') };
}

function detailOf(said: JudgedCheck['said'], redact: Presentation['redact']): { detail?: string } {
  const detail = 'detail' in said ? said.detail : undefined;
  return detail === undefined ? {} : { detail: redact(detail) };
}

function presentCheck(
  { check, said }: JudgedCheck,
  { baseUrl, redact, knownFailures, unscored }: Presentation,
  record: (exchange: Exchange) => ExchangeRecord,
): CheckResult {
  const { id, area, level, title } = check;
  const exchanges: readonly Exchange[] = said.outcome === 'error' ? [] : said.exchanges;
  return {
    id,
    area,
    level,
    title,
    requirements: [...check.requirements].sort(),
    outcome: said.outcome,
    ...('reason' in said ? { reason: said.reason } : {}),
    ...detailOf(said, redact),
    ...(said.outcome === 'failed' ? { failure: presentFailure(check, said.failure, redact) } : {}),
    knownFailure: knownFailures.has(id),
    scored: !unscored.has(id),
    exchanges: exchanges.slice(0, MAX_EXCHANGES).map(record),
    ...(said.outcome === 'failed' ? curlOf(said.replay ?? said.exchanges.slice(0, 1), baseUrl, redact) : {}),
    durationMs: tenths(exchanges.reduce((sum, { duration }) => sum + duration, 0)),
  };
}

/** The results of the checks, sorted by id. */
export function presentChecks(judged: readonly JudgedCheck[], presentation: Presentation): CheckResult[] {
  const { baseUrl, redact } = presentation;
  // Many checks rest on the same exchanges, and to search a body for keys takes time.
  const records = new Map<Exchange, ExchangeRecord>();
  const record = (exchange: Exchange): ExchangeRecord => {
    const made = records.get(exchange) ?? toExchangeRecord(exchange, baseUrl, redact);
    records.set(exchange, made);
    return made;
  };
  return judged
    .map((each) => presentCheck(each, presentation, record))
    .sort((left, right) => byText(left.id, right.id));
}

/** The outcomes of the requirements that scored checks judge, sorted by id. */
export function presentRequirements(results: readonly CheckResult[]): RequirementResult[] {
  return requirements
    .flatMap(({ id, level, text, source }) => {
      const own = results.filter((check) => isScored(check) && check.requirements.includes(id));
      const outcome: Outcome = worst(own.map((check) => check.outcome));
      return own.length === 0 ? [] : [{ id, level, text, source, outcome, checks: own.map((check) => check.id) }];
    })
    .sort((left, right) => byText(left.id, right.id));
}
