import { schema } from '../../../contract/document.ts';

/** A member of a user that an update can send (source: Endpoints, PUT user, request body). */
export type Updatable = 'name' | 'email' | 'rootRole';

/** The members that an update can send. */
export const UPDATABLE: readonly Updatable[] = ['name', 'email', 'rootRole'];

const MEMBERS = schema('createUserResponseSchema').properties;

/** The members of a user, except its id, that an update cannot send. */
export const NOT_SENDABLE: readonly string[] = Object.keys(MEMBERS).filter(
  (member) => member !== 'id' && !isUpdatable(member),
);

/** Members that no update touches: only fields that are sent change (source: What the service does, 1); a server may derive others. */
export const UNTOUCHED_MEMBERS = NOT_SENDABLE.filter((member) => MEMBERS[member]?.['x-derived'] !== true);

/** A member in ids of checks. */
export const slugOf = (member: string): string => (member === 'rootRole' ? 'role' : member);

/** The check that updates leave a member alone that they cannot send. */
export function untouchedCheckOf(member: string): string {
  return `update-keeps-${member.replaceAll(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`)}`;
}

/** The name of a member that the contract does not know. */
export const UNKNOWN_MEMBER = 'conformanceProbe';

/** The members that no user of the contract has, and that the suite sends. */
const FOREIGN_MEMBERS: readonly string[] = [
  ...[UNKNOWN_MEMBER, 'NAME', 'Name'],
  ...['__proto__', 'constructor', 'hasOwnProperty', 'toString', '', 'a\u0000', '$set'],
];

/** The members that no run may leave changed: those that no update touches, and what the suite sends beside them. */
export const LASTING_MEMBERS: readonly string[] = ['id', ...UNTOUCHED_MEMBERS, ...FOREIGN_MEMBERS];

/** Whether a member that a user did not have before a run comes from the run. */
export function isForeign(member: string): boolean {
  return FOREIGN_MEMBERS.includes(member);
}

/** Whether an update can send a member. */
export function isUpdatable(member: string): member is Updatable {
  return (UPDATABLE as readonly string[]).includes(member);
}

/** One of the two users that the suite may change: that of `userId`, or that of `otherUserId`. */
export type NamedUser = 'user' | 'other-user';

/** Both named users, in the order of their inputs. */
export const NAMED_USERS: readonly NamedUser[] = ['user', 'other-user'];
