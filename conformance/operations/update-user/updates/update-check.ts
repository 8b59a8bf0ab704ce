import { isDeepStrictEqual } from 'node:util';
import { type Level, schema } from '../../../../contract/document.ts';
import { type Exchange, isAccepted, isSafe, objectBody, sentBody } from '../../../http/exchange.ts';
import type { Check, Judgement } from '../../../judging/check.ts';
import type { Evidence, Round } from '../../../judging/evidence.ts';
import {
  blockedOrUnsent,
  failed,
  notObservable,
  passed,
  preconditionFailed,
  unlessWriteWasLost,
} from '../../../judging/outcomes.ts';
import type { Scenario } from '../../../judging/traffic.ts';
import type { InputName } from '../../../target/inputs.ts';
import { compareMember } from '../../../target/comparison.ts';
import { compareSeen, lastKnown, type Seen, seen, seenValue, shownUser } from '../../../target/user-state.ts';
import {
  isUpdatable,
  type NamedUser,
  NAMED_USERS,
  UNTOUCHED_MEMBERS,
  untouchedCheckOf,
  UPDATABLE,
  type Updatable,
  USER_WORDS,
} from '../../../target/user.ts';
import { UPDATE_USER } from '../requests.ts';
import { slugOf, SUBSETS } from '../scenarios.ts';

/** The check of the body `{}`, by which the state is read. */
export const EMPTY_BODY_CHECK = 'update-empty-body';
/** The checks that an update of one user leaves the other one alone. */
export const ISOLATION_CHECKS = [
  'update-spares-other-user',
  'update-body-id-spares-other-user',
  'update-other-user-spares-user',
];
/** The check that an update of the other user is stored. */
export const OTHER_STORED_CHECK = 'update-other-user-stored';

export interface UpdateCheck {
  readonly id: string;
  /** Default `must`. */
  readonly level?: Level;
  readonly requirements: readonly string[];
  readonly title: string;
  readonly scenarios: readonly Scenario[];
  readonly needs?: readonly InputName[];
  readonly failureModes: Readonly<Record<string, string>>;
  readonly restsOn?: readonly string[];
  readonly judge: Check['judge'];
}

/** A check of what an update does. After an update without a response it fails for nothing that is stored. */
export function updateCheck({ scenarios, needs = [], ...given }: UpdateCheck): Check {
  return {
    ...given,
    judge: (evidence) => unlessWriteWasLost(evidence, given.judge(evidence)),
    area: 'update',
    level: given.level ?? 'must',
    operations: [UPDATE_USER],
    needs: [...new Set([...needs, ...scenarios.flatMap((scenario) => scenario.needs)])],
    uses: scenarios,
  };
}

/** Judges the rounds of a scenario. */
export type JudgeRounds = (rounds: readonly Round[], evidence: Evidence) => Judgement;

export const UNSENT = 'the run ended before the update was sent';

export function roundsOf(evidence: Evidence, scenario: Scenario): readonly Round[] {
  return (evidence.scenarios.get(scenario.id)?.rounds ?? []).filter(({ updates }) => updates.length > 0);
}

export function updatesOf(rounds: readonly Round[]): Exchange[] {
  return rounds.flatMap(({ updates }) => updates);
}

export function readingOf({ after }: Round, subject: NamedUser): Exchange | undefined {
  return after.find((reading) => reading.subject === subject)?.exchange;
}

export function sentIn({ request }: Exchange, member: string): unknown {
  return sentBody(request)?.[member];
}

export function sends({ request }: Exchange, member: string): boolean {
  return Object.hasOwn(sentBody(request) ?? {}, member);
}

export function wordsOf(members: readonly string[]): string {
  return members.map((member) => `\`${member}\``).join(' and ');
}

