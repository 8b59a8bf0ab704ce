/** Annotations of GitHub Actions, and the lines that they stand at. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { below, stepsOf } from '../../../common/json.ts';
import { workflowCommand } from '../../../common/github.ts';
import { counted } from '../../../common/text.ts';
import { requireModule } from '../../../common/process/commonjs.ts';
import { brokenSides, type Change, type Judgement } from '../change.ts';
import { FILES } from '../documents/references.ts';
import { messageOf, operationsOf } from './groups.ts';

/** The line of a place in a YAML text, or of the nearest place around it that is there. */
export function lineFinder(text: string): (pointer: string) => number {
  // Loaded where it is needed: most commands do not show lines.
  const { isNode, LineCounter, parseDocument } = requireModule('yaml') as typeof import('yaml');
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

/** GitHub shows so many annotations of a step and a kind. */
const MOST_ANNOTATIONS = 10;

/**
 * Annotations of GitHub Actions: errors for what fails, warnings for what else breaks somebody, notices for what a person has to look
 * at; with a line that counts the others.
 *
 * @param file the newer document, and its text
 * @param fails whether a change fails the job
 */
export function annotationsOf(
  { changes }: Pick<Judgement, 'changes'>,
  file: string,
  text: string,
  fails: (each: Change) => boolean = () => false,
): string {
  const kindOf = (each: Change): 'error' | 'warning' | 'notice' | undefined => {
    if (fails(each)) return 'error';
    if (brokenSides(each) !== '' && each.level !== 'info') return 'warning';
    return each.review ? 'notice' : undefined;
  };
  const kinds = ['error', 'warning', 'notice'] as const;
  const told = kinds.flatMap((kind) => changes.filter((each) => kindOf(each) === kind).map((each) => ({ kind, each })));
  if (told.length === 0) return '';
  const lineOf = lineFinder(text);
  const finders = new Map<string, typeof lineOf>();
  const placeOf = ({ pointer }: Change): { file: string; line: number } => {
    const [holder, name = '', ...inside] = stepsOf(pointer);
    const path = join(dirname(file), name);
    if (holder !== FILES || !existsSync(path)) return { file, line: lineOf(pointer) };
    if (!finders.has(path)) finders.set(path, lineFinder(readFileSync(path, 'utf8')));
    return { file: path, line: finders.get(path)?.(below('', ...inside)) ?? 1 };
  };
  const lines = told.slice(0, MOST_ANNOTATIONS).map(({ kind, each }) => {
    const broken = brokenSides(each);
    const where = each.operations === undefined ? '' : `${operationsOf(each)}: `;
    const message = `${broken === '' ? 'Needs review' : `Breaks ${broken}`}: ${where}${messageOf(each)}`;
    return `${workflowCommand(kind, file === '' ? {} : placeOf(each), message)}\n`;
  });
  const rest = told.length - lines.length;
  const summary = `${counted(rest, 'more change')}; the summary of the job shows them.`;
  return [...lines, ...(rest > 0 ? [`${summary}\n`] : [])].join('');
}
