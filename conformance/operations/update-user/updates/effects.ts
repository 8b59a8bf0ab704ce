import { type Exchange, inWords, isAccepted, sends, sentIn } from '../../../http/exchange.ts';
import type { Judgement } from '../../../judging/check.ts';
import type { Evidence } from '../../../judging/evidence.ts';
import { explainedBy, failed, notObservable, passed, preconditionFailed } from '../../../judging/outcomes.ts';
import { compareMember } from '../../../target/comparison.ts';
import { compareSeen, lastKnown, type Seen, seen, seenValue, shownUser } from '../../../target/user-state.ts';
import type { NamedUser, Updatable } from '../../../target/user.ts';
import { causesOfMix, hidingChecks, lossChecks, storedChecks, typeCheckOf } from './causes.ts';
import { type JudgeRounds, updatesOf, readingOf, wordsOf } from './update-check.ts';

/** Whether a member has no value, or the zero of its type: what was stored is lost, not what was sent ignored. */
function isLost(state: Seen): boolean {
  return ['removed', 'nulled', 'emptied'].includes(lostMode(state)) || (state.kind === 'shown' && state.value === 0);
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
    const message = `${member} was sent as ${inWords(sent)}, but ${where} it is ${inWords(actual)}.`;
    // The update was right at first; then another request, perhaps the reading, lost the value.
    if (by && isLost(state) && compareMember(member, sent, shownUser(by)?.[member]) === 'same')
      return { ...preconditionFailed(message, [by, at]), restsOn: lossChecks(member) };
    const failure = { mode, expected: sent, actual, pointer: `/${member}`, message };
    const causes = [typeCheckOf(member), ...causesOfMix(evidence, subject, sent, actual)];
    return { ...failed(failure, ...(by ? [by] : []), at), restsOn: causes, ...(by ? { replay: [by, at] } : {}) };
  }
  const unseen = [...decisive].filter(([, exchanges]) => exchanges.length === 0).map(([member]) => member);
  const exchanges = [...new Set([...decisive.values()].flat())];
  if (unseen.length > 0) {
    const asked = expectations.flatMap(({ member, at }) => (at && unseen.includes(member) ? [at] : []));
    const isRefused = asked.length > 0 && !asked.some(isAccepted);
    const why = isRefused ? 'refused the requests that would show' : 'does not show';
    const judgement = notObservable(`the target ${why} ${wordsOf(unseen)} ${where}`, exchanges);
    return explainedBy(judgement, ...unseen.flatMap(hidingChecks));
  }
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
        const by = (exchange === reading ? own.at(-1) : exchange) ?? exchange;
        const message = `${by.request.purpose}: ${member} was not sent; it was ${inWords(expected)}, and ${where} it is ${inWords(actual)}.`;
        const failure = { mode: lostMode(state), expected, actual, pointer: `/${member}`, message };
        const judgement = failed(failure, ...own, ...(exchange === reading ? [exchange] : []));
        // A value that became null is lost, whatever type the member has.
        const shownWrongly = actual === null ? [] : [typeCheckOf(member)];
        const causes = [...shownWrongly, ...causesOfMix(evidence, subject, actual)];
        return { ...judgement, restsOn: causes };
      }
    }
    if (decisive.length > 0) return passed(decisive);
    const judgement = notObservable(`the target does not show \`${member}\` before and after the update`);
    return explainedBy(judgement, ...hidingChecks(member));
  };
}

/** Takes a pass back if the update was not stored, or not seen to be: then it proves nothing that something stayed as it was. */
export function ifStored(subject: NamedUser, members: readonly Updatable[], judge: JudgeRounds): JudgeRounds {
  return (rounds, evidence) => {
    const judgement = judge(rounds, evidence);
    if (judgement.outcome !== 'passed') return judgement;
    const storing = stored(subject, members)(rounds, evidence);
    if (storing.outcome === 'passed') return judgement;
    if (storing.outcome !== 'failed') return storing;
    const notStored = preconditionFailed('the update itself was not stored', storing.exchanges);
    return explainedBy(notStored, ...(storing.restsOn ?? []), ...storedChecks(subject, members));
  };
}
