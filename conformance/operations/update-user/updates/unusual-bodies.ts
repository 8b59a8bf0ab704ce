import { type Exchange, inWords } from '../../../http/exchange.ts';
import type { Check, Judgement } from '../../../judging/check.ts';
import type { Evidence, Round } from '../../../judging/evidence.ts';
import {
  blockedOrUnsent,
  eitherFailure,
  failed,
  judgeNoResponse,
  notObservable,
  passed,
} from '../../../judging/outcomes.ts';
import type { Scenario } from '../../../judging/traffic.ts';
import { compareMember } from '../../../target/comparison.ts';
import type { FreshValues } from '../../../target/requests.ts';
import { lastSent, seen, seenValue } from '../../../target/user-state.ts';
import { UPDATABLE, type Updatable } from '../../../target/user.ts';
import { UPDATE_USER } from '../requests.ts';
import { scenario, sending, slugOf } from '../scenarios.ts';
import { typeCheckOf } from './causes.ts';
import { kept } from './effects.ts';
import { readingOf, roundsOf, sends, type UpdateCheck, updateCheck, UNSENT } from './update-check.ts';

const MODES = {
  altered: 'The update was accepted, but stored another value. Store what was sent, or refuse it with 400.',
  ignored: 'The update was accepted, but the old value was kept. Store what was sent, or refuse it with 400.',
  'refused-yet-changed': 'The update was refused, but changed the user. Validate everything before storing anything.',
  'other-member-changed': 'The update changed a member that it does not send. Change only the members in the body.',
  'wrong-status': 'The update was neither accepted with 200 nor refused with 400. Do one of the two.',
  'no-answer': 'The connection was closed without a response. Accept the update with 200, or refuse it with 400.',
} as const;

/** Canonically equivalent texts are the same text for a reader (Unicode, 3.12). */
function sameText(left: unknown, right: unknown): boolean {
  const normal = (value: unknown): unknown => (typeof value === 'string' ? value.normalize() : value);
  return normal(left) === normal(right);
}

/** One update with an unusual body, and what may be stored of it if it is accepted. */
interface Unusual {
  readonly member: Updatable;
  readonly scenario: Scenario;
  /** @param sent the body's text */
  readonly mayStore: (sent: string) => readonly unknown[];
}

function unusual(
  id: string,
  member: Updatable,
  purpose: string,
  body: (fresh: FreshValues) => string,
  mayStore: Unusual['mayStore'] = (sent) => [(JSON.parse(sent) as Record<string, unknown>)[member]],
): Unusual {
  const step = { ...sending('user', member), purpose, body };
  return { member, scenario: scenario(`unusual-${id}`, [step], [], { runLast: true }), mayStore };
}

function unusualValue(id: string, member: Updatable, what: string, value: (fresh: FreshValues) => string): Unusual {
  const body = (fresh: FreshValues): string => JSON.stringify({ [member]: value(fresh) });
  return unusual(id, member, `An update with ${what} as ${member}`, body);
}

/** Judges that members are as they were: all after a refusal, and those that were not sent after an accepted update. */
function changedMember(
  evidence: Evidence,
  round: Round,
  members: readonly Updatable[],
  mode: keyof typeof MODES,
): Judgement | undefined {
  for (const member of members) {
    const judgement = kept('user', member)([round], evidence);
    if (judgement.outcome === 'failed') return { ...judgement, failure: { ...judgement.failure, mode } };
  }
  return undefined;
}

/** Judges what was stored by an unusual update that was accepted. */
function judgeAccepted({ member, mayStore }: Unusual, update: Exchange, round: Round, evidence: Evidence): Judgement {
  const reading = readingOf(round, 'user');
  const history = evidence.history('user');
  const allowed = mayStore(update.request.body ?? '');
  const looks = [update, ...(reading && !sends(reading, member) ? [reading] : [])].flatMap((exchange) => {
    const state = seen(exchange, member, history);
    // A target may leave out a member that is empty.
    const isHidden = state.kind === 'unseen' || (state.kind === 'removed' && allowed.includes(''));
    return isHidden ? [] : [{ exchange, state }];
  });
  const wrong = looks.find(
    ({ state }) => state.kind === 'removed' || !allowed.some((value) => sameText(value, seenValue(state))),
  );
  if (wrong) {
    const actual = seenValue(wrong.state);
    const old = lastSent(history.slice(0, Math.max(history.indexOf(update), 0)), member);
    const mode = old !== undefined && compareMember(member, old, actual) === 'same' ? 'ignored' : 'altered';
    const [expected] = allowed;
    const values = allowed.map(inWords).join(' or ');
    const message = `${update.request.purpose}: the response is 200, but ${member} is ${inWords(actual)}, expected ${values}.`;
    const failure = { mode, expected, actual, pointer: `/${member}`, message };
    return { ...failed(failure, update, wrong.exchange), restsOn: [typeCheckOf(member)] };
  }
  const others = UPDATABLE.filter((each) => each !== member);
  const side = changedMember(evidence, round, others, 'other-member-changed');
  if (side) return side;
  if (looks.length === 0) return notObservable(`the target does not show \`${member}\``, [update]);
  return passed(looks.map(({ exchange }) => exchange));
}

