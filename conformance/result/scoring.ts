import { hash } from 'node:crypto';
import { byText } from '../../common/text.ts';
import { requirements } from '../../contract/document.ts';
import { toCurl } from '../http/curl.ts';
import type { Exchange } from '../http/exchange.ts';
import { MOST_SENT, type Redact, redactedStart, redactedText, redactedValue } from '../http/redact.ts';
import type { Check } from '../model/check.ts';
import type { Deviation } from '../model/facts.ts';
import type { JudgedCheck } from '../model/judge.ts';
import { statusOf } from '../model/recording/view.ts';
import { fixOf } from './fixes.ts';
import type { FailureGroup } from './findings.ts';
import {
  type CheckResult,
  type ExchangeRecord,
  type Finding,
  isScored,
  type RequirementResult,
  tenths,
  toExchangeRecord,
} from './result.ts';
import { type Outcome, worst } from './verdict.ts';

const MAX_EXCHANGES = 4;

/** What is shown of a judgement, without keys. */
export interface Presentation {
  readonly baseUrl: string;
  readonly redact: Redact;
  /** Ids of the checks that do not count. */
  readonly unscored: ReadonlySet<string>;
}

/** A sentence in which long values are cut; they are whole in `expected` and `actual`. */
function withShortValues(sentence: string): string {
  return sentence.replaceAll(/"(?:[^"\\]|\\.){100,}"/g, (value) => `${value.slice(0, 80)}…"`);
}

function presentFailure(
  check: Check | undefined,
  deviation: Deviation,
  redact: Presentation['redact'],
): NonNullable<CheckResult['failure']> {
  const { mode, x, pointer, message, expected, actual, requirements } = deviation;
  const own = requirements.filter((id) => check?.requirements.includes(id));
  const isPart = check !== undefined && own.length > 0 && own.length < check.requirements.length;
  return {
    mode,
    message: withShortValues(redactedStart(message, redact).text),
    expected: redactedValue(expected, redact),
    actual: redactedValue(actual === 'accepted' ? statusOf(x) : actual, redact),
    ...(pointer === undefined ? {} : { pointer: redactedText(pointer, redact) }),
    ...(isPart ? { requirements: own } : {}),
    advice: fixOf(deviation, check),
  };
}

function curlOf(exchanges: readonly Exchange[], baseUrl: string, redact: Presentation['redact']): { curl?: string } {
  // The body first: once it is quoted for a shell, a key in it would not be found.
  const lines = exchanges.map(({ request }) => {
    if ((request.body?.length ?? 0) > MOST_SENT) return `# ${request.purpose}: the body is too long for a command`;
    const body = request.body === undefined ? {} : { body: redact(request.body) };
    return redact(toCurl({ ...request, ...body }, baseUrl));
  });
  return lines.length === 0 ? {} : { curl: lines.join('\n') };
}

/** The exchanges that a judgement rests on. */
function exchangesOf(said: JudgedCheck['said']): readonly Exchange[] {
  if (said.outcome === 'failed') return said.deviation.shows ?? [said.deviation.x];
  return 'exchanges' in said ? said.exchanges : [];
}

function presentCheck(
  { check, said }: JudgedCheck,
  { baseUrl, redact, unscored }: Presentation,
  record: (exchange: Exchange) => ExchangeRecord,
): CheckResult {
  const { id, area, level, title } = check;
  const exchanges = exchangesOf(said);
  return {
    id,
    area,
    level,
    title,
    requirements: [...check.requirements].sort(),
    outcome: said.outcome,
    ...('reason' in said ? { reason: said.reason } : {}),
    ...('detail' in said ? { detail: redactedText(said.detail, redact) } : {}),
    ...(said.outcome === 'failed' ? { failure: presentFailure(check, said.deviation, redact) } : {}),
    // The baseline is applied to what is presented.
    knownFailure: false,
    scored: !unscored.has(id),
    exchanges: exchanges.slice(0, MAX_EXCHANGES).map(record),
    ...(said.outcome === 'failed' ? curlOf(exchanges, baseUrl, redact) : {}),
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

const MAX_ID = 80;

/** An id of letters, digits, dots and hyphens. The target may choose a part of it: what does not fit is told apart by a digest. */
function idOf(text: string): string {
  const plain = text.replaceAll(/[^\w.]+/g, '-').slice(0, MAX_ID);
  return plain === text ? plain : `${plain}-${hash('sha256', text).slice(0, 8)}`;
}

/**
 * The findings as the result has them, in the order of `groupFailures`.
 *
 * @param results of the checks, with what the baseline and the scored set say of them
 * @param catalogue the checks, for their fixes
 */
export function presentFindings(
  groups: readonly FailureGroup[],
  results: readonly CheckResult[],
  catalogue: readonly Check[],
  { baseUrl, redact }: Presentation,
): Finding[] {
  return groups.map(({ id, level, requirements, lead, checks: ids, seen, isSporadic, consequences }) => {
    const sequence = lead.shows ?? [lead.x];
    const own = results.filter((each) => ids.includes(each.id));
    const check = catalogue.find((each) => lead.checks.includes(each.id));
    const { message: title, advice: fix, expected, actual, pointer } = presentFailure(check, lead, redact);
    return {
      ...{ id: idOf(redact(id)), level, requirement: requirements[0] ?? '', requirements, title, expected, actual },
      ...(pointer === undefined ? {} : { pointer }),
      checks: ids,
      seen,
      ...(isSporadic ? { sporadic: true } : {}),
      exchanges: sequence.slice(0, MAX_EXCHANGES).map((exchange) => toExchangeRecord(exchange, baseUrl, redact)),
      curl: curlOf(sequence, baseUrl, redact).curl ?? '',
      fix,
      consequences: [...consequences].sort(),
      knownFailure: own.every(({ knownFailure }) => knownFailure),
      scored: own.some(isScored),
    };
  });
}

/** Whether the outcome of a check says something of a requirement: a failure may contradict only some of those that it judges. */
function speaksOf({ requirements: judged, failure }: CheckResult, requirement: string): boolean {
  return (failure?.requirements ?? judged).includes(requirement);
}

/** The outcomes of the requirements that scored checks judge, sorted by id. */
export function presentRequirements(results: readonly CheckResult[]): RequirementResult[] {
  return requirements
    .flatMap(({ id, level, text, source }) => {
      const own = results.filter((check) => isScored(check) && check.requirements.includes(id));
      const outcome: Outcome = worst(own.filter((check) => speaksOf(check, id)).map((check) => check.outcome));
      return own.length === 0 ? [] : [{ id, level, text, source, outcome, checks: own.map((check) => check.id) }];
    })
    .sort((left, right) => byText(left.id, right.id));
}
