import type { Level, OperationId } from '../../contract/document.ts';
import type { Validators } from '../../contract/validators.ts';
import type { Exchange, RequestSpec } from '../http/exchange.ts';
import type { Exploration } from '../traffic/explore.ts';
import type { InputName, Inputs } from '../target/inputs.ts';
import type { FreshValues, RequestBuilder } from '../target/requests.ts';
import type { UserHistory, UserReading } from '../target/user-state.ts';

/** Why a check was inconclusive. The list is closed; `INCONCLUSIVE_REASONS` says each in words. */
export type InconclusiveReason =
  | 'missing-input'
  | 'not-observable'
  | 'precondition-failed'
  | 'control-refused'
  | 'target-unreachable'
  | 'limit-exceeded'
  | 'throttled'
  | 'deadline';

/** Each reason why a check was inconclusive, in words. */
export const INCONCLUSIVE_REASONS: Readonly<Record<InconclusiveReason, string>> = {
  'missing-input': 'an input that the operator gives is missing',
  'not-observable': 'the target does not show what is needed to see it',
  'precondition-failed': 'something that has to work first did not',
  'control-refused': 'the same request without the defect was not accepted either',
  'target-unreachable': 'the target gave no answer',
  'limit-exceeded': 'the answer was larger than the limit, or not readable',
  throttled: 'the target kept asking for a pause',
  deadline: 'the run ended before',
};

/** What was found wrong: expected against got. */
export interface Failure {
  /** A stable name of the way to fail; a key of the check's `failureModes`. */
  readonly mode: string;
  /** What the contract asks for: a JSON value, or a text that describes it. */
  readonly expected: unknown;
  /** What the target did, in the same form. */
  readonly actual: unknown;
  /** JSON pointer into the body that was judged. */
  readonly pointer?: string;
  /** One sentence about this case. */
  readonly message: string;
}

/** What a check says, from the evidence alone. */
export type Judgement =
  | { readonly outcome: 'passed'; readonly detail?: string; readonly exchanges: readonly Exchange[] }
  | {
      readonly outcome: 'failed';
      readonly failure: Failure;
      readonly exchanges: readonly Exchange[];
      /** The requests that show it again if they are sent in this order; by default the first of the exchanges. */
      readonly replay?: readonly Exchange[];
    }
  | {
      readonly outcome: 'inconclusive';
      readonly reason: InconclusiveReason;
      readonly detail: string;
      readonly exchanges: readonly Exchange[];
    }
  | { readonly outcome: 'not-applicable'; readonly detail: string; readonly exchanges: readonly Exchange[] };

/** An operation and what is sent to judge it: the update of a user (`users`), or the list of banners (`banners`). */
export type Lane = 'users' | 'banners';

export const OPERATION_OF_LANE: Readonly<Record<Lane, OperationId>> = { users: 'updateUser', banners: 'listBanners' };

/** The bodies of an accepted update that serve as positive controls, by the members they have. */
export type ControlShape = 'name' | 'email' | 'rootRole' | 'email+name' | 'banners';

/** A request that changes nothing on a conforming target: it is refused, or it sends the values that are stored. */
export interface Probe {
  readonly id: string;
  readonly lane: Lane;
  readonly needs: readonly InputName[];
  /** How often it is sent, one after the other; default once. `build` is told which time it is, from 0. */
  readonly times?: number;
  /** Whether it is not sent again once it was accepted. */
  readonly untilAccepted?: true;
  /** Whether a lawful target may accept it, with the values that are stored: it is kept apart, since it would hide what others change. */
  readonly mayBeAccepted?: true;
  /** Whether it is sent also when the first request of the lane was refused. */
  readonly alsoWhenBlocked?: true;
  /** Undefined where it does not exist for these inputs (a key without letters has no other case). */
  readonly build: (requests: RequestBuilder, time: number) => RequestSpec | undefined;
}

/** The members that an update can send. */
export const UPDATABLE: readonly Updatable[] = ['name', 'email', 'rootRole'];
/** A member of a user that an update can send (source: Endpoints, PUT user, request body). */
export type Updatable = 'name' | 'email' | 'rootRole';

/** An update that is sent between two readings of the state. */
export interface Scenario {
  readonly id: string;
  readonly lane: 'users';
  readonly needs: readonly InputName[];
  /** The updates in order: whom they address, and which members they send (each time with a value that is not stored yet). */
  readonly steps: readonly ScenarioStep[];
  /** Sent when all else has been: a lawful target may refuse it, and a broken one may not survive it. */
  readonly runLast?: true;
  /** Sends the steps all at once, so many times over. */
  readonly concurrent?: { readonly rounds: number };
}

