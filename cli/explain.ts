import { openPoints, requirements, type OpenPoint, type Requirement } from '../contract/document.ts';
import type { Defect } from '../proof/defect.ts';
import type { Variant } from '../proof/variant.ts';
import type { Check } from '../conformance/model/check.ts';
import { checks, checksOf, requirementsOf } from '../conformance/checks/catalogue.ts';
import { INPUT_HELP } from '../conformance/resources/inputs.ts';
import { wrap, type PrettyOptions } from '../conformance/report/terminal/paint.ts';
import { hint } from '../common/nearest.ts';
import { commandOf } from './input/command-table.ts';
import { environmentOf, exportLines } from './input/settings.ts';
import { layoutOf } from './output/io.ts';
import { loadProofServers, type ProofServers } from './servers/proof-servers.ts';
import { UsageError } from '../common/process/args.ts';

/** Items below a heading, shown if there are any; lines to paste are not wrapped. */
type Part = readonly [heading: string, items: readonly string[], toPaste?: 'to paste'];

/** The text is what is explained; notes stand below it. */
type Explanation = readonly [kind: string, text: string, notes: readonly string[], ...parts: Part[]];

function shown(id: string, [kind, text, notes, ...parts]: Explanation, { paint, width }: PrettyOptions): string {
  return [
    `${paint('bold', id)}  ${kind}`,
    wrap(text, width, '  '),
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => wrap(note, width, '  '))]),
    ...parts
      .filter(([, items]) => items.length > 0)
      .flatMap(([heading, items, toPaste]) => {
        return ['', heading, ...items.map((item) => (toPaste ? `  ${item}` : wrap(item, width, '    ', '  ')))];
      }),
  ].join('\n');
}

const titled = ({ id, title }: { readonly id: string; readonly title: string }): string => `${id}: ${title}`;
const worded = ({ id, text }: { readonly id: string; readonly text: string }): string => `${id}: ${text}`;

const MOST_SERVERS = 8;

/** Some of the servers of the proof, and how many more there are. */
function servers(what: string, option: string, about: readonly (Defect | Variant)[]): Part {
  const more = about.length - MOST_SERVERS;
  const some = about.slice(0, MOST_SERVERS).map(titled);
  return [`${what} it ("serve --${option} ID" starts one)`, more > 0 ? [...some, `and ${more} more`] : some];
}

const defectsThat = (is: (defect: Defect) => boolean, { defects }: ProofServers): Part =>
  servers('Defects that prove', 'defect', defects.filter(is));

const variantsAbout = (id: string, { variants }: ProofServers): Part =>
  servers(
    'Conforming variants about',
    'variant',
    variants.filter(({ about }) => about.includes(id)),
  );

function explainRequirement(requirement: Requirement, proof: ProofServers): Explanation {
  const { id, level, text, source, pointer } = requirement;
  return [
    `a requirement, ${level}`,
    text,
    [`Source: ${source}`, `In openapi.yaml: ${pointer}`],
    ['Judged by', checksOf(requirement).map(titled)],
    defectsThat(({ breaks }) => breaks.includes(id), proof),
    variantsAbout(id, proof),
  ];
}

function explainCheck(check: Check, proof: ProofServers): Explanation {
  return [
    `a check, ${check.level}`,
    check.title,
    [],
    ['It judges', requirementsOf(check).map((each) => `${worded(each)} Source: ${each.source}`)],
    ['It needs', check.needs.map((name) => `${INPUT_HELP[name].variable}: ${INPUT_HELP[name].meaning}`)],
    ['It can fail in these ways', Object.entries(check.failureModes).map(([mode, advice]) => `${mode}: ${advice}`)],
    defectsThat(({ killedBy }) => Object.hasOwn(killedBy, check.id), proof),
  ];
}

function explainOpenPoint(
  { id, kind, text, ruling, source, observations }: OpenPoint,
  proof: ProofServers,
): Explanation {
  const unseen = observations.length === 0 ? ['It cannot be observed from outside.'] : [];
  return [
    `an open point, ${kind}`,
    text,
    [`Ruling: ${ruling}`, `Source: ${source}`, ...unseen],
    ['It is never judged. What the suite observes', observations.map(worded)],
    variantsAbout(id, proof),
  ];
}

function startParts(option: string, server: Defect | Variant, { runLine }: ProofServers): Part[] {
  const lines = [`admin-api-conformance serve --${option} ${server.id}`, runLine(server)];
  return [
    ['What its operator declares instead of the defaults', exportLines(environmentOf(server.inputs ?? {})), 'to paste'],
    ['Start it, and judge it with the settings that it prints', lines, 'to paste'],
  ];
}

const texts = (ids: readonly string[]): string[] =>
  [...requirements, ...openPoints].filter(({ id }) => ids.includes(id)).map(worded);

function explainDefect(defect: Defect, proof: ProofServers): Explanation {
  const killers = Object.entries(defect.killedBy).map(([id, mode]) => {
    return `${id}, as ${mode}: ${checks.find((check) => check.id === id)?.failureModes[mode] ?? ''}`;
  });
  return [
    'a defect: a server that must fail',
    defect.title,
    [],
    ['It breaks', texts(defect.breaks)],
    ['It is killed by', killers],
    ...startParts('defect', defect, proof),
  ];
}

function explainVariant(variant: Variant, proof: ProofServers): Explanation {
  const unjudged = Object.entries(variant.inconclusive ?? {}).map(([glob, reason]) => `${glob}: ${reason}`);
  return [
    'a variant: a conforming server that must not fail',
    variant.title,
    variant.notRestored ? ['Its users cannot be fully restored, because it does not show every member.'] : [],
    ['It is about', texts(variant.about)],
    ['Checks that are inconclusive on it', unjudged],
    ...startParts('variant', variant, proof),
  ];
}

/** `explain`: one requirement, check or open point, or one server of the proof. */
export const command = commandOf({
  usage: 'explain ID',
  summary: 'explain a requirement, check, open point, defect or variant',
  about: `Explains a requirement, a check or an open point: its text, its place in the
source, how it is judged, how it can fail, and the servers that prove it. Also
explains one of these servers, a defect or a variant. "list" shows the ids of
requirements and checks; reports name those of open points.`,
  examples: ['explain update.unsent-fields-keep', 'explain open.empty-body'],
  exitCodes: '0, 2 usage, such as an unknown id.',
  positionals: [1, 1],
  missing: 'explain: give the id of a requirement, check, open point, defect or variant; see "list".',
  run: async ({ positionals: [id = ''] }, { out, environment }) => {
    const proof = await loadProofServers();
    const known: string[] = [];
    const found = <T extends { readonly id: string }>(
      all: readonly T[],
      explain: (each: T, servers: ProofServers) => Explanation,
    ): Explanation[] => {
      known.push(...all.map((each) => each.id));
      return all.filter((each) => each.id === id).map((each) => explain(each, proof));
    };
    const explanations = [
      ...found(requirements, explainRequirement),
      ...found(checks, explainCheck),
      ...found(openPoints, explainOpenPoint),
      ...found(proof.defects, explainDefect),
      ...found(proof.variants, explainVariant),
    ];
    if (explanations.length === 0)
      throw new UsageError(`explain: nothing has the id ${id}.${hint(id, known) || ' "list" shows the ids.'}`);
    out.write(`${explanations.map((each) => shown(id, each, layoutOf(out, environment))).join('\n\n')}\n`);
    return 0;
  },
});
