import { markdownTable } from '../common/markdown.ts';
import type { Defect } from './defect.ts';
import type { Judged } from './judging.ts';
import type { CheckRow, RequirementRow } from './kill-matrix.ts';
import type { JudgedStub, Stub } from './stubs.ts';
import type { Variant } from './variant.ts';

/** Everything that a whole proof showed. */
export interface Proof {
  readonly defects: readonly Defect[];
  readonly judgedDefects: readonly Judged[];
  readonly variants: readonly Variant[];
  readonly judgedVariants: readonly Judged[];
  readonly stubs: readonly Stub[];
  readonly judgedStubs: readonly JudgedStub[];
  readonly checks: readonly CheckRow[];
  readonly requirements: readonly RequirementRow[];
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

function requirementTable({ requirements }: Proof): string {
  return markdownTable(
    ['requirement', 'level', 'text', 'source', 'checks', 'defects', 'variants'],
    requirements.map(({ id, kind, text, source, checks, defects, variants }) => [
      `\`${id}\``,
      kind,
      text,
      source,
      some(checks),
      some(defects),
      some(variants),
    ]),
  );
}

function checkTable({ checks }: Proof): string {
  return markdownTable(
    ['check', 'level', 'killed by', 'alone', 'for example'],
    checks.map(({ id, level, killedBy, aloneOn, redundancy }) => [
      `\`${id}\``,
      level,
      String(killedBy.length),
      redundancy ?? String(aloneOn.length),
      some((aloneOn.length > 0 ? aloneOn : killedBy).slice(0, 2)),
    ]),
  );
}

function defectTable({ defects, judgedDefects }: Proof): string {
  const judgedById = new Map(judgedDefects.map((each) => [each.id, each]));
  return markdownTable(
    ['defect', 'what it does', 'breaks', 'killed by', 'checks that fail'],
    defects.map(({ id, title, breaks, killedBy }) => [
      `\`${id}\``,
      title,
      some(breaks),
      Object.entries(killedBy)
        .map(([check, mode]) => `\`${check}\` (${mode})`)
        .join(', '),
      String(Object.keys(judgedById.get(id)?.failed ?? {}).length),
    ]),
  );
}

function variantTable({ variants, judgedVariants }: Proof): string {
  const judgedById = new Map(judgedVariants.map((each) => [each.id, each]));
  return markdownTable(
    ['variant', 'what it does', 'about', 'verdict', 'inconclusive'],
    variants.map(({ id, title, about }) => {
      const { verdict = '', inconclusive = {} } = judgedById.get(id) ?? {};
      return [`\`${id}\``, title, some(about), verdict, String(Object.keys(inconclusive).length)];
    }),
  );
}

function stubTable({ stubs, judgedStubs }: Proof): string {
  return markdownTable(
    ['stub', 'what it does', 'verdict', 'must checks passed'],
    stubs.map(({ id, title }) => {
      const { verdict = '', score } = judgedStubs.find((each) => each.id === id) ?? {};
      return [`\`${id}\``, title, verdict, `${score?.passed ?? 0} of ${score?.total ?? 0}`];
    }),
  );
}

/** The kill matrix as a document for people. */
export function toMarkdown(proof: Proof): string {
  const { defects, variants, stubs } = proof;
  return `# The proof

What \`npm run prove\` showed: the whole suite judged ${defects.length} defects, ${variants.length} conforming variants and
${stubs.length} stub servers. A seed determines the order of the traffic.

- A defect is killed if the run fails and the checks that it names fail for the reasons that it names.
- A conforming variant is not failed: no check fails, only the checks that it names are inconclusive, and its users are as before.
- \`admin-api-conformance serve --defect ID\` and \`--variant ID\` start each of them.

## Requirements and open points

Each with the checks that judge it, the defects that break it and the conforming variants that use its freedom.

${requirementTable(proof)}

## Checks

Alone: the number of its defects on which no other check of the same requirement fails. These need it.

${checkTable(proof)}

## Defects

${defectTable(proof)}

## Conforming variants

${variantTable(proof)}

## Stub servers

${stubTable(proof)}
`;
}

/** The kill matrix as data, for the site. */
export function toData(proof: Proof): unknown {
  const { defects, judgedDefects, variants, judgedVariants, judgedStubs, checks, requirements } = proof;
  const judgedById = new Map([...judgedDefects, ...judgedVariants].map((each) => [each.id, each]));
  return {
    defects: defects.map(({ id, title, breaks, killedBy }) => {
      return { title, breaks, killedBy, ...judgedById.get(id) };
    }),
    variants: variants.map(({ id, title, about }) => ({ title, about, ...judgedById.get(id) })),
    stubs: judgedStubs,
    checks,
    requirements,
  };
}
