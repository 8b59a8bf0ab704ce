import { existsSync, readFileSync } from 'node:fs';
import { addToJobSummary, withoutCommands } from '../../../common/github.ts';
import { markdownTable } from '../../../common/markdown.ts';
import { counted } from '../../../common/text.ts';
import { forClients, type Change } from '../change.ts';
import type { Judged, Pair } from '../pairs.ts';
import { annotationsOf } from './github.ts';
import { toJUnit } from './junit.ts';
import { MOST_BYTES, toMarkdown } from './markdown.ts';
import { toText, type View } from './text.ts';

export const FORMATS = ['pretty', 'json', 'markdown', 'github', 'junit'] as const;
export type Format = (typeof FORMATS)[number];
type Fails = (each: Change) => boolean;

/**
 * What is shown of all documents, in a format.
 *
 * @param fails whether a change fails the call
 * @param problems what fails beside changes
 */
export function shown(all: Judged, format: Format, view: View, fails: Fails, problems: readonly string[]): string {
  switch (format) {
    case 'json':
      return asJson(all);
    case 'junit':
      return asJUnit(all, fails, problems);
    case 'markdown':
      return withoutCommands(asMarkdown(all, view), process.env);
    case 'pretty':
      return withoutCommands(asText(all, view), process.env);
    case 'github':
      addToJobSummary(asMarkdown(all, view), process.env);
      return `${annotations(all, fails, view)}${withoutCommands(asText(all, view), process.env)}`;
  }
}

function asJson({ pairs, several, gone, come }: Judged): string {
  const results = pairs.map(({ name, outcome: { judgement, accepted } }) => {
    const left = accepted.map(({ change, entry }) => ({ ...change, reason: entry.reason }));
    return {
      ...(several ? { document: name } : {}),
      ...judgement,
      ...(left.length > 0 ? { accepted: left } : {}),
    };
  });
  return `${JSON.stringify(several ? { documents: results, gone, come } : results[0], null, 2)}\n`;
}

function asJUnit({ pairs }: Judged, fails: Fails, problems: readonly string[]): string {
  const suites = pairs.map(({ name, outcome }) => {
    return { name, failed: outcome.judgement.changes.filter(fails), problems: [] };
  });
  return toJUnit([...suites, ...(problems.length > 0 ? [{ name: 'documents', failed: [], problems }] : [])]);
}

function asMarkdown(all: Judged, view: View): string {
  const { pairs, several } = all;
  const parts = pairs.map(({ name, outcome: { judgement } }) => {
    const heading = several ? `## ${name}\n\n` : '';
    return `${heading}${toMarkdown(judgement, view, MOST_BYTES / pairs.length)}`;
  });
  const rows = pairs.map(({ name, outcome: { judgement: each } }) => [
    ...[name, each.clients, each.implementers, each.bump],
  ]);
  const summary = several ? [markdownTable(['document', 'clients', 'implementers', 'bump'], rows)] : [];
  return [...parts, ...alone(all), ...summary, ''].join('\n');
}

function asText(all: Judged, view: View): string {
  const { pairs, several } = all;
  const parts = pairs.map(({ name, outcome }) => {
    const notes = outcome.accepted.map(({ change, entry }) => `  ${change.message} (${change.rule}) — ${entry.reason}`);
    const accepted = notes.length === 0 ? [] : [`Accepted (${notes.length})`, ...notes, ''];
    return [...(several ? [`== ${name}`] : []), toText(outcome.judgement, view), ...accepted].join('\n');
  });
  const summary = `${counted(pairs.length, 'document')}: clients break in ${broken(pairs, 'clients')}, implementers in ${broken(pairs, 'implementers')}.`;
  return [...parts, ...alone(all), ...(several ? [summary, ''] : [])].join('\n');
}

/** What is said of documents that one side alone has. */
function alone({ gone, come }: Judged): readonly string[] {
  return [...gone.map((name) => `${name} is gone: its clients break.`), ...come.map((name) => `${name} is new.`)];
}

function broken(pairs: readonly Pair[], side: 'clients' | 'implementers'): number {
  return pairs.filter(({ outcome }) => outcome.judgement[side] === 'breaking').length;
}

function annotations({ pairs }: Judged, fails: Fails, { clientsOnly }: View): string {
  const lines = pairs.map(({ outcome: { judgement }, file }) => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const seen = clientsOnly === true ? forClients(judgement.changes) : judgement.changes;
    return annotationsOf({ changes: seen }, text === '' ? '' : file, text, fails);
  });
  return lines.join('');
}
