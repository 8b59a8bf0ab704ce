import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isRecord, parsedJson } from '../../common/json.ts';
import { filled } from '../../common/text.ts';
import { errorName, errorStatuses } from '../../contract/document.ts';
import type { Problem } from '../engine/outcome.ts';

/** fixes.yaml, which says what its parts are. */
interface Texts {
  readonly requirements: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly members: Readonly<Record<string, string>>;
  readonly responses: Readonly<Record<string, string>>;
}

const texts = parse(readFileSync(new URL('fixes.yaml', import.meta.url), 'utf8')) as Texts;
const NAMES = errorStatuses.map((status) => `${status} \`${errorName(status) ?? ''}\``).join(', ');
const TAKEN = /\b(?:unique|duplicate|already (?:exists|in use|taken|used)|not available)\b/i;

/** The text for a requirement that is not listed: it is about a member, and its id ends in the name of the member. */
function ofMember(requirement: string): string | undefined {
  return texts.members[requirement.endsWith('-at') ? 'time' : requirement.replace(/\..*/, '')];
}

/** What to change in a server that breaks a requirement, in one of these ways if they make a difference. */
export function usualFix(requirement: string, ...ways: readonly string[]): string {
  const fixes = texts.requirements[requirement] ?? ofMember(requirement) ?? '';
  if (typeof fixes === 'string') return filled(fixes, { names: NAMES });
  const way = ways.find((each) => each in fixes) ?? 'other';
  return fixes[way] ?? '';
}

/** The wrong status that a request got, or 0 if there was no response; undefined for any other problem. */
function wrongStatus({ title, actual }: Problem): number | undefined {
  if (!title.includes(`got ${actual}`)) return undefined;
  return /^\d{3}$/.test(actual) ? Number(actual) : 0;
}

/**
 * Whether a response refuses a valid request for the id in its path, and not for its body. The message of a 404 may speak of the
 * whole path.
 */
function isForPathId(status: number, { exchanges }: Problem): boolean {
  const { request, response } = exchanges.at(-1) ?? {};
  const message = isRecord(response?.json) ? String(response.json.message).toLowerCase() : '';
  const body = parsedJson(String(request?.body ?? ''));
  const isOfBody = ['body', ...Object.keys(isRecord(body) ? body : {})].some((word) =>
    message.includes(word.toLowerCase()),
  );
  return status !== 404 && !isOfBody && /\b(path|param(eter)?s?|id|numeric string)\b/.test(message);
}

/** What a 4xx status tells of a request that should be accepted. */
function ofRefusal(status: number, problem: Problem): string | undefined {
  const { requirement, expected, exchanges } = problem;
  const isUpdate = requirement.startsWith('update.');
  if (status === 415) return 'unsupported-media-type';
  if (status === 406) return 'not-acceptable';
  if (expected !== '200') return 'not-400';
  if (isForPathId(status, problem)) return 'path-id-as-text';
  if (status === 401 || status === 403) return 'admin-forbidden';
  if (status === 405 && isUpdate) return 'put-refused';
  if (TAKEN.test(exchanges.at(-1)?.response.text.slice(0, 8_192) ?? '')) return 'taken';
  return status === 404 && isUpdate ? 'user-missing' : undefined;
}

/** What the status tells of a request that should be accepted. */
function ofWrongStatus(status: number, problem: Problem): string | undefined {
  const { requirement, expected } = problem;
  if (requirement.startsWith('update.concurrent-')) return 'collision';
  if (status === 0) return 'closed';
  if (status === 304) return 'not-modified';
  if (status < 300) return 'other-success';
  if (status < 400) return 'redirect';
  if (status < 500) return ofRefusal(status, problem);
  if (requirement === 'update.empty-body-changes-nothing') return 'empty-update-fails';
  if (expected === '200') return 'valid-request-fails';
  return /^update\.un(listed|usual)-members$/.test(requirement) ? 'unknown-member-fails' : 'unusual-value-fails';
}

/** What the status tells of a request that must be refused; nothing if it was accepted. */
function ofWrongRefusal(status: number, { expected }: Problem): string | undefined {
  if (status === 0) return 'refusal-closed';
  if (status < 300) return undefined;
  if (status < 400) return 'refusal-redirect';
  if (status >= 500) return 'refusal-fails';
  if (expected === '401') return status === 403 ? 'forbidden-without-key' : 'key-checked-late';
  if (status === 401) return 'key-valid';
  return status === 422 ? 'validator-default' : 'other-refusal';
}

/** What an error tells that is not in JSON: the framework wrote it, or another body follows it. */
function ofForeignError({ requirement, exchanges }: Problem): string | undefined {
  const { status = 0, text = '' } = exchanges.at(-1)?.response ?? {};
  if (requirement !== 'bodies.json' || status < 400) return undefined;
  return /^\{[^{}]*\}\s*\{/.test(text) ? 'two-bodies' : 'framework-error';
}

/** What is said of the problem in `responses`, if that tells more than its requirement. */
function ofResponse(problem: Problem): string | undefined {
  if (problem.seen?.what === 'requests') return 'intermittent';
  const status = wrongStatus(problem);
  if (status === undefined) return ofForeignError(problem);
  return problem.expected.startsWith('200') ? ofWrongStatus(status, problem) : ofWrongRefusal(status, problem);
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
  const { requirement, aspect, check, exchanges, expected, actual, fix } = problem;
  const told = texts.responses[ofResponse(problem) ?? ''];
  if (told !== undefined) return filled(told, { ...exchanges.at(-1)?.request.headers, expected, status: actual });
  return fix ?? texts.responses[typeSent(problem)] ?? usualFix(requirement, check, aspect);
}
