import { z } from 'zod';
import { isDeeperThan, isRecord, stableJson } from '../common/json.ts';
import { hint } from '../common/nearest.ts';
import { UsageError } from '../common/process/args.ts';
import { counted, percentDecoded, present } from '../common/text.ts';

/** The domain of the addresses that the suite sends, unless the operator names another (RFC 2606). */
export const DEFAULT_EMAIL_DOMAIN = 'example.com';

/** The environment variable that gives an input: `CONFORMANCE_USER_ID` for `userId`. */
export function variableOf(input: keyof typeof inputShape): string {
  return `CONFORMANCE_${input.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** Characters of JSON. What is longer may be a key that stands in the wrong place. */
const LONGEST_SHOWN = 9;

/** A value as a message quotes it: a short one as JSON, any other by its kind. */
export function shownValue(value: unknown): string {
  if (isRecord(value)) return 'an object';
  const isFlat = !isDeeperThan(value, 1);
  const text = typeof value === 'number' ? String(value) : isFlat && stableJson(value);
  if (text !== false && text.length <= LONGEST_SHOWN) return text === '[]' ? 'an empty list' : text;
  if (Array.isArray(value)) return `a list of ${counted(value.length, 'value')}`;
  return typeof value === 'string' ? `a text of ${counted(value.length, 'character')}` : 'a longer number';
}

/** What to say of a value that is something else: `"x" is not an integer such as 4.` */
export function wanted(what: string): { readonly error: (issue: { readonly input?: unknown }) => string } {
  return {
    error: ({ input }) =>
      input === null || input === undefined
        ? `there is no value; give ${what}, or delete the line.`
        : `${shownValue(input)} is not ${what}.`,
  };
}

/** A base URL as it is printed: without a slash at its end. */
export const baseAddress = (url: URL): string => url.origin + basePath(url);

/** The path of a base URL, without a slash at its end. */
export const basePath = ({ pathname }: URL): string => pathname.replace(/(?<!\/)\/+$/, '');

/** An address without the parts in which people put keys; for messages. */
export function withoutCredentials(text: string): string {
  const [address = ''] = text.split(/[?#]/, 1);
  return address
    .split('/')
    .map((part) => part.slice(part.lastIndexOf('@') + 1))
    .join('/');
}

function addressProblem(text: string): string | undefined {
  const { protocol, username, password, search, hash } = URL.canParse(text) ? new URL(text) : {};
  if (protocol !== 'http:' && protocol !== 'https:')
    return 'this is not an address with http:// or https://, such as http://localhost:4242.';
  if (username !== '' || password !== '')
    return `the address must not carry credentials; set ${variableOf('adminKey')} instead.`;
  return search === '' && hash === '' ? undefined : 'the address must not have a query or a fragment.';
}

function keyProblem(key: string): string | undefined {
  if (key.trim() === '') return 'the key is empty.';
  if (/[\r\n]/.test(key)) return 'the key has a line break, which an HTTP header does not carry; write it in one line.';
  if (/[^\x20-\x7e\x80-\xff]/.test(key)) return 'the key has characters that no HTTP header can carry.';
  if (key === key.trim()) return undefined;
  return 'the key has blanks at its start or end, which an HTTP header does not carry.';
}

/** Says what is wrong with a text, if anything is. */
function without(problemOf: (text: string) => string | undefined) {
  return (text: string, context: z.RefinementCtx): void => {
    const message = problemOf(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  };
}

/** A role as it is compared: `{ "id": 1 }` and `1` are the same. */
const roleOf = (role: unknown): unknown => (isRecord(role) && role.id !== undefined ? role.id : role);

const areDistinct = (values: readonly unknown[]): boolean => new Set(values.map(stableJson)).size === values.length;

const ADDRESS = wanted('an address such as http://localhost:4242');
const ID = wanted('an integer such as 4');
const DOMAIN = wanted('the domain of an e-mail address in lower case, such as example.com');
const ROLES = wanted('at least two different JSON values, such as 1,2 or "Admin","Editor"');
const BANNERS = wanted('a list of JSON values, each given once, such as 1,2, or [] for none');

/** Levels of nesting. */
const DEEPEST = 16;

/** Whether the numbers of a value are sent as they were written: JSON has no infinity, and JavaScript rounds large integers. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

/** A list of values that requests send, or that responses are compared with. */
function jsonValues(what: ReturnType<typeof wanted>) {
  return z
    .array(z.unknown(), what)
    .refine((values) => !isDeeperThan(values, DEEPEST), {
      error: `a value in it is nested deeper than ${DEEPEST} levels.`,
      abort: true,
    })
    .refine(isExact, 'a number in it is too large to be sent as it is written.');
}

const key = z.string().superRefine(without(keyProblem));
const id = z.union([z.string().regex(/^(0|-?[1-9]\d*)$/, ID), z.int(ID)], ID).transform(String);

/** The inputs as an operator writes them, each with what it is. Ids become texts: they may be larger than a number holds. */
export const inputShape = {
  baseUrl: z
    .string(ADDRESS)
    .superRefine(without(addressProblem))
    .transform((text) => new URL(text))
    .describe('the address of the target, which is what comes before /api/admin'),
  adminKey: key.describe('a key that may do everything'),
  restrictedKey: key.describe('a valid key without permission to update users'),
  userId: id.describe(
    'a disposable user that the suite changes and restores; it must not be the account behind a key, because its role changes',
  ),
  otherUserId: id.describe('a second disposable user, which shows whether an update changes only one user'),
  missingUserId: id.describe('an id that no user has'),
  roleIds: jsonValues(ROLES)
    .min(2, ROLES)
    .refine((roles) => areDistinct(roles.map(roleOf)), ROLES)
    .describe('at least two JSON values that the target accepts as rootRole'),
  bannerIds: jsonValues(BANNERS)
    .refine(areDistinct, BANNERS)
    .describe('the ids of all banners that are configured; [] for none'),
  emailDomain: z
    .string(DOMAIN)
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, DOMAIN)
    .describe('the domain of the e-mail addresses that the suite sends'),
};

/** That an input or an option does not exist, with the one that was probably meant. */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  return `there is no ${what} ${name}.${hint(name, known)}`;
}

const inputsSchema = z
  .strictObject(inputShape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? unknownName('input', issue.keys[0] ?? '', Object.keys(inputShape))
        : undefined,
  })
  .partial()
  .extend({ baseUrl: inputShape.baseUrl, emailDomain: inputShape.emailDomain.default(DEFAULT_EMAIL_DOMAIN) });

/** What the operator says of the target. */
export type Inputs = Readonly<z.output<typeof inputsSchema>>;

/** The inputs of a run that can judge anything. */
export type RunInputs = Inputs & { readonly adminKey: string; readonly userId: string };

/** An input without which some checks are inconclusive. */
export type InputName = Exclude<keyof Inputs, 'baseUrl' | 'emailDomain'>;

/** Characters. A shorter key is no more than a word, and may well be one of a path. */
const SHORTEST_KEY_IN_PATH = 8;

const isInPath = ({ pathname }: URL, secret: string): boolean =>
  secret.length >= SHORTEST_KEY_IN_PATH && (percentDecoded(pathname) ?? pathname).includes(secret);

/**
 * What is wrong with inputs that are each right by itself; with such inputs, a conforming target would fail.
 *
 * @returns a sentence; undefined if nothing is wrong
 */
export function inputsProblem(inputs: Partial<Inputs>): string | undefined {
  const { baseUrl, adminKey, restrictedKey, userId, otherUserId, missingUserId } = inputs;
  if (baseUrl && [adminKey, restrictedKey].some((secret) => secret !== undefined && isInPath(baseUrl, secret)))
    return 'The path of the base URL contains a key. The base URL is printed; send keys in Authorization alone.';
  if (adminKey !== undefined && adminKey === restrictedKey)
    return 'The admin key and the restricted key are the same; give a restricted key without permission to update users.';
  const ids = present([userId, otherUserId, missingUserId]);
  if (new Set(ids).size < ids.length)
    return `The ids of the user, the other user and the missing user must differ; got ${ids.join(', ')}.`;
  return undefined;
}

/** Inputs that cannot be used; the message is one line that says what is wrong and how to fix it. */
export class InvalidInputs extends UsageError {
  override readonly name = 'InvalidInputs';
}

/**
 * Reads inputs as a program gives them: `baseUrl` a text or a URL, ids as numbers or texts.
 *
 * @throws InvalidInputs for the first that is wrong, or does not fit the others
 */
export function readInputs(given: Readonly<Record<string, unknown>>): Inputs {
  const { baseUrl } = given;
  if (baseUrl === undefined) throw new InvalidInputs('baseUrl: give the address of the target.');
  const url = baseUrl instanceof URL ? baseUrl.href : baseUrl;
  const { data, error } = inputsSchema.safeParse({ ...given, baseUrl: url });
  if (!data) {
    const [issue] = error.issues;
    throw new InvalidInputs([...(issue?.path ?? []), issue?.message].join(': '));
  }
  const problem = inputsProblem(data);
  if (problem !== undefined) throw new InvalidInputs(problem);
  return data;
}
