import { isDeepStrictEqual } from 'node:util';
import { inWords, sends, sentIn } from '../../../http/exchange.ts';
import type { Check } from '../../../judging/check.ts';
import type { Evidence } from '../../../judging/evidence.ts';
import {
  blockedOrUnsent,
  explainedBy,
  failed,
  notApplicable,
  notObservable,
  passed,
  preconditionFailed,
} from '../../../judging/outcomes.ts';
import type { Scenario } from '../../../judging/traffic.ts';
import { shownUser } from '../../../target/user-state.ts';
import {
  NAMED_USERS,
  READING_CHECK,
  untouchedCheckOf,
  UNTOUCHED_MEMBERS,
  UPDATABLE,
  type Updatable,
} from '../../../target/user.ts';
import { CONTROLS, SEQUENCE, SEQUENCE_WITH_ROLE, slugOf, type Subset, SUBSETS, WITHOUT_ROLE } from '../scenarios.ts';
import { acceptedCheck, everyValidUpdate } from './accepted.ts';
import { emptyBody } from './empty-body.ts';
import { isolationChecks } from './isolation.ts';
import { ISOLATION_CHECKS, KEEPS_CHECKS, storedChecks, typeCheckOf } from './causes.ts';
import { ifStored, judgeSentValues, kept, LOST_MODES, shown, STALE_MODES, stored, STORED_MODES } from './effects.ts';
import { changesOfUntouched } from './untouched.ts';
import { onAcceptedUpdates, readingOf, roundsOf, updateCheck, wordsOf } from './update-check.ts';

function shownCheck({ id, members, scenario }: Subset): Check {
  return updateCheck({
    id: `update-${id}-shown`,
    requirements: ['update.answer-shows-user'],
    title: `The response to an update with ${wordsOf(members)} shows what was sent`,
    scenarios: [scenario],
    failureModes: STALE_MODES,
    restsOn: [...new Set([id, ...members.map(slugOf)])].map((each) => `update-${each}-stored`),
    judge: onAcceptedUpdates(scenario, shown('user', members)),
  });
}

/** There are few roles, so the right one may be there by chance on a target that loses other values. */
function somethingNotStored(evidence: Evidence): boolean {
  return SUBSETS.some(
    ({ members, scenario }) => onAcceptedUpdates(scenario, stored('user', members))(evidence).outcome === 'failed',
  );
}

function storedCheck({ id, members, scenario }: Subset): Check {
  return updateCheck({
    id: `update-${id}-stored`,
    requirements: ['update.sent-fields-change'],
    title: `Later responses show what an update with ${wordsOf(members)} sent`,
    scenarios: [scenario],
    failureModes: STORED_MODES,
    judge: onAcceptedUpdates(scenario, (rounds, evidence) => {
      const judgement = stored('user', members)(rounds, evidence);
      if (judgement.outcome !== 'passed' || !members.includes('rootRole') || !somethingNotStored(evidence))
        return judgement;
      const detail = 'what other updates sent is not stored, so the role may be the same by chance';
      return explainedBy(preconditionFailed(detail, judgement.exchanges), ...storedChecks('user', UPDATABLE));
    }),
  });
}

function keepsCheck({ id, subset: { id: sent, members, scenario }, member }: (typeof KEEPS_CHECKS)[number]): Check {
  return updateCheck({
    id,
    requirements: ['update.unsent-fields-keep'],
    title: `An update with ${wordsOf(members)} leaves \`${member}\` as it was`,
    scenarios: [scenario],
    failureModes: LOST_MODES,
    restsOn: [sent, slugOf(member), 'name-email-role'].map((other) => `update-${other}-stored`),
    judge: onAcceptedUpdates(scenario, ifStored('user', members, kept('user', member))),
  });
}

/** What updates of these members, alone and together, must do before a sequence of them says anything. */
function updatesOfEach(members: readonly Updatable[]): string[] {
  const slugs = members.map(slugOf);
  const together = SUBSETS.filter((each) =>
    UPDATABLE.every((member) => each.members.includes(member) === members.includes(member)),
  );
  const singles = slugs.flatMap((own) => [
    `update-${own}-stored`,
    ...slugs.filter((other) => other !== own).map((other) => `update-${own}-keeps-${other}`),
  ]);
  return [...singles, ...together.map(({ id }) => `update-${id}-stored`)];
}

