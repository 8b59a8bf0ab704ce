import { appendFileSync } from 'node:fs';
import { onGitHubActions } from '../common/github.ts';
import { UsageError } from '../common/process/args.ts';
import { type OutputFile, writeOutput } from '../common/process/files.ts';
import { legibleJson } from '../common/text.ts';
import type { Matrix } from '../conformance/result/matrix.ts';
import type { Result } from '../conformance/result/result.ts';
import type { CommandIo } from './command.ts';
import type { ReportFormat, Values } from './settings.ts';

type Reports = NonNullable<Values['reports']>;

/** Every report that can be written to a file; loaded on demand. */
export const REPORTS: Readonly<Record<ReportFormat, (result: Result) => string | Promise<string>>> = {
  json: legibleJson,
  junit: async (result) => (await import('../conformance/report/junit.ts')).junitReport(result),
  html: async (result) => (await import('../conformance/report/html.ts')).htmlReport(result),
  markdown: async (result) => (await import('../conformance/report/markdown.ts')).markdownReport(result),
  har: async (result) => (await import('../conformance/report/har.ts')).harReport(result),
};

/** A matrix as JSON; the results have files of their own. */
export function matrixJson(matrix: Matrix): string {
  const targets = matrix.targets.map(({ name, baseUrl, verdict, problem, link }) => {
    return { name, baseUrl, verdict, problem, link };
  });
  return legibleJson({ ...matrix, targets });
}

/** Writes reports, and says which could not be written. @returns whether all were */
export async function writeReports(reports: Reports, result: Result, { err }: CommandIo): Promise<boolean> {
  let isWritten = true;
  for (const [format, file] of Object.entries(reports) as [ReportFormat, OutputFile][]) {
    try {
      writeOutput(file, await REPORTS[format](result));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      err.write(`admin-api-conformance: ${error.message}\n`);
      isWritten = false;
    }
  }
  return isWritten;
}

/** Adds a text in Markdown to the summary of the job, where there is one. What cannot be written changes no exit code. */
export function addToSummary(markdown: string, { err, environment }: CommandIo): void {
  const { GITHUB_STEP_SUMMARY: path = '' } = environment;
  if (path === '') return;
  try {
    appendFileSync(path, `\n${markdown}`);
  } catch (error) {
    err.write(`admin-api-conformance: the job summary could not be written: ${(error as Error).message}\n`);
  }
}

/** In a workflow of GitHub Actions, writes annotations to stderr and the report to the summary of the job. */
export async function reportToGitHub(result: Result, io: CommandIo): Promise<void> {
  if (!onGitHubActions(io.environment) && !io.environment.GITHUB_STEP_SUMMARY) return;
  const { annotations, markdownReport } = await import('../conformance/report/markdown.ts');
  if (onGitHubActions(io.environment)) annotations(result).forEach(io.err.writeCommand);
  addToSummary(markdownReport(result), io);
}
