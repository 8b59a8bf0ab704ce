import type { Check } from '../../../model/check.ts';
import type { Combination, Scenario, ScenarioStep, StepInputs } from '../../../model/recording/items.ts';
import type { InputName } from '../../../resources/inputs.ts';
import type { FreshValues } from '../../../resources/requests.ts';
import { UPDATABLE, type Updatable } from '../../../resources/user/members.ts';
import { eitherUpdate } from '../due.ts';
import { scenario, sending } from '../scenarios.ts';
import { ACCEPTED_MODES, updateCheck } from './rows.ts';

/** Begins the ids of scenarios whose updates a conforming target may refuse for their values. */
export const UNUSUAL = 'unusual-';

const UNUSUAL_MODES = {
  altered: 'The update was accepted, but stored another value. Store what was sent, or refuse it with 400.',
  ignored: 'The update was accepted, but the old value was kept. Store what was sent, or refuse it with 400.',
  'refused-yet-changed': 'The update was refused, but changed the user. Validate everything before storing anything.',
  'other-member-changed': 'The update changed a member that it does not send. Change only the members in the body.',
  'wrong-status': 'The update was neither accepted with 200 nor refused with 400. Do one of the two.',
  'no-response': 'The connection was closed without a response. Accept the update with 200, or refuse it with 400.',
  damaged:
    'After the update, valid requests to the user fail. Store only what can be read again, or refuse it with 400.',
} as const;

const { altered, ignored, damaged, 'other-member-changed': otherMemberChanged } = UNUSUAL_MODES;
const LAWFUL_MODES = {
  ...ACCEPTED_MODES,
  refused: 'A valid update was refused for how it was written. Read it as HTTP and JSON say.',
  ...{ altered, ignored, damaged, 'other-member-changed': otherMemberChanged },
} as const;

/** The checks that judge a request, and the requirements that it may contradict. */
export type Judging = readonly [checks: readonly string[], requirements: readonly string[]];

/** One way to be unusual that leaves room for others in the same request. */
export interface Way {
  /** Completes "An update with". */
  readonly what: string;
  /** The members of the body, each as JSON. */
  readonly members: (given: StepInputs) => Readonly<Record<string, string>>;
  /** Writes the same JSON in another way. */
  readonly spelled?: (body: string) => string;
  readonly headers?: ScenarioStep['headers'];
  readonly query?: ScenarioStep['query'];
  /** The statuses of a refusal, if it is not 400 alone. */
  readonly refusals?: readonly number[];
  readonly judging: Judging;
}

/** Updates that a conforming target may refuse, or that are written in an unusual way. */
export interface Unusual {
  readonly scenario: Scenario;
  /** What its only request can be joined with; none if it can only be sent as it is. */
  readonly ways: readonly Way[];
  /** The scenarios that it stands for, if it is not sent by itself. */
  readonly standsFor?: readonly Scenario[];
}

/** The members as they are sent; a server may trim white space, and fold the case of an e-mail address (open.value-bounds). */
function asSent(sent: string): Readonly<Record<string, readonly unknown[]>> {
  const body = JSON.parse(sent) as Readonly<Record<string, unknown>>;
  const formsOf = (member: Updatable, value: unknown): readonly unknown[] => {
    if (typeof value !== 'string') return [value];
    return [value, member === 'email' ? value.toLowerCase() : value.trim().replaceAll(/\s+/g, ' ')];
  };
  return Object.fromEntries(
    UPDATABLE.filter((member) => Object.hasOwn(body, member)).map((member) => [member, formsOf(member, body[member])]),
  );
}

type Steps = readonly Pick<ScenarioStep, 'purpose' | 'body' | 'headers' | 'query'>[];

interface Options extends Pick<Way, 'refusals'> {
  readonly needs?: readonly InputName[];
  /** What may be stored of a body if it is accepted. */
  readonly stores?: typeof asSent;
  /** Whether it is written as clients may write it, so that it must be accepted. */
  readonly lawful?: boolean;
}

function stepsOf(
  given: Steps,
  [checks, requirements]: Judging,
  { stores = asSent, lawful, refusals }: Options,
): ScenarioStep[] {
  const due: ScenarioStep['due'] = (sent) => ({
    ...eitherUpdate(checks, requirements, { role: 'unusual', stores: stores(sent) }),
    ...(refusals && { statuses: [200, ...refusals] }),
    ...(lawful && { class: 'accept', statuses: [200] }),
  });
  return given.map((step) => ({ ...sending('user'), ...step, due }));
}

