/** Where a response shows a user. */
import { isRecord } from '../../common/json.ts';
import type { Response } from '../facts/exchange.ts';
import type { User } from './differences.ts';

/** How a target shows a user in the response to an update. */
export interface Form {
  /** The statuses of the responses that show one. The contract knows only 200. */
  readonly statuses: readonly number[];
  /** Whether the user may stand in an envelope. By the contract it does not. */
  readonly isEnveloped: boolean;
}

/** Where any response of success may show a user, in an envelope or not. */
export const ANY_FORM: Form = {
  statuses: Array.from({ length: 100 }, (_each, index) => 200 + index),
  isEnveloped: true,
};

/** Whether a user has this id. Ids may be larger than a JavaScript number holds. */
function isOf({ id: shown }: User, id: string): boolean {
  if (typeof shown === 'number') return String(shown) === id || (!Number.isSafeInteger(shown) && shown === Number(id));
  return shown === undefined || shown === id;
}

/** Whether something may be a user that an envelope contains. A role can also be an object with an id. */
const isInside = ([name, value]: readonly [string, unknown]): boolean =>
  name !== 'rootRole' && isRecord(value) && Object.hasOwn(value, 'id');

/** The user within an envelope: the only object with an `id` in an object, or list, without one. Undefined if there is none. */
export function userInEnvelope(json: unknown): User | undefined {
  if (typeof json !== 'object' || json === null || Object.hasOwn(json, 'id')) return undefined;
  const users = Object.entries(json).filter(isInside);
  return users.length === 1 ? (users[0]?.[1] as User) : undefined;
}

/** The user in a response, whoever it is; undefined if it shows none. */
function anyUserIn({ status, json }: Response, { statuses, isEnveloped }: Form): User | undefined {
  if (!statuses.includes(status)) return undefined;
  const user = (isEnveloped ? userInEnvelope(json) : undefined) ?? json;
  return isRecord(user) ? user : undefined;
}

/** The user with this id in a response; undefined if it shows none, or another one. */
export function userIn(response: Response, id: string, form: Form): User | undefined {
  const user = anyUserIn(response, form);
  return user && isOf(user, id) ? user : undefined;
}

/** The id of the user that a response shows, whoever it is. */
export function idShownIn(response: Response, form: Form): unknown {
  return anyUserIn(response, form)?.id;
}
