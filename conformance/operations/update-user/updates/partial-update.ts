import { type Exchange, objectBody } from '../../../http/exchange.ts';
import type { Check } from '../../../judging/check.ts';
import type { Evidence } from '../../../judging/evidence.ts';
import {
  blockedOrUnsent,
  failed,
  notApplicable,
  notObservable,
  passed,
  preconditionFailed,
} from '../../../judging/outcomes.ts';
import type { Scenario } from '../../../judging/traffic.ts';
import { compareMember } from '../../../target/comparison.ts';
import { shownUser } from '../../../target/user-state.ts';
import { NAMED_USERS, NOT_SENDABLE, UNTOUCHED_MEMBERS, UPDATABLE } from '../../../target/user.ts';
import { UPDATE_USER } from '../requests.ts';
import { CONTROLS, SEQUENCE, SEQUENCE_WITH_ROLE, type Subset, SUBSETS } from '../scenarios.ts';
import { acceptedCheck, everyValidUpdate, idMatches } from './accepted.ts';
import { emptyBody } from './empty-body.ts';
import { isolationChecks } from './isolation.ts';
import {
  bodySends,
  ifStored,
  judgeKept,
  judgeSentValues,
  judgeShown,
  judgeStored,
  LOST_MODES,
  onTakenUpdates,
  readingOf,
  roundsOf,
  sentIn,
  STALE_MODES,
  STORED_MODES,
  updateCheck,
  wordsOf,
} from './update-check.ts';

function shownCheck({ id, members, scenario }: Subset): Check {
  return updateCheck({
    id: `update-${id}-shown`,
    requirements: ['update.answer-shows-user'],
    title: `The answer to a body with ${wordsOf(members)} shows what was sent`,
    scenarios: [scenario],
    failureModes: STALE_MODES,
    judge: onTakenUpdates(scenario, (rounds, evidence) => judgeShown(evidence, 'user', members, rounds)),
  });
}

/** There are few roles: one that is always the same may be the one that was sent. A target that loses other values is not to be trusted. */
function somethingNotStored(evidence: Evidence): boolean {
  return SUBSETS.some(
    ({ members, scenario }) => onTakenUpdates(scenario, judgeStored('user', members))(evidence).outcome === 'failed',
  );
}

function storedCheck({ id, members, scenario }: Subset): Check {
  return updateCheck({
    id: `update-${id}-stored`,
    requirements: ['update.sent-fields-change'],
    title: `What a body with ${wordsOf(members)} sends is shown by later updates`,
    scenarios: [scenario],
    failureModes: STORED_MODES,
    judge: onTakenUpdates(scenario, (rounds, evidence) => {
      const judgement = judgeStored('user', members)(rounds, evidence);
      if (judgement.outcome !== 'passed' || !members.includes('rootRole') || !somethingNotStored(evidence))
        return judgement;
      return preconditionFailed(
        'what other updates sent is not stored, so the role may be the same by chance',
        judgement.exchanges,
      );
    }),
  });
}

function keepsChecks({ id, members, scenario }: Subset): Check[] {
  return UPDATABLE.filter((member) => !members.includes(member)).map((member) =>
    updateCheck({
      id: `update-${id}-keeps-${member === 'rootRole' ? 'role' : member}`,
      requirements: ['update.unsent-fields-keep'],
      title: `A body with ${wordsOf(members)} leaves \`${member}\` as it was`,
      scenarios: [scenario],
      failureModes: LOST_MODES,
      judge: onTakenUpdates(scenario, (rounds, evidence) =>
        ifStored(rounds, evidence, 'user', members, judgeKept(evidence, 'user', member, rounds).judgement),
      ),
    }),
  );
}

const SEQUENCE_MODES = {
  reverted:
    'An update took back what an earlier one had stored. Start each update from what is stored now, not from an older copy.',
};

function sequenceCheck(id: string, title: string, scenario: Scenario): Check {
  return updateCheck({
    id,
    requirements: ['update.earlier-updates-keep'],
    title,
    scenarios: [scenario],
    failureModes: SEQUENCE_MODES,
    judge: onTakenUpdates(scenario, (rounds, evidence) => {
      const expectations = rounds.flatMap(({ updates, after }) =>
        UPDATABLE.flatMap((member) =>
          [...updates, readingOf(after, 'user')].flatMap((answer, index) => {
            const last = updates.slice(0, index).findLast((each) => sentIn(each, member) !== undefined);
            if (!answer || !last || bodySends(answer, member)) return [];
            return [{ member, sent: sentIn(last, member), at: [answer] }];
          }),
        ),
      );
      if (expectations.length === 0) return notObservable('no answer after the updates shows what they stored');
      return judgeSentValues(evidence, 'user', expectations, 'reverted', 'in an answer after another update');
    }),
  });
}

