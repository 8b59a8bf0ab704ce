import { legibleJson } from '../../common/text.ts';
import type { Result } from '../result/result.ts';
import { badgeReport } from './badge.ts';
import { ctrfReport } from './ctrf.ts';
import { harReport } from './har.ts';
import { htmlReport } from './html/html.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';

/** Every report that is written to a file: each is made of the result alone. */
export const REPORTS = {
  json: (result: Result) => legibleJson(result),
  junit: junitReport,
  ctrf: ctrfReport,
  html: htmlReport,
  markdown: (result: Result) => markdownReport(result),
  badge: badgeReport,
  har: harReport,
} as const satisfies Readonly<Record<string, (result: Result) => string>>;

/** The name of a format in which a result can be written. */
export type ReportFormat = keyof typeof REPORTS;

/** All of these names. */
export const REPORT_FORMATS = Object.keys(REPORTS) as readonly ReportFormat[];
