import type { Level } from '../../../contract/document.ts';
import type { Check, Evidence, Judgement, Round, Scenario, Updatable } from '../../judging/check.ts';
import { UPDATABLE } from '../../judging/check.ts';
import { isAccepted, objectBody, sentBody, type Exchange } from '../../http/exchange.ts';
import type { InputName } from '../../target/inputs.ts';
import {
  compareMember,
  compareSeen,
  lastKnown,
  NOT_SENDABLE,
  seen,
  seenValue,
  shownUser,
  UNTOUCHED_MEMBERS,
  type NamedUser,
  type Seen,
} from '../../target/user-state.ts';
import {
  eitherFailure,
  failed,
  judgeNoResponse,
  laneObstacle,
  notApplicable,
  notObservable,
  passed,
  preconditionFailed,
  unlessWriteWasLost,
} from '../../judging/outcomes.ts';
import {
  CONTROL_SCENARIOS,
  EMPTY_BODY,
  OTHER_ID_IN_BODY,
  SEQUENCE,
  SEQUENCE_WITH_ROLE,
  SUBSETS,
  UPDATE_OTHER_USER,
  type Subset,
} from './scenarios.ts';

const LOST_MODES = {
  removed: 'A member that was not sent is gone from the user. Change only the members that the body has.',
  nulled: 'A member that was not sent became null. Change only the members that the body has.',
  emptied: 'A member that was not sent became empty. Change only the members that the body has.',
  replaced: 'A member that was not sent has another value. Change only the members that the body has.',
} as const;

function lostMode(after: Seen): keyof typeof LOST_MODES {
  if (after.kind !== 'shown') return 'removed';
  if (after.value === null) return 'nulled';
  const { value } = after;
  return value === '' || (typeof value === 'object' && Object.keys(value).length === 0) ? 'emptied' : 'replaced';
}

export function roundsOf(evidence: Evidence, scenario: Scenario): readonly Round[] {
  return (evidence.scenarios.get(scenario.id)?.rounds ?? []).filter(({ answers }) => answers.length > 0);
}

export function readingOf(readings: Round['after'], subject: NamedUser): Exchange | undefined {
  return readings.find((reading) => reading.subject === subject)?.exchange;
}

export function bodySends(reading: Exchange, member: string): boolean {
  return Object.hasOwn(sentBody(reading.request) ?? {}, member);
}

function allAnswered200(rounds: readonly Round[]): boolean {
  return rounds.every(({ answers }) => answers.every(({ response }) => response?.status === 200));
}

/** Wraps a judgement on a scenario's effect: the updates themselves must have been sent and taken. */
function onTakenUpdates(
  scenario: Scenario,
  judge: (rounds: readonly Round[], evidence: Evidence) => Judgement,
): Check['judge'] {
  return (evidence) => {
    const rounds = roundsOf(evidence, scenario);
    if (rounds.length === 0) return laneObstacle(evidence, scenario.lane, 'the run ended before the update was sent');
    const taken = rounds.filter(({ answers }) =>
      answers.every(({ response }) => Math.floor((response?.status ?? 0) / 100) === 2),
    );
    if (taken.length === 0) {
      return preconditionFailed(
        'the update itself was not accepted',
        rounds.flatMap(({ answers }) => answers),
      );
    }
    return judge(taken, evidence);
  };
}

export interface UpdateCheck {
  readonly id: string;
  /** Default `must`. */
  readonly level?: Level;
  readonly requirements: readonly string[];
  readonly title: string;
  readonly scenarios: readonly Scenario[];
  readonly needs?: readonly InputName[];
  readonly failureModes: Readonly<Record<string, string>>;
  readonly judge: Check['judge'];
}

