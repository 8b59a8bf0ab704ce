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
 * The part of a Markdown document under a heading of the second level, without the heading.
 *
 * @throws Error if the document has no such heading
 */
export function chapter(document: string, heading: string): string {
  const [, after] = document.split(new RegExp(`^## ${heading}$`, 'm'));
  if (after === undefined) throw new Error(`The document has no chapter "${heading}".`);
  return (after.split(/^## /m)[0] ?? '').trim();
}

/** Markdown without its links into the repository, which lead nowhere from the site; their words stay. */
export function withoutLocalLinks(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\((?!https?:|#)[^)]*\)/g, '$1');
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
