import { rememberingEach } from '../../../../common/json.ts';
import { type Exchange, inWords, isAccepted, isSafe, sends } from '../../../http/exchange.ts';
import type { Evidence } from '../../../judging/evidence.ts';
import { failed, notObservable, passed } from '../../../judging/outcomes.ts';
import { compareMember } from '../../../target/comparison.ts';
import { shownUser } from '../../../target/user-state.ts';
import { type NamedUser, NAMED_USERS, UNTOUCHED_MEMBERS, UPDATABLE, USER_WORDS } from '../../../target/user.ts';
import { ISOLATION_CHECKS, OTHER_STORED_CHECK, lossChecks } from './causes.ts';
import { type JudgeRounds, updatesOf } from './update-check.ts';
import { kept } from './effects.ts';

export const UNTOUCHED_USER_MODES = {
  'other-user-changed':
    'An update changed a user whose id was not in the path. Update only the user whose id is in the path.',
};

type UntouchedMember = (typeof UNTOUCHED_MEMBERS)[number];

/** How a member that no update touches changed. */
interface UntouchedChange {
  readonly before: Exchange;
  readonly after: Exchange;
  readonly expected: unknown;
  readonly actual: unknown;
  /** Whether the updates of the user alone explain it: nothing was sent to the other user in between. */
  readonly isOwn: boolean;
  /** Whether a request that only reads was under way. */
  readonly isBesideRead: boolean;
}

function isBetween({ startedAt, duration }: Exchange, before: Exchange, after: Exchange): boolean {
  return startedAt + duration >= before.startedAt && startedAt <= after.startedAt + after.duration;
}

/** A time may be stored less exactly than it was shown first, so it may come in two forms. One that is set anew comes in many. */
const FORMS = 2;

/** A value as text, and a time in any zone as the instant that it stands for. */
function formOf(value: unknown): string {
  const instant = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(instant) ? JSON.stringify(value) : String(instant);
}

/**
 * By user and by member, the first change of a member that no update touches, between two responses to consecutive updates of
 * the user; if there is one, one between which nothing was sent to the other user, nor only read. Changes beside refused requests,
 * and by updates that send the member, are judged with these.
 */
export const changesOfUntouched = rememberingEach((evidence: Evidence) => {
  const of = (subject: NamedUser) =>
    new Map(UNTOUCHED_MEMBERS.map((member) => [member, firstChange(subject, member, evidence)]));
  return { user: of('user'), 'other-user': of('other-user') };
});

function firstChange(subject: NamedUser, member: UntouchedMember, evidence: Evidence): UntouchedChange | undefined {
  const updates = evidence.history(subject).filter((each) => Object.hasOwn(shownUser(each) ?? {}, member));
  const others = evidence.exchanges.filter((each) => !isSafe(each.request) && each.request.subject !== subject);
  const refused = evidence.exchanges.filter((each) => !isSafe(each.request) && !isAccepted(each));
  const reads = evidence.exchanges.filter((each) => isSafe(each.request));
  const values = updates.map((each) => shownUser(each)?.[member]);
  const forms = values.map(formOf);
  const isSetAnew = new Set(forms).size > FORMS;
  const changes = updates.slice(1).flatMap((after, index): UntouchedChange[] => {
    const before = updates[index] ?? after;
    const [expected, actual] = [values[index], values[index + 1]];
    const differs = isSetAnew
      ? forms[index] !== forms[index + 1]
      : compareMember(member, expected, actual) === 'different';
    if (!differs) return [];
    const isBeside = (some: readonly Exchange[]): boolean => some.some((each) => isBetween(each, before, after));
    if (isBeside(refused) || [before, after].some((each) => sends(each, member))) return [];
    return [{ before, after, expected, actual, isOwn: !isBeside(others), isBesideRead: isBeside(reads) }];
  });
  return (
    changes.find(({ isOwn, isBesideRead }) => isOwn && !isBesideRead) ??
    changes.find(({ isOwn }) => isOwn) ??
    changes[0]
  );
}

/** Judges that a user whom the updates do not address shows the same before and after. */
export function untouched(subject: NamedUser): JudgeRounds {
  return (rounds, evidence) => {
    // A member that each update of a user changes is changed by the reading, too.
    const stable = UNTOUCHED_MEMBERS.filter(
      (member) => !NAMED_USERS.some((each) => changesOfUntouched(evidence)[each].get(member)?.isOwn),
    );
    const judgements = [...UPDATABLE, ...stable].map((member) => kept(subject, member)(rounds, evidence));
    for (const judgement of judgements) {
      if (judgement.outcome !== 'failed') continue;
      const addressed = updatesOf(rounds).filter(({ request }) => request.subject !== subject);
      const { expected, actual, pointer = '' } = judgement.failure;
      const change = `${pointer.slice(1)} was ${inWords(expected)} and is ${inWords(actual)}`;
      const message = `An update of another user changed ${USER_WORDS[subject]}: ${change}.`;
      const failure = { ...judgement.failure, mode: 'other-user-changed', message };
      // A user that shows no value of the other one was not updated by mistake: what was sent for it is lost.
      const { mode: how } = judgement.failure;
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
