import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isRecord, parsedJson } from '../../common/json.ts';
import { filled } from '../../common/text.ts';
import { errorName, errorStatuses } from '../../contract/document.ts';
import type { Problem } from '../facts/outcome.ts';

type Texts = Readonly<Record<string, string>>;

/** fixes.yaml says what its parts are. */
const { requirements, members, statuses, responses, types } = parse(
  readFileSync(new URL('fixes.yaml', import.meta.url), 'utf8'),
) as {
  readonly requirements: Readonly<Record<string, string | Texts>>;
  readonly members: Texts;
  readonly statuses: Readonly<Record<'valid' | 'unusual' | 'refused' | 'without-key', Texts>>;
  readonly responses: Texts;
  readonly types: Texts;
};
const NAMES = errorStatuses.map((status) => `${status} \`${errorName(status) ?? ''}\``).join(', ');
const TAKEN = /\b(?:unique|duplicate|already (?:exists|in use|taken|used)|not available)\b/i;

/** The text for the first of these ways that has one. */
function textFor(texts: Texts, ways: readonly string[]): string | undefined {
  return ways.map((way) => texts[way]).find((text) => text !== undefined);
}

/** The texts for a requirement, by way. One that is not listed is about a member, and its id ends in the name of the member. */
function textsOf(requirement: string): Texts {
  const member = requirement.endsWith('-at') ? 'time' : requirement.replace(/\..*/, '');
  const texts = requirements[requirement] ?? members[member] ?? '';
  return typeof texts === 'string' ? { other: texts } : texts;
}

/** What to change in a server that breaks a requirement, in one of these ways if they make a difference. */
export function usualFix(requirement: string, ...ways: readonly string[]): string {
  return filled(textFor(textsOf(requirement), [...ways, 'other']) ?? '', { names: NAMES });
}

/** Whether a response refuses a valid request for the id in its path, and not for its body. */
function isForPathId({ exchanges }: Problem): boolean {
  const { request, response } = exchanges.at(-1) ?? {};
  const message = isRecord(response?.json) ? String(response.json.message).toLowerCase() : '';
  const body = parsedJson(String(request?.body ?? ''));
  const isOfBody = ['body', ...Object.keys(isRecord(body) ? body : {})].some((word) =>
    message.includes(word.toLowerCase()),
  );
  return !isOfBody && /\b(path|param(eter)?s?|id|numeric string)\b/.test(message);
}

/** What a wrong status tells of a request, and the message of a refusal if its status tells nothing. */
function ofStatus(problem: Problem): string | undefined {
  const { requirement, expected, actual, exchanges } = problem;
  if (requirement.startsWith('update.concurrent-') && expected.startsWith('200')) return responses.collision;
  const ways = /^\d{3}$/.test(actual) ? [actual, `${actual.charAt(0)}xx`] : ['none'];
  const refusal = expected === '401' ? 'without-key' : 'refused';
  const kind = expected === '200' ? 'valid' : expected.startsWith('200') ? 'unusual' : refusal;
  const own = textFor(textsOf(requirement), ways) ?? textFor(statuses[kind], ways);
  if (own !== undefined || kind !== 'valid') return own;
  if (isForPathId(problem)) return responses['path-id-as-text'];
  return TAKEN.test(exchanges.at(-1)?.response.text.slice(0, 8_192) ?? '') ? responses.taken : undefined;
}

/** What an error tells that is not in JSON: the framework wrote it, or another body follows it. */
function ofForeignError({ requirement, exchanges }: Problem): string | undefined {
  const { status = 0, text = '' } = exchanges.at(-1)?.response ?? {};
  if (requirement !== 'bodies.json' || status < 400) return undefined;
  return responses[/^\{[^{}]*\}\s*\{/.test(text) ? 'two-bodies' : 'framework-error'];
}

/** The type of the value that a member should not have had in a body that was accepted. */
function typeSent({ requirement, exchanges }: Problem): string {
  const [, kebab = ''] = /^request-body\.(.+)-type$/.exec(requirement) ?? [];
  const member = kebab.replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
  const body = parsedJson(String(exchanges.at(-1)?.request.body ?? ''));
  const value = isRecord(body) ? body[member] : undefined;
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

/**
 * What to change in a server for a problem, in a few plain sentences. What the response tells comes first, then the fix of the
 * check (`problem.fix`), then that of the requirement.
 */
export function fixOf(problem: Problem): string {
  const { title, requirement, aspect, check, exchanges, expected, actual, fix, seen } = problem;
  const ofResponse = title.includes(`got ${actual}`) ? ofStatus(problem) : ofForeignError(problem);
  const told = seen?.what === 'requests' ? responses.intermittent : ofResponse;
  if (told !== undefined) return filled(told, { ...exchanges.at(-1)?.request.headers, expected, status: actual });
  return fix ?? types[typeSent(problem)] ?? usualFix(requirement, check, aspect);
}
