import MarkdownIt from 'markdown-it';
import { Html } from '../common/html.ts';

// Without `html` the texts cannot bring elements of their own: everything that is not Markdown is escaped.
const markdown = new MarkdownIt({ html: false });

/** A text of the contract or the suite, with `code` and emphasis. */
export function inline(text: string): Html {
  return new Html(markdown.renderInline(text));
}

/** A Markdown document, or a part of one. */
export function blocks(text: string): Html {
  return new Html(markdown.render(text));
}

/**
 * Markdown with its relative links replaced.
 *
 * @param targetOf the new target of a link; undefined leaves only its words
 */
function relinked(text: string, targetOf: (link: string) => string | undefined): string {
  return text.replaceAll(/\[([^\]]*)\]\((?!https?:|#)([^)]*)\)/g, (_link, words: string, link: string) => {
    const target = targetOf(link);
    return target === undefined ? words : `[${words}](${target})`;
  });
}

/** Markdown without its links into the repository, which lead nowhere from the site; their words stay. */
export function withoutLocalLinks(text: string): string {
  return relinked(text, () => undefined);
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** A document as a page shows it: without its title and its comments. */
export interface Article {
  readonly content: Html;
  /** Those of the second level. */
  readonly headings: readonly { readonly id: string; readonly title: string }[];
}

/**
 * Renders a Markdown document of this repository. Headings get the anchors that GitHub gives them; wide tables and code can
 * be scrolled by keyboard.
 *
 * @param targetOf the new target of a relative link; undefined leaves only its words
 */
export function article(document: string, targetOf: (link: string) => string | undefined): Article {
  const text = document.replace(/^# .*\n/, '').replaceAll(/<!--[\s\S]*?-->/g, '');
  const headings: { id: string; title: string }[] = [];
  let tables = 0;
  const content = markdown
    .render(relinked(text, targetOf))
    .replaceAll(/<h([2-4])>(.*?)<\/h\1>/g, (_heading, level: string, inner: string) => {
      const title = inner.replaceAll(/<[^>]*>/g, '');
      const id = anchorOf(title);
      if (level === '2') headings.push({ id, title });
      return `<h${level} id="${id}">${inner}</h${level}>`;
    })
    .replaceAll(/<table>[\s\S]*?<\/table>/g, (table) => {
      tables += 1;
      return `<div class="wide prose" role="region" aria-label="Table ${tables}" tabindex="0">${table}</div>`;
    })
    .replaceAll('<pre>', '<pre tabindex="0">');
  return { content: new Html(content), headings };
}

/** The first paragraph of a document, as plain text on one line. */
export function firstParagraph(document: string): string {
  const paragraph = document.split(/\n{2,}/).find((part) => part !== '' && !/^(#|```|<!--|\|)/.test(part)) ?? '';
  return withoutLocalLinks(paragraph).replaceAll('`', '').replaceAll(/\s+/g, ' ').trim();
}

/**
 * The first fenced block of code in a piece of Markdown.
 *
 * @throws Error if there is none
 */
export function firstCodeBlock(text: string): string {
  const code = /^```\w*\n([\s\S]*?)\n```$/m.exec(text)?.[1];
  if (code === undefined) throw new Error('There is no block of code.');
  return code;
}
