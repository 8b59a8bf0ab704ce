import { isAccepted } from '../../../http/exchange.ts';
import type { Check } from '../../../judging/check.ts';
import type { Evidence, Round } from '../../../judging/evidence.ts';
import { blockedOrUnsent, judgeNoResponse, preconditionFailed } from '../../../judging/outcomes.ts';
import { UPDATE_USER } from '../requests.ts';
import { CONTROLS, OTHER_ID_IN_BODY, SUBSETS, UPDATE_OTHER_USER } from '../scenarios.ts';
import {
  allAnswered200,
  ifStored,
  judgeKept,
  judgeShown,
  judgeStored,
  judgeUntouchedUser,
  LOST_MODES,
  onTakenUpdates,
  roundsOf,
  STALE_MODES,
  STORED_MODES,
  UNTOUCHED_USER_MEMBERS,
  UNTOUCHED_USER_MODES,
  updateCheck,
} from './update-check.ts';

/** Source: Endpoints, PUT user; What the service does, 1. */
export function isolationChecks(): Check[] {
  const ownScenarios = SUBSETS.filter(({ members }) => !members.includes('rootRole')).map(({ scenario }) => scenario);
  const roundsOfAll = (evidence: Evidence): Round[] =>
    SUBSETS.flatMap(({ scenario }) => [...roundsOf(evidence, scenario)]).filter((round) => allAnswered200([round]));
  return [
    updateCheck({
      id: 'update-spares-other-user',
      requirements: ['update.addressed-user-only'],
      title: 'An update of one user leaves the other user as it was',
      scenarios: ownScenarios,
      needs: ['otherUserId'],
      failureModes: UNTOUCHED_USER_MODES,
      judge: (evidence) => {
        const rounds = roundsOfAll(evidence);
        if (rounds.length === 0) return blockedOrUnsent(evidence, UPDATE_USER, 'no update of the user was accepted');
        const judgement = judgeUntouchedUser('other-user', UNTOUCHED_USER_MEMBERS, rounds, evidence);
        return ifStored(
          roundsOf(evidence, CONTROLS.nameAndEmail.traffic),
          evidence,
          'user',
          ['name', 'email'],
          judgement,
        );
      },
    }),
    updateCheck({
      id: 'update-body-id-spares-other-user',
      requirements: ['update.addressed-user-only'],
      title: 'An `id` in the body does not make the update reach another user',
      scenarios: [OTHER_ID_IN_BODY],
      failureModes: UNTOUCHED_USER_MODES,
      judge: (evidence) => {
        const rounds = roundsOf(evidence, OTHER_ID_IN_BODY);
        if (rounds.length === 0)
          return blockedOrUnsent(evidence, UPDATE_USER, 'the run ended before the update was sent');
        const updates = rounds.flatMap((round) => round.updates);
        const unanswered = updates.find(({ transportError }) => transportError);
        if (unanswered) return judgeNoResponse(unanswered, evidence);
        const judgement = judgeUntouchedUser('other-user', UNTOUCHED_USER_MEMBERS, rounds, evidence);
        const taken = rounds.filter((round) => round.updates.every(isAccepted));
        return taken.length === 0 ? judgement : ifStored(taken, evidence, 'user', ['name'], judgement);
      },
    }),
    updateCheck({
      id: 'update-other-user-stored',
      requirements: ['update.addressed-user-only', 'update.sent-fields-change'],
      title: 'An update of the other user changes the other user',
      scenarios: [UPDATE_OTHER_USER, CONTROLS.nameAndEmail.traffic],
      failureModes: STORED_MODES,
      judge: (evidence) => {
        const ownScenario = CONTROLS.nameAndEmail.traffic;
        const own = onTakenUpdates(ownScenario, judgeStored('user', ['name', 'email']))(evidence);
        if (own.outcome === 'failed')
          return preconditionFailed('what is sent for the first user is not stored either', own.exchanges);
        return onTakenUpdates(UPDATE_OTHER_USER, judgeStored('other-user', ['name', 'email']))(evidence);
      },
    }),
    updateCheck({
      id: 'update-other-user-shown',
      requirements: ['update.answer-shows-user'],
      title: 'The answer to an update of the other user shows what was sent',
      scenarios: [UPDATE_OTHER_USER],
      failureModes: STALE_MODES,
      judge: onTakenUpdates(UPDATE_OTHER_USER, (rounds, evidence) =>
        judgeShown(evidence, 'other-user', ['name', 'email'], rounds),
      ),
    }),
    updateCheck({
      id: 'update-other-user-keeps-role',
      requirements: ['update.unsent-fields-keep'],
      title: 'An update of the other user with `name` and `email` leaves its `rootRole` as it was',
      scenarios: [UPDATE_OTHER_USER],
      failureModes: LOST_MODES,
      judge: onTakenUpdates(UPDATE_OTHER_USER, (rounds, evidence) =>
        ifStored(
          rounds,
          evidence,
          'other-user',
          ['name', 'email'],
          judgeKept(evidence, 'other-user', 'rootRole', rounds).judgement,
        ),
      ),
    }),
    updateCheck({
      id: 'update-other-user-spares-user',
      requirements: ['update.addressed-user-only'],
      title: 'An update of the other user leaves the first user as it was',
      scenarios: [UPDATE_OTHER_USER],
      failureModes: UNTOUCHED_USER_MODES,
      judge: onTakenUpdates(UPDATE_OTHER_USER, (rounds, evidence) => {
        const judgement = judgeUntouchedUser('user', UNTOUCHED_USER_MEMBERS, rounds, evidence);
        return ifStored(rounds, evidence, 'other-user', ['name', 'email'], judgement);
      }),
    }),
  ];
}
