import type { Level } from '../../../../contract/document.ts';
import { type Exchange, sentBody } from '../../../http/exchange.ts';
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
import { compareMember } from '../../../target/comparison.ts';
import type { InputName } from '../../../target/inputs.ts';
import { compareSeen, lastKnown, type Seen, seen, seenValue } from '../../../target/user-state.ts';
import { type NamedUser, UNTOUCHED_MEMBERS, UPDATABLE, type Updatable } from '../../../target/user.ts';
import { UPDATE_USER } from '../requests.ts';

export const LOST_MODES = {
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
  return (evidence.scenarios.get(scenario.id)?.rounds ?? []).filter(({ updates }) => updates.length > 0);
}

export function readingOf(readings: Round['after'], subject: NamedUser): Exchange | undefined {
  return readings.find((reading) => reading.subject === subject)?.exchange;
}

export function bodySends(reading: Exchange, member: string): boolean {
  return Object.hasOwn(sentBody(reading.request) ?? {}, member);
}

export function allAnswered200(rounds: readonly Round[]): boolean {
  return rounds.every(({ updates }) => updates.every(({ response }) => response?.status === 200));
}

/** Wraps a judgement on a scenario's effect: the updates themselves must have been sent and taken. */
export function onTakenUpdates(
  scenario: Scenario,
  judge: (rounds: readonly Round[], evidence: Evidence) => Judgement,
): Check['judge'] {
  return (evidence) => {
    const rounds = roundsOf(evidence, scenario);
    if (rounds.length === 0)
      return blockedOrUnsent(evidence, scenario.operation, 'the run ended before the update was sent');
    const taken = rounds.filter(({ updates }) =>
      updates.every(({ response }) => Math.floor((response?.status ?? 0) / 100) === 2),
    );
    if (taken.length === 0) {
      return preconditionFailed(
        'the update itself was not accepted',
        rounds.flatMap(({ updates }) => updates),
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
    operations: [UPDATE_USER],
    needs: [...new Set([...needs, ...scenarios.flatMap((scenario) => scenario.needs)])],
    uses: scenarios,
  };
}

export function wordsOf(members: readonly string[]): string {
  return members.map((member) => `\`${member}\``).join(' and ');
}

/** Judges that members have the values that were sent last, in some updates that show them. */
export function judgeSentValues(
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

export function sentIn(exchange: Exchange | undefined, member: Updatable): unknown {
  return exchange && sentBody(exchange.request)?.[member];
}

export const STALE_MODES = {
  'stale-answer':
    'The answer to an update does not show the value that it sent. Answer with the user as it is after the update.',
};

export function judgeShown(
  evidence: Evidence,
  subject: NamedUser,
  members: readonly Updatable[],
  rounds: readonly Round[],
): Judgement {
  const expected = rounds.flatMap(({ updates }) =>
    updates.flatMap((answer) => members.map((member) => ({ member, sent: sentIn(answer, member), at: [answer] }))),
  );
  return judgeSentValues(evidence, subject, expected, 'stale-answer', 'in the answer to the update');
}

export function judgeStored(subject: NamedUser, members: readonly Updatable[]) {
  return (rounds: readonly Round[], evidence: Evidence): Judgement => {
    const expected = members.flatMap((member) => storedExpectations(rounds, subject, member));
    return judgeSentValues(evidence, subject, expected, 'not-stored', 'in a later answer');
  };
}

/** What later updates must show: for each round whose reading does not itself send the member, the value sent in it. */
function storedExpectations(rounds: readonly Round[], subject: NamedUser, member: Updatable) {
  const visible = rounds.flatMap(({ updates, after }) => {
    const reading = readingOf(after, subject);
    const last = updates.findLast(
      (answer) => answer.request.subject === subject && sentIn(answer, member) !== undefined,
    );
    return reading && last && !bodySends(reading, member)
      ? [{ member, sent: sentIn(last, member), at: [reading] }]
      : [];
  });
  return visible.length > 0 ? visible : [{ member, sent: undefined, at: [] }];
}

export const STORED_MODES = {
  'not-stored': 'A value that was sent does not show in a later answer. Store every member of the body.',
};

/** Judges that a member has the value that it showed before, in an answer and in the reading after it. */
export function judgeKept(
  evidence: Evidence,
  subject: NamedUser,
  member: string,
  rounds: readonly Round[],
): { readonly judgement: Judgement; readonly decided: boolean } {
  const history = evidence.history(subject);
  const decisive: Exchange[] = [];
  for (const { updates, after } of rounds) {
    const own = updates.filter(({ request }) => request.subject === subject);
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
export function ifStored(
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

/** Judges that a user whom a round's updates do not address shows the same before and after. */
export function judgeUntouchedUser(
  subject: NamedUser,
  members: readonly string[],
  rounds: readonly Round[],
  evidence: Evidence,
): Judgement {
  const results = members.map((member) => judgeKept(evidence, subject, member, rounds));
  const failure = results.find(({ judgement }) => judgement.outcome === 'failed');
  if (failure?.judgement.outcome === 'failed') {
    const { failure: found } = failure.judgement;
    const addressed = rounds.flatMap(({ updates }) => updates).filter(({ request }) => request.subject !== subject);
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

export const UNTOUCHED_USER_MODES = {
  'other-user-changed':
    'An update changed a user whose id was not in the path. Update only the user whose id is in the path.',
};
export const UNTOUCHED_USER_MEMBERS = [...UPDATABLE, ...UNTOUCHED_MEMBERS];
