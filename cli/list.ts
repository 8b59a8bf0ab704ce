import colors from 'picocolors';
import { openPoints, requirements } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { whereJudged } from '../conformance/checks/selection.ts';
import { defects, variants } from '../proof/catalogue.ts';
import { type Command, wrapped } from './command.ts';
import { isSet, option } from './option.ts';

const OPTIONS = {
  defects: option('--defects', isSet, 'list the servers with a defect instead'),
  variants: option('--variants', isSet, 'list the conforming variants instead'),
};

/** What a list shows of each. */
interface Entry {
  readonly id: string;
  readonly level?: string;
  readonly title: string;
  readonly about: readonly string[];
}

function requirementEntries(): Entry[] {
  return requirements.map(({ id, level, text }) => {
    const own = checks.filter(({ requirement }) => requirement === id).map((check) => check.id);
    return { id, level, title: text, about: own.length > 0 ? own : [`judged ${whereJudged(id)}`] };
  });
}

/** `list`: requirements with their checks, or the servers of the proof. */
export const command: Command<typeof OPTIONS> = {
  about: `Lists the requirements of the contract with their levels and the checks that
judge them, or the servers that prove the suite.`,
  options: OPTIONS,
  exitCodes: '0, 2 usage.',
  run: (chosen, { out }) => {
    const { bold, dim } = colors.createColors(out.color);
    const show = (entries: readonly Entry[], total: string): void => {
      for (const { id, level, title, about } of entries) {
        out.write(`${bold(id)}${level === undefined ? '' : `  ${level}`}\n${wrapped(title, out.width, '  ')}\n`);
        out.write(`${dim(wrapped(about.join(', '), out.width, '    '))}\n`);
      }
      out.write(`\n${entries.length} ${total}\n`);
    };
    const broken = defects.map((each) => ({ ...each, about: each.breaks }));
    if (chosen.defects) show(broken, 'defects');
    if (chosen.variants) show(variants, 'variants');
    if (!chosen.defects && !chosen.variants)
      show(requirementEntries(), `requirements, ${checks.length} checks, ${openPoints.length} open points`);
    return 0;
  },
};