/** Judges the effect of a scenario: its updates must have been sent and accepted. */
export function onAcceptedUpdates(scenario: Scenario, judge: JudgeRounds): Check['judge'] {
  return (evidence) => {
    const rounds = roundsOf(evidence, scenario);
    if (rounds.length === 0) return blockedOrUnsent(evidence, scenario.operation, UNSENT);
    const accepted = rounds.filter(({ updates }) => updates.every(isAccepted));
    if (accepted.length === 0) return preconditionFailed('the update itself was not accepted', updatesOf(rounds));
    return judge(accepted, evidence);
  };
}

/** The check that a member has the right type, wherever it is shown. */
export function typeCheckOf(member: string): string {
  const [{ id = member } = {}] = (schema('createUserResponseSchema').properties[member]?.['x-requirements'] ?? []) as {
    readonly id?: string;
  }[];
  return id.replace('.', '-');
}

/** The checks that the two users are kept apart, if the other one was sent one of these values, or shows it. */
function causesOfMix({ history }: Evidence, subject: NamedUser, ...values: unknown[]): readonly string[] {
  const ofOther = NAMED_USERS.filter((other) => other !== subject).flatMap((other) => history(other));
  const has = (members: object | undefined): boolean =>
    Object.values(members ?? {}).some((each) => values.some((value) => isDeepStrictEqual(each, value)));
  return ofOther.some((each) => has(sentBody(each.request)) || has(objectBody(each))) ? ISOLATION_CHECKS : [];
}

/** The checks that an update leaves a member alone that it does not send. */
export function lossChecks(member: string): readonly string[] {
  if (!isUpdatable(member)) return [];
  const others = SUBSETS.filter(({ members }) => !members.includes(member));
  return [EMPTY_BODY_CHECK, ...others.map(({ id }) => `update-${id}-keeps-${slugOf(member)}`)];
}

/** Whether a member has no value: what was stored is lost, not what was sent ignored. */
function isLost(state: Seen): boolean {
  return ['removed', 'nulled', 'emptied'].includes(lostMode(state));
}

/** A response that must show the value that was sent last; undefined where there is none that can. */
export interface Expectation {
  readonly member: Updatable;
  readonly sent: unknown;
  readonly at: Exchange | undefined;
  /** The update that sent it, if another response must show it. */
  readonly by?: Exchange;
}

/** Judges that responses show the values that were sent last. */
export function judgeSentValues(
  evidence: Evidence,
  subject: NamedUser,
  expectations: readonly Expectation[],
  mode: string,
  where: string,
): Judgement {
  const decisive = new Map<string, Exchange[]>(expectations.map(({ member }) => [member, []]));
  for (const { member, sent, at, by } of expectations) {
    if (!at) continue;
    const state = seen(at, member, evidence.history(subject));
    const compared = compareSeen(member, { kind: 'shown', value: sent }, state);
    if (compared === 'same') decisive.get(member)?.push(at);
    if (compared !== 'different') continue;
    const actual = seenValue(state);
    const message = `${member} was sent as ${JSON.stringify(sent)}, but ${where} it is ${JSON.stringify(actual)}.`;
    // The update was right at first; then another request, perhaps the reading, lost the value.
    if (by && isLost(state) && compareMember(member, sent, shownUser(by)?.[member]) === 'same')
      return { ...preconditionFailed(message, [by, at]), restsOn: lossChecks(member) };
    const failure = { mode, expected: sent, actual, pointer: `/${member}`, message };
    const causes = [typeCheckOf(member), ...causesOfMix(evidence, subject, sent, actual)];
    return { ...failed(failure, ...(by ? [by] : []), at), restsOn: causes, ...(by ? { replay: [by, at] } : {}) };
  }
  const unseen = [...decisive].filter(([, exchanges]) => exchanges.length === 0).map(([member]) => member);
  const exchanges = [...new Set([...decisive.values()].flat())];
  if (unseen.length > 0) return notObservable(`the target does not show ${wordsOf(unseen)} ${where}`, exchanges);
  return passed(exchanges);
}

export const STALE_MODES = {
  'stale-answer':
    'The response to an update does not show the value that was sent. Respond with the user as it is after the update.',
};

