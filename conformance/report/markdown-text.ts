/** A text that Markdown (GitHub's) shows as it is, in one line: nothing in it can be markup, mention a person or end a cell. */
export function markdownText(text: string): string {
  return text
    .replaceAll(/[\s\u2028\u2029]+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_{}[\]()#+!|~-]/g, '\\$&')
    .replaceAll('@', '@\u2060')
    .replaceAll('://', '\\://');
}

/** The same for a sentence of this project's own, whose code spans are kept. */
export function markdownSentence(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (/^`[^`|]+`$/.test(part) ? part.replaceAll(/\s+/g, ' ') : markdownText(part)))
    .join('');
}

/** An id or another name of this project, as code. */
export function markdownCode(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
  return plain.includes('`') ? markdownText(text) : `\`${plain}\``;
}

/** A table; the cells are Markdown. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
