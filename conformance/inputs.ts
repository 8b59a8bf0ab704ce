import { compareRoles } from './user-state.ts';

/** What the operator says of the target. */
export interface Inputs {
  /** What `{base_url}` of the contract stands for. */
  readonly baseUrl: URL;
  readonly adminKey?: string;
  readonly restrictedKey?: string;
  /** Ids as texts: they may be larger than a JavaScript number holds. */
  readonly userId?: string;
  readonly otherUserId?: string;
  readonly missingUserId?: string;
  /** JSON values that the target takes as `rootRole`; at least two. */
  readonly roleIds?: readonly unknown[];
  /** The ids of all banners that are configured on the target. */
  readonly bannerIds?: readonly unknown[];
  readonly emailDomain: string;
}

/** The domain of the addresses that are sent, unless the operator names one. */
export const DEFAULT_EMAIL_DOMAIN = 'example.com';

/** The name of an input without which some checks cannot run. */
export type InputName =
  'adminKey' | 'restrictedKey' | 'userId' | 'otherUserId' | 'missingUserId' | 'roleIds' | 'bannerIds';

interface InputHelp {
  /** How it is given on the command line, and as an environment variable. */
  readonly option: string;
  readonly variable: string;
  readonly meaning: string;
}

export const INPUT_HELP: Readonly<Record<InputName, InputHelp>> = {
  adminKey: {
    option: '--admin-key-file FILE',
    variable: 'CONFORMANCE_ADMIN_KEY',
    meaning: 'a key that may do everything',
  },
  restrictedKey: {
    option: '--restricted-key-file FILE',
    variable: 'CONFORMANCE_RESTRICTED_KEY',
    meaning: 'a valid key that may not update users',
  },
  userId: {
    option: '--user-id ID',
    variable: 'CONFORMANCE_USER_ID',
    meaning: 'a disposable user that the suite may change',
  },
  otherUserId: {
    option: '--other-user-id ID',
    variable: 'CONFORMANCE_OTHER_USER_ID',
    meaning: 'a second disposable user',
  },
  missingUserId: {
    option: '--missing-user-id ID',
    variable: 'CONFORMANCE_MISSING_USER_ID',
    meaning: 'an id that no user has',
  },
  roleIds: {
    option: '--role-ids 1,2',
    variable: 'CONFORMANCE_ROLE_IDS',
    meaning: 'at least two JSON values that the target takes as rootRole',
  },
  bannerIds: {
    option: '--banner-ids 1,2',
    variable: 'CONFORMANCE_BANNER_IDS',
    meaning: 'the ids of all banners that are configured',
  },
};

/** A base URL as it is printed and written into the journal: without a slash at its end. */
export function baseAddress({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/+$/, '');
}

/** Whether a text is a domain as addresses of the suite have it: in lower case. */
export function isDomain(text: string): boolean {
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(text);
}

/**
 * What is wrong with a base URL, in one sentence.
 *
 * @returns undefined if nothing is
 */
export function baseUrlProblem({ protocol, username, password, search, hash }: URL): string | undefined {
  if (protocol !== 'http:' && protocol !== 'https:') return 'The base URL must begin with http:// or https://.';
  if (username !== '' || password !== '') return 'The base URL must not carry credentials; give adminKey instead.';
  return search === '' && hash === '' ? undefined : 'The base URL must not have a query or a fragment.';
}

/**
 * What keeps a text from being sent as a key, in a few words that never show it.
 *
 * @returns undefined if nothing does
 */
export function keyProblem(key: string): string | undefined {
  if (key.trim() === '') return 'is empty';
  if (/[^\x20-\x7e\x80-\xff]/.test(key)) return 'has characters that no HTTP header can carry';
  return key === key.trim() ? undefined : 'has blanks at its start or end; an HTTP header does not carry them';
}

function firstTwin<T>(values: readonly T[], same: (left: T, right: T) => boolean): T | undefined {
  return values.find((value, index) => values.slice(0, index).some((earlier) => same(earlier, value)));
}

/**
 * What is wrong with what the operator gave, in one sentence: with such inputs a lawful target would be accused.
 *
 * @returns undefined if nothing is
 */
export function inputsProblem({
  adminKey,
  restrictedKey,
  userId,
  otherUserId,
  missingUserId,
  roleIds,
  emailDomain,
}: Inputs): string | undefined {
  if (adminKey !== undefined && adminKey === restrictedKey) {
    return 'The admin key and the restricted key are the same; the restricted key must be one that may not update users.';
  }
  const ids = [userId, otherUserId, missingUserId].filter((id) => id !== undefined);
  const wrongId = ids.find((id) => !/^(0|-?[1-9]\d*)$/.test(id));
  if (wrongId !== undefined) return `${JSON.stringify(wrongId)} is no user id; give an integer such as 4.`;
  if (new Set(ids).size < ids.length) {
    return `The ids of the user, the other user and the missing user must differ; got ${ids.join(', ')}.`;
  }
  if (roleIds !== undefined) {
    const twin = firstTwin(roleIds, (left, right) => compareRoles(left, right) === 'same');
    if (twin !== undefined || roleIds.length < 2)
      return `Give at least two roles, each once; got ${JSON.stringify(roleIds)}.`;
  }
  if (!isDomain(emailDomain)) {
    return `${JSON.stringify(emailDomain)} is no domain in lower case, such as example.com.`;
  }
  return undefined;
}

/** Those of `names` that the operator has not given. */
export function missingInputs(inputs: Inputs, names: readonly InputName[]): InputName[] {
  return names.filter((name) => inputs[name] === undefined);
}
