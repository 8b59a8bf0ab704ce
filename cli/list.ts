import { legibleJson } from '../common/text.ts';
import { openPoints, requirements } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { variableOf } from '../conformance/inputs.ts';
import { defects, variants } from '../proof/catalogue.ts';
import colors from 'picocolors';
import { type Command, formatOf, formatOption, wrapped } from './command.ts';
import { layoutOf } from './reports.ts';

const FORMATS = ['pretty', 'json'] as const;

/** A line of a list: an id with what it is about. */
interface Entry {
  readonly id: string;
  readonly level?: string;
  readonly text: string;
  readonly about: readonly string[];
}

/** The ids of the checks that judge a requirement. */
export function checksOf(requirement: string): string[] {
  return checks.filter((each) => each.requirement === requirement).map(({ id }) => id);
}

const ofContract = () => ({
  requirements: requirements.map((each) => ({ ...each, checks: checksOf(each.id) })),
  checks: checks.map(({ id, area, level, title, requirement, needs, after = [], fix }) => {
    return { id, area, level, title, requirement, after, needs: needs.map(variableOf), fix };
  }),
  openPoints,
});

const ofDefects = () => ({ defects: defects.map(({ id, title, breaks }) => ({ id, title, breaks })) });
const ofVariants = () => ({ variants: variants.map(({ id, title, about }) => ({ id, title, about })) });

/** `list`: requirements with their checks, or the servers of the proof. */
export const command: Command = {
  usage: 'list',
  summary: 'list requirements and checks, or the servers of the proof',
  calls: ['list [options]'],
  about: `Lists the requirements of the contract with their levels and the checks that
judge them, or the servers that prove the suite.`,
  options: [
    { flag: '--defects', meaning: 'list the servers with a defect instead' },
    { flag: '--variants', meaning: 'list the conforming variants instead' },
    formatOption(FORMATS),
  ],
  examples: ['list', 'list --defects --format json'],
  exitCodes: '0, 2 usage.',
  run: (parsed, io) => {
    const { out } = io;
    const { defects: withDefects = false, variants: withVariants = false } = parsed.values;
    const isProof = withDefects !== false || withVariants !== false;
    if (formatOf(parsed, FORMATS) === 'json') {
      const proof = { ...(withDefects === true && ofDefects()), ...(withVariants === true && ofVariants()) };
      out.writeDocument(legibleJson(isProof ? proof : ofContract()));
      return 0;
    }
    const { color, width } = layoutOf(out, io);
    const { bold, dim, red, yellow } = colors.createColors(color);
    const show = (entries: readonly Entry[], count: string): void => {
      for (const { id, level, text, about } of entries) {
        const badge = level === undefined ? '' : `  ${level === 'must' ? red(level) : yellow(level)}`;
        out.write(
          `${bold(id)}${badge}\n${wrapped(text, width, '  ')}\n${dim(wrapped(about.join(', '), width, '    '))}\n`,
        );
      }
      out.write(`\n${count}\n`);
    };
    const counts = `${requirements.length} requirements, ${checks.length} checks, ${openPoints.length} open points`;
    if (!isProof)
      show(
        requirements.map((each) => ({ ...each, about: checksOf(each.id) })),
        counts,
      );
    if (withDefects === true)
      show(
        defects.map(({ id, title, breaks }) => ({ id, text: title, about: breaks })),
        `${defects.length} defects`,
      );
    if (withVariants === true)
      show(
        variants.map(({ id, title, about }) => ({ id, text: title, about })),
        `${variants.length} variants`,
      );
    return 0;
  },
};
