import colors from 'picocolors';
import { legibleJson } from '../common/text.ts';
import { openPoints, requirements } from '../contract/document.ts';
import { checks } from '../conformance/checks/catalogue.ts';
import { whereJudged } from '../conformance/checks/selection.ts';
import { variableOf } from '../conformance/inputs.ts';
import { defects, variants } from '../proof/catalogue.ts';
import { type Command, wrapped } from './command.ts';
import { flagsOf, isSet, option, word } from './option.ts';

/** What a list has, as records; each has an id, and says what it is about. */
const lists = {
  requirements: () =>
    requirements.map((each) => {
      const own = checks.filter(({ requirement }) => requirement === each.id).map(({ id }) => id);
      const about = own.length > 0 ? own : [`judged ${whereJudged(each.id)}`];
      return { ...each, title: each.text, about, checks: own };
    }),
  checks: () =>
    checks.map(({ id, area, level, title, requirement, needs, after = [] }) => {
      const variables = needs.map(variableOf);
      return { id, area, level, title, about: [requirement], requirement, after, needs: variables };
    }),
  openPoints: () => openPoints.map((each) => ({ ...each, title: each.text, about: [each.source] })),
  defects: () => defects.map(({ id, title, breaks }) => ({ id, title, about: breaks })),
  variants: () => variants.map(({ id, title, about }) => ({ id, title, about })),
} as const;

const OPTIONS = {
  defects: option('--defects', isSet, 'list the servers with a defect instead'),
  variants: option('--variants', isSet, 'list the conforming variants instead'),
  format: option('--format pretty|json', word(['pretty', 'json']), 'what to print', { default: 'pretty' }),
};

/** `list`: requirements with their checks, or the servers of the proof. */
export const command: Command = {
  usage: 'list',
  about: `Lists the requirements of the contract with their levels and the checks that
judge them, or the servers that prove the suite.`,
  options: { '': OPTIONS },
  exitCodes: '0, 2 usage.',
  run: (parsed, { out }) => {
    const { format, ...chosen } = flagsOf(OPTIONS, parsed);
    const proof = (['defects', 'variants'] as const).filter((name) => chosen[name]);
    if (format === 'json') {
      const named = proof.length > 0 ? proof : (['requirements', 'checks', 'openPoints'] as const);
      out.write(legibleJson(Object.fromEntries(named.map((name) => [name, lists[name]()]))));
      return 0;
    }
    const { bold, dim } = colors.createColors(out.color);
    for (const name of proof.length > 0 ? proof : (['requirements'] as const)) {
      const entries = lists[name]();
      for (const { id, title, about, ...more } of entries) {
        const level = 'level' in more ? `  ${String(more.level)}` : '';
        out.write(`${bold(id)}${level}\n${wrapped(title, out.width, '  ')}\n`);
        out.write(`${dim(wrapped(about.join(', '), out.width, '    '))}\n`);
      }
      const more = name === 'requirements' ? `, ${checks.length} checks, ${openPoints.length} open points` : '';
      out.write(`\n${entries.length} ${name}${more}\n`);
    }
    return 0;
  },
};
