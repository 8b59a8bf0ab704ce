import { isDeepStrictEqual } from 'node:util';
import { rememberingEach } from '../../../../common/json.ts';
import { schema } from '../../../../contract/document.ts';
import { type Exchange, isAccepted, objectBody, sentBody } from '../../../http/exchange.ts';
import type { Evidence } from '../../../judging/evidence.ts';
import { isUpdatable, type NamedUser, NAMED_USERS, UPDATABLE, type Updatable } from '../../../target/user.ts';
import { slugOf, SUBSETS } from '../scenarios.ts';

/** The check of the body `{}`, by which the state is read. */
export const EMPTY_BODY_CHECK = 'update-empty-body';
/** The checks that an update of one user leaves the other one alone. */
export const ISOLATION_CHECKS = [
  'update-spares-other-user',
  'update-body-id-spares-other-user',
  'update-other-user-spares-user',
];
/** The check that an update of the other user is stored. */
export const OTHER_STORED_CHECK = 'update-other-user-stored';

/** The check that a member has the right type, wherever it is shown. */
export function typeCheckOf(member: string): string {
  const [{ id = member } = {}] = (schema('createUserResponseSchema').properties[member]?.['x-requirements'] ?? []) as {
    readonly id?: string;
  }[];
  return id.replace('.', '-');
}

/** Begins the ids of scenarios whose updates a conforming target may refuse for their values. */
export const UNUSUAL = 'unusual-';

/** Whether a request got a 5xx status, or no response at all. */
function broke({ response, transportError }: Exchange): boolean {
  return transportError?.kind === 'closed' || (response?.status ?? 0) >= 500;
}

/** Whether a request is an update of the same user, with the admin key. */
function isLike({ request: { operation, subject } }: Exchange, { request }: Exchange): boolean {
  return request.operation === operation && request.subject === subject && request.credential.role === 'admin';
}

/**
 * The updates of the user that an update broke: those that fail after it, until another one is sent or accepted, or the
 * target does not survive the path of a third.
 */
export function damageBy(update: Exchange, { exchanges }: Evidence): readonly Exchange[] {
  const after = exchanges.filter(({ startedAt }) => startedAt > update.startedAt);
  const fatal = after.find(
    ({ request, transportError }) => request.meant.id !== 'valid' && transportError !== undefined,
  );
  const later = after.filter((each) => isLike(update, each) && each.startedAt < (fatal?.startedAt ?? Infinity));
  const end = later.findIndex(
    (each) =>
      Object.keys(sentBody(each.request) ?? {}).length > 0 && (isAccepted(each) || each.request.meant.body !== 'valid'),
  );
  return later.slice(0, end === -1 ? later.length : end).filter(broke);
}

/** The updates of a user right before another one, if they failed as it did. */
export function brokenBefore(update: Exchange, { exchanges }: Evidence): readonly Exchange[] {
  if (!broke(update)) return [];
  const earlier = exchanges.filter((each) => each.startedAt < update.startedAt && isLike(update, each));
  return earlier.slice(earlier.findLastIndex((each) => !broke(each)) + 1);
}

/** Everything that unusual or invalid updates broke: their checks report it. */
export const damage = rememberingEach((evidence: Evidence): ReadonlySet<Exchange> => {
  const unusual = [...evidence.scenarios].filter(([id]) => id.startsWith(UNUSUAL));
  const updates = unusual.flatMap(([, { rounds }]) => rounds.flatMap((round) => round.updates));
  const invalid = evidence.exchanges.filter((each) => {
    const { meant, credential, subject } = each.request;
    const isOwn = credential.role === 'admin' && NAMED_USERS.some((user) => user === subject);
    return isOwn && meant.id === 'valid' && meant.body === 'invalid' && (isAccepted(each) || broke(each));
  });
  return new Set([...updates, ...invalid].flatMap((update) => damageBy(update, evidence)));
});

/** The checks that the two users are kept apart, if the other one was sent one of these values, or shows it. */
export function causesOfMix({ history }: Evidence, subject: NamedUser, ...values: unknown[]): readonly string[] {
  const ofOther = NAMED_USERS.filter((other) => other !== subject).flatMap((other) => history(other));
  const has = (members: object | undefined): boolean =>
    Object.values(members ?? {}).some((each) => values.some((value) => isDeepStrictEqual(each, value)));
  return ofOther.some((each) => has(sentBody(each.request)) || has(objectBody(each))) ? ISOLATION_CHECKS : [];
}

/** The checks that an update with some members leaves another one alone: their ids, and that member. */
export const KEEPS_CHECKS = SUBSETS.flatMap((subset) =>
  UPDATABLE.filter((member) => !subset.members.includes(member)).map((member) => {
    return { id: `update-${subset.id}-keeps-${slugOf(member)}`, subset, member };
  }),
);

/** The checks that an update with some members is stored. */
export function storedChecks(subject: NamedUser, members: readonly Updatable[]): readonly string[] {
  if (subject === 'other-user') return [OTHER_STORED_CHECK];
  return SUBSETS.filter((subset) => members.some((member) => subset.members.includes(member))).map(
    ({ id }) => `update-${id}-stored`,
  );
}

/** The checks that explain why a member is not shown: it is lost, another type, or not yet the new one. */
export function hidingChecks(member: string): readonly string[] {
  const ofUpdates = isUpdatable(member) ? SUBSETS.filter((subset) => subset.members.includes(member)) : [];
  return [typeCheckOf(member), ...lossChecks(member), ...ofUpdates.map(({ id }) => `update-${id}-shown`)];
}

/** The checks that an update leaves a member alone that it does not send. */
export function lossChecks(member: string): readonly string[] {
  if (!isUpdatable(member)) return [];
  return [EMPTY_BODY_CHECK, ...KEEPS_CHECKS.filter((each) => each.member === member).map(({ id }) => id)];
}
