import type { Environment } from './process/args.ts';
import { escapeInvisible, shortened } from './text.ts';

/** Whether this runs in a workflow of GitHub Actions. */
export function onGitHubActions({ GITHUB_ACTIONS }: Environment): boolean {
  return GITHUB_ACTIONS === 'true';
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

/** A text in which no line begins with `::`, which takes the place given; blanks before it stay. */
function withoutColons(text: string, place: string): string {
  return text
    .split('\n')
    .map((line) => {
      const start = line.length - line.trimStart().length;
      return line.startsWith('::', start) ? line.slice(0, start) + place + line.slice(start + 2) : line;
    })
    .join('\n');
}

/** A text for a stream, without any line that the runner of a workflow could take for a command. */
export function withoutCommands(text: string, environment: Environment): string {
  return onGitHubActions(environment) ? withoutColons(text, '\\::').replaceAll('##[', '## [') : text;
}

/** The same for a document in JSON or XML, whose readers find the same text in it. */
export function documentWithoutCommands(text: string, environment: Environment): string {
  if (!onGitHubActions(environment)) return text;
  const isJson = /^[[{]/.test(text.trimStart());
  return withoutColons(text, '&#58;:').replaceAll('##[', isJson ? '##\\u005b' : '##&#91;');
}