/** Judges that the responses to the updates show what was sent. */
export function shown(subject: NamedUser, members: readonly Updatable[]): JudgeRounds {
  return (rounds, evidence) => {
    const expectations = updatesOf(rounds).flatMap((at) =>
      members.map((member) => ({ member, sent: sentIn(at, member), at })),
    );
    return judgeSentValues(evidence, subject, expectations, 'stale-answer', 'in the response to the update');
  };
}

export const STORED_MODES = {
  'not-stored': 'A later response does not show a value that was sent. Store every member of the body.',
};

/** Judges that the reading after each round shows what was sent, where the reading itself does not send it. */
export function stored(subject: NamedUser, members: readonly Updatable[]): JudgeRounds {
  return (rounds, evidence) => {
    const expectations = members.flatMap((member): Expectation[] => {
      const visible = rounds.flatMap((round) => {
        const at = readingOf(round, subject);
        const last = round.updates.findLast(
          (each) => each.request.subject === subject && sentIn(each, member) !== undefined,
        );
        return at && last && !sends(at, member) ? [{ member, sent: sentIn(last, member), at, by: last }] : [];
      });
      return visible.length > 0 ? visible : [{ member, sent: undefined, at: undefined }];
    });
    return judgeSentValues(evidence, subject, expectations, 'not-stored', 'in a later response');
  };
}

export const LOST_MODES = {
  removed: 'A member that was not sent is gone from the user. Change only the members in the body.',
  nulled: 'A member that was not sent became null. Change only the members in the body.',
  emptied: 'A member that was not sent became empty. Change only the members in the body.',
  replaced: 'A member that was not sent has another value. Change only the members in the body.',
} as const;

function lostMode(after: Seen): keyof typeof LOST_MODES {
  if (after.kind !== 'shown') return 'removed';
  if (after.value === null) return 'nulled';
  const { value } = after;
  return value === '' || (typeof value === 'object' && Object.keys(value).length === 0) ? 'emptied' : 'replaced';
}

/** Judges that a member has the value that it showed before: in the responses to the updates, and in the readings after them. */
export function kept(subject: NamedUser, member: string): JudgeRounds {
  return (rounds, evidence) => {
    const history = evidence.history(subject);
    const decisive: Exchange[] = [];
    for (const round of rounds) {
      const own = round.updates.filter(({ request }) => request.subject === subject);
      const reading = readingOf(round, subject);
      const first = own.find((exchange) => history.includes(exchange)) ?? reading;
      if (!first) continue;
      const { state: before, assumed } = lastKnown(history, member, first);
      for (const exchange of [...own, ...(reading && !sends(reading, member) ? [reading] : [])]) {
        const state = seen(exchange, member, history);
        const compared = compareSeen(member, before, state);
        if (compared === 'same' && exchange === reading) decisive.push(exchange);
        if (compared !== 'different' || assumed) continue;
        const where = exchange === reading ? 'in a later response' : 'in the response to the update';
        const [expected, actual] = [seenValue(before), seenValue(state)];
        const message = `${member} was not sent; it was ${JSON.stringify(expected)}, and ${where} it is ${JSON.stringify(actual)}.`;
        const failure = { mode: lostMode(state), expected, actual, pointer: `/${member}`, message };
        const judgement = failed(failure, ...own, ...(exchange === reading ? [exchange] : []));
        // A value that became null is lost, whatever type the member has.
        const shownWrongly = actual === null ? [] : [typeCheckOf(member)];
        const causes = [...shownWrongly, ...causesOfMix(evidence, subject, actual)];
        return { ...judgement, restsOn: causes };
      }
    }
    if (decisive.length > 0) return passed(decisive);
    return notObservable(`the target does not show \`${member}\` before and after the update`);
  };
}

