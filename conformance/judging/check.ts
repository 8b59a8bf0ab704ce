import type { Level, OperationId } from '../../contract/document.ts';
import type { Exchange } from '../http/exchange.ts';
import type { InputName } from '../target/inputs.ts';
import type { Evidence } from './evidence.ts';
import type { InconclusiveReason } from './reasons.ts';
import type { Traffic } from './traffic.ts';

/** What is wrong: expected and actual. */
export interface Failure {
  /** The stable name of a way to fail; a key of the check's `failureModes`. */
  readonly mode: string;
  /** What the contract asks for: a JSON value, or a text that describes it. */
  readonly expected: unknown;
  /** What the target did, in the same form. */
  readonly actual: unknown;
  /** JSON pointer into the body that was judged. */
  readonly pointer?: string;
  /** What was wrong in this case, as a sentence for the report. */
  readonly message: string;
  /** The requirements that it contradicts, if not all that the check judges. */
  readonly requirements?: readonly string[];
  /** Names what failures of several requirements have in common, such as one wrong status; they are one finding. */
  readonly deviation?: string | undefined;
  /** Whether it describes that better than the other failures. */
  readonly leads?: boolean;
}

/** What a check concludes from the evidence. */
export type Judgement =
  | { readonly outcome: 'passed'; readonly detail?: string; readonly exchanges: readonly Exchange[] }
  | {
      readonly outcome: 'failed';
      readonly failure: Failure;
      readonly exchanges: readonly Exchange[];
      /** The requests that show it again when sent in this order; by default the first of the exchanges. */
      readonly replay?: readonly Exchange[];
      /** Further exchanges that show the same. */
      readonly alsoShownBy?: readonly Exchange[];
      /** Ids of further checks: if one of them failed, this failure may follow from that. */
      readonly restsOn?: readonly string[];
      /** As `sameFaultAs` of the check, for what was seen this time. */
      readonly sameFaultAs?: readonly string[];
    }
  | {
      readonly outcome: 'inconclusive';
      readonly reason: InconclusiveReason;
      readonly detail: string;
      readonly exchanges: readonly Exchange[];
      /** Ids of further checks: if one of them failed, that is why. */
      readonly restsOn?: readonly string[];
    }
  | { readonly outcome: 'not-applicable'; readonly detail: string; readonly exchanges: readonly Exchange[] };

/** What a check is, as data: which requirements it judges, and what it needs. */
export interface CheckDescription {
  /** A stable name; no other check ever gets it. */
  readonly id: string;
  /** The part of the contract that it belongs to, such as `auth` or `update`. */
  readonly area: string;
  /** Whether it judges a binding requirement (`must`), or one that a careful engineer would infer (`should`). */
  readonly level: Level;
  /** Ids of the requirements of the contract that it judges. */
  readonly requirements: readonly string[];
  /** A statement about a conforming target. */
  readonly title: string;
  /** The operations whose responses it judges, by `operationId`. */
  readonly operations: readonly OperationId[];
  /** The inputs without which it is inconclusive. */
  readonly needs: readonly InputName[];
  /** Each named way to fail, with its fix. */
  readonly failureModes: Readonly<Record<string, string>>;
}

/** The traffic that a check judges, with the controls that it rests on, and the inputs for it. */
export type CheckTraffic = Pick<Check, 'needs' | 'uses'>;

/** One check of the catalogue: its description, the traffic that it needs, and how it judges. */
export interface Check extends CheckDescription {
  readonly uses: readonly Traffic[];
  /** What must be seen for it to pass, where that is more than one thing. */
  readonly parts?: readonly string[];
  /** Ids of the checks that must not have failed for this one to say anything: else it is inconclusive. */
  readonly restsOn?: readonly string[];
  /**
   * Ids of checks: a target that fails the first of them that failed, and this one, has one fault, such as
   * null taken for any member. It is one finding, named after that check. A failure with a `deviation` stands for itself.
   */
  readonly sameFaultAs?: readonly string[];
  /** Pure: the same evidence gives the same judgement. */
  readonly judge: (evidence: Evidence) => Judgement;
  /** What it needs and uses for each of its operations, if it judges several and can judge them apart. */
  readonly byOperation?: Readonly<Partial<Record<OperationId, CheckTraffic>>>;
}

function union(parts: readonly CheckTraffic[]): CheckTraffic {
  return {
    needs: [...new Set(parts.flatMap(({ needs }) => needs))],
    uses: [...new Set(parts.flatMap(({ uses }) => uses))],
  };
}

/**
 * A check over the responses of several operations.
 *
 * @param byOperation what it needs and uses for each of them
 */
export function acrossOperations(
  byOperation: Readonly<Partial<Record<OperationId, CheckTraffic>>>,
  check: Omit<Check, 'operations' | 'needs' | 'uses' | 'byOperation'>,
): Check {
  const operations = Object.keys(byOperation) as OperationId[];
  return { ...check, operations, byOperation, ...union(Object.values(byOperation)) };
}

/** What a check has of its own among checks that have much in common. */
export type OwnCheck = Pick<Check, 'id' | 'requirements' | 'title' | 'failureModes' | 'judge'> &
  Partial<Pick<Check, 'level' | 'needs' | 'restsOn' | 'sameFaultAs'>>;

/** What each of some operations needs to be accepted once: the traffic of its control. */
export function controlsOf(
  operations: readonly { readonly id: OperationId; readonly control: { readonly traffic: Traffic } }[],
): Readonly<Partial<Record<OperationId, CheckTraffic>>> {
  return Object.fromEntries(
    operations.map(({ id, control: { traffic } }) => [id, { needs: traffic.needs, uses: [traffic] }]),
  );
}

/**
 * A check, narrowed to some of its operations; one that cannot judge them apart needs them all.
 *
 * @param operations those in scope
 * @returns undefined if it has nothing to judge there
 */
export function narrowedTo(check: Check, operations: readonly OperationId[]): Check | undefined {
  const left = check.operations.filter((operation) => operations.includes(operation));
  if (left.length === check.operations.length) return check;
  if (left.length === 0 || !check.byOperation) return undefined;
  return { ...check, operations: left, ...union(left.flatMap((operation) => check.byOperation?.[operation] ?? [])) };
}
