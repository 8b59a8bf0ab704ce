import { type Exchange, isAccepted, sentBody } from '../../../http/exchange.ts';
import type { Check, Judgement } from '../../../judging/check.ts';
import type { Evidence, Round } from '../../../judging/evidence.ts';
import { blockedOrUnsent, failed, judgeNoResponse, notObservable, passed } from '../../../judging/outcomes.ts';
import type { Scenario } from '../../../judging/traffic.ts';
import { compareMember } from '../../../target/comparison.ts';
import { seen, seenValue } from '../../../target/user-state.ts';
import type { NamedUser } from '../../../target/user.ts';
import { UPDATE_USER } from '../requests.ts';
import { bodySends, readingOf, roundsOf, updateCheck } from './update-check.ts';

/** How often updates are sent side by side. A server that loses one in every third round is found with more than 98 %. */
const ROUNDS = 10;

const REPEATED: Scenario = {
  id: 'update-repeated',
  operation: UPDATE_USER,
  needs: ['adminKey', 'userId'],
  runLast: true,
  steps: [
    { subject: 'user', members: ['name', 'email'] },
    {
      subject: 'user',
      members: ['name', 'email'],
      purpose: 'The same update once more',
      body: (_fresh, previous) => previous?.request.body ?? '{}',
    },
    {
      subject: 'user',
      members: ['email'],
      purpose: 'An update with the e-mail address that the user has already',
      body: (_fresh, previous) => JSON.stringify({ email: previous && sentBody(previous.request)?.email }),
    },
  ],
};

const CONCURRENT: Scenario = {
  id: 'update-side-by-side',
  operation: UPDATE_USER,
  needs: ['adminKey', 'userId'],
  runLast: true,
  concurrent: { rounds: ROUNDS },
  steps: [
    { subject: 'user', members: ['name'] },
    { subject: 'user', members: ['email'] },
    { subject: 'other-user', members: ['name', 'email'] },
  ],
};

/** What an answer or a reading shows of a member, beside what was sent; or nothing, where it is not to be seen. */
function compareWithSent(
  evidence: Evidence,
  member: 'name' | 'email',
  sender: Exchange | undefined,
  reading: Exchange | undefined,
) {
  if (!sender || !reading) return undefined;
  const subject = sender.request.subject as NamedUser;
  const sent = sentBody(sender.request)?.[member];
  const state = seen(reading, member, evidence.history(subject));
  if (state.kind === 'unseen') return undefined;
  const actual = seenValue(state);
  const kept = state.kind === 'shown' && compareMember(member, sent, actual) !== 'different';
  return { subject, member, sent, actual, kept, reading };
}

type Seen = NonNullable<ReturnType<typeof compareWithSent>>;

function sends({ request }: Exchange, member: string): boolean {
  return Object.hasOwn(sentBody(request) ?? {}, member);
}

/** What the answer to one of the updates of a round shows that all send the same values. */
function answerLooks(evidence: Evidence, answer: Exchange, round: Round): Seen[] {
  return (['name', 'email'] as const).flatMap((member) => {
    const sender = round.updates.find((each) => sends(each, member));
    return compareWithSent(evidence, member, sender, answer) ?? [];
  });
}

/** What the readings after a round show of what was sent last in it. */
function looksOf(evidence: Evidence, round: Round): Seen[] {
  const subjects = [...new Set(round.updates.map(({ request }) => request.subject))] as NamedUser[];
  return subjects.flatMap((subject) =>
    (['name', 'email'] as const).flatMap((member) => {
      const reading = readingOf(round.after, subject);
      if (!reading || bodySends(reading, member)) return [];
      const sender = round.updates.findLast((each) => each.request.subject === subject && sends(each, member));
      return compareWithSent(evidence, member, sender, reading) ?? [];
    }),
  );
}

const repeated = updateCheck({
  id: 'update-repeated',
  level: 'should',
  requirements: ['update.repeatable'],
  title: 'The same update again is answered 200 again and leaves the user as it is',
  scenarios: [REPEATED],
  failureModes: {
    refused:
      'An update was refused when it was sent a second time. Accept values that the user has already, its own e-mail address too.',
    changed: 'An update that was sent a second time changed something. Sending it again must leave the user as it is.',
    'no-answer':
      'The connection was closed without an answer to an update that was sent again. Answer 200 with the user.',
  },
  judge: (evidence) => {
    const rounds = roundsOf(evidence, REPEATED);
    const taken = rounds.filter(({ updates: [first] }) => isAccepted(first));
    if (taken.length === 0) return blockedOrUnsent(evidence, UPDATE_USER, 'the update itself was not accepted');
    for (const round of taken) {
      const again = round.updates.slice(1);
      const unanswered = again.find(({ transportError }) => transportError);
      if (unanswered) return judgeNoResponse(unanswered, evidence);
      const refused = again.find((exchange) => !isAccepted(exchange));
      if (refused) {
        const actual = refused.response?.status;
        const message = `${refused.request.purpose} was answered ${actual ?? ''}, expected 200.`;
        return failed({ mode: 'refused', expected: 200, actual, message }, refused);
      }
      const changed = [
        ...again.flatMap((answer) => answerLooks(evidence, answer, round)),
        ...looksOf(evidence, round),
      ].find(({ kept }) => !kept);
      if (changed) {
        const { member, sent, actual, reading } = changed;
        const message = `${member} was sent twice as ${JSON.stringify(sent)}, and is ${JSON.stringify(actual)}.`;
        return failed({ mode: 'changed', expected: sent, actual, pointer: `/${member}`, message }, ...again, reading);
      }
    }
    const looks = taken.flatMap((round) => looksOf(evidence, round));
    return looks.length === 0
      ? notObservable('no later answer shows what was sent')
      : passed(looks.map(({ reading }) => reading));
  },
});

