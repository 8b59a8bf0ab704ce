import { addToJobSummary, onGitHubActions } from '../common/github.ts';
import { UsageError } from '../common/process/args.ts';
import { type OutputFile, writeOutput } from '../common/process/files.ts';
import { legibleJson } from '../common/text.ts';
import { htmlReport } from '../conformance/report/html.ts';
import { junitReport } from '../conformance/report/junit.ts';
import { annotations, markdownReport } from '../conformance/report/markdown.ts';
import type { Result } from '../conformance/facts/result.ts';
import type { CommandIo } from './command.ts';
import type { ReportFormat, Values } from './settings.ts';

/** Every report that can be written to a file. */
export const REPORTS: Readonly<Record<ReportFormat, (result: Result) => string>> = {
  json: legibleJson,
  junit: junitReport,
  html: htmlReport,
  markdown: markdownReport,
};

/** Writes reports, and says which could not be written. @returns whether all were */
export function writeReports(reports: NonNullable<Values['reports']>, result: Result, { err }: CommandIo): boolean {
  let isWritten = true;
  for (const [format, file] of Object.entries(reports) as [ReportFormat, OutputFile][]) {
    try {
      writeOutput(file, REPORTS[format](result));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      err.write(`admin-api-conformance: ${error.message}\n`);
      isWritten = false;
    }
  }
  return isWritten;
}

/** Adds the report to the summary of the job, where there is one. What cannot be written changes no exit code. */
function addToSummary(result: Result, { err, environment }: CommandIo): void {
  try {
    addToJobSummary(markdownReport(result), environment);
  } catch (error) {
    err.write(`admin-api-conformance: the job summary could not be written: ${(error as Error).message}\n`);
  }
}

/** In a workflow of GitHub Actions, writes annotations to stderr and the report to the summary of the job. */
export function reportToGitHub(result: Result, io: CommandIo): void {
  if (onGitHubActions(io.environment)) annotations(result).forEach(io.err.writeCommand);
  if (io.environment.GITHUB_STEP_SUMMARY) addToSummary(result, io);
}
