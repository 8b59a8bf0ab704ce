import type { Check } from '../../../judging/check.ts';
import type { Scenario, ScenarioStep } from '../../../judging/traffic.ts';
import type { FreshValues } from '../../../resources/requests.ts';
import type { Updatable } from '../../../resources/user/user.ts';
import { eitherUpdate } from '../due.ts';
import { scenario, sending } from '../scenarios.ts';
import { updateCheck } from './rows.ts';

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

/** Updates of one member with unusual bodies. */
export interface Unusual {
  readonly member: Updatable;
  readonly scenario: Scenario;
}

/** What may be stored of a body if it is accepted. */
type MayStore = (sent: string) => readonly unknown[];

/** The member as it is sent; a server may trim white space, and fold the case of an e-mail address (open.value-bounds). */
function asSent(member: Updatable): MayStore {
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
  return { member, scenario: scenario(`${UNUSUAL}${id}`, steps, [], { phase: 'unusual', anyUser: true }) };
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

/** A check that unusual updates are stored as they are sent, or refused with 400. */
export function unusualCheck(id: string, requirement: string, title: string, cases: readonly Unusual[]): Check {
  return updateCheck({
    id,
    requirement,
    title,
    level: 'should',
    uses: cases.map(({ scenario: each }) => each),
    failureModes: UNUSUAL_MODES,
  });
}
