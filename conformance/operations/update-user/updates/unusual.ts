import { type Exchange, inWords, isAccepted, sends } from '../../../http/exchange.ts';
import type { Check, Judgement } from '../../../judging/check.ts';
import type { Evidence, Round } from '../../../judging/evidence.ts';
import {
  blockedOrUnsent,
  eitherFailure,
  explainedBy,
  failed,
  judgeNoResponse,
  notObservable,
  passed,
  preconditionFailed,
} from '../../../judging/outcomes.ts';
import type { Scenario, ScenarioStep } from '../../../judging/traffic.ts';
import { compareMember } from '../../../target/comparison.ts';
import type { FreshValues } from '../../../target/requests.ts';
import { lastSent, seen, seenValue } from '../../../target/user-state.ts';
import { type NamedUser, UPDATABLE, type Updatable } from '../../../target/user.ts';
import { eitherUpdate } from '../due.ts';
import { scenario, sending, slugOf } from '../scenarios.ts';
import { brokenBefore, damageBy, typeCheckOf, UNUSUAL } from './causes.ts';
import { kept } from './effects.ts';
import { readingOf, roundsOf, updateCheck, UNSENT } from './update-check.ts';

const UNUSUAL_MODES = {
  altered: 'The update was accepted, but stored another value. Store what was sent, or refuse it with 400.',
  ignored: 'The update was accepted, but the old value was kept. Store what was sent, or refuse it with 400.',
  'refused-yet-changed': 'The update was refused, but changed the user. Validate everything before storing anything.',
  'other-member-changed': 'The update changed a member that it does not send. Change only the members in the body.',
  'wrong-status': 'The update was neither accepted with 200 nor refused with 400. Do one of the two.',
  'no-answer': 'The connection was closed without a response. Accept the update with 200, or refuse it with 400.',
  damaged:
    'After the update, valid requests to the user fail. Store only what can be read again, or refuse it with 400.',
} as const;

/** What software makes of half of a surrogate pair is unpredictable (RFC 8259, 8.2), with the blanks around it. */
const HALF_A_PAIR = /\s*\p{Surrogate}\s*/u;

