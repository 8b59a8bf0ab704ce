import { type Exchange, inWords, isAccepted, overlap, sends, sentBody, sentIn } from '../../../http/exchange.ts';
import type { Check, Judgement } from '../../../judging/check.ts';
import type { Due } from '../../../http/due.ts';
import type { Evidence, Round } from '../../../judging/evidence.ts';
import {
  blockedOrUnsent,
  failed,
  judgeNoResponse,
  notObservable,
  passed,
  preconditionFailed,
} from '../../../judging/outcomes.ts';
import { compareMember } from '../../../target/comparison.ts';
import { seen, seenValue } from '../../../target/user-state.ts';
import { type NamedUser, USER_WORDS } from '../../../target/user.ts';
import { scenario, sending } from '../scenarios.ts';
import { lossChecks, typeCheckOf } from './causes.ts';
import { roundsOf, UNSENT, updateCheck, updatesOf } from './update-check.ts';

/**
 * How often concurrent updates of one user are sent. A server at which one of three pairs of them loses one is found with more
 * than 98 %; a round with a role has three pairs.
 */
const ROUNDS = 10;
const ROUNDS_WITH_ROLE = 4;

const AGAIN: Due = { class: 'accept', statuses: [200], requirements: ['update.repeatable'], level: 'should', checks: ['update-repeated'], role: 'repetition' };

const REPEATED = scenario(
  'update-repeated',
  [
    sending('user', 'name', 'email'),
    {
      ...sending('user', 'name', 'email'),
      purpose: 'The same update once more',
      body: ({ previous }) => previous?.request.body ?? '{}',
      due: () => AGAIN,
    },
    {
      ...sending('user', 'email'),
      purpose: 'An update with the e-mail address that the user has already',
      body: ({ previous }) => JSON.stringify({ email: previous && sentIn(previous, 'email') }),
      due: () => AGAIN,
    },
  ],
  [],
  { runLast: true, anyUser: true },
);

const CONCURRENT = scenario(
  'update-side-by-side',
  [
    sending('user', 'name'),
    sending('user', 'email'),
    { ...sending('user', 'rootRole'), needs: ['roleIds'] },
    sending('other-user', 'name', 'email'),
  ],
  [],
  { runLast: true, concurrent: { rounds: ({ roleIds }) => (roleIds ? ROUNDS_WITH_ROLE : ROUNDS) } },
);

/** What ordinary updates with a name and an e-mail address must do before repeated or concurrent ones say anything. */
const BOTH_MEMBERS = ['always-200', 'name-email-accepted', 'name-email-shown', 'name-email-stored'].map(
  (what) => `update-${what}`,
);
const EACH_MEMBER = [
  ...['name-stored', 'name-keeps-email', 'email-stored', 'email-keeps-name', 'role-keeps-name', 'role-keeps-email'],
  ...['second-keeps-first', 'second-keeps-role'],
].map((what) => `update-${what}`);

/** What a response shows of a member whose last value is known. */
type Look = ReturnType<typeof looksAt>[number];

/** What a response shows of name and e-mail, compared with what the round sent last for its user. */
function looksAt(evidence: Evidence, { updates }: Round, at: Exchange) {
  const subject = at.request.subject as NamedUser;
  return (['name', 'email'] as const).flatMap((member) => {
    const sender = updates.findLast((each) => each.request.subject === subject && sends(each, member));
    const state = seen(at, member, evidence.history(subject));
    if (!sender || state.kind === 'unseen') return [];
    const [sent, actual] = [sentIn(sender, member), seenValue(state)];
    const isKept = state.kind === 'shown' && compareMember(member, sent, actual) !== 'different';
    return [{ subject, member, sent, actual, isKept, at }];
  });
}

/** What the readings after a round show of what it sent last, where they do not send it themselves. */
function looksAfter(evidence: Evidence, round: Round): Look[] {
  const addressed = round.after.filter((reading) =>
    round.updates.some(({ request }) => request.subject === reading.request.subject),
  );
  return addressed
    .flatMap((exchange) => looksAt(evidence, round, exchange))
    .filter(({ at, member }) => !sends(at, member));
}

const repeated = updateCheck({
  id: 'update-repeated',
  level: 'should',
  requirements: ['update.repeatable'],
  title: 'A repeated update gets the response 200 again and leaves the user as it is',
  scenarios: [REPEATED],
  failureModes: {
    refused:
      'An update was refused when it was sent a second time. Accept the values that the user has already, including its own e-mail address.',
    changed: 'An update that was sent a second time changed something. Repeating it must leave the user as it is.',
    'no-answer': 'The connection was closed without a response to a repeated update. Respond with 200 and the user.',
  },
  restsOn: [...BOTH_MEMBERS, 'update-email-accepted', 'update-email-keeps-name'],
  judge: (evidence) => {
    const accepted = roundsOf(evidence, REPEATED).filter(({ updates: [first] }) => isAccepted(first));
    if (accepted.length === 0) return blockedOrUnsent(evidence, 'updateUser', 'the update itself was not accepted');
    for (const round of accepted) {
      const again = round.updates.slice(1);
      const unanswered = judgeNoResponse(again, evidence);
      if (unanswered) return unanswered;
      const refused = again.find((exchange) => !isAccepted(exchange));
      if (refused) {
        const actual = refused.response?.status;
        const message = `${refused.request.purpose}: the response is ${actual ?? ''}, expected 200.`;
        return failed({ mode: 'refused', expected: 200, actual, message }, refused);
      }
      const looks = [
        ...again.flatMap((exchange) => looksAt(evidence, round, exchange)),
        ...looksAfter(evidence, round),
      ];
      const changed = looks.find(({ isKept }) => !isKept);
      if (changed) {
        const { member, sent, actual, at } = changed;
        const message = `${member} was sent twice as ${inWords(sent)}, and is ${inWords(actual)}.`;
        const failure = { mode: 'changed', expected: sent, actual, pointer: `/${member}`, message };
        return { ...failed(failure, ...again, at), restsOn: [typeCheckOf(member), ...lossChecks(member)] };
      }
    }
    const looks = accepted.flatMap((round) => looksAfter(evidence, round));
    return looks.length === 0
      ? notObservable('no later response shows what was sent')
      : passed(looks.map(({ at }) => at));
  },
});

