/** What several files of checks send, or build upon. */
import type { Attempt } from '../engine/attempt.ts';
import type { Refusal } from '../engine/user-handle.ts';
import type { Request } from '../facts/exchange.ts';
import type { Sending } from '../http/target.ts';

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

/** If a server demands other members with each one, its refusal of a single member says nothing. */
export const SINGLE_MEMBERS_ACCEPTED: readonly string[] = ['update.fields-optional'];

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
export function refusedUpdates({ user, fresh, inputs: { restrictedKey } }: Attempt): readonly Refusal[] {
  const withKey = (key: string | undefined): Request =>
    user.update(user.newValues(['name', 'email']), { headers: { Authorization: key } });
  const refusals = [
    {
      request: user.update({ email: fresh.email(), name: 5 }),
      requirement: 'request-body.name-type',
      refusedWith: [400],
      how: 'with a number as `name`',
    },
    { request: withKey(undefined), requirement: 'auth.key-required', refusedWith: [401], how: 'without a key' },
    { request: withKey(UNKNOWN_KEY), requirement: 'auth.key-valid', refusedWith: [401], how: 'with an unknown key' },
  ];
  if (restrictedKey === undefined) return refusals;
  const forbidden = { requirement: 'permission.refused', refusedWith: [403], how: 'with the restricted key' };
  return [...refusals, { request: withKey(restrictedKey), ...forbidden }];
}