function untouchedCheck(member: (typeof UNTOUCHED_MEMBERS)[number]): Check {
  return updateCheck({
    id: `update-keeps-${member.replaceAll(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`)}`,
    requirements: ['update.other-members-keep'],
    title: `Updates leave \`${member}\` as it was`,
    scenarios: SUBSETS.filter(({ members }) => !members.includes('rootRole')).map(({ scenario }) => scenario),
    failureModes: { changed: 'An update changed a member that it cannot send. Leave this member as it was.' },
    judge: (evidence) => {
      const shown = NAMED_USERS.map((subject) =>
        evidence.history(subject).filter((each) => Object.hasOwn(shownUser(each) ?? {}, member)),
      );
      for (const exchanges of shown) {
        const first = exchanges[0];
        const changed = exchanges.find(
          (each) =>
            first && compareMember(member, objectBody(first)?.[member], objectBody(each)?.[member]) === 'different',
        );
        if (!first || !changed) continue;
        const [expected, actual] = [objectBody(first)?.[member], objectBody(changed)?.[member]];
        const message = `${member} was ${JSON.stringify(expected)} and is ${JSON.stringify(actual)} after updates that cannot send it.`;
        return failed({ mode: 'changed', expected, actual, pointer: `/${member}`, message }, first, changed);
      }
      const most = Math.max(...shown.map(({ length }) => length));
      if (most === 0 && evidence.history('user').length === 0)
        return blockedOrUnsent(evidence, UPDATE_USER, 'no update was accepted');
      if (most === 0) return notApplicable(`the target never shows \`${member}\``);
      if (most === 1) return notObservable(`the target showed \`${member}\` only once`);
      const own = CONTROLS.nameAndEmail.traffic;
      const judgement = passed(shown.flatMap((exchanges) => [...exchanges.slice(0, 1), ...exchanges.slice(-1)]));
      return ifStored(roundsOf(evidence, own), evidence, 'user', ['name', 'email'], judgement);
    },
  });
}

const keptMembersShown = updateCheck({
  level: 'should',
  id: 'update-kept-members-shown',
  requirements: ['update.kept-members-shown'],
  title: 'What an answer shows when it is sent, it shows also when it is not sent',
  scenarios: [CONTROLS.name.traffic, CONTROLS.email.traffic],
  failureModes: {
    'only-when-sent':
      'A member is shown only in answer to an update that sends it, though others are always shown: either it was dropped, or it is hidden without need. Answer with the whole user.',
  },
  judge: (evidence) => {
    const updates = evidence.history('user').filter((exchange) => objectBody(exchange));
    const shows = (exchange: Exchange, member: string): boolean => Object.hasOwn(objectBody(exchange) ?? {}, member);
    const full = updates.filter((exchange) => NOT_SENDABLE.some((member) => shows(exchange, member)));
    if (full.length === 0) {
      if (updates.length === 0) return blockedOrUnsent(evidence, UPDATE_USER, 'no update was accepted');
      return notApplicable('the target shows nothing but what was sent');
    }
    for (const member of UPDATABLE) {
      const whenSent = updates.find((exchange) => bodySends(exchange, member) && shows(exchange, member));
      const unsent = full.filter((exchange) => !bodySends(exchange, member));
      const [first] = unsent;
      if (!whenSent || !first || unsent.some((exchange) => shows(exchange, member))) continue;
      const message = `${member} is shown where it is sent, and never where it is not.`;
      const failure = {
        mode: 'only-when-sent',
        expected: `the member ${member}`,
        actual: objectBody(first),
        message,
      };
      return failed(failure, whenSent, first);
    }
    return passed(full.slice(0, 1));
  },
});

/** Source: What the service does, 1; Endpoints, PUT user. */
export const partialUpdateChecks: readonly Check[] = [
  ...SUBSETS.flatMap((each) => [acceptedCheck(each), shownCheck(each), storedCheck(each), ...keepsChecks(each)]),
  sequenceCheck('update-second-keeps-first', 'A second update keeps what the first one stored', SEQUENCE),
  sequenceCheck(
    'update-second-keeps-role',
    'Updates of name and e-mail keep a role that was stored before, and the reverse',
    SEQUENCE_WITH_ROLE,
  ),
  emptyBody,
  keptMembersShown,
  ...isolationChecks(),
  ...UNTOUCHED_MEMBERS.map(untouchedCheck),
  idMatches,
  everyValidUpdate,
];
