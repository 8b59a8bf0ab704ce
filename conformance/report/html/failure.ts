import { isScored, type CheckResult } from '../../result/result.ts';
import { html, Html, join, prose } from '../../../common/html.ts';
import { failureLines, type FailureLine } from '../content/failure.ts';
import { shortened } from '../../../common/text.ts';
import { anchor, folded, levelTag, rowList, type Row } from './parts.ts';
import { jsonLines } from './json-lines.ts';

/** A body, with the lines of the judged member marked. */
function bodyBlock({ body = '', cut }: FailureLine, pointer: string): Html {
  const lines = cut === undefined ? jsonLines(body) : undefined;
  if (!lines) {
    const rest = cut !== undefined && html`<p class="soft small">${cut} more characters are not shown.</p>`;
    return html`<pre>${shortened(body)}</pre>
      ${rest}`;
  }
  const isMarked = (own: string): boolean => pointer !== '' && (own === pointer || own.startsWith(`${pointer}/`));
  const shown = lines.map((line) => (isMarked(line.pointer) ? html`<mark>${line.text}</mark>` : `${line.text}\n`));
  return html`<pre>${shown}</pre>`;
}

function headerFields({ headers }: { readonly headers: Readonly<Record<string, string>> }): Html {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return html`<pre>${lines.join('\n')}</pre>`;
}

const LABELS: Readonly<Record<FailureLine['label'], string>> = {
  expected: 'Expected',
  actual: 'Actual',
  request: 'Request',
  response: 'Response',
  fix: 'Fix',
  rerun: 'Rerun',
};

/** @param pointer to the member of a body that was judged */
function rowOf(line: FailureLine, pointer: string): Row {
  const { label, text, body, exchange } = line;
  const name = LABELS[label];
  if (!exchange) {
    if (label === 'fix') return [name, html`<b>${prose(text)}</b>`];
    return [name, label === 'rerun' ? html`<code>${text}</code>` : html`<pre>${text}</pre>`];
  }
  const { request, response, purpose, durationMs } = exchange;
  const code = html`<code>${shortened(text, 200)}</code>`;
  const block = body !== undefined && bodyBlock(line, pointer);
  if (label === 'request') return [name, html`${code} <span class="soft small">${purpose}</span> ${block}`];
  const fields = html`${headerFields(request)} ${response && headerFields(response)}`;
  return [
    name,
    html`${code} <span class="soft small">in ${durationMs} ms${response?.body === '' && ', no body'}</span> ${block}
      ${folded('Header fields', fields)}`,
  ];
}

/** A failed check, folded unless it is `open`. */
export function failureDetails(check: CheckResult, open: boolean): Html {
  const { id, title, level, failure, curl, requirements } = check;
  const lines = failureLines(check);
  const last = lines.findLast(({ label }) => label === 'response');
  const rows = lines.map((line) => rowOf(line, line === last ? (failure?.pointer ?? '') : ''));
  const sendAgain: Row[] =
    curl === undefined ? [] : [['Send again', html`<pre class="curl" tabindex="0">${curl}</pre>`]];
  const links = requirements.map((each) => html`<a href="#${anchor('requirement', each)}">${each}</a>`);
  return html`<details class="check" id="${anchor('check', id)}" ${new Html(open ? ' open' : '')}>
    <summary>
      <code>${id}</code> ${levelTag(isScored(check) ? level : 'not scored')}<br /><bdi
        >${shortened(failure?.message ?? title, 400)}</bdi
      >
    </summary>
    <p class="soft small">${prose(title)}. Judges ${join(links, ', ')}.</p>
    ${rowList([...rows, ...sendAgain], 'pair')}
  </details> `;
}
