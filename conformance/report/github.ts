import { isScored, type Finding, type Result } from '../result/result.ts';
import { workflowCommand } from '../../common/github.ts';
import { counted } from '../../common/text.ts';
import { apartFromFindings, checksStanding, findingsStanding } from './content/check-standing.ts';
import { headlineOf } from './content/headline.ts';
import { reasonGroups, type ReasonGroup } from './content/reason-groups.ts';

/** GitHub shows no more of each kind for a step. */
const MOST_OF_A_KIND = 10;

type Annotation = readonly [title: string, message: string];

function ofFinding(finding: Finding): Annotation {
  const { id, level, title, fix, checks } = finding;
  const message = `${title}\n${fix}\n${counted(checks.length, 'failed check')}: ${checks.join(', ')}`;
  return [`${id} (${isScored(finding) ? level : 'not scored'})`, message];
}

function ofReason({ reason, detail, missing, checks }: ReasonGroup): Annotation {
  const names = checks.map(({ id }) => id).join(', ');
  const title = `${counted(checks.length, 'check')} inconclusive: ${reason ?? ''}`;
  return [title, [detail, ...missing, names].join('\n')];
}

function commands(kind: 'error' | 'warning', annotations: readonly Annotation[]): string[] {
  const shown = annotations.slice(0, annotations.length > MOST_OF_A_KIND ? MOST_OF_A_KIND - 1 : MOST_OF_A_KIND);
  const others = annotations.slice(shown.length).map(([title]) => title);
  if (others.length > 0) shown.push([`and ${others.length} more`, others.join('\n')]);
  return shown.map(([title, message]) => workflowCommand(kind, { title }, message));
}

/**
 * The workflow commands with which GitHub Actions annotates a run: an error for each finding that decides and each baseline
 * entry that no longer holds; a warning for each hint, each other finding, and each reason why checks were inconclusive.
 */
export function workflowCommands(result: Result): string[] {
  const errors = [
    ...checksStanding(result, 'error')
      .slice(0, 1)
      .map(({ detail = '' }): Annotation => ['Error of the suite', detail]),
    ...findingsStanding(result, 'failed').map(ofFinding),
    ...result.summary.baselineProblems.map(({ kind, id, message }): Annotation => [
      `baseline: ${id} (${kind})`,
      message,
    ]),
  ];
  const inconclusive = apartFromFindings(checksStanding(result, 'inconclusive'), result);
  const warnings = [
    ...headlineOf(result).hints.map((message): Annotation => ['Hint', message]),
    ...findingsStanding(result, 'tolerated').map(ofFinding),
    ...reasonGroups(inconclusive).map(ofReason),
  ];
  return [...commands('error', errors), ...commands('warning', warnings)];
}
