/** A judgement as a page of HTML that stands alone. */
import { html, join, prose, type Html } from '../../../common/html.ts';
import type { Change, Judgement } from '../change.ts';
import { bumpLine, groupsOf, messageOf, operationsOf, remarkOn, verdictLines, type View } from './groups.ts';

const STYLE = `body { font: 1rem/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .6rem; vertical-align: top;
border-bottom: 1px solid #8884; overflow-wrap: break-word } :root { color-scheme: light dark } code { font-size: .9em }`;

function rowOf(each: Change, more = ''): Html {
  const place = each.pointer === '' ? 'the document' : each.pointer;
  const messages = (each.messages ?? []).join(' and ');
  return html`<tr>
    <td><code>${operationsOf(each)}</code> ${messages}</td>
    <td>${prose(messageOf(each))}${remarkOn(each)}${more}</td>
    <td><code>${place}</code></td>
    <td><code>${each.rule}</code></td>
  </tr>`;
}

function tableOf(title: string, rows: readonly Html[]): Html {
  return html`<h2>${title} (${rows.length})</h2>
    <table>
      <thead>
        <tr>
          <th>operation</th>
          <th>change</th>
          <th>place</th>
          <th>rule</th>
        </tr>
      </thead>
      <tbody>
        ${join(rows, '\n')}
      </tbody>
    </table>`;
}

function partOf(name: string, judgement: Judgement, view: View): Html {
  const lines = [...verdictLines(judgement, view), bumpLine(judgement)].map((line) => html`<li>${line}</li>`);
  const groups = groupsOf(judgement.changes, view);
  const accepted = (judgement.accepted ?? []).map((each) => rowOf(each, ` — ${each.reason}`));
  const tables = [
    ...groups.map(({ title, changes }) =>
      tableOf(
        title,
        changes.map((each) => rowOf(each)),
      ),
    ),
    ...(accepted.length === 0 ? [] : [tableOf('Accepted', accepted)]),
  ];
  return html`<h1>${name}</h1>
    <ul>
      ${join(lines, '\n')}
    </ul>
    ${join(tables, '\n')}`;
}

/** Judgements of some documents, each with its name, as one page. */
export function toHtml(parts: readonly { readonly name: string; readonly judgement: Judgement }[], view: View): string {
  const [first] = parts;
  const body = join(
    parts.map(({ name, judgement }) => partOf(name, judgement, view)),
    '\n',
  );
  return `<!doctype html>\n${
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Changes of ${first?.name ?? 'documents'}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`.text
  }\n`;
}
