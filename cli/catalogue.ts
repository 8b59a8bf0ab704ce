import { openPoints, requirements, type OpenPoint, type Requirement } from '../contract/document.ts';
import type { Defect } from '../proof/defect.ts';
import type { Variant } from '../proof/variant.ts';
import type { Check } from '../conformance/judging/check.ts';
import { checks, checksOf, requirementsOf } from '../conformance/checks/catalogue.ts';
import { INPUT_HELP, type Inputs } from '../conformance/target/inputs.ts';
import { paintFor, wrap, type Paint } from '../conformance/report/paint.ts';
import { hint } from '../common/nearest.ts';
import { environmentOf, exportLines } from './input/environment.ts';
import { columnsOf, type Command } from './output/io.ts';
import { loadProofServers, type ProofServers } from './proof-servers.ts';
import { oneOf, parseArguments, UsageError } from '../common/args.ts';

const LIST_HELP = `Usage: admin-api-conformance list [options]

Lists the requirements of the contract with their levels, and the checks that
judge them.

  --defects               instead, the broken servers that prove the suite
  --variants              instead, the lawful servers that prove the suite
  --format pretty|json    (pretty)

Examples:
  admin-api-conformance list
  admin-api-conformance list --defects --format json

Exit codes: 0, 2 usage.
`;

const EXPLAIN_HELP = `Usage: admin-api-conformance explain ID

Tells all about one requirement, check or open point: its text, where it stands
in the source, how it is judged, the ways to fail, and the servers that prove
it. Tells also about one of these servers, a defect or a variant. "list" shows
the ids of requirements and checks; a report names those of open points.

Examples:
  admin-api-conformance explain update.unsent-fields-keep
  admin-api-conformance explain open.empty-body

Exit codes: 0, 2 usage, such as an unknown id.
`;

function listing(paint: Paint, width: number): string {
  const lines = requirements.flatMap((requirement) => [
    `${paint('bold', requirement.id)}  ${paint(requirement.level === 'must' ? 'red' : 'yellow', requirement.level)}`,
    wrap(requirement.text, width, '  '),
    paint(
      'dim',
      wrap(
        checksOf(requirement)
          .map(({ id }) => id)
          .join(', '),
        width,
        '    ',
      ),
    ),
  ]);
  return `${lines.join('\n')}\n\n${requirements.length} requirements, ${checks.length} checks, ${openPoints.length} open points\n`;
}

function checkRecord({ id, area, level, title, requirements: own, needs, failureModes }: Check) {
  return {
    id,
    area,
    level,
    title,
    requirements: own,
    needs: needs.map((name) => INPUT_HELP[name].variable),
    failureModes,
  };
}

function defectRecord({ id, title, breaks, killedBy }: Defect) {
  return { id, title, breaks, killedBy };
}

function variantRecord({ id, title, about, inconclusive = {} }: Variant) {
  return { id, title, about, inconclusive };
}

function serverListing<T extends Defect | Variant>(
  kind: string,
  servers: readonly T[],
  relatedOf: (server: T) => readonly string[],
  paint: Paint,
  width: number,
): string {
  const lines = servers.flatMap((server) => [
    paint('bold', server.id),
    wrap(server.title, width, '  '),
    paint('dim', wrap(relatedOf(server).join(', '), width, '    ')),
  ]);
  return `${lines.join('\n')}\n\n${servers.length} ${kind}\n`;
}

function catalogueRecord() {
  return {
    requirements: requirements.map((requirement) => ({
      ...requirement,
      checks: checksOf(requirement).map(({ id }) => id),
    })),
    checks: checks.map(checkRecord),
    openPoints,
  };
}

