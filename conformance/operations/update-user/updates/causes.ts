import { isDeepStrictEqual } from 'node:util';
import { schema } from '../../../../contract/document.ts';
import { objectBody, sentBody } from '../../../http/exchange.ts';
import type { Evidence } from '../../../judging/evidence.ts';
import { isUpdatable, type NamedUser, NAMED_USERS } from '../../../target/user.ts';
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

/** The checks that the two users are kept apart, if the other one was sent one of these values, or shows it. */
export function causesOfMix({ history }: Evidence, subject: NamedUser, ...values: unknown[]): readonly string[] {
  const ofOther = NAMED_USERS.filter((other) => other !== subject).flatMap((other) => history(other));
  const has = (members: object | undefined): boolean =>
    Object.values(members ?? {}).some((each) => values.some((value) => isDeepStrictEqual(each, value)));
  return ofOther.some((each) => has(sentBody(each.request)) || has(objectBody(each))) ? ISOLATION_CHECKS : [];
}

/** The checks that an update leaves a member alone that it does not send. */
export function lossChecks(member: string): readonly string[] {
  if (!isUpdatable(member)) return [];
  const others = SUBSETS.filter(({ members }) => !members.includes(member));
  return [EMPTY_BODY_CHECK, ...others.map(({ id }) => `update-${id}-keeps-${slugOf(member)}`)];
}
