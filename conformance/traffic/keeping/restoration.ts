import { namedAs, type Writable } from '../../resources/inputs.ts';

/** What came of restoring a member, in words. */
export const MEMBER_RESTORATIONS = {
  restored: 'it was restored, and the target shows it so',
  sent: 'it was sent back and accepted, but the target does not show it',
  'not-restored': 'it could not be restored',
  remains: 'the user did not have it before the run, and an update cannot remove it',
  unavailable: 'it could not be restored now, since the target was not available',
} as const satisfies Record<MemberRestoration['outcome'], string>;

/** Why a member is not restored that nothing can restore. */
export const NEVER_SHOWN = 'the target did not show its value before the first write';

/** What came of restoring one member of a user. */
export interface MemberRestoration {
  /** The member. */
  readonly member: string;
  /** `restored`: the target shows it as before. `sent`: it was accepted, but is not shown. `not-restored`: it is not as before, or that could not be seen. `unavailable`: the same, since no response came, or one with 429 or 5xx. `remains`: the run brought it, and an update cannot remove it. */
  readonly outcome: 'restored' | 'sent' | 'not-restored' | 'unavailable' | 'remains';
  /** Why it was not restored; present with `not-restored` and `unavailable`. */
  readonly detail?: string;
}

/** What came of restoring one user, or something else that operations write. */
export interface UserRestoration {
  /** Which of those that were named. */
  readonly subject: Writable;
  /** Its id. */
  readonly id: string;
  /** The members that were written or had changed. */
  readonly members: readonly MemberRestoration[];
}

/** What was named, in words: "user 4". */
export function nameOf({ subject, id }: Pick<UserRestoration, 'subject' | 'id'>): string {
  return `${namedAs(subject)?.resource ?? subject} ${id}`;
}

/** Whether everything that was written of a user was seen as it was before. */
export function isRestored({ members }: UserRestoration): boolean {
  return members.every(({ outcome }) => outcome === 'restored');
}

/** Whether nothing of a user is left to try again. */
export function isSettled({ members }: UserRestoration): boolean {
  return members.every(
    ({ outcome, detail }) => outcome === 'restored' || outcome === 'remains' || detail === NEVER_SHOWN,
  );
}

/** What came of restoring the users. */
export interface Restoration {
  /** none: nothing was written. complete: every member that was written is as before. */
  readonly outcome: 'none' | 'complete' | 'partial';
  /** The users that were written to. */
  readonly users: readonly UserRestoration[];
  /** Where the journal was left, if there is something to try again. */
  readonly journal?: string;
}

/** Whether users are left changed that could not be restored only because the target was not available. */
export function isUnavailable({ users }: Restoration): boolean {
  return users.some(({ members }) => members.some(({ outcome }) => outcome === 'unavailable'));
}
