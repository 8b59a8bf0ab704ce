import { documentedStatuses } from '../../../contract/document.ts';
import {
  inWords,
  isSafe,
  membersSent,
  objectBody,
  sends,
  sentIn,
  type Exchange,
  type RequestSpec,
} from '../../http/exchange.ts';
import { namedId } from '../../target/inputs.ts';
import { NAMED_USERS } from '../../target/user.ts';
import { seen } from '../../target/user-state.ts';
import { arePathsUnknown } from './address.ts';
import { firstOf, isErrorOfContract, isGood, statusOf, variable, type Facts, type HintTexts } from './facts.ts';

/** The requests to a subject with a key that got a response, in the order of completion. */
function requestsTo({ exchanges }: Facts, subject: RequestSpec['subject'], role: 'admin' | 'restricted'): Exchange[] {
  return exchanges.filter(
    ({ request, response }) =>
      response !== undefined &&
      request.subject === subject &&
      request.credential.role === role &&
      request.meant.id === 'valid',
  );
}

const hasValidBody = ({ request }: Exchange): boolean => request.meant.body === 'valid';
const shows = (exchange: Exchange, member: string): boolean => Object.hasOwn(objectBody(exchange) ?? {}, member);

/** The first valid request with the admin key to a user whom the target says it does not have. */
function notFound(facts: Facts, subject: 'user' | 'other-user'): Exchange | undefined {
  const requests = requestsTo(facts, subject, 'admin').filter(hasValidBody);
  const none = requests.every((each) => statusOf(each) === 404 && isErrorOfContract(each));
  return none && !arePathsUnknown(facts) ? requests[0] : undefined;
}

function notFoundText(input: 'userId' | 'otherUserId', { inputs }: Facts): string {
  return `The target says that there is no user ${inputs[input] ?? ''}. Set ${variable(input)} to the id of a user that exists and may be changed.`;
}

/** What was sent to change the user with the restricted key, where the admin key works. */
function restrictedUpdates(facts: Facts): Exchange[] {
  if (facts.nothingWorks) return [];
  return requestsTo(facts, 'user', 'restricted').filter(({ request }) => !isSafe(request));
}

/** Fewer responses without a member that was not sent may be an accident. */
const LEAST_HIDDEN = 3;

/** The members that the target shows only where they are sent. One that forgets what is not sent looks the same, unless it shows the rest. */
function hiddenMembers(facts: Facts): string[] {
  const accepted = requestsTo(facts, 'user', 'admin').filter(isGood);
  return ['name', 'email'].filter((member) => {
    const others = accepted.filter((each) => !sends(each, member));
    const isShown = (each: Exchange): boolean => shows(each, member);
    const isLost = (each: Exchange): boolean => seen(each, member, accepted).kind === 'removed';
    const isHidden = others.length >= LEAST_HIDDEN && !others.some((each) => isShown(each) || isLost(each));
    return isHidden && accepted.some(isShown);
  });
}

/**
 * Two values of a member of the user that are shown in turn, though no request sends either any more. What was neither sent like
 * that nor there from the start was made from something else, and may be made again.
 */
function valuesInTurn({
  exchanges,
}: Facts): { readonly member: string; readonly values: readonly string[] } | undefined {
  const own = exchanges.filter(({ request }) => request.subject === 'user').sort((a, b) => a.startedAt - b.startedAt);
  for (const member of ['name', 'email']) {
    const first = own.find((exchange) => isGood(exchange) && shows(exchange, member));
    const sentUntil = new Map<unknown, number>([
      [first && objectBody(first)?.[member], -Infinity],
      ...own.map((each) => [sentIn(each, member), each.startedAt + each.duration] as const),
    ]);
    const shown = own.flatMap((exchange) => {
      const value = isGood(exchange) ? objectBody(exchange)?.[member] : undefined;
      return typeof value === 'string' && exchange.startedAt >= (sentUntil.get(value) ?? Infinity) ? [value] : [];
    });
    const turns = shown.filter((value, index) => value !== shown[index - 1]);
    for (const [index, value] of turns.entries()) {
      const again = turns.indexOf(value, index + 1);
      const other = turns.slice(index + 1, Math.max(again, 0)).find((each) => turns.lastIndexOf(each) > again);
      if (other !== undefined) return { member, values: [value, other] };
    }
  }
  return undefined;
}

/** A valid request that gets such a response, between two of the same members that are accepted. */
function refusedInTurn(facts: Facts, isSuch: (exchange: Exchange) => boolean): Exchange | undefined {
  return (['user', 'other-user', 'none'] as const)
    .map((subject) => requestsTo(facts, subject, 'admin').filter(hasValidBody))
    .flatMap((requests) =>
      requests.filter((each, index) => {
        const isAlike = (other: Exchange): boolean => isGood(other) && membersSent(other) === membersSent(each);
        const isBetween = requests.slice(0, index).some(isAlike) && requests.slice(index + 1).some(isAlike);
        return isSuch(each) && isBetween;
      }),
    )[0];
}

/** The first update with a role, if all of them are refused while updates of the name alone are accepted. */
function refusedRole(facts: Facts): Exchange | undefined {
  const requests = requestsTo(facts, 'user', 'admin').filter(hasValidBody);
  const withRole = requests.filter((each) => sends(each, 'rootRole'));
  const isRefused = withRole.every((each) => [400, 404, 422].includes(statusOf(each)));
  const nameWorks = requests.some((each) => sends(each, 'name') && !sends(each, 'rootRole') && isGood(each));
  return isRefused && nameWorks ? withRole[0] : undefined;
}

