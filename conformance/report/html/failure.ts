import { isScored, type CheckResult, type Finding, type Result } from '../../result/result.ts';
import { html, Html, join, prose } from '../../../common/html.ts';
import { failureLines, findingFacts, requirementsOf, type FailureLine } from '../content/failure.ts';
import { capitalized, shortened } from '../../../common/text.ts';
import { anchor, codes, folded, levelTag, rowList, type Row } from './parts.ts';
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

/** @param pointer to the member of a body that was judged */
function rowOf(line: FailureLine, pointer: string): Row {
  const { label, text, body, exchange } = line;
  const name = capitalized(label);
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

/** Expected and actual, the exchanges, the fix, and the curl lines. */
function detailRows(failed: CheckResult | Finding, pointer = ''): Html {
  const lines = failureLines(failed);
  const last = lines.findLast(({ label }) => label === 'response');
  const rows = lines.map((line) => rowOf(line, line === last ? pointer : ''));
  const { curl } = failed;
  const sendAgain: Row[] =
    curl === undefined ? [] : [['Send again', html`<pre class="curl" tabindex="0">${curl}</pre>`]];
  return rowList([...rows, ...sendAgain], 'pair');
}

function linkTo(kind: Parameters<typeof anchor>[0], id: string): Html {
  return html`<a href="#${anchor(kind, id)}">${id}</a>`;
}

/** A failed check, folded. */
export function failureDetails(check: CheckResult, result: Result): Html {
  const { id, title, level, failure } = check;
  const links = requirementsOf(check, result).map((each) => linkTo('requirement', each.id));
  return html`<details class="check" id="${anchor('check', id)}">
    <summary>
      <code>${id}</code> ${levelTag(isScored(check) ? level : 'not scored')}<br /><bdi
        >${shortened(failure?.message ?? title, 400)}</bdi
      >
    </summary>
    <p class="soft small">${prose(title)}. ${links.length > 0 && html`Judges ${join(links, ', ')}.`}</p>
    ${detailRows(check, failure?.pointer)}
  </details> `;
}

/** A finding, folded unless it is `open`. */
export function findingDetails(finding: Finding, result: Result, open: boolean): Html {
  const { title, level, checks, consequences, pointer } = finding;
  const style = new Html(`card finding l-${level === 'must' ? 'must' : 'should'}`);
  const requirements = requirementsOf(finding, result).map(
    ({ id, text, source }) =>
      html`<p>${linkTo('requirement', id)} ${prose(text)} <span class="source">Source: ${source}</span></p>`,
  );
  const shownBy = checks.map((id) => html`<code>${linkTo('check', id)}</code>`);
  const number = String(result.findings.indexOf(finding) + 1);
  return html`<details class="${style}" id="${anchor('finding', number)}" ${new Html(open ? ' open' : '')}>
    <summary>
      <h3><bdi>${shortened(title, 400)}</bdi></h3>
      ${levelTag(isScored(finding) ? level : 'not scored')}
      <span class="soft small">${findingFacts(finding).join(' · ')}</span>
    </summary>
    ${requirements} ${detailRows(finding, pointer)}
    <p class="ids">Failed checks: ${join(shownBy, ', ')}</p>
    ${consequences.length > 0 && html`<p class="ids">Inconclusive because of it: ${codes(consequences)}</p>`}
  </details> `;
}