function sequenceCheck(id: string, title: string, scenario: Scenario): Check {
  return updateCheck({
    id,
    requirements: ['update.earlier-updates-keep'],
    title,
    scenarios: [scenario],
    failureModes: {
      reverted:
        'An update reverted what an earlier one had stored. Start each update from what is stored now, not from an older copy.',
    },
    restsOn: updatesOfEach([...new Set(scenario.steps.flatMap(({ members }) => members))]),
    // What starts from an older copy loses what was stored, and what was stored before that.
    sameFaultAs: KEEPS_CHECKS.map((each) => each.id),
    judge: onAcceptedUpdates(scenario, (rounds, evidence) => {
      const expectations = rounds.flatMap((round) =>
        UPDATABLE.flatMap((member) =>
          [...round.updates, readingOf(round, 'user')].flatMap((at, index) => {
            const last = round.updates.slice(0, index).findLast((each) => sentIn(each, member) !== undefined);
            return at && last && !sends(at, member) ? [{ member, sent: sentIn(last, member), at }] : [];
          }),
        ),
      );
      if (expectations.length === 0) return notObservable('no response after the updates shows what they stored');
      return judgeSentValues(evidence, 'user', expectations, 'reverted', 'in the response to a later update');
    }),
  });
}

function untouchedCheck(member: (typeof UNTOUCHED_MEMBERS)[number]): Check {
  return updateCheck({
    id: untouchedCheckOf(member),
    requirements: ['update.other-members-keep'],
    title: `Updates leave \`${member}\` as it was`,
    scenarios: WITHOUT_ROLE,
    failureModes: { changed: 'An update changed a member that it cannot send. Leave this member as it was.' },
    restsOn: [typeCheckOf(member)],
    judge: (evidence) => {
      const showing = NAMED_USERS.map((subject) =>
        evidence.history(subject).filter((each) => Object.hasOwn(shownUser(each) ?? {}, member)),
      );
      const found = NAMED_USERS.map((subject) => changesOfUntouched(evidence)[subject].get(member));
      const change = found.find((each) => each?.isOwn) ?? found.find((each) => each);
      if (change) {
        const { before, after, expected, actual, isOwn, isBesideRead } = change;
        const message = `${member} was ${inWords(expected)} and is ${inWords(actual)} after an update that cannot send it.`;
        const failure = { mode: 'changed', expected, actual, pointer: `/${member}`, message };
        // What was sent as another member, and is not stored there, went to the wrong place.
        const misplaced = UPDATABLE.filter((other) => isDeepStrictEqual(sentIn(after, other), actual));
        return {
          ...failed(failure, before, after),
          restsOn: [...(isOwn ? [] : ISOLATION_CHECKS), ...(isBesideRead ? [READING_CHECK] : [])],
          sameFaultAs: misplaced.map((other) => `update-${slugOf(other)}-stored`),
        };
      }
      const most = Math.max(...showing.map(({ length }) => length));
      if (most === 0 && evidence.history('user').length === 0)
        return blockedOrUnsent(evidence, 'updateUser', 'no update was accepted');
      if (most === 0) return notApplicable(`no response showed a user with \`${member}\``);
      if (most === 1) return notObservable(`the target showed \`${member}\` only once`);
      const judgement = passed(showing.flatMap((exchanges) => [...exchanges.slice(0, 1), ...exchanges.slice(-1)]));
      const own = roundsOf(evidence, CONTROLS.nameAndEmail.traffic);
      return ifStored('user', ['name', 'email'], () => judgement)(own, evidence);
    },
  });
}

/** Source: What the service does, 1; Endpoints, PUT user. */
export const partialUpdateChecks: readonly Check[] = [
  ...SUBSETS.flatMap((each) => [
    ...[acceptedCheck(each), shownCheck(each), storedCheck(each)],
    ...KEEPS_CHECKS.filter(({ subset }) => subset === each).map(keepsCheck),
  ]),
  sequenceCheck('update-second-keeps-first', 'A second update keeps what the first one stored', SEQUENCE),
  sequenceCheck(
    'update-second-keeps-role',
    'Updates of name and e-mail keep a role that was stored before, and the reverse',
    SEQUENCE_WITH_ROLE,
  ),
  emptyBody,
  ...isolationChecks,
  ...UNTOUCHED_MEMBERS.map(untouchedCheck),
  everyValidUpdate,
];
