import { isScored, type Finding, type Result } from '../result/result.ts';
import { workflowCommand } from '../../common/github.ts';
import { counted } from '../../common/text.ts';
import { apartFromFindings, checksStanding, findingsStanding } from './content/check-standing.ts';
import { headlineOf } from './content/headline.ts';
import { reasonGroups, type ReasonGroup } from './content/reason-groups.ts';

/** GitHub shows no more of each kind for a step. */
const MOST_OF_A_KIND = 10;

interface Annotation {
  readonly kind: 'error' | 'warning';
  readonly title: string;
  readonly message: string;
}

function ofFinding(kind: Annotation['kind'], finding: Finding): Annotation {
  const { id, level, title, fix, checks } = finding;
  const message = `${title}\n${fix}\n${counted(checks.length, 'failed check')}: ${checks.join(', ')}`;
  return { kind, title: `${id} (${isScored(finding) ? level : 'not scored'})`, message };
}

function ofReason({ reason, detail, missing, checks }: ReasonGroup): Annotation {
  const names = checks.map(({ id }) => id).join(', ');
  return {
    kind: 'warning',
    title: `${counted(checks.length, 'check')} inconclusive: ${reason ?? ''}`,
    message: [detail, ...missing, names].join('\n'),
  };
}

function atMost(annotations: readonly Annotation[]): Annotation[] {
  if (annotations.length <= MOST_OF_A_KIND) return [...annotations];
  const shown = annotations.slice(0, MOST_OF_A_KIND - 1);
  const others = annotations.slice(MOST_OF_A_KIND - 1);
  const [{ kind } = { kind: 'error' as const }] = others;
  return [...shown, { kind, title: `and ${others.length} more`, message: others.map(({ title }) => title).join('\n') }];
}

/**
 * The workflow commands with which GitHub Actions annotates a run: an error for each finding that decides and each baseline
 * entry that no longer holds; a warning for each hint, each other finding, and each reason why checks were inconclusive.
 */
export function workflowCommands(result: Result): string[] {
  const errors: Annotation[] = [
    ...checksStanding(result, 'error')
      .slice(0, 1)
      .map(({ detail = '' }): Annotation => ({ kind: 'error', title: 'Error of the suite', message: detail })),
    ...findingsStanding(result, 'failed').map((finding) => ofFinding('error', finding)),
    ...result.summary.baselineProblems.map(({ kind, id, message }): Annotation => {
      return { kind: 'error', title: `baseline: ${id} (${kind})`, message };
    }),
  ];
  const inconclusive = apartFromFindings(checksStanding(result, 'inconclusive'), result);
  const warnings = [
    ...headlineOf(result).hints.map((message): Annotation => ({ kind: 'warning', title: 'Hint', message })),
    ...findingsStanding(result, 'tolerated').map((finding) => ofFinding('warning', finding)),
    ...reasonGroups(inconclusive).map(ofReason),
  ];
  return [...atMost(errors), ...atMost(warnings)].map(({ kind, title, message }) =>
    workflowCommand(kind, { title }, message),
  );
}
