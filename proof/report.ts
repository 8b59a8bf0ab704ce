import { markdownTable } from '../common/markdown.ts';
import type { Defect } from './defect.ts';
import type { Judged } from './judging.ts';
import type { CheckRow, SentenceRow } from './kill-matrix.ts';
import type { JudgedTrivial, Stub } from './stubs.ts';
import type { Variant } from './variant.ts';

/** Everything that a whole proof showed. */
export interface Proof {
  readonly defects: readonly Defect[];
  readonly broken: readonly Judged[];
  readonly variants: readonly Variant[];
  readonly lawful: readonly Judged[];
  readonly stubs: readonly Stub[];
  readonly trivial: readonly JudgedTrivial[];
  readonly checks: readonly CheckRow[];
  readonly sentences: readonly SentenceRow[];
}

const SHOWN = 6;

function some(ids: readonly string[]): string {
  if (ids.length === 0) return '–';
  const shown = ids
    .slice(0, SHOWN)
    .map((id) => `\`${id}\``)
    .join(', ');
  return ids.length > SHOWN ? `${shown} and ${ids.length - SHOWN} more` : shown;
}

function lawfulRows({ variants, lawful }: Proof): string[][] {
  return variants.map(({ id, title, about }) => {
    const { verdict = '', inconclusive = {} } = lawful.find((each) => each.id === id) ?? {};
    return [`\`${id}\``, title, some(about), verdict, String(Object.keys(inconclusive).length)];
  });
}

/** The kill matrix as a document for people. */
export function toMarkdown(proof: Proof): string {
  const { defects, broken, variants, stubs, trivial, checks, sentences } = proof;
  return `# The proof

What \`npm run prove\` showed: ${defects.length} broken servers with one fault each, ${variants.length} lawful servers, and
${stubs.length} servers without sense were judged by the whole suite, in an order of traffic that a seed decides.

- A broken server is killed if the run fails, and the checks that it names fail for the reasons that it names.
- A lawful server is spared if no check fails, what was inconclusive is just what it says, and its users are as before.
- \`admin-api-conformance serve --defect ID\` and \`--variant ID\` start each of them.

## Sentences

Every sentence of the source, with the checks that judge it, the broken servers that break it, and the lawful ones that use its freedom.

${markdownTable(
  ['sentence', 'level', 'text', 'source', 'checks', 'defects', 'variants'],
  sentences.map(({ id, kind, text, source, checks: own, defects: breaking, variants: about }) => [
    `\`${id}\``,
    kind,
    text,
    source,
    some(own),
    some(breaking),
    some(about),
  ]),
)}

## Checks

Alone: on so many of its defects no other check of the same requirement fails, so it is needed.

${markdownTable(
  ['check', 'level', 'killed by', 'alone', 'for example'],
  checks.map(({ id, level, killedBy, aloneOn, redundancy }) => [
    `\`${id}\``,
    level,
    String(killedBy.length),
    redundancy ?? String(aloneOn.length),
    some((aloneOn.length > 0 ? aloneOn : killedBy).slice(0, 2)),
  ]),
)}

## Broken servers

${markdownTable(
  ['defect', 'what it does', 'breaks', 'caught by', 'checks that fail'],
  defects.map(({ id, title, breaks, killedBy }) => [
    `\`${id}\``,
    title,
    some(breaks),
    Object.entries(killedBy)
      .map(([check, mode]) => `\`${check}\` (${mode})`)
      .join(', '),
    String(Object.keys(broken.find((each) => each.id === id)?.failed ?? {}).length),
  ]),
)}

## Lawful servers

${markdownTable(['variant', 'what it does', 'about', 'verdict', 'inconclusive'], lawfulRows(proof))}

## Servers without sense

${markdownTable(
  ['target', 'what it does', 'verdict', 'must checks passed'],
  stubs.map(({ id, title }) => {
    const judged = trivial.find((each) => each.id === id);
    return [`\`${id}\``, title, judged?.verdict ?? '', `${judged?.score.passed ?? 0} of ${judged?.score.total ?? 0}`];
  }),
)}
`;
}
