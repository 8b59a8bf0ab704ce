import type { SiteData } from './read.ts';
import type { Page } from './page.ts';
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

/** Every page of the site but the reference of the library, which typedoc makes. */
export function sitePages(data: SiteData): Page[] {
  return [
    startPage(data),
    ...documentPages(data),
    referencePage(data),
    resultPage(data),
    requirementsPage(data),
    openPointsPage(data),
    checksPage(data),
    ...data.checks.map((check) => checkPage(check, data)),
    ...proofPages(data),
    implementationsPage(data),
    ...data.implementations.map((each) => implementationPage(each, data)),
    downloadsPage(data),
    changelogPage(data),
    notFoundPage(),
  ];
}
