import type { Check } from '../../model/check.ts';
import type { Notes } from '../../model/facts.ts';
import type { View } from '../../model/recording/view.ts';

/**
 * The check of the random sequences of `--explore`. It is part of a run only where something is explored, so it is not in the
 * catalogue. Source: What the service does, 1; Endpoints, PUT user, rule.
 */
export const explorationCheck: Check = {
  id: 'update-explored',
  area: 'update',
  level: 'must',
  requirements: ['update.sent-fields-change', 'update.unsent-fields-keep'],
  title: 'Random sequences of updates change what they send and nothing else',
  operations: ['updateUser'],
  needs: ['adminKey', 'userId'],
  uses: [],
  failureModes: {
    refused: 'A valid update was refused after other updates. Accept it whatever was sent before.',
    'not-kept':
      'A member that was not sent no longer has the value that an earlier update gave it. Change only the members in the body.',
    'not-stored':
      'The response to an update does not show what was sent. Store it, and respond with the user as it is after the update.',
    'other-user-changed':
      'An update changed a user whose id was not in the path. Update only the user whose id is in the path.',
  },
};

/** Judges what an exploration found. */
export function judgeExploration({ exploration }: View, notes: Notes): void {
  if (!exploration) return;
  const { seed, sequences, requests, witnesses, finding, obstacle } = exploration;
  const checks = [explorationCheck.id];
  const [x] = finding?.exchanges.slice(-1) ?? [];
  if (finding && x) {
    const { mode, member, expected, actual, exchanges } = finding;
    const message = `After ${exchanges.length - 1} other requests (sequence ${sequences} with seed ${seed}): ${finding.message}`;
    const own = { x, shows: exchanges, checks, requirements: explorationCheck.requirements };
    const pointer = member === undefined ? {} : { pointer: `/${member}` };
    notes.deviates({ kind: 'explored', ...own, mode, expected, actual, message, ...pointer });
  } else if (obstacle !== undefined)
    notes.doubtful(checks, { reason: 'precondition-failed', detail: obstacle, exchanges: [] });
  else {
    for (const each of witnesses) notes.holds(checks, each);
    notes.details.set(explorationCheck.id, `${sequences} sequences of ${requests} requests in all, seed ${seed}`);
  }
}
