import { percentDecoded } from '../../common/text.ts';
import type { ResourceId } from './resource.ts';
import { compareRoles } from './roles.ts';

/** What the operator says of the target. Ids are texts: they may be larger than a JavaScript number holds. */
export interface Inputs extends Readonly<Partial<Record<IdInput, string>>> {
  /** What `{baseUrl}` of the contract stands for. */
  readonly baseUrl: URL;
  readonly adminKey?: string;
  readonly restrictedKey?: string;
  /** JSON values that the target accepts as `rootRole`; at least two. */
  readonly roleIds?: readonly unknown[];
  /** The ids of all banners that are configured on the target. */
  readonly bannerIds?: readonly unknown[];
  readonly emailDomain: string;
}

/** The domain of the addresses that are sent, unless the operator names one. */
export const DEFAULT_EMAIL_DOMAIN = 'example.com';

interface InputHelp {
  /** How it is given on the command line, and as an environment variable. */
  readonly option: string;
  readonly variable: string;
  readonly meaning: string;
  readonly note?: string;
  /** How the value is written. */
  readonly kind: 'key' | 'id' | 'values';
  /** Of an id: what requests with it address, and which resource that is. What begins with `missing-` must not exist. */
  readonly subject?: string;
  readonly resource?: ResourceId;
  /** The least number of values. */
  readonly least?: number;
  readonly example?: unknown;
}

/** The inputs without which some checks cannot run: what each is, and how it is given. */
export const INPUT_HELP = {
  adminKey: {
    option: '--admin-key-file FILE',
    variable: 'CONFORMANCE_ADMIN_KEY',
    meaning: 'a key that may do everything',
    kind: 'key',
    example: 'admin.key',
  },
  restrictedKey: {
    option: '--restricted-key-file FILE',
    variable: 'CONFORMANCE_RESTRICTED_KEY',
    meaning: 'a valid key that may not update users',
    kind: 'key',
    example: 'restricted.key',
  },
  userId: {
    option: '--user-id ID',
    variable: 'CONFORMANCE_USER_ID',
    meaning: 'a disposable user that the suite may change',
    note: 'The suite restores it at the end.',
    kind: 'id',
    subject: 'user',
    resource: 'user',
    example: 4,
  },
  otherUserId: {
    option: '--other-user-id ID',
    variable: 'CONFORMANCE_OTHER_USER_ID',
    meaning: 'a second disposable user',
    note: 'It shows whether an update changes only the addressed user. The suite restores it at the end.',
    kind: 'id',
    subject: 'other-user',
    resource: 'user',
    example: 5,
  },
  missingUserId: {
    option: '--missing-user-id ID',
    variable: 'CONFORMANCE_MISSING_USER_ID',
    meaning: 'an id that no user has',
    note: 'The suite never guesses one.',
    kind: 'id',
    subject: 'missing-user',
    resource: 'user',
    example: 404404,
  },
  roleIds: {
    option: '--role-ids 1,2',
    variable: 'CONFORMANCE_ROLE_IDS',
    meaning: 'at least two JSON values that the target accepts as rootRole',
    kind: 'values',
    least: 2,
    example: [1, 2],
  },
  bannerIds: {
    option: '--banner-ids 1,2',
    variable: 'CONFORMANCE_BANNER_IDS',
    meaning: 'the ids of all banners that are configured',
    note: 'Without them the suite cannot notice a missing banner.',
    kind: 'values',
    least: 1,
    example: [1, 2, 3],
  },
} as const satisfies Readonly<Record<string, InputHelp>>;

/** The name of an input without which some checks cannot run. */
export type InputName = keyof typeof INPUT_HELP;

type Help = typeof INPUT_HELP;

/** The name of an input that is an id. */
export type IdInput = { [Name in InputName]: Help[Name] extends { kind: 'id' } ? Name : never }[InputName];

/** What the operator names for requests to address. */
export type Named = Help[IdInput]['subject'];

/** What a request addresses: what the operator named, a path id that names nothing, or `none` if its path has no id. */
export type Subject = Named | 'invalid-id' | 'none';

/** What requests may write: what the operator named, and what exists. */
export type Writable = Exclude<Named, `missing-${string}`>;

interface NamedInput {
  readonly input: IdInput;
  readonly subject: Named;
  readonly resource: ResourceId;
}

/** What the operator names, in the order of the inputs. */
export const NAMED: readonly NamedInput[] = Object.entries(INPUT_HELP).flatMap(([input, help]) =>
  help.kind === 'id' ? [{ input: input as IdInput, subject: help.subject, resource: help.resource }] : [],
);

/** The inputs that are ids. */
export const ID_INPUTS: readonly IdInput[] = NAMED.map(({ input }) => input);

/** Whether a subject is one that must not exist. */
export function isMissing(subject: string): boolean {
  return subject.startsWith('missing-');
}

/** What the operator named, in words: "the other user". */
export function subjectWords(subject: Named): string {
  return `the ${subject.replaceAll('-', ' ')}`;
}

/** What the operator named as a subject; undefined for one without an id. */
export function namedAs(subject: string): NamedInput | undefined {
  return NAMED.find((each) => each.subject === subject);
}

/** What requests may write, in the order of the inputs. */
export const WRITABLE: readonly Writable[] = NAMED.map(({ subject }) => subject).filter(
  (subject): subject is Writable => !isMissing(subject),
);

