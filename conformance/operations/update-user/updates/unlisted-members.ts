import { type Exchange, isAccepted, sends, sentIn } from '../../../http/exchange.ts';
import type { Failure, Judgement } from '../../../judging/check.ts';
import type { Evidence, Round } from '../../../judging/evidence.ts';
import {
  blockedOrUnsent,
  eitherFailure,
  failed,
  judgeNoResponse,
  notApplicable,
  passed,
} from '../../../judging/outcomes.ts';
import type { StepInputs } from '../../../judging/traffic.ts';
import { compareMember } from '../../../target/comparison.ts';
import { shownUser, takenId } from '../../../target/user-state.ts';
import { untouchedCheckOf, UNTOUCHED_MEMBERS } from '../../../target/user.ts';
import { eitherUpdate } from '../due.ts';
import { scenario, sending } from '../scenarios.ts';
import { readingOf, roundsOf, UNSENT, updateCheck } from './update-check.ts';
import { ordinaryUpdate } from './unusual.ts';

const DAY = 86_400_000;

/** Another value of the same type, which a server that applies it can store and take back. */
function otherValue(member: string, value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return 'conformance';
  if (member === 'createdAt') return new Date((Date.parse(value) || 0) + DAY).toISOString();
  if (member === 'accountType') return value === 'User' ? 'Service Account' : 'User';
  return `${value}-conformance`;
}

function withOtherValues({ fresh, before }: StepInputs): string {
  const others = Object.entries(before).map(([member, value]) => [member, otherValue(member, value)]);
  return JSON.stringify({ name: fresh.name(), ...Object.fromEntries(others) });
}

/** Sends what the first update changed as it was before; nothing if it changed nothing. */
function puttingBack({ before, now }: StepInputs): string | undefined {
  const changed = Object.entries(before).filter(
    ([member, value]) => compareMember(member, value, now[member]) === 'different',
  );
  return changed.length === 0 ? undefined : JSON.stringify(Object.fromEntries(changed));
}

const UNLISTED = scenario(
  'update-unlisted-members',
  [
    {
      ...sending('user', 'name'),
      purpose: 'An update with a name and members of a user that the request schema does not list',
      body: withOtherValues,
      due: () => eitherUpdate(['update-unlisted-members'], ['update.unlisted-members'], { role: 'unlisted' }),
    },
    { ...sending('user'), purpose: 'Putting back what the update before changed', body: puttingBack },
  ],
  [],
  { runLast: true },
);

/** The judgement on a target that took the id from a body. */
function judgeId(evidence: Evidence): Judgement | undefined {
  const taken = takenId(evidence.history('user'));
  if (!taken) return undefined;
  const [expected, actual] = [Number(evidence.inputs.userId), sentIn(taken.by, 'id')];
  return failed(appliedFailure('id', expected, actual), taken.by, taken.at);
}

function appliedFailure(member: string, expected: unknown, actual: unknown): Failure {
  const message = `${member} is no member of a request, but an update that sent it changed it from ${JSON.stringify(expected)} to ${JSON.stringify(actual)}.`;
  return { mode: 'applied', expected, actual, pointer: `/${member}`, message };
}

/** The first member that an update sent although the schema does not list it, and that has another value now. */
function appliedBy(update: Exchange, round: Round, evidence: Evidence) {
  const history = evidence.history('user');
  const earlier = history.slice(0, Math.max(history.indexOf(update), 0));
  const reading = round.updates.length === 1 ? readingOf(round, 'user') : undefined;
  for (const member of UNTOUCHED_MEMBERS) {
    const shows = (each: Exchange): boolean => Object.hasOwn(shownUser(each) ?? {}, member);
    const last = earlier.findLast(shows);
    if (!sends(update, member) || !last) continue;
    const before = shownUser(last)?.[member];
    for (const at of [update, ...(reading ? [reading] : [])].filter(shows)) {
      const after = shownUser(at)?.[member];
      if (compareMember(member, before, after) === 'different') return { member, before, after, at };
    }
  }
  return undefined;
}

function judgeRound(round: Round, evidence: Evidence): Judgement {
  const [update, back] = round.updates;
  if (!update) return blockedOrUnsent(evidence, 'updateUser', UNSENT);
  const unanswered = judgeNoResponse([update], evidence);
  if (unanswered) return unanswered;
  const wrong = eitherFailure(update, evidence);
  if (wrong) return failed(wrong, update);
  if (!UNTOUCHED_MEMBERS.some((member) => sends(update, member)))
    return notApplicable('the target shows no member that an update cannot send');
  const applied = isAccepted(update) ? appliedBy(update, round, evidence) : undefined;
  if (!applied) return passed([update]);
  const { member, before, after, at } = applied;
  const isBack = back && isAccepted(back) && sentIn(back, member) !== undefined;
  const failure = appliedFailure(member, before, after);
  const message = isBack ? failure.message : `${failure.message} It was not put back.`;
  return { ...failed({ ...failure, message }, update, at), restsOn: [untouchedCheckOf(member)] };
}

/** Source: Endpoints, PUT user, request body (table of fields); OWASP API Security Top 10, API3:2023. */
export const unlistedMembers = updateCheck({
  id: 'update-unlisted-members',
  level: 'should',
  requirements: ['update.unlisted-members'],
  title: 'An update does not apply members of a user that the request schema does not list',
  scenarios: [UNLISTED],
  failureModes: {
    applied:
      'An update stored a member that clients cannot set. Take only `name`, `email` and `rootRole` from the body.',
    'wrong-status':
      'The update was neither accepted with 200 nor refused with 400. Ignore the members, or refuse them with 400.',
    'no-answer': 'The connection was closed without a response. Ignore the members, or refuse them with 400.',
  },
  restsOn: [...ordinaryUpdate('name'), 'update-body-id-spares-other-user'],
  judge: (evidence) => {
    const judged = roundsOf(evidence, UNLISTED).map((round) => judgeRound(round, evidence));
    return (
      judged.find(({ outcome }) => outcome === 'failed') ??
      judgeId(evidence) ??
      judged[0] ??
      blockedOrUnsent(evidence, 'updateUser', UNSENT)
    );
  },
});
