import { appendFileSync, statSync } from 'node:fs';
import { onGitHubActions } from '../common/github.ts';
import { legibleJson } from '../common/text.ts';
import { UsageError } from '../common/process/args.ts';
import type { TerminalOptions } from '../conformance/report/terminal.ts';
import type { Result } from '../conformance/result/result.ts';
import { columnsOf, type CommandIo, type Output } from './io.ts';
import { type OutputFile, writeOutput } from './output-file.ts';
import { wantsColor } from './progress.ts';
import type { ReportFormat } from './settings.ts';

/** Every report that can be written to a file; loaded on demand. */
export const REPORTS: Readonly<Record<ReportFormat, (result: Result) => string | Promise<string>>> = {
  json: legibleJson,
  junit: async (result) => (await import('../conformance/report/junit.ts')).junitReport(result),
  html: async (result) => (await import('../conformance/report/html.ts')).htmlReport(result),
  markdown: async (result) => (await import('../conformance/report/markdown.ts')).markdownReport(result),
  har: async (result) => (await import('../conformance/report/har.ts')).harReport(result),
};

/** How a text for a stream is laid out. */
export function layoutOf(stream: Output, { environment }: Pick<CommandIo, 'environment'>): Required<TerminalOptions> {
  return { color: wantsColor(stream, environment), width: columnsOf(stream), verbose: false };
}

/** A report that is written to a file. */
export interface Report extends OutputFile {
  readonly format: ReportFormat;
}

/** Writes reports. @returns whether all were written; what was not is said */
export async function writeReports(reports: readonly Report[], result: Result, { err }: CommandIo): Promise<boolean> {
  let isWritten = true;
  for (const report of reports) {
    try {
      writeOutput(report, await REPORTS[report.format](result));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      err.write(`admin-api-conformance: ${error.message}\n`);
      isWritten = false;
    }
  }
  return isWritten;
}

/** Bytes. GitHub refuses the summary of a step as a whole if it is larger. */
const MOST_SUMMARY = 1024 * 1024;

/** Adds a text in Markdown to the summary of the job, where there is one. What cannot be written changes no exit code. */
export function addToSummary(markdown: string, { err, environment }: CommandIo): void {
  const { GITHUB_STEP_SUMMARY: path = '' } = environment;
  if (path === '') return;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() === false) throw new Error('it is not a regular file');
    const text = `\n${markdown}`;
    if ((found?.size ?? 0) + Buffer.byteLength(text) > MOST_SUMMARY) throw new Error('there is no room left in it');
    appendFileSync(path, text);
  } catch (error) {
    err.write(`admin-api-conformance: the job summary could not be written: ${(error as Error).message}\n`);
  }
}

/** In a workflow of GitHub Actions, writes annotations to stderr and the report to the summary of the job. */
export async function reportToGitHub(result: Result, io: CommandIo): Promise<void> {
  const { environment, err } = io;
  if (!onGitHubActions(environment) && !environment.GITHUB_STEP_SUMMARY) return;
  const { annotations, markdownReport } = await import('../conformance/report/markdown.ts');
  if (onGitHubActions(environment)) annotations(result).forEach(err.writeCommand);
  addToSummary(markdownReport(result), io);
}
