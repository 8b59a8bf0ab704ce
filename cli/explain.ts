import { openPoints, requirements, type OpenPoint, type Requirement } from '../contract/document.ts';
import type { Defect } from '../proof/defect.ts';
import type { Variant } from '../proof/variant.ts';
import type { Check } from '../conformance/judging/check.ts';
import { checks, checksOf, requirementsOf } from '../conformance/checks/catalogue.ts';
import { INPUT_HELP, type Inputs } from '../conformance/target/inputs.ts';
import { paintFor, wrap, type Paint } from '../conformance/report/paint.ts';
import { hint } from '../common/nearest.ts';
import { environmentOf, exportLines } from './input/environment.ts';
import { parseOptions } from './input/options.ts';
import { columnsOf, type Command } from './output/io.ts';
import { loadProofServers, type ProofServers } from './proof-servers.ts';
import { UsageError } from '../common/args.ts';

const HELP = `Usage: admin-api-conformance explain ID

Explains a requirement, a check or an open point: its text, its place in the
source, how it is judged, how it can fail, and the servers that prove it. Also
explains one of these servers, a defect or a variant. "list" shows the ids of
requirements and checks; reports name those of open points.

Examples:
  admin-api-conformance explain update.unsent-fields-keep
  admin-api-conformance explain open.empty-body

Exit codes: 0, 2 usage, such as an unknown id.
`;

const MOST_SERVERS = 8;

