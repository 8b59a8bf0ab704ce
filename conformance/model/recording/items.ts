import type { OperationId } from '../../../contract/document.ts';
import type { Due } from '../../http/due.ts';
import type { Exchange, RequestSpec } from '../../http/exchange.ts';
import type { InputName, Inputs, Writable } from '../../resources/inputs.ts';
import type { FreshValues, RequestBuilder } from '../../resources/requests.ts';

/**
 * The phases of a run, in their order: what each sends. Every item of the traffic is in one of them; reading, writing and restoring the
 * users is in the phase in which it is done.
 */
export const PHASES = {
  open: 'reads the users, and gives them values that are known',
  update: 'sends valid updates, one after the other',
  control: 'sends valid requests that must be accepted, and those of which the contract says nothing',
  refuse: 'sends what must be refused, concurrently, between two readings of the users',
  unusual: 'sends updates that a conforming target may refuse, and updates that are concurrent or repeated',
  explore: 'tries random sequences of updates',
  damaging: 'sends what may leave a user that cannot be shown',
  fatal: 'sends what a target may not survive, the most dangerous by itself',
  restore: 'gives the users their old values back',
} as const;

/** One of the phases of a run. */
export type Phase = keyof typeof PHASES;

/** A request that changes nothing on a conforming target: it is refused, it reads, or it sends the values that are stored. */
export interface Probe {
  readonly id: string;
  readonly operation: OperationId;
  readonly needs: readonly InputName[];
  /** What its requests are due, unless they say it themselves. */
  readonly due?: Due;
  /** How often it is sent, one after the other; default once. `build` receives which time it is, from 0. */
  readonly times?: number;
  /** Default `refuse`. */
  readonly phase?: Phase;
  /** Undefined if the request does not exist for these inputs (a key without letters has no other letter case). */
  readonly build: (requests: RequestBuilder, time: number) => RequestSpec | undefined;
}

/** A sequence of updates between two readings of the state. */
export interface Scenario {
  readonly id: string;
  readonly operation: OperationId;
  readonly needs: readonly InputName[];
  /** The updates in order: whom they address, and which members they send (each time with a value that is not stored yet). */
  readonly steps: readonly ScenarioStep[];
  /** Default `update`; an `unusual` one reads only the users that it addresses. */
  readonly phase?: 'update' | 'unusual';
  /** Send all steps at once, this many times over; what those are due that have a due of their own is said there. */
  readonly concurrent?: {
    readonly rounds: (inputs: Inputs) => number;
    readonly due: (subject: Writable, round: number) => Due;
  };
  /** Its steps address the user only because some user is needed; any other that can be read and written does as well. */
  readonly anyUser?: true;
}

/**
 * One sequence of updates that is sent in place of several scenarios, so that a run is shorter. Unless every response shows what
 * was sent so far and the rest as before, each scenario is sent by itself, too: that tells which of them the target does wrong.
 */
export interface Combination extends Pick<Scenario, 'id' | 'steps' | 'phase' | 'anyUser'> {
  readonly insteadOf: readonly Scenario[];
}

export interface ScenarioStep {
  /** Without these inputs it is left out. */
  readonly needs?: readonly InputName[];
  /** What it is for, where its members do not say it. */
  readonly purpose?: string;
  readonly subject: Writable;
  readonly members: readonly string[];
  /** Members that the contract does not list for a request, sent beside the others. */
  readonly extra?: (inputs: Inputs) => Readonly<Record<string, unknown>>;
  /** Header fields in place of those that the others have. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Parameters of its query. */
  readonly query?: (given: StepInputs) => string;
  /** What key it carries; default the admin key. */
  readonly credential?: (requests: RequestBuilder) => RequestSpec['credential'] | undefined;
  /** What its own body is meant to be; default `unspecified`. */
  readonly meant?: 'valid' | 'invalid';
  /** What it is due, given the text of its body. Default: a valid update. */
  readonly due?: (sent: string) => Due;
  /** The body as text, if it is not made of fresh values only. Undefined: the step is left out. */
  readonly body?: (given: StepInputs) => string | undefined;
}

/** What the body of a step may be made of. */
export interface StepInputs {
  readonly fresh: FreshValues;
  /** Which time the scenario is sent, from 0. */
  readonly round: number;
  /** The first update of the scenario, and the one before it. */
  readonly first: Exchange | undefined;
  readonly previous: Exchange | undefined;
  /** The members that an update can send, as they are stored as far as that is known. */
  readonly stored: Readonly<Record<string, unknown>>;
  /** The same of another user. */
  readonly storedOfOther: Readonly<Record<string, unknown>>;
  /** The members that an update cannot send, as the user showed them last: before the scenario, and now. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly now: Readonly<Record<string, unknown>>;
}

export type Traffic = Probe | Scenario;

/**
 * The positive control of a negative check: the same request without the defect. Any accepted request of the run with the
 * admin key, valid throughout, for this operation and with just these members, counts.
 */
export interface Control {
  /** In words, such as "an update with a name". */
  readonly what: string;
  readonly operation: OperationId;
  /** The members of its body, in any order; none for a request without a body. */
  readonly members: readonly string[];
  /** What makes sure that such a request is sent. */
  readonly traffic: Traffic;
  /** The check that it is accepted. */
  readonly check: string;
}

/** A request of a probe, with what it is due; undefined if it does not exist for the inputs. */
export function requestOf({ build, due }: Probe, requests: RequestBuilder, time: number): RequestSpec | undefined {
  const request = build(requests, time);
  return request && { ...request, due: request.due.class === 'unspecified' && due ? due : request.due };
}

export function isProbe(traffic: Traffic): traffic is Probe {
  return 'build' in traffic;
}

/** The combinations whose scenarios are all to be sent, and the scenarios that none of them is sent for; the first of two counts. */
export function combinedTraffic(combinations: readonly Combination[], scenarios: readonly Scenario[]) {
  const single = new Set(scenarios);
  const combined = combinations.filter(({ insteadOf }) => {
    const isUsable = insteadOf.every((each) => single.has(each));
    if (isUsable) for (const each of insteadOf) single.delete(each);
    return isUsable;
  });
  return { combined, single: [...single] };
}
