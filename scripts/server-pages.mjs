// What the pages of docs/servers/ have of the servers in examples/servers/: the code, and what the suite finds.
//
// A page shows what a framework does by default in a block of code with `default=ID`. What stands between that block and the next
// heading is made: the findings that the default gives, and the paragraph of the server that begins with the comment `[ID] …`.

/** The heading of the last part of a page, which has the whole server. */
const WHOLE = '## The whole server';
const BLOCK = /^```(\w+) default=([\w-]+)\n([^]*?)^```$/m;

/** Where a page's sections begin. */
const sectionsOf = (page) => page.split(/^(?=## )/m);

/** The defaults that a page shows, with the findings that it lists for each. */
export function defaultsOf(page) {
  return sectionsOf(page).flatMap((section) => {
    const [, language, id, code] = BLOCK.exec(section) ?? [];
    const findings = [...section.matchAll(/^- (.*)$/gm)].map(([, text]) => text);
    return id === undefined ? [] : [{ id, language, code, findings }];
  });
}

/** The paragraphs of a server whose first comment has this id in brackets. */
function paragraphsOf(source, id) {
  const pattern = new RegExp(`^([ \\t]*)(?://|#) \\[${id}\\] .*\\n(?:.*\\S.*\\n)+`, 'gm');
  return [...source.matchAll(pattern)].map(([text, indent]) => ({ text, indent }));
}

/** The ids in the comments of a server. */
export function fixesOf(source) {
  return [...new Set([...source.matchAll(/^[ \t]*(?:\/\/|#) \[([\w-]+)\] /gm)].map(([, id]) => id))];
}

/**
 * The code of a server that replaces a default.
 *
 * @throws Error if no paragraph has the id
 */
export function fixOf(source, id) {
  const found = paragraphsOf(source, id);
  if (found.length === 0) throw new Error(`No paragraph of the server begins with a comment "[${id}] …".`);
  return found.map(({ text, indent }) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), '')).join('\n');
}

/** A server that does what its framework does by default, in place of the code that replaces it. */
export function withDefault(source, { id, code }) {
  fixOf(source, id);
  const [first, ...others] = paragraphsOf(source, id);
  const indented = code.replaceAll(/^(?=.)/gm, first.indent);
  const changed = others.reduce((text, { text: paragraph }) => text.replace(paragraph, ''), source);
  return changed.replace(first.text, () => indented);
}

/**
 * A page with the code of its server, and its findings.
 *
 * @param findings the lines for each default by its id; those of the page stay where it has none
 */
export function pageWith(page, { source, path }, findings = {}) {
  const sections = sectionsOf(page).filter((section) => !section.startsWith(WHOLE));
  const [{ language } = {}] = defaultsOf(page);
  const written = sections.map((section) => {
    const block = BLOCK.exec(section);
    if (block === null) return `${section.trimEnd()}\n`;
    const [{ id, findings: known }] = defaultsOf(section);
    const list = (findings[id] ?? known).map((finding) => `- ${finding}`).join('\n');
    const upToBlock = section.slice(0, block.index) + block[0];
    return `${upToBlock}\n\nThe suite finds:\n\n${list}\n\nInstead:\n\n\`\`\`${language} fix=${id}\n${fixOf(source, id)}\`\`\`\n`;
  });
  const whole = `${WHOLE}\n\n\`${path}\`:\n\n\`\`\`${language} file\n${source.trimEnd()}\n\`\`\`\n`;
  return [...written, whole].join('\n');
}
