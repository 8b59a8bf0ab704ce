import { appendFileSync, statSync } from 'node:fs';
import { onGitHubActions } from '../../common/github.ts';
import type { Result } from '../../conformance/result/result.ts';
import type { CommandIo } from './io.ts';

/** GitHub refuses the summary of a step as a whole if it is larger, in bytes. */
const MOST_SUMMARY = 1024 * 1024;
/** A character takes up to four bytes. */
const LONGEST_CHARACTER = 4;

function addSummary(textFor: (room?: number) => string, path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === false) throw new Error('it is not a regular file');
  const left = MOST_SUMMARY - (found?.size ?? 0) - 1;
  const whole = textFor();
  const text = Buffer.byteLength(whole) <= left ? whole : textFor(left / LONGEST_CHARACTER);
  if (Buffer.byteLength(text) > left) throw new Error('there is no room left in it');
  appendFileSync(path, `\n${text}`);
}

/**
 * Adds a text to the summary of the job, where there is one. A summary that cannot be written changes no exit code.
 *
 * @param textFor makes the text, in no more characters than are given
 */
export function addToSummary(textFor: (room?: number) => string, { err, environment }: CommandIo): void {
  const { GITHUB_STEP_SUMMARY: path } = environment;
  if (path === undefined || path === '') return;
  try {
    addSummary(textFor, path);
  } catch (error) {
    err.write(`admin-api-conformance: the job summary could not be written: ${(error as Error).message}\n`);
  }
}

/**
 * In a workflow of GitHub Actions, writes the annotations to stderr and adds the report to the summary of the job; stdout has the
 * result alone.
 */
export async function reportToGitHub(result: Result, io: CommandIo): Promise<void> {
  if (onGitHubActions(io.environment)) {
    const { workflowCommands } = await import('../../conformance/report/github.ts');
    workflowCommands(result).forEach(io.err.writeCommand);
  }
  if (!io.environment.GITHUB_STEP_SUMMARY) return;
  const { markdownOf } = await import('../../conformance/report/markdown.ts');
  const { resultDocument } = await import('../../conformance/report/documents/result.ts');
  addToSummary((room) => markdownOf(resultDocument(result), room), io);
}
