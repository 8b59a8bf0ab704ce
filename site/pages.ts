import type { SiteData } from './read.ts';
import type { Neighbour, Page } from './page.ts';
import { to } from './places.ts';
import { checkPage, checksPage } from './pages/checks.ts';
import { documentPages } from './pages/documents.ts';
import { implementationPage, implementationsPage } from './pages/implementations.ts';
import { openPointsPage } from './pages/open-points.ts';
import { proofPages } from './pages/proof.ts';
import { referencePage } from './pages/reference.ts';
import { requirementsPage } from './pages/requirements.ts';
import { resultPage } from './pages/result.ts';
import { startPage } from './pages/start.ts';
import { changelogPage, downloadsPage, notFoundPage } from './pages/texts.ts';

const linkTo = ({ path, title }: Page): Neighbour => ({ link: to(path), label: title });

/** A list and its pages, each with the page before and the page after it. */
function inARow(list: Page, pages: readonly Page[]): Page[] {
  const linked = pages.map((page, index) => {
    const next = pages[index + 1];
    return { ...page, prev: linkTo(pages[index - 1] ?? list), ...(next && { next: linkTo(next) }) };
  });
  return [list, ...linked];
}

/** Every page of the site but the reference of the library, which typedoc makes. */
export function sitePages(data: SiteData): Page[] {
  const [proof, ...proofs] = proofPages(data);
  return [
    startPage(data),
    ...documentPages(data),
    referencePage(data),
    resultPage(data),
    requirementsPage(data),
    openPointsPage(data),
    ...inARow(
      checksPage(data),
      data.checks.map((check) => checkPage(check, data)),
    ),
    ...(proof ? inARow(proof, proofs) : []),
    ...inARow(
      implementationsPage(data),
      data.implementations.map((each) => implementationPage(each, data)),
    ),
    downloadsPage(data),
    changelogPage(data),
    notFoundPage(),
  ];
}
