import { sentBody } from '../../../http/exchange.ts';
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
import type { Scenario, ScenarioStep } from '../../../judging/traffic.ts';
import { compareMember } from '../../../target/comparison.ts';
import type { FreshValues } from '../../../target/requests.ts';
import { seen, seenValue } from '../../../target/user-state.ts';
import { UPDATABLE, type Updatable } from '../../../target/user.ts';
import { UPDATE_USER } from '../requests.ts';
import { bodySends, judgeKept, readingOf, roundsOf, type UpdateCheck, updateCheck } from './update-check.ts';

const MODES = {
  altered: 'The value was accepted, and another one was stored. Store what was sent, or refuse it with 400.',
  ignored: 'The value was accepted, but the old one was kept. Store what was sent, or refuse it with 400.',
  'refused-yet-changed': 'The update was refused, but changed the user. Check everything first, and store only then.',
  'other-member-changed':
    'The update changed a member that it does not send. Change only the members that the body has.',
  'wrong-status': 'The update was neither accepted with 200 nor refused with 400. Do one of the two.',
  'wrong-error-name':
    'The update was refused with 400, but the `name` of the error is not `ValidationError`. Use this name.',
  'no-answer': 'The connection was closed without an answer. Accept the update with 200, or refuse it with 400.',
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

function unusualScenario(
  id: string,
  member: Updatable,
  purpose: string,
  body: (fresh: FreshValues) => string,
): Scenario {
  const step: ScenarioStep = { subject: 'user', members: [member], purpose, body };
  return {
    id: `unusual-${id}`,
    operation: UPDATE_USER,
    needs: ['adminKey', 'userId'],
    steps: [step],
    runLast: true,
  };
}

function unusualValue(id: string, member: Updatable, what: string, value: (fresh: FreshValues) => string): Unusual {
  const purpose = `An update with ${what} as ${member}`;
  const scenario = unusualScenario(id, member, purpose, (fresh) => JSON.stringify({ [member]: value(fresh) }));
  return { member, scenario, mayStore: (sent) => [(JSON.parse(sent) as Record<string, unknown>)[member]] };
}

/** What must hold after a refusal, and of the members that were not sent: they are as they were. */
function changedMember(
  evidence: Evidence,
  round: Round,
  members: readonly Updatable[],
  mode: keyof typeof MODES,
): Judgement | undefined {
  const changed = members
    .map((member) => judgeKept(evidence, 'user', member, [round]).judgement)
    .find(({ outcome }) => outcome === 'failed');
  return changed?.outcome === 'failed' ? failed({ ...changed.failure, mode }, ...changed.exchanges) : undefined;
}

/** Judges the answer to one unusual update, and the reading after it. */
function judgeRound({ member, mayStore }: Unusual, round: Round, evidence: Evidence): Judgement {
  const [answer] = round.updates;
  const reading = readingOf(round.after, 'user');
  if (!answer) return blockedOrUnsent(evidence, UPDATE_USER, 'the run ended before the update was sent');
  if (!answer.response) return judgeNoResponse(answer, evidence);
  const { status } = answer.response;
  if (status !== 200) {
    const wrong = eitherFailure(answer);
    if (wrong) return failed(wrong, answer);
    return changedMember(evidence, round, UPDATABLE, 'refused-yet-changed') ?? passed([answer]);
  }
  const history = evidence.history('user');
  const allowed = mayStore(answer.request.body ?? '');
  const looks = [answer, ...(reading && !bodySends(reading, member) ? [reading] : [])].flatMap((exchange) => {
    const state = seen(exchange, member, history);
    return state.kind === 'unseen' ? [] : [{ exchange, state }];
  });
  const wrong = looks.find(
    ({ state }) => state.kind === 'removed' || !allowed.some((value) => sameText(value, seenValue(state))),
  );
  if (wrong) {
    const actual = seenValue(wrong.state);
    const before = history
      .slice(0, Math.max(history.indexOf(answer), 0))
      .findLast((each) => Object.hasOwn(sentBody(each.request) ?? {}, member));
    const old = before && sentBody(before.request)?.[member];
    const mode = old !== undefined && compareMember(member, old, actual) === 'same' ? 'ignored' : 'altered';
    const [expected] = allowed;
    const message = `${answer.request.purpose} was answered 200, but ${member} is ${JSON.stringify(actual)}, expected ${allowed.map((value) => JSON.stringify(value)).join(' or ')}.`;
    return failed({ mode, expected, actual, pointer: `/${member}`, message }, answer, wrong.exchange);
  }
  const others = UPDATABLE.filter((each) => each !== member);
  const side = changedMember(evidence, round, others, 'other-member-changed');
  if (side) return side;
  if (looks.length === 0) return notObservable(`the target does not show \`${member}\``, [answer]);
  return passed(looks.map(({ exchange }) => exchange));
}

function isFailed({ outcome }: Judgement): boolean {
  return outcome === 'failed';
}

type Given = Pick<UpdateCheck, 'id' | 'requirements' | 'title'>;

function unusualCheck(given: Given, cases: readonly Unusual[]): Check {
  return updateCheck({
    ...given,
    level: 'should',
    scenarios: cases.map(({ scenario }) => scenario),
    failureModes: MODES,
    judge: (evidence) => {
      const judged = cases.flatMap((each) =>
        roundsOf(evidence, each.scenario).map((round) => judgeRound(each, round, evidence)),
      );
      const [first] = judged;
      if (!first) return blockedOrUnsent(evidence, UPDATE_USER, 'the run ended before the update was sent');
      return judged.find(isFailed) ?? judged.find(({ outcome }) => outcome !== 'passed') ?? first;
    },
  });
}

/** Names that a server may refuse, but must not damage when it takes them. */
const NAMES: readonly (readonly [id: string, title: string, ...values: ((fresh: FreshValues) => string)[]])[] = [
  ['letters', 'with letters of many scripts', ({ name }) => `${name()} Łódź Ærø Ωmega Ждан 東京 서울`],
  ['emoji', 'with emoji', ({ name }) => `${name()} 😀 👩🏽‍🚀 🏳️‍🌈 𝒳`],
  ['combining-marks', 'with combining marks', ({ name }) => `${name()} Zoe\u0308 A\u030a s\u0323\u0307`],
  ['right-to-left', 'with letters that run from right to left', ({ name }) => `${name()} שלום مرحبا`],
  ['markup', 'with signs of markup', ({ name }) => `${name()} <b>&amp; "x" 'y' </b>`],
  [
    'escapes',
    'with signs that templates, shells and databases read',
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
      title: `An empty \`${member}\` is stored as it is, or refused with 400`,
    },
    [unusualValue(`${member}-empty`, member, 'an empty text', () => '')],
  ),
);

