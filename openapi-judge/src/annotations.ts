import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { requireModule } from '../../common/process/commonjs.ts';
import { workflowCommand } from '../../common/github.ts';
import { below, stepsOf } from '../../common/json.ts';
import { brokenSides, type Change, type Judgement } from './change.ts';
import { FILES } from './documents/references.ts';

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

/**
 * Annotations of GitHub Actions: warnings for what breaks somebody, notices for what a person has to look at.
 *
 * @param file the newer document, and its text
 */
export function annotationsOf({ changes }: Judgement, file: string, text: string): string {
  const lineOf = lineFinder(text);
  const finders = new Map<string, typeof lineOf>();
  const placeOf = ({ pointer }: Change): { file: string; line: number } => {
    const [holder, name = '', ...inside] = stepsOf(pointer);
    const path = join(dirname(file), name);
    if (holder !== FILES || !existsSync(path)) return { file, line: lineOf(pointer) };
    if (!finders.has(path)) finders.set(path, lineFinder(readFileSync(path, 'utf8')));
    return { file: path, line: finders.get(path)?.(below('', ...inside)) ?? 1 };
  };
  return changes
    .flatMap((each) => {
      const { review, message } = each;
      const broken = brokenSides(each);
      if (broken === '' && !review) return [];
      const [kind, said] =
        broken === '' ? (['notice', 'Needs review'] as const) : (['warning', `Breaks ${broken}`] as const);
      return [`${workflowCommand(kind, placeOf(each), `${said}: ${message}`)}\n`];
    })
    .join('');
}