function overlap(one: Exchange, other: Exchange): boolean {
  return one.startedAt < other.startedAt + other.duration && other.startedAt < one.startedAt + one.duration;
}

/** Whether two updates of a round were under way together: two of the same user, or one of each. */
function isConcurrent({ updates }: Round, ofOneUser: boolean): boolean {
  return updates.some((one, index) =>
    updates
      .slice(index + 1)
      .some((other) => (one.request.subject === other.request.subject) === ofOneUser && overlap(one, other)),
  );
}

const WORDS: Readonly<Record<NamedUser, string>> = { user: 'the user', 'other-user': 'the other user' };

interface Concurrency {
  readonly mode: string;
  readonly ofOneUser: boolean;
  /** Whether a value that was not kept is for this check to report; the two checks share their rounds. */
  readonly concerns: (look: Seen, round: Round) => boolean;
}

/** Whether a user shows what was sent for the other one. */
function isMixedUp({ subject, actual }: Seen, { updates }: Round): boolean {
  return updates.some(
    ({ request }) => request.subject !== subject && Object.values(sentBody(request) ?? {}).includes(actual),
  );
}

/** Only rounds whose updates were under way together and were all taken say something. */
function judgeConcurrency(evidence: Evidence, { mode, ofOneUser, concerns }: Concurrency): Judgement {
  const rounds = roundsOf(evidence, CONCURRENT);
  if (rounds.length === 0) return blockedOrUnsent(evidence, UPDATE_USER, 'the run ended before the updates were sent');
  const together = rounds.filter((round) => isConcurrent(round, ofOneUser) && round.updates.every(isAccepted));
  if (together.length === 0) {
    return notObservable(
      'no two updates were under way at the same time and both accepted; the target, or --concurrency, takes one at a time',
      rounds.flatMap(({ updates }) => updates).slice(0, 2),
    );
  }
  for (const [index, round] of together.entries()) {
    const lost = looksOf(evidence, round).find((look) => !look.kept && concerns(look, round));
    if (!lost) continue;
    const { subject, member, sent, actual, reading } = lost;
    const message = `In round ${index + 1} of ${together.length} all updates were answered 200, but ${member} of ${WORDS[subject]} is ${JSON.stringify(actual)}, not ${JSON.stringify(sent)} as sent.`;
    return failed({ mode, expected: sent, actual, pointer: `/${member}`, message }, ...round.updates, reading);
  }
  const subjects: readonly NamedUser[] = ofOneUser ? ['user'] : ['user', 'other-user'];
  const looks = together.flatMap((round) => looksOf(evidence, round));
  const visible = subjects.every((subject) =>
    ['name', 'email'].every((member) => looks.some((look) => look.subject === subject && look.member === member)),
  );
  if (!visible) return notObservable('the target does not show afterwards what the updates stored');
  const detail = `${together.length} rounds of updates at the same time`;
  return { outcome: 'passed', detail, exchanges: together[0]?.updates ?? [] };
}

const concurrency = [
  updateCheck({
    id: 'update-concurrent-fields',
    level: 'should',
    requirements: ['update.concurrent-fields'],
    title: 'Of two updates at the same time, one of the name and one of the e-mail, both are stored',
    scenarios: [CONCURRENT],
    failureModes: {
      'lost-update':
        'Of two updates at the same time, one took back what the other had stored. Write only the members that were sent, or lock the user from reading to writing.',
    },
    judge: (evidence) =>
      judgeConcurrency(evidence, {
        mode: 'lost-update',
        ofOneUser: true,
        concerns: (look, round) => look.subject === 'user' && !isMixedUp(look, round),
      }),
  }),
  updateCheck({
    id: 'update-concurrent-users',
    level: 'should',
    requirements: ['update.concurrent-users'],
    title: 'Updates of two users at the same time each store what was sent for this user',
    scenarios: [CONCURRENT],
    needs: ['otherUserId'],
    failureModes: {
      'cross-user-mix':
        'After updates of two users at the same time, a user does not have the values that were sent for it. Keep nothing of a request where another request can see it.',
    },
    judge: (evidence) =>
      judgeConcurrency(evidence, {
        mode: 'cross-user-mix',
        ofOneUser: false,
        concerns: (look, round) => look.subject === 'other-user' || isMixedUp(look, round),
      }),
  }),
];

/** Source: Endpoints, PUT user, rule; RFC 9110, 9.2.2 (idempotent methods). */
export const repetitionChecks: readonly Check[] = [repeated, ...concurrency];