/** Judges the response to one unusual update, and the reading after it. */
function judgeRound(each: Unusual, round: Round, evidence: Evidence): Judgement {
  const [update] = round.updates;
  if (!update) return blockedOrUnsent(evidence, UPDATE_USER, UNSENT);
  const unanswered = judgeNoResponse([update], evidence);
  if (unanswered) return unanswered;
  if (update.response?.status === 200) return judgeAccepted(each, update, round, evidence);
  const wrong = eitherFailure(update);
  if (wrong) return failed(wrong, update);
  return changedMember(evidence, round, UPDATABLE, 'refused-yet-changed') ?? passed([update]);
}

type Given = Pick<UpdateCheck, 'id' | 'requirements' | 'title'>;

/** What an ordinary update of one member must do before an unusual one says anything. */
function ordinaryUpdate(member: Updatable): string[] {
  const others = UPDATABLE.filter((each) => each !== member).map(slugOf);
  const own = ['accepted', 'shown', 'stored', ...others.map((other) => `keeps-${other}`)];
  return ['update-always-200', 'update-second-keeps-first', ...own.map((what) => `update-${slugOf(member)}-${what}`)];
}

function unusualCheck(given: Given, cases: readonly Unusual[]): Check {
  return updateCheck({
    ...given,
    level: 'should',
    scenarios: cases.map(({ scenario }) => scenario),
    failureModes: MODES,
    restsOn: [...new Set(cases.flatMap(({ member }) => ordinaryUpdate(member)))],
    judge: (evidence) => {
      const judged = cases.flatMap((each) =>
        roundsOf(evidence, each.scenario).map((round) => judgeRound(each, round, evidence)),
      );
      const [first] = judged;
      if (!first) return blockedOrUnsent(evidence, UPDATE_USER, UNSENT);
      return (
        judged.find(({ outcome }) => outcome === 'failed') ??
        judged.find(({ outcome }) => outcome !== 'passed') ??
        first
      );
    },
  });
}

/** Names that a server may refuse, but must not damage when it accepts them. */
const NAMES: readonly (readonly [id: string, title: string, ...values: ((fresh: FreshValues) => string)[]])[] = [
  ['letters', 'with letters of many scripts', ({ name }) => `${name()} Łódź Ærø Ωmega Ждан 東京 서울`],
  ['emoji', 'with emoji', ({ name }) => `${name()} 😀 👩🏽‍🚀 🏳️‍🌈 𝒳`],
  ['combining-marks', 'with combining marks', ({ name }) => `${name()} Zoe\u0308 A\u030a s\u0323\u0307`],
  ['right-to-left', 'with right-to-left letters', ({ name }) => `${name()} שלום مرحبا`],
  ['markup', 'with markup characters', ({ name }) => `${name()} <b>&amp; "x" 'y' </b>`],
  [
    'escapes',
    'with characters that templates, shells and databases interpret',
    ({ name }) => `${name()} O'Hara \\n %41 {{x}} \${y} $1 ; --`,
  ],
  ['like-number', 'that looks like a number', () => '0012.50', () => '1e3'],
  ['like-boolean', 'that looks like a boolean or null', () => 'true', () => 'null'],
  ['like-date', 'that looks like a date', () => '2026-01-02', () => '2026-01-02T03:04:05Z'],
  ['long', 'of 300 characters', ({ name }) => name().padEnd(299, ' conformance').padEnd(300, '.')],
];

const names = NAMES.map(([id, title, ...values]) =>
  unusualCheck(
    {
      id: `update-name-${id}`,
      requirements: ['update.values-faithful'],
      title: `A name ${title} is stored as sent, or refused with 400`,
    },
    values.map((value, index) => unusualValue(`name-${id}-${index + 1}`, 'name', `a name ${title}`, value)),
  ),
);

const empties = (['name', 'email'] as const).map((member) =>
  unusualCheck(
    {
      id: `update-${member}-empty`,
      requirements: ['update.empty-text'],
      title: `An empty \`${member}\` is stored as sent, or refused with 400`,
    },
    [unusualValue(`${member}-empty`, member, 'an empty text', () => '')],
  ),
);

/** The texts after `"name":`, in their order. */
function namesIn(sent: string): unknown[] {
  return [...sent.matchAll(/"name":("(?:[^"\\]|\\.)*")/g)].map(([, text = '']) => JSON.parse(text) as unknown);
}

const bodies = [
  unusualCheck(
    {
      id: 'update-member-twice',
      requirements: ['update.unusual-members'],
      title: 'A body with `name` twice stores one of the two, or is refused with 400',
    },
    [
      unusual(
        'member-twice',
        'name',
        'An update with name twice',
        ({ name }) => `{"name":${JSON.stringify(name())},"name":${JSON.stringify(name())}}`,
        namesIn,
      ),
    ],
  ),
  unusualCheck(
    {
      id: 'update-member-proto',
      requirements: ['update.unusual-members'],
      title: 'A member named `__proto__` has no effect, or is refused with 400',
    },
    [
      unusual(
        'member-proto',
        'name',
        'An update with a name and the member __proto__',
        ({ name, email }) =>
          `{"name":${JSON.stringify(name())},"__proto__":${JSON.stringify({ email: email(), name: name() })}}`,
        (sent) => namesIn(sent).slice(0, 1),
      ),
    ],
  ),
];

/** The scenarios with an unusual name, which an observation looks at. */
export const UNUSUAL_NAMES: readonly Scenario[] = names.flatMap(({ uses }) => uses) as Scenario[];

/** Source: Endpoints, PUT user, request body and rule; Limits. */
export const unusualBodyChecks: readonly Check[] = [...names, ...empties, ...bodies];
