import { contributing, guides, siteTarget, type DocumentPlace } from '../documents.ts';
import type { Page } from '../layout.ts';
import { article, firstParagraph } from '../markdown.ts';
import type { SiteData } from '../model.ts';

function documentPage({ source, path, title }: DocumentPlace, text: string): Page {
  return {
    path,
    title,
    description: firstParagraph(text),
    contents: article(text, () => undefined).headings,
    body: (to) =>
      article(text, (link) => {
        const target = siteTarget(source, link);
        return target === undefined ? undefined : to(target);
      }).content,
  };
}

/** README.md, CONTRIBUTING.md and docs/ as pages. */
export function documentPages({ documents }: SiteData): Page[] {
  return [...guides, ...contributing].map((each) => documentPage(each, documents.get(each.source) ?? ''));
}
