import type { HttpClient } from '../http/client.ts';
import type { Credential, Exchange, RequestSpec } from '../http/exchange.ts';
import type { Check, OwnCheck } from '../model/check.ts';
import type { Blocked, Exploration, MoreTraffic } from '../model/recording/recording.ts';
import type { Observers } from '../model/observer.ts';
import type { JudgedOperation } from '../model/responses.ts';
import type { Combination, Control, Phase, Probe, Scenario } from '../model/recording/items.ts';
import type { InputName, Writable } from '../resources/inputs.ts';
import type { KeptSubject } from './keeping/kept.ts';
import type { RequestBuilder } from '../resources/requests.ts';
import type { Explorer } from './explorer.ts';
import type { ExploreOptions } from './explore-options.ts';
import type { Restoring, ToRestore, Written } from './keeping/restore.ts';
import type { UserRestoration } from './keeping/restoration.ts';
import type { OperationId } from '../../contract/document.ts';

/** Sends a request and records what came of it; an accepted one becomes part of its user's history. */
export type Send = HttpClient['send'];

/** The traffic of an operation that changes nothing, in parts: an operation that writes sends them while nothing else is written. */
export interface ReadTraffic {
  readonly operation: Operation;
  /** All but its snapshot. */
  readonly probes: readonly Probe[];
  /** Sends these; only the first call does. */
  readonly sendOthers: () => Promise<void>;
  /** Sends one of them again. */
  readonly sendProbe: (probe: Probe) => Promise<void>;
  readonly exchangesOf: (probe: Probe) => readonly Exchange[];
  /** Sends its snapshot some times, one after the other; nothing if none is planned. */
  readonly takeSnapshots: (times: number) => Promise<readonly Exchange[]>;
  /** Sends what was not sent yet. */
  readonly finish: () => Promise<Shown>;
}

/** What the traffic of a run leaves beside exchanges; the recording says what each is. */
export interface TrafficLog {
  readonly notBuildable: Set<string>;
  readonly errors: Map<string, Error>;
  readonly more: Set<MoreTraffic>;
}

/** What the traffic of one operation works with. */
export interface TrafficContext {
  readonly log: TrafficLog;
  readonly probes: readonly Probe[];
  readonly scenarios: readonly Scenario[];
  readonly requests: RequestBuilder;
  readonly send: Send;
  /** What is to be read while the users are written: what updates must not change, and must not be changed by. */
  readonly reads: readonly ReadTraffic[];
  /** What the operator named that has no sessions, with how it is read. */
  readonly kept: readonly KeptSubject[];
  /** Whether to go on; asked between requests. */
  readonly running: () => boolean;
  /** Says that a phase begins. */
  readonly enter: (phase: Phase) => void;
  /** Says what is being done, for the progress line. */
  readonly onStage: (stage: string) => void;
}

/** What the traffic of one operation has shown, and what is left to be sent. */
export interface Shown {
  /** Why it was given up. */
  readonly blocked?: Blocked | undefined;
  readonly exploration?: Exploration | undefined;
  /** Sends what a target may not survive, when the traffic of every operation has ended. */
  readonly sendFatal?: () => Promise<unknown>;
}

/** Sends the probes and scenarios of one operation, and gives what they showed. */
export type RunTraffic = (context: TrafficContext, operation: Operation) => Promise<Shown>;

/** What the updates of a resource are sent with, over a run. */
export interface UpdateOptions {
  /** The operation that updates it. */
  readonly operation: OperationId;
  readonly requests: RequestBuilder;
  /** Sends a request, and adds it to the history of its subject if it was accepted. */
  readonly send: Send;
  readonly histories: Histories;
  /** Takes the first reading of each subject. @throws RunRefused if it must not be changed */
  readonly mayChange: (first: readonly Exchange[]) => void;
  /** Undefined if no random sequences are to be tried. */
  readonly explore?: { readonly explorer: Explorer; readonly options: ExploreOptions } | undefined;
}

/** The accepted updates of each that was named. */
export type Histories = ReadonlyMap<Writable, Exchange[]>;

