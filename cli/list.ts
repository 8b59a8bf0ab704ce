import { openPoints, requirements } from '../contract/document.ts';
import type { Defect } from '../proof/defect.ts';
import type { Variant } from '../proof/variant.ts';
import type { Check } from '../conformance/judging/check.ts';
import { checks, checksOf } from '../conformance/checks/catalogue.ts';
import { INPUT_HELP } from '../conformance/target/inputs.ts';
import { paintFor, wrap, type Paint } from '../conformance/report/paint.ts';
import { formatOf, formatOption, optionHelp, parseOptions } from './input/options.ts';
import { columnsOf, type Command } from './output/io.ts';
import { loadProofServers } from './proof-servers.ts';

const FORMATS = ['pretty', 'json'] as const;
const OPTIONS = [
  { flag: '--defects', meaning: 'list the servers with a defect instead' },
  { flag: '--variants', meaning: 'list the conforming variants instead' },
  formatOption(FORMATS),
];

const HELP = `Usage: admin-api-conformance list [options]

Lists the requirements of the contract with their levels and the checks that
judge them, or the servers that prove the suite.

${optionHelp(OPTIONS)}

Examples:
  admin-api-conformance list
  admin-api-conformance list --defects --format json

Exit codes: 0, 2 usage.
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
export const command: Command = {
  usage: 'list',
  summary: 'list requirements and checks, or the servers of the proof',
  help: HELP,
  run: async (args, { out, environment }) => {
    const parsed = parseOptions(args, OPTIONS, 0);
    const { values } = parsed;
    const format = formatOf(parsed, FORMATS);
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
  },
};
