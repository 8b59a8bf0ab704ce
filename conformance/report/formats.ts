import { legibleJson } from '../../common/text.ts';
import type { Result } from '../result/result.ts';

async function documentOf(result: Result) {
  return (await import('./documents/result.ts')).resultDocument(result);
}

/** Every report that is written to a file: each is made of the result alone, by a module that is loaded when it is wanted. */
export const REPORTS = {
  json: (result: Result) => Promise.resolve(legibleJson(result)),
  junit: async (result: Result) => (await import('./junit.ts')).junitReport(result),
  ctrf: async (result: Result) => (await import('./ctrf.ts')).ctrfReport(result),
  html: async (result: Result) => (await import('./html/html.ts')).htmlOf(await documentOf(result)),
  markdown: async (result: Result) => (await import('./markdown.ts')).markdownOf(await documentOf(result)),
  badge: async (result: Result) => (await import('./badge.ts')).badgeReport(result),
  har: async (result: Result) => (await import('./har.ts')).harReport(result),
} as const satisfies Readonly<Record<string, (result: Result) => Promise<string>>>;

/** The name of a format in which a result can be written. */
export type ReportFormat = keyof typeof REPORTS;

/** All of these names. */
export const REPORT_FORMATS = Object.keys(REPORTS) as readonly ReportFormat[];
