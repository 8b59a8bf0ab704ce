import type { Check } from '../../judging/check.ts';
import {
  blockedOrUnsent,
  failed,
  notObservable,
  passed,
  preconditionFailed,
  unlessWriteWasLost,
} from '../../judging/outcomes.ts';

/**
 * Judges the random sequences of `--explore`. It is part of a run only where something is explored, so it is not in the
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
  judge: (evidence) => {
    const { exploration } = evidence;
    if (!exploration) return blockedOrUnsent(evidence, 'updateUser', 'the run ended before anything was explored');
    const { seed, sequences, requests, witnesses, finding, obstacle } = exploration;
    if (finding) {
      const { mode, member, expected, actual, exchanges } = finding;
      const message = `After ${exchanges.length - 1} other requests (sequence ${sequences} with seed ${seed}): ${finding.message}`;
      const pointer = member === undefined ? {} : { pointer: `/${member}` };
      const judgement = failed({ mode, expected, actual, message, ...pointer }, ...exchanges.slice(-1));
      return unlessWriteWasLost(evidence, { ...judgement, replay: exchanges });
    }
    if (obstacle !== undefined) return preconditionFailed(obstacle);
    if (witnesses.length === 0) return notObservable('no response showed what an earlier update had sent');
    return { ...passed(witnesses), detail: `${sequences} sequences of ${requests} requests in all, seed ${seed}` };
  },
};