/** A check of what an update does. After an update without an answer it accuses nobody. */
export function updateCheck({ scenarios, needs = [], ...given }: UpdateCheck): Check {
  return {
    ...given,
    judge: (evidence) => unlessWriteWasLost(evidence, given.judge(evidence)),
    area: 'update',
    level: given.level ?? 'must',
    lane: 'users',
    needs: [...new Set([...needs, ...scenarios.flatMap((scenario) => scenario.needs)])],
    uses: scenarios,
  };
}

function wordsOf(members: readonly string[]): string {
  return members.map((member) => `\`${member}\``).join(' and ');
}

const ACCEPTED_MODES = {
  refused: 'A valid update was refused. Every member of the body is optional; take any of them alone and any together.',
  'wrong-success-status':
    'A valid update was answered with another status of success than 200. Answer 200 with the updated user.',
  redirected:
    'A valid update was answered with a redirect. Answer it under the path of the contract, without a redirect.',
  'server-error': 'A valid update was answered with a 5xx status. Find in the log of the server why it failed.',
  'no-answer': 'The connection was closed without an answer to a valid update. Answer 200 with the updated user.',
} as const;

function acceptedMode(status: number): keyof typeof ACCEPTED_MODES {
  if (status < 300) return 'wrong-success-status';
  if (status < 400) return 'redirected';
  return status < 500 ? 'refused' : 'server-error';
}

function judgeAllAre200(exchanges: readonly Exchange[], evidence: Evidence): Judgement {
  const wrong = exchanges.find(({ response }) => response && response.status !== 200);
  if (wrong?.response) {
    const { status, text } = wrong.response;
    const said = objectBody(wrong)?.message;
    const why = typeof said === 'string' ? ` ("${said}")` : text === '' ? ' (no body)' : '';
    const message = `${wrong.request.purpose}: answered ${status}${why}, expected 200.`;
    return failed({ mode: acceptedMode(status), expected: 200, actual: status, message }, wrong);
  }
  const unanswered = exchanges.find(({ transportError }) => transportError);
  return unanswered ? judgeNoResponse(unanswered, evidence) : passed(exchanges);
}

/** Whether the target took any role; if it took none, the operator may have named roles that it does not know. */
function someRoleAccepted({ exchanges }: Evidence): boolean {
  return exchanges.some((exchange) => isAccepted(exchange) && bodySends(exchange, 'rootRole'));
}

function rolesRefused(rounds: readonly Round[]): Judgement {
  const detail = 'no update with a role was accepted; does the target take the values of CONFORMANCE_ROLE_IDS?';
  return {
    outcome: 'inconclusive',
    reason: 'control-refused',
    detail,
    exchanges: rounds.flatMap(({ answers }) => answers),
  };
}

function acceptedCheck({ id, members, scenario }: Subset): Check {
  return updateCheck({
    id: `update-${id}-accepted`,
    requirements: ['update.success-is-200', 'update.fields-optional'],
    title: `A body with ${wordsOf(members)} and nothing else is answered 200`,
    scenarios: [scenario],
    failureModes: ACCEPTED_MODES,
    judge: (evidence) => {
      const rounds = roundsOf(evidence, scenario);
      if (rounds.length === 0) return laneObstacle(evidence, 'users', 'the run ended before the update was sent');
      if (members.includes('rootRole') && !someRoleAccepted(evidence)) return rolesRefused(rounds);
      return judgeAllAre200(
        rounds.flatMap(({ answers }) => answers),
        evidence,
      );
    },
  });
}