/** Whether two updates of a round overlapped: two of the same user, or one of each. */
function isConcurrent({ updates }: Round, ofOneUser: boolean): boolean {
  return updates.some((one, index) =>
    updates
      .slice(index + 1)
      .some((other) => (one.request.subject === other.request.subject) === ofOneUser && overlap(one, other)),
  );
}

/** Whether a value that was not kept was lost to another update of the user, and is not what was sent for the other one. */
function isLostUpdate({ subject, actual }: Look, { updates }: Round): boolean {
  const ofOthers = updates.filter(({ request }) => request.subject !== subject);
  return subject === 'user' && !ofOthers.some(({ request }) => Object.values(sentBody(request) ?? {}).includes(actual));
}

/**
 * Judges the rounds whose updates overlapped and were all accepted; others prove nothing.
 *
 * @param ofOneUser whether updates of one user are judged, or those of both; the two checks share their rounds
 */
function judgeConcurrency(evidence: Evidence, mode: string, ofOneUser: boolean): Judgement {
  // The role only adds an update that may revert the others.
  const rounds = roundsOf(evidence, CONCURRENT).map((round) => ({
    ...round,
    updates: round.updates.filter((update) => !sends(update, 'rootRole')),
  }));
  if (rounds.length === 0) return blockedOrUnsent(evidence, 'updateUser', UNSENT);
  const concurrent = rounds.filter((round) => isConcurrent(round, ofOneUser) && round.updates.every(isAccepted));
  if (concurrent.length === 0) {
    const closed = evidence.exchanges.filter(({ transportError }) => transportError?.kind === 'closed');
    if (closed.length > 0)
      return preconditionFailed('after a closed connection, requests were sent one at a time', closed);
    const isPaused = evidence.exchanges.some(({ pauses }) => pauses > 0);
    const why = isPaused
      ? 'the target asks for pauses (429 or 503)'
      : 'the target, or --concurrency, handles one at a time';
    const detail = `no two updates overlapped and were both accepted; ${why}`;
    return notObservable(detail, updatesOf(rounds).slice(0, 2));
  }
  for (const [index, round] of concurrent.entries()) {
    const lost = looksAfter(evidence, round).find((look) => !look.isKept && isLostUpdate(look, round) === ofOneUser);
    if (!lost) continue;
    const { subject, member, sent, actual, at } = lost;
    const message = `In round ${index + 1} of ${concurrent.length} all concurrent updates were accepted, but ${member} of ${USER_WORDS[subject]} is ${inWords(actual)}, not ${inWords(sent)} as sent.`;
    const failure = { mode, expected: sent, actual, pointer: `/${member}`, message };
    return { ...failed(failure, ...round.updates, at), restsOn: [typeCheckOf(member)] };
  }
  const subjects: readonly NamedUser[] = ofOneUser ? ['user'] : ['user', 'other-user'];
  const looks = concurrent.flatMap((round) => looksAfter(evidence, round));
  const visible = subjects.every((subject) =>
    ['name', 'email'].every((member) => looks.some((look) => look.subject === subject && look.member === member)),
  );
  if (!visible) return notObservable('the target does not show afterwards what the updates stored');
  const detail = `${concurrent.length} rounds of concurrent updates`;
  return { outcome: 'passed', detail, exchanges: concurrent[0]?.updates ?? [] };
}

const concurrency = [
  updateCheck({
    id: 'update-concurrent-fields',
    level: 'should',
    requirements: ['update.concurrent-fields'],
    title: 'Two concurrent updates, one of the name and one of the e-mail, are both stored',
    scenarios: [CONCURRENT],
    restsOn: EACH_MEMBER,
    failureModes: {
      'lost-update':
        'Of two concurrent updates, one reverted what the other had stored. Write only the members that were sent, or lock the user from reading to writing.',
    },
    judge: (evidence) => judgeConcurrency(evidence, 'lost-update', true),
  }),
  updateCheck({
    id: 'update-concurrent-users',
    level: 'should',
    requirements: ['update.concurrent-users'],
    title: 'Concurrent updates of two users each store what was sent for their user',
    scenarios: [CONCURRENT],
    needs: ['otherUserId'],
    restsOn: [
      ...[...BOTH_MEMBERS, ...EACH_MEMBER],
      ...['update-other-user-stored', 'update-spares-other-user', 'update-other-user-spares-user'],
    ],
    failureModes: {
      'cross-user-mix':
        'After concurrent updates of two users, a user does not have the values that were sent for it. Keep the data of a request where no other request can reach it.',
    },
    judge: (evidence) => judgeConcurrency(evidence, 'cross-user-mix', false),
  }),
];

/** Source: Endpoints, PUT user, rule; RFC 9110, 9.2.2 (idempotent methods). */
export const repetitionChecks: readonly Check[] = [repeated, ...concurrency];
