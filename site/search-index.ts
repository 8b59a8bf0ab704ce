import type { Page } from './layout.ts';
import { at, type SiteData } from './model.ts';

/** What can be found: its kind, its name, what it says, and where it is from the site's root. */
export type SearchEntry = readonly [kind: string, name: string, text: string, target: string];

/** Everything that the search finds, the more important kinds first. */
export function searchEntries(data: SiteData, pages: readonly Page[]): SearchEntry[] {
  const ownPage = new Set([...data.checks.map(({ id }) => at.check(id))]);
  return [
    ...pages
      .filter(({ path }) => !ownPage.has(path))
      .map(({ title, description, path }): SearchEntry => ['page', title, description, path]),
    ['page', 'API reference', 'The operations, their schemas and examples.', 'reference.html'],
    ['page', 'Library', 'The programming interface of the suite and the reference server.', 'api/index.html'],
    ...data.requirements.map(({ id, text, level }): SearchEntry => [level, id, text, at.requirement(id)]),
    ...data.openPoints.map(({ id, text, ruling }): SearchEntry => ['open', id, `${text} ${ruling}`, at.openPoint(id)]),
    ...data.checks.map(({ id, title }): SearchEntry => ['check', id, title, at.check(id)]),
    ...data.matrix.defects.map((each): SearchEntry => ['broken', each.id, each.title, at.defect(each)]),
    ...data.matrix.variants.map(({ id, title }): SearchEntry => ['lawful', id, title, at.variant(id)]),
  ];
}

/** The index as a script: a page opened from a disk cannot read a file in any other way. */
export function searchScript(entries: readonly SearchEntry[]): string {
  return `window.siteIndex = ${JSON.stringify(entries)};\n`;
}
