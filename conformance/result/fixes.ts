/** Chooses what to change in a server, by the kind of the fault and not by its words. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isRecord } from '../../common/json.ts';
import { filled } from '../../common/text.ts';
import { errorName, errorStatuses } from '../../contract/document.ts';
import { type Exchange, isSuccess, sentIn } from '../facts/exchange.ts';
import { isNowAndThen, type Problem, type StatusFault } from '../facts/fault.ts';
import { wordsOf } from './titles.ts';

type Texts = Readonly<Record<string, string>>;

/** fixes.yaml says what its parts are. */
const { requirements, statuses, responses, types } = parse(
  readFileSync(new URL('fixes.yaml', import.meta.url), 'utf8'),
) as {
  readonly requirements: Readonly<Record<string, string | Texts>>;
  readonly statuses: Readonly<Record<'valid' | 'unusual' | 'refused' | 'without-key', Texts>>;
  readonly responses: Texts;
  readonly types: Texts;
};
const ERROR_NAMES = new Set<unknown>(errorStatuses.map(errorName));
const NAMES = errorStatuses.map((status) => `${status} \`${errorName(status) ?? ''}\``).join(', ');
const TAKEN = /\b(?:unique|duplicate|already (?:exists|in use|taken|used)|not available)\b/i;
/** How many characters of a response are looked at. */
const LOOKED_AT = 8_192;

/** What to change in a server. */
export interface Fix {
  /** The place of the text: that of fixes.yaml, or the check that has a fix of its own. */
  readonly id: string;
  readonly text: string;
}

/** The text for the first of these ways that has one. */
function chosen(place: string, texts: Texts, ways: readonly string[]): Fix | undefined {
  const way = ways.find((each) => texts[each] !== undefined);
  return way === undefined ? undefined : { id: `${place}.${way}`, text: texts[way] ?? '' };
}

/** The texts for a requirement, by way. */
function textsOf(requirement: string): Texts {
  const texts = requirements[requirement] ?? '';
  return typeof texts === 'string' ? { other: texts } : texts;
}

const ofRequirement = (requirement: string, ways: readonly string[]): Fix | undefined =>
  chosen(requirement, textsOf(requirement), ways);

/** What to change in a server that breaks a requirement, in one of these ways if they make a difference. */
export function usualFix(requirement: string, ...ways: readonly string[]): string {
  return filled(ofRequirement(requirement, [...ways, 'other'])?.text ?? '', { names: NAMES });
}

/**
 * What to change in a server that refuses everything with another status.
 *
 * @param due the status of a refusal that the contract documents
 * @param came the status that comes in its place
 */
export function fixOfStatus(due: number, came: number): string {
  const kind = kindOf({ due: [due] });
  const fix = chosen(`statuses.${kind}`, statuses[kind], waysOf(came));
  return filled(fix?.text ?? '', { expected: due, status: came });
}

/** A status, then its class; of a response that did not come, that. */
const waysOf = (came: number): readonly string[] =>
  came === 0 ? ['none'] : [String(came), `${Math.floor(came / 100)}xx`];

/** Whether a response refuses a valid request for the id in its path, and not for its body. */
function isForPathId({ request, response }: Exchange): boolean {
  const message = isRecord(response.json) ? String(response.json.message).toLowerCase() : '';
  const isOfBody = ['body', ...Object.keys(sentIn(request))].some((word) => message.includes(word.toLowerCase()));
  return !isOfBody && /\b(path|param(eter)?s?|id|numeric string)\b/.test(message);
}

const response = (way: string): Fix => ({ id: `responses.${way}`, text: responses[way] ?? '' });

/** Whether a body is an error of the contract. */
const isError = (body: unknown): boolean => isRecord(body) && ERROR_NAMES.has(body.name) && 'message' in body;

/** What kind of request got a wrong status. */
function kindOf({ due }: Pick<StatusFault, 'due'>): keyof typeof statuses {
  if (!due.includes(200)) return due.length === 1 && due[0] === 401 ? 'without-key' : 'refused';
  return due.length === 1 ? 'valid' : 'unusual';
}

