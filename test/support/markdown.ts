/** What the documents of this repository have: blocks of code, links and headings. */
import { posix } from 'node:path';
import { read } from './repository.ts';

/** The blocks of code in a language, without their fences. */
export const blocksIn = (document: string, language: string): string[] =>
  [...read(document).matchAll(new RegExp(`^ *\`\`\`${language}\\n([^]*?)\\n? *\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );

/** A document without its code. */
export const withoutBlocks = (document: string): string => read(document).replaceAll(/^ *```[^]*?^ *```$/gm, '');

/** The links of a document but for those to other hosts: the path from the root of this repository, and the anchor. */
export function linksIn(document: string): { readonly path: string; readonly anchor: string | undefined }[] {
  const links = withoutBlocks(document)
    .replaceAll(/`[^`\n]*`/g, '')
    .matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g);
  return [...links].map(([, path = '', anchor]) => ({
    path: path === '' ? document : posix.join(posix.dirname(document), path).replace(/\/$/, ''),
    anchor,
  }));
}

/** The anchors of the headings of a document, as forges make them. */
export const anchorsIn = (document: string): string[] =>
  [...withoutBlocks(document).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
