import { escapeInvisible, shortened } from './text.ts';

/** Characters of a text within a line. */
const MOST_IN_LINE = 1_000;

/** Characters that Markdown would not show as they are, anywhere in a line or at its start. */
const SPECIAL = /[\\`*_[\]<>|~:@&$]|(?<=^ ?)[-+#=]|(?<=^ ?\d+)[.)](?=\s|$)/g;
const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '&': '&amp;' };

/** References to people, issues and addresses. GitHub looks for them in the rendered text, so escapes do not help. */
function uncalled(text: string): string {
  return text.replaceAll(/(?<!\w)@(?=\w)|#(?=\w)|\bwww(?=\.)|\bGH(?=-\d)/gi, '$&\u200b');
}

function inLine(text: string): string {
  return escapeInvisible(shortened(text, MOST_IN_LINE)).replaceAll(/\s+/g, ' ');
}

function longestRunOfTicks(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}

/** A text within a line or a cell, shown as it is. */
export function markdownText(text: string): string {
  return uncalled(inLine(text)).replaceAll(SPECIAL, (char) => ENTITIES[char] ?? `\\${char}`);
}

/** A text of an HTML element that GitHub leaves in Markdown. */
export function markdownElementText(text: string): string {
  return uncalled(escapeInvisible(text))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[&<>"'`*_~@#[\]\\|:$]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** A text within a line or a cell in the font of code. */
export function markdownCode(text: string): string {
  const shown = inLine(text);
  // Between backticks nothing can be escaped, and a table would end the cell at the bar.
  if (shown.includes('|')) return `<code>${markdownElementText(shown)}</code>`;
  const fence = '`'.repeat(longestRunOfTicks(shown) + 1);
  const pad = /^`|`$/.test(shown) || shown === '' ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** A sentence of the suite or the contract within a line or a cell, in which what stands between backticks is code. */
export function markdownSentence(text: string): string {
  return text
    .split(/`([^`]*)`/)
    .map((part, index) => (index % 2 === 1 ? markdownCode(part) : markdownText(part)))
    .join('');
}

/** Lines of code. */
export function markdownBlock(text: string, language = ''): string {
  const shown = escapeInvisible(text);
  const fence = '`'.repeat(Math.max(3, longestRunOfTicks(shown) + 1));
  return `${fence}${language}\n${shown}\n${fence}`;
}

/** A table. The cells are Markdown; a bar in them that is not escaped yet is escaped here. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(/(?<!\\)\|/g, '\\|');
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
