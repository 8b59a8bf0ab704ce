/** What the command prints of all documents, in each format. */
import { existsSync, readFileSync } from 'node:fs';
import { addToJobSummary, withoutCommands } from '../../../common/github.ts';
import { markdownTable, markdownText } from '../../../common/markdown.ts';
import { counted, escapeInvisible } from '../../../common/text.ts';
import type { Change } from '../change.ts';
import type { Judged, Pair } from '../pairs.ts';
import { annotationsOf } from './github.ts';
import { inOneLine, type View } from './groups.ts';
import { toJUnit } from './junit.ts';
import { MOST_BYTES, toMarkdown } from './markdown.ts';
import { toHtml } from './page.ts';
import { toText } from './text.ts';

export const FORMATS = ['pretty', 'json', 'markdown', 'html', 'github', 'junit'] as const;
export type Format = (typeof FORMATS)[number];

/** For whom a report is, and what fails. */
interface Report extends View {
  /** Whether a change fails the call. */
  readonly fails: (each: Change) => boolean;
  /** What fails beside changes. */
  readonly problems: readonly string[];
}

/** What is shown of all documents, in a format. */
export function shown(all: Judged, format: Format, report: Report): string {
  switch (format) {
    case 'json':
      return asJson(all);
    case 'junit':
      return asJUnit(all, report);
    case 'html':
      return toHtml(
        all.pairs.map(({ name, outcome }) => ({ name, judgement: outcome.judgement })),
        report,
      );
    case 'markdown':
      return withoutCommands(asMarkdown(all, report), process.env);
    case 'pretty':
      return withoutCommands(asText(all, report), process.env);
    case 'github':
      addToJobSummary(asMarkdown(all, report), process.env);
      return `${annotations(all, report)}${withoutCommands(asText(all, { ...report, colored: false }), process.env)}`;
  }
}

function asJson({ pairs, several, gone, come, parts }: Judged): string {
  const results = pairs.map(({ name, outcome: { judgement, whole = judgement } }) => {
    return { ...(several ? { document: name } : {}), ...whole };
  });
  const printed = several ? { documents: results, gone, come, parts } : results[0];
  return `${escapeInvisible(JSON.stringify(printed, null, 2))}\n`;
}

function asJUnit({ pairs }: Judged, { fails, problems }: Report): string {
  const suites = pairs.map(({ name, outcome }) => {
    return { name: inOneLine(name), failed: outcome.judgement.changes.filter(fails), problems: [] };
  });
  return toJUnit([...suites, ...(problems.length > 0 ? [{ name: 'documents', failed: [], problems }] : [])]);
}

function asMarkdown({ pairs, several }: Judged, view: View): string {
  const parts = pairs.map(({ name, outcome: { judgement } }) => {
    const heading = several ? `## ${markdownText(name)}\n\n` : '';
    return `${heading}${toMarkdown(judgement, view, MOST_BYTES / pairs.length)}`;
  });
  const rows = pairs.map(({ name, outcome: { judgement: each } }) => [
    ...[markdownText(name), each.clients, each.implementers, each.bump],
  ]);
  const summary = several ? [markdownTable(['document', 'clients', 'implementers', 'bump'], rows)] : [];
  return [...parts, ...summary, ''].join('\n');
}

function asText({ pairs, several }: Judged, view: View): string {
  const parts = pairs.map(({ name, outcome }) => {
    return [...(several ? [`== ${inOneLine(name)}`] : []), toText(outcome.judgement, view)].join('\n');
  });
  const documents = counted(pairs.length, 'document');
  const implementers = view.clientsOnly === true ? '' : `, implementers in ${broken(pairs, 'implementers')}`;
  const summary = `${documents}: clients break in ${broken(pairs, 'clients')}${implementers}.`;
  return [...parts, ...(several ? [summary, ''] : [])].join('\n');
}

function broken(pairs: readonly Pair[], side: 'clients' | 'implementers'): number {
  return pairs.filter(({ outcome }) => outcome.judgement[side] === 'breaking').length;
}

function annotations({ pairs }: Judged, { fails }: Report): string {
  const lines = pairs.map(({ outcome: { judgement }, file }) => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return annotationsOf(judgement, text === '' ? '' : file, text, fails);
  });
  return lines.join('');
}
