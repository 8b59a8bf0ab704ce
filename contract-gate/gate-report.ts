import { isNode, LineCounter, parseDocument } from 'yaml';
import { stepsOf } from '../common/json.ts';
import { workflowCommand } from '../common/github.ts';
import { markdownSentence, markdownTable } from '../common/markdown.ts';
import { brokenSides, toMarkdown, toText, type Judgement } from '../openapi-judge/src/index.ts';

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

/** The verdict in one line. */
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

/** The line of a place in a YAML text, or of the nearest place around it that is there. */
function lineFinder(text: string): (pointer: string) => number {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  return (pointer) => {
    const steps = stepsOf(pointer);
    for (let length = steps.length; length > 0; length -= 1) {
      const path = steps.slice(0, length).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
      const named = steps.slice(0, length);
      const node = document.getIn(path, true) ?? document.getIn(named, true);
      if (isNode(node) && node.range) return counter.linePos(node.range[0]).line;
    }
    return 1;
  };
}

/** Annotations of GitHub Actions: errors for failed steps, warnings for what breaks somebody, notices for what a person has to look at. */
export function toAnnotations(verdict: GateVerdict, file: string, text: string): string {
  const lineOf = lineFinder(text);
  const annotate = (kind: 'error' | 'warning' | 'notice', pointer: string, message: string): string =>
    `${workflowCommand(kind, { file, line: lineOf(pointer) }, message)}\n`;
  const steps = failedSteps(verdict).map(({ step, title, problems }) =>
    annotate('error', step === 'version' ? '/info/version' : '', `${title}: ${problems.join('\n')}`),
  );
  const changes = verdict.judgement.changes.flatMap((each) => {
    const { review, pointer, message } = each;
    const broken = brokenSides(each);
    if (broken !== '') return [annotate('warning', pointer, `Breaks ${broken}: ${message}`)];
    return review ? [annotate('notice', pointer, `Needs review: ${message}`)] : [];
  });
  return [...steps, ...changes].join('');
}