/** `list`: requirements, checks, levels; or the servers of the proof. */
export const list: Command = async (args, { out, environment }) => {
  const options = {
    defects: { type: 'boolean' },
    variants: { type: 'boolean' },
    format: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = parseArguments(args, options, 0);
  if (values.help === true) {
    out.write(LIST_HELP);
    return 0;
  }
  const format = oneOf('--format', (values.format as string | undefined) ?? 'pretty', ['pretty', 'json']);
  const paint = paintFor(out, environment);
  const width = columnsOf(out);
  const json = (record: object): string => `${JSON.stringify(record, null, 2)}\n`;
  if (values.defects !== true && values.variants !== true) {
    out.write(format === 'json' ? json(catalogueRecord()) : listing(paint, width));
    return 0;
  }
  const proof = await loadProofServers();
  const defects = values.defects === true ? proof.defects : undefined;
  const variants = values.variants === true ? proof.variants : undefined;
  if (format === 'json') {
    out.write(json({ defects: defects?.map(defectRecord), variants: variants?.map(variantRecord) }));
    return 0;
  }
  const listings = [
    ...(defects ? [serverListing('defects', defects, ({ breaks }) => breaks, paint, width)] : []),
    ...(variants ? [serverListing('variants', variants, ({ about }) => about, paint, width)] : []),
  ];
  out.write(listings.join('\n'));
  return 0;
};

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
  return someServers('Lawful servers about it ("serve --variant ID" starts one)', about, width);
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
      'Broken servers that prove it ("serve --defect ID" starts one)',
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
      'Broken servers that prove it ("serve --defect ID" starts one)',
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
      ? ['It is never judged. What can be observed', ...observations]
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
    ...(own.length > 0 ? ['', 'What an operator says of it otherwise', ...own] : []),
    '',
    'Start it, and judge it with what that prints',
    `  admin-api-conformance serve ${serveLine}`,
    `  ${runLine(server)}`,
  ];
}

function statements(ids: readonly string[], width: number): string[] {
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
    `${paint('bold', defect.id)}  a defect: a broken server, which must fail`,
    wrap(defect.title, width, '  '),
    '',
    'It breaks',
    ...statements(defect.breaks, width),
    '',
    'It is caught by',
    ...catches,
    ...startText(`--defect ${defect.id}`, defect, proof, defect.inputs),
  ].join('\n');
}

function variantText(variant: Variant, proof: ProofServers, paint: Paint, width: number): string {
  const unjudged = Object.entries(variant.inconclusive ?? {}).map(([glob, reason]) => `  ${glob}: ${reason}`);
  return [
    `${paint('bold', variant.id)}  a variant: a lawful server that differs, which must not fail`,
    wrap(variant.title, width, '  '),
    '',
    'It is about',
    ...statements(variant.about, width),
    ...(unjudged.length > 0 ? ['', 'Checks that were inconclusive on it', ...unjudged] : []),
    ...(variant.notPutBack ? ['', 'Its users cannot be put back in full: not all of them is shown.'] : []),
    ...startText(`--variant ${variant.id}`, variant, proof, variant.inputs),
  ].join('\n');
}

/** `explain`: one requirement, check or open point, or one server of the proof. */
export const explain: Command = async (args, { out, environment }) => {
  const { values, positionals } = parseArguments(args, { help: { type: 'boolean', short: 'h' } }, 1);
  if (values.help === true) {
    out.write(EXPLAIN_HELP);
    return 0;
  }
  const [id] = positionals;
  if (id === undefined) {
    throw new UsageError('explain: give the id of a requirement, check, open point, defect or variant; see "list".');
  }
  const paint = paintFor(out, environment);
  const width = columnsOf(out);
  const proof = await loadProofServers();
  const { defects, variants } = proof;
  const texts = [
    ...requirements.filter((each) => each.id === id).map((each) => requirementText(each, proof, paint, width)),
    ...checks.filter((each) => each.id === id).map((each) => checkText(each, proof, paint, width)),
    ...openPoints.filter((each) => each.id === id).map((each) => openPointText(each, proof, paint, width)),
    ...defects.filter((each) => each.id === id).map((each) => defectText(each, proof, paint, width)),
    ...variants.filter((each) => each.id === id).map((each) => variantText(each, proof, paint, width)),
  ];
  if (texts.length === 0) {
    const known = [...requirements, ...checks, ...openPoints, ...defects, ...variants].map((each) => each.id);
    throw new UsageError(`explain: nothing is called ${id}.${hint(id, known)}`);
  }
  out.write(`${texts.join('\n\n')}\n`);
  return 0;
};
