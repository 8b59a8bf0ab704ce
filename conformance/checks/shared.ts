import type { Attempt } from '../engine/attempt.ts';
import type { Sending } from '../engine/claims.ts';
import type { Request } from '../facts/exchange.ts';

/** For requests whose refusal may have any 4xx status. */
export const ANY_4XX: readonly number[] = Array.from({ length: 100 }, (_each, index) => 400 + index);

/** A key that no server has issued. */
export const UNKNOWN_KEY = 'conformance-unknown-1f3a9c02';

/** What every check of unusual updates, or of several in a row, builds upon. */
export const PLAIN_UPDATES_WORK: readonly string[] = [
  'update.success-is-200',
  'update.fields-optional',
  'update.sent-fields-change',
  'update.answer-shows-user',
  'update.unsent-fields-keep',
  'update.addressed-user-only',
];

/** What unusual updates of one user, and several updates in a row, have in common. */
export const UNUSUAL = { requires: PLAIN_UPDATES_WORK, eitherUser: true } as const;

/** Valid updates of each kind, to be refused for their key. */
export function updatesOfEachKind(
  { user, other, inputs }: Attempt,
  sending: Sending,
): readonly (Request | undefined)[] {
  const { name, email } = user.last;
  const isStored = typeof name === 'string' && typeof email === 'string';
  return [
    user.update(user.newValues(['name']), sending),
    user.update(user.newValues(['email']), sending),
    user.update(user.newValues(), sending),
    inputs.roleIds && user.update(user.newValues(['rootRole']), sending),
    isStored ? user.update({ name, email }, sending) : undefined,
    inputs.otherUserId === undefined ? undefined : other.update(other.newValues(['name', 'email']), sending),
  ];
}

/** Updates that must be refused, for an invalid member or for their key. */
export function refusedUpdates({ user, fresh, inputs: { restrictedKey } }: Attempt): readonly Request[] {
  const keys = [undefined, UNKNOWN_KEY, ...(restrictedKey === undefined ? [] : [restrictedKey])];
  return [
    user.update({ email: fresh.email(), name: 5 }),
    ...keys.map((key) => user.update(user.newValues(['name', 'email']), { headers: { Authorization: key } })),
  ];
}