/** Whether a text is stored, but for its canonical form, which is the same for a reader (Unicode, 3.12), and half of a surrogate pair. */
function isStoredAs(sent: unknown, stored: unknown): boolean {
  if (typeof sent !== 'string' || typeof stored !== 'string') return sent === stored;
  const [text, start = '', end] = [stored.normalize(), ...sent.normalize().split(HALF_A_PAIR)];
  if (end === undefined) return text === start;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

/** Updates of one member with unusual bodies, and what may be stored of each if it is accepted. */
export interface Unusual {
  readonly member: Updatable;
  readonly scenario: Scenario;
  /** @param sent the body's text */
  readonly mayStore: (sent: string) => readonly unknown[];
}

/** The member as it is sent; a server may trim white space, and fold the case of an e-mail address (open.value-bounds). */
function asSent(member: Updatable): Unusual['mayStore'] {
  return (sent) => {
    const value = (JSON.parse(sent) as Record<string, unknown>)[member];
    if (typeof value !== 'string') return [value];
    return [value, member === 'email' ? value.toLowerCase() : value.trim().replaceAll(/\s+/g, ' ')];
  };
}

export function unusual(
  id: string,
  member: Updatable,
  purpose: string,
  bodies: readonly NonNullable<ScenarioStep['body']>[],
  [checks, requirements]: Judging,
  mayStore = asSent(member),
): Unusual {
  const due: ScenarioStep['due'] = (sent) =>
    eitherUpdate(checks, requirements, { role: 'unusual', stores: { [member]: mayStore(sent) } });
  const steps = bodies.map((body) => ({ ...sending('user', member), purpose, body, due }));
  return { member, scenario: scenario(`${UNUSUAL}${id}`, steps, [], { runLast: true, anyUser: true }), mayStore };
}

/** The checks that judge a request, and the requirements that it may contradict. */
export type Judging = readonly [checks: readonly string[], requirements: readonly string[]];

export function unusualValue(
  id: string,
  member: Updatable,
  what: string,
  value: (fresh: FreshValues) => string,
  judging: Judging,
): Unusual {
  const body: ScenarioStep['body'] = ({ fresh }) => JSON.stringify({ [member]: value(fresh) });
  return unusual(id, member, `An update with ${what} as ${member}`, [body], judging);
}

function subjectOf({ updates: [update] }: Round): NamedUser {
  return update?.request.subject === 'other-user' ? 'other-user' : 'user';
}

/** Judges that members are as they were: all after a refusal, and those that were not sent after an accepted update. */
function changedMember(
  evidence: Evidence,
  round: Round,
  members: readonly Updatable[],
  mode: keyof typeof UNUSUAL_MODES,
): Judgement | undefined {
  for (const member of members) {
    const judgement = kept(subjectOf(round), member)([round], evidence);
    if (judgement.outcome === 'failed') return { ...judgement, failure: { ...judgement.failure, mode } };
  }
  return undefined;
}

/** What failed, or could not be decided; the first one if there is neither, and undefined if there is none. */
function worstOf(judged: readonly Judgement[]): Judgement | undefined {
  return (
    judged.find(({ outcome }) => outcome === 'failed') ??
    judged.find(({ outcome }) => outcome !== 'passed') ??
    judged[0]
  );
}

/** Judges what was stored by an unusual update that was accepted. */
function judgeAccepted({ member, mayStore }: Unusual, update: Exchange, round: Round, evidence: Evidence): Judgement {
  const reading = readingOf(round, subjectOf(round));
  const history = evidence.history(subjectOf(round));
  const allowed = mayStore(update.request.body ?? '');
  const looks = [update, ...(reading && !sends(reading, member) ? [reading] : [])].flatMap((exchange) => {
    const state = seen(exchange, member, history);
    // A target may leave out a member that is empty.
    const isHidden = state.kind === 'unseen' || (state.kind === 'removed' && allowed.includes(''));
    return isHidden ? [] : [{ exchange, state }];
  });
  const wrong = looks.find(
    ({ state }) => state.kind === 'removed' || !allowed.some((value) => isStoredAs(value, seenValue(state))),
  );
  if (wrong) {
    const actual = seenValue(wrong.state);
    const old = lastSent(history.slice(0, Math.max(history.indexOf(update), 0)), member);
    const mode = old !== undefined && compareMember(member, old, actual) === 'same' ? 'ignored' : 'altered';
    const [expected] = allowed;
    const values = [...new Set(allowed.map(inWords))].join(' or ');
    const message = `${update.request.purpose}: the response is 200, but ${member} is ${inWords(actual)}, expected ${values}.`;
    const failure = { mode, expected, actual, pointer: `/${member}`, message };
    return { ...failed(failure, update, wrong.exchange), restsOn: [typeCheckOf(member)] };
  }
  const others = UPDATABLE.filter((each) => each !== member);
  const side = changedMember(evidence, round, others, 'other-member-changed');
  if (side) return side;
  if (looks.length === 0)
    return explainedBy(notObservable(`the target does not show \`${member}\``, [update]), 'json-user');
  return passed(looks.map(({ exchange }) => exchange));
}

/** Judges the response to one unusual update, and the reading after it. */
function judgeUpdate(each: Unusual, update: Exchange, round: Round, evidence: Evidence): Judgement {
  const earlier = brokenBefore(update, evidence);
  if (earlier.length > 0) return preconditionFailed('the request before it had failed as well', [...earlier, update]);
  const unanswered = judgeNoResponse([update], evidence);
  if (unanswered) return unanswered;
  const wrong = eitherFailure(update, evidence);
  if (wrong) return failed(wrong, update);
  const [damage] = damageBy(update, evidence);
  if (damage) {
    const actual = damage.response?.status ?? 'no response';
    const message = `${update.request.purpose}: the response is ${update.response?.status ?? ''}, but the next request to the user gets ${actual}.`;
    const failure = { mode: 'damaged', expected: 'later requests work', actual, message };
    return { ...failed(failure, update, damage), replay: [update, damage] };
  }
  if (isAccepted(update)) return judgeAccepted(each, update, round, evidence);
  return changedMember(evidence, round, UPDATABLE, 'refused-yet-changed') ?? passed([update]);
}

/** Judges the updates of one round; only the last one is followed by a reading. */
function judgeRound(each: Unusual, { updates, after }: Round, evidence: Evidence): Judgement {
  const judged = updates.map((update, index) => {
    const own = { updates: [update], after: index === updates.length - 1 ? after : [] };
    return judgeUpdate(each, update, own, evidence);
  });
  // What the response to an earlier one does not show is not seen at all.
  return (
    judged.find(({ outcome }) => outcome === 'failed') ??
    judged.at(-1) ??
    blockedOrUnsent(evidence, 'updateUser', UNSENT)
  );
}

/** What an ordinary update of one member must do before an unusual one says anything. */
export function ordinaryUpdate(member: Updatable): string[] {
  const others = UPDATABLE.filter((each) => each !== member).map(slugOf);
  const own = ['accepted', 'shown', 'stored', ...others.map((other) => `keeps-${other}`)];
  return ['update-always-200', 'update-second-keeps-first', ...own.map((what) => `update-${slugOf(member)}-${what}`)];
}

/** A check that unusual updates are stored as they are sent, or refused with 400. */
export function unusualCheck(
  id: string,
  requirement: string,
  title: string,
  cases: readonly Unusual[],
  restsOn: readonly string[] = [],
): Check {
  return updateCheck({
    id,
    requirements: [requirement],
    title,
    level: 'should',
    scenarios: cases.map(({ scenario }) => scenario),
    failureModes: UNUSUAL_MODES,
    restsOn: [...new Set([...restsOn, ...cases.flatMap(({ member }) => ordinaryUpdate(member))])],
    judge: (evidence) => {
      const judged = cases.flatMap((each) =>
        roundsOf(evidence, each.scenario).map((round) => judgeRound(each, round, evidence)),
      );
      return worstOf(judged) ?? blockedOrUnsent(evidence, 'updateUser', UNSENT);
    },
  });
}
