import { isAccepted } from '../../../http/exchange.ts';
import type { Check } from '../../../judging/check.ts';
import { blockedOrUnsent, judgeNoResponse } from '../../../judging/outcomes.ts';
import { CONTROLS, OTHER_ID_IN_BODY, SUBSETS, UPDATE_OTHER_USER, WITHOUT_ROLE } from '../scenarios.ts';
import { ifStored, kept, LOST_MODES, shown, STALE_MODES, stored, STORED_MODES } from './effects.ts';
import { untouched, UNTOUCHED_USER_MODES } from './untouched.ts';
import { onAcceptedUpdates, roundsOf, UNSENT, type UpdateCheck, updateCheck, updatesOf } from './update-check.ts';

const ADDRESSED_ONLY = ['update.addressed-user-only'];
const NAME_AND_EMAIL = ['name', 'email'] as const;

function otherUserCheck(given: Omit<UpdateCheck, 'scenarios'> & Partial<Pick<UpdateCheck, 'scenarios'>>): Check {
  return updateCheck({ scenarios: [UPDATE_OTHER_USER], ...given });
}

/** Source: Endpoints, PUT user; What the service does, 1. */
export const isolationChecks: readonly Check[] = [
  otherUserCheck({
    id: 'update-spares-other-user',
    requirements: ADDRESSED_ONLY,
    title: 'An update of one user leaves the other user as it was',
    scenarios: WITHOUT_ROLE,
    needs: ['otherUserId'],
    failureModes: UNTOUCHED_USER_MODES,
    judge: (evidence) => {
      const rounds = SUBSETS.flatMap(({ scenario }) => roundsOf(evidence, scenario)).filter(({ updates }) =>
        updates.every(({ response }) => response?.status === 200),
      );
      if (rounds.length === 0) return blockedOrUnsent(evidence, 'updateUser', 'no update of the user was accepted');
      const ofOtherUser = () => untouched('other-user')(rounds, evidence);
      return ifStored('user', NAME_AND_EMAIL, ofOtherUser)(roundsOf(evidence, CONTROLS.nameAndEmail.traffic), evidence);
    },
  }),
  otherUserCheck({
    id: 'update-body-id-spares-other-user',
    requirements: ADDRESSED_ONLY,
    title: 'An `id` in the body does not make the update reach another user',
    scenarios: [OTHER_ID_IN_BODY],
    failureModes: UNTOUCHED_USER_MODES,
    judge: (evidence) => {
      const rounds = roundsOf(evidence, OTHER_ID_IN_BODY);
      if (rounds.length === 0) return blockedOrUnsent(evidence, 'updateUser', UNSENT);
      const unanswered = judgeNoResponse(updatesOf(rounds), evidence);
      if (unanswered) return unanswered;
      const accepted = rounds.filter(({ updates }) => updates.every(isAccepted));
      const ofOtherUser = () => untouched('other-user')(rounds, evidence);
      return accepted.length === 0 ? ofOtherUser() : ifStored('user', ['name'], ofOtherUser)(accepted, evidence);
    },
  }),
  otherUserCheck({
    id: 'update-other-user-stored',
    requirements: ['update.sent-fields-change'],
    title: 'An update of the other user changes the other user',
    scenarios: [UPDATE_OTHER_USER, CONTROLS.nameAndEmail.traffic],
    failureModes: STORED_MODES,
    restsOn: ['update-name-email-stored'],
    judge: onAcceptedUpdates(UPDATE_OTHER_USER, stored('other-user', NAME_AND_EMAIL)),
  }),
  otherUserCheck({
    id: 'update-other-user-shown',
    requirements: ['update.answer-shows-user'],
    title: 'The response to an update of the other user shows what was sent',
    failureModes: STALE_MODES,
    restsOn: ['update-other-user-stored'],
    judge: onAcceptedUpdates(UPDATE_OTHER_USER, shown('other-user', NAME_AND_EMAIL)),
  }),
  otherUserCheck({
    id: 'update-other-user-keeps-role',
    requirements: ['update.unsent-fields-keep'],
    title: 'An update of the other user with `name` and `email` leaves its `rootRole` as it was',
    failureModes: LOST_MODES,
    restsOn: ['name-email-role', 'role', 'other-user'].map((id) => `update-${id}-stored`),
    judge: onAcceptedUpdates(UPDATE_OTHER_USER, ifStored('other-user', NAME_AND_EMAIL, kept('other-user', 'rootRole'))),
  }),
  otherUserCheck({
    id: 'update-other-user-spares-user',
    requirements: ADDRESSED_ONLY,
    title: 'An update of the other user leaves the first user as it was',
    failureModes: UNTOUCHED_USER_MODES,
    judge: onAcceptedUpdates(UPDATE_OTHER_USER, ifStored('other-user', NAME_AND_EMAIL, untouched('user'))),
  }),
];
