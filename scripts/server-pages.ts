// What the pages of docs/servers/ have of the servers in examples/servers/: the code, and what the suite finds.
//
// A page shows what a framework does by default in a block of code with `default=ID`. What stands between that block and the next
// heading is made: the findings that the default gives, and the paragraph of the server that begins with the comment `[ID] …`.

/** What a framework does by default, in code that takes the place of the fix. */
export interface Default {
  readonly id: string;
  readonly code: string;
  /** The language of the code. */
  readonly language: string;
  /** What the page says that the suite finds, a line of Markdown for each finding. */
  readonly findings: readonly string[];
}

/** A server, and its path in the repository. */
export interface Server {
  readonly source: string;
  readonly path: string;
}

/** The heading of the last part of a page, which has the whole server. */
const WHOLE = '## The whole server';
const BLOCK = /^```(\w+) default=([\w-]+)\n([^]*?)^```$/m;

function sectionsOf(page: string): string[] {
  return page.split(/^(?=## )/m);
}

/** The defaults that a page shows. */
export function defaultsOf(page: string): Default[] {
  return sectionsOf(page).flatMap((section) => {
    const [, language, id, code] = BLOCK.exec(section) ?? [];
    if (language === undefined || id === undefined || code === undefined) return [];
    const findings = [...section.matchAll(/^- (.*)$/gm)].map(([, text = '']) => text);
    return [{ id, language, code, findings }];
  });
}

/** The paragraphs of a server whose first comment has this id in brackets. */
function paragraphsOf(source: string, id: string): { text: string; indent: string }[] {
  const pattern = new RegExp(`^([ \\t]*)(?://|#) \\[${id}\\] .*\\n(?:.*\\S.*\\n)+`, 'gm');
  return [...source.matchAll(pattern)].map(([text, indent = '']) => ({ text, indent }));
}

/** The ids in the comments of a server. */
export function fixesOf(source: string): string[] {
  return [...new Set([...source.matchAll(/^[ \t]*(?:\/\/|#) \[([\w-]+)\] /gm)].map(([, id = '']) => id))];
}

/**
 * The code of a server that replaces a default.
 *
 * @throws Error if no paragraph has the id
 */
export function fixOf(source: string, id: string): string {
  const found = paragraphsOf(source, id);
  if (found.length === 0) throw new Error(`No paragraph of the server begins with a comment "[${id}] …".`);
  return found.map(({ text, indent }) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), '')).join('\n');
}

/**
 * A server that does what its framework does by default, in place of the code that replaces it.
 *
 * @throws Error if no paragraph of the server has the id of the default
 */
export function withDefault(source: string, { id, code }: Default): string {
  const [first, ...others] = paragraphsOf(source, id);
  if (first === undefined) throw new Error(`No paragraph of the server begins with a comment "[${id}] …".`);
  const indented = code.replaceAll(/^(?=.)/gm, first.indent);
  const changed = others.reduce((text, { text: paragraph }) => text.replace(paragraph, ''), source);
  return changed.replace(first.text, () => indented);
}

function written(section: string, source: string, found: readonly string[] | undefined): string {
  const block = BLOCK.exec(section);
  const [shown] = defaultsOf(section);
  if (block === null || shown === undefined) return `${section.trimEnd()}\n`;
  const { id, language, findings } = shown;
  const upToBlock = section.slice(0, block.index) + block[0];
  const list = (found ?? findings).map((finding) => `- ${finding}`).join('\n');
  const fix = `\`\`\`${language} fix=${id}\n${fixOf(source, id)}\`\`\``;
  return `${upToBlock}\n\nThe suite finds:\n\n${list}\n\nInstead:\n\n${fix}\n`;
}

/**
 * A page with the code of its server, and what the suite finds.
 *
 * @param found the findings of each default by its id; those of the page stay where it has none
 * @throws Error if a default of the page has no paragraph in the server
 */
export function pageWith(
  page: string,
  { source, path }: Server,
  found: Readonly<Record<string, readonly string[]>> = {},
): string {
  const sections = sectionsOf(page).filter((section) => !section.startsWith(WHOLE));
  const language = defaultsOf(page)[0]?.language ?? '';
  const whole = `${WHOLE}\n\n\`${path}\`:\n\n\`\`\`${language} file\n${source.trimEnd()}\n\`\`\`\n`;
  const parts = sections.map((section) => written(section, source, found[defaultsOf(section)[0]?.id ?? '']));
  return [...parts, whole].join('\n');
}
