/**
 * A Markdown table whose columns are aligned as a text, too.
 *
 * @param rows the cells of each by the name of their column
 */
export function tableOf(columns, rows) {
  const widths = columns.map((column) => Math.max(column.length, ...rows.map((row) => row[column].length)));
  const line = (texts) => `| ${texts.map((text, index) => text.padEnd(widths[index])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(columns), rule, ...rows.map((row) => line(columns.map((column) => row[column])))].join('\n');
}
