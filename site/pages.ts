import type { Page } from './layout.ts';
import type { SiteData } from './model.ts';
import { checkPage, checksPage } from './pages/checks.ts';
import { documentPages } from './pages/documents.ts';
import { implementationPage, implementationsPage } from './pages/implementations.ts';
import { openPointsPage } from './pages/open-points.ts';
import { proofPages } from './pages/proof.ts';
import { requirementsPage } from './pages/requirements.ts';
import { changelogPage, downloadsPage, startPage } from './pages/texts.ts';

/** Every page that this project renders itself. Tools make the API reference and the library reference. */
export function sitePages(data: SiteData): Page[] {
  return [
    startPage(data),
    ...documentPages(data),
    requirementsPage(data),
    openPointsPage(data),
    checksPage(data),
    ...data.checks.map((check) => checkPage(check, data)),
    ...proofPages(data),
    implementationsPage(data),
    ...data.implementations.map((each) => implementationPage(each, data)),
    downloadsPage(data),
    changelogPage(data),
  ];
}
