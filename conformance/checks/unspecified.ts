/** Requests whose meaning the contract leaves open: what a target makes of them is observed, and never judged. */
import type { Attempt } from '../engine/attempt.ts';

/** Other spellings of an id that is an integer, as functions of some languages read it. */
export function spellingsOf(id: string): string[] {
  if (id.startsWith('-')) return [`-0${id.slice(1)}`, `${id}.0`];
  return [`0${id}`, `${id}.0`, `+${id}`, `0x${BigInt(id).toString(16)}`, `0_${id}`, `%20${id}`];
}

/** Sends the requests that serve only observations. They change nothing, whatever a target makes of them. */
export async function sendForObservations(attempt: Attempt): Promise<void> {
  const { user } = attempt;
  const plain = user.update({}, { openBodies: [400, 404] });
  const requests = spellingsOf(user.id).map((segment) => ({ ...plain, path: `/api/admin/user-admin/${segment}` }));
  await Promise.all(requests.map((request) => attempt.probe(request)));
}
