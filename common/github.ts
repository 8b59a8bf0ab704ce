import { appendFileSync } from 'node:fs';
import type { Environment } from './process/args.ts';
import { escapeInvisible, shortened } from './text.ts';

/** Whether this runs in a workflow of GitHub Actions. */
export function onGitHubActions({ GITHUB_ACTIONS }: Environment): boolean {
  return GITHUB_ACTIONS === 'true';
}

/**
 * Adds a text in Markdown to the summary of the job, where there is one.
 *
 * @throws Error from node:fs if it cannot be written
 */
export function addToJobSummary(markdown: string, { GITHUB_STEP_SUMMARY: path = '' }: Environment): void {
  if (path !== '') appendFileSync(path, `\n${markdown}`);
}

function messageText(text: string): string {
  return escapeInvisible(shortened(text, 2_000)).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function propertyText(text: string): string {
  return messageText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** A line with which GitHub Actions annotates a workflow run. */
export function workflowCommand(
  kind: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const list = Object.entries(properties).map(([name, value]) => `${name}=${propertyText(String(value))}`);
  return `::${kind} ${list.join(',')}::${messageText(message)}`;
}

/** A text without any line that the runner of a workflow could take for a command; for a person, and in JSON and XML, it stays the same. */
export function withoutCommands(text: string, environment: Environment): string {
  return onGitHubActions(environment) ? text.replaceAll(/^[^\S\n]*:(?=:)|##(?=\[)/gm, '$&\u200b') : text;
}