/** Some of the servers of the proof, with their titles, and how many more there are. */
function someServers(
  heading: string,
  servers: readonly { readonly id: string; readonly title: string }[],
  width: number,
): string[] {
  if (servers.length === 0) return [];
  const more = servers.length - MOST_SERVERS;
  return [
    '',
    heading,
    ...servers.slice(0, MOST_SERVERS).map(({ id, title }) => wrap(`${id}: ${title}`, width, '    ', '  ')),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function variantsAbout(id: string, { variants }: ProofServers, width: number): string[] {
  const about = variants.filter((variant) => variant.about.includes(id));
  return someServers('Conforming variants about it ("serve --variant ID" starts one)', about, width);
}

function requirementText(requirement: Requirement, proof: ProofServers, paint: Paint, width: number): string {
  const own = checksOf(requirement).map(({ id, title }) => wrap(`${id}: ${title}`, width, '    ', '  '));
  return [
    `${paint('bold', requirement.id)}  a requirement, ${requirement.level}`,
    wrap(requirement.text, width, '  '),
    '',
    wrap(`Source: ${requirement.source}`, width, '  '),
    wrap(`In openapi.yaml: ${requirement.pointer}`, width, '  '),
    '',
    'Judged by',
    ...own,
    ...someServers(
      'Defects that prove it ("serve --defect ID" starts one)',
      proof.defects.filter(({ breaks }) => breaks.includes(requirement.id)),
      width,
    ),
    ...variantsAbout(requirement.id, proof, width),
  ].join('\n');
}

function checkText(check: Check, { defects }: ProofServers, paint: Paint, width: number): string {
  const needs = check.needs.map((name) => `  ${INPUT_HELP[name].variable}: ${INPUT_HELP[name].meaning}`);
  const modes = Object.entries(check.failureModes).map(([mode, advice]) =>
    wrap(`${mode}: ${advice}`, width, '    ', '  '),
  );
  const judged = requirementsOf(check).flatMap(({ id, text, source }) => [
    wrap(`${id}: ${text}`, width, '    ', '  '),
    paint('dim', wrap(`Source: ${source}`, width, '    ')),
  ]);
  return [
    `${paint('bold', check.id)}  a check, ${check.level}`,
    wrap(check.title, width, '  '),
    '',
    'It judges',
    ...judged,
    '',
    'It needs',
    ...needs,
    '',
    'It can fail in these ways',
    ...modes,
    ...someServers(
      'Defects that prove it ("serve --defect ID" starts one)',
      defects.filter(({ killedBy }) => Object.hasOwn(killedBy, check.id)),
      width,
    ),
  ].join('\n');
}

function openPointText(point: OpenPoint, proof: ProofServers, paint: Paint, width: number): string {
  const observations = point.observations.map(({ id, text }) => wrap(`${id}: ${text}`, width, '    ', '  '));
  return [
    `${paint('bold', point.id)}  an open point, ${point.kind}`,
    wrap(point.text, width, '  '),
    '',
    wrap(`Ruling: ${point.ruling}`, width, '  '),
    wrap(`Source: ${point.source}`, width, '  '),
    '',
    ...(observations.length > 0
      ? ['It is never judged. What the suite observes', ...observations]
      : ['It cannot be observed from outside.']),
    ...variantsAbout(point.id, proof, width),
  ].join('\n');
}

/** How a server of the proof is started and judged. */
function startText(
  serveLine: string,
  server: Defect | Variant,
  { runLine }: ProofServers,
  inputs: Partial<Inputs> = {},
): string[] {
  const own = exportLines(environmentOf(inputs)).map((line) => `  ${line}`);
  return [
    ...(own.length > 0 ? ['', 'What its operator declares instead of the defaults', ...own] : []),
    '',
    'Start it, and judge it with the settings that it prints',
    `  admin-api-conformance serve ${serveLine}`,
    `  ${runLine(server)}`,
  ];
}

function texts(ids: readonly string[], width: number): string[] {
  return [...requirements, ...openPoints]
    .filter(({ id }) => ids.includes(id))
    .map(({ id, text }) => wrap(`${id}: ${text}`, width, '    ', '  '));
}

function defectText(defect: Defect, proof: ProofServers, paint: Paint, width: number): string {
  const catches = Object.entries(defect.killedBy).map(([id, mode]) => {
    const advice = checks.find((check) => check.id === id)?.failureModes[mode] ?? '';
    return wrap(`${id}, as ${mode}: ${advice}`, width, '    ', '  ');
  });
  return [
    `${paint('bold', defect.id)}  a defect: a server that must fail`,
    wrap(defect.title, width, '  '),
    '',
    'It breaks',
    ...texts(defect.breaks, width),
    '',
    'It is killed by',
    ...catches,
    ...startText(`--defect ${defect.id}`, defect, proof, defect.inputs),
  ].join('\n');
}

function variantText(variant: Variant, proof: ProofServers, paint: Paint, width: number): string {
  const unjudged = Object.entries(variant.inconclusive ?? {}).map(([glob, reason]) => `  ${glob}: ${reason}`);
  return [
    `${paint('bold', variant.id)}  a variant: a conforming server that must not fail`,
    wrap(variant.title, width, '  '),
    '',
    'It is about',
    ...texts(variant.about, width),
    ...(unjudged.length > 0 ? ['', 'Checks that are inconclusive on it', ...unjudged] : []),
    ...(variant.notRestored ? ['', 'Its users cannot be fully restored, because it does not show every member.'] : []),
    ...startText(`--variant ${variant.id}`, variant, proof, variant.inputs),
  ].join('\n');
}

/** `explain`: one requirement, check or open point, or one server of the proof. */
export const command: Command = {
  usage: 'explain ID',
  summary: 'explain a requirement, check, open point, defect or variant',
  help: HELP,
  run: async (args, { out, environment }) => {
    const { positionals } = parseOptions(args, [], 1);
    const [id] = positionals;
    if (id === undefined) {
      throw new UsageError('explain: give the id of a requirement, check, open point, defect or variant; see "list".');
    }
    const paint = paintFor(out, environment);
    const width = columnsOf(out);
    const proof = await loadProofServers();
    const { defects, variants } = proof;
    const found = [
      ...requirements.filter((each) => each.id === id).map((each) => requirementText(each, proof, paint, width)),
      ...checks.filter((each) => each.id === id).map((each) => checkText(each, proof, paint, width)),
      ...openPoints.filter((each) => each.id === id).map((each) => openPointText(each, proof, paint, width)),
      ...defects.filter((each) => each.id === id).map((each) => defectText(each, proof, paint, width)),
      ...variants.filter((each) => each.id === id).map((each) => variantText(each, proof, paint, width)),
    ];
    if (found.length === 0) {
      const known = [...requirements, ...checks, ...openPoints, ...defects, ...variants].map((each) => each.id);
      throw new UsageError(`explain: nothing has the id ${id}.${hint(id, known)}`);
    }
    out.write(`${found.join('\n\n')}\n`);
    return 0;
  },
};