/** Where code fails at what it has to refuse: first what to check, then that it fails. */
function ofFailing(problem: Problem, fault: StatusFault): Fix | undefined {
  const kind = kindOf(fault);
  if (fault.came < 500 || (kind !== 'refused' && kind !== 'without-key')) return undefined;
  const first = ofCheckOrRequirement(problem);
  const then = chosen(`statuses.${kind}`, statuses[kind], ['5xx']);
  return first && then && { id: `${first.id} ${then.id}`, text: `${first.text} ${then.text}` };
}

/** What a wrong status tells of a request, and the message of a refusal if its status tells nothing. */
function ofStatus(problem: Problem, fault: StatusFault): Fix | undefined {
  const {
    requirement,
    exchanges: [cause],
  } = problem;
  if (fault.when === 'concurrently' && fault.due.includes(200)) return response('collision');
  if (fault.when === 'after-refusal' && fault.due.includes(200)) return response('after-refusal');
  if (cause && isSuccess(cause.response) && isError(cause.response.json)) return response('error-with-200');
  const ways = waysOf(fault.came);
  const kind = kindOf(fault);
  const own =
    ofRequirement(requirement, ways) ?? ofFailing(problem, fault) ?? chosen(`statuses.${kind}`, statuses[kind], ways);
  if (own !== undefined || kind !== 'valid' || !cause) return own;
  if (isForPathId(cause)) return response('path-id-as-text');
  return TAKEN.test(cause.response.text.slice(0, LOOKED_AT)) ? response('taken') : undefined;
}

/** What a body tells that is not in JSON: of an error, that the framework wrote it, or that another body follows it. */
function ofResponse({ fault, exchanges: [cause] }: Problem): Fix | undefined {
  if (fault.kind !== 'response') return undefined;
  if (['not-utf-8', 'cut', 'key-of-body-shown'].includes(fault.rule)) return response(fault.rule);
  if (fault.status < 400) return undefined;
  if (fault.rule !== 'not-json' && fault.rule !== 'media-type') return undefined;
  return response(/^\{[^{}]*\}\s*\{/.test(cause?.response.text ?? '') ? 'two-bodies' : 'framework-error');
}

/** The fix for the type of a value that should have been refused. */
function ofType({ about, fault, exchanges: [cause] }: Problem): Fix | undefined {
  const isRefused = fault.kind === 'member' && fault.change === 'changed-by-refused';
  if (isRefused) return undefined;
  const sent = cause ? sentIn(cause.request) : {};
  return about !== undefined && Object.hasOwn(sent, about) ? chosen('types', types, [typeOf(sent[about])]) : undefined;
}

/**
 * The type of a value in JSON; of an array, whether it is empty. 0 and false stand first only where other numbers and true are
 * refused.
 */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === 0 || value === false) return 'falsy';
  if (!Array.isArray(value)) return typeof value;
  return value.length === 0 ? 'empty-array' : 'array';
}

/** What the response tells of a problem, before anything else is looked at. */
function told(problem: Problem): Fix | undefined {
  const { fault } = problem;
  if (isNowAndThen(problem)) return response('intermittent');
  if (fault.kind === 'member' && fault.change === 'shown-late') return response('late');
  return fault.kind === 'status' ? ofStatus(problem, fault) : ofResponse(problem);
}

/** The fix of the requirement, by the check or the aspect that failed; or of the check, if it has one of its own. */
function usual(problem: Problem): Fix {
  const ofValue = problem.fix === undefined ? ofType(problem) : undefined;
  return ofValue ?? ofCheckOrRequirement(problem) ?? { id: problem.requirement, text: '' };
}

/** The fix of a check, if it has one of its own; or that of the requirement. */
function ofCheckOrRequirement({ requirement, aspect, check = '', fix }: Problem): Fix | undefined {
  if (fix !== undefined) return { id: `check.${check}`, text: fix };
  return ofRequirement(requirement, [check, aspect, 'other']);
}

/**
 * What to change in a server for a problem, in a few plain sentences. What the response tells comes first, then the fix of the
 * check (`problem.fix`), then that of the requirement.
 */
export function fixOf(problem: Problem): Fix {
  const { id, text } = told(problem) ?? usual(problem);
  const { expected, actual } = wordsOf(problem.fault);
  const fields = problem.exchanges[0]?.request.headers;
  return { id, text: filled(text, { names: NAMES, ...fields, expected, status: actual }) };
}
