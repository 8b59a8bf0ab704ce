import type { MatrixTarget } from '../../conformance/result/several/matrix.ts';
import type { Inputs } from '../../conformance/resources/inputs.ts';
import type { FleetTarget } from '../input/targets-file.ts';

/** The command that judges one target of a fleet in a process of its own. Nobody calls it by hand. */
export const JUDGE_COMMAND = 'judge-one-of-a-fleet';

/** What the process of a target is told. A URL does not pass from one process to another. */
export interface Task extends Omit<FleetTarget, 'inputs'> {
  readonly inputs: Omit<Inputs, 'baseUrl'> & { readonly baseUrl: string };
  /** The keys of the other targets: they must not be shown, and are not sent. */
  readonly secrets: readonly string[];
  /** Where to write the result and the report; it exists. */
  readonly folder: string;
}

/** What the fleet says to the process of a target: what to judge, and that it shall stop and restore the users. */
export type ToJudge = { readonly type: 'judge'; readonly task: Task } | { readonly type: 'stop' };

/** What the process of a target says: where it keeps the values of the users, and what came of the target. */
export type FromJudge =
  | { readonly type: 'journal'; readonly path: string }
  | { readonly type: 'judged'; readonly target: MatrixTarget; readonly isWritten: boolean };