/** Whether the target accepts the restricted key for an operation that it does not open to everybody. */
function isRestrictedKeyKnown({ exchanges }: Facts): boolean {
  const accepted = exchanges.filter(isGood);
  const opened = accepted.filter(({ request }) => request.credential.role === undefined);
  return accepted.some(
    ({ request }) =>
      request.credential.role === 'restricted' &&
      !opened.some((other) => other.request.operation === request.operation),
  );
}

/** What is wrong with the restricted key. */
function restrictedKey(facts: Facts): HintTexts {
  const updates = restrictedUpdates(facts);
  const valid = updates.filter(hasValidBody);
  return firstOf({
    'restricted-key-refused':
      updates[0] &&
      updates.every((each) => statusOf(each) === 401) &&
      !isRestrictedKeyKnown(facts) &&
      `The restricted key was refused with 401: the target does not know it. Set ${variable('restrictedKey')} to a valid key that may not update users.`,
    'restricted-key-permitted':
      valid[0] &&
      valid.every(isGood) &&
      `Every valid update with the restricted key was accepted. Either the target does not check permissions, or the key has this permission: set ${variable('restrictedKey')} to a key that may not update users.`,
  });
}

/** The first request that got a status that the contract does not list, and a listed one when it was sent again. */
function contended({ exchanges }: Facts): Exchange | undefined {
  const isListed = (each: Exchange): boolean => documentedStatuses(each.request.operation).includes(statusOf(each));
  return exchanges.find((each, index) => {
    const { purpose, body, path, subject } = each.request;
    if (!each.response || isListed(each) || !(NAMED_USERS as readonly string[]).includes(subject)) return false;
    const isAgain = ({ request }: Exchange): boolean =>
      request.purpose === purpose && request.body === body && request.path === path;
    return exchanges.slice(index).some((later) => isListed(later) && isAgain(later));
  });
}

/** Hints on the users, the roles and the restricted key. */
export function userHints(facts: Facts): HintTexts {
  const { inputs } = facts;
  const user = notFound(facts, 'user');
  const existing = requestsTo(facts, 'missing-user', 'admin').find(
    (exchange) => isGood(exchange) && String(objectBody(exchange)?.id) === inputs.missingUserId,
  );
  const role = refusedRole(facts);
  const hidden = hiddenMembers(facts);
  const missed = refusedInTurn(facts, (each) => statusOf(each) === 404);
  // What a parser responds to the rest of another request.
  const misread = refusedInTurn(
    facts,
    (each) => [400, 405, 414, 501, 505].includes(statusOf(each)) && objectBody(each) === undefined,
  );
  const locked = contended(facts);
  const turns = valuesInTurn(facts);
  return {
    'user-not-found':
      user &&
      `${notFoundText('userId', facts)} If the target does not implement ${user.request.operation} yet, use --only to select other operations.`,
    'other-user-not-found': notFound(facts, 'other-user') && notFoundText('otherUserId', facts),
    'missing-user-exists':
      existing &&
      `A request for the user ${inputs.missingUserId ?? ''}, who should be missing, got ${statusOf(existing)} with this user. It looks as if the user exists: set ${variable('missingUserId')} to an id that no user has. (A target that creates users on update breaks the contract.)`,
    'roles-refused':
      role &&
      `Every update with a rootRole was refused with ${statusOf(role)}, while updates without one are accepted. It looks as if the target does not know the roles ${JSON.stringify(inputs.roleIds)}: set ${variable('roleIds')} to JSON values that it accepts, such as 1,2 or '"Admin","Editor"'.`,
    ...restrictedKey(facts),
    'shown-where-sent-only':
      hidden.length > 0 &&
      `The target shows ${hidden.join(' and ')} only in responses to updates that send ${hidden.length === 1 ? 'it' : 'them'}. So nobody can see whether an update keeps what it does not send: a target that loses it would look the same. Look at the stored user after an update of the name alone, or show the whole user in each response and run again.`,
    'user-in-turn':
      missed &&
      `A valid update of user ${namedId(inputs, missed.request.subject) ?? ''} got 404, though others of the same members got 200 before and after it. It looks as if requests read the users while another one writes them, or as if several processes serve the target, each with users of its own. Run again with --concurrency 1: what fails only without it comes from concurrent requests.`,
    'body-left-unread':
      misread &&
      `A valid request got ${statusOf(misread)}, though others of the same members got 200 before and after it. It looks as if the target reads the body that a refused request left unread in the connection as the next request. Read or discard the body of each request before responding, or close the connection.`,
    'user-locked':
      locked &&
      !misread &&
      `A request to user ${namedId(inputs, locked.request.subject) ?? ''} got ${statusOf(locked)} among concurrent ones, and another status by itself; that one is judged. It looks as if the target refuses what comes while it changes the user. The contract lists no ${statusOf(locked)}: let such a request wait.`,
    'values-in-turn':
      turns &&
      `Without any update in between, the target shows ${inWords(turns.values[0])} as ${turns.member}, then ${inWords(turns.values[1])}, then the first one again. It looks as if several processes serve it, each with users of its own, or as if some responses come from a cache. Keep the users in one place, and run again.`,
  };
}
