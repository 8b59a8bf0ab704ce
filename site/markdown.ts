import { posix } from 'node:path';
import type { Documents } from './model.ts';
import { siteTarget, to } from './places.ts';

/**
 * Markdown with its relative links replaced.
 *
 * @param targetOf the new target of a link; undefined leaves only its words
 */
function relinked(text: string, targetOf: (link: string) => string | undefined): string {
  return text.replaceAll(/\[([^\]]*)\]\((?!https?:|data:|#)([^)]*)\)/g, (_link, words: string, link: string) => {
    const target = targetOf(link);
    return target === undefined ? words : `[${words}](${target})`;
  });
}

/** Markdown without its links into the repository, which lead nowhere from the site; their words stay. */
export function withoutLocalLinks(text: string): string {
  return relinked(text, () => undefined);
}

/** Markdown with its SVG images in the page itself. */
function withImages(text: string, fileOf: (path: string) => string | undefined): string {
  return text.replaceAll(/!\[([^\]]*)\]\(([^):]+\.svg)\)/g, (_image, words: string, path: string) => {
    const image = fileOf(path);
    if (image === undefined) throw new Error(`The image ${path} does not exist.`);
    return `![${words}](data:image/svg+xml;base64,${Buffer.from(image).toString('base64')})`;
  });
}

/** The text of a document or, for `FILE#Title`, the text below one heading of the second level. */
function textOf(documents: Documents, source: string): string | undefined {
  const [file = '', section] = source.split('#');
  const document = documents.get(file);
  if (section === undefined) return document?.replace(/^# .*\n/, '');
  const parts = document?.split(/^## /m).slice(1) ?? [];
  return parts.find((part) => part.startsWith(`${section}\n`))?.slice(section.length);
}

/** Whether there is such a document or section. */
export function hasSource(documents: Documents, source: string): boolean {
  return textOf(documents, source) !== undefined;
}

/**
 * A document as a page shows it: without its title and its comments, and with links to the site.
 *
 * @param source a Markdown file, or `FILE#Title` for the text below one heading of the second level
 * @throws Error if there is no such document or section
 */
export function articleOf(documents: Documents, source: string): string {
  const text = textOf(documents, source);
  if (text === undefined) throw new Error(`${source} does not exist.`);
  const [file = ''] = source.split('#');
  const own = withImages(text.replaceAll(/<!--[\s\S]*?-->/g, ''), (path) =>
    documents.get(posix.join(posix.dirname(file), path)),
  );
  return relinked(own, (link) => {
    const target = siteTarget(file, link);
    return target === undefined ? undefined : to(target);
  }).trim();
}

/** The first paragraph of a document, as plain text on one line. */
export function firstParagraph(document: string): string {
  const paragraph = document.split(/\n{2,}/).find((part) => part.trim() !== '' && !/^(#|```|<!--|\|)/.test(part)) ?? '';
  return withoutLocalLinks(paragraph)
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`|^- /g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/**
 * The first fenced block of code in a piece of Markdown, with its fences.
 *
 * @throws Error if there is none
 */
export function firstCodeBlock(text: string): string {
  const code = /^```\w*\n[\s\S]*?\n```$/m.exec(text)?.[0];
  if (code === undefined) throw new Error('There is no block of code.');
  return code;
}