/** Takes a pass back if the update was not stored, or not seen to be: then it proves nothing that something stayed as it was. */
export function ifStored(subject: NamedUser, members: readonly Updatable[], judge: JudgeRounds): JudgeRounds {
  return (rounds, evidence) => {
    const judgement = judge(rounds, evidence);
    if (judgement.outcome !== 'passed') return judgement;
    const storing = stored(subject, members)(rounds, evidence);
    if (storing.outcome === 'passed') return judgement;
    return storing.outcome === 'failed'
      ? preconditionFailed('the update itself was not stored', storing.exchanges)
      : storing;
  };
}

export const UNTOUCHED_USER_MODES = {
  'other-user-changed':
    'An update changed a user whose id was not in the path. Update only the user whose id is in the path.',
};

/** How a member that no update touches changed. */
export interface UntouchedChange {
  readonly before: Exchange;
  readonly after: Exchange;
  readonly expected: unknown;
  readonly actual: unknown;
  /** Whether the updates of the user alone explain it: nothing was sent to the other user in between. */
  readonly isOwn: boolean;
}

function isBetween({ startedAt, duration }: Exchange, before: Exchange, after: Exchange): boolean {
  return startedAt + duration >= before.startedAt && startedAt <= after.startedAt + after.duration;
}

/**
 * The first change of a member that no update touches, between two responses to consecutive updates of a user; if there is one,
 * one between which nothing was sent to the other user. Changes beside refused requests are judged with these.
 */
export function changeOfUntouched(subject: NamedUser, member: string, evidence: Evidence): UntouchedChange | undefined {
  const updates = evidence.history(subject).filter((each) => Object.hasOwn(shownUser(each) ?? {}, member));
  const others = evidence.exchanges.filter((each) => !isSafe(each.request) && each.request.subject !== subject);
  const refused = evidence.exchanges.filter((each) => !isSafe(each.request) && !isAccepted(each));
  const changes = updates.slice(1).flatMap((after, index): UntouchedChange[] => {
    const before = updates[index] ?? after;
    const [expected, actual] = [shownUser(before)?.[member], shownUser(after)?.[member]];
    if (compareMember(member, expected, actual) !== 'different') return [];
    if (refused.some((each) => isBetween(each, before, after))) return [];
    return [{ before, after, expected, actual, isOwn: !others.some((each) => isBetween(each, before, after)) }];
  });
  return changes.find(({ isOwn }) => isOwn) ?? changes[0];
}

/** Judges that a user whom the updates do not address shows the same before and after. */
export function untouched(subject: NamedUser): JudgeRounds {
  return (rounds, evidence) => {
    // A member that each update of a user changes is changed by the reading, too.
    const stable = UNTOUCHED_MEMBERS.filter(
      (member) => !NAMED_USERS.some((each) => changeOfUntouched(each, member, evidence)?.isOwn),
    );
    const judgements = [...UPDATABLE, ...stable].map((member) => kept(subject, member)(rounds, evidence));
    for (const judgement of judgements) {
      if (judgement.outcome !== 'failed') continue;
      const addressed = updatesOf(rounds).filter(({ request }) => request.subject !== subject);
      const message = `An update of another user changed ${USER_WORDS[subject]}: ${judgement.failure.message}`;
      const failure = { ...judgement.failure, mode: 'other-user-changed', message };
      // A user that shows no value of the other one was not updated by mistake: what was sent for it is lost.
      const { mode: how, pointer = '' } = judgement.failure;
      const own = [...(judgement.restsOn ?? []), ...(how === 'replaced' ? [] : lossChecks(pointer.slice(1)))];
      const isMixed = own.some((id) => ISOLATION_CHECKS.includes(id));
      const restsOn = isMixed ? own.filter((id) => !ISOLATION_CHECKS.includes(id)) : [...own, OTHER_STORED_CHECK];
      return { ...failed(failure, ...addressed.slice(0, 1), ...judgement.exchanges.slice(-1)), restsOn };
    }
    const decisive = judgements.filter(({ outcome }) => outcome === 'passed');
    if (decisive.length === 0)
      return notObservable('the target does not show name, e-mail or role of the user that was not addressed');
    return passed(decisive.flatMap(({ exchanges }) => exchanges));
  };
}
