import { format, resolveConfig } from 'prettier';
import { markdownTable } from '../../common/markdown.ts';
import { EFFECTS, type RuleTable } from '../src/rules.ts';

/** A page with a table of rules, as it stands in a file of this repository. */
export async function rulesPage(introduction: string, rules: RuleTable, file: string): Promise<string> {
  const texts: Readonly<Record<string, string>> = EFFECTS;
  const rows = Object.entries(rules).map(([rule, [effect, what]]) => [
    `\`${rule}\``,
    what,
    texts[effect] ?? effect.split('|').join(' or '),
  ]);
  const page = `${introduction}\n\n${markdownTable(['rule', 'change', 'breaks'], rows)}\n`;
  return format(page, { ...(await resolveConfig(file)), parser: 'markdown' });
}