const PROTO = '__proto__';

function twice(first: string, second: string): string {
  return `{"name":${JSON.stringify(first)},"name":${JSON.stringify(second)}}`;
}

/** The texts behind `"name":`, in the order in which they stand. */
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
      {
        member: 'name',
        scenario: unusualScenario('member-twice', 'name', 'An update with name twice', ({ name }) =>
          twice(name(), name()),
        ),
        mayStore: namesIn,
      },
    ],
  ),
  unusualCheck(
    {
      id: 'update-member-proto',
      requirements: ['update.unusual-members'],
      title: 'A member named `__proto__` does nothing, or is refused with 400',
    },
    [
      {
        member: 'name',
        scenario: unusualScenario('member-proto', 'name', `An update with a name and the member ${PROTO}`, (fresh) =>
          JSON.stringify(
            Object.fromEntries<unknown>([
              ['name', fresh.name()],
              [PROTO, { email: fresh.email(), name: fresh.name() }],
            ]),
          ),
        ),
        mayStore: (sent) => namesIn(sent).slice(0, 1),
      },
    ],
  ),
];

/** The scenarios that try an unusual name, for what is observed of them. */
export const UNUSUAL_NAMES: readonly Scenario[] = names.flatMap(({ uses }) => uses) as Scenario[];

/** Source: Endpoints, PUT user, request body and rule; Limits. */
export const unusualBodyChecks: readonly Check[] = [...names, ...empties, ...bodies];