/** Judges that members have the values that were sent last, in some answers that show them. */
function judgeSentValues(
  evidence: Evidence,
  subject: NamedUser,
  expected: readonly { readonly member: Updatable; readonly sent: unknown; readonly at: readonly Exchange[] }[],
  mode: string,
  where: string,
): Judgement {
  const history = evidence.history(subject);
  const decisive = new Map<string, Exchange[]>();
  for (const { member, sent, at } of expected) {
    const looks = at.map((exchange) => ({ exchange, state: seen(exchange, member, history) }));
    for (const { exchange, state } of looks) {
      const wrong =
        state.kind === 'removed' ||
        (state.kind === 'shown' && compareMember(member, sent, state.value) === 'different');
      if (!wrong) continue;
      const actual = seenValue(state);
      const message = `${member} was sent as ${JSON.stringify(sent)}, but ${where} it is ${JSON.stringify(actual)}.`;
      return failed({ mode, expected: sent, actual, pointer: `/${member}`, message }, exchange);
    }
    const same = looks.filter(
      ({ state }) => state.kind === 'shown' && compareMember(member, sent, state.value) === 'same',
    );
    decisive.set(member, [...(decisive.get(member) ?? []), ...same.map(({ exchange }) => exchange)]);
  }
  const unseen = [...decisive].filter(([, exchanges]) => exchanges.length === 0).map(([member]) => member);
  const exchanges = [...new Set([...decisive.values()].flat())];
  if (unseen.length > 0) return notObservable(`the target does not show ${wordsOf(unseen)} ${where}`, exchanges);
  return passed(exchanges);
}

function sentIn(exchange: Exchange | undefined, member: Updatable): unknown {
  return exchange && sentBody(exchange.request)?.[member];
}

const STALE_MODES = {
  'stale-answer':
    'The answer to an update does not show the value that it sent. Answer with the user as it is after the update.',
};

function judgeShown(
  evidence: Evidence,
  subject: NamedUser,
  members: readonly Updatable[],
  rounds: readonly Round[],
): Judgement {
  const expected = rounds.flatMap(({ answers }) =>
    answers.flatMap((answer) => members.map((member) => ({ member, sent: sentIn(answer, member), at: [answer] }))),
  );
  return judgeSentValues(evidence, subject, expected, 'stale-answer', 'in the answer to the update');
}

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

function judgeStored(subject: NamedUser, members: readonly Updatable[]) {
  return (rounds: readonly Round[], evidence: Evidence): Judgement => {
    const expected = members.flatMap((member) => storedExpectations(rounds, subject, member));
    return judgeSentValues(evidence, subject, expected, 'not-stored', 'in a later answer');
  };
}

/** What later answers must show: for each round whose reading does not itself send the member, the value sent in it. */
function storedExpectations(rounds: readonly Round[], subject: NamedUser, member: Updatable) {
  const visible = rounds.flatMap(({ answers, after }) => {
    const reading = readingOf(after, subject);
    const last = answers.findLast(
      (answer) => answer.request.subject === subject && sentIn(answer, member) !== undefined,
    );
    return reading && last && !bodySends(reading, member)
      ? [{ member, sent: sentIn(last, member), at: [reading] }]
      : [];
  });
  return visible.length > 0 ? visible : [{ member, sent: undefined, at: [] }];
}

const STORED_MODES = {
  'not-stored': 'A value that was sent does not show in a later answer. Store every member of the body.',
};

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
    title: `What a body with ${wordsOf(members)} sends is shown by later answers`,
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

/** Judges that a member has the value that it showed before, in an answer and in the reading after it. */
export function judgeKept(
  evidence: Evidence,
  subject: NamedUser,
  member: string,
  rounds: readonly Round[],
): { readonly judgement: Judgement; readonly decided: boolean } {
  const history = evidence.history(subject);
  const decisive: Exchange[] = [];
  for (const { answers, after } of rounds) {
    const own = answers.filter(({ request }) => request.subject === subject);
    const reading = readingOf(after, subject);
    const first = own.find((exchange) => history.includes(exchange)) ?? reading;
    if (!first) continue;
    const { state: before, assumed } = lastKnown(history, member, first);
    for (const exchange of [...own, ...(reading && !bodySends(reading, member) ? [reading] : [])]) {
      const state = seen(exchange, member, history);
      const compared = compareSeen(member, before, state);
      if (compared === 'same' && exchange === reading) decisive.push(exchange);
      if (compared !== 'different' || assumed) continue;
      const where = exchange === reading ? 'in a later answer' : 'in the answer to the update';
      const [expected, actual] = [seenValue(before), seenValue(state)];
      const message = `${member} was not sent; it was ${JSON.stringify(expected)}, and ${where} it is ${JSON.stringify(actual)}.`;
      const failure = { mode: lostMode(state), expected, actual, pointer: `/${member}`, message };
      return { judgement: failed(failure, ...own, ...(exchange === reading ? [exchange] : [])), decided: true };
    }
  }
  if (decisive.length > 0) return { judgement: passed(decisive), decided: true };
  return {
    judgement: notObservable(`the target does not show \`${member}\` before and after the update`),
    decided: false,
  };
}