export interface ScenarioStep {
  /** What it is for, where its members do not say it. */
  readonly purpose?: string;
  readonly subject: 'user' | 'other-user';
  readonly members: readonly Updatable[];
  /** Members that the contract does not list for a request, sent beside the others. */
  readonly extra?: (inputs: Inputs) => Readonly<Record<string, unknown>>;
  /** The body as text, where it is not made of fresh values alone. */
  readonly body?: (fresh: FreshValues, previous: Exchange | undefined) => string;
}

export type Traffic = Probe | Scenario;

/** A member of a user that was not as it should be after a request that must not touch it. */
export interface Change {
  readonly subject: 'user' | 'other-user';
  readonly member: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly exchange: Exchange;
}

export interface ProbeEvidence {
  readonly exchanges: readonly Exchange[];
}

/** All refusals of the lane, sent side by side between two looks at the state. */
export interface BatchEvidence {
  /** The readings after the probes. */
  readonly after: readonly UserReading[];
  /** What they show otherwise than what was shown before. */
  readonly changes: readonly Change[];
  /** Whether the target wrongly accepted one of the probes; that explains changes. */
  readonly acceptedSome: boolean;
  /** Only where something differed and the probes were sent again one by one: what each of them changed. */
  readonly culprits?: ReadonlyMap<string, readonly Change[]>;
}

/** One pass through a scenario's steps, seen through one window on the state. */
export interface Round {
  readonly answers: readonly Exchange[];
  readonly after: readonly UserReading[];
}

export interface ScenarioEvidence {
  readonly rounds: readonly Round[];
}

/** Why a lane was given up before its traffic: its first request with the admin key was not accepted. */
export interface Blocked {
  readonly reason: InconclusiveReason;
  readonly detail: string;
  readonly exchange?: Exchange;
}

/** Everything a run has seen. Checks judge from this alone. */
export interface Evidence {
  readonly inputs: Inputs;
  readonly validators: Validators;
  /** Every exchange of the run, in the order of completion. */
  readonly exchanges: readonly Exchange[];
  readonly probes: ReadonlyMap<string, ProbeEvidence>;
  /** Probes that do not exist for these inputs. */
  readonly notBuildable: ReadonlySet<string>;
  readonly scenarios: ReadonlyMap<string, ScenarioEvidence>;
  readonly batches: readonly BatchEvidence[];
  readonly blocked: Readonly<Partial<Record<Lane, Blocked>>>;
  /** Whether the run was ended by its deadline or by the operator. */
  readonly stopped: boolean;
  /** Only where sequences were explored. */
  readonly exploration?: Exploration;
  /** What each named user showed over the run. */
  readonly history: (subject: 'user' | 'other-user') => UserHistory;
}

/** What a check is, as data: which sentences of the contract it judges, and what it needs for that. */
export interface CheckDescription {
  /** A stable name; it is never given to another check. */
  readonly id: string;
  /** The part of the contract that it belongs to, such as `auth` or `update`. */
  readonly area: string;
  /** Whether a binding sentence is judged (`must`), or what a careful engineer would infer (`should`). */
  readonly level: Level;
  /** Ids of the requirements of the contract that it judges. */
  readonly requirements: readonly string[];
  /** A statement about a conforming target. */
  readonly title: string;
  /** The operation that it judges. */
  readonly lane: Lane;
  /** The inputs without which it was inconclusive. */
  readonly needs: readonly InputName[];
  /** Each named way to fail, with what to mend. */
  readonly failureModes: Readonly<Record<string, string>>;
}

/** One check of the catalogue: its description, the traffic that it needs, and how it judges. */
export interface Check extends CheckDescription {
  /** The traffic that it judges, and the controls that it rests on. */
  readonly uses: readonly Traffic[];
  /** Pure: the same evidence gives the same judgement. */
  readonly judge: (evidence: Evidence) => Judgement;
  /** What it needs and uses where the banners alone are judged; a check without it has nothing to say of them. */
  readonly onBanners?: Pick<Check, 'needs' | 'uses'>;
}

export function isProbe(traffic: Traffic): traffic is Probe {
  return 'build' in traffic;
}
