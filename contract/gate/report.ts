import { workflowCommand } from '../../common/github.ts';
import { markdownSentence } from '../../common/markdown.ts';
import { annotationsOf, lineFinder, toMarkdown, toText, type Judgement } from '../../openapi-judge/src/index.ts';
import { CONTRACT, type Problems } from './policy.ts';

/** What one step of the gate found. */
export interface Step {
  readonly name: string;
  /** What holds if there is no problem. */
  readonly title: string;
  readonly problems: Problems;
}

/** Everything that the gate found. */
export interface GateVerdict {
  readonly judgement: Judgement;
  readonly steps: readonly Step[];
  /** The two versions, and what was compared. */
  readonly compared: string;
}

/** The steps that failed. */
export function failedSteps({ steps }: GateVerdict): readonly Step[] {
  return steps.filter(({ problems }) => problems.length > 0);
}

function headline(verdict: GateVerdict): string {
  const failed = failedSteps(verdict).map(({ name }) => name);
  return `${failed.length === 0 ? 'PASSED.' : `FAILED: ${failed.join(', ')}.`} ${verdict.compared}`;
}

/** The steps with what is wrong with each, as lines. */
function stepLines(
  { steps }: GateVerdict,
  [mark, inner]: readonly [string, string],
  show: (text: string) => string = String,
) {
  return steps.flatMap(({ title, problems }) => [
    `${mark}${problems.length === 0 ? '✓' : '✗'} ${title}`,
    ...problems.map((problem) => `${inner}${show(problem)}`),
  ]);
}

/** The verdict for a terminal. */
export function gateText(verdict: GateVerdict): string {
  return [toText(verdict.judgement), ...stepLines(verdict, ['', '    ']), '', headline(verdict), ''].join('\n');
}

/** The same as Markdown, for the summary of a job. */
export function gateMarkdown(verdict: GateVerdict): string {
  const lines = stepLines(verdict, ['- ', '  - '], markdownSentence);
  return [`## ${headline(verdict)}`, '', toMarkdown(verdict.judgement), ...lines, ''].join('\n');
}

/** Annotations of GitHub Actions: errors for failed steps, and those of the changes. */
export function gateAnnotations(verdict: GateVerdict, text: string): string {
  const lineOf = lineFinder(text);
  const steps = failedSteps(verdict).map(({ name, title, problems }) => {
    const line = lineOf(name === 'version' ? '/info/version' : '');
    return `${workflowCommand('error', { file: CONTRACT, line }, `${title}: ${problems.join('\n')}`)}\n`;
  });
  return [...steps, annotationsOf(verdict.judgement, CONTRACT, text)].join('');
}
