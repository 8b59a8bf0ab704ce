import { markdownCode, markdownSentence, markdownTable, markdownText } from '../../../common/markdown.ts';
import { escapeInvisible, legibleJson, shortened } from '../../../common/text.ts';
import type { Matrix, MatrixTarget } from '../../result/matrix.ts';
import { VERDICT_STYLES, wrap, type PrettyOptions } from '../paint.ts';
import { contentOf, targetWords, type SharedFinding } from './content.ts';
import { htmlMatrix } from './html.ts';

/** Rows. The HTML report and the JSON have all. */
const MOST_ROWS = { terminal: 20, markdown: 100 };
const MOST_NAMES = 8;

const FINDING_HEAD = ['finding', 'level', 'targets', 'which'];
const FINDING_RULES = ['---', '---', '--:', '---'];

function namesOf({ targets }: SharedFinding): string {
  const more = targets.length - MOST_NAMES;
  return targets.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function more(all: readonly unknown[], most: number): string[] {
  return all.length > most ? [`and ${all.length - most} more`] : [];
}

/** The fleet for a person at a terminal: the verdict, the targets that did not pass, and the findings that they share. */
export function prettyMatrix(matrix: Matrix, { paint, width }: PrettyOptions): string {
  const { label, words, counts, exit, notPassed, findings } = contentOf(matrix);
  const most = MOST_ROWS.terminal;
  const longest = Math.max(0, ...notPassed.slice(0, most).map(({ name }) => name.length));
  const targetLine = (target: MatrixTarget): string => {
    const lead = `  ${target.name.padEnd(longest)}  ${target.verdict.padEnd(12)}  `;
    return wrap(escapeInvisible(targetWords(target)), width, ' '.repeat(6), lead);
  };
  const findingLines = (finding: SharedFinding): string =>
    [
      wrap(shortened(escapeInvisible(finding.title), 300), width, '    ', `  ${paint('red', '✗')} `),
      paint('dim', wrap(`${finding.level}, ${finding.targets.length}: ${namesOf(finding)}`, width, '    ')),
    ].join('\n');
  const sections = [
    [`${paint(VERDICT_STYLES[matrix.verdict], ` ${label} `)}  ${words}`, `  ${counts}; ${exit}`].join('\n'),
    [...notPassed.slice(0, most).map(targetLine), ...more(notPassed, most).map((text) => `  ${text}`)].join('\n'),
    [...findings.slice(0, most).map(findingLines), ...more(findings, most).map((text) => `  ${text}`)].join('\n'),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** The fleet as the summary of a job: the targets that did not pass, and the findings that they share. */
export function markdownMatrix(matrix: Matrix): string {
  const { label, words, counts, exit, notPassed, findings } = contentOf(matrix);
  const most = MOST_ROWS.markdown;
  const targetRow = (target: MatrixTarget): string[] => [
    markdownCode(target.name),
    target.verdict,
    markdownText(shortened(targetWords(target), 300)),
  ];
  const findingRow = (finding: SharedFinding): string[] => [
    markdownSentence(shortened(finding.title, 300)),
    finding.level,
    String(finding.targets.length),
    markdownText(namesOf(finding)),
  ];
  const tables = [
    ...(notPassed.length > 0
      ? [markdownTable(['target', 'verdict', 'findings'], notPassed.slice(0, most).map(targetRow))]
      : []),
    ...more(notPassed, most),
    ...(findings.length > 0
      ? [markdownTable(FINDING_HEAD, findings.slice(0, most).map(findingRow), FINDING_RULES)]
      : []),
    ...more(findings, most),
  ];
  return `${[`## ${label}: ${words}`, `${counts} · ${exit}`, ...tables].join('\n\n')}\n`;
}

/** Every report on a fleet that is written to a file, by the name of the file. */
export const MATRIX_FILES = {
  'matrix.json': (matrix: Matrix) => legibleJson(matrix),
  'matrix.html': htmlMatrix,
  'matrix.md': markdownMatrix,
} as const satisfies Readonly<Record<string, (matrix: Matrix) => string>>;