/** A resource over a run, as its updates show it. */
export interface Updated {
  /** Sends the traffic of an operation that writes it. */
  readonly run: RunTraffic;
  /**
   * Reads it as the last thing before it is restored, once more unless nothing was sent since; nothing where it cannot be read.
   *
   * @param settle ms to wait before
   * @param isAnew whether operations of other resources have written since
   */
  readonly readLast: (settle: number, stop: AbortSignal, isAnew: boolean) => Promise<readonly Exchange[]>;
  /** Whether one request does not show the whole of it. */
  readonly isReadInParts: () => boolean;
  /** What requests of a run may have written. */
  readonly written: (exchanges: readonly Exchange[]) => readonly Written[];
}

/** How an operation reads, writes and restores a resource that nothing else shows. */
export interface Updates {
  readonly open: (options: UpdateOptions) => Updated;
  /** Gives one the values back that it had, and checks that they are there. Never throws for what the target does. */
  readonly restore: (sending: Restoring, what: ToRestore) => Promise<UserRestoration>;
}

/** What an operation that reads shows, as state that no request of the suite may change. */
export interface Snapshot {
  readonly probe: Probe;
  /** What changed between two snapshots, in words; undefined if nothing did, or one of them does not show it. */
  readonly difference: (before: Exchange, after: Exchange) => string | undefined;
}

/** A valid request, to be made invalid by the credential it carries. */
interface CredentialRequest {
  /** In words, to begin a sentence: "An update with a name". */
  readonly what: string;
  /** Undefined if the request does not exist for these inputs. */
  readonly build: (
    requests: RequestBuilder,
    options: { readonly credential: Credential; readonly purpose: string },
  ) => RequestSpec | undefined;
}

/** A request that a key without the permission must not be able to make. */
export interface PermissionRequest extends CredentialRequest {
  /** Names the check `permission-<id>`; unique over all operations. */
  readonly id: string;
  readonly needs?: readonly InputName[];
  readonly control: Control;
  /** The statuses of a refusal; default 403. */
  readonly refusals?: readonly number[] | undefined;
}

/** A check of what is shown, beside its members, by every operation that shows it. */
export interface ShownCheck extends OwnCheck, Partial<Pick<Check, 'area'>> {
  /** Only where the path names what is shown. */
  readonly isAddressed?: true;
}

/** Negative checks that belong together. */
interface NegativeGroup {
  /** Its requests in words, to begin "… change no user". */
  readonly what: string;
  readonly checks: readonly Check[];
}

/**
 * An operation of the contract, as the suite judges it. Everything else iterates over the list of them
 * (`conformance/operations/index.ts`): traffic, selection, scope, reports, proof.
 */
export interface Operation extends JudgedOperation {
  /** Stands for it in ids of checks, such as `auth-<slug>-no-header`. */
  readonly slug: string;
  /** The request that the target must accept. If it is refused, nothing else of the operation can be judged. */
  readonly control: Control;
  /** The valid requests that are tried with each bad credential. */
  readonly validRequests: readonly [CredentialRequest, ...CredentialRequest[]];
  /** The requests that are tried with the restricted key, if the contract documents 403. */
  readonly permission?: readonly PermissionRequest[];
  /** If it only reads: the state that it shows, which no other operation must change. */
  readonly snapshot?: Snapshot;
  /** A request with the restricted key, if the contract leaves its response open: it shows that the key is a valid one. */
  readonly restrictedProbe?: Probe;
  /**
   * Its negative checks by what is refused: an error status that it documents (each but 401 and 403 has an entry, and the
   * traffic of its first check provokes that status), or another name. None of their requests may change a user.
   */
  readonly negativeChecks?: Readonly<Record<string, NegativeGroup>>;
  /** Sequences of updates that stand for several scenarios. */
  readonly combinations?: readonly Combination[];
  /** Of the one operation whose updates alone show a resource. */
  readonly updates?: Updates;
  /** The checks that are particular to it. */
  readonly checks: readonly Check[];
  /** The checks of the objects that it shows; of the first operation that shows them. */
  readonly shownChecks?: readonly ShownCheck[];
  /** The check of random sequences, if it can be explored. */
  readonly exploration?: Check;
  readonly observers: Observers;
}