/** Updates that are sent one after the other, with bodies that cannot be joined with others. */
export function unusual(
  id: string,
  purpose: string,
  bodies: readonly NonNullable<ScenarioStep['body']>[],
  judging: Judging,
  options: Options = {},
): Unusual {
  const steps = stepsOf(
    bodies.map((body) => ({ purpose, body })),
    judging,
    options,
  );
  return { scenario: unusualScenario(id, steps, options.needs), ways: [] };
}

function unusualScenario(id: string, steps: readonly ScenarioStep[], needs: readonly InputName[] = []): Scenario {
  return scenario(`${UNUSUAL}${id}`, steps, needs, { phase: 'unusual', anyUser: true });
}

/** Updates of which most targets refuse some, one after the other: what each stores is read once, after all of them. */
export function inSequence(id: string, ...parts: readonly Unusual[]): Scenario {
  const steps = parts.flatMap(({ scenario: { steps: own, needs } }) => own.map((step) => ({ ...step, needs })));
  return unusualScenario(id, steps);
}

/** One update that is unusual in some ways. */
function joined(ways: readonly Way[]): Steps[number] {
  const body = (given: StepInputs): string => {
    const members = Object.entries(Object.assign({}, ...ways.map((each) => each.members(given))) as object);
    const text = `{${members.map(([name, value]) => `${JSON.stringify(name)}:${String(value)}`).join()}}`;
    return ways.reduce((written, { spelled }) => spelled?.(written) ?? written, text);
  };
  const headers = Object.assign({}, ...ways.map((each) => each.headers)) as Record<string, string>;
  const query = ways.find((each) => each.query)?.query;
  const purpose = `An update with ${ways.map(({ what }) => what).join(' and ')}`;
  return { purpose, body, headers, ...(query && { query }) };
}

/** One update that is unusual in one way. */
export function unusualWay(id: string, way: Way, given: Options = {}): Unusual {
  const options = { ...given, ...(way.refusals && { refusals: way.refusals }) };
  return { scenario: unusualScenario(id, stepsOf([joined([way])], way.judging, options), options.needs), ways: [way] };
}

/** One update with an unusual value. */
export function unusualValue(
  id: string,
  member: Updatable,
  what: string,
  value: (fresh: FreshValues, given: StepInputs) => string,
  judging: Judging,
  refusals?: Way['refusals'],
): Unusual {
  const members: Way['members'] = (given) => ({ [member]: JSON.stringify(value(given.fresh, given)) });
  return unusualWay(id, { what: `${what} as ${member}`, members, judging, ...(refusals && { refusals }) });
}

/** The same, followed by an update like any other that keeps the name. */
export function followed({ scenario: own, ...others }: Unusual): Unusual {
  return { ...others, scenario: { ...own, steps: [...own.steps, sending('user', 'email')] } };
}

/**
 * Updates of one user in turn, each of them unusual in several ways at once: the response to each shows what those before it
 * stored.
 */
export function tour(id: string, ...stops: readonly (readonly Unusual[])[]): Combination {
  const steps = stops.flatMap((cases) => {
    const [first] = cases;
    if (cases.length === 1 && first) return first.scenario.steps;
    const ways = cases.flatMap((each) => each.ways);
    const union = (index: 0 | 1): string[] => [...new Set(ways.flatMap(({ judging }) => judging[index]))];
    const refusals = ways.find((each) => each.refusals)?.refusals;
    return stepsOf([joined(ways)], [union(0), union(1)], refusals ? { refusals } : {});
  });
  const insteadOf = stops.flat().flatMap((each) => each.standsFor ?? [each.scenario]);
  return { id, steps, phase: 'unusual', anyUser: true, insteadOf };
}

/** A check that unusual updates are stored as they are sent, or refused with 400. */
export function unusualCheck(
  id: string,
  requirement: string,
  title: string,
  cases: readonly Pick<Unusual, 'scenario'>[],
  needs: readonly InputName[] = [],
): Check {
  return updateCheck({
    ...{ id, needs },
    requirement,
    title,
    level: 'should',
    uses: cases.map(({ scenario: each }) => each),
    failureModes: UNUSUAL_MODES,
  });
}

/** A check that updates are accepted and stored, in whatever way they are written. */
export function lawfulCheck(id: string, requirement: string, title: string, cases: readonly Unusual[]): Check {
  return { ...unusualCheck(id, requirement, title, cases), failureModes: LAWFUL_MODES };
}