/** What requests to a resource may write. */
export function writableOf(resource: ResourceId): readonly Writable[] {
  return WRITABLE.filter((subject) => namedAs(subject)?.resource === resource);
}

/** The members of a request body whose values only the operator knows, each with the input that declares them. */
export const DECLARED_MEMBERS = { rootRole: 'roleIds' } as const satisfies Readonly<Record<string, keyof Inputs>>;

/** A base URL as it is printed and written into the journal: without a slash at its end. */
export function baseAddress({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/+$/, '');
}

/** An address that is not sound, without the parts in which people put keys; for messages. */
export function withoutCredentials(text: string): string {
  return text.replace(/[?#].*$/s, '').replaceAll(/[^/]*@/g, '');
}

/** Shorter keys are no more than a word, and may well be one of a path. */
const SHORTEST_KEY_IN_PATH = 8;

function isInPath({ pathname }: URL, key: string): boolean {
  const segments = pathname.split('/');
  const path = segments.map((each) => percentDecoded(each) ?? each).join('/');
  return key.length < SHORTEST_KEY_IN_PATH ? segments.includes(key) : path.includes(key) || pathname.includes(key);
}

/** What is wrong with the text of a base URL, as a sentence; undefined if nothing is. */
export function baseUrlProblem(text: string): string | undefined {
  const { protocol, username, password, search, hash } = URL.canParse(text) ? new URL(text) : {};
  if (protocol !== 'http:' && protocol !== 'https:')
    return `${JSON.stringify(withoutCredentials(text))} is not an address; write for example http://localhost:4242.`;
  if (username !== '' || password !== '')
    return `the address must not carry credentials; give the admin key (adminKey, ${INPUT_HELP.adminKey.variable}) instead.`;
  return search === '' && hash === '' ? undefined : 'the address must not have a query or a fragment.';
}

/** What is wrong with an id, as a sentence; undefined if nothing is. */
export function idProblem(text: string): string | undefined {
  const isInteger = /^(0|-?[1-9]\d*)$/.test(text);
  return isInteger ? undefined : `${JSON.stringify(text)} is not an id; give an integer such as 4.`;
}

/** What is wrong with a domain for e-mail addresses, as a sentence; undefined if nothing is. */
export function domainProblem(text: string): string | undefined {
  const isDomain = (each: string): boolean => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(each);
  if (isDomain(text)) return undefined;
  const meant = text.toLowerCase().replace(/^.*@/s, '').trim();
  const example = isDomain(meant) ? `write ${meant}` : 'write for example example.com';
  return `${JSON.stringify(text)} is not the domain of an e-mail address, in lower case and without "@"; ${example}.`;
}

/**
 * What keeps a text from being sent as a key, in a few words that never show it.
 *
 * @returns undefined if nothing does
 */
export function keyProblem(key: string): string | undefined {
  if (key.trim() === '') return 'is empty';
  if (/[^\x20-\x7e\x80-\xff]/.test(key)) return 'has characters that no HTTP header can carry';
  return key === key.trim() ? undefined : 'has blanks at its start or end, which an HTTP header does not carry';
}

/**
 * What is wrong with the inputs, as a sentence: they would make a conforming target fail.
 *
 * @returns undefined if nothing is
 */
export function inputsProblem(inputs: Omit<Inputs, 'baseUrl'> & Partial<Inputs>): string | undefined {
  const { baseUrl, adminKey, restrictedKey, roleIds, emailDomain } = inputs;
  if (baseUrl && [adminKey, restrictedKey].some((key) => key !== undefined && isInPath(baseUrl, key)))
    return 'The path of the base URL contains a key, and the base URL is printed; keys are sent in Authorization alone.';
  if (adminKey !== undefined && adminKey === restrictedKey) {
    return 'The admin key and the restricted key are the same; the restricted key must not be allowed to update users.';
  }
  for (const resource of new Set(NAMED.map((each) => each.resource))) {
    const named = NAMED.filter((each) => each.resource === resource);
    const ids = named.flatMap(({ input }) => inputs[input] ?? []);
    const wrongId = ids.map(idProblem).find((problem) => problem !== undefined);
    if (wrongId !== undefined) return wrongId;
    if (new Set(ids).size === ids.length) continue;
    const [first, ...others] = named.map(({ subject }) => subjectWords(subject)).reverse();
    return `The ids of ${others.reverse().join(', ')} and ${first ?? ''} must differ; got ${ids.join(', ')}.`;
  }
  const isTwin = (role: unknown, index: number): boolean =>
    roleIds?.slice(0, index).some((earlier) => compareRoles(earlier, role) === 'same') === true;
  if (roleIds && (roleIds.length < 2 || roleIds.some(isTwin)))
    return `Give at least two different roles; got ${JSON.stringify(roleIds)}.`;
  return domainProblem(emailDomain);
}

/** The id of a subject that the operator named; undefined for one without. */
export function namedId(inputs: Omit<Inputs, 'baseUrl'>, subject: string): string | undefined {
  const named = namedAs(subject);
  return named && inputs[named.input];
}

/** Those of `names` that the operator has not given. */
export function missingInputs(inputs: Inputs, names: readonly InputName[]): InputName[] {
  return names.filter((name) => inputs[name] === undefined);
}
