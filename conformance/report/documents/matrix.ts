import { counted, groupedBy, shortened } from '../../../common/text.ts';
import type { Matrix, MatrixTarget } from '../../result/several/matrix.ts';
import { EXIT_CODES, VERDICTS, WORST_VERDICT_FIRST, type Outcome, type Verdict } from '../../result/verdict.ts';
import {
  joined,
  listOf,
  piecesOf,
  prose,
  SIGNS,
  type Document,
  type Inline,
  type Item,
  type Node,
  type Section,
  type Text,
} from '../document.ts';

const SENTENCES: Readonly<Record<Verdict, string>> = {
  passed: 'Every target conforms to the contract, as far as it was checked.',
  failed: 'Some targets break the contract.',
  inconclusive: 'No target failed, but not every one could be judged.',
  interrupted: 'The fleet was stopped before every target was judged.',
  error: 'The suite failed on some targets. Please report it.',
};

/** Names in a text; a page has all. */
const MOST_NAMES = 8;

/** The address of the report of a target, from that of the matrix. */
function nameText({ name, folder }: MatrixTarget): Inline {
  if (folder === undefined) return name;
  return { link: `${folder.split('/').map(encodeURIComponent).join('/')}/report.html`, text: name };
}

/** Why a target has no result or no verdict, or how many findings it has. */
export function targetWords({ verdict, problem, hint, findings, journal }: MatrixTarget): string {
  const open = findings.filter(({ knownFailure }) => !knownFailure).length;
  const why = verdict === 'inconclusive' ? (problem ?? hint) : problem;
  const said = why ?? (open === 0 ? 'no finding' : counted(open, 'finding'));
  return journal === undefined ? said : `${said}; users to restore: ${journal}`;
}

/** The findings that are no known failures: `must` of failed targets first, then those of most targets. */
function findingItems(targets: readonly MatrixTarget[], mostNames: number): Item[] {
  const all = targets.flatMap((target) =>
    target.findings.filter(({ knownFailure }) => !knownFailure).map((finding) => ({ ...finding, target })),
  );
  const shared = groupedBy(all, ({ id }) => id).flatMap(([, [first, ...more]]) => {
    if (!first) return [];
    const own = [first, ...more].map(({ target }) => target);
    return [{ ...first, own, fails: first.level === 'must' && own.some(({ verdict }) => verdict === 'failed') }];
  });
  const sorted = shared.sort((one, two) => Number(two.fails) - Number(one.fails) || two.own.length - one.own.length);
  return sorted.map(({ level, title, own }) => {
    const names = joined(own.slice(0, mostNames).map(nameText));
    const more = own.length > mostNames ? [` and ${own.length - mostNames} more`] : [];
    const head = [{ tag: level }, ' ', ...piecesOf(prose(shortened(title, 300)))] as const;
    return { lines: [head, [`${counted(own.length, 'target')}: `, ...names, ...more]] };
  });
}

/** Whether any requirement was decided: a target that was not reached says nothing of the others. */
function isSeen({ requirements }: MatrixTarget): boolean {
  return Object.values(requirements).some((outcome) => outcome === 'passed' || outcome === 'failed');
}

/** What not every target was seen to meet, of those targets of which anything was seen; what some target breaks comes first. */
function unmetOf({ targets, requirements }: Matrix): Matrix['requirements'] {
  const seen = targets.filter(isSeen);
  const isFor = (id: string, ...outcomes: readonly (Outcome | undefined)[]): boolean =>
    seen.some((target) => outcomes.includes(target.requirements[id]));
  const unmet = requirements.filter(({ id }) => isFor(id, 'failed', 'inconclusive', 'error'));
  return unmet.toSorted((one, two) => Number(isFor(two.id, 'failed')) - Number(isFor(one.id, 'failed')));
}

function targetTable(targets: readonly MatrixTarget[], unmet: Matrix['requirements']): Node {
  const rows = targets.map((target): Text[] => {
    const cells = unmet.map(({ id }): Text => {
      const outcome = target.requirements[id];
      return outcome === undefined ? '' : { tag: outcome, title: `${id}: ${outcome}`, text: SIGNS[outcome] };
    });
    return [nameText(target), { tag: target.verdict }, shortened(targetWords(target), 300), ...cells];
  });
  const columns: Text[] = ['target', 'verdict', 'findings', ...unmet.map(({ id }) => ({ link: `#${id}`, text: id }))];
  return { type: 'table', label: 'Targets and requirements', columns, rows, signsFrom: 3 };
}

function listed(all: readonly Item[], most: number): Node {
  const more: Item[] = all.length > most ? [{ lines: [`and ${all.length - most} more`] }] : [];
  return { type: 'list', items: [...all.slice(0, most), ...more] };
}

/**
 * A fleet: its verdict, each target, and the findings that they share.
 *
 * @param most rows of a table or a list, in a text: it has only the targets that did not pass. A page has no limit, and a column
 *   for each requirement that not every target meets.
 */
export function matrixDocument(matrix: Matrix, most = Infinity): Document {
  const { verdict, counts, targets, requirements, missingShards, shards, tool } = matrix;
  const isPage = most === Infinity;
  const rank = (target: MatrixTarget): number => WORST_VERDICT_FIRST.indexOf(target.verdict);
  const notPassed = targets
    .filter((target) => target.verdict !== 'passed')
    .toSorted((one, two) => rank(one) - rank(two));
  const [shown, unmet] = isPage ? [targets, unmetOf(matrix)] : [notPassed, []];
  const many = VERDICTS.filter((each) => counts[each] > 0).map((each) => `${counts[each]} ${each}`);
  const findings = findingItems(targets, isPage ? Infinity : MOST_NAMES);
  const legend = unmet.map(({ id, level, text }): Node => {
    return {
      type: 'entry',
      id,
      summary: [{ tag: level }, ' ', { code: id }],
      nodes: [{ type: 'paragraph', text: prose(text) }],
    };
  });
  const lead = `The columns are the ${unmet.length} of ${requirements.length} requirements that not every target was seen to meet.`;
  const rest = shown.length > most ? [listOf([`and ${shown.length - most} more`])] : [];
  const sections: Section[] = [
    {
      ...{ id: 'targets', title: 'Targets', count: shown.length },
      nodes: [targetTable(shown.slice(0, most), unmet), ...rest],
      ...(unmet.length > 0 && { lead }),
    },
    { id: 'findings', title: 'Findings', count: findings.length, nodes: [listed(findings, most)] },
    { id: 'columns', title: 'The requirements of the columns', count: legend.length, nodes: legend },
  ];
  const missing = missingShards.length > 0 ? [`Missing: shard ${missingShards.join(', ')}.`] : [];
  const part = shards.length === 1 ? [`This is shard ${shards.join()}.`] : [];
  return {
    title: 'Conformance of a fleet',
    tone: verdict,
    label: verdict.toUpperCase(),
    words: [targets.length === 0 ? 'There is no target here.' : SENTENCES[verdict], ...part, ...missing].join(' '),
    notes: [
      `${[counted(targets.length, 'target'), ...(many.length > 0 ? [many.join(', ')] : [])].join(': ')}; exit code ${EXIT_CODES[verdict]}.`,
    ],
    hints: [],
    nodes: [],
    sections: sections.filter(({ count }) => count !== 0),
    footer: `Written by ${tool.name} ${tool.version}. This page loads nothing and holds no key.`,
  };
}
