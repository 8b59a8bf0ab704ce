import { type Due, UNSPECIFIED } from '../../http/due.ts';
import type { Writable } from '../../resources/inputs.ts';
import { UPDATABLE, type Updatable, slugOf } from '../../resources/user/members.ts';

/** A valid update that sends some members. Source: Endpoints, PUT user, responses. */
export function validUpdate(subject: Writable, members: readonly Updatable[]): Due {
  const ofMembers = subject === 'user' && members.length > 0 ? [`update-${slugsOf(members)}-accepted`] : [];
  return {
    class: 'accept',
    statuses: [200],
    requirements: ['update.success-is-200'],
    level: 'must',
    checks: ['update-always-200', ...ofMembers],
  };
}

/** Members in ids of checks, in the order of the contract. */
export function slugsOf(members: readonly Updatable[]): string {
  return UPDATABLE.filter((member) => members.includes(member))
    .map(slugOf)
    .join('-');
}

/** The body `{}`, which is accepted or refused, and changes nothing (open.empty-body). */
export const EMPTY_UPDATE: Due = {
  class: 'either',
  statuses: [200, 400],
  requirements: ['update.empty-body-changes-nothing'],
  level: 'must',
  checks: ['update-empty-body'],
  role: 'reading',
};

/** An update that shows the user, and of which the contract does not say whether it is accepted. */
export const READING_UPDATE: Due = { ...UNSPECIFIED, role: 'reading' };

/** An update that may be refused for its unusual body; accepted, it stores one of some values. */
export function eitherUpdate(
  checks: readonly string[],
  requirements: readonly string[],
  options: Pick<Due, 'role' | 'stores'>,
): Due {
  return { class: 'either', statuses: [200, 400], requirements, level: 'should', checks, ...options };
}
