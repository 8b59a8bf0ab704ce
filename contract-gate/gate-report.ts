import { workflowCommand } from '../common/github.ts';
import { markdownSentence, markdownTable } from '../common/markdown.ts';
import { annotationsOf, lineFinder, toMarkdown, toText, type Judgement } from '../openapi-judge/src/index.ts';

/** The result of one step. `not-there`: this repository has nothing to run for it. */
export interface StepResult {
  readonly step: string;
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'not-selected' | 'not-there';
  readonly problems: readonly string[];
}

/** Everything that the gate found. */
export interface GateVerdict {
  /** The revision or file that the contract was compared with. */
  readonly base: string;
  readonly versions: { readonly base: string; readonly head: string };
  readonly judgement: Judgement;
  readonly steps: readonly StepResult[];
}

const SIGNS = { passed: '✓', failed: '✗', 'not-selected': '·', 'not-there': '·' } as const;

function failedSteps({ steps }: GateVerdict): readonly StepResult[] {
  return steps.filter(({ outcome }) => outcome === 'failed');
}

function headline(verdict: GateVerdict): string {
  const failed = failedSteps(verdict).map(({ step }) => step);
  const notSelected = verdict.steps.filter(({ outcome }) => outcome === 'not-selected').map(({ step }) => step);
  const left = notSelected.length > 0 ? ` Not selected: ${notSelected.join(', ')}.` : '';
  const verdictText = failed.length === 0 ? 'PASSED.' : `FAILED: ${failed.join(', ')}.`;
  return `${verdictText}${left} Contract ${verdict.versions.base} → ${verdict.versions.head}, compared with ${verdict.base}.`;
}

/** The whole verdict for people at a terminal. */
export function toGateText(verdict: GateVerdict): string {
  const lines = verdict.steps.flatMap(({ title, outcome, problems }) => [
    `${SIGNS[outcome]} ${title}${outcome === 'not-selected' ? ' (not selected)' : ''}${outcome === 'not-there' ? ` (${problems.join()})` : ''}`,
    ...(outcome === 'failed' ? problems.map((problem) => `    ${problem}`) : []),
  ]);
  return [toText(verdict.judgement), ...lines, '', headline(verdict), ''].join('\n');
}

/** The same as Markdown, for a pull request and for the summary of a job. */
export function toGateMarkdown(verdict: GateVerdict): string {
  const rows = verdict.steps.map(({ title, outcome, problems }) => {
    const found = outcome === 'failed' || outcome === 'not-there' ? problems.map(markdownSentence).join('<br>') : '';
    return [`${SIGNS[outcome]} ${outcome.replace('-', ' ')}`, title, found];
  });
  return [
    '## Change of the contract',
    '',
    `**${headline(verdict)}**`,
    '',
    toMarkdown(verdict.judgement),
    markdownTable(['', 'step', 'what to do'], rows),
    '',
  ].join('\n');
}

/** Annotations of GitHub Actions: errors for failed steps, and those of the changes. */
export function toAnnotations(verdict: GateVerdict, file: string, text: string): string {
  const lineOf = lineFinder(text);
  const steps = failedSteps(verdict).map(({ step, title, problems }) => {
    const line = lineOf(step === 'version' ? '/info/version' : '');
    return `${workflowCommand('error', { file, line }, `${title}: ${problems.join('\n')}`)}\n`;
  });
  return [...steps, annotationsOf(verdict.judgement, file, text)].join('');
}
