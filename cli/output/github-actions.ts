import { appendFileSync, statSync } from 'node:fs';
import { onGitHubActions } from '../../common/github.ts';
import { workflowCommands } from '../../conformance/report/github.ts';
import { markdownReport } from '../../conformance/report/markdown.ts';
import type { Result } from '../../conformance/result/result.ts';
import type { CommandIo } from './io.ts';

/** GitHub refuses the summary of a step as a whole if it is larger, in bytes. */
const MOST_SUMMARY = 1024 * 1024;
/** A character takes up to four bytes. */
const LONGEST_CHARACTER = 4;

function addSummary(result: Result, path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false) throw new Error('it is not a regular file');
  const left = MOST_SUMMARY - (found?.size ?? 0) - 1;
  const whole = markdownReport(result);
  const text = Buffer.byteLength(whole) <= left ? whole : markdownReport(result, left / LONGEST_CHARACTER);
  if (Buffer.byteLength(text) > left) throw new Error('there is no room left in it');
  appendFileSync(path, `\n${text}`);
}

/**
 * In a workflow of GitHub Actions, writes the annotations to stderr and adds the report to the summary of the job; stdout has the
 * result alone. A summary that cannot be written changes no exit code.
 */
export function reportToGitHub(result: Result, { err, environment }: CommandIo): void {
  if (onGitHubActions(environment)) {
    for (const line of workflowCommands(result)) err.write(`${line}\n`);
  }
  const { GITHUB_STEP_SUMMARY: path } = environment;
  if (path === undefined || path === '') return;
  try {
    addSummary(result, path);
  } catch (error) {
    err.write(`admin-api-conformance: the job summary could not be written: ${(error as Error).message}\n`);
  }
}
