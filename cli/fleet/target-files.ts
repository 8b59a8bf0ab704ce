import { REPORTS } from '../../conformance/report/formats.ts';

/** The files in the folder of a target, each with its report. */
export const TARGET_FILES = { 'result.json': REPORTS.json, 'report.html': REPORTS.html } as const;