/** That something stayed as it was proves nothing of an update that was not stored, or not seen to be. */
function ifStored(
  rounds: readonly Round[],
  evidence: Evidence,
  subject: NamedUser,
  members: readonly Updatable[],
  judgement: Judgement,
): Judgement {
  if (judgement.outcome !== 'passed') return judgement;
  const storing = judgeStored(subject, members)(rounds, evidence);
  if (storing.outcome === 'passed') return judgement;
  return storing.outcome === 'failed'
    ? preconditionFailed('the update itself was not stored', storing.exchanges)
    : storing;
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

const emptyBody = updateCheck({
  id: 'update-empty-body',
  requirements: ['update.empty-body-changes-nothing'],
  title: 'The body `{}` is answered 200 or 400 and changes nothing',
  scenarios: [EMPTY_BODY],
  failureModes: {
    ...LOST_MODES,
    'wrong-status':
      'The body `{}` is answered neither 200 nor 400. Accept it with 200 and change nothing, or refuse it with 400.',
    'wrong-error-name':
      'The body `{}` is refused with 400, but the `name` of the error is not `ValidationError`. Use this name.',
    'no-answer': 'The connection was closed without an answer to the body `{}`. Answer 200 or 400.',
  },
  judge: (evidence) => {
    const rounds = roundsOf(evidence, EMPTY_BODY).map((round) => ({ ...round, answers: round.answers.slice(1) }));
    const empties = rounds.flatMap(({ answers }) => answers);
    if (empties.length === 0) return laneObstacle(evidence, 'users', 'the run ended before the update was sent');
    for (const exchange of empties) {
      if (exchange.transportError) return judgeNoResponse(exchange, evidence);
      const found = exchange.response?.status === 200 ? undefined : eitherFailure(exchange);
      if (found) return failed(found, exchange);
    }
    const elsewhere = evidence.exchanges.find(
      ({ request, response }) =>
        request.body === '{}' &&
        request.credential.role === 'admin' &&
        BOTH.some((subject) => subject === request.subject && evidence.history(subject).length > 0) &&
        response !== undefined &&
        ![200, 400].includes(response.status),
    );
    if (elsewhere) {
      const actual = elsewhere.response?.status;
      const message = `${elsewhere.request.purpose} with \`{}\`: answered ${actual ?? ''}, expected 200, or 400.`;
      return failed({ mode: 'wrong-status', expected: '200, or 400', actual, message }, elsewhere);
    }
    const kept = UPDATABLE.map((member) => judgeKept(evidence, 'user', member, rounds));
    const failure = kept.find(({ judgement }) => judgement.outcome === 'failed');
    const undecided = kept.slice(0, 2).find(({ decided }) => !decided);
    return failure?.judgement ?? undecided?.judgement ?? passed(empties);
  },
});

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
      const expectations = rounds.flatMap(({ answers, after }) =>
        UPDATABLE.flatMap((member) =>
          [...answers, readingOf(after, 'user')].flatMap((answer, index) => {
            const last = answers.slice(0, index).findLast((each) => sentIn(each, member) !== undefined);
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

/** Judges that a user whom a round's updates do not address shows the same before and after. */
function judgeUntouchedUser(
  subject: NamedUser,
  members: readonly string[],
  rounds: readonly Round[],
  evidence: Evidence,
): Judgement {
  const results = members.map((member) => judgeKept(evidence, subject, member, rounds));
  const failure = results.find(({ judgement }) => judgement.outcome === 'failed');
  if (failure?.judgement.outcome === 'failed') {
    const { failure: found } = failure.judgement;
    const addressed = rounds.flatMap(({ answers }) => answers).filter(({ request }) => request.subject !== subject);
    const user = subject === 'user' ? 'the user' : 'the other user';
    const message = `An update of another user changed ${user}: ${found.message}`;
    const last = failure.judgement.exchanges.at(-1);
    return failed({ ...found, mode: 'other-user-changed', message }, ...addressed.slice(0, 1), ...(last ? [last] : []));
  }
  const decisive = results.filter(({ decided }) => decided);
  if (decisive.length === 0)
    return notObservable('the target does not show name, e-mail or role of the user that was not addressed');
  return passed(decisive.flatMap(({ judgement }) => judgement.exchanges));
}

const UNTOUCHED_USER_MODES = {
  'other-user-changed':
    'An update changed a user whose id was not in the path. Update only the user whose id is in the path.',
};
const UNTOUCHED_USER_MEMBERS = [...UPDATABLE, ...UNTOUCHED_MEMBERS];

function isolationChecks(): Check[] {
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
        if (rounds.length === 0) return laneObstacle(evidence, 'users', 'no update of the user was accepted');
        const judgement = judgeUntouchedUser('other-user', UNTOUCHED_USER_MEMBERS, rounds, evidence);
        return ifStored(
          roundsOf(evidence, CONTROL_SCENARIOS['email+name']),
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
        if (rounds.length === 0) return laneObstacle(evidence, 'users', 'the run ended before the update was sent');
        const answers = rounds.flatMap((round) => round.answers);
        const unanswered = answers.find(({ transportError }) => transportError);
        if (unanswered) return judgeNoResponse(unanswered, evidence);
        const judgement = judgeUntouchedUser('other-user', UNTOUCHED_USER_MEMBERS, rounds, evidence);
        const taken = rounds.filter((round) => round.answers.every(isAccepted));
        return taken.length === 0 ? judgement : ifStored(taken, evidence, 'user', ['name'], judgement);
      },
    }),
    updateCheck({
      id: 'update-other-user-stored',
      requirements: ['update.addressed-user-only', 'update.sent-fields-change'],
      title: 'An update of the other user changes the other user',
      scenarios: [UPDATE_OTHER_USER, CONTROL_SCENARIOS['email+name']],
      failureModes: STORED_MODES,
      judge: (evidence) => {
        const ownScenario = CONTROL_SCENARIOS['email+name'];
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

const BOTH: readonly NamedUser[] = ['user', 'other-user'];

function untouchedCheck(member: (typeof UNTOUCHED_MEMBERS)[number]): Check {
  return updateCheck({
    id: `update-keeps-${member.replaceAll(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`)}`,
    requirements: ['update.other-members-keep'],
    title: `Updates leave \`${member}\` as it was`,
    scenarios: SUBSETS.filter(({ members }) => !members.includes('rootRole')).map(({ scenario }) => scenario),
    failureModes: { changed: 'An update changed a member that it cannot send. Leave this member as it was.' },
    judge: (evidence) => {
      const shown = BOTH.map((subject) =>
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
        return laneObstacle(evidence, 'users', 'no update was accepted');
      if (most === 0) return notApplicable(`the target never shows \`${member}\``);
      if (most === 1) return notObservable(`the target showed \`${member}\` only once`);
      const own = CONTROL_SCENARIOS['email+name'];
      const judgement = passed(shown.flatMap((exchanges) => [...exchanges.slice(0, 1), ...exchanges.slice(-1)]));
      return ifStored(roundsOf(evidence, own), evidence, 'user', ['name', 'email'], judgement);
    },
  });
}

const idMatches = updateCheck({
  id: 'update-answer-id',
  requirements: ['update.id-matches-path'],
  title: 'The `id` in the answer is the id in the path',
  scenarios: SUBSETS.filter(({ id }) => id === 'name').map(({ scenario }) => scenario),
  failureModes: {
    'other-id': 'The `id` in the answer is not the id in the path. Answer with the user that the path names.',
  },
  judge: (evidence) => {
    const named = evidence.exchanges.filter(({ request }) => BOTH.some((subject) => subject === request.subject));
    const plain = named.filter((exchange) => exchange.request.meant.id === 'valid' && isAccepted(exchange));
    const withId = plain.filter((each) => typeof objectBody(each)?.id === 'number');
    for (const exchange of withId) {
      const inPath = Number(exchange.request.path.split('/').at(-1));
      const actual = objectBody(exchange)?.id;
      if (actual === inPath) continue;
      const message = `The path has the id ${inPath}, the answer the id ${JSON.stringify(actual)}.`;
      return failed({ mode: 'other-id', expected: inPath, actual, pointer: '/id', message }, exchange);
    }
    if (withId.length > 0) return passed(withId.slice(0, 1));
    if (evidence.history('user').length === 0) return laneObstacle(evidence, 'users', 'no update was accepted');
    return notObservable('no answer carries an integer `id`');
  },
});

const everyValidUpdate = updateCheck({
  id: 'update-always-200',
  requirements: ['update.success-is-200'],
  title: 'Every valid update of the run is answered 200',
  scenarios: SUBSETS.filter(({ id }) => id === 'name').map(({ scenario }) => scenario),
  failureModes: ACCEPTED_MODES,
  judge: (evidence) => {
    const rolesTaken = someRoleAccepted(evidence);
    const valid = evidence.exchanges.filter(({ request }) => {
      const named =
        BOTH.some((subject) => subject === request.subject && evidence.history(subject).length > 0) ||
        request.subject === 'user';
      if (!rolesTaken && Object.hasOwn(sentBody(request) ?? {}, 'rootRole')) return false;
      const sent = sentBody(request) ?? {};
      const known =
        Object.keys(sent).length > 0 &&
        Object.keys(sent).every((member) => (UPDATABLE as readonly string[]).includes(member));
      return (
        named &&
        known &&
        request.meant.body === 'valid' &&
        request.meant.id === 'valid' &&
        request.credential.role === 'admin'
      );
    });
    const obstacle = evidence.blocked.users;
    if (obstacle?.exchange && valid.every(({ response }) => [401, 403, 404].includes(response?.status ?? 404))) {
      return laneObstacle(evidence, 'users', obstacle.detail);
    }
    if (valid.length === 0) return laneObstacle(evidence, 'users', 'no valid update was sent');
    return judgeAllAre200(valid, evidence);
  },
});

const keptMembersShown = updateCheck({
  level: 'should',
  id: 'update-kept-members-shown',
  requirements: ['update.kept-members-shown'],
  title: 'What an answer shows when it is sent, it shows also when it is not sent',
  scenarios: [CONTROL_SCENARIOS.name, CONTROL_SCENARIOS.email],
  failureModes: {
    'only-when-sent':
      'A member is shown only in answer to an update that sends it, though others are always shown: either it was dropped, or it is hidden without need. Answer with the whole user.',
  },
  judge: (evidence) => {
    const answers = evidence.history('user').filter((exchange) => objectBody(exchange));
    const shows = (exchange: Exchange, member: string): boolean => Object.hasOwn(objectBody(exchange) ?? {}, member);
    const full = answers.filter((exchange) => NOT_SENDABLE.some((member) => shows(exchange, member)));
    if (full.length === 0) {
      if (answers.length === 0) return laneObstacle(evidence, 'users', 'no update was accepted');
      return notApplicable('the target shows nothing but what was sent');
    }
    for (const member of UPDATABLE) {
      const whenSent = answers.find((exchange) => bodySends(exchange, member) && shows(exchange, member));
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
