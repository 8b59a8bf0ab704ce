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

/** `list`: requirements with their checks, or the servers of the proof. */
export const command: Command<typeof OPTIONS> = {
  about: `Lists the requirements of the contract with their levels and the checks that
judge them, or the servers that prove the suite.`,
  options: OPTIONS,
  exitCodes: '0, 2 usage.',
  run: (chosen, { out }) => {
    const { bold, dim } = colors.createColors(out.color);
    const show = (id: string, level: string, title: string, about: readonly string[]): void => {
      out.write(`${bold(id)}${level}\n${wrapped(title, out.width, '  ')}\n`);
      out.write(`${dim(wrapped(about.join(', '), out.width, '    '))}\n`);
    };
    if (chosen.defects) for (const { id, title, breaks } of defects) show(id, '', title, breaks);
    if (chosen.defects) out.write(`\n${defects.length} defects\n`);
    if (chosen.variants) for (const { id, title, about } of variants) show(id, '', title, about);
    if (chosen.variants) out.write(`\n${variants.length} variants\n`);
    if (chosen.defects || chosen.variants) return 0;
    for (const { id, level, text } of requirements) {
      const own = checks.filter(({ requirement }) => requirement === id).map((check) => check.id);
      show(id, `  ${level}`, text, own.length > 0 ? own : [`judged ${whereJudged(id)}`]);
    }
    const counts = [
      `${requirements.length} requirements`,
      `${checks.length} checks`,
      `${openPoints.length} open points`,
    ];
    out.write(`\n${counts.join(', ')}\n`);
    return 0;
  },
};
