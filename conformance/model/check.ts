import type { Level, OperationId } from '../../contract/document.ts';
import type { InputName } from '../resources/inputs.ts';
import type { Traffic } from './recording/items.ts';

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

/** One check of the catalogue. It says nothing of how it is judged: deviations and witnesses of the model name it. */
export interface Check extends CheckDescription {
  readonly uses: readonly Traffic[];
  /**
   * What is sent with it as far as inputs and selection allow, since it may be what it fails for: traffic, or `all` that its
   * operations get, if it judges whatever they respond.
   */
  readonly alongside?: 'all' | readonly Traffic[];
  /** What must be seen for it to pass, where that is more than one thing. */
  readonly parts?: readonly string[];
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
export type OwnCheck = Pick<Check, 'id' | 'requirements' | 'title' | 'failureModes'> &
  Partial<Pick<Check, 'level' | 'needs' | 'parts'>>;

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
